/* Help texts: constants, in which a word in braces stands for what a list of the machine says.
 *
 *   {options}  the keys of all options        {sizes}   of the sizes that a model has
 *   {numbers}  of those that are numbers      {presets} their names, the first the default
 *
 * A line that grows too long by it goes on in the column of the descriptions. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "engine/option.h"

enum { HELP_COLUMN = 23, HELP_WIDTH = 80 };

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

/* The list that the text begins with is put; how long its word is, 0 when it is none. */
static size_t put_list(const char *text, Buf *b)
{
    static const struct {
        const char *word;
        void (*put)(Buf *b);
    } lists[] = {{"{options}", put_options},
                 {"{numbers}", put_numbers},
                 {"{sizes}", put_sizes},
                 {"{presets}", put_presets}};
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

/* One line, broken at blanks. */
static void print_line(const char *line, size_t len)
{
    while (len > HELP_WIDTH) {
        size_t cut = HELP_WIDTH;
        while (cut > HELP_COLUMN && line[cut] != ' ')
            cut--;
        printf("%.*s\n%*s", (int)cut, line, HELP_COLUMN, "");
        line += cut + 1;
        len -= cut + 1;
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
