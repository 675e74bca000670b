#include "tensor/kind.h"

#include <string.h>

static const GgmlType types[] = {
    {0, "F32", 1, 4, KIND_OTHER},           {1, "F16", 1, 2, KIND_OTHER},
    {2, "Q4_0", 32, 18, KIND_OTHER},        {3, "Q4_1", 32, 20, KIND_OTHER},
    {6, "Q5_0", 32, 22, KIND_OTHER},        {7, "Q5_1", 32, 24, KIND_OTHER},
    {8, "Q8_0", 32, 34, KIND_OTHER},        {9, "Q8_1", 32, 36, KIND_OTHER},
    {10, "Q2_K", 256, 84, KIND_OTHER},      {11, "Q3_K", 256, 110, KIND_OTHER},
    {12, "Q4_K", 256, 144, KIND_OTHER},     {13, "Q5_K", 256, 176, KIND_OTHER},
    {14, "Q6_K", 256, 210, KIND_OTHER},     {15, "Q8_K", 256, 292, KIND_OTHER},
    {16, "IQ2_XXS", 256, 66, KIND_OTHER},   {17, "IQ2_XS", 256, 74, KIND_OTHER},
    {18, "IQ3_XXS", 256, 98, KIND_OTHER},   {19, "IQ1_S", 256, 50, KIND_OTHER},
    {20, "IQ4_NL", 32, 18, KIND_OTHER},     {21, "IQ3_S", 256, 110, KIND_OTHER},
    {22, "IQ2_S", 256, 82, KIND_OTHER},     {23, "IQ4_XS", 256, 136, KIND_OTHER},
    {24, "I8", 1, 1, KIND_OTHER},           {25, "I16", 1, 2, KIND_OTHER},
    {26, "I32", 1, 4, KIND_OTHER},          {27, "I64", 1, 8, KIND_OTHER},
    {28, "F64", 1, 8, KIND_OTHER},          {29, "IQ1_M", 256, 56, KIND_OTHER},
    {30, "BF16", 1, 2, KIND_OTHER},         {34, "TQ1_0", 256, 54, KIND_TQ1_0},
    {35, "TQ2_0", 256, 66, KIND_TQ2_0},     {39, "MXFP4", 32, 17, KIND_OTHER},
    {40, "NVFP4", 64, 36, KIND_OTHER},      {41, "Q1_0", 128, 18, KIND_Q1_0},
    {GGML_Q2_0, "Q2_0", 64, 18, KIND_Q2_0}, {142, "PQ2_0", 128, 34, KIND_PQ2_0},
    {143, "PTQ1_0", 128, 28, KIND_PTQ1_0},
};

const GgmlType *ggml_type(uint32_t id)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (types[i].id == id)
            return &types[i];
    }
    return NULL;
}

const char *kind_name(TensorKind kind)
{
    static const char *const names[] = {
        [KIND_OTHER] = "other",     [KIND_UNKNOWN] = "unknown",   [KIND_T2] = "t2",
        [KIND_TQ1_0] = "tq1_0",     [KIND_TQ2_0] = "tq2_0",       [KIND_PTQ1_0] = "ptq1_0",
        [KIND_PQ2_0] = "pq2_0",     [KIND_Q2_0_G64] = "q2_0 g64", [KIND_Q2_0_G128] = "q2_0 g128",
        [KIND_Q1_0] = "q1_0",       [KIND_Q2_0] = "q2_0",         [KIND_PB16I] = "pb16i",
        [KIND_CHUNK_Q4_1] = "q4_1", [KIND_CHUNK_Q4_K] = "q4_k",   [KIND_CHUNK_Q8] = "q8",
    };
    return names[kind];
}

bool kind_is_block(TensorKind kind)
{
    return kind >= KIND_TQ1_0 && kind <= KIND_Q1_0;
}

bool kind_is_chunk(TensorKind kind)
{
    return kind >= KIND_CHUNK_Q4_1 && kind <= KIND_CHUNK_Q8;
}

static const struct Dtype {
    const char *name;
    unsigned bits;
} dtypes[] = {
    {"BOOL", 8}, {"F4", 4},          {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"U8", 8},
    {"I8", 8},   {"F8_E5M2", 8},     {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8},
    {"U16", 16}, {"F8_E5M2FNUZ", 8}, {"I16", 16},    {"F16", 16},    {"BF16", 16},
    {"I32", 32}, {"U32", 32},        {"F32", 32},    {"C64", 64},    {"F64", 64},
    {"I64", 64}, {"U64", 64},
};

static const struct Dtype *find_dtype(const char *name)
{
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        if (strcmp(dtypes[i].name, name) == 0)
            return &dtypes[i];
    }
    return NULL;
}

unsigned dtype_bits(const char *name)
{
    const struct Dtype *d = find_dtype(name);
    return d ? d->bits : 0;
}

const char *dtype_name(const char *name)
{
    const struct Dtype *d = find_dtype(name);
    return d ? d->name : NULL;
}

TensorKind chunk_kind(uint64_t tile_bytes)
{
    switch (tile_bytes) {
    case 2176:
        return KIND_T2;
    case 5120:
        return KIND_CHUNK_Q4_1;
    case 4736:
        return KIND_CHUNK_Q4_K;
    case 8704:
        return KIND_CHUNK_Q8;
    default:
        return KIND_OTHER;
    }
}
