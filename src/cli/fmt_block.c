#include "cli/fmt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/fmt_json.h"
#include "cli/t2_json.h"
#include "num/block.h"
#include "num/measure.h"
#include "num/text.h"

static bool read_tensor_scale(const FmtRequest *r, const Value *values, size_t count,
                              uint32_t *code, Err *err)
{
    if (!r->tensor)
        return true;
    if (strcmp(r->tensor, "auto") == 0) {
        *code = block_tensor_scale(values, count);
        return true;
    }
    Value x;
    value_init(&x);
    bool ok = fmt_parse(&x, r->tensor, err) &&
              (block_tensor_code(&x, code) ||
               err_set(err, "--tensor-scale %s: not a positive fp32 number", r->tensor));
    value_free(&x);
    return ok;
}

/* The error, in full while it is short enough to read. */
static void print_block_error(Buf *b, const Value *stored, const Value *v)
{
    enum { READABLE = 64, DIGITS = 17 };
    Value error;
    Buf text = {0};
    value_init(&error);
    if (value_is_finite(stored) && value_is_finite(v))
        value_error(&error, stored, v);
    else
        value_set_special(&error, VALUE_NAN, false);
    value_print_short(&text, &error, READABLE);
    if (*buf_str(&text) == '~') {
        buf_clear(&text);
        value_print_rounded(&text, &error, DIGITS);
    }
    buf_text(b, buf_str(&text));
    buf_free(&text);
    value_free(&error);
}

static void print_element(Buf *b, const Block *block, size_t i, Value *stored)
{
    format_print_code(b, block_element_format(block->format), block->code[i]);
    buf_text(b, " ");
    block_value(block, i, stored);
    value_print(b, stored);
}

static void print_block(Buf *b, const Block *block, const Block *divided, const Value *values)
{
    const Format *scale = block_scale_format(block->format);
    Value v;
    value_init(&v);
    buf_text(b, "scale ");
    format_print_code(b, scale, block->scale);
    buf_text(b, " ");
    format_value(scale, block->scale, &v);
    value_print(b, &v);
    buf_text(b, "\n");
    for (size_t i = 0; i < block->count; i++) {
        buf_printf(b, "%zu ", i);
        print_element(b, block, i, &v);
        buf_text(b, " ");
        print_block_error(b, &v, &values[i]);
        if (divided->code[i] != block->code[i]) {
            buf_text(b, " exact ");
            print_element(b, divided, i, &v);
        }
        buf_text(b, "\n");
    }
    value_free(&v);
}

static bool encode_block(const FmtRequest *r, const BlockFormat *f, const Value *values, Err *err)
{
    char buf[FMT_SHOWN];
    size_t count = (size_t)r->count;
    BlockOptions options = {0}, exact;
    if (r->scale && !scale_rule_find(r->scale, &options.rule))
        return err_set(err, "--scale %s: not one of floor, ceil, even, rceil",
                       fmt_shown(r->scale, buf));
    if (!read_tensor_scale(r, values, count, &options.tensor, err))
        return false;
    exact = options;
    options.reciprocal = r->reciprocal != NULL;
    Block block, divided;
    if (!block_encode(f, &options, values, count, &block, err) ||
        !block_encode(f, &exact, values, count, &divided, err))
        return false;
    if (r->json) {
        t2_json_print(fmt_json_block(&block, &divided, values));
        return true;
    }
    Buf b = {0};
    print_block(&b, &block, &divided, values);
    fputs(buf_str(&b), stdout);
    buf_free(&b);
    return true;
}

bool fmt_block(const FmtRequest *r, Err *err)
{
    char buf[FMT_SHOWN], hint[SUGGEST_TEXT];
    const BlockFormat *f = block_find(r->mode_arg);
    if (!f)
        return err_set(err, "%s: no such block format; %stokstep fmt --help names them",
                       fmt_shown(r->mode_arg, buf), block_hint(r->mode_arg, hint));
    if (!fmt_need_values(r, err))
        return false;
    Value *values = xcalloc((size_t)r->count, sizeof *values);
    bool ok = true;
    for (int i = 0; i < r->count; i++) {
        value_init(&values[i]);
        ok = ok && fmt_parse(&values[i], r->args[i], err);
    }
    ok = ok && encode_block(r, f, values, err);
    for (int i = 0; i < r->count; i++)
        value_free(&values[i]);
    free(values);
    return ok;
}
