/* Moving in time: one tick for stepping, running and replaying; keyframes for going back. */
#include "session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/cycle.h"
#include "session/session_private.h"

static int32_t state_index(const char *name)
{
    const Signal *top = signal_at(SIG_TOP_STATE);
    int32_t i = 0;
    while (top->names[i] && strcmp(top->names[i], name) != 0)
        i++;
    return i;
}

/* ---- the host ---- */

/* out_emb as it stands. */
static void read_out_emb(const Engine *e, int D, int16_t out[D_MODEL_MOST])
{
    const Signal *g = signal_at(SIG_OUT_EMB);
    for (int i = 0; i < D; i++)
        out[i] = (int16_t)signal_get(e, g, i);
}

/* With a model: the letter at position `token`, from the text or from what the machine put out;
 * -1 when that is the end mark: the word is complete. */
static int host_letter(const Session *s, const Engine *e, int token)
{
    const Model *m = setup_model_of(&s->setup);
    if (token == 0)
        return 0; /* the start mark */
    if (token <= (int)strlen(s->setup.text))
        return model_letter(m, s->setup.text[token - 1]);
    int16_t out_emb[D_MODEL_MOST];
    read_out_emb(e, m->config.d_model, out_emb);
    int letter = host_choose(m, out_emb, &s->setup.choice, token - 1);
    return letter == m->vocab_size - 1 ? -1 : letter;
}

/* In IDLE the host presents its next token and raises start, if it has one. */
static void host_present(const Session *s, Engine *e, Host *h, int token)
{
    if (token >= setup_token_count(&s->setup))
        return;
    const Signal *emb = signal_at(SIG_TOKEN_EMB);
    int D = s->setup.config.d_model;
    int16_t embedded[D_MODEL_MOST];
    const int16_t *x = embedded;
    if (setup_model_of(&s->setup)) {
        int letter = host_letter(s, e, token);
        if (letter < 0)
            return;
        h->letters[token] = (uint8_t)letter;
        model_embed(s->setup.model, letter, token, embedded);
    } else {
        x = s->tokens + token * D;
    }
    h->token = token;
    h->presented = true;
    h->token_start = engine_cycle(e);
    h->saturations = h->wraps = h->mask_leaks = h->sum_overflows = 0;
    for (int i = 0; i < D; i++)
        signal_set(e, emb, i, x[i], NULL);
    signal_set(e, signal_at(SIG_SEQ_POS), 0, token, NULL);
    signal_set(e, signal_at(SIG_START), 0, 1, NULL);
}

static void host_tally(Host *h, const Engine *e)
{
    int n = 0;
    const Event *events = engine_events(e, &n);
    for (int i = 0; i < n; i++) {
        h->saturations += (events[i].kinds & EVENT_SATURATE) != 0;
        h->wraps += (events[i].kinds & EVENT_WRAP) != 0;
        h->mask_leaks += (events[i].kinds & EVENT_MASK_LEAK) != 0;
        h->sum_overflows += (events[i].kinds & EVENT_SUM_OVERFLOW) != 0;
    }
}

static void host_next(const Session *s, Engine *e, Host *h)
{
    int32_t state = slot_get(e, &s->top);
    host_tally(h, e);
    if (state == slot_before(e, &s->top))
        return;
    if (state == s->idle_state) {
        host_present(s, e, h, h->token + 1);
    } else if (h->presented && state == s->first_state) {
        h->presented = false; /* start has been sampled */
        signal_set(e, signal_at(SIG_START), 0, 0, NULL);
    }
}

/* ---- the one code path ---- */

void session_tick(const Session *s, Engine *e, Host *h, History *history)
{
    engine_step(e);
    host_next(s, e, h);
    if (history && history_wants(history, engine_cycle(e)))
        history_offer(history, e, h);
    if (s->journal.count)
        journal_apply(&s->journal, e);
}

/* e and h become the machine and the host at `cycle`, replayed over at least one edge (so that the
 * last edge's writes and events are there) unless it is cycle 0. */
