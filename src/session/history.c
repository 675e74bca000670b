#include "session/history.h"

#include <stdlib.h>

#include "base/mem.h"

enum { FIRST_INTERVAL = 4096, MIN_FRAMES = 16 };
static const size_t budget = (size_t)64 << 20; /* bytes of keyframes */

static void push(History *h, const Engine *e, const Host *host)
{
    if (h->count == h->cap) {
        h->cap = h->cap ? h->cap * 2 : 16;
        h->frames = xrealloc(h->frames, (size_t)h->cap * sizeof *h->frames);
    }
    Engine *copy = xmalloc(engine_size(e));
    engine_copy(copy, e);
    h->frames[h->count++] = (Keyframe){engine_cycle(e), *host, copy};
}

void history_init(History *h, const Engine *e, const Host *host)
{
    size_t fit = budget / engine_size(e);
    *h = (History){.interval = FIRST_INTERVAL,
                   .max_frames = fit < MIN_FRAMES ? MIN_FRAMES : (int)fit};
    push(h, e, host);
}

static void truncate_to(History *h, int count)
{
    for (int i = count; i < h->count; i++)
        engine_free(h->frames[i].engine);
    h->count = count;
}

void history_free(History *h)
{
    truncate_to(h, 0);
    free(h->frames);
    *h = (History){0};
}

/* Drop every second keyframe and space new ones twice as far. */
static void thin(History *h)
{
    int kept = 0;
    for (int i = 0; i < h->count; i++) {
        if (i % 2 == 0)
            h->frames[kept++] = h->frames[i];
        else
            engine_free(h->frames[i].engine);
    }
    h->count = kept;
    h->interval *= 2;
}

void history_offer(History *h, const Engine *e, const Host *host)
{
    if (!history_wants(h, engine_cycle(e)))
        return;
    if (h->count >= h->max_frames)
        thin(h);
    if (history_wants(h, engine_cycle(e)))
        push(h, e, host);
}

const Keyframe *history_find(const History *h, uint64_t cycle)
{
    int low = 0, high = h->count - 1;
    while (low < high) {
        int mid = (low + high + 1) / 2;
        if (h->frames[mid].cycle <= cycle)
            low = mid;
        else
            high = mid - 1;
    }
    return &h->frames[low];
}

void history_cut(History *h, uint64_t cycle)
{
    int keep = h->count;
    while (keep > 1 && h->frames[keep - 1].cycle > cycle)
        keep--;
    truncate_to(h, keep);
}
