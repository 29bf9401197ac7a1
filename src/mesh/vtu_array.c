#include "mesh/base64.h"
#include "mesh/vtu.h"

#include <string.h>

// A scan that stands where the array starts, for messages.
static scan place(const scan *file, const vtu_array *array)
{
    scan s = *file;
    s.binary = s.nowhere = false;
    s.at = 0;
    s.line0 = array->line ? array->line - 1 : 0;
    return s;
}

static lithe_status fail_short(const scan *file, const vtu_array *array)
{
    scan s = place(file, array);
    return scan_fail(&s,
                     "array '%s' holds fewer bytes than it announces; the file is cut short or "
                     "damaged: write it again",
                     array->name);
}

// The number of bytes that follow the header.
static uint64_t read_header(const vtu_coding *coding, const unsigned char *header)
{
    scan s = {.data = (const char *)header,
              .size = (size_t)scan_bytes(coding->header),
              .binary = true,
              .big = coding->big};
    int64_t n = 0;
    scan_int(&s, coding->header, "a size", &n);
    return (uint64_t)n;
}

static lithe_status decode_base64(const scan *file, const vtu_coding *coding,
                                  const vtu_array *array, scan_text from, list *bytes)
{
    unsigned char header[8];
    size_t nheader = (size_t)scan_bytes(coding->header);
    if (base64_decode(from.at, from.size, header, nheader) < nheader)
        return fail_short(file, array);
    uint64_t n = read_header(coding, header);
    if (n > from.size) // encoding never shrinks
        return fail_short(file, array);
    bytes->used = 0;
    unsigned char *out = list_add(bytes, nheader + (size_t)n);
    if (!out)
        return report_no_memory(file->report, file->path);
    if (base64_decode(from.at, from.size, out, nheader + (size_t)n) < nheader + (size_t)n)
        return fail_short(file, array);
    return LITHE_OK;
}

static lithe_status find_appended(const scan *file, const vtu_coding *coding,
                                  const vtu_array *array, scan_text *from)
{
    if (!coding->appended || array->offset < 0 || (uint64_t)array->offset > coding->appended_size) {
        scan s = place(file, array);
        return scan_fail(&s,
                         "array '%s' lies at offset %lld of %zu bytes of appended data; the "
                         "file is cut short or damaged: write it again",
                         array->name, (long long)array->offset, coding->appended_size);
    }
    *from = (scan_text){coding->appended + array->offset,
                        coding->appended_size - (size_t)array->offset};
    return LITHE_OK;
}

static lithe_status open_raw(const scan *file, const vtu_coding *coding, const vtu_array *array,
                             scan_text from, scan *out)
{
    size_t nheader = (size_t)scan_bytes(coding->header);
    if (from.size < nheader)
        return fail_short(file, array);
    uint64_t n = read_header(coding, (const unsigned char *)from.at);
    if (n > from.size - nheader)
        return fail_short(file, array);
    out->data = from.at + nheader;
    out->size = (size_t)n;
    return LITHE_OK;
}

lithe_status vtu_open(const scan *file, const vtu_coding *coding, const vtu_array *array,
                      const list *text, list *bytes, scan *out)
{
    scan_text from = {text->data ? text->data : "", text->used};
    *out = place(file, array);
    out->data = from.at;
    out->size = from.size;
    if (array->format == VTU_ASCII)
        return LITHE_OK;
    if (coding->compressed)
        return scan_fail(out,
                         "array '%s' is compressed, which is not read yet; save the file as "
                         "ASCII or without compression",
                         array->name);
    if (array->format == VTU_APPENDED)
        LITHE_TRY(find_appended(file, coding, array, &from));
    out->binary = true;
    out->big = coding->big;
    if (array->format == VTU_APPENDED && !coding->appended_base64)
        return open_raw(file, coding, array, from, out);
    LITHE_TRY(decode_base64(file, coding, array, from, bytes));
    size_t nheader = (size_t)scan_bytes(coding->header);
    out->data = (const char *)bytes->data + nheader;
    out->size = bytes->used - nheader;
    return LITHE_OK;
}
