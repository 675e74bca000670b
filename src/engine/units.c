/* The machine's units as those see them who show one beside the other: a row each. */
#include "engine/units.h"

const Unit units[UNIT_COUNT] = {
    [UNIT_TOP] = {"top", NULL, NULL, SIG_TOP_STATE, UNIT_TOP},
    [UNIT_LN1] = {"ln1", "LN1", "RMS", SIG_LN1_STATE, UNIT_TOP},
    [UNIT_ATTN] = {"attn", "Attention", NULL, SIG_ATTN_STATE, UNIT_TOP},
    [UNIT_SMAX] = {"smax", NULL, NULL, SIG_SMAX_STATE, UNIT_ATTN},
    [UNIT_LN2] = {"ln2", "LN2", "RMS", SIG_LN2_STATE, UNIT_TOP},
    [UNIT_FFN] = {"ffn", "FFN", NULL, SIG_FFN_STATE, UNIT_TOP},
};

const char *unit_label(const Config *c, int unit)
{
    const Unit *u = &units[unit];
    return c->norm == NORM_RMS && u->rms ? u->rms : u->label;
}

const char *unit_state(const Engine *e, int unit)
{
    const Signal *s = signal_in(e, units[unit].fsm);
    return signal_state_name(s, signal_get(e, s, 0));
}

bool unit_is_idle(const Engine *e, int unit)
{
    return strcmp(unit_state(e, unit), "IDLE") == 0;
}

int unit_at_work(const Engine *e)
{
    static const int inner_first[] = {UNIT_SMAX, UNIT_ATTN, UNIT_LN1, UNIT_LN2, UNIT_FFN};
    for (size_t k = 0; k < sizeof inner_first / sizeof *inner_first; k++) {
        if (!unit_is_idle(e, inner_first[k]))
            return inner_first[k];
    }
    return UNIT_TOP;
}
