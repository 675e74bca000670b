#include "engine/signals.h"

#include <stdio.h>
#include <string.h>

#include "engine/fixed_point.h"
#include "engine/unit.h"

static const char *const top_states[] = {
    "IDLE",     "LN1_START", "LN1_WAIT", "ATTN_START", "ATTN_WAIT", "RESIDUAL1", "LN2_START",
    "LN2_WAIT", "FFN_START", "FFN_WAIT", "RESIDUAL2",  "DONE",      NULL};
static const char *const ln_states[] = {"IDLE", "MEAN", "VARIANCE", "NORMALIZE", "DONE", NULL};
static const char *const smax_states[] = {"IDLE",  "FIND_MAX",  "SUBTRACT_EXP", "SUM",
                                          "RECIP", "NORMALIZE", "DONE",         NULL};
static const char *const attn_states[] = {
    "IDLE",        "PROJ_QKV",      "WRITE_CACHE",  "SCORE",       "SOFTMAX_PREP",
    "SOFTMAX_RUN", "SOFTMAX_STORE", "WEIGHTED_SUM", "OUTPUT_PROJ", "DONE",
    NULL};
static const char *const ffn_states[] = {"IDLE", "LINEAR1", "RELU", "LINEAR2",
                                         "DONE", "SWIGLU",  NULL};
static const uint8_t ffn_order[] = {FFN_IDLE,   FFN_LINEAR1, FFN_RELU,
                                    FFN_SWIGLU, FFN_LINEAR2, FFN_DONE};

static const char *const attn_stream_states[] = {
    "IDLE",          "PROJ_ADDR",   "PROJ_QKV",     "PROJ_STORE",   "WRITE_CACHE",
    "SCORE_ADDR",    "SCORE",       "SCORE_STORE",  "SOFTMAX_PREP", "SOFTMAX_RUN",
    "SOFTMAX_STORE", "WSUM_ADDR",   "WEIGHTED_SUM", "WSUM_STORE",   "CONCAT",
    "OPROJ_ADDR",    "OUTPUT_PROJ", "OPROJ_STORE",  "DONE",         NULL};
static const char *const ffn_stream_states[] = {"IDLE",     "L1_B1_ADDR", "L1_ADDR", "LINEAR1",
                                                "L1_STORE", "RELU",       "L2_ADDR", "LINEAR2",
                                                "L2_STORE", "DONE",       "SWIGLU",  NULL};
static const uint8_t ffn_stream_order[] = {
    FFNS_IDLE,   FFNS_L1_B1_ADDR, FFNS_L1_ADDR, FFNS_LINEAR1,  FFNS_L1_STORE, FFNS_RELU,
    FFNS_SWIGLU, FFNS_L2_ADDR,    FFNS_LINEAR2, FFNS_L2_STORE, FFNS_DONE};

static const char *const attn_array_states[] = {
    "IDLE",        "PROJ_QKV",     "PROJ_DRAIN",  "PROJ_STORE",    "WRITE_CACHE",
    "SCORE",       "SOFTMAX_PREP", "SOFTMAX_RUN", "SOFTMAX_STORE", "WEIGHTED_SUM",
    "OUTPUT_PROJ", "OPROJ_DRAIN",  "OPROJ_STORE", "DONE",          NULL};
static const char *const ffn_array_states[] = {"IDLE", "LINEAR1", "L1_DRAIN", "L1_STORE",
                                               "RELU", "LINEAR2", "L2_DRAIN", "L2_STORE",
                                               "DONE", "SWIGLU",  NULL};
static const uint8_t ffn_array_order[] = {FFNA_IDLE,     FFNA_LINEAR1, FFNA_L1_DRAIN, FFNA_L1_STORE,
                                          FFNA_RELU,     FFNA_SWIGLU,  FFNA_LINEAR2,  FFNA_L2_DRAIN,
                                          FFNA_L2_STORE, FFNA_DONE};

enum {
    BRIDGE = 1 << VARIANT_BRIDGE,
    STREAM = 1 << VARIANT_STREAM,
    ARRAY = 1 << VARIANT_ARRAY,
    ALL = BRIDGE | STREAM | ARRAY
};

/* Short forms of a table line: where it lives, and what it is. */
#define AT(field)         .offset = offsetof(Engine, field), .size = sizeof((Engine *)0)->field
#define STATE(list, bits) .type = TYPE_STATE, .width = (bits), .names = (list)
#define FLAG              .type = TYPE_FLAG, .width = 1
#define INDEX(ext)        .type = TYPE_INDEX, .limit = (ext)
#define FIXED(bits)       .type = TYPE_FIXED, .width = (bits), .frac = FRAC_BITS
/* A sum of whole products of two Q8.8 words, before it is narrowed. */
#define PRODUCTS .type = TYPE_FIXED, .width = 32, .frac = 2 * FRAC_BITS
#define WORDS    .kind = KIND_MEMORY, FIXED(16), .size = 2
#define REG      .kind = KIND_REGISTER
/* An array of registers: a member of the systolic array's elements, or one side's skew registers */
#define ELEMENTS(member)                                                                           \
    REG, AT(systolic.pe[0][0].member),                                                             \
        .dim = {EXT_R, EXT_C}, .variants = ARRAY,                                                  \
        .stride = {sizeof((SystolicArray *)0)->pe[0], sizeof(ProcessingElement)}
