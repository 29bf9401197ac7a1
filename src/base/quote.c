#include "base/quote.h"

#include <stdbool.h>
#include <string.h>

enum { SHOWN_MAX = 56 };

static bool is_control(unsigned char c)
{
    return c < 0x20 || c == 0x7f;
}

// A cut never leaves half of a UTF-8 character behind.
static size_t shown_length(const char *text)
{
    size_t n = strnlen(text, SHOWN_MAX + 1);
    if (n <= SHOWN_MAX)
        return n;
    n = SHOWN_MAX;
    while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80)
        n--;
    return n;
}

quote quote_text(const char *text)
{
    quote q = {{0}};
    size_t n = shown_length(text);
    for (size_t i = 0; i < n; i++)
        q.text[i] = is_control((unsigned char)text[i]) ? '?' : text[i];
    if (text[n])
        memcpy(q.text + n, "...", 4);
    return q;
}
