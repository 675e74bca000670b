/* Help texts: constants, in which a word in braces stands for what a list of the machine says.
 *
 *   {options}  the keys of all options        {sizes}   of the sizes that a model has
 *   {numbers}  of those that are numbers      {presets} their names, the first the default
 *   {formats}  the names of the number formats
 *
 * A line that grows too long by it goes on in the column where its description began. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "engine/option.h"
#include "num/format.h"

enum { HELP_WIDTH = 80 };

static void put_keys(Buf *b, bool (*is)(const Option *))
{
    const char *gap = "";
    for (int k = 0; option_at(k); k++) {
        if (!is(option_at(k)))
            continue;
        buf_printf(b, "%s%s", gap, option_at(k)->key);
        gap = " ";
    }
}

static bool any(const Option *o)
{
    return o != NULL;
}
static bool is_number(const Option *o)
{
    return o->type == OPTION_NUMBER;
}
static bool is_size(const Option *o)
{
    return is_number(o) && o->in_model;
}

static void put_options(Buf *b)
{
    put_keys(b, any);
}
static void put_numbers(Buf *b)
{
    put_keys(b, is_number);
}
static void put_sizes(Buf *b)
{
    put_keys(b, is_size);
}

static void put_presets(Buf *b)
{
    for (int k = 0; config_presets[k]; k++) {
        const char *gap = k == 0 ? "" : config_presets[k + 1] ? ", " : " or ";
        buf_printf(b, "%s%s%s", gap, config_presets[k], k == 0 ? " (default)" : "");
    }
}

static void put_formats(Buf *b)
{
    for (const Format *f = format_table; f->name; f++)
        buf_printf(b, "%s%s", f == format_table ? "" : " ", f->name);
}

/* The list that the text begins with is put; how long its word is, 0 when it is none. */
static size_t put_list(const char *text, Buf *b)
{
    static const struct {
        const char *word;
        void (*put)(Buf *b);
    } lists[] = {{"{options}", put_options},
                 {"{numbers}", put_numbers},
                 {"{sizes}", put_sizes},
                 {"{presets}", put_presets},
                 {"{formats}", put_formats}};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        size_t len = strlen(lists[k].word);
        if (strncmp(text, lists[k].word, len) == 0) {
            lists[k].put(b);
            return len;
        }
    }
    return 0;
}

static void expand(const char *help, Buf *b)
{
    while (*help) {
        size_t len = put_list(help, b);
        if (len == 0) {
            len = 1 + strcspn(help + 1, "{");
            buf_add(b, help, len);
        }
        help += len;
    }
}

/* Where what is said of the word at the line's start begins: behind two blanks or more; of a line
 * without such, its indent. */
static size_t description(const char *line, size_t len)
{
    size_t indent = strspn(line, " "), at = indent;
    while (at + 1 < len && (line[at] != ' ' || line[at + 1] != ' '))
        at++;
    return at + 1 < len ? at + strspn(line + at, " ") : indent;
}

/* One line, broken at blanks. */
static void print_line(const char *line, size_t len)
{
    size_t column = description(line, len), room = HELP_WIDTH;
    while (len > room) {
        size_t cut = room;
        while (cut > 0 && line[cut] != ' ')
            cut--;
        printf("%.*s\n%*s", (int)cut, line, (int)column, "");
        line += cut + 1;
        len -= cut + 1;
        room = HELP_WIDTH - column;
    }
    printf("%.*s\n", (int)len, line);
}

void cli_help(const char *help)
{
    Buf text = {0};
    expand(help, &text);
    for (const char *line = buf_str(&text); *line;) {
        size_t len = strcspn(line, "\n");
        print_line(line, len);
        line += len + (line[len] == '\n');
    }
    buf_free(&text);
}
