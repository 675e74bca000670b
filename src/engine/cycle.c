/* The closed forms of a token's cycles: one row a stage and one a state that lasts longer than a
 * cycle, a formula a variant. Totals are sums of rows; no formula stands anywhere else. What it
 * does not know is when a stage begins: that is the machine's doing, and tests hold the two
 * together. */
#include "engine/cycle.h"

#include <string.h>

#include "engine/option.h"

/* What formulas are made of: the letters of decoder.md section 4. */
typedef struct Shape {
    uint64_t D, F, H, S, dh, p, C;
    bool rms, swiglu;
} Shape;

typedef uint64_t Formula(const Shape *m);

static Shape shape_of(const Config *c, int p)
{
    return (Shape){.D = (uint64_t)c->d_model,
                   .F = (uint64_t)c->d_ff,
                   .H = (uint64_t)c->n_heads,
                   .S = (uint64_t)c->max_seq_len,
                   .dh = (uint64_t)(c->d_model / c->n_heads),
                   .p = (uint64_t)p,
                   .C = (uint64_t)c->pe_cols,
                   .rms = c->norm == NORM_RMS,
                   .swiglu = c->ffn == FFN_KIND_SWIGLU};
}

/* n outputs on the systolic array, K operands each: tiles of C outputs, each K edges with operands,
 * C - 1 with zeros, and a store. */
static uint64_t tiles(const Shape *m, uint64_t n)
{
    return (n + m->C - 1) / m->C;
}

static uint64_t gemv(const Shape *m, uint64_t n, uint64_t K)
{
    return tiles(m, n) * (K + m->C);
}

/* w1, or with swiglu w1 and w3 side by side. */
static uint64_t linear1_outputs(const Shape *m)
{
    return m->swiglu ? 2 * m->F : m->F;
}

/* ---- the formulas ---- */

/* clang-format off */
#define FORMULA(name, value) static uint64_t name(const Shape *m) { (void)m; return value; }
FORMULA(one, 1)
FORMULA(layer_norm, m->rms ? 2 * m->D + 4 : 3 * m->D + 5)
FORMULA(pass_d, m->D + 1)
FORMULA(pass_f, m->F + 1)
FORMULA(pass_h, m->H + 1)
FORMULA(pass_s, m->S + 1)
FORMULA(project_stream, m->D * (m->D + 2))
FORMULA(qkv_array, gemv(m, 3 * m->D, m->D))
FORMULA(out_proj_array, gemv(m, m->D, m->D))
FORMULA(score, m->H * (m->p + 2) + 1)
FORMULA(score_stream, m->H * (m->p + 1) * (m->dh + 2))
FORMULA(softmax, m->H * (4 * m->S + 8))
FORMULA(weighted_sum_stream, m->D * (m->p + 3) + 1)
FORMULA(linear1_stream, m->F * (m->D + 3))
FORMULA(linear1_array, gemv(m, linear1_outputs(m), m->D))
FORMULA(activation, m->swiglu ? m->F + 1 : 1)
FORMULA(linear2_stream, m->D * (m->F + 2))
FORMULA(linear2_array, gemv(m, m->D, m->F))
FORMULA(control, 9)
FORMULA(just_d, m->D)
FORMULA(just_f, m->F)
FORMULA(just_dh, m->dh)
FORMULA(just_s, m->S)
FORMULA(positions, m->p + 1)
FORMULA(drain, m->C - 1) /* never entered when 0 */
FORMULA(mean, m->rms ? 0 : m->D + 1) /* the same */
FORMULA(softmax_run, 4 * m->S + 6)
#undef FORMULA

static const struct {
    const char *name;
    Formula *cycles[VARIANT_COUNT]; /* bridge, stream, array; NULL: as in bridge */
} stages[STAGE_COUNT] = {
    [STAGE_LN1]          = {"ln1", {layer_norm}},
    [STAGE_QKV]          = {"qkv", {pass_d, project_stream, qkv_array}},
    [STAGE_CACHE]        = {"cache", {one}},
    [STAGE_SCORE]        = {"score", {score, score_stream}},
    [STAGE_SOFTMAX]      = {"softmax", {softmax}},
    [STAGE_WEIGHTED_SUM] = {"weighted_sum", {pass_h, weighted_sum_stream}},
    [STAGE_OUT_PROJ]     = {"out_proj", {pass_d, project_stream, out_proj_array}},
    [STAGE_RESIDUAL1]    = {"residual1", {one}},
    [STAGE_LN2]          = {"ln2", {layer_norm}},
    [STAGE_FFN_LINEAR1]  = {"ffn_linear1", {pass_f, linear1_stream, linear1_array}},
    [STAGE_ACTIVATION]   = {NULL, {activation}},
    [STAGE_FFN_LINEAR2]  = {"ffn_linear2", {pass_d, linear2_stream, linear2_array}},
    [STAGE_RESIDUAL2]    = {"residual2", {one}},
    [STAGE_CONTROL]      = {"control", {control}},
};