void session_replay(const Session *s, uint64_t cycle, Engine *e, Host *h)
{
    const Keyframe *k = history_find(&s->history, cycle ? cycle - 1 : 0);
    engine_copy(e, k->engine);
    *h = k->host;
    journal_apply(&s->journal, e);
    while (engine_cycle(e) < cycle)
        session_tick(s, e, h, NULL);
}

/* ---- what has become untrue ---- */

static void note_change(Session *s, uint64_t from)
{
    s->changed[s->n_changes++ % CHANGES_KEPT] = from;
}

uint64_t session_changed_since(const Session *s, uint64_t *seen)
{
    uint64_t from = s->n_changes - *seen > CHANGES_KEPT ? 0 : UINT64_MAX;
    for (; from > 0 && *seen < s->n_changes; (*seen)++) {
        uint64_t change = s->changed[*seen % CHANGES_KEPT];
        from = change < from ? change : from;
    }
    *seen = s->n_changes;
    return from;
}

/* ---- life ---- */

static void start(Session *s, const Setup *setup)
{
    setup_copy(&s->setup, setup);
    s->weights = stimulus_make(setup, &s->tokens);
    s->engine = engine_new(&setup->config, s->weights);
    s->top = signal_slot(s->engine, signal_at(SIG_TOP_STATE), 0);
    s->scratch = xcalloc(1, sizeof *s->scratch);
    s->scratch->engine = engine_new(&setup->config, s->weights);
    s->scratch->spare = engine_new(&setup->config, s->weights);
    s->host = (Host){0};
    host_present(s, s->engine, &s->host, 0);
    history_init(&s->history, s->engine, &s->host);
}

static void stop(Session *s)
{
    session_run_stop(s);
    expr_free(s->run.until);
    s->run = (Run){0};
    journal_clear(&s->journal);
    history_free(&s->history);
    engine_free(s->scratch->engine);
    engine_free(s->scratch->spare);
    free(s->scratch);
    engine_free(s->engine);
    weights_free(s->weights);
    free(s->tokens);
    s->tokens = NULL;
}

Session *session_new(const Setup *setup)
{
    Session *s = xcalloc(1, sizeof *s);
    s->idle_state = state_index("IDLE");
    s->first_state = state_index("LN1_START");
    s->next_break = 1;
    start(s, setup);
    return s;
}

void session_free(Session *s)
{
    if (!s)
        return;
    stop(s);
    setup_free(&s->setup);
    points_free(s);
    free(s);
}

void session_restart(Session *s, const Setup *setup)
{
    Setup old = s->setup; /* setup may be the session's own, or share with it */
    stop(s);
    start(s, setup == &s->setup ? &old : setup);
    setup_free(&old);
    points_rebind(s);
    note_change(s, 0);
    s->note[0] = '\0';
}

bool session_open_model(Session *s, const char *path, Err *err)
{
    Setup setup;
    Model *m = model_read(path, err);
    if (!m)
        return false;
    setup_init(&setup);
    setup_model(&setup, m);
    bool ok = setup_check(&setup, err);
    if (ok)
        session_restart(s, &setup);
    setup_free(&setup);
    return ok;
}

const Engine *session_engine(const Session *s)
{
    return s->engine;
}

const Setup *session_setup(const Session *s)
{
    return &s->setup;
}

const Host *session_host(const Session *s)
{
    return &s->host;
}

bool session_hit(const Session *s, const Signal **signal, int *at)
{
    *signal = s->hit;
    *at = s->hit_at;
    return s->hit != NULL;
}

const char *session_note(const Session *s)
{
    return s->note;
}

const char *session_reason(const Session *s)
{
    return s->reason;
}

const Model *session_model(const Session *s)
{
    return setup_model_of(&s->setup);
}

char session_letter(const Session *s, int position)
{
    return s->setup.model->vocab[s->host.letters[position]];
}

int session_output(const Session *s)
{
    bool out = signal_get(s->engine, signal_at(SIG_VALID), 0) || session_at_end(s, s->engine);
    return out ? s->host.token : s->host.token - 1;
}

