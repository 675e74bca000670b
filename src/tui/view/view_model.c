/* The character model: text in, attention over its letters, the residual stream, the next letter.
 *
 * ╭ Model  token 5 't' ─────────────────────────────────────────────────────────╮
 * │ text ^inter                  in  t: letter_emb[t] + pos_emb[3]               │
 * ├ attention of token 3, percent ───────────────────────────────────────────────┤
 * │           ^   i   n   t                                                      │
 * │ head 0    4   2  92   2                                                      │
 * │ head 1   ...                                                                 │
 * ├ next letter after ^int ──────────────────────────────────────────────────────┤
 * │ e  62.1 % ████████████████████                                               │
 * ├ residual stream ─────────────────────────────────────────────────────────────┤
 * │ token_emb  rms  0.91  reads t 12 %  ▂▃▁▅▂▁▃▄▂▁▅▃                              │
 * ╰──────────────────────────────────────────────────────────────────────────────╯
 *
 * What is left of the token before is dim. All of it but the letters and their probabilities, which
 * are the host's, stands in the machine. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/input/keys.h"
#include "tell/look.h"
#include "tui/screen/pane.h"
#include "tui/view/pane_frame.h"
#include "tui/view/view.h"

enum {
    GUESSES = 5,
    GUESSES_MOST = 16,
    STREAM_ROWS = 4,
    LABEL_W = 8,
    FORMULA_FROM = 56, /* columns from which the formula of the input has room beside the text */
    FORMULA_W = 30,
    TITLE_LETTERS = 24
};

typedef struct Picture {
    const Session *s;
    const Engine *e;
    const Model *m;
    const ViewState *v;
    Canvas *c;
    Rect in;
    bool focused;
    int token; /* on the pins */
    int D, S, H;
} Picture;

/* ---- what the machine has done for the present token ---- */

/* How far the top FSM is: its state's place in its list; past the last when the token is out. */
static int progress(const Picture *p)
{
    const Signal *top = signal_at(SIG_TOP_STATE);
    int last = 0;
    if (session_output(p->s) != p->token)
        return signal_get(p->e, top, 0);
    while (top->names[last])
        last++;
    return last;
}

/* Has the top FSM come beyond `state` in this token? */
static bool is_past(const Picture *p, const char *state)
{
    const Signal *top = signal_at(SIG_TOP_STATE);
    int place = 0;
    while (top->names[place] && strcmp(top->names[place], state) != 0)
        place++;
    return progress(p) > place;
}

/* The heads whose probabilities are this token's; those after are the token before's. */
static int fresh_heads(const Picture *p)
{
    static const char *const before[] = {"IDLE",        "PROJ_ADDR",  "PROJ_QKV", "PROJ_STORE",
                                         "WRITE_CACHE", "SCORE_ADDR", "SCORE",    "SCORE_STORE"};
    AttentionStage stage = look_attention(p->e);
    if (stage != ATTENTION_AT_WORK)
        return stage == ATTENTION_DONE ? p->H : 0;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        if (look_in(p->e, "attn.state", before[i]))
            return 0;
    }
    return strncmp(look_state(p->e, "attn.state"), "SOFTMAX", 7) == 0 ? look_value(p->e, "attn.h")
                                                                      : p->H;
}

/* ---- the parts ---- */

/* A line across the frame, where it still has room above its lower side. */
static void draw_rule(const Picture *p, Rect frame, int y, const char *title)
{
    if (y < frame.y + frame.h - 1)
        pane_rule(p->c, frame, y, title);
}

/* The first of the letters t.. that `room` columns show when letter `at` must be seen, the start
 * mark always is, and an ellipsis stands for what is left out behind it. */
static int window(int count, int room, int at)
{
    return count <= room || at < room || room < 4 ? 1 : at - room + 3;
}

/* The place of letter t in such a window, from 0; -1: left out. */
static int place_of(int first, int t)
{
    return first <= 1 || t == 0 ? t : t >= first ? t - first + 2 : -1;
}

/* The letters on the pins so far and those that wait: the present one is marked. */
static int draw_letters(const Picture *p, int y, int x, int room)
{
    const char *text = session_setup(p->s)->text;
    int given = (int)strlen(text), count = p->token > given ? p->token + 1 : given + 1;
    int first = window(count, room - 1, p->token + 2 < count ? p->token + 2 : count - 1);
    int end = x + room;
    for (int t = 0; t < count && x < end; t++) {
        char letter[2] = {t > p->token ? text[t - 1] : session_letter(p->s, t)};
        Role role = t == p->token  ? ROLE_ACTIVE
                    : t > p->token ? ROLE_DIM
                    : t > given    ? ROLE_WRITTEN /* the model's own */
                                   : ROLE_TEXT;
        if (place_of(first, t) < 0)
            continue;
        if (t == first && first > 1)
            x = canvas_text(p->c, y, x, ROLE_DIM, "…");
        if (t == p->token)
            x = canvas_text(p->c, y, x, role, MARK_ACTIVE);
        x = canvas_text(p->c, y, x, role, letter);
    }
    return x;
}

