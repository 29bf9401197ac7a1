// Reductions as files.
#include "base/fnv.h"
#include "base/memory.h"
#include "base/plain_file.h"
#include "base/status.h"
#include "control/samples.h"
#include "reduce/hdf5.h"
#include "reduce/reduction.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FORMAT = 1, NUMBERS = 8, SETS = 12, CONTACT = 2, RANGE = 3, NODES_MAX = 100000000 };

// What a file says in numbers.
static void pack(const lithe_reduction *r, double out[NUMBERS])
{
    const double number[NUMBERS] = {FORMAT,         r->nwhole,         r->info.nsample,
                                    r->info.ncheck, r->info.seed,      r->info.tolerance,
                                    r->info.error,  r->info.error_mean};
    memcpy(out, number, sizeof number);
}

// The patch, and the range of the samples; a file of before has neither.
static void pack_contact(const lithe_reduction *r, double out[CONTACT])
{
    const double number[CONTACT] = {r->patch_kind, r->npatch_shape};
    memcpy(out, number, sizeof number);
}

static double *pack_range(const lithe_reduction *r, double *out)
{
    for (int i = 0; i < r->nrange; i++) {
        const double number[RANGE] = {r->range[i].kind, r->range[i].low, r->range[i].high};
        memcpy(&out[RANGE * i], number, sizeof number);
    }
    return out;
}

static uint64_t add_contact(uint64_t h, const lithe_reduction *r)
{
    double number[CONTACT], range[RANGE * SAMPLES_DIMENSIONS];
    pack_contact(r, number);
    if (r->npatch > 0)
        h = fnv_add(h, number, sizeof number);
    h = fnv_add(h, r->patch, (size_t)r->npatch * sizeof *r->patch);
    return fnv_add(h, pack_range(r, range), RANGE * (size_t)r->nrange * sizeof *range);
}

