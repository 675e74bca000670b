/* `tokstep t2`: tile files and the containers they come from. */
#include <string.h>

#include "cli/cli.h"
#include "cli/t2_cmd.h"

const char t2_help[] =
    "tokstep t2: ternary tensors in 2-bit tiles, and every format they come from\n"
    "\n"
    "  t2 info FILE [--quick] [--json]   container, tensors, codes, scales,\n"
    "                                    fingerprints; --quick reads the headers\n"
    "                                    only\n"
    "  t2 dump FILE --tile I,J [--row R] [--as q4_1|q4_k|q8a|q8b] [--json]\n"
    "                                    a tile: its codes and scales; with --row\n"
    "                                    every weight\n"
    "  t2 verify FILE [--reserved refuse|zero] [--json]\n"
    "                                    reserved codes and scales that are inf or\n"
    "                                    NaN; exit 1 when there are reserved codes\n"
    "  t2 unpack FILE -o OUT.f32 [--reserved refuse|zero]\n"
    "                                    weights as row-major little-endian floats\n"
    "  t2 pack IN.f32 --shape NxK -o OUT.t2\n"
    "                                    the reverse, exact or refused; zeros of\n"
    "                                    both signs in a group of 128 are refused\n"
    "  t2 convert --from KIND IN [--group 64|128] [--clamp] -o OUT.t2\n"
    "                                    KIND: tq1_0 tq2_0 ptq1_0 pq2_0 q2_0 q1_0\n"
    "                                    pb16i; IN: a GGUF, or bare rows with\n"
    "                                    --shape\n"
    "  t2 poke FILE --at BYTE=HEX... -o OUT\n"
    "                                    a copy with bytes changed\n"
    "\n"
    "FILE is GGUF, safetensors, Q4NX, pb16i or a raw .t2 (tiles of 2176 bytes and\n"
    "nothing else).\n"
    "  --tensor NAME   which tensor, when the file holds several (poke: BYTE counts\n"
    "                  from it)\n"
    "  --shape NxK     rows x columns, for files that do not say (raw .t2, 2-D Q4NX)\n"
    "  --json          what the text says as one JSON object; inf and nan are\n"
    "                  strings\n";

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} parts[] = {
    {"info", t2_info_main},     {"dump", t2_dump_main}, {"verify", t2_verify_main},
    {"unpack", t2_unpack_main}, {"pack", t2_pack_main}, {"convert", t2_convert_main},
    {"poke", t2_poke_main},
};

int t2_main(int argc, char **argv)
{
    Suggest near;
    char hint[SUGGEST_TEXT];
    if (argc < 2)
        return cli_failf("t2: needs one of info dump verify unpack pack convert poke");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strcmp(argv[1], parts[i].name) == 0)
            return parts[i].run(argc - 1, argv + 1);
    }
    suggest_begin(&near, argv[1], strlen(argv[1]));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        suggest_offer(&near, parts[i].name);
    return cli_failf("t2: no part '%s'; %stokstep t2 --help lists them", argv[1],
                     suggest_text(&near, hint));
}
