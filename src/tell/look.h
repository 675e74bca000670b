#ifndef TELL_LOOK_H
#define TELL_LOOK_H
/* Reading the machine by the names people use, for views. Everything goes through the signal table;
 * a signal that this machine's variant lacks reads as 0 and as state "". */
#include "engine/engine.h"

int32_t look_value(const Engine *e, const char *path);
/* The name of an FSM's state, and whether it is that one. */
const char *look_state(const Engine *e, const char *path);
bool look_in(const Engine *e, const char *path, const char *state);

/* Where the present token stands with its attention: not begun, at work, finished. */
typedef enum { ATTENTION_AHEAD, ATTENTION_AT_WORK, ATTENTION_DONE } AttentionStage;
AttentionStage look_attention(const Engine *e);

#endif
