/* tokstep model: what a model file holds, and its numbers as files for other tools. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "cli/t2_json.h"
#include "model/model_hex.h"

const char model_help[] =
    "tokstep model: model files, and the weights as $readmemh files\n\n"
    "  model info FILE [--json]            preset, sizes, vocabulary, tensors\n"
    "  model export-hex [FILE|OPTIONS] DIR DIR/wq.hex wk.hex ... b2.hex: one 16-bit\n"
    "                                      word a line, row-major [in][out]; of a\n"
    "                                      model also letter_emb.hex pos_emb.hex\n"
    "                                      out_w.hex and model.txt. DIR is made when\n"
    "                                      it is missing\n"
    "  model import DIR -o FILE            the reverse: a model file from such a\n"
    "                                      directory\n\n"
    "OPTIONS choose a stimulus instead of a model:\n"
    "  --preset NAME        {presets}\n"
    "  --set KEY=VALUE      sizes: d_model, d_ff, ...\n" STIMULUS_HELP "\n"
    "  tokstep model export-hex --stimulus random:7 weights/\n"
    "  tokstep model export-hex assets/words-repaired.safetensors weights/\n";

/* ---- export-hex ---- */

static bool unexpected(const char *action, const char *arg, Err *err)
{
    if (arg[0] == '-')
        return cli_no_option("model", arg, err);
    return err_set(err, "model %s: %s: unexpected; tokstep model --help tells more", action, arg);
}

static bool parse_export(Setup *s, const char **dir, int argc, char **argv, Err *err)
{
    const char *names[2] = {NULL, NULL};
    int n = 0;
    bool options = false;
    if (!options_begin(s, argc, argv, err))
        return false;
    for (int i = 1; i < argc; i++) {
        int taken = options_take(s, argc, argv, &i, err);
        if (taken < 0)
            return false;
        options |= taken > 0;
        if (taken)
            continue;
        if (argv[i][0] == '-' || n == 2)
            return unexpected("export-hex", argv[i], err);
        names[n++] = argv[i];
    }
    if (n == 0)
        return err_set(err, "model export-hex: names no directory");
    *dir = names[n - 1];
    if (n == 2 && options)
        return err_set(err, "model export-hex: either %s or options; --model FILE goes with them",
                       names[0]);
    if (n == 2) {
        Model *m = model_read(names[0], err);
        if (!m)
            return false;
        setup_model(s, m);
    }
    return options_finish(s, err);
}

static bool export_command(int argc, char **argv, Err *err)
{
    Setup s;
    const char *dir = NULL;
    bool ok = parse_export(&s, &dir, argc, argv, err) && hex_export(&s, dir, err);
    setup_free(&s);
    return ok;
}

/* ---- import ---- */

static bool import_command(int argc, char **argv, Err *err)
{
    const char *dir = NULL, *path = NULL;
    for (int i = 1; i < argc; i++) {
        if (cli_is(argv[i], "-o")) {
            if (!(path = cli_value(argc, argv, &i, err)))
                return false;
        } else if (argv[i][0] == '-' || dir) {
            return unexpected("import", argv[i], err);
        } else {
            dir = argv[i];
        }
    }
    if (!dir || !path)
        return err_set(err, "model import: needs DIR and -o FILE");
    Model *m = hex_import(dir, err);
    bool ok = m && model_write(m, path, err);
    model_free(m);
    return ok;
}

/* ---- info ---- */

typedef struct Range {
    double min, max, mean; /* mean of the magnitudes */
} Range;

static Range range_of(const ModelTensor *t)
{
    size_t n = (size_t)t->rows * (size_t)t->cols;
    int low = INT16_MAX, high = INT16_MIN;
    double magnitude = 0.0;
    for (size_t i = 0; i < n; i++) {
        low = t->words[i] < low ? t->words[i] : low;
        high = t->words[i] > high ? t->words[i] : high;
        magnitude += abs(t->words[i]);
    }
    return (Range){low / 256.0, high / 256.0, magnitude / 256.0 / (double)n};
}

