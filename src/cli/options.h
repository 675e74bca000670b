#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H
/* "run's options" (cli.md): what every command that starts a machine understands. */
#include <jansson.h>

#include "engine/option.h"
#include "model/setup.h"

/* Of every command that takes --stimulus: what AMP and TAMP are, and their units. */
#define STIMULUS_HELP                                                                              \
    "  --stimulus S         integration (default) or random:SEED[:AMP[:TAMP]]:\n"                  \
    "                       elements of the weight matrices drawn from -AMP..AMP,\n"               \
    "                       those of the tokens from -TAMP..TAMP.\n"                               \
    "                       AMP and TAMP are raw Q8.8 words, in units of 1/256,\n"                 \
    "                       0..32767; default 64 (0.25) and 256 (1.0).\n"                          \
    "                       SEED 0..4294967295\n"

/* The defaults, the model of any --model and the preset of any --preset in argv: options apply left
 * to right over them. The setup is to be freed, also after a failure. */
bool options_begin(Setup *s, int argc, char **argv, Err *err);
/* The same for the explorer, which opens on the small model of English words (assets/) unless
 * --model, --stimulus, sizes or preset deck say otherwise. */
bool options_begin_explorer(Setup *s, int argc, char **argv, Err *err);
/* Take argv[*i] when it is one of these options (with its value); *i ends on the last argument
 * consumed. 1 taken, 0 not one of them, -1 refused with err set. */
int options_take(Setup *s, int argc, char **argv, int *i, Err *err);
/* Check the whole; remarks go to stderr: config_warning's, and what a tile file changed. */
bool options_finish(Setup *s, Err *err);
extern const char options_help[]; /* the lines for --help */
/* The parameters and the preset as a JSON object: whole numbers as numbers, the rest as text. */
json_t *options_json(const Config *c);
/* One of them into an object. */
void options_json_put(json_t *object, const Option *o, const Config *c);

#endif