// What tells that numbers have changed since they were written; structure has checksums of its own.
static uint64_t sum_of(const lithe_reduction *r, const double number[NUMBERS])
{
    uint64_t h = fnv_add(FNV_START, number, NUMBERS * sizeof *number);
    h = fnv_add(h, r->hash, sizeof r->hash);
    h = fnv_add(h, r->element, (size_t)r->nelement * sizeof *r->element);
    h = fnv_add(h, r->weight, (size_t)r->nelement * sizeof *r->weight);
    h = fnv_add(h, r->cell, 2 * (size_t)r->ncell * sizeof *r->cell);
    h = fnv_add(h, r->cell_weight, (size_t)r->ncell * sizeof *r->cell_weight);
    h = fnv_add(h, r->frame, 3 * (size_t)r->nframe * sizeof *r->frame);
    h = fnv_add(h, r->shape, 3 * (size_t)r->nside * (size_t)r->nshape * sizeof *r->shape);
    h = add_contact(h, r);
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

// What coordinates are; returns how many sets there are then.
static int add_space(const lithe_reduction *r, int n, hdf5_set *set)
{
    uint64_t lines = 3 * (uint64_t)r->nnode;
    if (r->nmode > 0)
        set[n++] = (hdf5_set){"mode", HDF5_DOUBLE, lines, (uint64_t)r->nmode, r->mode};
    if (r->nframe > 0) {
        set[n++] = (hdf5_set){"frame", HDF5_DOUBLE, (uint64_t)r->nframe, 3, r->frame};
        set[n++] = (hdf5_set){"nodes", HDF5_INT32, 1, 0, &r->nnode};
    }
    if (r->nshape > 0)
        set[n++] =
            (hdf5_set){"shape", HDF5_DOUBLE, (uint64_t)r->nside, 3 * (uint64_t)r->nshape, r->shape};
    if (r->ncell > 0) {
        set[n++] = (hdf5_set){"cell", HDF5_INT32, (uint64_t)r->ncell, 2, r->cell};
        set[n++] = (hdf5_set){"cell_weight", HDF5_DOUBLE, (uint64_t)r->ncell, 0, r->cell_weight};
    }
    return n;
}

static int add_contact_sets(const lithe_reduction *r, const double contact[CONTACT],
                            const double *range, int n, hdf5_set *set)
{
    if (r->npatch > 0)
        set[n++] = (hdf5_set){"contact", HDF5_DOUBLE, CONTACT, 0, contact};
    if (r->npatch > 0)
        set[n++] = (hdf5_set){"patch", HDF5_INT32, (uint64_t)r->npatch, 0, r->patch};
    if (r->nrange > 0)
        set[n++] = (hdf5_set){"range", HDF5_DOUBLE, (uint64_t)r->nrange, RANGE, range};
    return n;
}

lithe_status lithe_reduction_write(const lithe_reduction *r, const char *path, lithe_report *report)
{
    double number[NUMBERS], contact[CONTACT], range[RANGE * SAMPLES_DIMENSIONS];
    pack(r, number);
    pack_contact(r, contact);
    uint64_t hash[REDUCTION_PARTS + 1];
    memcpy(hash, r->hash, sizeof r->hash);
    hash[REDUCTION_PARTS] = sum_of(r, number);
    hdf5_set set[SETS] = {
        {"about", HDF5_DOUBLE, NUMBERS, 0, number},
        {"hash", HDF5_UINT64, REDUCTION_PARTS + 1, 0, hash},
        {"element", HDF5_INT32, (uint64_t)r->nelement, 0, r->element},
        {"weight", HDF5_DOUBLE, (uint64_t)r->nelement, 0, r->weight},
    };
    int n = add_contact_sets(r, contact, pack_range(r, range), add_space(r, 4, set), set);
    size_t bytes = hdf5_size(n, set);
    unsigned char *data = memory_alloc(bytes);
    if (!data)
        return report_no_memory(report, "the file of a reduction");
    hdf5_write(n, set, data);
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
    if (!all_finite(NUMBERS - 2, number) || number[0] != FORMAT)
        return "it was written by another version of Lithe";
    for (int i = 1; i < 4; i++)
        if (!is_count(number[i]))
            return "its counts are none";
    if (number[4] < 0 || number[4] > 4294967295.0 || number[5] < 0 || !(number[6] >= 0) ||
        !(number[7] >= 0))
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

static const char *check_cells(const lithe_reduction *r)
{
    for (int i = 0; i < r->ncell; i++) {
        const int *now = &r->cell[2 * i], *before = now - 2;
        bool ascends = i == 0 || now[0] > before[0] || (now[0] == before[0] && now[1] > before[1]);
        if (!ascends || now[0] < 0 || now[1] < 0 || !(r->cell_weight[i] > 0) ||
            !isfinite(r->cell_weight[i]))
            return "its cells or their weights are none";
    }
    return NULL;
}

static bool copy_numbers(const hdf5_set *from, arena *memory, double **out)
{
    size_t n = (size_t)from->lines * (size_t)from->width;
    *out = arena_new(memory, n, double);
    if (*out)
        memcpy(*out, from->data, n * sizeof **out);
    return *out != NULL;
}

static const char *fill_modes(const hdf5_set *mode, lithe_reduction *r)
{
    if (mode->width == 0 || mode->width > REDUCTION_MODES || mode->lines == 0 ||
        mode->lines % 3 != 0 || mode->lines / 3 > NODES_MAX)
        return "its sizes do not fit together";
    r->nnode = (int)(mode->lines / 3);
    r->nmode = (int)mode->width;
    return copy_numbers(mode, &r->memory, &r->mode) ? NULL : "there is no memory for it";
}

static const char *fill_frames(const unsigned char *file, size_t bytes, const hdf5_set *frame,
                               lithe_reduction *r)
{
    hdf5_set nodes, shape = {0};
    bool shapes = hdf5_find(file, bytes, "shape", HDF5_DOUBLE, &shape);
    if (!hdf5_find(file, bytes, "nodes", HDF5_INT32, &nodes) || nodes.lines != 1 ||
        nodes.width != 0 || frame->width != 3 || frame->lines < 2 ||
        frame->lines > BEAM_FRAMES_MAX || shape.width % 3 != 0 ||
        shape.width / 3 > BEAM_SHAPES_MAX || shape.lines > 2 * (uint64_t)NODES_MAX ||
        (shapes && (shape.width == 0 || shape.lines == 0)))
        return "its sizes do not fit together";
    memcpy(&r->nnode, nodes.data, sizeof r->nnode);
    if (r->nnode < 1 || r->nnode > NODES_MAX)
        return "its sizes do not fit together";
    r->nframe = (int)frame->lines;
    r->nshape = shapes ? (int)(shape.width / 3) : 0;
    r->nside = shapes ? (int)shape.lines : 0;
    bool well = copy_numbers(frame, &r->memory, &r->frame) &&
                (!shapes || copy_numbers(&shape, &r->memory, &r->shape));
    return well ? NULL : "there is no memory for it";
}

static const char *fill_space(const unsigned char *file, size_t bytes, lithe_reduction *r)
{
    hdf5_set found;
    if (hdf5_find(file, bytes, "frame", HDF5_DOUBLE, &found))
        return fill_frames(file, bytes, &found, r);
    if (hdf5_find(file, bytes, "mode", HDF5_DOUBLE, &found))
        return fill_modes(&found, r);
    return "it is none that lithe reduce has written";
}

// Of a beam; there need be none.
static const char *fill_cells(const unsigned char *file, size_t bytes, lithe_reduction *r)
{
    hdf5_set cell, weight;
    if (!hdf5_find(file, bytes, "cell", HDF5_INT32, &cell))
        return NULL;
    if (!hdf5_find(file, bytes, "cell_weight", HDF5_DOUBLE, &weight) || cell.width != 2 ||
        weight.width != 0 || cell.lines != weight.lines || cell.lines == 0 ||
        cell.lines > NODES_MAX || r->nframe == 0)
        return "its sizes do not fit together";
    r->ncell = (int)cell.lines;
    r->cell = arena_new(&r->memory, 2 * cell.lines, int);
    r->cell_weight = arena_new(&r->memory, cell.lines, double);
    if (!r->cell || !r->cell_weight)
        return "there is no memory for it";
    memcpy(r->cell, cell.data, 2 * (size_t)r->ncell * sizeof *r->cell);
    memcpy(r->cell_weight, weight.data, (size_t)r->ncell * sizeof *r->cell_weight);
    return NULL;
}

static const char *fill_range(const unsigned char *file, size_t bytes, lithe_reduction *r)
{
    hdf5_set range;
    if (!hdf5_find(file, bytes, "range", HDF5_DOUBLE, &range))
        return NULL;
    if (range.width != RANGE || range.lines == 0 || range.lines > SAMPLES_DIMENSIONS)
        return "its sizes do not fit together";
    r->nrange = (int)range.lines;
    r->range = arena_new(&r->memory, r->nrange, reduction_range);
    for (int i = 0; r->range && i < r->nrange; i++) {
        double number[RANGE];
        memcpy(number, (const char *)range.data + (size_t)i * sizeof number, sizeof number);
        bool known = number[0] == LITHE_EFFORT || number[0] == LITHE_DISPLACEMENT;
        if (!known || !all_finite(RANGE, number))
            return "its range is none";
        r->range[i] = (reduction_range){(lithe_command_kind)number[0], number[1], number[2]};
    }
    return r->range ? NULL : "there is no memory for it";
}

static const char *fill_patch(const unsigned char *file, size_t bytes, lithe_reduction *r)
{
    hdf5_set patch;
    if (!hdf5_find(file, bytes, "patch", HDF5_INT32, &patch))
        return r->patch_kind == LITHE_NO_PATCH && r->npatch_shape == 0 ? NULL : "its patch is none";
    if (r->nframe > 0 || r->patch_kind == LITHE_NO_PATCH || r->npatch_shape > r->nmode ||
        patch.width != 0 || patch.lines == 0 || patch.lines > (uint64_t)r->nnode)
        return "its sizes do not fit together";
    r->npatch = (int)patch.lines;
    r->patch = arena_new(&r->memory, r->npatch, int);
    if (!r->patch)
        return "there is no memory for it";
    memcpy(r->patch, patch.data, (size_t)r->npatch * sizeof *r->patch);
    for (int i = 0; i < r->npatch; i++)
        if (r->patch[i] < (i > 0 ? r->patch[i - 1] + 1 : 0) || r->patch[i] >= r->nnode)
            return "its patch is none";
    return NULL;
}

static const char *fill_contact(const unsigned char *file, size_t bytes, lithe_reduction *r)
{
    hdf5_set contact;
    double number[CONTACT];
    if (hdf5_find(file, bytes, "contact", HDF5_DOUBLE, &contact)) {
        if (contact.lines != CONTACT || contact.width != 0)
            return "its sizes do not fit together";
        memcpy(number, contact.data, sizeof number);
        if (!is_count(number[0]) || number[0] > LITHE_PATCH_CONTACT || !is_count(number[1]))
            return "its numbers are out of range";
        r->patch_kind = (lithe_patch_kind)number[0];
        r->npatch_shape = (int)number[1];
    }
    const char *fault = fill_patch(file, bytes, r);
    return fault ? fault : fill_range(file, bytes, r);
}

static bool is_finite(const lithe_reduction *r)
{
    return all_finite(3 * (size_t)r->nnode * (size_t)r->nmode, r->mode) &&
           all_finite(3 * (size_t)r->nframe, r->frame) &&
           all_finite(3 * (size_t)r->nside * (size_t)r->nshape, r->shape);
}

static const char *fill(const unsigned char *file, size_t bytes, lithe_reduction *r)
{
    hdf5_set about, hash, element, weight;
    if (!hdf5_find(file, bytes, "about", HDF5_DOUBLE, &about) || about.lines != NUMBERS ||
        !hdf5_find(file, bytes, "hash", HDF5_UINT64, &hash) || hash.lines != REDUCTION_PARTS + 1 ||
        !hdf5_find(file, bytes, "element", HDF5_INT32, &element) ||
        !hdf5_find(file, bytes, "weight", HDF5_DOUBLE, &weight))
        return "it is none that lithe reduce has written";
    double number[NUMBERS];
    memcpy(number, about.data, sizeof number);
    const char *fault = take_numbers(number, r);
    if (fault)
        return fault;
    if (element.lines != weight.lines || element.lines == 0 ||
        element.lines > (uint64_t)r->nwhole || element.width + weight.width > 0)
        return "its sizes do not fit together";
    if ((fault = fill_space(file, bytes, r)) || (fault = fill_cells(file, bytes, r)) ||
        (fault = fill_contact(file, bytes, r)))
        return fault;
    memcpy(r->hash, hash.data, sizeof r->hash);
    r->nelement = (int)element.lines;
    r->element = arena_new(&r->memory, r->nelement, int);
    r->weight = arena_new(&r->memory, r->nelement, double);
    if (!r->element || !r->weight)
        return "there is no memory for it";
    memcpy(r->element, element.data, (size_t)r->nelement * sizeof *r->element);
    memcpy(r->weight, weight.data, (size_t)r->nelement * sizeof *r->weight);
    uint64_t sum;
    memcpy(&sum, (const char *)hash.data + sizeof r->hash, sizeof sum);
    if (sum != sum_of(r, number))
        return "it is damaged: its checksum is wrong";
    if (!is_finite(r))
        return "a shape has what is not a number";
    fault = check_elements(r);
    return fault ? fault : check_cells(r);
}

static void complete_info(lithe_reduction *r)
{
    r->info.nnode = r->nnode;
    r->info.nelement_whole = r->nwhole;
    r->info.nmode = reduction_ncoordinate(r);
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

lithe_reduction_patch lithe_reduction_get_patch(const lithe_reduction *r)
{
    return reduction_patch(r);
}

lithe_reduction_info lithe_reduction_get(const lithe_reduction *r)
{
    return r->info;
}
