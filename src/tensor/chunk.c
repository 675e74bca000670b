#include "tensor/chunk.h"

#include <stddef.h>
#include <string.h>

#include "tensor/half.h"

static const struct {
    const char *name;
    const char *help;
    TensorKind kind;
    unsigned bytes;
} layouts[CHUNK_LAYOUTS] = {
    {"q4_1", "additive (code * scale + zero), scales group-major g*32 + r, unsigned nibbles",
     KIND_CHUNK_Q4_1, 5120},
    {"q4_k", "S*sc*code + M*mn, group-major sc and mn, nibbles by column", KIND_CHUNK_Q4_K, 4736},
    {"q8a", "int8 at byte c*32 + r", KIND_CHUNK_Q8, 8704},
    {"q8b", "int8 at byte (r/16)*4096 + (c/32)*512 + (c%32)*16 + r%16", KIND_CHUNK_Q8, 8704},
};

const char *chunk_name(ChunkLayout layout)
{
    return layouts[layout].name;
}

const char *chunk_help(ChunkLayout layout)
{
    return layouts[layout].help;
}

unsigned chunk_bytes(ChunkLayout layout)
{
    return layouts[layout].bytes;
}

bool chunk_by_name(const char *name, ChunkLayout *layout)
{
    for (unsigned i = 0; i < CHUNK_LAYOUTS; i++) {
        if (strcmp(layouts[i].name, name) == 0) {
            *layout = (ChunkLayout)i;
            return true;
        }
    }
    return false;
}

bool chunk_as(TensorKind kind, ChunkLayout layout, const char *tensor, Err *err)
{
    if (layouts[layout].kind == kind)
        return true;
    if (kind == KIND_T2)
        return err_set(err,
                       "tensor %s is t2 (2176-byte ternary tiles), not %s (%u-byte tiles): it has "
                       "no such reading",
                       tensor, layouts[layout].name, layouts[layout].bytes);
    return err_set(err, "tensor %s is %s, not %s", tensor, kind_name(kind), layouts[layout].name);
}

static unsigned nibble(const uint8_t *tile, ChunkCell *cell, unsigned r)
{
    cell->bit = r % 2 ? 4 : 0;
    return tile[cell->code_at] >> cell->bit & 15u;
}

static void q4_1_cell(const uint8_t *tile, unsigned r, unsigned c, ChunkCell *cell)
{
    unsigned i = c / 32 * 32 + r;
    cell->code_at = 1024 + r / 16 * 2048 + c * 8 + r % 16 / 2;
    cell->code = (int)nibble(tile, cell, r);
    cell->scale_at = 2 * i;
    cell->zero_at = 512 + 2 * i;
    cell->has_zero = true;
    cell->scale = load_le16(tile + cell->scale_at);
    cell->zero = load_le16(tile + cell->zero_at);
    float scale = f32_value(bf16_to_f32(cell->scale));
    float zero = f32_value(bf16_to_f32(cell->zero));
    cell->weight = f32_bits((float)cell->code * scale + zero);
}

static void q4_k_cell(const uint8_t *tile, unsigned r, unsigned c, ChunkCell *cell)
{
    unsigned i = c / 32 * 32 + r;
    cell->code_at = 512 + c * 16 + r / 2;
    cell->code = (int)nibble(tile, cell, r);
    cell->sc = tile[i];
    cell->mn = tile[256 + i];
    cell->scale_at = 4608 + 2 * r;
    cell->zero_at = 4672 + 2 * r;
    cell->has_zero = true;
    cell->scale = load_le16(tile + cell->scale_at);
    cell->zero = load_le16(tile + cell->zero_at);
    float s = f32_value(bf16_to_f32(cell->scale)) * (float)cell->sc;
    float m = f32_value(bf16_to_f32(cell->zero)) * (float)cell->mn;
    cell->weight = f32_bits(s * (float)cell->code + m);
}

static void q8_cell(const uint8_t *tile, unsigned r, unsigned c, unsigned at, ChunkCell *cell)
{
    cell->code_at = 512 + at;
    cell->code = (int)(tile[cell->code_at] ^ 0x80u) - 0x80; /* two's complement */
    cell->scale_at = 2 * (c / 32 * 32 + r);
    cell->scale = load_le16(tile + cell->scale_at);
    cell->weight = f32_bits((float)cell->code * f32_value(bf16_to_f32(cell->scale)));
}

ChunkCell chunk_cell(ChunkLayout layout, const uint8_t *tile, unsigned r, unsigned c)
{
    ChunkCell cell = {0};
    switch (layout) {
    case CHUNK_Q4_1:
        q4_1_cell(tile, r, c, &cell);
        break;
    case CHUNK_Q4_K:
        q4_k_cell(tile, r, c, &cell);
        break;
    case CHUNK_Q8A:
        q8_cell(tile, r, c, c * 32 + r, &cell);
        break;
    default:
        q8_cell(tile, r, c, r / 16 * 4096 + c / 32 * 512 + c % 32 * 16 + r % 16, &cell);
        break;
    }
    return cell;
}

/* Place of entry i of a group-major table: 32 rows of columns 0..31, then of 32..63 ... */
static ChunkByte group_entry(ChunkPart part, unsigned i)
{
    return (ChunkByte){.part = part, .row = i % 32, .col = i / 32 * 32};
}

static ChunkByte q4_1_byte(unsigned byte)
{
    if (byte < 1024)
        return group_entry(byte < 512 ? CHUNK_SCALE : CHUNK_ZERO, byte % 512 / 2);
    unsigned b = byte - 1024;
    return (ChunkByte){CHUNK_CODE, b / 2048 * 16 + b % 8 * 2, b % 2048 / 8};
}

static ChunkByte q4_k_byte(unsigned byte)
{
    if (byte < 512)
        return group_entry(byte < 256 ? CHUNK_SCALE : CHUNK_ZERO, byte % 256);
    if (byte >= 4608)
        return (ChunkByte){byte < 4672 ? CHUNK_SCALE : CHUNK_ZERO, (byte - 4608) % 64 / 2, 0};
    return (ChunkByte){CHUNK_CODE, byte % 16 * 2, (byte - 512) / 16};
}

static ChunkByte q8_byte(unsigned byte, bool halves)
{
    if (byte < 512)
        return group_entry(CHUNK_SCALE, byte / 2);
    unsigned b = byte - 512;
    if (!halves)
        return (ChunkByte){CHUNK_CODE, b % 32, b / 32};
    return (ChunkByte){CHUNK_CODE, b / 4096 * 16 + b % 16, b % 4096 / 16};
}

ChunkByte chunk_byte(ChunkLayout layout, unsigned byte)
{
    switch (layout) {
    case CHUNK_Q4_1:
        return q4_1_byte(byte);
    case CHUNK_Q4_K:
        return q4_k_byte(byte);
    default:
        return q8_byte(byte, layout == CHUNK_Q8B);
    }
}
