#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H
/* "run's options" (cli.md): what every command that starts a machine understands. */
#include <jansson.h>

#include "session/setup.h"

/* The defaults, and the preset named by any --preset of argv: options apply left to right over it.
 */
bool options_begin(Setup *s, int argc, char **argv, Err *err);
/* Take argv[*i] when it is --preset, --set, --variant, --stimulus or --tokens (with its value); *i
 * ends on the last argument consumed. 1 taken, 0 not one of them, -1 refused with err set. */
int options_take(Setup *s, int argc, char **argv, int *i, Err *err);
/* Check the whole and print config_warning's remark on stderr. */
bool options_finish(Setup *s, Err *err);
extern const char options_help[]; /* the lines for --help */
/* The parameters and the preset as a JSON object of strings. */
json_t *options_json(const Config *c);

#endif
