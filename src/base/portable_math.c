#include "base/portable_math.h"

#include <stdint.h>
#include <string.h>

static const double ln2_high = 0x1.62e42fefa3800p-1; /* 10 trailing zero bits: k * it is exact */
static const double ln2_low = 0x1.ef35793c76730p-45;

static double power_of_two(int k)
{
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

double portable_exp(double x)
{
    if (x < -700.0)
        return 0.0;
    double scaled = x * 0x1.71547652b82fep0;
    int k = (int)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    double r = (x - k * ln2_high) - k * ln2_low; /* |r| <= ln 2 / 2: 14 terms of the series */
    double sum = 1.0;
    for (int n = 14; n > 0; n--)
        sum = 1.0 + sum * r / n;
    return sum * power_of_two(k);
}

double portable_log(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int k = (int)(bits >> 52) - 1023;
    double m = x * power_of_two(-k); /* 1 <= m < 2, then 0.7..1.4 */
    if (m > 0x1.6a09e667f3bcdp0) {
        m *= 0.5;
        k++;
    }
    double z = (m - 1.0) / (m + 1.0), z2 = z * z; /* log m = 2 atanh z, |z| < 0.172 */
    double sum = 0.0;
    for (int n = 21; n > 0; n -= 2)
        sum = sum * z2 + 1.0 / n;
    return k * ln2_high + (k * ln2_low + 2.0 * z * sum);
}
