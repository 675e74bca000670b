/* The C array beside the simulated RTL (tb_systolic_cosim.sv): the same pins, and every register
 * compared after every edge.
 *
 *   systolic_cosim pins  ROWS COLS LEGACY SEED DIR    writes DIR/config.svh and DIR/pins.hex
 *   systolic_cosim check ROWS COLS LEGACY SEED        reads the bench's output
 *
 * Pins are random, extremes among them; one edge in eight is disabled, one in forty a clear. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/systolic_array.h"

enum { EDGES = 400 };

static uint32_t state;

static uint32_t draw(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 16;
}

static int16_t draw_word(void)
{
    static const uint16_t extremes[] = {0x8000, 0x7fff, 0xffff, 0x0000};
    uint32_t which = draw() % 16;
    return (int16_t)(uint16_t)(which < 4 ? extremes[which] : draw());
}

static ArrayPins draw_pins(const SystolicArray *s)
{
    ArrayPins in = {.clear = draw() % 40 == 0, .enable = draw() % 8 != 0};
    for (int r = 0; r < s->rows; r++)
        in.a[r] = draw_word();
    for (int c = 0; c < s->cols; c++)
        in.w[c] = draw_word();
    return in;
}

/* One word of pins: the top digit holds enable and clear. */
static void write_pins(const SystolicArray *s, const ArrayPins *in, FILE *f)
{
    fprintf(f, "%x", (unsigned)(in->enable * 2 + in->clear));
    for (int c = s->cols - 1; c >= 0; c--)
        fprintf(f, "%04x", (unsigned)(uint16_t)in->w[c]);
    for (int r = s->rows - 1; r >= 0; r--)
        fprintf(f, "%04x", (unsigned)(uint16_t)in->a[r]);
    fputc('\n', f);
}

static int write_files(const SystolicArray *s, const char *dir)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/config.svh", dir);
    FILE *config = fopen(path, "w");
    snprintf(path, sizeof path, "%s/pins.hex", dir);
    FILE *pins = fopen(path, "w");
    if (!config || !pins) {
        perror(path);
        return 2;
    }
    fprintf(config,
            "  localparam int Rows = %d;\n  localparam int Cols = %d;\n"
            "  localparam int Edges = %d;\n  localparam bit LegacyDone = 1'b%d;\n",
            s->rows, s->cols, EDGES, s->legacy_done);
    for (int t = 0; t < EDGES; t++) {
        ArrayPins in = draw_pins(s);
        write_pins(s, &in, pins);
    }
    return fclose(config) || fclose(pins) ? 2 : 0;
}

static uint64_t compared;

static bool differ(int edge, const char *what, int at, const char *line)
{
    printf("first difference: edge %d, %s %d: rtl %s", edge, what, at, line);
    return false;
}

static bool next_line(char line[128])
{
    do {
        if (!fgets(line, 128, stdin))
            return false;
    } while (line[0] == '-'); /* Verilator's notices */
    return true;
}

static bool check_elements(const SystolicArray *s, int edge, char line[128])
{
    for (int i = 0; i < s->rows * s->cols; i++) {
        const ProcessingElement *p = &s->pe[i / s->cols][i % s->cols];
        unsigned a = 0, w = 0, acc = 0;
        compared += 3;
        if (!next_line(line) || sscanf(line, "p %x %x %x", &a, &w, &acc) != 3 ||
            a != (uint16_t)p->a || w != (uint16_t)p->w || acc != (uint32_t)p->acc)
            return differ(edge, "element", i, line);
    }
    return true;
}

static bool check_skew(const int16_t q[ARRAY_MAX][ARRAY_MAX], int lines, int edge, char line[128])
{
    for (int i = 0; i < lines * ARRAY_MAX; i++) {
        unsigned word = 0;
        compared++;
        if (!next_line(line) || sscanf(line, "s %x", &word) != 1 ||
            word != (uint16_t)q[i / ARRAY_MAX][i % ARRAY_MAX])
            return differ(edge, "skew register", i, line);
    }
    return true;
}

static bool check_edge(const SystolicArray *s, int edge)
{
    char line[128] = "(nothing)\n";
    int at = 0, counter = 0, done = 0;
    compared += 2;
    if (!next_line(line) || sscanf(line, "e %d %d %d", &at, &counter, &done) != 3 || at != edge ||
        counter != s->edge || done != systolic_array_done(s))
        return differ(edge, "edge counter and done", s->edge, line);
    return check_elements(s, edge, line) && check_skew(s->west, s->rows, edge, line) &&
           check_skew(s->north, s->cols, edge, line);
}

static int check(SystolicArray *s)
{
    for (int t = 0; t < EDGES; t++) {
        ArrayPins in = draw_pins(s);
        systolic_array_step(s, &in);
        if (!check_edge(s, t))
            return 1;
    }
    printf("%d x %d: %d edges, %" PRIu64 " values compared, 0 differences\n", s->rows, s->cols,
           EDGES, compared);
    return 0;
}

int main(int argc, char **argv)
{
    SystolicArray s;
    Err err;
    bool files = argc == 7 && strcmp(argv[1], "pins") == 0;
    if (!files && !(argc == 6 && strcmp(argv[1], "check") == 0)) {
        fprintf(stderr, "systolic_cosim: usage: see tests/rtl/systolic_cosim.c\n");
        return 2;
    }
    if (!systolic_array_init(&s, atoi(argv[2]), atoi(argv[3]), atoi(argv[4]) != 0, &err)) {
        fprintf(stderr, "systolic_cosim: %s\n", err.text);
        return 2;
    }
    state = (uint32_t)strtoul(argv[5], NULL, 10);
    return files ? write_files(&s, argv[6]) : check(&s);
}
