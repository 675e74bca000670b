#ifndef CLI_FMT_STREAM_H
#define CLI_FMT_STREAM_H
/* `tokstep fmt --encode FORMAT -`: any number of values through constant memory. */
#include "num/encode.h"

/* Read a value a line from stdin and write its code a line to stdout. A bad line ends it with
 * "stdin: line N: why"; the codes of the lines before have been written. Returns the exit code. */
int fmt_stream(const Format *f, const Rounding *rounding);

#endif