/* The states that last longer than a cycle, or not one in every variant; those of attention and feed
 * forward that the top waits for are sums of stages. */
static const struct {
    SignalId fsm;
    const char *state;
    Formula *cycles[VARIANT_COUNT]; /* NULL: as in bridge */
} states[] = {
    {SIG_TOP_STATE,  "LN1_WAIT",     {layer_norm}},
    {SIG_TOP_STATE,  "LN2_WAIT",     {layer_norm}},
    {SIG_LN1_STATE,  "MEAN",         {mean}},
    {SIG_LN1_STATE,  "VARIANCE",     {pass_d}},
    {SIG_LN1_STATE,  "NORMALIZE",    {pass_d}},
    {SIG_LN2_STATE,  "MEAN",         {mean}},
    {SIG_LN2_STATE,  "VARIANCE",     {pass_d}},
    {SIG_LN2_STATE,  "NORMALIZE",    {pass_d}},
    {SIG_ATTN_STATE, "PROJ_QKV",     {pass_d, just_d, just_d}},
    {SIG_ATTN_STATE, "SCORE",        {score, just_dh}},
    {SIG_ATTN_STATE, "SOFTMAX_RUN",  {softmax_run}},
    {SIG_ATTN_STATE, "WEIGHTED_SUM", {pass_h, positions}},
    {SIG_ATTN_STATE, "OUTPUT_PROJ",  {pass_d, just_d, just_d}},
    {SIG_ATTN_STATE, "PROJ_DRAIN",   {drain}},
    {SIG_ATTN_STATE, "OPROJ_DRAIN",  {drain}},
    {SIG_SMAX_STATE, "FIND_MAX",     {just_s}},
    {SIG_SMAX_STATE, "SUBTRACT_EXP", {pass_s}},
    {SIG_SMAX_STATE, "SUM",          {pass_s}},
    {SIG_SMAX_STATE, "NORMALIZE",    {pass_s}},
    {SIG_FFN_STATE,  "LINEAR1",      {pass_f, just_d, just_d}},
    {SIG_FFN_STATE,  "SWIGLU",       {activation}},
    {SIG_FFN_STATE,  "LINEAR2",      {pass_d, just_f, just_f}},
    {SIG_FFN_STATE,  "L1_DRAIN",     {drain}},
    {SIG_FFN_STATE,  "L2_DRAIN",     {drain}},
};

/* ---- which states make up a stage ---- */

/* The states of all variants; a table ends with the stage of all others. */
typedef struct StageState {
    const char *state;
    Stage stage;
} StageState;

