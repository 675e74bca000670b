/* The converters: byte 0 chooses the source kind and --clamp, the rest are rows of 32 x 256 or a
 * pb16i image. What converts is exact, or was clamped and says so. */
#include "fuzz.h"

#include <string.h>

#include "tensor/convert.h"
#include "tensor/pb16i.h"

static const TensorKind kinds[8] = {KIND_TQ1_0,    KIND_TQ2_0,     KIND_PTQ1_0, KIND_PQ2_0,
                                    KIND_Q2_0_G64, KIND_Q2_0_G128, KIND_Q1_0,   KIND_PB16I};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    ConvertSource s = {
        .label = "fuzz", .kind = kinds[data[0] & 7], .rows = 32, .cols = 256, .layout = &pb16i_own};
    bool clamp = data[0] & 8;
    uint64_t need;
    Err err;
    if (s.kind == KIND_PB16I) {
        Pb16iShape shape;
        if (!pb16i_open(data + 1, size - 1, &shape, &err))
            return 0;
        need = size - 1;
        s.rows = shape.rows;
        s.cols = shape.cols;
    } else {
        promise(ternary_bytes(s.kind, 32, 256, &need, &err));
    }
    /* short inputs repeat, so that the fuzzer need not find kilobytes */
    uint8_t *bytes = malloc(need);
    for (uint64_t i = 0; i < need; i++)
        bytes[i] = size > 1 ? data[1 + i % (size - 1)] : 0;
    s.bytes = bytes;
    s.size = need;
    FILE *out = fopen("/dev/null", "wb");
    ConvertReport report;
    if (convert_to_t2(&s, clamp, out, &report, &err))
        promise(report.different <= report.clamped && (clamp || report.clamped == 0));
    fclose(out);
    free(bytes);
    return 0;
}