#define SKEW(side, lines)                                                                          \
    REG, AT(systolic.side[0][0]), .dim = {lines, lines}, .variants = ARRAY,                        \
                                  .stride = {sizeof((SystolicArray *)0)->side[0], sizeof(int16_t)}
#define WEIGHT(id, d0, d1)                                                                         \
    .kind = KIND_WEIGHT, FIXED(16), .size = 2, .offset = (id), .dim = {d0, d1}, .variants = ALL

/* What options change. */
static bool is_layer_norm(const Config *c)
{
    return c->norm == NORM_LAYER;
}
static bool is_rms(const Config *c)
{
    return c->norm == NORM_RMS;
}
static bool norm_has_state(const Config *c, int state)
{
    return state != LN_MEAN || is_layer_norm(c);
}

static bool is_swiglu(const Config *c)
{
    return c->ffn == FFN_KIND_SWIGLU;
}
static bool ffn_has_state(const Config *c, int state)
{
    return state != (is_swiglu(c) ? FFN_RELU : FFN_SWIGLU);
}
static bool ffn_stream_has_state(const Config *c, int state)
{
    return state != (is_swiglu(c) ? FFNS_RELU : FFNS_SWIGLU);
}
static bool ffn_array_has_state(const Config *c, int state)
{
    return state != (is_swiglu(c) ? FFNA_RELU : FFNA_SWIGLU);
}

