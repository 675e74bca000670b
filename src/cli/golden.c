#include "cli/golden.h"

#include <stdio.h>
#include <string.h>

#include "engine/cycle.h"
#include "engine/fixed_point.h"
#include "engine/option.h"

static const Signal *find(const Engine *e, const char *path)
{
    return signal_find(e, path, strlen(path));
}

static int32_t value(const Engine *e, const char *path)
{
    return signal_get(e, find(e, path), 0);
}

void golden_begin(GoldenToken *g)
{
    *g = (GoldenToken){.run_top = -1, .run_attention = -1};
}

void golden_free(GoldenToken *g)
{
    buf_free(&g->states_top);
    buf_free(&g->states_attention);
    buf_free(&g->softmax);
}

static void close_run(Buf *out, const Signal *s, int32_t state, uint64_t len)
{
    if (state >= 0)
        buf_printf(out, " %s*%llu", signal_state_name(s, state), (unsigned long long)len);
}

/* One more cycle of a run-length list. */
static void extend(Buf *out, const Signal *s, int32_t state, int32_t *run, uint64_t *len)
{
    if (state != *run) {
        close_run(out, s, *run, *len);
        *run = state;
        *len = 0;
    }
    (*len)++;
}

void golden_cycle(GoldenToken *g, const Engine *e)
{
    const Signal *top = signal_at(SIG_TOP_STATE), *attn = find(e, "attn.state");
    int32_t state = signal_get(e, attn, 0);
    bool idle = strcmp(signal_state_name(attn, state), "IDLE") == 0;
    extend(&g->states_top, top, signal_get(e, top, 0), &g->run_top, &g->len_top);
    if (signal_get(e, signal_at(SIG_ATTN_START), 0))
        g->in_attention = true;
    else if (idle)
        g->in_attention = false;
    if (g->in_attention)
        extend(&g->states_attention, attn, state, &g->run_attention, &g->len_attention);
    if (value(e, "softmax.valid"))
        buf_printf(&g->softmax, "softmax %d max %04x sum %08x recip %04x\n", value(e, "attn.h"),
                   (unsigned)(uint16_t)value(e, "softmax.max"), (unsigned)value(e, "softmax.sum"),
                   (unsigned)(uint16_t)value(e, "softmax.recip"));
}

void golden_close(GoldenToken *g)
{
    close_run(&g->states_top, signal_at(SIG_TOP_STATE), g->run_top, g->len_top);
    close_run(&g->states_attention, signal_at(SIG_ATTN_STATE), g->run_attention, g->len_attention);
}

void golden_header(const Setup *s, Buf *out)
{
    buf_text(out, "config");
    for (int k = 0; option_at(k); k++) {
        const Option *o = option_at(k);
        char text[OPTION_CHARS];
        option_text(o, &s->config, text);
        if (o->in_golden && option_told(o, &s->config)) /* words as all words of the file */
            buf_printf(out, " %s %s", o->key, o->type == OPTION_WORD ? text + 2 : text);
    }
    buf_text(out, "\n");
    if (s->stimulus == STIMULUS_INTEGRATION)
        buf_text(out, "stimulus integration\n");
    else
        buf_printf(out, "stimulus random seed %u amp %d tamp %d\n", (unsigned)s->seed, s->amp,
                   s->tamp);
}

/* "NAME HEX HEX ..." of `count` elements from `at` on. */
static void vector(Buf *out, const Engine *e, const char *name, const char *path, int at, int count)
{
    const Signal *s = find(e, path);
    buf_text(out, name);
    for (int i = at; i < at + count; i++)
        buf_printf(out, " %04x", (unsigned)(uint16_t)signal_get(e, s, i));
    buf_text(out, "\n");
}

static void whole_vector(Buf *out, const Engine *e, const char *path)
{
    vector(out, e, path, path, 0, signal_count(e, find(e, path)));
}

static void layer_norm_line(Buf *out, const Engine *e, const char *unit)
{
    static const char *const parts[] = {"mean", "var", "inv_std"};
    char path[32];
    buf_text(out, unit);
    for (int k = 0; k < 3; k++) {
        snprintf(path, sizeof path, "%s.%s", unit, parts[k]);
        if (!find(e, path)) /* an option has taken it away */
            continue;
        buf_printf(out, " %s %04x", parts[k], (unsigned)(uint16_t)value(e, path));
    }
    buf_text(out, "\n");
}

/* Line `h` of the softmax lines noted on the way. */
static void softmax_line(Buf *out, const GoldenToken *g, int h)
{
    const char *line = buf_str(&g->softmax);
    for (; h > 0; h--) {
        const char *next = strchr(line, '\n');
        line = next ? next + 1 : line + strlen(line);
    }
    buf_add(out, line, strcspn(line, "\n"));
    buf_text(out, "\n");
}

void golden_print(const GoldenToken *g, const Engine *e, const GoldenToken *bridge, int token,
                  Buf *out)
{
    static const char *const before_heads[] = {"ln1_out", "q", "k", "v"};
    static const char *const after_heads[] = {"concat", "attn_out", "residual1", "ln2_out",
                                              "up",     "hidden",   "ffn_out",   "out_emb"};
    const Config *c = engine_config(e);
    char name[32];
    buf_printf(out, "token %d cycles_bridge %llu cycles_stream %llu\n", token,
               (unsigned long long)config_cycles(c, VARIANT_BRIDGE, token),
               (unsigned long long)config_cycles(c, VARIANT_STREAM, token));
    buf_printf(out, "states_top%s\nstates_attention%s\n", buf_str(&bridge->states_top),
               buf_str(&bridge->states_attention));
    whole_vector(out, e, "token_emb");
    layer_norm_line(out, e, "ln1");
    layer_norm_line(out, e, "ln2");
    for (size_t i = 0; i < sizeof before_heads / sizeof *before_heads; i++)
        whole_vector(out, e, before_heads[i]);
    for (int h = 0; h < c->n_heads; h++) {
        snprintf(name, sizeof name, "scores %d", h);
        vector(out, e, name, "scores", h * c->max_seq_len, token + 1);
        softmax_line(out, g, h);
        snprintf(name, sizeof name, "probs %d", h);
        vector(out, e, name, "probs", h * c->max_seq_len, c->max_seq_len);
    }
    for (size_t i = 0; i < sizeof after_heads / sizeof *after_heads; i++) {
        if (find(e, after_heads[i]))
            whole_vector(out, e, after_heads[i]);
    }
}
