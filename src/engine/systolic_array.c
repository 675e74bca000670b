#include "engine/systolic_array.h"

#include <string.h>

bool systolic_array_init(SystolicArray *s, int rows, int cols, bool legacy_done, Err *err)
{
    if (rows < 1 || rows > ARRAY_MAX)
        return err_set(err, "pe_rows %d: must be 1..%d", rows, ARRAY_MAX);
    if (cols < 1 || cols > ARRAY_MAX)
        return err_set(err, "pe_cols %d: must be 1..%d", cols, ARRAY_MAX);
    memset(s, 0, sizeof *s);
    s->rows = rows;
    s->cols = cols;
    s->legacy_done = legacy_done;
    return true;
}

static int done_edge(const SystolicArray *s)
{
    return s->rows + s->cols - 2 + (s->legacy_done ? 1 : 0);
}

bool systolic_array_done(const SystolicArray *s)
{
    return s->edge == done_edge(s) + 1;
}

/* A row or column without skew registers is a wire. */
int16_t systolic_array_a_in(const SystolicArray *s, const ArrayPins *in, int r, int c)
{
    if (c > 0)
        return s->pe[r][c - 1].a;
    return r > 0 ? s->west[r][r - 1] : in->a[r];
}

int16_t systolic_array_w_in(const SystolicArray *s, const ArrayPins *in, int r, int c)
{
    if (r > 0)
        return s->pe[r - 1][c].w;
    return c > 0 ? s->north[c][c - 1] : in->w[c];
}

static void skew_line_next(const int16_t *q, int length, const ArrayPins *in, int16_t x_in,
                           int16_t *d)
{
    for (int i = 0; i < length; i++) {
        if (in->clear)
            d[i] = 0;
        else if (in->enable)
            d[i] = i > 0 ? q[i - 1] : x_in;
    }
}

/* Next registers d, preloaded with the current ones: hold. */
static void systolic_array_next(const SystolicArray *q, const ArrayPins *in, SystolicArray *d)
{
    if (in->clear)
        d->edge = 0;
    else if (in->enable && !systolic_array_done(q))
        d->edge = q->edge + 1;
    for (int r = 0; r < q->rows; r++)
        skew_line_next(q->west[r], r, in, in->a[r], d->west[r]);
    for (int c = 0; c < q->cols; c++)
        skew_line_next(q->north[c], c, in, in->w[c], d->north[c]);
    for (int r = 0; r < q->rows; r++) {
        for (int c = 0; c < q->cols; c++)
            processing_element_next(&q->pe[r][c], in->clear, in->enable,
                                    systolic_array_a_in(q, in, r, c),
                                    systolic_array_w_in(q, in, r, c), &d->pe[r][c]);
    }
}

void systolic_array_step(SystolicArray *s, const ArrayPins *in)
{
    SystolicArray d = *s;
    systolic_array_next(s, in, &d);
    *s = d;
}
