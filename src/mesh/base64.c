#include "mesh/base64.h"

#include <stdbool.h>

enum { NONE = -1, BLANK = -2, PADDING = -3 };

static int digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+' || c == '/')
        return c == '+' ? 62 : 63;
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t')
        return BLANK;
    return c == '=' ? PADDING : NONE;
}

size_t base64_decode(const char *text, size_t size, unsigned char *out, size_t want)
{
    unsigned bits = 0;
    int ndigit = 0;
    int npadding = 0;
    size_t n = 0;
    for (size_t i = 0; i < size && n < want; i++) {
        int d = digit(text[i]);
        if (d == BLANK)
            continue;
        if (d == NONE || (d != PADDING && npadding))
            break;
        bits = bits << 6 | (unsigned)(d == PADDING ? 0 : d);
        npadding += d == PADDING;
        if (++ndigit < 4)
            continue;
        for (int k = 0; k < 3 - npadding && n < want; k++)
            out[n++] = (unsigned char)(bits >> (16 - 8 * k) & 255);
        bits = 0;
        ndigit = 0;
        npadding = 0;
    }
    return n;
}
