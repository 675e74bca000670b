#ifndef SESSION_VCD_H
#define SESSION_VCD_H
/* A waveform file (IEEE 1364 value change dump) of a window of an investigation, for GTKWave or
 * Surfer. Hierarchy, names and shapes are those of the RTL under a simulator: vectors are flat, the
 * KV cache is a variable per entry of the RTL's memory. A clock is 10 time units: cycle C begins
 * with the rising edge at time 10 C, and all of its values stand from there on. */
#include "session/session.h"

typedef struct VcdOptions {
    uint64_t from, to;   /* cycles, inclusive; what lies beyond the end of the run is left out */
    const char *signals; /* "NAME,NAME[i],...", or NULL: all but the KV cache and the weights */
    bool strings;        /* states by name instead of bits */
    bool real;           /* beside each TYPE_FIXED word its value */
} VcdOptions;

/* Cycles that were written. */
typedef struct VcdWindow {
    uint64_t from, to;
} VcdWindow;

/* Write it to `path`, whole or not at all; beyond the present it follows the future that the host's
 * tokens lead to. The session does not move. `written` may be NULL. */
bool vcd_write(const Session *s, const VcdOptions *o, const char *path, VcdWindow *written,
               Err *err);

#endif
