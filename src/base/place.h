#ifndef BASE_PLACE_H
#define BASE_PLACE_H
/* Where the program's own directories are (cli.md): lua, lessons, rtl, assets. */
#include "base/buf.h"
#include "base/err.h"

/* The directory `name` into path: in ../share/tokstep relative to the executable when it is
 * installed, else beside the sources it was built from. Refused when there is none. */
bool place_dir(const char *name, Buf *path, Err *err);

#endif