/* One layer norm: the same lines for ln1 and ln2. */
#define LAYER_NORM(ID, N, in)                                                                      \
    [ID##_STATE] = {"ln" N ".state",     "u_frame.u_ln" N ".state_q",   REG,                       \
                    STATE(ln_states, 3), .has_state = norm_has_state,   AT(q.ln##in.state),        \
                    .variants = ALL,     .help = "FSM of layer norm " N},                          \
    [ID##_I] = {"ln" N ".i",                                                                       \
                "u_frame.u_ln" N ".i_q",                                                           \
                REG,                                                                               \
                INDEX(EXT_D),                                                                      \
                AT(q.ln##in.i),                                                                    \
                .variants = ALL,                                                                   \
                .help = "element that layer norm " N " works on"},                                 \
    [ID##_ACC] = {"ln" N ".acc",                                                                   \
                  "u_frame.u_ln" N ".acc_q",                                                       \
                  REG,                                                                             \
                  FIXED(32),                                                                       \
                  AT(q.ln##in.acc),                                                                \
                  .variants = ALL,                                                                 \
                  .help = "running sum: of x in MEAN, of centered squares in VARIANCE",            \
                  .other = is_rms,                                                                 \
                  .help_other = "running sum of squares in VARIANCE"},                             \
    [ID##_MEAN] = {"ln" N ".mean",                                                                 \
                   "u_frame.u_ln" N ".mean_q",                                                     \
                   REG,                                                                            \
                   FIXED(16),                                                                      \
                   AT(q.ln##in.mean),                                                              \
                   .variants = ALL,                                                                \
                   .when = is_layer_norm,                                                          \
                   .help = "sum of x >> log2 D"},                                                  \
    [ID##_VAR] = {"ln" N ".var",                                                                   \
                  "u_frame.u_ln" N ".var_q",                                                       \
                  REG,                                                                             \
                  FIXED(16),                                                                       \
                  AT(q.ln##in.var),                                                                \
                  .variants = ALL,                                                                 \
                  .help = "sum of centered squares >> log2 D",                                     \
                  .other = is_rms,                                                                 \
                  .help_other = "sum of squares >> log2 D"},                                       \
    [ID##_INV_STD] = {"ln" N ".inv_std",                                                           \
                      "u_frame.u_ln" N ".inv_std_q",                                               \
                      REG,                                                                         \
                      FIXED(16),                                                                   \
                      AT(q.ln##in.inv_std),                                                        \
                      .variants = ALL,                                                             \
                      .help = "1/sqrt(var + 1/256) by table and one Newton step"},                 \
    [ID##_VALID] = {"ln" N ".valid",                                                               \
                    "u_frame.u_ln" N ".valid_q",                                                   \
                    REG,                                                                           \
                    FLAG,                                                                          \
                    AT(q.ln##in.valid),                                                            \
                    .variants = ALL,                                                               \
                    .help = "1 in DONE: ln" N "_out is complete"},                                 \
    [ID##_CENTERED] = {"ln" N ".centered",                                                         \
                       "u_frame.u_ln" N ".centered_q",                                             \
                       WORDS,                                                                      \
                       .dim = {EXT_D},                                                             \
                       .variants = ALL,                                                            \
                       .when = is_layer_norm,                                                      \
                       .help = "x - mean"},                                                        \
    [ID##_OUT] = {"ln" N "_out",   "u_frame.u_ln" N ".y_q",                                        \
                  WORDS,           .dim = {EXT_D},                                                 \
                  .variants = ALL, .help = "gamma * centered * inv_std + beta",                    \
                  .other = is_rms, .help_other = "gamma * x * inv_std"}

static const Signal table[SIG_COUNT] = {
    [SIG_START] = {"start", "start", .kind = KIND_PIN, FLAG, AT(in.start), .variants = ALL,
                   .help = "host: begin a token; sampled in IDLE only"},
    [SIG_SEQ_POS] = {"seq_pos", "seq_pos", .kind = KIND_PIN, INDEX(EXT_S), AT(in.seq_pos),
                     .variants = ALL, .help = "host: position of the token, 0..max_seq_len-1"},
    [SIG_TOKEN_EMB] = {"token_emb", "token_emb", .kind = KIND_PIN, FIXED(16), .size = 2,
                       .dim = {EXT_D}, .variants = ALL, .help = "host: the token's embedding"},
    [SIG_TOP_STATE] = {"top.state", "u_frame.u_control.state_q", REG, STATE(top_states, 4),
                       AT(q.top.state), .variants = ALL, .help = "FSM of the decoder"},
    [SIG_VALID] = {"valid", "u_frame.u_control.valid_q", REG, FLAG, AT(q.top.valid),
                   .variants = ALL, .help = "1 in DONE: out_emb is the token's result"},
    [SIG_LN1_START] = {"ln1_start", "u_frame.u_control.ln1_start_q", REG, FLAG, AT(q.top.ln1_start),
                       .variants = ALL, .help = "starts layer norm 1"},
    [SIG_ATTN_START] = {"attn_start", "u_frame.u_control.attn_start_q", REG, FLAG,
                        AT(q.top.attn_start), .variants = ALL, .help = "starts attention"},
    [SIG_LN2_START] = {"ln2_start", "u_frame.u_control.ln2_start_q", REG, FLAG, AT(q.top.ln2_start),
                       .variants = ALL, .help = "starts layer norm 2"},
    [SIG_FFN_START] = {"ffn_start", "u_frame.u_control.ffn_start_q", REG, FLAG, AT(q.top.ffn_start),
                       .variants = ALL, .help = "starts the feed forward"},
    [SIG_RESIDUAL1] = {"residual1", "u_frame.u_control.residual1_q", WORDS, .dim = {EXT_D},
                       .variants = ALL, .help = "token_emb + attn_out, saturating"},
    [SIG_OUT_EMB] = {"out_emb", "u_frame.u_control.out_emb_q", WORDS, .dim = {EXT_D},
                     .variants = ALL,
                     .help = "residual1 + ffn_out, saturating: the token's result"},
    LAYER_NORM(SIG_LN1, "1", 1),
    LAYER_NORM(SIG_LN2, "2", 2),
    [SIG_ATTN_STATE] = {"attn.state", "u_attn.state_q", REG, STATE(attn_states, 4),
                        AT(q.attn.state), .variants = BRIDGE, .help = "FSM of attention"},
    [SIG_ATTN_I] = {"attn.i", "u_attn.i_q", REG, INDEX(EXT_D), AT(q.attn.i),
                    .variants = BRIDGE | STREAM,
                    .help = "column that PROJ_QKV or OUTPUT_PROJ works on"},
    [SIG_ATTN_H] = {"attn.h", "u_attn.h_q", REG, INDEX(EXT_H), AT(q.attn.h), .variants = ALL,
                    .help = "head that attention works on"},
    [SIG_ATTN_T] = {"attn.t", "u_attn.t_q", REG, INDEX(EXT_S), AT(q.attn.t), .variants = ALL,
                    .help = "position whose score is made"},
    [SIG_ATTN_SMAX_START] = {"attn.smax_start", "u_attn.smax_start_q", REG, FLAG,
                             AT(q.attn.smax_start), .variants = ALL, .help = "starts the softmax"},
    [SIG_ATTN_VALID] = {"attn.valid", "u_attn.valid_q", REG, FLAG, AT(q.attn.valid),
                        .variants = ALL, .help = "1 in DONE: attn_out is complete"},
    [SIG_Q] = {"q", "u_attn.q_q", WORDS, .dim = {EXT_D}, .variants = ALL,
               .help = "query: ln1_out . wq"},
    [SIG_K] = {"k", "u_attn.k_q", WORDS, .dim = {EXT_D}, .variants = ALL,
               .help = "key: ln1_out . wk"},
    [SIG_V] = {"v", "u_attn.v_q", WORDS, .dim = {EXT_D}, .variants = ALL,
               .help = "value: ln1_out . wv"},
    [SIG_K_CACHE] = {"K", "u_attn.k_mem_q", WORDS, .dim = {EXT_S, EXT_D}, .variants = ALL,
                     .rtl_stream = "u_attn.u_cache.u_k.mem_q",
                     .help = "key cache: K[position][dimension]"},
    [SIG_V_CACHE] = {"V", "u_attn.v_mem_q", WORDS, .dim = {EXT_S, EXT_D}, .variants = ALL,
                     .rtl_stream = "u_attn.u_cache.u_v.mem_q",
                     .help = "value cache: V[position][dimension]"},
    [SIG_SCORES] = {"scores", "u_attn.scores_q", WORDS, .dim = {EXT_H, EXT_S}, .variants = ALL,
                    .help = "scores[head][position]: q . K scaled by score_scale"},
    [SIG_PROBS] = {"probs", "u_attn.probs_q", WORDS, .dim = {EXT_H, EXT_S}, .variants = ALL,
                   .help = "probs[head][position]: softmax of the scores"},
    [SIG_HEAD] = {"head", "u_attn.head_q", WORDS, .dim = {EXT_H, EXT_DH}, .variants = ALL,
                  .help = "head[head][d]: sum of probs * V"},
    [SIG_CONCAT] = {"concat", "u_attn.concat_q", WORDS, .dim = {EXT_D}, .variants = ALL,
                    .help = "the heads side by side"},
    [SIG_ATTN_OUT] = {"attn_out", "u_attn.attn_out_q", WORDS, .dim = {EXT_D}, .variants = ALL,
                      .help = "concat . wo"},
    [SIG_SMAX_STATE] = {"smax.state", "u_attn.u_softmax.state_q", REG, STATE(smax_states, 3),
                        AT(q.smax.state), .variants = ALL, .help = "FSM of the softmax"},
    [SIG_SMAX_I] = {"softmax.i", "u_attn.u_softmax.i_q", REG, INDEX(EXT_S), AT(q.smax.i),
                    .variants = ALL, .help = "entry that the softmax works on"},
    [SIG_SMAX_MAX] = {"softmax.max", "u_attn.u_softmax.max_q", REG, FIXED(16), AT(q.smax.max),
                      .variants = ALL, .help = "largest entry so far"},
    [SIG_SMAX_SUM] = {"softmax.sum", "u_attn.u_softmax.sum_q", REG, FIXED(32), AT(q.smax.sum),
                      .variants = ALL, .help = "sum of the exps"},
    [SIG_SMAX_RECIP] = {"softmax.recip", "u_attn.u_softmax.recip_q", REG, FIXED(16),
                        AT(q.smax.recip), .variants = ALL,
                        .help = "about 65536 / sum, by table and one Newton step"},
    [SIG_SMAX_VALID] = {"softmax.valid", "u_attn.u_softmax.valid_q", REG, FLAG, AT(q.smax.valid),
                        .variants = ALL, .help = "1 in DONE: the probabilities are complete"},
    [SIG_SMAX_X] = {"softmax.x", "u_attn.x_q", WORDS, .dim = {EXT_S}, .variants = ALL,
                    .help = "the head's scores, then the mask"},
    [SIG_SMAX_SHIFTED] = {"softmax.shifted", "u_attn.u_softmax.shifted_q", WORDS, .dim = {EXT_S},
                          .variants = ALL, .help = "x - max, wrapping"},
    [SIG_SMAX_EXP] = {"softmax.exp", "u_attn.u_softmax.exp_q", WORDS, .dim = {EXT_S},
                      .variants = ALL, .help = "exp of shifted, by pieces"},
    [SIG_SMAX_PROB] = {"softmax.prob", "u_attn.u_softmax.prob_q", WORDS, .dim = {EXT_S},
                       .variants = ALL, .help = "exp * recip"},
    [SIG_FFN_STATE] = {"ffn.state", "u_ffn.state_q", REG, STATE(ffn_states, 3), .order = ffn_order,
                       .has_state = ffn_has_state, AT(q.ffn.state), .variants = BRIDGE,
                       .help = "FSM of the feed forward"},
    [SIG_FFN_I] = {"ffn.i", "u_ffn.i_q", REG, INDEX(EXT_FFN), AT(q.ffn.i), .variants = ALL,
                   .help = "unit that LINEAR1 or LINEAR2 works on"},
    [SIG_FFN_VALID] = {"ffn.valid", "u_ffn.valid_q", REG, FLAG, AT(q.ffn.valid), .variants = ALL,
                       .help = "1 in DONE: ffn_out is complete"},
    [SIG_HIDDEN] = {"hidden", "u_ffn.hidden_q", WORDS, .dim = {EXT_F}, .variants = ALL,
                    .help = "ln2_out . w1 + b1, then ReLU", .other = is_swiglu,
                    .help_other = "ln2_out . w1 + b1, the gate; then silu of it times up"},
    [SIG_UP] = {"up", "u_ffn.up_q", WORDS, .dim = {EXT_F}, .variants = ALL, .when = is_swiglu,
                .help = "up projection: ln2_out . w3 + b3"},
    [SIG_FFN_OUT] = {"ffn_out", "u_ffn.ffn_out_q", WORDS, .dim = {EXT_D}, .variants = ALL,
                     .help = "hidden . w2 + b2"},
    [SIG_ATTN_STREAM_STATE] = {"attn.state", "u_attn.state_q", REG, STATE(attn_stream_states, 5),
                               AT(q.attn.state), .variants = STREAM, .help = "FSM of attention"},
    [SIG_ATTN_J] = {"attn.j", "u_attn.j_q", REG, INDEX(EXT_D), AT(q.stream.j), .variants = STREAM,
                    .help = "element of the dot product"},
    [SIG_ATTN_D] = {"attn.d", "u_attn.d_q", REG, INDEX(EXT_DH), AT(q.stream.d), .variants = STREAM,
                    .help = "dimension within the head that WEIGHTED_SUM works on"},
    [SIG_ATTN_ACC] = {"attn.acc", "u_attn.acc_q", REG, PRODUCTS, AT(q.stream.acc),
                      .variants = STREAM,
                      .help = "sum of products so far, in 1/65536; of q in PROJ_QKV"},
    [SIG_ATTN_ACC_K] = {"attn.acc_k", "u_attn.acc_k_q", REG, PRODUCTS, AT(q.stream.acc_k),
                        .variants = STREAM, .help = "sum of products for k, in 1/65536"},
    [SIG_ATTN_ACC_V] = {"attn.acc_v", "u_attn.acc_v_q", REG, PRODUCTS, AT(q.stream.acc_v),
                        .variants = STREAM, .help = "sum of products for v, in 1/65536"},
    [SIG_CACHE_WRITING] = {"cache.writing", "u_attn.u_cache.writing_q", REG, FLAG,
                           AT(q.stream.cache_writing), .variants = STREAM,
                           .help = "k and v are being written into the cache"},
    [SIG_CACHE_D] = {"cache.d", "u_attn.u_cache.d_q", REG, INDEX(EXT_D), AT(q.stream.cache_d),
                     .variants = STREAM, .help = "element that the cache writes"},
    [SIG_CACHE_K_WORD] = {"cache.k_word", "u_attn.u_cache.u_k.rdata_q", REG, FIXED(16),
                          AT(q.stream.cache_k_word), .variants = STREAM,
                          .help = "word of K addressed in the cycle before"},
    [SIG_CACHE_V_WORD] = {"cache.v_word", "u_attn.u_cache.u_v.rdata_q", REG, FIXED(16),
                          AT(q.stream.cache_v_word), .variants = STREAM,
                          .help = "word of V addressed in the cycle before"},
    [SIG_FFN_STREAM_STATE] = {"ffn.state", "u_ffn.state_q", REG, STATE(ffn_stream_states, 4),
                              .order = ffn_stream_order, .has_state = ffn_stream_has_state,
                              AT(q.ffn.state), .variants = STREAM,
                              .help = "FSM of the feed forward"},
    [SIG_FFN_J] = {"ffn.j", "u_ffn.j_q", REG, INDEX(EXT_DF), AT(q.stream.ffn_j), .variants = STREAM,
                   .help = "element of the dot product"},
    [SIG_FFN_ACC] = {"ffn.acc", "u_ffn.acc_q", REG, PRODUCTS, AT(q.stream.ffn_acc),
                     .variants = STREAM, .help = "sum of products so far, in 1/65536"},
    [SIG_FFN_BIAS] = {"ffn.bias", "u_ffn.bias_q", REG, FIXED(16), AT(q.stream.ffn_bias),
                      .variants = STREAM, .help = "b1 of the hidden unit at work"},
    [SIG_FFN_ACC_UP] = {"ffn.acc_up", "u_ffn.acc_up_q", REG, PRODUCTS, AT(q.stream.ffn_acc_up),
                        .variants = STREAM, .when = is_swiglu,
                        .help = "sum of products for up so far, in 1/65536"},
    [SIG_FFN_BIAS_UP] = {"ffn.bias_up", "u_ffn.bias_up_q", REG, FIXED(16), AT(q.stream.ffn_bias_up),
                         .variants = STREAM, .when = is_swiglu,
                         .help = "b3 of the hidden unit at work"},
    [SIG_BANK_WQ] = {"bank.wq", "u_weights.u_wq.rdata_q", REG, FIXED(16), AT(q.stream.wq),
                     .variants = STREAM, .help = "word of wq addressed in the cycle before"},
    [SIG_BANK_WK] = {"bank.wk", "u_weights.u_wk.rdata_q", REG, FIXED(16), AT(q.stream.wk),
                     .variants = STREAM, .help = "word of wk addressed in the cycle before"},
    [SIG_BANK_WV] = {"bank.wv", "u_weights.u_wv.rdata_q", REG, FIXED(16), AT(q.stream.wv),
                     .variants = STREAM, .help = "word of wv addressed in the cycle before"},
    [SIG_BANK_WO] = {"bank.wo", "u_weights.u_wo.rdata_q", REG, FIXED(16), AT(q.stream.wo),
                     .variants = STREAM, .help = "word of wo addressed in the cycle before"},
    [SIG_BANK_W1] = {"bank.w1", "u_weights.u_w1.rdata_q", REG, FIXED(16), AT(q.stream.w1),
                     .variants = STREAM, .help = "word of w1 addressed in the cycle before"},
    [SIG_BANK_B1] = {"bank.b1", "u_weights.u_b1.rdata_q", REG, FIXED(16), AT(q.stream.b1),
                     .variants = STREAM, .help = "word of b1 addressed in the cycle before"},
    [SIG_BANK_W2] = {"bank.w2", "u_weights.u_w2.rdata_q", REG, FIXED(16), AT(q.stream.w2),
                     .variants = STREAM, .help = "word of w2 addressed in the cycle before"},
    [SIG_BANK_W3] = {"bank.w3", "u_weights.gen_swiglu.u_w3.rdata_q", REG, FIXED(16),
                     AT(q.stream.w3), .variants = STREAM, .when = is_swiglu,
                     .help = "word of w3 addressed in the cycle before"},
    [SIG_BANK_B3] = {"bank.b3", "u_weights.gen_swiglu.u_b3.rdata_q", REG, FIXED(16),
                     AT(q.stream.b3), .variants = STREAM, .when = is_swiglu,
                     .help = "word of b3 addressed in the cycle before"},
    [SIG_ATTN_ARRAY_STATE] = {"attn.state", "u_attn.state_q", REG, STATE(attn_array_states, 4),
                              AT(q.attn.state), .variants = ARRAY, .help = "FSM of attention"},
    [SIG_ATTN_ARRAY_I] = {"attn.i", "u_attn.i_q", REG, INDEX(EXT_QKV), AT(q.attn.i),
                          .variants = ARRAY,
                          .help = "first column of the tile, q, k and v side by side"},
    [SIG_ATTN_ARRAY_J] = {"attn.j", "u_attn.gen_tile.u_tile.j_q", REG, INDEX(EXT_TILE_D),
                          AT(q.array.j), .variants = ARRAY, .help = "edges of the tile so far"},
    [SIG_FFN_ARRAY_STATE] = {"ffn.state", "u_ffn.state_q", REG, STATE(ffn_array_states, 4),
                             .order = ffn_array_order, .has_state = ffn_array_has_state,
                             AT(q.ffn.state), .variants = ARRAY, .help = "FSM of the feed forward"},
    [SIG_FFN_ARRAY_J] = {"ffn.j", "u_ffn.u_tile.j_q", REG, INDEX(EXT_TILE_F), AT(q.array.ffn_j),
                         .variants = ARRAY, .help = "edges of the tile so far"},
    [SIG_ARRAY_EDGE] = {"array.edge", "u_array.edge_q", REG, INDEX(EXT_EDGE), AT(systolic.edge),
                        .variants = ARRAY,
                        .help = "enabled edges since it was cleared; stops where done rises"},
    [SIG_ARRAY_WEST] = {"array.west", "u_array.gen_west[#].u_skew.gen_line.line_q[#*16+:16]",
                        FIXED(16), SKEW(west, EXT_R),
                        .help = "skew registers of row r: r of them, the newest word first"},
    [SIG_ARRAY_NORTH] = {"array.north", "u_array.gen_north[#].u_skew.gen_line.line_q[#*16+:16]",
                         FIXED(16), SKEW(north, EXT_C),
                         .help = "skew registers of column c: c of them, the newest word first"},
    [SIG_ARRAY_A] = {"array.a", "u_array.gen_row[#].gen_col[#].u_pe.a_q", FIXED(16), ELEMENTS(a),
                     .help = "operand that came from the west, on its way east"},
    [SIG_ARRAY_W] = {"array.w", "u_array.gen_row[#].gen_col[#].u_pe.w_q", FIXED(16), ELEMENTS(w),
                     .help = "weight that came from the north, on its way south"},
    [SIG_ARRAY_ACC] = {"array.acc", "u_array.gen_row[#].gen_col[#].u_pe.acc_q", PRODUCTS,
                       ELEMENTS(acc), .help = "sum of products so far, in 1/65536"},
    [SIG_ARRAY_USEFUL] = {"array.useful", "u_usage.useful_q", REG, .type = TYPE_INDEX, .width = 32,
                          AT(q.array.useful), .variants = ARRAY,
                          .help = "products of this token, counted as their operand enters"},
    [SIG_ARRAY_SLOTS] = {"array.slots", "u_usage.slots_q", REG, .type = TYPE_INDEX, .width = 32,
                         AT(q.array.slots), .variants = ARRAY,
                         .help = "products that the array had room for: R * C on every edge"},
    [SIG_WEIGHTS + WEIGHT_WQ] = {"wq", "wq", .rtl_stream = "u_weights.u_wq.mem_q",
                                 WEIGHT(WEIGHT_WQ, EXT_D, EXT_D),
                                 .help = "query weights [in][out]"},
    [SIG_WEIGHTS + WEIGHT_WK] = {"wk", "wk", .rtl_stream = "u_weights.u_wk.mem_q",
                                 WEIGHT(WEIGHT_WK, EXT_D, EXT_D), .help = "key weights [in][out]"},
    [SIG_WEIGHTS + WEIGHT_WV] = {"wv", "wv", .rtl_stream = "u_weights.u_wv.mem_q",
                                 WEIGHT(WEIGHT_WV, EXT_D, EXT_D),
                                 .help = "value weights [in][out]"},
    [SIG_WEIGHTS + WEIGHT_WO] = {"wo", "wo", .rtl_stream = "u_weights.u_wo.mem_q",
                                 WEIGHT(WEIGHT_WO, EXT_D, EXT_D),
                                 .help = "output weights [in][out]"},
    [SIG_WEIGHTS + WEIGHT_W1] = {"w1", "w1", .rtl_stream = "u_weights.u_w1.mem_q",
                                 WEIGHT(WEIGHT_W1, EXT_D, EXT_F), .help = "FFN layer 1 [in][out]"},
    [SIG_WEIGHTS + WEIGHT_W2] = {"w2", "w2", .rtl_stream = "u_weights.u_w2.mem_q",
                                 WEIGHT(WEIGHT_W2, EXT_F, EXT_D), .help = "FFN layer 2 [in][out]"},
    [SIG_WEIGHTS + WEIGHT_W3] = {"w3", "w3", .rtl_stream = "u_weights.gen_swiglu.u_w3.mem_q",
                                 WEIGHT(WEIGHT_W3, EXT_D, EXT_F), .when = is_swiglu,
                                 .help = "FFN up projection [in][out]"},
    [SIG_WEIGHTS + WEIGHT_LN1_GAMMA] = {"ln1_gamma", "ln1_gamma",
                                        .rtl_stream = "u_weights.ln1_gamma_q",
                                        WEIGHT(WEIGHT_LN1_GAMMA, EXT_D, EXT_NONE),
                                        .help = "scale of layer norm 1"},
    [SIG_WEIGHTS + WEIGHT_LN1_BETA] = {"ln1_beta", "ln1_beta", .rtl_stream = "u_weights.ln1_beta_q",
                                       WEIGHT(WEIGHT_LN1_BETA, EXT_D, EXT_NONE),
                                       .when = is_layer_norm, .help = "offset of layer norm 1"},
    [SIG_WEIGHTS + WEIGHT_LN2_GAMMA] = {"ln2_gamma", "ln2_gamma",
                                        .rtl_stream = "u_weights.ln2_gamma_q",
                                        WEIGHT(WEIGHT_LN2_GAMMA, EXT_D, EXT_NONE),
                                        .help = "scale of layer norm 2"},
    [SIG_WEIGHTS + WEIGHT_LN2_BETA] = {"ln2_beta", "ln2_beta", .rtl_stream = "u_weights.ln2_beta_q",
                                       WEIGHT(WEIGHT_LN2_BETA, EXT_D, EXT_NONE),
                                       .when = is_layer_norm, .help = "offset of layer norm 2"},
    [SIG_WEIGHTS + WEIGHT_B1] = {"b1", "b1", .rtl_stream = "u_weights.u_b1.mem_q",
                                 WEIGHT(WEIGHT_B1, EXT_F, EXT_NONE), .help = "bias of FFN layer 1"},
    [SIG_WEIGHTS + WEIGHT_B2] = {"b2", "b2", .rtl_stream = "u_weights.b2_q",
                                 WEIGHT(WEIGHT_B2, EXT_D, EXT_NONE), .help = "bias of FFN layer 2"},
    [SIG_WEIGHTS + WEIGHT_B3] = {"b3", "b3", .rtl_stream = "u_weights.gen_swiglu.u_b3.mem_q",
                                 WEIGHT(WEIGHT_B3, EXT_F, EXT_NONE), .when = is_swiglu,
                                 .help = "bias of the up projection"},
};

const Signal *signal_at(SignalId id)
{
    return &table[id];
}

SignalId signal_id(const Signal *s)
{
    return (SignalId)(s - table);
}

bool signal_exists(const Engine *e, const Signal *s)
{
    return (s->variants >> e->config.variant & 1) != 0 && (!s->when || s->when(&e->config));
}

const char *signal_help(const Engine *e, const Signal *s)
{
    return s->other && s->other(&e->config) ? s->help_other : s->help;
}

const Signal *signal_in(const Engine *e, SignalId id)
{
    if (signal_exists(e, &table[id]))
        return &table[id];
    return signal_find(e, table[id].path, strlen(table[id].path));
}

bool signal_is_register_array(const Signal *s)
{
    return s->stride[0] != 0;
}

bool signal_has_element(const Engine *e, const Signal *s, int at)
{
    SignalId id = signal_id(s);
    int n = signal_dim(e, s, 1);
    return (id != SIG_ARRAY_WEST && id != SIG_ARRAY_NORTH) || at % n < at / n;
}

int signal_element_rtl(const Engine *e, const Signal *s, int at, char *out, size_t size)
{
    int n = signal_dim(e, s, 1), index[] = {at / n, at % n}, len = 0;
    const char *rtl = signal_rtl(e, s);
    for (int k = 0; *rtl && (size_t)len < size; rtl++) {
        if (*rtl == '#' && k < 2)
            len += snprintf(out + len, size - (size_t)len, "%d", index[k++]);
        else
            len += snprintf(out + len, size - (size_t)len, "%c", *rtl);
    }
    return len;
}

const char *signal_rtl(const Engine *e, const Signal *s)
{
    return e->config.variant == VARIANT_STREAM && s->rtl_stream ? s->rtl_stream : s->rtl;
}

const Signal *signal_find(const Engine *e, const char *path, size_t len)
{
    static const char smax[] = "smax.", softmax[] = "softmax.";
    char alias[64];
    const char *other = NULL;
    if (len < sizeof alias - 8 && strncmp(path, smax, sizeof smax - 1) == 0)
        other = alias, snprintf(alias, sizeof alias, "softmax.%.*s", (int)len - 5, path + 5);
    else if (len < sizeof alias - 8 && strncmp(path, softmax, sizeof softmax - 1) == 0)
        other = alias, snprintf(alias, sizeof alias, "smax.%.*s", (int)len - 8, path + 8);
    for (int id = 0; id < SIG_COUNT; id++) {
        const Signal *s = &table[id];
        bool same = strlen(s->path) == len && memcmp(s->path, path, len) == 0;
        if ((same || (other && strcmp(s->path, other) == 0)) && signal_exists(e, s))
            return s;
    }
    return NULL;
}

static int extent(const Engine *e, Extent x)
{
    const Config *c = &e->config;
    switch (x) {
    case EXT_NONE:
        break;
    case EXT_D:
        return c->d_model;
    case EXT_H:
        return c->n_heads;
    case EXT_DH:
        return c->d_model / c->n_heads;
    case EXT_F:
        return c->d_ff;
    case EXT_DF:
        return c->d_ff > c->d_model ? c->d_ff : c->d_model;
    case EXT_FFN:
        return c->variant == VARIANT_ARRAY && is_swiglu(c) && 2 * c->d_ff > c->d_model
                   ? 2 * c->d_ff
                   : extent(e, EXT_DF);
    case EXT_S:
        return c->max_seq_len;
    case EXT_QKV:
        return 3 * c->d_model;
    case EXT_R:
        return c->pe_rows;
    case EXT_C:
        return c->pe_cols;
    case EXT_EDGE:
        return c->pe_rows + c->pe_cols - 1;
    case EXT_TILE_D:
        return c->d_model + c->pe_cols - 1;
    case EXT_TILE_F:
        return extent(e, EXT_DF) + c->pe_cols - 1;
    }
    return 1;
}

int signal_states(const Engine *e, const Signal *s, int states[SIGNAL_STATES])
{
    int n = 0;
    for (int k = 0; s->names[k]; k++) {
        int state = s->order ? s->order[k] : k;
        if (!s->has_state || s->has_state(&e->config, state))
            states[n++] = state;
    }
    return n;
}

static bool has_state(const Engine *e, const Signal *s, int32_t state)
{
    int states[SIGNAL_STATES], n = signal_states(e, s, states), k = 0;
    while (k < n && states[k] != state)
        k++;
    return k < n;
}

int signal_rank(const Signal *s)
{
    return s->dim[0] == EXT_NONE ? 0 : s->dim[1] == EXT_NONE ? 1 : 2;
}

int signal_dim(const Engine *e, const Signal *s, int k)
{
    return extent(e, s->dim[k]);
}

int signal_count(const Engine *e, const Signal *s)
{
    return signal_dim(e, s, 0) * signal_dim(e, s, 1);
}

int signal_width(const Engine *e, const Signal *s)
{
    if (s->width)
        return s->width;
    int bits = 0;
    while (1 << bits <= extent(e, s->limit))
        bits++;
    return bits;
}

/* The bytes of element `at` in the current state. */
static const void *element(const Engine *e, const Signal *s, int at)
{
    if (s->kind == KIND_WEIGHT)
        return e->weights->data[s->offset] + at;
    if (signal_is_register_array(s)) {
        int n = signal_dim(e, s, 1);
        return (const char *)e + s->offset + at / n * s->stride[0] + at % n * s->stride[1];
    }
    if (s->kind == KIND_MEMORY || signal_rank(s) > 0)
        return engine_words(e, signal_id(s)) + at;
    return (const char *)e + s->offset;
}

/* Of a register: not in Regs, which is copied every clock. */
static bool in_systolic_array(const Signal *s)
{
    return s->offset >= offsetof(Engine, systolic);
}

#define DISTANCE(from, to) ((ptrdiff_t)offsetof(Engine, to) - (ptrdiff_t)offsetof(Engine, from))

SignalSlot signal_slot(const Engine *e, const Signal *s, int at)
{
    SignalSlot slot = {.offset = -1, .before = -1, .is_signed = signal_is_signed(s)};
    if (s->kind == KIND_WEIGHT)
        return slot;
    slot.shift = (uint8_t)(32 - 8 * s->size);
    slot.offset = (const char *)element(e, s, at) - (const char *)e;
    if (s->kind != KIND_REGISTER)
        return slot;
    slot.before = slot.offset + (!in_systolic_array(s) ? DISTANCE(q, before)
                                                       : DISTANCE(systolic, systolic_before));
    return slot;
}

int32_t signal_get(const Engine *e, const Signal *s, int at)
{
    if (s->kind == KIND_WEIGHT)
        return *(const int16_t *)element(e, s, at);
    SignalSlot slot = signal_slot(e, s, at);
    return slot_get(e, &slot);
}

int32_t signal_before(const Engine *e, const Signal *s, int at)
{
    if (s->kind == KIND_REGISTER) {
        SignalSlot slot = signal_slot(e, s, at);
        return slot_before(e, &slot);
    }
    for (int k = e->edge.n_writes; k-- > 0;) {
        const Write *w = &e->edge.writes[k];
        if (w->signal == signal_id(s) && at >= w->index && at < w->index + w->count)
            return e->words[e->scratch + (uint32_t)(w->data + at - w->index)];
    }
    return signal_get(e, s, at);
}

bool signal_changed(const Engine *e, const Signal *s, int at)
{
    return signal_before(e, s, at) != signal_get(e, s, at);
}

/* The largest raw number an unsigned signal may hold. */
static int32_t largest(const Engine *e, const Signal *s)
{
    switch (s->type) {
    case TYPE_FLAG:
        return 1;
    case TYPE_STATE: {
        int n = 0;
        while (s->names[n])
            n++;
        return n - 1;
    }
    case TYPE_INDEX:
        if (s->width == 32)
            return INT32_MAX;
        return signal_id(s) == SIG_SEQ_POS ? e->config.max_seq_len - 1 : extent(e, s->limit);
    case TYPE_FIXED:
        break;
    }
    return INT32_MAX;
}

bool signal_set(Engine *e, const Signal *s, int at, int32_t raw, Err *err)
{
    if (s->kind == KIND_WEIGHT)
        return err_set(err, "%s: weights are constant while a machine runs", s->path);
    if (!signal_has_element(e, s, at)) {
        char name[64];
        signal_element_name(e, s, at, name, sizeof name);
        return err_set(err, "%s: no such register; line n has n of them", name);
    }
    if (s->type != TYPE_FIXED && (raw < 0 || raw > largest(e, s)))
        return err_set(err, "%s %d: must be 0..%d", s->path, raw, largest(e, s));
    if (s->type == TYPE_STATE && !has_state(e, s, raw))
        return err_set(err, "%s: this machine has no %s", s->path, signal_state_name(s, raw));
    char *p = (char *)e + signal_slot(e, s, at).offset;
    if (s->kind == KIND_REGISTER && in_systolic_array(s))
        e->systolic_moved = true;
    switch (s->size) {
    case 1:
        *(uint8_t *)(void *)p = (uint8_t)raw;
        break;
    case 2:
        *(uint16_t *)(void *)p = (uint16_t)raw;
        break;
    default:
        *(int32_t *)(void *)p = raw;
        break;
    }
    return true;
}
