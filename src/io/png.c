#include "io/png.h"

#include "base/status.h"

#include <string.h>
#include <zlib.h>

static size_t line_bytes(const png *p)
{
    return 1 + 3 * (size_t)p->width; // no filter, then the row
}

lithe_status png_create(png *p, int width, int height, arena *memory, lithe_report *report)
{
    *p = (png){.width = width, .height = height};
    p->rows = arena_new(memory, line_bytes(p) * (size_t)height, unsigned char);
    return p->rows ? LITHE_OK : report_no_memory(report, "the picture");
}

unsigned char *png_row(const png *p, int row)
{
    return p->rows + line_bytes(p) * (size_t)row + 1;
}

static void put_u32(unsigned char *out, unsigned long value)
{
    for (int i = 0; i < 4; i++)
        out[i] = (unsigned char)(value >> (24 - 8 * i) & 255);
}

static void put_chunk(FILE *file, const char *name, const unsigned char *data, size_t bytes)
{
    unsigned char number[4];
    unsigned long sum = crc32(crc32(0, NULL, 0), (const unsigned char *)name, 4);
    put_u32(number, bytes);
    fwrite(number, 1, sizeof number, file);
    fwrite(name, 1, 4, file);
    if (bytes > 0) {
        fwrite(data, 1, bytes, file);
        sum = crc32(sum, data, (uInt)bytes);
    }
    put_u32(number, sum);
    fwrite(number, 1, sizeof number, file);
}

lithe_status png_write(const png *p, FILE *file, arena *memory, lithe_report *report)
{
    unsigned char head[13] = {[8] = 8, [9] = 2};
    uLong whole = (uLong)(line_bytes(p) * (size_t)p->height);
    uLongf packed = compressBound(whole);
    unsigned char *data = arena_new(memory, packed, unsigned char);
    if (!data)
        return report_no_memory(report, "the picture");
    put_u32(head, (unsigned long)p->width);
    put_u32(head + 4, (unsigned long)p->height);
    compress2(data, &packed, p->rows, whole, Z_BEST_COMPRESSION);
    fwrite("\x89PNG\r\n\x1a\n", 1, 8, file);
    put_chunk(file, "IHDR", head, sizeof head);
    put_chunk(file, "IDAT", data, packed);
    put_chunk(file, "IEND", NULL, 0);
    return LITHE_OK;
}
