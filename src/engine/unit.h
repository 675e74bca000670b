#ifndef ENGINE_UNIT_H
#define ENGINE_UNIT_H
/* Private to the engine room: the registers of every unit, the Engine itself, and what a unit's
 * `next` may do. A unit reads the current state (const) and writes only its own next registers and
 * the edge's write ports; nothing it writes is visible before the commit. */
#include "engine/engine.h"
#include "engine/fixed_point.h"
#include "engine/systolic_array.h"

/* States, in the order of decoder.md section 4; names in signals.c. */
typedef enum {
    TOP_IDLE,
    TOP_LN1_START,
    TOP_LN1_WAIT,
    TOP_ATTN_START,
    TOP_ATTN_WAIT,
    TOP_RESIDUAL1,
    TOP_LN2_START,
    TOP_LN2_WAIT,
    TOP_FFN_START,
    TOP_FFN_WAIT,
    TOP_RESIDUAL2,
    TOP_DONE
} TopState;
typedef enum { LN_IDLE, LN_MEAN, LN_VARIANCE, LN_NORMALIZE, LN_DONE } LayerNormState;
typedef enum {
    SMAX_IDLE,
    SMAX_FIND_MAX,
    SMAX_SUBTRACT_EXP,
    SMAX_SUM,
    SMAX_RECIP,
    SMAX_NORMALIZE,
    SMAX_DONE
} SoftmaxState;
typedef enum {
    ATTN_IDLE,
    ATTN_PROJ_QKV,
    ATTN_WRITE_CACHE,
    ATTN_SCORE,
    ATTN_SOFTMAX_PREP,
    ATTN_SOFTMAX_RUN,
    ATTN_SOFTMAX_STORE,
    ATTN_WEIGHTED_SUM,
    ATTN_OUTPUT_PROJ,
    ATTN_DONE
} AttentionState;
typedef enum {
    FFN_IDLE,
    FFN_LINEAR1,
    FFN_RELU,
    FFN_LINEAR2,
    FFN_DONE,
    FFN_SWIGLU /* in the place of RELU: options-a.md section 7 */
} FeedForwardState;

/* States of variant stream, in the order of decoder.md section 5. */
typedef enum {
    ATTS_IDLE,
    ATTS_PROJ_ADDR,
    ATTS_PROJ_QKV,
    ATTS_PROJ_STORE,
    ATTS_WRITE_CACHE,
    ATTS_SCORE_ADDR,
    ATTS_SCORE,
    ATTS_SCORE_STORE,
    ATTS_SOFTMAX_PREP,
    ATTS_SOFTMAX_RUN,
    ATTS_SOFTMAX_STORE,
    ATTS_WSUM_ADDR,
    ATTS_WEIGHTED_SUM,
    ATTS_WSUM_STORE,
    ATTS_CONCAT,
    ATTS_OPROJ_ADDR,
    ATTS_OUTPUT_PROJ,
    ATTS_OPROJ_STORE,
    ATTS_DONE
} AttentionStreamState;
typedef enum {
    FFNS_IDLE,
    FFNS_L1_B1_ADDR,
    FFNS_L1_ADDR,
    FFNS_LINEAR1,
    FFNS_L1_STORE,
    FFNS_RELU,
    FFNS_L2_ADDR,
    FFNS_LINEAR2,
    FFNS_L2_STORE,
    FFNS_DONE,
    FFNS_SWIGLU
} FeedForwardStreamState;

/* States of variant array: in *_DRAIN and *_STORE a tile of C columns is on its way out. */
typedef enum {
    ATTA_IDLE,
    ATTA_PROJ_QKV,
    ATTA_PROJ_DRAIN,
    ATTA_PROJ_STORE,
    ATTA_WRITE_CACHE,
    ATTA_SCORE,
    ATTA_SOFTMAX_PREP,
    ATTA_SOFTMAX_RUN,
    ATTA_SOFTMAX_STORE,
    ATTA_WEIGHTED_SUM,
    ATTA_OUTPUT_PROJ,
    ATTA_OPROJ_DRAIN,
    ATTA_OPROJ_STORE,
    ATTA_DONE
} AttentionArrayState;
typedef enum {
    FFNA_IDLE,
    FFNA_LINEAR1,
    FFNA_L1_DRAIN,
    FFNA_L1_STORE,
    FFNA_RELU,
    FFNA_LINEAR2,
    FFNA_L2_DRAIN,
    FFNA_L2_STORE,
    FFNA_DONE,
    FFNA_SWIGLU
} FeedForwardArrayState;

