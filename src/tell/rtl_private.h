#ifndef TELL_RTL_PRIVATE_H
#define TELL_RTL_PRIVATE_H
/* Private to rtl.c (files, tags, branches), rtl_wire.c (what drives a name) and rtl_eval.c (values
 * of names and conditions). */
#include "tell/rtl.h"

typedef struct RtlFile {
    char *name, *text; /* the text is cut into lines in place */
    const char **lines;
    int count;
} RtlFile;

typedef struct RtlTag {
    const char *text; /* behind the @; not terminated */
    int length;
    int file, line;
} RtlTag;

struct Rtl {
    RtlFile *files;
    int n_files;
    RtlTag *tags;
    int n_tags;
};

/* A place to evaluate in: one instance of a module. */
typedef struct RtlScope {
    const Rtl *rtl;
    const Engine *e;
    const RtlFile *file;
    SignalId fsm;      /* SIG_COUNT: it has none */
    char instance[64]; /* "u_attn.": what stands before its registers in Signal.rtl */
} RtlScope;
RtlScope rtl_scope(const Rtl *r, const Engine *e, SignalId fsm, int file);

/* A condition's value; not known: it depends on a loop's variable or on what is not evaluated. */
typedef struct RtlValue {
    bool known;
    int64_t v;
} RtlValue;
/* Evaluate the expression that begins at *text; *text moves behind it. */
RtlValue rtl_evaluate(const RtlScope *scope, const char **text);
/* The register NAME_q (or, by its next value NAME_d, the same), a port, or a wire that is one. */
bool rtl_find_signal(const RtlScope *scope, const char *name, size_t length, SignalId *signal);
/* What `assign NAME = ` or `localparam int NAME = ` says in this file; NULL when nothing does. */
const char *rtl_definition(const RtlScope *scope, const char *name, size_t length);
/* What drives a wire, an input or a constant: the expression, and where its names are to be looked
 * up. False when nothing that stands in rtl/ does: a pin of the machine, a register, a function. */
bool rtl_driver(const RtlScope *scope, const char *name, size_t length, RtlScope *where,
                const char **text);

#endif
