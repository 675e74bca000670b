#include "tell/look.h"

#include <string.h>

int32_t look_value(const Engine *e, const char *path)
{
    const Signal *s = signal_find(e, path, strlen(path));
    return s ? signal_get(e, s, 0) : 0;
}

const char *look_state(const Engine *e, const char *path)
{
    const Signal *s = signal_find(e, path, strlen(path));
    return s && s->type == TYPE_STATE ? signal_state_name(s, signal_get(e, s, 0)) : "";
}

bool look_in(const Engine *e, const char *path, const char *state)
{
    return strcmp(look_state(e, path), state) == 0;
}

AttentionStage look_attention(const Engine *e)
{
    static const char *const ahead[] = {"LN1_START", "LN1_WAIT", "ATTN_START"};
    const char *top = look_state(e, "top.state");
    if (strcmp(top, "ATTN_WAIT") == 0)
        return ATTENTION_AT_WORK;
    if (strcmp(top, "IDLE") == 0) /* the host raises start in the first IDLE cycle, if at all */
        return look_value(e, "start") || engine_cycle(e) == 0 ? ATTENTION_AHEAD : ATTENTION_DONE;
    for (size_t i = 0; i < sizeof ahead / sizeof *ahead; i++) {
        if (strcmp(top, ahead[i]) == 0)
            return ATTENTION_AHEAD;
    }
    return ATTENTION_DONE;
}
