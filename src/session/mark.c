#include "session/mark.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void mark_take(Mark *mark, const Session *s)
{
    int count = 0;
    const Edit *edits = session_edits(s, &count);
    *mark = (Mark){.cycle = engine_cycle(session_engine(s)), .count = count};
    setup_copy(&mark->setup, session_setup(s));
    if (count) {
        mark->edits = xmalloc((size_t)count * sizeof *edits);
        memcpy(mark->edits, edits, (size_t)count * sizeof *edits);
    }
}

void mark_free(Mark *mark)
{
    free(mark->edits);
    setup_free(&mark->setup);
    *mark = (Mark){0};
}

static size_t patch_size(const WeightPatch *p)
{
    return p->words ? (size_t)p->rows * (size_t)p->cols * sizeof *p->words : 0;
}

size_t mark_size(const Session *s)
{
    int count = 0;
    const Model *m = session_model(s);
    (void)session_edits(s, &count);
    size_t size = (m ? model_size(m) : 0) + (size_t)count * sizeof(Edit);
    for (int i = 0; i < WEIGHT_MATRICES; i++)
        size += patch_size(&session_setup(s)->patch[i]);
    return size;
}

static bool same_patch(const WeightPatch *a, const WeightPatch *b)
{
    size_t size = patch_size(a);
    return a->rows == b->rows && a->cols == b->cols && size == patch_size(b) &&
           (size == 0 || memcmp(a->words, b->words, size) == 0);
}

static bool same_setup(const Setup *a, const Setup *b)
{
    for (int i = 0; i < WEIGHT_MATRICES; i++) {
        if (!same_patch(&a->patch[i], &b->patch[i]))
            return false;
    }
    const Model *m = setup_model_of(a), *n = setup_model_of(b);
    return config_equal(&a->config, &b->config) &&
           strcmp(a->config.preset, b->config.preset) == 0 && a->stimulus == b->stimulus &&
           (!m || model_equal(m, n)) && strcmp(a->text, b->text) == 0 && a->seed == b->seed &&
           a->amp == b->amp && a->tamp == b->tamp && a->tokens == b->tokens &&
           a->choice.temperature == b->choice.temperature && a->choice.seed == b->choice.seed;
}

bool mark_same_setup(const Mark *mark, const Session *s)
{
    return same_setup(session_setup(s), &mark->setup);
}

static bool same_edit(const Edit *a, const Edit *b)
{
    return a->cycle == b->cycle && a->signal == b->signal && a->at == b->at && a->after == b->after;
}

int mark_same_edits(const Mark *mark, const Session *s)
{
    int count = 0, same = 0;
    const Edit *edits = session_edits(s, &count);
    while (same < count && same < mark->count && same_edit(&edits[same], &mark->edits[same]))
        same++;
    return same;
}

void mark_restore(const Mark *mark, Session *s)
{
    int count = 0;
    session_run_stop(s);
    if (!mark_same_setup(mark, s))
        session_restart(s, &mark->setup);
    int same = mark_same_edits(mark, s);
    (void)session_edits(s, &count);
    for (; count > same; count--)
        session_undo(s, NULL);
    for (int i = same; i < mark->count; i++) {
        session_goto(s, mark->edits[i].cycle);
        session_set(s, mark->edits[i].signal, mark->edits[i].at, mark->edits[i].after, NULL);
    }
    session_goto(s, mark->cycle);
}