/* Registers: the *_q of one RTL module each. */
typedef struct TopRegs {
    uint8_t state;
    uint8_t valid;
    uint8_t ln1_start, attn_start, ln2_start, ffn_start;
} TopRegs;
typedef struct LayerNormRegs {
    uint8_t state;
    uint8_t valid;
    uint16_t i;  /* 0..D */
    int32_t acc; /* sum of x, then of squares */
    int16_t mean, var, inv_std;
} LayerNormRegs;
typedef struct SoftmaxRegs {
    uint8_t state;
    uint8_t valid;
    uint16_t i; /* 0..S */
    int16_t max, recip;
    int32_t sum;
} SoftmaxRegs;
typedef struct AttentionRegs {
    uint8_t state;
    uint8_t valid;
    uint8_t smax_start;
    uint16_t i; /* 0..D; in variant array 0..3D */
    uint16_t h; /* 0..H */
    uint16_t t; /* 0..S */
} AttentionRegs;
typedef struct FeedForwardRegs {
    uint8_t state;
    uint8_t valid;
    uint16_t i; /* 0..max(D, F); in variant array with swiglu 0..max(D, 2F) */
} FeedForwardRegs;

/* What variant stream has besides: its attention and feed forward share the registers above. */
typedef struct StreamRegs {
    uint16_t j;                /* attention: element of the dot product, 0..D-1 */
    uint16_t d;                /* attention: dimension within the head */
    int32_t acc, acc_k, acc_v; /* attention: sums of products, 16 fraction bits */
    uint16_t ffn_j;            /* feed forward: element of the dot product */
    int32_t ffn_acc;
    int16_t ffn_bias;   /* b1 of the hidden unit at work */
    int32_t ffn_acc_up; /* swiglu: the same of the up projection */
    int16_t ffn_bias_up;
    int16_t wq, wk, wv, wo, w1, b1, w2; /* read registers of the weight banks */
    int16_t w3, b3;                     /* swiglu */
    uint8_t cache_writing;              /* k and v are on their way into the cache */
    uint16_t cache_d;                   /* element that is written */
    int16_t cache_k_word, cache_v_word; /* read registers of the cache */
} StreamRegs;

/* What variant array has besides, but for the systolic array itself. */
typedef struct ArrayRegs {
    uint16_t j, ffn_j;      /* attention, feed forward: edges of the tile so far, 0..K + C - 1 */
    uint32_t useful, slots; /* array_usage: products of this token, and what was room for */
} ArrayRegs;

typedef struct Regs {
    TopRegs top;
    LayerNormRegs ln1, ln2;
    AttentionRegs attn;
    SoftmaxRegs smax;
    FeedForwardRegs ffn;
    StreamRegs stream;
    ArrayRegs array;
} Regs;

/* What the memories of variant stream are to read on this edge: word offsets within the bank or the
 * cache, -1 for none. Wires: functions of the units' registers and of pin seq_pos. */
typedef struct StreamReads {
    int qkv;        /* in wq, wk and wv at once */
    int o;          /* in wo */
    int w1, b1, w2; /* w3 and b3 are read with w1 and b1 */
    int k, v;       /* in the cache */
} StreamReads;

typedef struct Pins {
    uint8_t start;
    uint16_t seq_pos; /* 0..S-1 */
} Pins;

/* What a unit of variant array asks of the systolic array in this cycle: wires, functions of its
 * registers and vectors. */
typedef struct ArrayWork {
    ArrayPins pins;
    int columns; /* outputs that the operand entering row 0 is for: products set off */
} ArrayWork;

/* After a poke all units may work at once: 1 store of the top, 1 of each layer norm, 3 of
 * attention, 2 of the softmax, 2 of the feed forward, 2 of stream's cache. */
enum { EDGE_WRITES = 12, EDGE_EVENTS = D_MODEL_MOST + 32 };

/* What one clock edge stores into memories, and what its arithmetic did. */
typedef struct Edge {
    int n_writes, n_events;
    int used; /* words of scratch taken */
    Write writes[EDGE_WRITES];
    Event events[EDGE_EVENTS];
} Edge;

struct Engine {
    Config config;
    const Weights *weights; /* the only pointer: shared, constant */
    uint64_t cycle;
    size_t size; /* bytes of the whole Engine */
    int log2_d;  /* log2 of d_model */
    int d_head;
    Regs q;                 /* current registers */
    Regs before;            /* registers before the last edge */
    Pins in;                /* set by the host between clocks */
    uint32_t at[SIG_COUNT]; /* memories: first word in `words` */
    uint32_t scratch;       /* first word of the write ports' data */
    Edge edge;              /* what the last edge did */
    bool systolic_moved; /* by the last edge, or a poke: the next edge has to take `before` anew */
    SystolicArray systolic;        /* variant array: its registers, */
    SystolicArray systolic_before; /* and before the last edge */
    int16_t words[];               /* token_emb, the vectors, K and V, scratch */
};

/* One multiply-accumulate of a stream: *acc gains a * b, wrapping; true when that lost bits. */
static inline bool accumulate(int32_t *acc, int16_t a, int16_t b)
{
    int64_t exact = (int64_t)*acc + (int32_t)a * b;
    *acc = low32(exact);
    return exact != *acc;
}

/* The words of a memory (or of token_emb), for reading. */
static inline const int16_t *engine_words(const Engine *e, SignalId id)
{
    return e->words + e->at[id];
}

/* The write ports of the edge in the making: the only thing besides its own next registers that a
 * unit may write. Values wait in scratch until the commit. */
