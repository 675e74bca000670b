#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/printable.h"

bool err_set(Err *err, const char *fmt, ...)
{
    if (err) {
        va_list ap;
        va_start(ap, fmt);
        vsnprintf(err->text, sizeof err->text, fmt, ap);
        va_end(ap);
        printable_in_place(err->text, sizeof err->text);
        err->of_content = err->of_script = false;
    }
    return false;
}