int session_next(const Session *s)
{
    int16_t out_emb[D_MODEL_MOST];
    read_out_emb(s->engine, s->setup.model->config.d_model, out_emb);
    return host_choose(s->setup.model, out_emb, &s->setup.choice, session_output(s));
}

bool session_top(const Session *s, Guess *best, int n)
{
    int16_t out_emb[D_MODEL_MOST];
    if (!session_model(s) || session_output(s) < 0)
        return false;
    read_out_emb(s->engine, s->setup.model->config.d_model, out_emb);
    host_top(s->setup.model, out_emb, best, n);
    return true;
}

/* ---- moving ---- */

void session_step(Session *s, uint64_t n)
{
    while (n-- > 0)
        session_tick(s, s->engine, &s->host, &s->history);
}

void session_goto(Session *s, uint64_t cycle)
{
    uint64_t now = engine_cycle(s->engine);
    if (cycle >= now)
        session_step(s, cycle - now);
    else
        session_replay(s, cycle, s->engine, &s->host);
}

void session_back(Session *s, uint64_t n)
{
    uint64_t now = engine_cycle(s->engine);
    session_goto(s, n < now ? now - n : 0);
}

bool session_at_end(const Session *s, const Engine *e)
{
    return slot_get(e, &s->top) == s->idle_state && !signal_get(e, signal_at(SIG_START), 0);
}

static bool state_changed(void *context, const Engine *e, const Host *h, bool prime)
{
    (void)context, (void)h;
    return !prime && signal_changed(e, signal_at(SIG_TOP_STATE), 0);
}

static bool token_starts(void *context, const Engine *e, const Host *h, bool prime)
{
    (void)context;
    return !prime && h->presented && h->token_start == engine_cycle(e);
}

/* One move forward to the next cycle of which `test` is true, or to the end of what there is. A
 * token takes no longer than the closed form says: if nothing comes in that time a poke has wedged
 * the machine, and the move is not made. */
static bool move_forward(Session *s, SearchTest test)
{
    const Config *c = &s->setup.config;
    uint64_t begin = engine_cycle(s->engine);
    uint64_t limit = begin + config_cycles(c, c->variant, c->max_seq_len - 1) + 2;
    do
        session_step(s, 1);
    while (!test(NULL, s->engine, &s->host, false) && !session_at_end(s, s->engine) &&
           engine_cycle(s->engine) <= limit);
    if (engine_cycle(s->engine) <= limit)
        return true;
    session_goto(s, begin);
    snprintf(s->note, sizeof s->note, "wedged: nothing of the kind happens in a token's time");
    return false;
}

/* n times forward or backward; to the end of what there is when there are fewer. */
static void move(Session *s, int64_t n, SearchTest test)
{
    s->note[0] = '\0';
    for (; n > 0 && !session_at_end(s, s->engine); n--) {
        if (!move_forward(s, test))
            return;
    }
    for (; n < 0 && engine_cycle(s->engine) > 0; n++) {
        uint64_t cycle = 0;
        session_search_back(s, engine_cycle(s->engine), test, NULL, &cycle);
        session_goto(s, cycle);
    }
}

void session_move_state(Session *s, int64_t n)
{
    move(s, n, state_changed);
}

void session_move_token(Session *s, int64_t n)
{
    move(s, n, token_starts);
}

/* ---- looking without moving ---- */

void session_visit(const Session *s, uint64_t from, uint64_t to, SessionVisit visit, void *context)
{
    Engine *e = s->scratch->engine;
    Host h;
    if (to < from)
        return;
    session_replay(s, from, e, &h);
    while (visit(context, e, &h) && engine_cycle(e) < to)
        session_tick(s, e, &h, NULL);
}

Engine *session_spare(const Session *s)
{
    return s->scratch->spare;
}

