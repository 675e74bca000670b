/* Keys by name, as curses and the bytes of the terminal tell them. */
#include "tui/input/term_keys.h"

#include <limits.h>
#include <stdio.h>
#include <wchar.h>

enum {
    PASTE_MAX = 1 << 20,
    PASTE_WAIT = 500,   /* ms without a byte that end a paste whose closing mark got lost */
    SEQUENCE_WAIT = 20, /* ms in which the rest of an escape sequence follows */
    SEQUENCE_MAX = 4096 /* bytes of one that is skipped */
};

static bool name_special(wint_t code, char key[KEY_NAME_MAX])
{
    static const struct {
        wint_t code;
        const char *name;
    } table[] = {
        {KEY_UP, "Up"},        {KEY_DOWN, "Down"}, {KEY_LEFT, "Left"},  {KEY_RIGHT, "Right"},
        {KEY_HOME, "Home"},    {KEY_END, "End"},   {KEY_PPAGE, "PgUp"}, {KEY_NPAGE, "PgDn"},
        {KEY_BACKSPACE, "BS"}, {KEY_DC, "Del"},    {KEY_IC, "Ins"},     {KEY_BTAB, "S-Tab"},
        {KEY_ENTER, "Enter"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].code == code) {
            snprintf(key, KEY_NAME_MAX, "%s", table[i].name);
            return true;
        }
    }
    if (code >= KEY_F(1) && code <= KEY_F(12)) {
        snprintf(key, KEY_NAME_MAX, "F%d", (int)(code - KEY_F(0)));
        return true;
    }
    return false;
}

/* What read_char found besides OK, KEY_CODE_YES and ERR: bytes that are no character here. */
enum { BAD_BYTES = 2 };

/* The character that a byte above 0x7f begins, in the encoding of the locale. What does not go on
 * with it is left for the next call. */
static int read_rest(WINDOW *window, int byte, wint_t *ch)
{
    mbstate_t state = {0};
    wchar_t wc = 0;
    int before = wgetdelay(window);
    char c = (char)byte;
    size_t n = mbrtowc(&wc, &c, 1, &state);
    wtimeout(window, SEQUENCE_WAIT);
    while (n == (size_t)-2) {
        byte = wgetch(window);
        c = (char)byte;
        n = byte < 0x80 || byte > 0xff ? (size_t)-1 : mbrtowc(&wc, &c, 1, &state);
        if (n == (size_t)-1 && byte != ERR && (byte < 0x80 || byte >= 0xc0))
            ungetch(byte);
    }
    wtimeout(window, before);
    *ch = (wint_t)wc;
    return n == (size_t)-1 ? BAD_BYTES : OK;
}

/* As wget_wch, which takes the keys behind a bad byte for the rest of its character. */
static int read_char(WINDOW *window, wint_t *ch)
{
    int code = wgetch(window);
    if (code == ERR)
        return ERR;
    *ch = (wint_t)code;
    return code > 0xff ? KEY_CODE_YES : code >= 0x80 ? read_rest(window, code, ch) : OK;
}

/* The next byte of a sequence that has begun; -1 when none follows. */
static int next_byte(WINDOW *window)
{
    wint_t ch = 0;
    int kind = read_char(window, &ch);
    if (kind == KEY_CODE_YES)
        ungetch((int)ch);
    return kind == OK ? (int)ch : -1;
}

/* The numbers of a mouse report of which curses has taken the beginning, and its final letter. */
static void skip_report(WINDOW *window)
{
    wtimeout(window, SEQUENCE_WAIT);
    int next = next_byte(window);
    if (next >= 0 && (next < '0' || next > '9'))
        unget_wch((wchar_t)next);
    for (int n = 0; ((next >= '0' && next <= '9') || next == ';') && n < SEQUENCE_MAX; n++)
        next = next_byte(window);
    nodelay(window, TRUE);
}

/* False: nothing that the explorer reacts to. */
static bool name_mouse(WINDOW *window, char key[KEY_NAME_MAX])
{
    MEVENT m;
    if (getmouse(&m) != OK) { /* it is off, and somebody else has left it on */
        skip_report(window);
        return false;
    }
    const char *what = m.bstate & BUTTON1_PRESSED   ? "Click"
                       : m.bstate & BUTTON4_PRESSED ? "WheelUp"
                       : m.bstate & BUTTON5_PRESSED ? "WheelDown"
                                                    : NULL;
    if (what)
        snprintf(key, KEY_NAME_MAX, "%s@%d,%d", what, m.y, m.x);
    return what != NULL;
}

