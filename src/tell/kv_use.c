/* What the present cycle does with the KV cache, from what explain says the coming edge touches. */
#include "tell/kv_use.h"

#include <stdio.h>

#include "base/marks.h"
#include "tell/explain.h"
#include "engine/cycle.h"
#include "tell/look.h"

/* How much of this token's row there is: variant stream writes a word of it a cycle. */
static int row_filled(const Engine *e, int D)
{
    AttentionStage stage = look_attention(e);
    Stage at = stage_of(e);
    bool before = at == STAGE_QKV || at == STAGE_CACHE || look_in(e, "attn.state", "IDLE");
    if (stage != ATTENTION_DONE && (stage != ATTENTION_AT_WORK || before))
        return 0;
    return look_value(e, "cache.writing") ? look_value(e, "cache.d") : D;
}

static KvRegion region_of(const Operand *o, int D)
{
    int row = o->at / D, col = o->at % D;
    return o->stride == 1 ? (KvRegion){row, row + 1, col, col + o->count}
                          : (KvRegion){row, row + o->count, col, col + o->width};
}

void kv_use(const Engine *e, Engine *spare, KvUse *use)
{
    Operation ops[EXPLAIN_OPS];
    int n = explain_clock(e, spare, ops), D = engine_config(e)->d_model;
    *use = (KvUse){.filled = row_filled(e, D)};
    for (int i = 0; i < n; i++) {
        const Operation *op = &ops[i];
        if (op->target == signal_at(SIG_K_CACHE))
            use->written = region_of(&(Operand){op->target, op->at, op->count, 1, 1}, D);
        for (int k = 0; k < op->n_reads; k++) {
            if (op->reads[k].signal == signal_at(SIG_K_CACHE))
                use->read[0] = region_of(&op->reads[k], D);
            if (op->reads[k].signal == signal_at(SIG_V_CACHE))
                use->read[1] = region_of(&op->reads[k], D);
        }
    }
}

/* Variant stream writes and reads a word at a time, and both at once. */
static KvAccess word_use(const Engine *e, const KvUse *use, bool v, char *out, size_t size)
{
    int dh = config_d_head(engine_config(e));
    const KvRegion *r = &use->read[v], *w = &use->written;
    size_t n = 0;
    if (w->row_end)
        n = (size_t)snprintf(out, size, MARK_WRITTEN " k[%d] and v[%d] go into row %d   ", w->col,
                             w->col, w->row);
    if (!r->row_end)
        return KV_WRITES;
    n += (size_t)snprintf(out + n, size - n, MARK_READ " %c[%d][%d] is addressed", v ? 'V' : 'K',
                          r->row, r->col);
    if (w->row_end)
        return KV_WRITES;
    if (r->row == look_value(e, "seq_pos"))
        snprintf(out + n, size - n, "; used is register %c: this token's own", v ? 'v' : 'k');
    else if (v)
        snprintf(out + n, size - n, "; next cycle: times probs[%d][%d]", r->col / dh, r->row);
    else
        snprintf(out + n, size - n, "; next cycle: times q[%d]", r->col);
    return KV_READS;
}

KvAccess kv_use_words(const Engine *e, const KvUse *use, char *out, size_t size)
{
    int D = engine_config(e)->d_model, dh = config_d_head(engine_config(e)),
        pos = look_value(e, "seq_pos");
    const KvRegion *k = &use->read[0], *v = &use->read[1], *w = &use->written;
    if (engine_config(e)->variant == VARIANT_STREAM && (k->row_end || v->row_end || w->row_end))
        return word_use(e, use, v->row_end > 0, out, size);
    if (w->row_end) {
        snprintf(out, size,
                 MARK_WRITTEN
                 " k and v go into row %d of K and of V: %d words each, on one edge\n" MARK_WRITTEN
                 " row %d of K and of V: %d words each, on one edge",
                 pos, D, pos, D);
        return KV_WRITES;
    }
    if (k->row_end) {
        snprintf(out, size,
                 MARK_READ
                 " score of head %d, position %d: q[%d..%d] times K[%d][%d..%d]\n" MARK_READ
                 " score: q[%d..%d] times K[%d][%d..%d]",
                 k->col / dh, k->row, k->col, k->col_end - 1, k->row, k->col, k->col_end - 1,
                 k->col, k->col_end - 1, k->row, k->col, k->col_end - 1);
        return KV_READS;
    }
    if (v->row_end) {
        snprintf(out, size,
                 MARK_READ " head %d: V[0..%d][%d..%d], each row times its probability\n" MARK_READ
                           " V[0..%d][%d..%d], each row times its prob",
                 v->col / dh, v->row_end - 1, v->col, v->col_end - 1, v->row_end - 1, v->col,
                 v->col_end - 1);
        return KV_READS;
    }
    if (use->filled == D)
        snprintf(out, size,
                 "Rows 0..%d hold k and v of every token so far: none is computed twice.\n"
                 "Rows 0..%d: k and v of every token so far, made once.",
                 pos, pos);
    else
        snprintf(out, size,
                 "Row %d is written once k and v of this token are made. Key f leads there.\n"
                 "Row %d is written after k and v are made: key f.",
                 pos, pos);
    return KV_RESTS;
}