bool session_search_segment(const Session *s, uint64_t *end, SearchTest test, void *context,
                            uint64_t *hit)
{
    Engine *e = s->scratch->engine;
    const Keyframe *k = history_find(&s->history, *end > 1 ? *end - 2 : 0);
    Host h = k->host;
    bool found = false;
    uint64_t first = k->cycle;
    engine_copy(e, k->engine);
    journal_apply(&s->journal, e);
    test(context, e, &h, true);
    while (engine_cycle(e) + 1 < *end) {
        session_tick(s, e, &h, NULL);
        if (test(context, e, &h, false)) {
            *hit = engine_cycle(e);
            found = true;
        }
    }
    *end = first + 1;
    return found;
}

bool session_search_back(const Session *s, uint64_t end, SearchTest test, void *context,
                         uint64_t *hit)
{
    *hit = 0;
    while (end > 1) {
        if (session_search_segment(s, &end, test, context, hit))
            return true;
    }
    return false;
}

typedef struct Reading {
    const Signal *signal;
    int at;
    int32_t raw;
} Reading;

static bool read_element(void *context, const Engine *e, const Host *h)
{
    Reading *r = context;
    (void)h;
    r->raw = signal_get(e, r->signal, r->at);
    return false;
}

/* Not signal_before: that knows nothing of what the host sets, of edits and of weights. */
int32_t session_before(const Session *s, const Signal *signal, int at)
{
    uint64_t now = engine_cycle(s->engine), then = now > 0 ? now - 1 : 0;
    Reading r = {signal, at, 0};
    session_visit(s, then, then, read_element, &r);
    return r.raw;
}

typedef struct Element {
    const Signal *signal;
    int at;
} Element;

static bool stores(void *context, const Engine *e, const Host *h, bool prime)
{
    const Element *x = context;
    int n = 0;
    const Write *writes = engine_writes(e, &n);
    (void)h;
    if (prime)
        return false;
    if (x->signal->kind == KIND_REGISTER)
        return signal_changed(e, x->signal, x->at);
    for (int k = 0; k < n; k++) {
        if (signal_at(writes[k].signal) == x->signal && x->at >= writes[k].index &&
            x->at < writes[k].index + writes[k].count)
            return true;
    }
    return false;
}

uint64_t session_last_write(const Session *s, const Signal *signal, int at)
{
    Scratch *c = s->scratch;
    uint64_t now = engine_cycle(s->engine);
    if (c->write_signal == signal && c->write_at == at && c->write_now == now)
        return c->write_cycle;
    Element x = {signal, at};
    uint64_t cycle = 0;
    session_search_back(s, now + 1, stores, &x, &cycle);
    c->write_signal = signal;
    c->write_at = at;
    c->write_now = now;
    c->write_cycle = cycle;
    return cycle;
}

/* ---- edits ---- */

const Edit *session_edits(const Session *s, int *count)
{
    *count = s->journal.count;
    return s->journal.edits;
}

bool session_set(Session *s, const Signal *signal, int at, int32_t raw, Err *err)
{
    Edit edit = {engine_cycle(s->engine), signal, at, signal_get(s->engine, signal, at), raw};
    if (signal->kind != KIND_WEIGHT && !signal_set(s->engine, signal, at, raw, err))
        return false;
    journal_add(&s->journal, edit, s->weights);
    history_cut(&s->history, edit.cycle);
    note_change(s, edit.cycle);
    journal_apply(&s->journal, s->engine);
    s->scratch->write_signal = NULL;
    return true;
}

bool session_undo(Session *s, Err *err)
{
    if (s->journal.count == 0)
        return err_set(err, "undo: nothing has been edited");
    Edit edit = s->journal.edits[s->journal.count - 1];
    char name[64];
    signal_element_name(s->engine, edit.signal, edit.at, name, sizeof name);
    snprintf(s->note, sizeof s->note, "undone: %s of cycle %llu", name,
             (unsigned long long)edit.cycle);
    uint64_t now = engine_cycle(s->engine);
    history_cut(&s->history, edit.cycle);
    journal_pop(&s->journal, s->weights);
    note_change(s, edit.cycle);
    s->scratch->write_signal = NULL;
    session_replay(s, now, s->engine, &s->host);
    return true;
}
