#ifndef BASE_LIMIT_H
#define BASE_LIMIT_H

/* x, or the end of low..high that it lies beyond. */
static inline int limit(int x, int low, int high)
{
    return x > high ? high : x < low ? low : x;
}

#endif
