#ifndef CLI_FMT_H
#define CLI_FMT_H
/* What the files of `tokstep fmt` share. Every request refuses before its first byte goes out. */
#include "base/err.h"
#include "num/value.h"

/* The command line; options are kept as text so that one without effect can be refused. */
typedef struct FmtRequest {
    const char *mode;     /* "--bits" "--codes" "--encode" "--block", NULL for plain values */
    const char *mode_arg; /* what follows it */
    const char *round, *seed, *overflow, *scale, *tensor, *reciprocal; /* NULL: not given */
    const char **args;                                                 /* values, in order */
    int count;
    bool json;
} FmtRequest;

/* An argument as an error line can show it: short. */
enum { FMT_SHOWN = 64 };
const char *fmt_shown(const char *text, char buf[FMT_SHOWN]);

/* value_parse with the argument's text in front of the reason. */
bool fmt_parse(Value *v, const char *text, Err *err);
bool fmt_need_values(const FmtRequest *r, Err *err);

/* `fmt VALUE...` of the console: the tables on stdout; FORMAT:0xHEX is a code, as with --bits. */
bool fmt_words(const char **words, int count, Err *err);

/* --block: encode, then print. */
bool fmt_block(const FmtRequest *r, Err *err);

#endif
