#include "tell/softmax_head.h"

#include <stdio.h>
#include <string.h>

#include "engine/cycle.h"
#include "engine/fixed_point.h"
#include "tell/look.h"

enum { ONE = 256 };

/* ---- whose numbers are they ---- */

int softmax_held(const Engine *e)
{
    int last = engine_config(e)->n_heads - 1;
    AttentionStage stage = look_attention(e);
    if (stage != ATTENTION_AT_WORK)
        return stage == ATTENTION_DONE ? last : -1;
    const char *attn = look_state(e, "attn.state");
    if (strncmp(attn, "SOFTMAX_", 8) == 0) {
        int h = look_value(e, "attn.h");
        return h < last ? h : last;
    }
    Stage at = stage_of(e);
    return at == STAGE_WEIGHTED_SUM || at == STAGE_OUT_PROJ || strcmp(attn, "DONE") == 0 ? last
                                                                                         : -1;
}

int softmax_at_work(const Engine *e)
{
    int last = engine_config(e)->n_heads - 1, head = softmax_held(e);
    if (head < 0 && stage_of(e) == STAGE_SCORE)
        head = look_value(e, "attn.h");
    return head < 0 ? 0 : head < last ? head : last;
}

static int scores_made(const SoftmaxHead *h)
{
    int all = h->pos + 1, head = look_value(h->e, "attn.h"), t = look_value(h->e, "attn.t");
    if (h->held >= 0)
        return all;
    if (stage_of(h->e) != STAGE_SCORE)
        return 0;
    return h->head < head ? all : h->head > head ? 0 : t < all ? t : all;
}

static void look_at_unit(SoftmaxHead *h)
{
    int i = look_value(h->e, "softmax.i");
    const char *at = look_state(h->e, "smax.state");
    bool begins = strcmp(at, "IDLE") == 0 || strcmp(at, "FIND_MAX") == 0;
    if (look_in(h->e, "attn.state", "SOFTMAX_RUN") && begins)
        return;
    bool subtracting = strcmp(at, "SUBTRACT_EXP") == 0, summing = strcmp(at, "SUM") == 0;
    h->max = true;
    h->shifted = subtracting && i < h->S ? i : h->S;
    h->sum = !subtracting && !summing;
    h->recip = h->sum && strcmp(at, "RECIP") != 0;
    h->probs = !h->recip ? 0 : strcmp(at, "NORMALIZE") == 0 && i < h->S ? i : h->S;
}

/* The entry at work: of the scores, or of a phase that goes through all entries. */
static int present_index(const SoftmaxHead *h)
{
    static const char *const counted[] = {"FIND_MAX", "SUBTRACT_EXP", "SUM", "NORMALIZE"};
    int i = look_value(h->e, "softmax.i"), t = look_value(h->e, "attn.t");
    if (stage_of(h->e) == STAGE_SCORE)
        return look_value(h->e, "attn.h") == h->head && t <= h->pos ? t : -1;
    for (size_t k = 0; k < sizeof counted / sizeof *counted; k++) {
        if (look_in(h->e, "smax.state", counted[k]))
            return h->held == h->head && i < h->S ? i : -1;
    }
    return -1;
}

void softmax_look(SoftmaxHead *h, const Engine *e, int head)
{
    *h = (SoftmaxHead){.e = e, .head = head, .S = engine_config(e)->max_seq_len};
    h->pos = look_value(e, "seq_pos");
    h->held = softmax_held(e);
    h->scores = scores_made(h);
    h->index = present_index(h);
    if (h->held == head && !look_in(e, "attn.state", "SOFTMAX_PREP"))
        look_at_unit(h);
}

/* ---- entries ---- */

bool softmax_masked(const SoftmaxHead *h, int t)
{
    return t > h->pos;
}

int32_t softmax_entry(const SoftmaxHead *h, int column, int t)
{
    switch (column) {
    case SOFTMAX_SCORE:
        return softmax_masked(h, t) ? engine_config(h->e)->mask
                                    : signal_get(h->e, signal_at(SIG_SCORES), h->head * h->S + t);
    case SOFTMAX_SHIFTED:
        return signal_get(h->e, signal_at(SIG_SMAX_SHIFTED), t);
    case SOFTMAX_EXP:
        return signal_get(h->e, signal_at(SIG_SMAX_EXP), t);
    default:
        return signal_get(h->e, signal_at(SIG_SMAX_PROB), t);
    }
}

