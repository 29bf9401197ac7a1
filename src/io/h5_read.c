#include "io/h5_read.h"

#include "io/h5.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { RANK_MAX = 3, NAME_MAX_BYTES = 128, TEXT_MAX = 1 << 24 };

static const uint64_t CHUNK_MOST = 1 << 21; // bytes of a chunk of short lines
static const uint64_t MEMORY = 512u << 20;  // bytes that reading may take, and four times the file

static void close_all(hid_t a, hid_t b, hid_t c)
{
    hid_t object[] = {a, b, c};
    for (int i = 0; i < 3; i++)
        if (object[i] >= 0)
            H5Idec_ref(object[i]);
}

size_t h5_kind_bytes(h5_kind kind)
{
    static const size_t bytes[] = {[H5_KIND_BYTE] = 1,
                                   [H5_KIND_INT] = sizeof(int),
                                   [H5_KIND_FLOAT] = sizeof(float),
                                   [H5_KIND_DOUBLE] = sizeof(double),
                                   [H5_KIND_TEXT] = 1};
    return bytes[kind];
}

uint64_t h5_most_bytes(uint64_t file_bytes)
{
    const uint64_t ratio = 1032, least = 1 << 16;
    return file_bytes > (UINT64_MAX / 2 - least) / ratio ? UINT64_MAX / 2
                                                         : ratio * file_bytes + least;
}

// ## opening

// What is mapped already counts: sanitizers map terabytes.
static bool limit_memory(uint64_t more)
{
    unsigned long long data = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    bool known = file && fscanf(file, "%*u %*u %*u %*u %*u %llu", &data) == 1;
    if (file)
        fclose(file);
    rlim_t most = (rlim_t)(data * (unsigned long long)sysconf(_SC_PAGESIZE) + more);
    struct rlimit limit;
    if (!known || getrlimit(RLIMIT_DATA, &limit) != 0)
        return false;
    if (limit.rlim_max != RLIM_INFINITY && most > limit.rlim_max)
        most = limit.rlim_max;
    return setrlimit(RLIMIT_DATA, &(struct rlimit){most, most}) == 0;
}

bool h5_source_open(h5_source *s, const char *path, uint64_t file_bytes)
{
    h5_be_quiet();
    H5PLset_loading_state(0); // filters that are not ours would be loaded from the user's folders
    s->most = h5_most_bytes(file_bytes);
    if (!limit_memory(MEMORY + 4 * (file_bytes < MEMORY ? file_bytes : MEMORY)))
        return false;
    s->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    // From here on nothing can be opened, whatever the file asks for.
    return s->file >= 0 && setrlimit(RLIMIT_NOFILE, &(struct rlimit){0, 0}) == 0 &&
           setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0}) == 0;
}

// ## finding