static void draw_text(const Picture *p, int y)
{
    char letter = session_letter(p->s, p->token);
    int room = p->in.w - 6 - (p->in.w >= FORMULA_FROM ? FORMULA_W : 0);
    int x = canvas_text(p->c, y, p->in.x + 1, ROLE_DIM, "text ");
    x = draw_letters(p, y, x, room > 8 ? room : 8);
    x = x < p->in.x + 28 ? p->in.x + 28 : x + 2;
    char formula[96];
    snprintf(formula, sizeof formula,
             "in %c = letter_emb[%c] + pos_emb[%d]\nletter_emb[%c] + pos_emb[%d]", letter, letter,
             p->token, letter, p->token);
    canvas_wording(p->c, y, x, ROLE_DIM, formula);
}

/* A title with what in the part below is still of an earlier token. */
static void title_rule(const Picture *p, Rect frame, int y, bool stale, int of, const char *title)
{
    char text[160];
    snprintf(text, sizeof text, "%s (dim: still of token %d)", title, of);
    draw_rule(p, frame, y, stale && of >= 0 ? text : title);
}

/* Letters beside one another in the table of attention. */
typedef struct Columns {
    int width, fit, first;
} Columns;

static Columns columns_of(const Picture *p)
{
    int room = p->in.w - LABEL_W - 1, width = room / (p->token + 1) >= 4 ? 4 : 2;
    int fit = room / width < 1 ? 1 : room / width;
    return (Columns){width, fit, window(p->token + 1, fit, p->v->col)};
}

/* Where letter t stands; -1: it does not. */
static int column_x(const Picture *p, const Columns *k, int t)
{
    int place = place_of(k->first, t);
    return place < 0 || place >= k->fit ? -1 : p->in.x + LABEL_W + place * k->width;
}

static void draw_head(const Picture *p, int y, int h, const Columns *k, bool fresh)
{
    bool at_work = look_attention(p->e) == ATTENTION_AT_WORK && look_value(p->e, "attn.h") == h &&
                   strncmp(look_state(p->e, "attn.state"), "SOFTMAX", 7) == 0;
    if (at_work)
        canvas_text(p->c, y, p->in.x, ROLE_ACTIVE, MARK_ACTIVE);
    canvas_textf(p->c, y, p->in.x + 1,
                 at_work ? ROLE_ACTIVE
                 : fresh ? ROLE_TEXT
                         : ROLE_DIM,
                 "head %d", h);
    if (h == p->v->row && p->focused)
        canvas_cursor(p->c, y, p->in.x + 1);
    for (int t = 0; t <= p->token; t++) {
        int x = column_x(p, k, t);
        int32_t prob = signal_get(p->e, signal_at(SIG_PROBS), h * p->S + t);
        if (!fresh && t == p->token) /* the token before could not see it */
            break;
        if (x < 0)
            continue;
        int level = heat_level(prob, 256);
        Role role = fresh ? heat_role(prob, level) : ROLE_DIM;
        if (k->width >= 4)
            canvas_textf(p->c, y, x, role, "%*d", k->width, (int)((prob * 100 + 128) / 256));
        else
            canvas_put(p->c, y, x + k->width - 1, role, heat_glyph(level));
        canvas_aim(p->c, (Rect){y, x, 1, k->width}, aim_at(h, t));
        if (h == p->v->row && t == p->v->col && p->focused)
            canvas_role(p->c, (Rect){y, x, 1, k->width}, ROLE_CURSOR);
    }
}

static int draw_attention(const Picture *p, int y, Rect frame)
{
    int fresh = fresh_heads(p);
    Columns k = columns_of(p);
    char title[80];
    snprintf(title, sizeof title, "attention of token %d%s", p->token,
             k.width >= 4 ? ", percent" : "");
    title_rule(p, frame, y++, fresh < p->H, p->token - 1, title);
    for (int t = 0; t <= p->token; t++) {
        char letter[2] = {session_letter(p->s, t)};
        int x = column_x(p, &k, t);
        if (x < 0)
            continue;
        x += k.width - 1;
        canvas_text(p->c, y, x, t == p->token ? ROLE_ACTIVE : ROLE_TEXT, letter);
        if (t == p->token)
            canvas_text(p->c, y, x - 1, ROLE_ACTIVE, MARK_ACTIVE);
    }
    if (k.first > 1)
        canvas_text(p->c, y, p->in.x + LABEL_W + 2 * k.width - 1, ROLE_DIM, "…");
    y++;
    for (int h = 0; h < p->H; h++)
        draw_head(p, y++, h, &k, h < fresh);
    return y;
}

