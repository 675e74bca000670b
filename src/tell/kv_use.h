#ifndef TELL_KV_USE_H
#define TELL_KV_USE_H
/* What the present cycle does with the KV cache, in every variant. */
#include "engine/engine.h"

/* A rectangle of words that an edge touches; nothing while row_end is 0. */
typedef struct KvRegion {
    int row, row_end, col, col_end;
} KvRegion;

typedef struct KvUse {
    KvRegion read[2]; /* of K and of V, by the coming edge ... */
    KvRegion written; /* ... and of both */
    int filled;       /* elements of this token's row that have been written in this token */
} KvUse;

/* `spare`: a machine of the same configuration, for explain_clock. */
void kv_use(const Engine *e, Engine *spare, KvUse *use);
/* In a sentence, the longest wording first, each on a line of its own. */
typedef enum { KV_RESTS, KV_READS, KV_WRITES } KvAccess;
KvAccess kv_use_words(const Engine *e, const KvUse *use, char *out, size_t size);

#endif
