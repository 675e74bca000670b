#ifndef SESSION_PROBE_H
#define SESSION_PROBE_H
/* A machine of its own that looks anywhere in time, in slices, while the session stays where it is.
 * Beside the session's keyframes it keeps a few of its own (at most 16), spread over what it has
 * seen of the future, so that looking there again is near. */
#include "session/session.h"

typedef struct Probe Probe;

/* The session is borrowed; it may be freed first. */
Probe *probe_new(const Session *s);
void probe_free(Probe *p);
/* Call first whenever the session may have been changed: forgets what has become untrue. Returns
 * the first cycle that may be another than before: 0 after a restart, UINT64_MAX for none. */
uint64_t probe_sync(Probe *p);
/* Towards a cycle over at most *ticks clock edges, which are taken off; true: it is there. */
bool probe_seek(Probe *p, uint64_t cycle, uint64_t *ticks);
/* One clock edge further; only after a probe_seek. */
void probe_tick(Probe *p);
/* Is the probe at this cycle? */
bool probe_is_at(const Probe *p, uint64_t cycle);
const Engine *probe_engine(const Probe *p);
const Host *probe_host(const Probe *p);
/* Clock edges simulated since probe_new. */
uint64_t probe_ticks(const Probe *p);

#endif
