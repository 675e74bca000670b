#ifndef CLI_GOLDEN_H
#define CLI_GOLDEN_H
/* `tokstep run --golden`: the lines of the golden files (decoder.md section 7), without comments.
 */
#include "base/buf.h"
#include "session/session.h"

/* What is noted while a token is stepped. */
typedef struct GoldenToken {
    Buf states_top, states_attention; /* run-length lists, each with a leading blank per run */
    Buf softmax;                      /* "softmax H ..." lines as of each head's SOFTMAX_STORE */
    int32_t run_top, run_attention;   /* the state of the open run, -1: none */
    uint64_t len_top, len_attention;
    bool in_attention; /* between attention's own start and its DONE */
} GoldenToken;

void golden_begin(GoldenToken *g);
void golden_free(GoldenToken *g);
/* Look at one cycle of the token, from the one that samples start to the last before valid. */
void golden_cycle(GoldenToken *g, const Engine *e);
/* After the last such cycle: ends the open runs. */
void golden_close(GoldenToken *g);

void golden_header(const Setup *s, Buf *out);
/* The lines of one token; e stands in the cycle in which valid is high. The state lists are those
 * of `bridge`, the same token on the bridge machine (g itself when that is the machine). */
void golden_print(const GoldenToken *g, const Engine *e, const GoldenToken *bridge, int token,
                  Buf *out);

#endif