bool softmax_known(const SoftmaxHead *h, int column, int t)
{
    if (column == SOFTMAX_SCORE)
        return softmax_masked(h, t) || t < h->scores;
    return t < (column == SOFTMAX_PROB ? h->probs : h->shifted);
}

bool softmax_wraps(const SoftmaxHead *h, int t)
{
    int32_t max = signal_get(h->e, signal_at(SIG_SMAX_MAX), 0);
    return softmax_known(h, SOFTMAX_SHIFTED, t) &&
           softmax_entry(h, SOFTMAX_SHIFTED, t) != softmax_entry(h, SOFTMAX_SCORE, t) - max;
}

bool softmax_leaks(const SoftmaxHead *h, int t)
{
    return softmax_masked(h, t) && softmax_known(h, SOFTMAX_EXP, t) &&
           softmax_entry(h, SOFTMAX_EXP, t) > EXP_FLOOR;
}

SoftmaxShares softmax_shares(const SoftmaxHead *h)
{
    SoftmaxShares s = {.final = h->probs > 0};
    int n = s.final ? h->probs : h->shifted, column = s.final ? SOFTMAX_PROB : SOFTMAX_EXP;
    for (int t = 0; t < n; t++)
        *(softmax_masked(h, t) ? &s.masked : &s.valid) += softmax_entry(h, column, t);
    s.whole = s.final ? ONE : s.valid + s.masked;
    return s;
}

double softmax_percent(const SoftmaxShares *s, int64_t part)
{
    return s->whole > 0 ? (double)part * 100 / (double)s->whole : 0;
}

/* ---- in words ---- */

static const struct {
    const char *state, *words;
} phases[] = {
    {"FIND_MAX", "Finding the largest score: it is taken off all, so that no exp exceeds 1.0.\n"
                 "Finding the largest score: it is taken off all."},
    {"SUBTRACT_EXP", "shifted = score - max in 16 bits; exp of it by straight pieces, no table.\n"
                     "shifted = score - max; exp of it by straight pieces."},
    {"SUM", "Adding up the exps of all entries, masked ones too."},
    {"RECIP", "One division serves all entries: recip is about 65536 / sum.\n"
              "One division serves all: recip is about 65536 / sum."},
    {"NORMALIZE", "prob = exp * recip >> 8: the low bits are cut off, so 1.0 can be missed.\n"
                  "prob = exp * recip >> 8: the low bits are cut off."},
    {"DONE", "All probabilities of this head are made; attention copies them next.\n"
             "All probabilities of this head are made."},
};

void softmax_phase(const SoftmaxHead *h, bool past, char *out, size_t size)
{
    const char *at = look_state(h->e, "smax.state");
    if (past) {
        snprintf(out, size,
                 "Head %d as it stood at cycle %llu, when its probabilities were stored.\n"
                 "Head %d as it stood at cycle %llu.",
                 h->head, (unsigned long long)engine_cycle(h->e), h->head,
                 (unsigned long long)engine_cycle(h->e));
        return;
    }
    for (size_t i = 0; i < sizeof phases / sizeof *phases && h->held == h->head; i++) {
        if (strcmp(at, phases[i].state) == 0) {
            snprintf(out, size, "%s", phases[i].words);
            return;
        }
    }
    if (h->held == h->head && h->probs == h->S)
        snprintf(out, size,
                 "This head has had its turn: probs[%d] takes these probabilities.\n"
                 "This head has had its turn: probs[%d] takes these.",
                 h->head, h->head);
    else if (h->held == h->head)
        snprintf(out, size,
                 "The scores are ready; the mask fills the positions after %d.\n"
                 "The scores are ready; the mask fills those after %d.",
                 h->pos, h->pos);
    else if (h->held < 0 && stage_of(h->e) != STAGE_SCORE)
        snprintf(out, size,
                 "Not yet in this token: the scores come first. Key f runs to the softmax.\n"
                 "Not yet: the scores come first. Key f runs to it.");
    else if (h->held < 0 && look_value(h->e, "attn.h") == h->head)
        snprintf(out, size, "The scores of head %d are being made, a position a cycle.", h->head);
    else
        snprintf(out, size,
                 "Head %d waits: first all scores, then the heads one after the other.\n"
                 "Head %d waits: first all scores, then head after head.",
                 h->head, h->head);
}