typedef struct Ports {
    Edge *edge;
    int16_t *scratch;
} Ports;

/* One element, or `count` of them whose values the caller fills in. */
void port_write(Ports *p, SignalId id, int index, int16_t value);
int16_t *port_bulk(Ports *p, SignalId id, int index, int count);
/* Note an event when it `happened`. */
static inline void port_event(Ports *p, bool happened, SignalId id, int index, EventKind kind)
{
    if (happened && p->edge->n_events < EDGE_EVENTS)
        p->edge->events[p->edge->n_events++] = (Event){id, index, (unsigned)kind};
}

/* Sum of a[i] * b[i] in 32 bits, wrapping, narrowed to data. *wraps: did the sum or the narrowing
 * lose bits? reach is the sum of |b[i]| (it tells in most cases that the sum cannot wrap), or
 * REACH_UNKNOWN. */
#define REACH_UNKNOWN INT64_MAX
int16_t dot_narrow(const int16_t *a, const int16_t *b, int n, int64_t reach, bool *wraps);
/* Column i of weight matrix m times x. */
int16_t gemv_narrow(const Engine *e, WeightId m, int i, const int16_t *x, bool *wraps);

/* The units: next registers d (preloaded with the current ones: hold) from the current state, which
 * is `all` and what e holds in memories and pins. */
void layer_norm_next(const Engine *e, const LayerNormRegs *q, LayerNormRegs *d, Ports *p,
                     SignalId first, bool start);
void softmax_unit_next(const Engine *e, const Regs *all, SoftmaxRegs *d, Ports *p);
void multi_head_attention_next(const Engine *e, const Regs *all, AttentionRegs *d, Ports *p);
void feed_forward_next(const Engine *e, const Regs *all, FeedForwardRegs *d, Ports *p);
void decoder_control_next(const Engine *e, const Regs *all, TopRegs *d, Ports *p);

/* States that variants share, of attention: k and v into the cache in one cycle; one score a cycle
 * and one head's weighted sum a cycle, true in the last one. */
void write_cache(const Engine *e, Ports *p);
bool scores_next(const Engine *e, const AttentionRegs *q, AttentionRegs *d, Ports *p);
bool weighted_sum_next(const Engine *e, const AttentionRegs *q, AttentionRegs *d, Ports *p);
/* A head's scores, then the mask, into softmax.x; the softmax's result into probs. */
void softmax_prep(const Engine *e, int h, Ports *p);
void softmax_store(const Engine *e, int h, Ports *p);
void relu(const Engine *e, Ports *p);
/* One element of hidden a cycle, true in the last one. */
bool swiglu_next(const Engine *e, const FeedForwardRegs *q, FeedForwardRegs *d, Ports *p);
static inline bool has_swiglu(const Engine *e)
{
    return e->config.ffn == FFN_KIND_SWIGLU;
}

/* Variant stream: what the units address, and the units. */
void multi_head_attention_stream_reads(const Engine *e, const Regs *q, StreamReads *r);
void feed_forward_stream_reads(const Engine *e, const Regs *q, StreamReads *r);
void multi_head_attention_stream_next(const Engine *e, const Regs *all, Regs *d, Ports *p);
void feed_forward_stream_next(const Engine *e, const Regs *all, Regs *d, Ports *p);
void weight_memory_next(const Engine *e, const StreamReads *r, StreamRegs *d);
void kv_cache_bram_next(const Engine *e, const Regs *all, const StreamReads *r, StreamRegs *d,
                        Ports *p);

/* Variant array: what the units ask of the systolic array, the units, and the array with its
 * counters. The array is left as it is when `work` neither enables nor clears it. */
void multi_head_attention_array_work(const Engine *e, const Regs *q, ArrayWork *work);
void feed_forward_array_work(const Engine *e, const Regs *q, ArrayWork *work);
void multi_head_attention_array_next(const Engine *e, const Regs *all, Regs *d, Ports *p);
void feed_forward_array_next(const Engine *e, const Regs *all, Regs *d, Ports *p);
void array_usage_next(const Engine *e, const Regs *all, const ArrayWork *work, ArrayRegs *d);

/* A tile of a GEMV: outputs i .. i + C - 1 of n, each a sum over K elements of x. The edge on which
 * element j of x enters row 0 and row j of the matrix enters the columns. `m` is the first of n /
 * cols matrices of the same shape, side by side (weight_beside). */
void tile_feed(const Engine *e, SignalId x, WeightId m, int n, int i, int j, ArrayWork *work);
/* Count an edge of a tile with K operands in j; true on the last, with which row 0's sums are
 * final: the last column's lags by C - 1. */
bool tile_edge(const Engine *e, int K, uint16_t j, uint16_t *next);
/* The sum of output i + c, narrowed; *wraps: did that lose bits? */
int16_t tile_sum(const Engine *e, int c, bool *wraps);
/* On to the tile after the one at i, of n outputs; true when there is none. */
bool tile_next(const Engine *e, int n, uint16_t i, uint16_t *next);

#endif
