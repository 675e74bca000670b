#ifndef BASE_SHA256_H
#define BASE_SHA256_H
/* SHA-256 (FIPS 180-4) of a short message: the split of the words hangs on it. */
#include <stddef.h>
#include <stdint.h>

/* At most 55 bytes (one block). */
void sha256_short(const void *message, size_t n, uint8_t digest[32]);

#endif
