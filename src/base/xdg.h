#ifndef BASE_XDG_H
#define BASE_XDG_H
/* Where a user's files are, by the XDG base directories. */
#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

typedef enum { XDG_CONFIG, XDG_DATA, XDG_STATE } XdgKind;

/* $XDG_CONFIG_HOME/tokstep/NAME (or $XDG_DATA_HOME, $XDG_STATE_HOME), by default below ~/.config
 * (~/.local/share, ~/.local/state). False when neither is set. */
bool xdg_path(XdgKind kind, const char *name, Buf *path);
/* The directories that the file needs. */
bool xdg_make_parents(const char *path, Err *err);

#endif
