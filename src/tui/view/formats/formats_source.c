/* Where the formats view has its value from: typed, flipped bit by bit, or a wire of the machine.
 */
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "num/text.h"
#include "tui/view/formats/formats.h"

static const char *const five[FORMATS_FIVE] = {"q8.8", "fp16", "bf16", "e4m3", "e2m1"};
static const char example[] = "0.5898"; /* what the deck's own test printed */

/* ---- the order of the rows ---- */

static bool is_of_the_five(const Format *format)
{
    for (int i = 0; i < FORMATS_FIVE; i++) {
        if (strcmp(format->name, five[i]) == 0)
            return true;
    }
    return false;
}

const Format *formats_row(int row)
{
    if (row < FORMATS_FIVE)
        return format_find(five[row < 0 ? 0 : row]);
    const Format *format = format_table, *last = format;
    for (int at = FORMATS_FIVE - 1; format->name; format++) {
        if (is_of_the_five(format))
            continue;
        last = format;
        if (++at == row)
            break;
    }
    return last;
}

int formats_row_of(const Format *format)
{
    int row = 0;
    while (row < FORMAT_COUNT - 1 && formats_row(row) != format)
        row++;
    return row;
}

const Format *formats_other(const FormatsState *s)
{
    int other = s->other;
    if (other > 0 && other <= FORMAT_COUNT)
        return &format_table[other - 1];
    const Format *bf16 = format_find("bf16");
    return formats_row(s->v.row) != bf16 ? bf16 : format_find("fp16");
}

/* ---- typed text ---- */

/* The next word of *text; its length, 0 at the end. */
static size_t next_word(const char **text)
{
    *text += strspn(*text, " \t,");
    return strcspn(*text, " \t,");
}

/* FORMAT:0xHEX; false without an error when the word is nothing of the kind. */
static bool parse_code(const char *word, size_t len, const Format **format, uint32_t *code,
                       Err *err)
{
    char name[16];
    const char *colon = memchr(word, ':', len);
    size_t n = colon ? (size_t)(colon - word) : 0;
    if (n == 0 || n >= sizeof name || strncmp(word, "bits32:", 7) == 0)
        return false;
    memcpy(name, word, n);
    name[n] = '\0';
    *format = format_find(name);
    char hint[SUGGEST_TEXT];
    if (!*format)
        return err_set(err, "%s: there is no such format; %sthey are the rows here", name,
                       format_hint(name, hint));
    char digits[16] = "";
    size_t used = len - n - 1;
    if (used < sizeof digits)
        memcpy(digits, colon + 1, used);
    const char *hex = digits[0] == '0' && (digits[1] | 0x20) == 'x' ? digits + 2 : digits;
    size_t width = strlen(hex);
    if (width == 0 || width > 8 || strspn(hex, "0123456789abcdefABCDEF") != width)
        return err_set(err, "%.*s: a code of %s is written as %s:0x and hex digits", HEAD(word, 40),
                       name, name);
    *code = (uint32_t)strtoul(hex, NULL, 16);
    if (word[len + strspn(word + len, " \t,")])
        return err_set(err, "%s:%s stands alone: several codes are no value", name, digits);
    if (!format_fits(*format, *code))
        return err_set(err, "%s: 0x%x does not fit %d bits", name, (unsigned)*code,
                       (*format)->bits);
    return true;
}

/* All numbers of the text into values (or, with NULL, only checked); how many, or -1. */
static int parse_list(const char *text, Value *values, Err *err)
{
    int count = 0;
    Value scratch;
    value_init(&scratch);
    for (size_t len; (len = next_word(&text)) > 0; text += len) {
        Err why;
        if (!value_parse(values ? &values[count] : &scratch, text, len, &why)) {
            err_set(err, "%.*s: %s", len < 40 ? (int)len : 40, text, why.text);
            count = -1;
            break;
        }
        if (++count == BLOCK_MAX && text[len + strspn(text + len, " \t,")]) {
            err_set(err, "at most %d numbers", BLOCK_MAX);
            count = -1;
            break;
        }
    }
    value_free(&scratch);
    return count;
}

static void forget(FormatsState *s)
{
    s->typed[0] = '\0';
    s->element = 0;
    s->flipped = false;
}

bool formats_type(FormatsState *s, const char *text, Err *err)
{
    const Format *format = NULL;
    uint32_t code = 0;
    Err why = {0};
    size_t len = next_word(&text);
    if (len == 0)
        return err_set(err, "fmt: a number is missing: fmt 0.5898, fmt 0x1.8p3, fmt e4m3:0x7e");
    if (strlen(text) >= FORMATS_TYPED_MAX)
        return err_set(err, "fmt: at most %d characters here", FORMATS_TYPED_MAX - 1);
    if (parse_code(text, len, &format, &code, &why)) {
        forget(s);
        s->flipped = true;
        s->flipped_in = (int)(format - format_table);
        s->code = code;
        s->v.row = formats_row_of(format);
        return true;
    }
    if (why.text[0])
        return err_set(err, "fmt: %.*s", HEAD(why.text, 400));
    if (parse_list(text, NULL, &why) < 0)
        return err_set(err, "fmt: %.*s", HEAD(why.text, 400));
    forget(s);
    memcpy(s->typed, text, strlen(text) + 1);
    return true;
}

