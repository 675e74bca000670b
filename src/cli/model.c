/* tokstep model: the numbers of a model as files for other tools. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/options.h"

const char model_help[] =
    "tokstep model export-hex [OPTIONS] DIR: the weights as $readmemh files\n\n"
    "  DIR/wq.hex wk.hex wv.hex wo.hex w1.hex w2.hex ln1_gamma.hex ... b2.hex: one 16-bit word a\n"
    "  line, row-major [in][out]. DIR is made when it is missing.\n\n"
    "  --preset NAME        deck (default), minus8 or repaired\n"
    "  --set KEY=VALUE      sizes: d_model, d_ff, ...\n"
    "  --stimulus S         integration (default) or random:SEED[:AMP[:TAMP]]\n\n"
    "  tokstep model export-hex --stimulus random:7 weights/\n";

static bool write_hex(const int16_t *words, size_t n, const char *dir, const char *name, Err *err)
{
    FileOut out;
    Buf path = {0};
    buf_printf(&path, "%s/%s.hex", dir, name);
    bool ok = file_create(&out, buf_str(&path), err);
    buf_free(&path);
    if (!ok)
        return false;
    for (size_t i = 0; i < n; i++)
        fprintf(out.stream, "%04x\n", (unsigned)(uint16_t)words[i]);
    return file_commit(&out, err);
}

static bool export_hex(const Setup *s, const char *dir, Err *err)
{
    if (mkdir(dir, 0777) != 0 && errno != EEXIST)
        return err_set(err, "%s: %s", dir, strerror(errno));
    int16_t *tokens = NULL;
    Weights *w = stimulus_make(s, &tokens);
    bool ok = true;
    for (int m = 0; ok && m < WEIGHT_COUNT; m++) {
        size_t n = (size_t)w->rows[m] * (size_t)w->cols[m];
        ok = write_hex(w->data[m], n, dir, weight_name((WeightId)m), err);
    }
    weights_free(w);
    free(tokens);
    return ok;
}

static bool export_hex_command(int argc, char **argv, Err *err)
{
    Setup s;
    const char *dir = NULL;
    if (!options_begin(&s, argc, argv, err))
        return false;
    for (int i = 1; i < argc; i++) {
        int taken = options_take(&s, argc, argv, &i, err);
        if (taken < 0)
            return false;
        if (taken)
            continue;
        if (argv[i][0] == '-' || dir)
            return err_set(err, "model export-hex: %s: unexpected; tokstep model --help tells more",
                           argv[i]);
        dir = argv[i];
    }
    if (!dir)
        return err_set(err, "model export-hex: names no directory");
    return options_finish(&s, err) && export_hex(&s, dir, err);
}

int model_main(int argc, char **argv)
{
    Err err;
    if (argc < 2 || strcmp(argv[1], "export-hex") != 0)
        return cli_failf("model: %s: no such action; there is export-hex", argc < 2 ? "" : argv[1]);
    return export_hex_command(argc - 1, argv + 1, &err) ? 0 : cli_fail(&err);
}