static int draw_next(const Picture *p, int y, Rect frame)
{
    Guess best[GUESSES_MOST];
    char title[80] = "next letter: after the first token";
    int below = p->in.y + p->in.h - y - 1 - STREAM_ROWS; /* a tall pane has room for more */
    int n = limit(below, GUESSES, GUESSES_MOST), letters = p->m->vocab_size - 1;
    n = n < letters ? n : letters;
    int at = session_output(p->s), used = 0;
    bool any = session_top(p->s, best, n);
    if (any) {
        int first = window(at + 1, TITLE_LETTERS, at);
        used = snprintf(title, sizeof title, "next letter after ");
        for (int t = 0; t <= at; t++) {
            if (place_of(first, t) >= 0)
                used += snprintf(title + used, sizeof title - (size_t)used, "%s%c",
                                 t == first && first > 1 ? "…" : "", session_letter(p->s, t));
        }
    }
    title_rule(p, frame, y++, any && at < p->token, at, title);
    for (int i = 0; i < n; i++, y++) {
        if (!any)
            continue;
        Role role = at < p->token ? ROLE_DIM : i == 0 ? ROLE_ACTIVE : ROLE_TEXT;
        int x = canvas_textf(p->c, y, p->in.x + 1, role, "%c %5.1f %% ",
                             p->m->vocab[best[i].letter], best[i].p * 100.0);
        canvas_bar(p->c, y, x, p->in.w - (x - p->in.x) - 1, role, best[i].p, 1.0);
    }
    return y;
}

/* One stage of the residual stream: how large it is, and what the host would read from it. */
static void draw_stage(const Picture *p, int y, SignalId id, bool fresh)
{
    int16_t words[D_MODEL_MOST];
    const Signal *g = signal_at(id);
    double squares = 0.0;
    int32_t full = 1;
    for (int i = 0; i < p->D; i++) {
        words[i] = (int16_t)signal_get(p->e, g, i);
        squares += (double)words[i] * words[i];
        while ((words[i] < 0 ? -words[i] : words[i]) > full)
            full *= 2;
    }
    Guess best = host_reads(p->m, words);
    Role role = fresh ? ROLE_TEXT : ROLE_DIM;
    int x = canvas_textf(p->c, y, p->in.x + 1, role, "%-9s rms %6.3f  ", g->path,
                         sqrt(squares / p->D) / 256.0);
    if (squares > 0)
        x = canvas_textf(p->c, y, x, role, "reads %c %3.0f %% ", p->m->vocab[best.letter],
                         best.p * 100.0);
    for (int i = 0; i < p->D && x < p->in.x + p->in.w; i++, x++) {
        int level = heat_level(words[i], full);
        canvas_put(p->c, y, x, fresh ? heat_role(words[i], level) : ROLE_DIM, heat_glyph(level));
    }
}

static void draw_stream(const Picture *p, int y, Rect frame)
{
    title_rule(p, frame, y++, !is_past(p, "RESIDUAL2"), p->token - 1, "residual stream");
    draw_stage(p, y++, SIG_TOKEN_EMB, true);
    draw_stage(p, y++, SIG_RESIDUAL1, is_past(p, "RESIDUAL1"));
    draw_stage(p, y, SIG_OUT_EMB, is_past(p, "RESIDUAL2"));
}

/* ---- the view ---- */

static void place(const Session *s, ViewState *v, Rect r)
{
    int token = session_host(s)->token;
    Rect in = canvas_inside(r);
    if (!session_model(s) || in.h < 1 || in.w < 1)
        return;
    if (!v->pinned)
        v->col = token;
    v->row = limit(v->row, 0, engine_config(session_engine(s))->n_heads - 1);
    v->col = limit(v->col, 0, token);
}

static void draw_no_model(const Picture *p)
{
    static const char *const lines[] = {
        "No model: the tokens are a test stimulus, not letters.",
        "",
        "Enter        opens the built-in model of English words",
        ":open model  the same",
        ":open FILE   a model of your own",
        "",
        "The machine then begins again at cycle 0, as the model",
        "needs it. From the shell: tokstep begins with the built-in",
        "model, tokstep --model FILE with another.",
    };
    for (int i = 0; i < (int)(sizeof lines / sizeof *lines) && i < p->in.h; i++)
        canvas_sentence(p->c, p->in.y + i, p->in.x + 1,
                        i == 0  ? ROLE_TITLE
                        : i > 5 ? ROLE_DIM
                                : ROLE_TEXT,
                        lines[i]);
}

