#ifndef BASE_PORTABLE_MATH_H
#define BASE_PORTABLE_MATH_H
/* exp and log of doubles by additions, multiplications and divisions in a fixed order: the same
 * bits on every machine, whatever its libm. For what must be reproducible to the byte: training,
 * sampling, printed bits per character. Relative error below 1e-14. */

/* 0 below -700, refuses nothing; x at most 700. */
double portable_exp(double x);
/* x a positive normal number. */
double portable_log(double x);

#endif
