#include "session/stages.h"

#include <string.h>

static const char *const names[STAGE_COUNT] = {
    "ln1",       "qkv", "cache",       "score", "softmax",     "weighted_sum", "out_proj",
    "residual1", "ln2", "ffn_linear1", "relu",  "ffn_linear2", "residual2",    "control"};

const char *stage_name(Stage s)
{
    return names[s];
}

/* The states of all variants that make up a stage; a table ends with the stage of all others. */
typedef struct StageState {
    const char *state;
    Stage stage;
} StageState;

static Stage look_up(const Engine *e, SignalId fsm, const StageState *table)
{
    const Signal *s = signal_in(e, fsm);
    const char *state = signal_state_name(s, signal_get(e, s, 0));
    while (table->state && strcmp(table->state, state) != 0)
        table++;
    return table->stage;
}

Stage stage_of(const Engine *e)
{
    /* ATTN_WAIT and FFN_WAIT stand for the states of their units */
    static const StageState top[] = {
        {"LN1_WAIT", STAGE_LN1}, {"ATTN_WAIT", STAGE_QKV},        {"RESIDUAL1", STAGE_RESIDUAL1},
        {"LN2_WAIT", STAGE_LN2}, {"FFN_WAIT", STAGE_FFN_LINEAR1}, {"RESIDUAL2", STAGE_RESIDUAL2},
        {NULL, STAGE_CONTROL}};
    /* the states of every variant */
    static const StageState attention[] = {
        {"PROJ_ADDR", STAGE_QKV},
        {"PROJ_QKV", STAGE_QKV},
        {"PROJ_DRAIN", STAGE_QKV},
        {"PROJ_STORE", STAGE_QKV},
        {"WRITE_CACHE", STAGE_CACHE},
        {"SCORE_ADDR", STAGE_SCORE},
        {"SCORE", STAGE_SCORE},
        {"SCORE_STORE", STAGE_SCORE},
        {"SOFTMAX_PREP", STAGE_SOFTMAX},
        {"SOFTMAX_RUN", STAGE_SOFTMAX},
        {"SOFTMAX_STORE", STAGE_SOFTMAX},
        {"WSUM_ADDR", STAGE_WEIGHTED_SUM},
        {"WEIGHTED_SUM", STAGE_WEIGHTED_SUM},
        {"WSUM_STORE", STAGE_WEIGHTED_SUM},
        {"CONCAT", STAGE_WEIGHTED_SUM},
        {"OPROJ_ADDR", STAGE_OUT_PROJ},
        {"OUTPUT_PROJ", STAGE_OUT_PROJ},
        {"OPROJ_DRAIN", STAGE_OUT_PROJ},
        {"OPROJ_STORE", STAGE_OUT_PROJ},
        {NULL, STAGE_CONTROL},
    };
    static const StageState feed_forward[] = {
        {"L1_B1_ADDR", STAGE_FFN_LINEAR1},
        {"L1_ADDR", STAGE_FFN_LINEAR1},
        {"LINEAR1", STAGE_FFN_LINEAR1},
        {"L1_DRAIN", STAGE_FFN_LINEAR1},
        {"L1_STORE", STAGE_FFN_LINEAR1},
        {"RELU", STAGE_RELU},
        {"L2_ADDR", STAGE_FFN_LINEAR2},
        {"LINEAR2", STAGE_FFN_LINEAR2},
        {"L2_DRAIN", STAGE_FFN_LINEAR2},
        {"L2_STORE", STAGE_FFN_LINEAR2},
        {NULL, STAGE_CONTROL},
    };
    Stage s = look_up(e, SIG_TOP_STATE, top);
    if (s == STAGE_QKV)
        return look_up(e, SIG_ATTN_STATE, attention);
    return s == STAGE_FFN_LINEAR1 ? look_up(e, SIG_FFN_STATE, feed_forward) : s;
}

/* The stages that variant array runs on its systolic array; 0 for the others. */
static uint64_t gemv_cycles(const Config *c, Stage s)
{
    int D = c->d_model, F = c->d_ff;
    switch (s) {
    case STAGE_QKV:
        return config_gemv_cycles(c, 3 * D, D);
    case STAGE_OUT_PROJ:
        return config_gemv_cycles(c, D, D);
    case STAGE_FFN_LINEAR1:
        return config_gemv_cycles(c, F, D);
    case STAGE_FFN_LINEAR2:
        return config_gemv_cycles(c, D, F);
    default:
        return 0;
    }
}