/* A valid entry with a smaller score and yet a larger exp than entry t, or -1. */
static int overtaken_by(const SoftmaxHead *h, int t)
{
    if (softmax_masked(h, t) || !softmax_known(h, SOFTMAX_EXP, t))
        return -1;
    for (int u = 0; u <= h->pos && softmax_known(h, SOFTMAX_EXP, u); u++) {
        if (softmax_entry(h, SOFTMAX_SCORE, u) < softmax_entry(h, SOFTMAX_SCORE, t) &&
            softmax_entry(h, SOFTMAX_EXP, u) > softmax_entry(h, SOFTMAX_EXP, t))
            return u;
    }
    return -1;
}

static void value_of(int32_t raw, char *out, size_t size)
{
    signal_value(signal_at(SIG_SMAX_MAX), raw, out, size);
}

static void wrap_words(const SoftmaxHead *h, int t, char *out, size_t size)
{
    char score[24], max[24], shifted[24], exp[24];
    value_of(softmax_entry(h, SOFTMAX_SCORE, t), score, sizeof score);
    value_of(signal_get(h->e, signal_at(SIG_SMAX_MAX), 0), max, sizeof max);
    value_of(softmax_entry(h, SOFTMAX_SHIFTED, t), shifted, sizeof shifted);
    value_of(softmax_entry(h, SOFTMAX_EXP, t), exp, sizeof exp);
    const char *whose = softmax_masked(h, t) ? "masked" : "its";
    snprintf(out, size,
             "%s - %s wraps to %s: %s exp is %s (lesson 06)\n%s - %s wraps: %s exp is %s", score,
             max, shifted, whose, exp, score, max, whose, exp);
}

bool softmax_remark(const SoftmaxHead *h, const SoftmaxShares *s, int t, char *out, size_t size)
{
    int masked = h->pos + 1, over = overtaken_by(h, t);
    uint32_t sum = (uint32_t)signal_get(h->e, signal_at(SIG_SMAX_SUM), 0);
    bool known = masked < h->S && softmax_known(h, SOFTMAX_EXP, masked);
    out[0] = '\0';
    if (h->sum && sum > 0xffff) {
        snprintf(out, size,
                 "the sum left 16 bits: the reciprocal sees only %04x of %08x\n"
                 "the reciprocal sees only %04x of the sum %08x",
                 (unsigned)sum & 0xffff, (unsigned)sum, (unsigned)sum & 0xffff, (unsigned)sum);
    } else if (known && softmax_leaks(h, masked) && softmax_wraps(h, masked)) {
        wrap_words(h, masked, out, size);
    } else if (softmax_wraps(h, t)) {
        wrap_words(h, t, out, size);
    } else if (known && softmax_leaks(h, masked)) {
        snprintf(out, size,
                 "the mask is not far below max: masked positions keep %.1f %%\n"
                 "masked positions keep %.1f %%: the mask is near max",
                 softmax_percent(s, s->masked), softmax_percent(s, s->masked));
    } else if (over >= 0) {
        snprintf(out, size,
                 "position %d has a smaller score than %d, yet a larger exp\n"
                 "%d has a smaller score than %d, yet a larger exp",
                 over, t, over, t);
    } else if (known && softmax_entry(h, SOFTMAX_EXP, masked) > 0 &&
               softmax_entry(h, SOFTMAX_EXP, masked) < EXP_FLOOR) {
        snprintf(out, size,
                 "masked positions hold exp %d/256, below the floor of %d/256, and yet not 0\n"
                 "masked ones hold exp %d/256: not yet 0",
                 (int)softmax_entry(h, SOFTMAX_EXP, masked), EXP_FLOOR,
                 (int)softmax_entry(h, SOFTMAX_EXP, masked));
    } else if (known && softmax_entry(h, SOFTMAX_EXP, masked) > 0) {
        snprintf(out, size,
                 "exp never gets below 4/256: masked positions hold %.1f %% (lesson 06)\n"
                 "exp is never below 4/256: masked ones hold %.1f %%",
                 softmax_percent(s, s->masked), softmax_percent(s, s->masked));
    } else if (known) {
        snprintf(out, size, "mask_mode exclude: every masked position gets exp 0.");
        return false;
    } else if (masked >= h->S) {
        snprintf(out, size, "The last position: nothing is masked.");
        return false;
    }
    return out[0] != '\0';
}
