/* The backward pass against differences of the loss, in the float twin (the machine's own loss is a
 * staircase), and the products of matrices by hand. */
#include <math.h>

#include "test.h"
#include "train/batch.h"
#include "train/gemm.h"

static void test_gemm(void **state)
{
    enum { M = 6, K = 5, N = 32 };
    float a[M * K], b[K * N], c[M * N], at[K * M];
    (void)state;
    for (int i = 0; i < M * K; i++)
        a[i] = (float)(i % 7 - 3);
    for (int i = 0; i < K * N; i++)
        b[i] = (float)(i % 11 - 5);
    for (int m = 0; m < M; m++) {
        for (int k = 0; k < K; k++)
            at[k * M + m] = a[m * K + k];
    }
    for (int pass = 0; pass < 3; pass++) { /* a, its transpose, and added once more */
        if (pass == 1)
            gemm(c, at, 1, M, b, M, K, N, false);
        else
            gemm(c, a, K, 1, b, M, K, N, pass == 2);
        for (int m = 0; m < M; m++) {
            for (int n = 0; n < N; n++) {
                float want = 0.0f;
                for (int k = 0; k < K; k++)
                    want += a[m * K + k] * b[k * N + n];
                assert_true(c[m * N + n] == want * (pass == 2 ? 2.0f : 1.0f));
            }
        }
    }
}

static double mean_loss(Batch *b, const Net *n)
{
    batch_forward(b, n);
    return batch_loss(b, n) * 0.69314718055994530942 / b->n;
}

static void check_gradient(const char *norm)
{
    const float h = 4e-3f;
    Config c;
    Net n;
    Batch b;
    assert_true(config_preset(&c, "repaired", NULL) && config_set(&c, "norm", norm, NULL) &&
                config_check(&c, NULL));
    net_init(&n, &c, 3, true);
    for (size_t i = 0; i < n.size[WEIGHT_WQ]; i++)
        n.shadow[n.at[WEIGHT_WQ] + i] *= 0.2f; /* no score comes near the floor of exp */
    net_round(&n);
    batch_init(&b, &c, 4);
    batch_add(&b, n.model, "attention");
    batch_add(&b, n.model, "is");
    batch_add(&b, n.model, "stepped");
    batch_forward(&b, &n);
    batch_loss(&b, &n);
    batch_backward(&b, &n);
    for (int p = 0; p < PARAM_COUNT; p++) {
        size_t stride = n.size[p] / 9 + 1;
        for (size_t i = stride / 3; i < n.size[p]; i += stride) {
            float *x = &n.shadow[n.at[p] + i], was = *x, slope = n.grad[n.at[p] + i];
            if (p == PARAM_OUT && i % OUT_COLS >= (size_t)n.model->vocab_size)
                continue;
            *x = was + h;
            net_round(&n);
            double up = mean_loss(&b, &n);
            *x = was - h;
            net_round(&n);
            double measured = (up - mean_loss(&b, &n)) / (2.0 * (double)h);
            *x = was;
            if (fabs(measured - (double)slope) > 3e-4 + 0.03 * fabs(measured))
                fail_msg("parameter %d, element %zu: slope %g, measured %g", p, i, (double)slope,
                         measured);
        }
    }
    batch_free(&b);
    net_free(&n);
}

static void test_gradient(void **state)
{
    (void)state;
    check_gradient("layer");
}

static void test_gradient_of_rmsnorm(void **state)
{
    (void)state;
    check_gradient("rms");
}

static void check_twin(const char *norm)
{
    Config c;
    Net machine, twin;
    Batch b;
    assert_true(config_preset(&c, "repaired", NULL) && config_set(&c, "norm", norm, NULL) &&
                config_check(&c, NULL));
    net_init(&machine, &c, 3, false);
    net_init(&twin, &c, 3, true);
    batch_init(&b, &c, 1);
    batch_add(&b, twin.model, "machine");
    double exact = mean_loss(&b, &machine), rounded = mean_loss(&b, &twin);
    assert_true(fabs(exact - rounded) < 0.05);
    batch_free(&b);
    net_free(&machine);
    net_free(&twin);
}

/* The machine's forward and the float twin's agree about what an untrained net says. */
static void test_the_machine_is_near_its_twin(void **state)
{
    (void)state;
    check_twin("layer");
    check_twin("rms");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gemm),
        cmocka_unit_test(test_gradient),
        cmocka_unit_test(test_gradient_of_rmsnorm),
        cmocka_unit_test(test_the_machine_is_near_its_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