static bool name_character(wint_t ch, char key[KEY_NAME_MAX])
{
    static const struct {
        wint_t ch;
        const char *name;
    } table[] = {{' ', "space"}, {'\t', "Tab"}, {'\r', "Enter"}, {'\n', "Enter"},
                 {27, "Esc"},    {127, "BS"},   {8, "BS"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].ch == ch) {
            snprintf(key, KEY_NAME_MAX, "%s", table[i].name);
            return true;
        }
    }
    if (ch < 32) {
        int letter = (int)ch + '@';
        snprintf(key, KEY_NAME_MAX, "C-%c", letter >= 'A' && letter <= 'Z' ? letter + 32 : letter);
        return true;
    }
    char text[MB_LEN_MAX + 1] = "";
    mbstate_t state = {0};
    size_t n = wcrtomb(text, (wchar_t)ch, &state);
    if (n == (size_t)-1)
        return false;
    text[n] = '\0';
    snprintf(key, KEY_NAME_MAX, "%s", text);
    return true;
}

/* The rest of a sequence that curses does not know, behind Esc and `ch`: a key with modifiers of
 * its own, a terminal's report. False: there is none, it was Alt. */
static bool skip_sequence(WINDOW *window, int ch)
{
    int next = next_byte(window);
    if (next >= 0 && (next == 27 || (ch == ']' && (next < '0' || next > '9')))) {
        unget_wch((wchar_t)next);
        return false;
    }
    bool any = next >= 0;
    for (int n = 0; ch == '[' && next >= 0x20 && next < 0x40 && n < SEQUENCE_MAX; n++)
        next = next_byte(window); /* up to the final byte */
    for (int n = 0; ch == ']' && next >= 0 && next != 7 && next != 27 && n < SEQUENCE_MAX; n++)
        next = next_byte(window); /* up to BEL, or Esc and a backslash */
    if (ch == ']' && next == 27)
        next_byte(window);
    return any;
}

/* Esc with a character right behind it is Alt. False: it began something else, now skipped. */
static bool name_alt(WINDOW *window, char key[KEY_NAME_MAX])
{
    wint_t ch = 0;
    int kind = read_char(window, &ch);
    if (kind == OK && (ch == '[' || ch == ']' || ch == 'O')) {
        wtimeout(window, SEQUENCE_WAIT);
        bool skipped = skip_sequence(window, (int)ch);
        nodelay(window, TRUE);
        if (skipped)
            return false;
    }
    if (kind == OK && ch > 32 && ch < 127)
        snprintf(key, KEY_NAME_MAX, "M-%c", (int)ch);
    else if (kind == OK)
        unget_wch((wchar_t)ch);
    else if (kind == KEY_CODE_YES)
        ungetch((int)ch);
    return true;
}

/* What stands between the marks of a bracketed paste. */
static void read_paste(WINDOW *window, Buf *paste)
{
    buf_clear(paste);
    wtimeout(window, PASTE_WAIT);
    for (;;) {
        wint_t ch = 0;
        int kind = read_char(window, &ch);
        if (kind == ERR || (kind == KEY_CODE_YES && ch == KEY_PASTE_OFF))
            break;
        char text[MB_LEN_MAX];
        mbstate_t state = {0};
        size_t n = kind == OK ? wcrtomb(text, (wchar_t)ch, &state) : 0;
        if (n != (size_t)-1 && paste->len < PASTE_MAX)
            buf_add(paste, text, n);
    }
    nodelay(window, TRUE);
}

TermEvent term_key(WINDOW *window, char key[KEY_NAME_MAX], Buf *paste, bool *any)
{
    for (;;) {
        wint_t ch = 0;
        int kind = read_char(window, &ch);
        if (kind == ERR)
            return TERM_IDLE;
        *any = true;
        if (kind == BAD_BYTES)
            continue;
        if (kind == KEY_CODE_YES && ch == KEY_RESIZE)
            return TERM_RESIZE;
        if (kind == KEY_CODE_YES && ch == KEY_PASTE_ON) {
            read_paste(window, paste);
            return TERM_PASTE;
        }
        bool named = kind != KEY_CODE_YES ? name_character(ch, key)
                     : ch == KEY_MOUSE    ? name_mouse(window, key)
                                          : name_special(ch, key);
        if (!named)
            return TERM_IDLE;
        if (kind == KEY_CODE_YES || ch != 27 || name_alt(window, key))
            return TERM_KEY;
    }
}