static void print_tensor(const ModelTensor *t)
{
    Range r = range_of(t);
    char shape[32];
    if (t->is_vector)
        snprintf(shape, sizeof shape, "[%d]", t->cols);
    else
        snprintf(shape, sizeof shape, "[%d, %d]", t->rows, t->cols);
    printf("%-11s I16 %-11s min %9.4f  max %9.4f  mean |w| %8.4f\n", t->name, shape, r.min, r.max,
           r.mean);
}

static void print_info(const Model *m)
{
    printf("preset %s\n", m->config.preset);
    for (int k = 0; option_at(k); k++) {
        char text[OPTION_CHARS];
        option_text(option_at(k), &m->config, text);
        if (option_at(k)->in_model && option_told(option_at(k), &m->config))
            printf("%s %s\n", option_at(k)->key, text);
    }
    printf("vocab %s (%d: start mark %c, end mark %c)\n", m->vocab, m->vocab_size, m->vocab[0],
           m->vocab[m->vocab_size - 1]);
    for (int t = 0; t < model_tensor_count(m); t++) {
        ModelTensor tensor = model_tensor(m, t);
        print_tensor(&tensor);
    }
}

static json_t *tensor_json(const ModelTensor *t)
{
    Range r = range_of(t);
    json_t *shape = t->is_vector ? json_pack("[i]", t->cols) : json_pack("[ii]", t->rows, t->cols);
    return json_pack("{s:o, s:s, s:o, s:f, s:f, s:f}", "name", t2_json_text(t->name), "dtype",
                     "I16", "shape", shape, "min", r.min, "max", r.max, "mean_magnitude", r.mean);
}

static json_t *info_json(const char *path, const Model *m)
{
    const Config *c = &m->config;
    char end[2] = {m->vocab[m->vocab_size - 1], '\0'}, start[2] = {m->vocab[0], '\0'};
    json_t *tensors = json_array();
    for (int t = 0; t < model_tensor_count(m); t++) {
        ModelTensor tensor = model_tensor(m, t);
        json_array_append_new(tensors, tensor_json(&tensor));
    }
    json_t *doc = json_pack("{s:o, s:s}", "file", t2_json_text(path), "preset", c->preset);
    for (int k = 0; option_at(k); k++) {
        if (option_at(k)->in_model && option_told(option_at(k), c))
            options_json_put(doc, option_at(k), c);
    }
    json_t *rest = json_pack("{s:o, s:i, s:o, s:o, s:o}", "vocab", t2_json_text(m->vocab),
                             "vocab_size", m->vocab_size, "start_mark", t2_json_text(start),
                             "end_mark", t2_json_text(end), "tensors", tensors);
    json_object_update(doc, rest);
    json_decref(rest);
    return doc;
}

static bool info_command(int argc, char **argv, Err *err)
{
    const char *path = NULL;
    bool json = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            json = true;
        else if (argv[i][0] == '-' || path)
            return unexpected("info", argv[i], err);
        else
            path = argv[i];
    }
    if (!path)
        return err_set(err, "model info: needs one FILE");
    Model *m = model_read(path, err);
    if (!m)
        return false;
    if (json)
        t2_json_print(info_json(path, m));
    else
        print_info(m);
    model_free(m);
    return true;
}

int model_main(int argc, char **argv)
{
    static const struct {
        const char *name;
        bool (*run)(int argc, char **argv, Err *err);
    } actions[] = {
        {"info", info_command}, {"export-hex", export_command}, {"import", import_command}};
    static const char *const names[] = {"info", "export-hex", "import", NULL};
    char hint[SUGGEST_TEXT];
    Err err;
    for (size_t i = 0; argc > 1 && i < sizeof actions / sizeof *actions; i++) {
        if (strcmp(argv[1], actions[i].name) == 0)
            return actions[i].run(argc - 1, argv + 1, &err) ? cli_flush() : cli_fail(&err);
    }
    if (argc < 2)
        return cli_failf("model: needs an action; there are info, export-hex and import");
    return cli_failf("model: %s: no such action; %sthere are info, export-hex and import", argv[1],
                     suggest_from(argv[1], names, hint));
}
