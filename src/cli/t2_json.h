#ifndef CLI_T2_JSON_H
#define CLI_T2_JSON_H
/* What commands share when they answer in JSON (t2 was the first). */
#include <stdint.h>

#include <jansson.h>

/* A file's name need not be UTF-8: bytes that are not become \xNN. The n bytes of a longer one. */
json_t *t2_json_text(const char *text);
json_t *t2_json_text_n(const char *text, size_t n);
json_t *t2_json_count(uint64_t n);
json_t *t2_json_hex(uint32_t bits, int digits);
/* JSON has no inf and nan: they are strings. */
json_t *t2_json_number(double v);
json_t *t2_json_pair(uint64_t a, uint64_t b);

/* The document on stdout, with a newline; it is freed. */
void t2_json_print(json_t *doc);

#endif
