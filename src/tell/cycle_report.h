#ifndef TELL_CYCLE_REPORT_H
#define TELL_CYCLE_REPORT_H
/* The cycle counter (cli.md "cycles", decoder.md section 8): what one token costs, per stage, three
 * times over: measured by stepping a scratch machine, by the closed form, by the deck's estimate.
 */
#include "engine/cycle.h"

typedef struct CycleRow {
    uint64_t measured; /* 0 until it has been measured */
    uint64_t formula;  /* decoder.md sections 4 and 5; README for variant array */
    uint64_t deck;     /* 0: the deck's estimate has no such stage, or no such machine */
} CycleRow;

typedef struct CycleReport {
    Config config;
    int pos;                    /* seq_pos of the token */
    CycleRow rows[STAGE_COUNT]; /* by Stage */
    CycleRow total;
    CycleRow useful, slots; /* variant array: products needed, and room for on the array */
} CycleReport;

/* The stages in the order in which they are listed. */
extern const Stage cycle_stages[STAGE_COUNT];

/* Formula and deck of a token at 0 <= pos < max_seq_len; the config has passed config_check. */
CycleReport cycle_report(const Config *c, int pos);
/* Fill in the measured column: one token on a machine of its own, every clock stepped. */
void cycle_measure(CycleReport *r);
/* Useful products over slots; 0 where there are none. */
double cycle_utilisation(uint64_t useful, uint64_t slots);

double cycle_latency_ms(uint64_t cycles, double mhz);
double cycle_tokens_per_s(uint64_t cycles, double mhz);
/* K and V together, in bytes: the machine's words, and by the deck, which takes bytes for bits. */
uint64_t cycle_kv_bytes(const Config *c);
uint64_t cycle_kv_bytes_deck(const Config *c);

enum { SWEEP_LIST = 64 };

/* A sweep over one size (d_model n_heads d_ff max_seq_len pe_rows pe_cols) or over pos. */
typedef struct CycleSweep {
    char key[16];
    int low, high; /* inclusive */
    int step;      /* added, or multiplied by when `times` */
    bool times;
    int count;            /* of a list, 0: a range */
    int list[SWEEP_LIST]; /* in the order in which they were given */
} CycleSweep;

/* "KEY=LO:HI:STEP", "KEY=LO:HI:xF" or "KEY=V,V,...". */
bool cycle_sweep_parse(CycleSweep *w, const char *text, Err *err);
/* The i-th value (from 0); false behind the last. */
bool cycle_sweep_value(const CycleSweep *w, int i, int *value);
/* Put one value into the configuration, or the position. */
bool cycle_sweep_apply(const CycleSweep *w, int value, Config *c, int *pos, Err *err);
/* The report of a configuration that may not be legal: false with err then. Not measured. */
bool cycle_sweep_report(const Config *c, int pos, CycleReport *r, Err *err);

/* Is it a position of this machine? */
bool cycle_pos_check(const Config *c, int pos, Err *err);

#endif