static void draw_inside(const Picture *p, Rect r)
{
    if (!p->m) {
        draw_no_model(p);
        return;
    }
    draw_text(p, p->in.y);
    int y = draw_attention(p, p->in.y + 1, r);
    y = draw_next(p, y, r);
    draw_stream(p, y, r);
}

static void draw(const Session *s, const ViewState *v, Rect r, bool focused, Canvas *c)
{
    const Engine *e = session_engine(s);
    const Config *config = engine_config(e);
    Picture p = {.s = s,
                 .e = e,
                 .m = session_model(s),
                 .v = v,
                 .c = c,
                 .focused = focused,
                 .token = session_host(s)->token,
                 .D = config->d_model,
                 .S = config->max_seq_len,
                 .H = config->n_heads};
    Rect old = canvas_clip(c, r);
    char title[64] = "Model";
    if (p.m)
        snprintf(title, sizeof title, "Model  token %d %c", p.token, session_letter(s, p.token));
    p.in = canvas_box(c, r, ROLE_FRAME, title);
    if (p.in.h < 1 || p.in.w < 1) {
        canvas_field(c, r.y, r.x, r.w, ROLE_DIM, title);
    } else {
        if (!p.m)
            pane_key_word(c, r, r.x + 1, "Enter", "opens the built-in model", focused);
        canvas_clip(c, (Rect){r.y, r.x, r.h - 1, r.w - 1});
        draw_inside(&p, r);
    }
    canvas_clip(c, old);
}

static void refuse_word(Press *p)
{
    press_refuse(p, "there is no model that could read a word: Enter opens the built-in one");
}

/* Without a model there is one thing to do. */
static const ViewKey *keys_now(const Session *s, const ViewState *v)
{
    static const ViewKey no_model[] = {
        {"Enter", SENSE_OPEN, NULL, NULL, .command = "open model"},
        {"e", SENSE_TYPE, NULL, NULL, .act = refuse_word},
        {"c", SENSE_FOLLOW, NULL, NULL, .act = view_follow},
        {0},
    };
    (void)v;
    return session_model(s) ? NULL : no_model;
}

static void move(Press *p, int rows, int cols)
{
    const Session *s = p->s;
    ViewState *v = p->v;
    if (!session_model(s)) {
        press_leave(p);
        return;
    }
    v->pinned = true;
    v->row = limit(v->row + rows, 0, engine_config(session_engine(s))->n_heads - 1);
    v->col = limit(v->col + cols, 0, session_host(s)->token);
}

static void next_token(Press *p)
{
    press_run(p, "%s until valid == 1", press_by(p) < 0 ? "rev" : "run");
}

static void point(const Session *s, ViewState *v, uint64_t aim)
{
    (void)s;
    v->pinned |= aim_move(v, aim);
}

static Target target(const Session *s, const ViewState *v)
{
    const Config *c = engine_config(session_engine(s));
    if (!session_model(s))
        return (Target){0};
    int head = limit(v->row, 0, c->n_heads - 1), at = limit(v->col, 0, c->max_seq_len - 1);
    return (Target){signal_at(SIG_PROBS), head * c->max_seq_len + at};
}

static bool find(const Session *s, ViewState *v, Target t)
{
    int S = engine_config(session_engine(s))->max_seq_len, at = t.at < 0 ? 0 : t.at;
    if (!session_model(s) || !t.signal || signal_id(t.signal) != SIG_PROBS ||
        at % S > session_host(s)->token)
        return false;
    v->row = at / S;
    v->col = at % S;
    return v->pinned = true;
}

static const char *numbers_note(const ViewState *v)
{
    (void)v;
    return "here are letters and their chances";
}

static const ViewKey keys[] = {
    {"e", SENSE_TYPE, "type a word", "type a word: its letters become tokens", .command = "text "},
    {"[ ]", SENSE_ITEM, "token", "back, on to where a token is done", .act = next_token},
    {"c", SENSE_FOLLOW, "follow", "follow the machine again", .act = view_follow},
    {"arrows", SENSE_MOVE, NULL, "a letter, a head: how much one looks at the other", KEY_MOVES},
    {0},
};

const View view_model = {
    .name = "model",
    .title = "Model",
    .key = "M",
    .about =
        "A character model of English words. The host turns a letter and its position into "
        "token_emb; the machine answers with out_emb; the host multiplies it with out_w and reads "
        "off how probable each letter is to come next ($ ends the word). In between: how much each "
        "head looks at each letter so far, and what the host would read from the residual stream "
        "before attention, after it and after the feed forward. Try e and a word, then ] from "
        "letter to letter.",
    .keys = keys,
    .place = place,
    .draw = draw,
    .point = point,
    .keys_now = keys_now,
    .move = move,
    .target = target,
    .numbers_note = numbers_note,
    .find = find,
};