static hid_t step_into(hid_t in, const char *name)
{
    H5L_info_t link;
    if (H5Lget_info(in, name, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
        return -1;
    return H5Oopen(in, name, H5P_DEFAULT);
}

// An object behind hard links only; "" is the file's own group.
static hid_t find(const h5_source *s, const char *path)
{
    char part[NAME_MAX_BYTES];
    hid_t at = H5Gopen2(s->file, "/", H5P_DEFAULT);
    while (at >= 0 && *path) {
        size_t length = strcspn(path, "/");
        if (length == 0 || length >= sizeof part) {
            close_all(at, -1, -1);
            return -1;
        }
        memcpy(part, path, length);
        part[length] = '\0';
        hid_t next = step_into(at, part);
        close_all(at, -1, -1);
        at = next;
        path += length + (path[length] == '/');
    }
    return at;
}

static bool is_of_kind(hid_t type, h5_kind kind)
{
    if (type < 0)
        return false;
    switch (kind) {
    case H5_KIND_BYTE: return H5Tequal(type, H5T_NATIVE_UCHAR) > 0;
    case H5_KIND_INT: return H5Tequal(type, H5T_NATIVE_INT) > 0;
    case H5_KIND_FLOAT: return H5Tequal(type, H5T_NATIVE_FLOAT) > 0;
    case H5_KIND_DOUBLE: return H5Tequal(type, H5T_NATIVE_DOUBLE) > 0;
    case H5_KIND_TEXT:
        return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
               H5Tget_size(type) > 0 && H5Tget_size(type) <= TEXT_MAX;
    }
    return false;
}

static bool filters_are_ours(hid_t how)
{
    int n = H5Pget_nfilters(how);
    for (int i = 0; i < n; i++) {
        unsigned flags, config;
        size_t nvalue = 0;
        H5Z_filter_t f = H5Pget_filter2(how, (unsigned)i, &flags, &nvalue, NULL, 0, NULL, &config);
        if (f != H5Z_FILTER_DEFLATE && f != H5Z_FILTER_SHUFFLE && f != H5Z_FILTER_FLETCHER32)
            return false;
    }
    return n >= 0;
}

// A chunk is unpacked as a whole, however little of it is asked for.
static bool chunks_are_small(hid_t how, uint64_t line_bytes, uint64_t item)
{
    hsize_t size[RANK_MAX] = {0};
    int rank = H5Pget_chunk(how, RANK_MAX, size);
    uint64_t bytes = item, most = line_bytes > CHUNK_MOST ? line_bytes : CHUNK_MOST;
    if (rank < 1 || rank > RANK_MAX)
        return false;
    for (int i = 0; i < rank; i++) {
        if (size[i] == 0 || size[i] > most / bytes)
            return false;
        bytes *= size[i];
    }
    return true;
}

static bool is_stored_here(hid_t set, uint64_t line_bytes, uint64_t item)
{
    hid_t how = H5Dget_create_plist(set);
    H5D_layout_t layout = how >= 0 ? H5Pget_layout(how) : H5D_LAYOUT_ERROR;
    bool well = how >= 0 && H5Pget_external_count(how) == 0 && filters_are_ours(how) &&
                (layout == H5D_COMPACT || layout == H5D_CONTIGUOUS ||
                 (layout == H5D_CHUNKED && chunks_are_small(how, line_bytes, item)));
    close_all(how, -1, -1);
    return well;
}

// Lines and the numbers in each, if all of it could be in the file.
static bool shape_of(const h5_source *s, hid_t space, uint64_t item, uint64_t *lines,
                     uint64_t *width)
{
    hsize_t size[RANK_MAX] = {1, 1, 1};
    if (space < 0 || (H5Sget_simple_extent_type(space) != H5S_SIMPLE &&
                      H5Sget_simple_extent_type(space) != H5S_SCALAR))
        return false;
    int rank = H5Sget_simple_extent_ndims(space);
    if (rank < 0 || rank > RANK_MAX || H5Sget_simple_extent_dims(space, size, NULL) < 0)
        return false;
    uint64_t most = s->most / item;
    for (int i = 1; i < RANK_MAX; i++) {
        if (size[i] == 0 || size[i] > most)
            return false;
        most /= size[i];
    }
    *lines = size[0];
    *width = size[1] * size[2];
    return size[0] <= most;
}

typedef struct table {
    hid_t set, type, space;
    uint64_t lines, width; // numbers, or bytes of texts
} table;

static void table_close(const table *t)
{
    close_all(t->set, t->type, t->space);
}

static bool table_find(const h5_source *s, const char *name, h5_kind kind, table *t)
{
    *t = (table){find(s, name), -1, -1, 0, 0};
    if (t->set < 0 || H5Iget_type(t->set) != H5I_DATASET)
        return false;
    t->type = H5Dget_type(t->set);
    t->space = H5Dget_space(t->set);
    if (!is_of_kind(t->type, kind))
        return false;
    uint64_t item = H5Tget_size(t->type);
    if (!shape_of(s, t->space, item, &t->lines, &t->width) ||
        !is_stored_here(t->set, t->width * item, item))
        return false;
    t->width *= item / h5_kind_bytes(kind);
    return true;
}

// ## reading

bool h5_source_size(const h5_source *s, const char *name, h5_kind kind, uint64_t *lines,
                    uint64_t *width)
{
    table t;
    bool well = table_find(s, name, kind, &t);
    *lines = t.lines;
    *width = t.width;
    table_close(&t);
    return well;
}

static bool read_part(const table *t, uint64_t first, uint64_t n, void *out)
{
    hsize_t size[RANK_MAX], start[RANK_MAX] = {first, 0, 0};
    int rank = H5Sget_simple_extent_dims(t->space, size, NULL);
    if (rank == 0)
        return H5Dread(t->set, t->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
    size[0] = n;
    hid_t memory = rank > 0 ? H5Screate_simple(rank, size, NULL) : -1;
    bool well = memory >= 0 &&
                H5Sselect_hyperslab(t->space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
                H5Dread(t->set, t->type, memory, t->space, H5P_DEFAULT, out) >= 0;
    close_all(memory, -1, -1);
    return well;
}

bool h5_source_lines(const h5_source *s, const char *name, h5_kind kind, uint64_t first, uint64_t n,
                     void *out, uint64_t room)
{
    table t;
    bool well = table_find(s, name, kind, &t) && first <= t.lines && n <= t.lines - first &&
                room == n * t.width * h5_kind_bytes(kind) &&
                (n == 0 || read_part(&t, first, n, out));
    table_close(&t);
    return well;
}

bool h5_source_note(const h5_source *s, const char *object, const char *name, h5_kind kind,
                    void *out, uint64_t *bytes)
{
    hid_t at = find(s, object);
    hid_t note = at >= 0 ? H5Aopen(at, name, H5P_DEFAULT) : -1;
    hid_t type = note >= 0 ? H5Aget_type(note) : -1, space = note >= 0 ? H5Aget_space(note) : -1;
    bool well = is_of_kind(type, kind) && space >= 0 &&
                H5Sget_simple_extent_type(space) == H5S_SCALAR && H5Tget_size(type) <= *bytes &&
                H5Aread(note, type, out) >= 0;
    *bytes = well ? H5Tget_size(type) : 0;
    close_all(at, note, type);
    close_all(space, -1, -1);
    return well;
}

bool h5_source_count(const h5_source *s, const char *group, uint64_t *n)
{
    H5G_info_t info = {0};
    hid_t at = find(s, group);
    bool well = at >= 0 && H5Iget_type(at) == H5I_GROUP && H5Gget_info(at, &info) >= 0;
    *n = info.nlinks;
    close_all(at, -1, -1);
    return well;
}
