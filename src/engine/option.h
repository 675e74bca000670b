#ifndef ENGINE_OPTION_H
#define ENGINE_OPTION_H
/* The one list of the machine's options (decoder.md section 2): a row each in option.c, which tells
 * everything that others say of an option: `--set`, refusals, help, completion, golden headers,
 * model files, equality, the RTL's parameters. Whoever wants to name one option takes it by its
 * field: OPTION(max_seq_len). */
#include <stddef.h>

#include "base/buf.h"
#include "engine/config.h"

typedef enum {
    OPTION_NUMBER, /* an int field */
    OPTION_WORD,   /* an int16_t field, a raw Q8.8 word */
    OPTION_MODE    /* an enum field, one of `names` */
} OptionType;

typedef struct Option {
    const char *key;
    OptionType type;
    size_t field;             /* its offset in Config */
    int low, high;            /* inclusive, raw */
    int start;                /* what it is in every preset that does not say otherwise */
    const char *const *names; /* OPTION_MODE: the values in the order of the enum, ends with NULL */
    const char *rule;         /* ends the refusal "KEY VALUE: must be " */
    int (*follows)(const Config *c);         /* what it is until somebody sets it, else `start` */
    bool (*fits)(const Config *c, Err *err); /* with the other options; NULL: always */
    const char *rtl;    /* its parameter in rtl/; of a mode its bit (option_is_bit) */
    bool in_preset;     /* a preset speaks of it, also over a machine or a model that is there */
    bool in_model;      /* a model is made for it: its files tell it, the machine must have it */
    bool has_dimension; /* in_model, but a tensor's shape tells it: no metadata */
    bool in_golden;     /* told in a golden header */
    bool beyond_deck;   /* the deck's estimator knows its default only */
    bool quiet;         /* told only while it is off its default */
    const char *title;  /* in the decoder's title, where that is not the key; "": not there */
    const char *help;   /* a few words for the learner */
} Option;

/* Row k of the list, NULL behind the last; the row of that key, or NULL. */
const Option *option_at(int k);
const Option *option_find(const char *key);
/* The row of a field of Config. */
const Option *option_of(size_t field);
#define OPTION(name) option_of(offsetof(Config, name))

enum { OPTION_CHARS = 32, OPTION_MOST = 32 };
/* Its raw value: a number, a word, the place among the names. */
int option_get(const Option *o, const Config *c);
void option_put(const Option *o, Config *c, int raw);
/* The value of another machine, and whether it was set there. */
void option_copy(const Option *o, Config *to, const Config *from);
/* One that follows others does so until it is set. */
void option_mark_set(const Option *o, Config *c);
bool option_is_set(const Option *o, const Config *c);
/* What it would be if nobody had set it. */
int option_default(const Option *o, const Config *c);
/* Is it worth telling? A quiet one is not while it is at its default. */
bool option_told(const Option *o, const Config *c);
/* "64", "0x8000", "exclude". */
void option_text(const Option *o, const Config *c, char out[OPTION_CHARS]);
/* A value as people write it (config_set tells how); false when it is none. */
bool option_parse(const Option *o, const char *text, int *raw);

/* A mode that the RTL has: a bit of its parameter Options, whose number the package names. The bit
 * is set when the mode is not names[0]. */
bool option_is_bit(const Option *o);
/* The parameters of rtl/ for a machine: as declarations for a bench (`localparam int DModel = 64;`,
 * a line each, and Options), and by name (Options aside). */
void option_rtl_declare(const Config *c, Buf *out);
bool option_rtl_value(const Config *c, const char *name, size_t len, int *value);

#endif