void formats_follow(FormatsState *s, Target target)
{
    if (!target.signal || target.signal->type == TYPE_STATE || /* a name, not a number */
        (target.signal == s->followed.signal && target.at == s->followed.at))
        return;
    forget(s);
    s->followed = target;
}

/* ---- the value ---- */

static void set_raw(Value *v, const Signal *signal, int32_t raw)
{
    int64_t size = raw < 0 ? -(int64_t)raw : raw;
    value_set_binary(v, raw < 0, (uint64_t)size, -signal->frac);
}

/* The elements of the wire's vector that would share a block with it. */
static void load_wire(Formats *f)
{
    Target t = f->state->followed;
    const BlockFormat *block = &block_table[f->state->block];
    int all = signal_count(f->e, t.signal), at = t.at < 0 || t.at >= all ? 0 : t.at;
    f->first = at / block->size * block->size;
    f->at = at - f->first;
    f->count = all - f->first < block->size ? all - f->first : block->size;
    for (int i = 0; i < f->count; i++)
        set_raw(&f->values[i], t.signal, signal_get(f->e, t.signal, f->first + i));
}

void formats_largest(const Formats *f, Value *v)
{
    const Signal *signal = f->state->followed.signal;
    value_copy(v, &f->values[0]);
    if (f->source == FROM_WIRE) {
        int32_t largest = 0;
        for (int i = 0, n = signal_count(f->e, signal); i < n; i++) {
            int32_t raw = signal_get(f->e, signal, i);
            largest = llabs(raw) > llabs(largest) ? raw : largest;
        }
        set_raw(v, signal, largest);
        return;
    }
    for (int i = 1; i < f->count; i++) {
        if (v->kind == VALUE_NAN || f->values[i].kind == VALUE_NAN)
            value_set_special(v, VALUE_NAN, false);
        else if (value_cmp_abs(&f->values[i], v) > 0)
            value_copy(v, &f->values[i]);
    }
}

static void load_typed(Formats *f, const char *text)
{
    int element = f->state->element;
    f->count = parse_list(text, f->values, NULL);
    f->at = element < f->count ? element : f->count - 1;
}

static void load(Formats *f)
{
    const FormatsState *s = f->state;
    f->count = 1;
    f->source = s->flipped                                                      ? FROM_FLIPPED
                : s->typed[0]                                                   ? FROM_TYPED
                : s->followed.signal && signal_exists(f->e, s->followed.signal) ? FROM_WIRE
                                                                                : FROM_EXAMPLE;
    if (f->source == FROM_FLIPPED)
        format_value(&format_table[s->flipped_in], s->code, &f->values[0]);
    else if (f->source == FROM_WIRE)
        load_wire(f);
    else
        load_typed(f, f->source == FROM_TYPED ? s->typed : example);
    f->value = &f->values[f->at];
}

void formats_open(Formats *f, const Session *s, const FormatsState *state, bool focused)
{
    *f = (Formats){.e = session_engine(s), .state = state, .focused = focused};
    f->rounding =
        (Rounding){.mode = (RoundMode)state->round_mode, .overflow = (Overflow)state->overflow};
    for (int i = 0; i < BLOCK_MAX; i++)
        value_init(&f->values[i]);
    load(f);
    f->format = formats_row(state->v.row);
    for (int i = 0; i < FORMAT_COUNT; i++)
        f->encoded[i] = format_round(&format_table[i], f->value, &f->rounding);
    if (f->source == FROM_FLIPPED) /* a nan keeps the very bits that were flipped */
        f->encoded[state->flipped_in] = (Encoded){.code = state->code, .exact = true};
}

void formats_close(Formats *f)
{
    for (int i = 0; i < BLOCK_MAX; i++)
        value_free(&f->values[i]);
}

void formats_flip(const Session *s, FormatsState *state)
{
    Formats f;
    formats_open(&f, s, state, false);
    int bits = f.format->bits, col = state->v.col < bits ? state->v.col : bits - 1;
    uint32_t code = formats_encoded(&f, f.format)->code ^ UINT32_C(1) << (bits - 1 - col);
    int in = (int)(f.format - format_table);
    formats_close(&f);
    forget(state);
    state->flipped = true;
    state->flipped_in = in;
    state->code = code;
}
