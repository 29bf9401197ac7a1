#include "mesh/base64.h"
#include "mesh/vtu.h"

#include <string.h>

// A scan that stands where the array starts, for messages.
static scan text_of(const scan *file, const vtu_array *array)
{
    scan s = *file;
    s.binary = s.nowhere = false;
    s.at = 0;
    s.line0 = array->line ? array->line - 1 : 0;
    return s;
}

static lithe_status fail_short(const scan *file, const vtu_array *array)
{
    scan s = text_of(file, array);
    return scan_fail(&s,
                     "array '%s' holds fewer bytes than it announces; the file is cut short or "
                     "damaged: write it again",
                     array->name);
}

// A number of the header that stands before the data.
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

// Where an array's bytes come from: base64 text, or the file as it is.
typedef struct vtu_bytes {
    bool base64;
    scan_text from;
} vtu_bytes;

// The first n bytes of the array. Of a text they go to `bytes`.
static lithe_status take_bytes(const scan *file, const vtu_array *array, const vtu_bytes *source,
                               uint64_t n, list *bytes, const unsigned char **out)
{
    if (n > source->from.size) // encoding never shrinks
        return fail_short(file, array);
    *out = (const unsigned char *)source->from.at;
    if (!source->base64)
        return LITHE_OK;
    bytes->used = 0;
    unsigned char *decoded = list_add(bytes, (size_t)n);
    if (!decoded)
        return report_no_memory(file->report, file->path);
    if (base64_decode(source->from.at, source->from.size, decoded, (size_t)n) < n)
        return fail_short(file, array);
    *out = decoded;
    return LITHE_OK;
}

static lithe_status find_appended(const scan *file, const vtu_coding *coding,
                                  const vtu_array *array, scan_text *from)
{
    if (!coding->appended || array->offset < 0 || (uint64_t)array->offset > coding->appended_size) {
        scan s = text_of(file, array);
        return scan_fail(&s,
                         "array '%s' lies at offset %lld of %zu bytes of appended data; the "
                         "file is cut short or damaged: write it again",
                         array->name, (long long)array->offset, coding->appended_size);
    }
    *from = (scan_text){coding->appended + array->offset,
                        coding->appended_size - (size_t)array->offset};
    return LITHE_OK;
}

static lithe_status open_plain(const scan *file, const vtu_coding *coding, const vtu_array *array,
                               const vtu_bytes *source, list *bytes, scan *out)
{
    const unsigned char *data = NULL;
    uint64_t n, nheader = (uint64_t)scan_bytes(coding->header);
    LITHE_TRY(take_bytes(file, array, source, nheader, bytes, &data));
    n = read_header(coding, data);
    if (n > source->from.size)
        return fail_short(file, array);
    LITHE_TRY(take_bytes(file, array, source, nheader + n, bytes, &data));
    out->data = (const char *)data + nheader;
    out->size = (size_t)n;
    return LITHE_OK;
}

// Number of blocks, size of a block, size of the last one, and the compressed size of each. Gives
// the bytes of the header and of all blocks.
static lithe_status read_block_sizes(const scan *file, const vtu_coding *coding,
                                     const vtu_array *array, const vtu_bytes *source,
                                     vtu_scratch *scratch, uint64_t *nheader, uint64_t *ndata)
{
    const unsigned char *data = NULL;
    uint64_t width = (uint64_t)scan_bytes(coding->header);
    LITHE_TRY(take_bytes(file, array, source, width, &scratch->bytes, &data));
    uint64_t nblock = read_header(coding, data);
    if (nblock > source->from.size)
        return fail_short(file, array);
    *nheader = (3 + nblock) * width;
    LITHE_TRY(take_bytes(file, array, source, *nheader, &scratch->bytes, &data));
    scratch->header.used = 0;
    uint64_t *header = list_add(&scratch->header, (3 + nblock) * sizeof *header);
    if (!header)
        return report_no_memory(file->report, file->path);
    *ndata = 0;
    for (uint64_t i = 0; i < 3 + nblock; i++) {
        header[i] = read_header(coding, data + i * width);
        if (i >= 3 && (header[i] > source->from.size || (*ndata += header[i]) > source->from.size))
            return fail_short(file, array);
    }
    return LITHE_OK;
}

// A mesh does not shrink to a hundredth of itself; what claims so is made to exhaust the memory.
static uint64_t most_inflated(const scan *file)
{
    return 100 * (uint64_t)file->size + (1 << 16);
}

static lithe_status open_compressed(const scan *file, const vtu_coding *coding,
                                    const vtu_array *array, const vtu_bytes *source,
                                    vtu_scratch *scratch, scan *out)
{
    const unsigned char *data = NULL;
    uint64_t nheader = 0, ndata = 0;
    scan at = text_of(file, array);
    LITHE_TRY(read_block_sizes(file, coding, array, source, scratch, &nheader, &ndata));
    LITHE_TRY(take_bytes(file, array, source, nheader + ndata, &scratch->bytes, &data));
    scan_text blocks = {(const char *)data + nheader, (size_t)ndata};
    scratch->inflated.used = 0;
    LITHE_TRY(vtu_inflate(&at, array->name, list_at(&scratch->header, uint64_t), blocks,
                          most_inflated(file), &scratch->inflated));
    out->data = scratch->inflated.data;
    out->size = scratch->inflated.used;
    return LITHE_OK;
}

void vtu_free_scratch(vtu_scratch *scratch)
{
    list_free(&scratch->bytes);
    list_free(&scratch->header);
    list_free(&scratch->inflated);
}

lithe_status vtu_open(const scan *file, const vtu_coding *coding, const vtu_array *array,
                      const list *text, vtu_scratch *scratch, scan *out)
{
    vtu_bytes source = {.base64 = array->format == VTU_BINARY || coding->appended_base64,
                        .from = {text->data ? text->data : "", text->used}};
    *out = text_of(file, array);
    out->data = source.from.at;
    out->size = source.from.size;
    if (array->format == VTU_ASCII)
        return LITHE_OK;
    if (array->format == VTU_APPENDED)
        LITHE_TRY(find_appended(file, coding, array, &source.from));
    out->binary = true;
    out->big = coding->big;
    return coding->compressed ? open_compressed(file, coding, array, &source, scratch, out)
                              : open_plain(file, coding, array, &source, &scratch->bytes, out);
}
