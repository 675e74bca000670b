#ifndef CLI_ASSETS_H
#define CLI_ASSETS_H
/* Where the program's own files are (cli.md): beside the sources when it runs from build/, in
 * ../share/tokstep relative to the executable when it is installed. */
#include <stdbool.h>

#include "base/buf.h"

/* The path of assets/NAME into path; false when there is no such file. */
bool asset_find(const char *name, Buf *path);

#endif
