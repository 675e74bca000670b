/* What a learner should notice about the last edge, in words, with the lesson that explains it. */
#include "tell/warning.h"

#include <stdio.h>

enum { ONE = 0x100 }; /* 1.0 in Q8.8 */

const char *warning_lesson(const Engine *e, SignalId id, int index)
{
    if (id >= SIG_LN1_STATE && id <= SIG_LN2_OUT)
        return "04"; /* layer norm */
    if (id >= SIG_SMAX_STATE && id <= SIG_SMAX_PROB) {
        bool masked = index > signal_get(e, signal_at(SIG_SEQ_POS), 0);
        return masked && id != SIG_SMAX_SUM ? "06" : "05"; /* the mask; softmax by pieces */
    }
    return "02"; /* Q8.8 */
}

static void leak_text(const Engine *e, const Event *event, char *out, size_t size)
{
    int at = event->index;
    int32_t exp = signal_get(e, signal_at(SIG_SMAX_EXP), at);
    bool wrapped = signal_get(e, signal_at(SIG_SMAX_SHIFTED), at) > 0;
    char value[32];
    signal_value(signal_at(SIG_SMAX_EXP), exp, value, sizeof value);
    snprintf(out, size, "masked position %d holds exp %s: %s", at, value,
             wrapped      ? "the mask has wrapped"
             : exp == ONE ? "the mask is the maximum"
                          : "it takes part");
}

/* shifted wraps: show the difference that did not fit. */
static void wrap_text(const Engine *e, const Event *event, char *out, size_t size)
{
    const Signal *s = signal_at(event->signal);
    char name[64];
    signal_element_name(e, s, event->index, name, sizeof name);
    if (event->signal == SIG_SMAX_SHIFTED) {
        int32_t exact = signal_get(e, signal_at(SIG_SMAX_X), event->index) -
                        signal_get(e, signal_at(SIG_SMAX_MAX), 0);
        char value[32];
        signal_value(s, exact, value, sizeof value);
        snprintf(out, size, "%s wraps: %s does not fit 16 bits", name, value);
    } else {
        snprintf(out, size, "%s wraps: the exact result does not fit %d bits", name,
                 signal_width(e, s));
    }
}

static void event_text(const Engine *e, const Event *event, char *out, size_t size)
{
    const Signal *s = signal_at(event->signal);
    char name[64], hex[16];
    signal_element_name(e, s, event->index, name, sizeof name);
    signal_hex(e, s, signal_get(e, s, event->index), hex, sizeof hex);
    if (event->kinds & EVENT_MASK_LEAK)
        leak_text(e, event, out, size);
    else if (event->kinds & EVENT_SUM_OVERFLOW)
        snprintf(out, size, "%s is %s: more than 16 bits, reciprocal sees the low ones", name, hex);
    else if (event->kinds & EVENT_WRAP)
        wrap_text(e, event, out, size);
    else
        snprintf(out, size, "%s saturates at %s", name, hex);
}

/* How much an event matters beside others of the same edge. */
static int weight(const Event *event)
{
    return event->kinds & EVENT_MASK_LEAK      ? 4
           : event->kinds & EVENT_SUM_OVERFLOW ? 3
           : event->kinds & EVENT_WRAP         ? 2
                                               : 1;
}

/* Does it tell the same story as the worst one? (the wrap behind a leak) */
static bool same_story(const Event *event, const Event *worst)
{
    return event == worst || (worst->signal == SIG_SMAX_EXP && event->signal == SIG_SMAX_SHIFTED &&
                              event->index == worst->index);
}

void warning_text(const Engine *e, WarningHolds *holds, const void *context, char *out, size_t size)
{
    int n = 0, others = 0;
    const Event *events = engine_events(e, &n), *worst = NULL;
    char text[160], more[32] = "";
    for (int i = 0; i < n; i++) {
        if (holds(context, &events[i]) && (!worst || weight(&events[i]) > weight(worst)))
            worst = &events[i];
    }
    out[0] = '\0';
    if (!worst)
        return;
    event_text(e, worst, text, sizeof text);
    for (int i = 0; i < n; i++)
        others += holds(context, &events[i]) && !same_story(&events[i], worst);
    if (others)
        snprintf(more, sizeof more, ", and %d more", others);
    snprintf(out, size, "%s (lesson %s)%s", text, warning_lesson(e, worst->signal, worst->index),
             more);
}
