#ifndef TENSOR_JSON_TEXT_H
#define TENSOR_JSON_TEXT_H
/* A JSON text read member by member, so that a long one is never held as a tree of values (a value
 * of two bytes makes one of up to 300). Private to the room. Grammar: RFC 8259, as jansson reads
 * it: no NUL in a string, no lone surrogate, no key twice within a value. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

typedef struct JsonText {
    const char *text;
    uint64_t n;
    uint64_t at;     /* the next byte to be read */
    uint64_t key_at; /* where the member at hand begins */
    char why[224];   /* "" or what is wrong with the text ... */
    uint64_t why_at; /* ... and where */
} JsonText;

/* The byte that the next value begins with, past blanks; '\0' at the end of the text. */
char json_text_peek(JsonText *j);
/* Is it the end of the text, but for blanks? Else false with j->why set. */
bool json_text_end(JsonText *j);
/* The string that comes next, in fresh memory; NULL with j->why set. */
char *json_text_string(JsonText *j);
/* Bytes of the value that comes next, so far as its brackets and quotes tell; of a longer one than
 * `most` bytes any number beyond that. */
uint64_t json_text_length(JsonText *j, uint64_t most);
/* The value that comes next, as a tree: who has not limited its length has no limit to its memory.
 * NULL with j->why set. */
json_t *json_text_value(JsonText *j);

/* A member's key (now the function's own); its value comes next and is to be read. */
typedef bool JsonMember(void *context, char *key);
/* Hand every member of the object that comes next to `member`, in order. False with j->why set when
 * the text is at fault, without it when `member` returned false. Keys may come twice. */
bool json_text_members(JsonText *j, JsonMember *member, void *context);

#endif
