#ifndef CLI_T2_CMD_H
#define CLI_T2_CMD_H
/* What the parts of `tokstep t2` share: their arguments, parsed once, and a few lines of output. */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "tensor/container.h"

/* Options as bits, so that each part says which it takes. */
enum {
    T2_OPT_TENSOR = 1 << 0,
    T2_OPT_SHAPE = 1 << 1,
    T2_OPT_QUICK = 1 << 2,
    T2_OPT_TILE = 1 << 3,
    T2_OPT_ROW = 1 << 4,
    T2_OPT_AS = 1 << 5,
    T2_OPT_JSON = 1 << 6,
    T2_OPT_RESERVED = 1 << 7,
    T2_OPT_OUT = 1 << 8,
    T2_OPT_FROM = 1 << 9,
    T2_OPT_GROUP = 1 << 10,
    T2_OPT_CLAMP = 1 << 11,
    T2_OPT_AT = 1 << 12
};

typedef struct T2Args {
    unsigned given; /* T2_OPT_* that were there */
    const char *file;
    const char *tensor;  /* NULL: the only one */
    uint64_t rows, cols; /* --shape; 0 when not given */
    uint64_t tile_row, tile_col;
    uint64_t row; /* --row, inside the tile */
    const char *as;
    bool reserved_zero; /* --reserved zero */
    const char *out;
    const char *from;
    unsigned group;  /* 64, 128 or 0 */
    const char **at; /* BYTE=HEX arguments, borrowed from argv; the list is freed */
    int n_at;
} T2Args;

/* Parse argv[1..] of a part; `takes` the options it knows, `needs` those it must have. */
bool t2_args(T2Args *a, int argc, char **argv, unsigned takes, unsigned needs, Err *err);
void t2_args_free(T2Args *a);
/* A decimal or 0x number that is all of text. */
bool t2_number(const char *text, uint64_t *v);

/* The container's warnings on stderr; for commands that look at a whole file, once they are done.
 */
void t2_warn(const Container *c);
/* The tensor that --tensor means, with the shape of --shape. */
bool t2_tensor(const Container *c, const T2Args *a, Tensor *t, Err *err);
/* A tensor to look at: without --shape a raw .t2 is a column of tiles. */
bool t2_tensor_to_show(const Container *c, const T2Args *a, const Tensor *found, Tensor *t,
                       Err *err);
/* Refuses an output that is the input under whatever name. */
bool t2_not_in_place(const FileMap *in, const char *in_path, const char *out_path, Err *err);

/* The parts; argv[0] is the part's name, the result the exit code. */
int t2_info_main(int argc, char **argv);
int t2_dump_main(int argc, char **argv);
int t2_verify_main(int argc, char **argv);
int t2_unpack_main(int argc, char **argv);
int t2_pack_main(int argc, char **argv);
int t2_convert_main(int argc, char **argv);
int t2_poke_main(int argc, char **argv);

#endif
