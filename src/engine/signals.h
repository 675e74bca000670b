#ifndef ENGINE_SIGNALS_H
#define ENGINE_SIGNALS_H
/* The signal table: the only way to look at the machine. Screens, console, Lua, VCD, --dump and
 * tests find a signal by its path and read elements of any Engine value with signal_get. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "engine/config.h"
#include "engine/weights.h"

typedef struct Engine Engine;

/* One per signal, in the order of the table. Units name what they write by these. */
typedef enum {
    /* pins */
    SIG_START,
    SIG_SEQ_POS,
    SIG_TOKEN_EMB,
    /* transformer_decoder */
    SIG_TOP_STATE,
    SIG_VALID,
    SIG_LN1_START,
    SIG_ATTN_START,
    SIG_LN2_START,
    SIG_FFN_START,
    SIG_RESIDUAL1,
    SIG_OUT_EMB,
    /* layer_norm, twice, in the same order */
    SIG_LN1_STATE,
    SIG_LN1_I,
    SIG_LN1_ACC,
    SIG_LN1_MEAN,
    SIG_LN1_VAR,
    SIG_LN1_INV_STD,
    SIG_LN1_VALID,
    SIG_LN1_CENTERED,
    SIG_LN1_OUT,
    SIG_LN2_STATE,
    SIG_LN2_I,
    SIG_LN2_ACC,
    SIG_LN2_MEAN,
    SIG_LN2_VAR,
    SIG_LN2_INV_STD,
    SIG_LN2_VALID,
    SIG_LN2_CENTERED,
    SIG_LN2_OUT,
    /* multi_head_attention */
    SIG_ATTN_STATE,
    SIG_ATTN_I,
    SIG_ATTN_H,
    SIG_ATTN_T,
    SIG_ATTN_SMAX_START,
    SIG_ATTN_VALID,
    SIG_Q,
    SIG_K,
    SIG_V,
    SIG_K_CACHE,
    SIG_V_CACHE,
    SIG_SCORES,
    SIG_PROBS,
    SIG_HEAD,
    SIG_CONCAT,
    SIG_ATTN_OUT,
    /* softmax_unit */
    SIG_SMAX_STATE,
    SIG_SMAX_I,
    SIG_SMAX_MAX,
    SIG_SMAX_SUM,
    SIG_SMAX_RECIP,
    SIG_SMAX_VALID,
    SIG_SMAX_X,
    SIG_SMAX_SHIFTED,
    SIG_SMAX_EXP,
    SIG_SMAX_PROB,
    /* feed_forward */
    SIG_FFN_STATE,
    SIG_FFN_I,
    SIG_FFN_VALID,
    SIG_HIDDEN,
    SIG_UP,
    SIG_FFN_OUT,
    /* variant stream: its own FSMs in attention and feed forward, and what they have besides */
    SIG_ATTN_STREAM_STATE,
    SIG_ATTN_J,
    SIG_ATTN_D,
    SIG_ATTN_ACC,
    SIG_ATTN_ACC_K,
    SIG_ATTN_ACC_V,
    SIG_CACHE_WRITING,
    SIG_CACHE_D,
    SIG_CACHE_K_WORD,
    SIG_CACHE_V_WORD,
    SIG_FFN_STREAM_STATE,
    SIG_FFN_J,
    SIG_FFN_ACC,
    SIG_FFN_BIAS,
    SIG_FFN_ACC_UP,
    SIG_FFN_BIAS_UP,
    SIG_BANK_WQ,
    SIG_BANK_WK,
    SIG_BANK_WV,
    SIG_BANK_WO,
    SIG_BANK_W1,
    SIG_BANK_B1,
    SIG_BANK_W2,
    SIG_BANK_W3,
    SIG_BANK_B3,
    /* variant array: its own FSMs, the systolic array that both drive, and what it counts */
    SIG_ATTN_ARRAY_STATE,
    SIG_ATTN_ARRAY_I,
    SIG_ATTN_ARRAY_J,
    SIG_FFN_ARRAY_STATE,
    SIG_FFN_ARRAY_J,
    SIG_ARRAY_EDGE,
    SIG_ARRAY_WEST,
    SIG_ARRAY_NORTH,
    SIG_ARRAY_A,
    SIG_ARRAY_W,
    SIG_ARRAY_ACC,
    SIG_ARRAY_USEFUL,
    SIG_ARRAY_SLOTS,
    /* weights, in the order of WeightId */
    SIG_WEIGHTS,
    SIG_COUNT = SIG_WEIGHTS + WEIGHT_COUNT
} SignalId;

