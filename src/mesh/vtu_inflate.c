// The blocks of an array that VTK's vtkZLibDataCompressor has written: zlib streams, one after the
// other.
#include "base/memory.h"
#include "mesh/vtu.h"

#include <limits.h>
#include <zlib.h>

static void *zlib_alloc(void *unused, unsigned count, unsigned size)
{
    (void)unused;
    return memory_alloc((size_t)count * size);
}

static void zlib_free(void *unused, void *block)
{
    (void)unused;
    memory_free(block);
}

static lithe_status fail_damaged(const scan *at, const char *name)
{
    return scan_fail(at,
                     "a compressed block of array '%s' is damaged, or does not hold what its "
                     "header says; write the file again",
                     name);
}

// Bytes of all blocks together; UINT64_MAX if there is no such number.
static uint64_t total_size(const uint64_t *header)
{
    uint64_t full, total;
    uint64_t nblock = header[0], block = header[1], last = header[2];
    if (nblock == 0)
        return 0;
    if (last > block || __builtin_mul_overflow(nblock - (last ? 1 : 0), block, &full) ||
        __builtin_add_overflow(full, last, &total))
        return UINT64_MAX;
    return total;
}

// One block, which must fill its room exactly.
static lithe_status inflate_block(const scan *at, const char *name, z_stream *z, scan_text from,
                                  unsigned char *out, uint64_t room)
{
    if (from.size > UINT_MAX || room > UINT_MAX || inflateReset(z) != Z_OK)
        return fail_damaged(at, name);
    z->next_in = (Bytef *)from.at;
    z->avail_in = (unsigned)from.size;
    z->next_out = out;
    z->avail_out = (unsigned)room;
    int result = inflate(z, Z_FINISH);
    if (result == Z_MEM_ERROR)
        return report_no_memory(at->report, at->path);
    if (result != Z_STREAM_END || z->avail_out != 0)
        return fail_damaged(at, name);
    return LITHE_OK;
}

static lithe_status inflate_blocks(const scan *at, const char *name, const uint64_t *header,
                                   scan_text from, z_stream *z, unsigned char *out)
{
    for (uint64_t i = 0; i < header[0]; i++) {
        uint64_t room = i + 1 == header[0] && header[2] ? header[2] : header[1];
        scan_text block = {from.at, (size_t)header[3 + i]};
        LITHE_TRY(inflate_block(at, name, z, block, out, room));
        out += room;
        from = (scan_text){from.at + block.size, from.size - block.size};
    }
    return LITHE_OK;
}

lithe_status vtu_inflate(const scan *at, const char *name, const uint64_t *header, scan_text from,
                         uint64_t most, list *out)
{
    uint64_t total = total_size(header);
    if (total > most)
        return scan_fail(at,
                         "array '%s' would unfold to %.4g MiB, far more than a mesh in a file of "
                         "this size can hold; if the file is right, save it without compression",
                         name, (double)total / MEMORY_MIB);
    unsigned char *room = list_add(out, (size_t)total);
    z_stream z = {.zalloc = zlib_alloc, .zfree = zlib_free};
    if (!room || inflateInit(&z) != Z_OK)
        return report_no_memory(at->report, at->path);
    lithe_status status = inflate_blocks(at, name, header, from, &z, room);
    inflateEnd(&z);
    return status;
}