/* ATTN_WAIT and FFN_WAIT stand for the states of their units. */
static const StageState top_stages[] = {
    {"LN1_WAIT", STAGE_LN1}, {"ATTN_WAIT", STAGE_QKV},        {"RESIDUAL1", STAGE_RESIDUAL1},
    {"LN2_WAIT", STAGE_LN2}, {"FFN_WAIT", STAGE_FFN_LINEAR1}, {"RESIDUAL2", STAGE_RESIDUAL2},
    {NULL, STAGE_CONTROL},
};
static const StageState attention_stages[] = {
    {"PROJ_ADDR", STAGE_QKV},              {"PROJ_QKV", STAGE_QKV},
    {"PROJ_DRAIN", STAGE_QKV},             {"PROJ_STORE", STAGE_QKV},
    {"WRITE_CACHE", STAGE_CACHE},
    {"SCORE_ADDR", STAGE_SCORE},           {"SCORE", STAGE_SCORE},
    {"SCORE_STORE", STAGE_SCORE},
    {"SOFTMAX_PREP", STAGE_SOFTMAX},       {"SOFTMAX_RUN", STAGE_SOFTMAX},
    {"SOFTMAX_STORE", STAGE_SOFTMAX},
    {"WSUM_ADDR", STAGE_WEIGHTED_SUM},     {"WEIGHTED_SUM", STAGE_WEIGHTED_SUM},
    {"WSUM_STORE", STAGE_WEIGHTED_SUM},    {"CONCAT", STAGE_WEIGHTED_SUM},
    {"OPROJ_ADDR", STAGE_OUT_PROJ},        {"OUTPUT_PROJ", STAGE_OUT_PROJ},
    {"OPROJ_DRAIN", STAGE_OUT_PROJ},       {"OPROJ_STORE", STAGE_OUT_PROJ},
    {NULL, STAGE_CONTROL},
};
static const StageState feed_forward_stages[] = {
    {"L1_B1_ADDR", STAGE_FFN_LINEAR1},     {"L1_ADDR", STAGE_FFN_LINEAR1},
    {"LINEAR1", STAGE_FFN_LINEAR1},        {"L1_DRAIN", STAGE_FFN_LINEAR1},
    {"L1_STORE", STAGE_FFN_LINEAR1},
    {"RELU", STAGE_ACTIVATION},                  {"SWIGLU", STAGE_ACTIVATION},
    {"L2_ADDR", STAGE_FFN_LINEAR2},        {"LINEAR2", STAGE_FFN_LINEAR2},
    {"L2_DRAIN", STAGE_FFN_LINEAR2},       {"L2_STORE", STAGE_FFN_LINEAR2},
    {NULL, STAGE_CONTROL},
};
/* clang-format on */

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
    Stage s = look_up(e, SIG_TOP_STATE, top_stages);
    if (s == STAGE_QKV)
        return look_up(e, SIG_ATTN_STATE, attention_stages);
    return s == STAGE_FFN_LINEAR1 ? look_up(e, SIG_FFN_STATE, feed_forward_stages) : s;
}

/* ---- their values ---- */

const char *stage_name(const Config *c, Stage s)
{
    return s == STAGE_ACTIVATION ? OPTION(ffn)->names[c->ffn] : stages[s].name;
}

static uint64_t value(Formula *const cycles[VARIANT_COUNT], Variant v, const Shape *m)
{
    return (cycles[v] ? cycles[v] : cycles[VARIANT_BRIDGE])(m);
}

uint64_t stage_cycles(const Config *c, Variant v, int p, Stage s)
{
    Shape m = shape_of(c, p);
    return value(stages[s].cycles, v, &m);
}

static uint64_t sum(const Config *c, Variant v, int p, Stage first, Stage last)
{
    uint64_t cycles = 0;
    for (int s = (int)first; s <= (int)last; s++)
        cycles += stage_cycles(c, v, p, (Stage)s);
    return cycles;
}

uint64_t config_cycles(const Config *c, Variant v, int p)
{
    return sum(c, v, p, STAGE_LN1, STAGE_CONTROL);
}

uint64_t state_cycles(const Config *c, SignalId fsm, const char *state, int p)
{
    enum { IDLE_AND_DONE = 2 };
    Shape m = shape_of(c, p);
    if (strcmp(state, "IDLE") == 0)
        return 0;
    if (strcmp(state, "ATTN_WAIT") == 0)
        return IDLE_AND_DONE + sum(c, c->variant, p, STAGE_QKV, STAGE_OUT_PROJ);
    if (strcmp(state, "FFN_WAIT") == 0)
        return IDLE_AND_DONE + sum(c, c->variant, p, STAGE_FFN_LINEAR1, STAGE_FFN_LINEAR2);
    for (size_t k = 0; k < sizeof states / sizeof *states; k++) {
        if (states[k].fsm == fsm && strcmp(states[k].state, state) == 0)
            return value(states[k].cycles, c->variant, &m);
    }
    return 1;
}

uint64_t config_array_useful(const Config *c)
{
    Shape m = shape_of(c, 0);
    return 4 * m.D * m.D + m.D * (linear1_outputs(&m) + m.F);
}

/* The array works on every cycle of a product but the stores. */
uint64_t config_array_slots(const Config *c)
{
    Shape m = shape_of(c, 0);
    uint64_t stores = tiles(&m, 3 * m.D) + 2 * tiles(&m, m.D) + tiles(&m, linear1_outputs(&m));
    uint64_t edges = qkv_array(&m) + out_proj_array(&m) + linear1_array(&m) + linear2_array(&m);
    return (edges - stores) * (uint64_t)(c->pe_rows * c->pe_cols);
}
