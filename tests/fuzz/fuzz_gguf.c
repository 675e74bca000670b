/* GGUF files: whatever the bytes, a refusal or a table whose every place can be read. */
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4)
        return 0;
    uint8_t *copy = malloc(size);
    memcpy(copy, data, size);
    memcpy(copy, "GGUF", 4); /* else it would be another reader's */
    fuzz_container(copy, size);
    free(copy);
    return 0;
}
