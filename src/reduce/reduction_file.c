// Reductions as files.
#include "base/fnv.h"
#include "base/memory.h"
#include "base/plain_file.h"
#include "base/status.h"
#include "reduce/hdf5.h"
#include "reduce/reduction.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FORMAT = 1, NUMBERS = 8, SETS = 5 };

// What a file says in numbers.
static void pack(const lithe_reduction *r, double out[NUMBERS])
{
    const double number[NUMBERS] = {FORMAT,         r->nwhole,         r->info.nsample,
                                    r->info.ncheck, r->info.seed,      r->info.tolerance,
                                    r->info.error,  r->info.error_mean};
    memcpy(out, number, sizeof number);
}

// What tells that numbers have changed since they were written; structure has checksums of its own.
static uint64_t sum_of(const lithe_reduction *r, const double number[NUMBERS])
{
    uint64_t h = fnv_add(FNV_START, number, NUMBERS * sizeof *number);
    h = fnv_add(h, r->hash, sizeof r->hash);
    h = fnv_add(h, r->element, (size_t)r->nelement * sizeof *r->element);
    h = fnv_add(h, r->weight, (size_t)r->nelement * sizeof *r->weight);
    return fnv_add(h, r->mode, 3 * (size_t)r->nnode * (size_t)r->nmode * sizeof *r->mode);
}

static lithe_status write_bytes(const char *path, const unsigned char *data, size_t n,
                                lithe_report *report)
{
    char part[4096];
    if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part)
        return LITHE_FAIL(report, LITHE_INVALID, "the name of the file is too long");
    FILE *file = plain_file_write(part);
    bool well = file && fwrite(data, 1, n, file) == n;
    well = file && fclose(file) == 0 && well && rename(part, path) == 0;
    if (well)
        return LITHE_OK;
    int why = errno;
    if (file)
        remove(part);
    return LITHE_FAIL(report, LITHE_IO, "%.300s: cannot be written: %s", path, strerror(why));
}

lithe_status lithe_reduction_write(const lithe_reduction *r, const char *path, lithe_report *report)
{
    double number[NUMBERS];
    pack(r, number);
    uint64_t hash[REDUCTION_PARTS + 1];
    memcpy(hash, r->hash, sizeof r->hash);
    hash[REDUCTION_PARTS] = sum_of(r, number);
    const hdf5_set set[SETS] = {
        {"about", HDF5_DOUBLE, NUMBERS, 0, number},
        {"hash", HDF5_UINT64, REDUCTION_PARTS + 1, 0, hash},
        {"element", HDF5_INT32, (uint64_t)r->nelement, 0, r->element},
        {"weight", HDF5_DOUBLE, (uint64_t)r->nelement, 0, r->weight},
        {"mode", HDF5_DOUBLE, 3 * (uint64_t)r->nnode, (uint64_t)r->nmode, r->mode},
    };
    size_t bytes = hdf5_size(SETS, set);
    unsigned char *data = memory_alloc(bytes);
    if (!data)
        return report_no_memory(report, "the file of a reduction");
    hdf5_write(SETS, set, data);
    lithe_status status = write_bytes(path, data, bytes, report);
    memory_free(data);
    return status;
}

static bool all_finite(size_t n, const double *value)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(value[i]))
            return false;
    return true;
}

static bool is_count(double value)
{
    return value >= 0 && value < 1e9 && value == floor(value);
}

static const char *take_numbers(const double number[NUMBERS], lithe_reduction *r)
{
    if (!all_finite(NUMBERS, number) || number[0] != FORMAT)
        return "it was written by another version of Lithe";
    for (int i = 1; i < 4; i++)
        if (!is_count(number[i]))
            return "its counts are none";
    if (number[4] < 0 || number[4] > 4294967295.0 || number[5] < 0 || number[6] < 0 ||
        number[7] < 0)
        return "its numbers are out of range";
    r->nwhole = (int)number[1];
    r->info = (lithe_reduction_info){.nsample = (int)number[2],
                                     .ncheck = (int)number[3],
                                     .seed = (unsigned)number[4],
                                     .tolerance = number[5],
                                     .error = number[6],
                                     .error_mean = number[7]};
    return NULL;
}

static const char *check_elements(const lithe_reduction *r)
{
    for (int i = 0; i < r->nelement; i++)
        if (r->element[i] < (i > 0 ? r->element[i - 1] + 1 : 0) || r->element[i] >= r->nwhole ||
            !(r->weight[i] > 0) || !isfinite(r->weight[i]))
            return "its elements or weights are none";
    return NULL;
}

