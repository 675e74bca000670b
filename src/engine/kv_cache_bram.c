/* The KV cache of variant stream: one memory for K, one for V. Mirrors rtl/kv_cache_bram.sv.
 *
 * Timing: the write of k and v begins in attention's WRITE_CACHE; element d of both lands on the
 * edge that ends the (d + 1)-th cycle after it, at linear address seq_pos * D + d. Reads are
 * registered: the word addressed in one cycle is there in the next. A read of the word that the
 * same edge writes returns the old one. */
#include "engine/unit.h"

static int16_t read_word(const Engine *e, SignalId cache, int at)
{
    return at < e->config.max_seq_len * e->config.d_model ? engine_words(e, cache)[at] : 0;
}

void kv_cache_bram_next(const Engine *e, const Regs *all, const StreamReads *r, StreamRegs *d,
                        Ports *p)
{
    const StreamRegs *q = &all->stream;
    int D = e->config.d_model;
    if (q->cache_writing && q->cache_d < D) {
        int at = e->in.seq_pos * D + q->cache_d;
        port_write(p, SIG_K_CACHE, at, engine_words(e, SIG_K)[q->cache_d]);
        port_write(p, SIG_V_CACHE, at, engine_words(e, SIG_V)[q->cache_d]);
        d->cache_d = (uint16_t)(q->cache_d + 1);
    }
    if (q->cache_d >= D - 1) {
        d->cache_writing = 0;
        d->cache_d = 0;
    }
    if (all->attn.state == ATTS_WRITE_CACHE)
        d->cache_writing = 1;
    if (r->k >= 0)
        d->cache_k_word = read_word(e, SIG_K_CACHE, r->k);
    if (r->v >= 0)
        d->cache_v_word = read_word(e, SIG_V_CACHE, r->v);
}
