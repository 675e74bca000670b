/* tokstep eval: bits per character of a model on words. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/line.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "model/score.h"
#include "model/words.h"

const char eval_help[] =
    "tokstep eval --model FILE [OPTIONS] WORDS.txt: bits per character on words, one\n"
    "a line (- is stdin)\n\n"
    "  The end mark counts as a character. Computed with the machine's own\n"
    "  arithmetic, bit for bit. Lines with letters that the model does not have are\n"
    "  skipped and counted on stderr.\n\n"
    "  --held-out           only the words that training never saw: a-z, at most 24\n"
    "                       letters, first byte of their sha256 below 26\n"
    "  --preset NAME        the model under another mask rule\n"
    "  --set ffn_w2=t2:FILE its w2 from ternary tiles: what do they cost?\n"
    "  --json               the same as JSON\n\n"
    "  tokstep eval --model assets/words-repaired.safetensors --held-out \\\n"
    "      /usr/share/dict/american-english\n";

typedef struct Eval {
    Setup setup;
    const char *words;
    bool held_out, json;
} Eval;

static bool parse_options(Eval *v, int argc, char **argv, Err *err)
{
    if (!options_begin(&v->setup, argc, argv, err))
        return false;
    for (int i = 1; i < argc; i++) {
        int taken = options_take(&v->setup, argc, argv, &i, err);
        if (taken < 0)
            return false;
        if (taken)
            continue;
        if (strcmp(argv[i], "--held-out") == 0)
            v->held_out = true;
        else if (strcmp(argv[i], "--json") == 0)
            v->json = true;
        else if (argv[i][0] == '-' && argv[i][1])
            return cli_no_option("eval", argv[i], err);
        else if (v->words)
            return err_set(err, "eval: %s: unexpected; tokstep eval --help tells more", argv[i]);
        else
            v->words = argv[i];
    }
    if (!v->setup.model)
        return err_set(err, "eval: needs --model FILE");
    if (!v->words)
        return err_set(err, "eval: names no file of words");
    return options_finish(&v->setup, err);
}

/* Scores every line; *skipped counts those that the model cannot spell. */
static bool score_file(const Eval *v, Score *score, uint64_t *skipped, Err *err)
{
    bool is_stdin = strcmp(v->words, "-") == 0;
    FILE *f = is_stdin ? stdin : fopen(v->words, "r");
    Lines lines = {.f = f, .name = file_name(v->words)};
    LinesResult result;
    if (!f)
        return err_set(err, "%s: %s", v->words, strerror(errno));
    while ((result = lines_next(&lines, err)) == LINES_LINE) {
        const char *line = buf_str(&lines.line);
        if (!*line || (v->held_out && !(word_is_plain(line) && word_is_held_out(line))))
            continue;
        *skipped += !score_word(score, line);
    }
    lines_free(&lines);
    if (!is_stdin)
        fclose(f);
    return result == LINES_END;
}

static int print(const Eval *v, const Score *score, uint64_t skipped)
{
    double bits = score_bits(score) / (double)score_chars(score);
    if (skipped)
        fprintf(stderr,
                "tokstep: %s: %" PRIu64 " line%s skipped, with letters the model does not "
                "have or too many\n",
                file_name(v->words), skipped, skipped == 1 ? "" : "s");
    if (v->json)
        printf("{\"bits_per_char\":%.4f,\"chars\":%" PRIu64 ",\"skipped\":%" PRIu64 "}\n", bits,
               score_chars(score), skipped);
    else
        printf("bits/char %.4f over %" PRIu64 " chars\n", bits, score_chars(score));
    return cli_flush();
}

int eval_main(int argc, char **argv)
{
    Eval v = {0};
    Err err;
    uint64_t skipped = 0;
    int rc;
    if (!parse_options(&v, argc, argv, &err)) {
        rc = cli_fail(&err);
    } else {
        Score *score = score_new(&v.setup);
        if (!score_file(&v, score, &skipped, &err))
            rc = cli_fail(&err);
        else if (score_chars(score) == 0)
            rc = cli_failf("%s: no %sword that the model can spell", file_name(v.words),
                           v.held_out ? "held-out " : "");
        else
            rc = print(&v, score, skipped);
        score_free(score);
    }
    setup_free(&v.setup);
    return rc;
}
