#ifndef BASE_MARKS_H
#define BASE_MARKS_H
/* The marks that double a screen's roles, in text too (UTF-8; canvas_put finds the ASCII twin). */
#define MARK_ACTIVE  "►"
#define MARK_WRITTEN "▲"
#define MARK_READ    "·"
#define MARK_WARN    "!"
#define MARK_MASKED  "░"

#endif