typedef enum {
    KIND_PIN,      /* set by the host between clocks */
    KIND_REGISTER, /* flops: copied every clock */
    KIND_MEMORY,   /* vectors and the KV cache: change through write ports */
    KIND_WEIGHT    /* constant while a machine runs */
} SignalKind;

typedef enum {
    TYPE_FIXED, /* two's complement with `frac` fraction bits: Q8.8, or a wider sum */
    TYPE_INDEX, /* an unsigned counter */
    TYPE_FLAG,  /* one bit */
    TYPE_STATE  /* an FSM state with a name */
} SignalType;

/* A size that depends on the configuration. */
typedef enum {
    EXT_NONE,
    EXT_D,
    EXT_H,
    EXT_DH,
    EXT_F,
    EXT_DF,  /* max(D, F): feed forward counts both layers in one register */
    EXT_FFN, /* the same, of outputs: in variant array with swiglu max(D, 2F) */
    EXT_S,
    EXT_QKV,    /* 3D: q, k and v side by side */
    EXT_R,      /* rows of the array */
    EXT_C,      /* its columns */
    EXT_EDGE,   /* R + C - 1: where its edge counter stops */
    EXT_TILE_D, /* D + C - 1: edges of a tile with D operands */
    EXT_TILE_F  /* EXT_DF + C - 1: of one with F, or D */
} Extent;

typedef struct Signal {
    const char *path;   /* what people write: "ln1.mean", "K" */
    const char *rtl;    /* where it lives in rtl/, below the top instance; of an array of
                           registers each element, with '#' for its indices */
    SignalKind kind;    /* pin, register, memory, weight */
    SignalType type;    /* how its bits read */
    uint8_t width;      /* bits; 0: as many as `limit` needs */
    uint8_t frac;       /* TYPE_FIXED: fraction bits, 8 or, in a sum of products, 16; else 0 */
    Extent limit;       /* TYPE_INDEX: the largest value */
    Extent dim[2];      /* EXT_NONE: no such dimension */
    unsigned variants;  /* bit per Variant that has it */
    size_t offset;      /* engine room: where it is stored */
    uint8_t size;       /* bytes of one element */
    uint16_t stride[2]; /* engine room, arrays of registers: bytes per index */
    const char *const *names; /* TYPE_STATE: spelling of each state, ends with NULL */
    const char *help;         /* one sentence for the learner: signal_help */
    const char *rtl_stream;   /* where it lives in variant stream, if not at `rtl` */
    /* What options take away; NULL: nothing. Is there the signal; is there an FSM's state? */
    bool (*when)(const Config *c);
    bool (*has_state)(const Config *c, int state);
    const uint8_t *order; /* TYPE_STATE: the states in the order of work; NULL: as numbered */
    bool (*other)(
        const Config *c); /* does an option make it something else, which help_other is? */
    const char *help_other;
} Signal;

/* Entry `id` of the table. */
const Signal *signal_at(SignalId id);
/* The entry of a weight. */
static inline SignalId signal_weight(WeightId m)
{
    return (SignalId)(SIG_WEIGHTS + m);
}
/* The signal of that path in this machine, or NULL. "smax." and "softmax." are the same prefix. */
const Signal *signal_find(const Engine *e, const char *path, size_t len);
SignalId signal_id(const Signal *s);
/* Does this machine have it? Its variant and its options decide. */
bool signal_exists(const Engine *e, const Signal *s);
/* One sentence for the learner, true of this machine. */
const char *signal_help(const Engine *e, const Signal *s);
/* What goes by the path of `id` in this machine: a variant has its own FSMs. NULL when nothing. */
const Signal *signal_in(const Engine *e, SignalId id);
/* Where it lives in this machine's RTL, below the top instance. */
const char *signal_rtl(const Engine *e, const Signal *s);
/* An array whose elements are registers of modules of their own: where element `at` lives. Returns
 * the length written. */