static const char *fill(const unsigned char *file, size_t bytes, lithe_reduction *r)
{
    hdf5_set about, hash, element, weight, mode;
    if (!hdf5_find(file, bytes, "about", HDF5_DOUBLE, &about) || about.lines != NUMBERS ||
        !hdf5_find(file, bytes, "hash", HDF5_UINT64, &hash) || hash.lines != REDUCTION_PARTS + 1 ||
        !hdf5_find(file, bytes, "element", HDF5_INT32, &element) ||
        !hdf5_find(file, bytes, "weight", HDF5_DOUBLE, &weight) ||
        !hdf5_find(file, bytes, "mode", HDF5_DOUBLE, &mode))
        return "it is none that lithe reduce has written";
    double number[NUMBERS];
    memcpy(number, about.data, sizeof number);
    const char *fault = take_numbers(number, r);
    if (fault)
        return fault;
    if (element.lines != weight.lines || element.lines == 0 ||
        element.lines > (uint64_t)r->nwhole || element.width + weight.width > 0 ||
        mode.width == 0 || mode.width > REDUCTION_MODES || mode.lines == 0 || mode.lines % 3 != 0 ||
        mode.lines / 3 > 100000000)
        return "its sizes do not fit together";
    memcpy(r->hash, hash.data, sizeof r->hash);
    r->nelement = (int)element.lines;
    r->nnode = (int)(mode.lines / 3);
    r->nmode = (int)mode.width;
    size_t numbers = (size_t)mode.lines * (size_t)mode.width;
    r->element = arena_new(&r->memory, r->nelement, int);
    r->weight = arena_new(&r->memory, r->nelement, double);
    r->mode = arena_new(&r->memory, numbers, double);
    if (!r->element || !r->weight || !r->mode)
        return "there is no memory for it";
    memcpy(r->element, element.data, (size_t)r->nelement * sizeof *r->element);
    memcpy(r->weight, weight.data, (size_t)r->nelement * sizeof *r->weight);
    memcpy(r->mode, mode.data, numbers * sizeof *r->mode);
    uint64_t sum;
    memcpy(&sum, (const char *)hash.data + sizeof r->hash, sizeof sum);
    if (sum != sum_of(r, number))
        return "it is damaged: its checksum is wrong";
    if (!all_finite(numbers, r->mode))
        return "a shape has what is not a number";
    return check_elements(r);
}

static void complete_info(lithe_reduction *r)
{
    r->info.nnode = r->nnode;
    r->info.nelement_whole = r->nwhole;
    r->info.nmode = r->nmode;
    r->info.nelement = r->nelement;
}

lithe_status reduction_parse(const unsigned char *file, size_t bytes, const char *path,
                             lithe_reduction **out, lithe_report *report)
{
    *out = NULL;
    lithe_reduction *r = memory_alloc(sizeof *r);
    if (!r)
        return report_no_memory(report, "the reduction");
    memset(r, 0, sizeof *r);
    const char *fault = fill(file, bytes, r);
    if (fault) {
        lithe_reduction_free(r);
        return LITHE_FAIL(report, LITHE_INVALID, "%.300s is no reduction of use: %s", path, fault);
    }
    complete_info(r);
    *out = r;
    return LITHE_OK;
}

static lithe_status read_all(const char *path, unsigned char **data, size_t *bytes,
                             lithe_report *report)
{
    const long most = 1l << 31;
    FILE *file = plain_file_read(path);
    int why = errno;
    if (!file)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "%.300s: cannot be read: %s; lithe reduce SCENE makes it", path,
                          why == EINVAL ? "it is no regular file" : strerror(why));
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (size < 0 || fseek(file, 0, SEEK_SET) != 0 || size > most) {
        fclose(file);
        return LITHE_FAIL(report, LITHE_INVALID, "%.300s: cannot be read: %s", path,
                          size > most ? "it is too large to be a reduction" : "it has no size");
    }
    *bytes = (size_t)size;
    *data = memory_alloc(*bytes + 1);
    bool well = *data && fread(*data, 1, *bytes, file) == *bytes;
    fclose(file);
    if (*data && well)
        return LITHE_OK;
    bool memory = !*data;
    memory_free(*data);
    return memory ? report_no_memory(report, "the file of a reduction")
                  : LITHE_FAIL(report, LITHE_IO, "%.300s: cannot be read to its end", path);
}

lithe_status lithe_reduction_read(const char *path, lithe_reduction **out, lithe_report *report)
{
    unsigned char *data = NULL;
    size_t bytes = 0;
    *out = NULL;
    LITHE_TRY(read_all(path, &data, &bytes, report));
    lithe_status status = reduction_parse(data, bytes, path, out, report);
    memory_free(data);
    return status;
}

void lithe_reduction_free(lithe_reduction *r)
{
    if (!r)
        return;
    arena_free(&r->memory);
    memory_free(r);
}

lithe_reduction_info lithe_reduction_get(const lithe_reduction *r)
{
    return r->info;
}
