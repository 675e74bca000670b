/* The frame of a pane:
 *
 *   +> vectors ----------------------+
 *   |                                |
 *   + [ ] vector  H heat or words ---+
 */
#include "tui/view/pane_frame.h"

#include <string.h>

/* Is the lower side still as the box was drawn? A view may tell other keys than its table's. */
static bool is_line(const Canvas *c, int y, int x)
{
    uint32_t ch = c->cells[y * c->cols + x].ch;
    return ch == 0x2500 || ch == 0x2534 || ch == '-' || ch == '+'; /* ─ ┴ and their twins */
}

int pane_key_word(Canvas *c, Rect r, int x, const char *key, const char *word, bool listens)
{
    int y = r.y + r.h - 1;
    if (x + text_width(key) + text_width(word) + 3 > r.x + r.w - 1)
        return x;
    x = canvas_text(c, y, x, ROLE_FRAME, " ");
    x = canvas_text(c, y, x, listens ? ROLE_KEY : ROLE_DIM, key);
    return canvas_textf(c, y, x, ROLE_DIM, " %s ", word);
}

void pane_keys_draw(Canvas *c, Rect r, const ViewKey *keys, bool listens, const char *taken)
{
    int y = r.y + r.h - 1, x = r.x + 1;
    if (r.h < 3 || r.w < 8 || y >= c->rows || x + 2 >= c->cols || !is_line(c, y, x + 2))
        return;
    for (const ViewKey *k = keys; k && k->key; k++) {
        int before = x;
        if (taken && strcmp(k->key, taken) == 0)
            continue;
        if (k->word && (x = pane_key_word(c, r, x, k->key, k->word, listens)) == before)
            break; /* those behind it are less useful */
    }
}

static void light(Canvas *c, int y, int x)
{
    if (y < c->rows && x < c->cols && c->cells[y * c->cols + x].role == ROLE_FRAME)
        canvas_role(c, (Rect){y, x, 1, 1}, ROLE_ACTIVE);
}

void pane_focus_draw(Canvas *c, Rect r)
{
    if (r.h < 2 || r.w < 2)
        return;
    for (int x = r.x; x < r.x + r.w; x++) {
        light(c, r.y, x);
        light(c, r.y + r.h - 1, x);
    }
    for (int y = r.y; y < r.y + r.h; y++) {
        light(c, y, r.x);
        light(c, y, r.x + r.w - 1);
    }
    canvas_text(c, r.y, r.x + 1, ROLE_ACTIVE, MARK_ACTIVE);
}
