#include "session/probe.h"

#include <stdlib.h>

#include "base/mem.h"
#include "session/session_private.h"

enum { TRAIL = 16 };

struct Probe {
    const Session *session;
    Engine *engine;
    Host host;
    bool placed;   /* engine and host are the machine at some cycle */
    History trail; /* keyframes from the session's last one on; count 0: none yet */
    uint64_t seen; /* session_changed_since */
    uint64_t ticks;
};

Probe *probe_new(const Session *s)
{
    Probe *p = xcalloc(1, sizeof *p);
    p->session = s;
    p->engine = engine_new(engine_config(s->engine), s->weights);
    session_changed_since(s, &p->seen);
    return p;
}

void probe_free(Probe *p)
{
    if (!p)
        return;
    history_free(&p->trail);
    engine_free(p->engine);
    free(p);
}

uint64_t probe_sync(Probe *p)
{
    const Session *s = p->session;
    uint64_t from = session_changed_since(s, &p->seen);
    if (from == 0) { /* perhaps a machine of another size */
        engine_free(p->engine);
        p->engine = engine_new(engine_config(s->engine), s->weights);
        p->placed = false;
    }
    if (p->placed && engine_cycle(p->engine) >= from)
        p->placed = false;
    if (p->trail.count && (from == 0 || p->trail.frames[0].cycle > from))
        history_free(&p->trail);
    else if (p->trail.count)
        history_cut(&p->trail, from);
    return from;
}

static const Keyframe *nearest(const Probe *p, uint64_t cycle)
{
    const Keyframe *k = history_find(&p->session->history, cycle);
    if (!p->trail.count || p->trail.frames[0].cycle > cycle)
        return k;
    const Keyframe *own = history_find(&p->trail, cycle);
    return own->cycle > k->cycle ? own : k;
}

/* The machine as a keyframe has it. Behind the session's last one the trail begins. */
static void place(Probe *p, const Keyframe *k)
{
    const History *h = &p->session->history;
    engine_copy(p->engine, k->engine);
    p->host = k->host;
    if (!p->trail.count && k == &h->frames[h->count - 1]) {
        history_init(&p->trail, k->engine, &k->host);
        p->trail.max_frames = TRAIL;
    }
    journal_apply(&p->session->journal, p->engine);
    p->placed = true;
}

bool probe_seek(Probe *p, uint64_t cycle, uint64_t *ticks)
{
    const Keyframe *k = nearest(p, cycle ? cycle - 1 : 0);
    uint64_t now = p->placed ? engine_cycle(p->engine) : 0;
    if (!p->placed || now > cycle || k->cycle > now)
        place(p, k);
    for (; engine_cycle(p->engine) < cycle && *ticks > 0; (*ticks)--)
        probe_tick(p);
    return engine_cycle(p->engine) == cycle;
}

void probe_tick(Probe *p)
{
    session_tick(p->session, p->engine, &p->host, p->trail.count ? &p->trail : NULL);
    p->ticks++;
}

bool probe_is_at(const Probe *p, uint64_t cycle)
{
    return p->placed && engine_cycle(p->engine) == cycle;
}

const Engine *probe_engine(const Probe *p)
{
    return p->engine;
}

const Host *probe_host(const Probe *p)
{
    return &p->host;
}

uint64_t probe_ticks(const Probe *p)
{
    return p->ticks;
}
