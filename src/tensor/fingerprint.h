#ifndef TENSOR_FINGERPRINT_H
#define TENSOR_FINGERPRINT_H
/* The fingerprints of ternary.md section 8: what the figures of a tensor say about where it comes
 * from, or about how it is misread. */
#include "tensor/stats.h"

typedef struct Fingerprint {
    char seen[64];   /* "scale 85.3125 or 85.375 ..." */
    char cause[112]; /* "code bytes read as the scale: ..." */
} Fingerprint;

enum { FINGERPRINTS_MAX = 14 };

/* The fingerprints that these figures show; returns how many. */
unsigned stats_fingerprints(const TensorStats *s, TensorKind kind,
                            Fingerprint out[FINGERPRINTS_MAX]);

#endif