uint64_t stage_cycles(const Config *c, Variant v, int pos, Stage s)
{
    uint64_t D = (uint64_t)c->d_model, F = (uint64_t)c->d_ff, S = (uint64_t)c->max_seq_len;
    uint64_t H = (uint64_t)c->n_heads, dh = D / H, p = (uint64_t)pos;
    bool stream = v == VARIANT_STREAM;
    if (v == VARIANT_ARRAY && gemv_cycles(c, s) > 0)
        return gemv_cycles(c, s);
    switch (s) {
    case STAGE_LN1:
    case STAGE_LN2:
        return 3 * D + 5;
    case STAGE_QKV:
    case STAGE_OUT_PROJ:
        return stream ? D * (D + 2) : D + 1;
    case STAGE_SCORE:
        return stream ? H * (p + 1) * (dh + 2) : H * (p + 2) + 1;
    case STAGE_SOFTMAX:
        return H * (4 * S + 8);
    case STAGE_WEIGHTED_SUM:
        return stream ? D * (p + 3) + 1 : H + 1;
    case STAGE_FFN_LINEAR1:
        return stream ? F * (D + 3) : F + 1;
    case STAGE_FFN_LINEAR2:
        return stream ? D * (F + 2) : D + 1;
    case STAGE_CACHE:
    case STAGE_RESIDUAL1:
    case STAGE_RELU:
    case STAGE_RESIDUAL2:
        return 1;
    case STAGE_CONTROL:
        return 9;
    case STAGE_COUNT:
        break;
    }
    return 0;
}

uint64_t state_cycles(const Config *c, SignalId fsm, const char *state, int p)
{
    const uint64_t D = (uint64_t)c->d_model, F = (uint64_t)c->d_ff, S = (uint64_t)c->max_seq_len;
    const uint64_t H = (uint64_t)c->n_heads, dh = D / H, pos = (uint64_t)p;
    const bool stream = c->variant == VARIANT_STREAM, array = c->variant == VARIANT_ARRAY;
    const uint64_t drain = (uint64_t)c->pe_cols - 1; /* never entered when 0 */
    uint64_t attention = 2, feed_forward = 2;        /* IDLE and DONE */
    for (Stage s = STAGE_QKV; s <= STAGE_OUT_PROJ; s++)
        attention += stage_cycles(c, c->variant, p, s);
    for (Stage s = STAGE_FFN_LINEAR1; s <= STAGE_FFN_LINEAR2; s++)
        feed_forward += stage_cycles(c, c->variant, p, s);
    const struct {
        SignalId fsm;
        const char *state;
        uint64_t cycles;
    } longer[] = {
        {SIG_TOP_STATE, "LN1_WAIT", 3 * D + 5},
        {SIG_TOP_STATE, "LN2_WAIT", 3 * D + 5},
        {SIG_TOP_STATE, "ATTN_WAIT", attention},
        {SIG_TOP_STATE, "FFN_WAIT", feed_forward},
        {SIG_LN1_STATE, "MEAN", D + 1},
        {SIG_LN1_STATE, "VARIANCE", D + 1},
        {SIG_LN1_STATE, "NORMALIZE", D + 1},
        {SIG_LN2_STATE, "MEAN", D + 1},
        {SIG_LN2_STATE, "VARIANCE", D + 1},
        {SIG_LN2_STATE, "NORMALIZE", D + 1},
        {SIG_ATTN_STATE, "PROJ_QKV", stream || array ? D : D + 1},
        {SIG_ATTN_STATE, "SCORE", stream ? dh : H * (pos + 2) + 1},
        {SIG_ATTN_STATE, "SOFTMAX_RUN", 4 * S + 6},
        {SIG_ATTN_STATE, "WEIGHTED_SUM", stream ? pos + 1 : H + 1},
        {SIG_ATTN_STATE, "OUTPUT_PROJ", stream || array ? D : D + 1},
        {SIG_ATTN_STATE, "PROJ_DRAIN", drain},
        {SIG_ATTN_STATE, "OPROJ_DRAIN", drain},
        {SIG_SMAX_STATE, "FIND_MAX", S},
        {SIG_SMAX_STATE, "SUBTRACT_EXP", S + 1},
        {SIG_SMAX_STATE, "SUM", S + 1},
        {SIG_SMAX_STATE, "NORMALIZE", S + 1},
        {SIG_FFN_STATE, "LINEAR1", stream || array ? D : F + 1},
        {SIG_FFN_STATE, "LINEAR2", stream || array ? F : D + 1},
        {SIG_FFN_STATE, "L1_DRAIN", drain},
        {SIG_FFN_STATE, "L2_DRAIN", drain},
    };
    if (strcmp(state, "IDLE") == 0)
        return 0;
    for (size_t k = 0; k < sizeof longer / sizeof *longer; k++) {
        if (longer[k].fsm == fsm && strcmp(longer[k].state, state) == 0)
            return longer[k].cycles;
    }
    return 1;
}
