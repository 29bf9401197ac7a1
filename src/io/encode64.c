#include "io/encode64.h"

#include <stdint.h>

// One group of up to three bytes: four characters, '=' for what is missing.
static void base64_flush(base64_writer *b)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = b->npending; i < 3; i++)
        b->pending[i] = 0;
    uint32_t bits = (uint32_t)b->pending[0] << 16 | (uint32_t)b->pending[1] << 8 | b->pending[2];
    char text[4];
    for (int i = 0; i < 4; i++)
        text[i] = (i <= b->npending) ? digit[bits >> (18 - 6 * i) & 63] : '=';
    fwrite(text, 1, sizeof text, b->file);
    b->npending = 0;
}

void base64_write(base64_writer *b, const void *data, size_t nbyte)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < nbyte; i++) {
        b->pending[b->npending++] = byte[i];
        if (b->npending == 3)
            base64_flush(b);
    }
}

void base64_end(base64_writer *b)
{
    if (b->npending > 0)
        base64_flush(b);
}