bool signal_is_register_array(const Signal *s);
int signal_element_rtl(const Engine *e, const Signal *s, int at, char *out, size_t size);
/* Is there an element `at`? The skew registers of the array are a triangle: row r has r. The rest
 * reads as 0 and cannot be set. */
bool signal_has_element(const Engine *e, const Signal *s, int at);

/* Shape: number of dimensions 0..2, size of dimension k (1 when absent), number of elements. */
int signal_rank(const Signal *s);
int signal_dim(const Engine *e, const Signal *s, int k);
int signal_count(const Engine *e, const Signal *s);
int signal_width(const Engine *e, const Signal *s); /* bits */
static inline bool signal_is_signed(const Signal *s)
{
    return s->type == TYPE_FIXED;
}

/* Element `at` (row-major over the dimensions) as a raw number, sign-extended for TYPE_FIXED; now,
 * and before the last clock edge. Never recomputes: one load. */
int32_t signal_get(const Engine *e, const Signal *s, int at);
int32_t signal_before(const Engine *e, const Signal *s, int at);
/* Was it stored to by the last clock edge with a different value? */
bool signal_changed(const Engine *e, const Signal *s, int at);
/* Store a raw number (its low bits). Pins, registers and memories only: a poke by the host between
 * clocks. Out-of-range states and indices are refused with the range. */
bool signal_set(Engine *e, const Signal *s, int at, int32_t raw, Err *err);

/* Where an element lives in every Engine of the same configuration, for loops that read it each
 * clock. offset < 0: not inside the Engine (weights); before < 0: only signal_before knows. */
typedef struct SignalSlot {
    ptrdiff_t offset, before; /* bytes from the Engine */
    uint8_t shift;            /* 32 - bits stored */
    bool is_signed;
} SignalSlot;
SignalSlot signal_slot(const Engine *e, const Signal *s, int at);
/* No branch on the size: load 32 bits (an Engine ends in scratch words) and cut. Little-endian. */
static inline int32_t slot_load(const Engine *e, ptrdiff_t offset, const SignalSlot *slot)
{
    uint32_t bits = 0;
    memcpy(&bits, (const char *)e + offset, sizeof bits);
    bits <<= slot->shift;
    return slot->is_signed ? (int32_t)bits >> slot->shift : (int32_t)(bits >> slot->shift);
}
static inline int32_t slot_get(const Engine *e, const SignalSlot *slot)
{
    return slot_load(e, slot->offset, slot);
}
static inline int32_t slot_before(const Engine *e, const SignalSlot *slot)
{
    return slot_load(e, slot->before, slot);
}

/* The states that an FSM can be in in this machine, in the order of work; how many there are. */
enum { SIGNAL_STATES = 32 };
int signal_states(const Engine *e, const Signal *s, int states[SIGNAL_STATES]);
/* The state's name without prefix, "?" when out of range. */
const char *signal_state_name(const Signal *s, int32_t state);

/* Write "PATH", "PATH[i]" or "PATH[i][j]" of an element, and its value as hex digits. Both return
 * the length written. */
int signal_element_name(const Engine *e, const Signal *s, int at, char *out, size_t size);
int signal_hex(const Engine *e, const Signal *s, int32_t raw, char *out, size_t size);
/* What the raw number means, exactly: "-0.30078125", "37", "ATTN_WAIT". */
int signal_value(const Signal *s, int32_t raw, char *out, size_t size);
/* The real value of a raw number of a TYPE_FIXED signal, exactly; of another the number itself. */
double signal_real(const Signal *s, int32_t raw);

#endif
