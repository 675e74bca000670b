/* safetensors and Q4NX (by their metadata): the fuzzer gives the header's text, the length in
 * front is made to fit; the first line break ends the header and data follows. */
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_container(data, size); /* as it comes: lengths of every kind */
    const uint8_t *cut = size ? memchr(data, '\n', size) : NULL;
    uint64_t header = cut ? (uint64_t)(cut - data) : size;
    size_t rest = cut ? size - header - 1 : 0;
    uint8_t *file = malloc(8 + size);
    memcpy(file, &header, 8);
    memcpy(file + 8, data, header);
    if (rest)
        memcpy(file + 8 + header, cut + 1, rest);
    fuzz_container(file, 8 + header + rest);
    free(file);
    return 0;
}
