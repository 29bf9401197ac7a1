#include "io/h5.h"

#include <stdlib.h>
#include <string.h>

enum { RANK_MAX = 3, COMPRESSION = 4 };

// Closes what was opened; negative numbers were not.
static bool close_all(bool well, hid_t a, hid_t b, hid_t c)
{
    hid_t object[] = {a, b, c};
    for (int i = 0; i < 3; i++)
        if (object[i] >= 0 && H5Idec_ref(object[i]) < 0)
            well = false;
    return well;
}

void h5_be_quiet(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

hid_t h5_create_group(hid_t in, const char *name)
{
    return H5Gcreate2(in, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

static hid_t text_type(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 &&
        (H5Tset_size(type, H5T_VARIABLE) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0)) {
        H5Tclose(type);
        return -1;
    }
    return type;
}

static hid_t list_space(hsize_t n)
{
    return H5Screate_simple(1, &n, NULL);
}

static bool write_set(hid_t in, const char *name, hid_t type, hid_t space, const void *value)
{
    hid_t set = type < 0 || space < 0
                    ? -1
                    : H5Dcreate2(in, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return set >= 0 &&
           close_all(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0, set, -1, -1);
}

static bool note(hid_t object, const char *name, hid_t type, hid_t space, const void *value)
{
    hid_t set = type < 0 || space < 0
                    ? -1
                    : H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    return set >= 0 && close_all(H5Awrite(set, type, value) >= 0, set, -1, -1);
}

bool h5_write_text(hid_t in, const char *name, const char *text)
{
    hid_t type = text_type(), space = H5Screate(H5S_SCALAR);
    return close_all(write_set(in, name, type, space, &text), type, space, -1);
}

bool h5_write_texts(hid_t in, const char *name, int n, const char *const *text)
{
    hid_t type = text_type(), space = list_space((hsize_t)n);
    return close_all(write_set(in, name, type, space, text), type, space, -1);
}

bool h5_write_bytes(hid_t in, const char *name, const void *bytes, size_t n)
{
    hsize_t size = n, chunk = n < 65536 ? (n > 0 ? n : 1) : 65536;
    hid_t space = H5Screate_simple(1, &size, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    bool well = space >= 0 && how >= 0 && H5Pset_chunk(how, 1, &chunk) >= 0 &&
                H5Pset_deflate(how, COMPRESSION) >= 0;
    hid_t set =
        well ? H5Dcreate2(in, name, H5T_STD_U8LE, space, H5P_DEFAULT, how, H5P_DEFAULT) : -1;
    well = set >= 0 && H5Dwrite(set, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0;
    return close_all(well, space, how, set);
}

bool h5_write_numbers(hid_t in, const char *name, hsize_t n, const double *value)
{
    hid_t space = list_space(n);
    return close_all(write_set(in, name, H5T_NATIVE_DOUBLE, space, value), space, -1, -1);
}

bool h5_note_text(hid_t object, const char *name, const char *text)
{
    hid_t type = text_type(), space = H5Screate(H5S_SCALAR);
    return close_all(note(object, name, type, space, &text), type, space, -1);
}

bool h5_note_texts(hid_t object, const char *name, int n, const char *const *text)
{
    hid_t type = text_type(), space = list_space((hsize_t)n);
    return close_all(note(object, name, type, space, text), type, space, -1);
}

bool h5_note_number(hid_t object, const char *name, double value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    return close_all(note(object, name, H5T_NATIVE_DOUBLE, space, &value), space, -1, -1);
}

bool h5_note_integer(hid_t object, const char *name, int value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    return close_all(note(object, name, H5T_NATIVE_INT, space, &value), space, -1, -1);
}

// width x depth numbers in a line; depth 1 makes it a table of two dimensions, width 1 as well one
// of one.
static int rank_of(hsize_t width, hsize_t depth)
{
    return depth > 1 ? 3 : width > 1 ? 2 : 1;
}

hid_t h5_create_table(hid_t in, const char *name, hid_t type, hsize_t width, hsize_t depth,
                      hsize_t chunk)
{
    int rank = rank_of(width, depth);
    hsize_t size[RANK_MAX] = {0, width, depth}, most[RANK_MAX] = {H5S_UNLIMITED, width, depth};
    hsize_t piece[RANK_MAX] = {chunk, width, depth};
    hid_t space = H5Screate_simple(rank, size, most), how = H5Pcreate(H5P_DATASET_CREATE);
    bool well = space >= 0 && how >= 0 && H5Pset_chunk(how, rank, piece) >= 0 &&
                H5Pset_shuffle(how) >= 0 && H5Pset_deflate(how, COMPRESSION) >= 0;
    hid_t table = well ? H5Dcreate2(in, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT) : -1;
    close_all(true, space, how, -1);
    return table;
}

bool h5_append(hid_t table, hid_t type, hsize_t before, hsize_t n, const void *lines)
{
    hsize_t size[RANK_MAX], start[RANK_MAX] = {before, 0, 0};
    hid_t old = H5Dget_space(table);
    int rank = H5Sget_simple_extent_dims(old, size, NULL);
    H5Sclose(old);
    if (rank < 1)
        return false;
    size[0] = before + n;
    if (H5Dset_extent(table, size) < 0)
        return false;
    size[0] = n;
    hid_t file = H5Dget_space(table), memory = H5Screate_simple(rank, size, NULL);
    bool well = file >= 0 && memory >= 0 &&
                H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
                H5Dwrite(table, type, memory, file, H5P_DEFAULT, lines) >= 0;
    return close_all(well, file, memory, -1);
}

// ## reading

static char *copy_text(hid_t space, hid_t type, char *text)
{
    char *copy = text ? strdup(text) : NULL;
    if (text)
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, &text);
    return copy;
}

static bool is_text(hid_t type)
{
    return type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0;
}

static bool is_single(hid_t space)
{
    return space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
}

char *h5_read_text(hid_t in, const char *name)
{
    char *text = NULL;
    hid_t set = H5Dopen2(in, name, H5P_DEFAULT);
    if (set < 0)
        return NULL;
    hid_t type = H5Dget_type(set), space = H5Dget_space(set), memory = text_type();
    if (is_text(type) && is_single(space) &&
        H5Dread(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, &text) >= 0)
        text = copy_text(space, memory, text);
    else
        text = NULL;
    close_all(true, set, type, space);
    close_all(true, memory, -1, -1);
    return text;
}

bool h5_read_texts(hid_t in, const char *name, char **text)
{
    hid_t set = H5Dopen2(in, name, H5P_DEFAULT);
    if (set < 0)
        return false;
    hid_t type = H5Dget_type(set), memory = text_type();
    bool well = is_text(type) && H5Dread(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    return close_all(well, set, type, memory);
}

char *h5_noted_text(hid_t object, const char *name)
{
    char *text = NULL;
    hid_t set = H5Aopen(object, name, H5P_DEFAULT);
    if (set < 0)
        return NULL;
    hid_t type = H5Aget_type(set), space = H5Aget_space(set), memory = text_type();
    if (is_text(type) && is_single(space) && H5Aread(set, memory, &text) >= 0)
        text = copy_text(space, memory, text);
    else
        text = NULL;
    close_all(true, set, type, space);
    close_all(true, memory, -1, -1);
    return text;
}

bool h5_noted_number(hid_t object, const char *name, double *value)
{
    hid_t set = H5Aopen(object, name, H5P_DEFAULT);
    if (set < 0)
        return false;
    hid_t space = H5Aget_space(set);
    bool well = is_single(space) && H5Aread(set, H5T_NATIVE_DOUBLE, value) >= 0;
    return close_all(well, set, space, -1);
}

void *h5_read_bytes(hid_t in, const char *name, size_t *n)
{
    hid_t set = H5Dopen2(in, name, H5P_DEFAULT);
    if (set < 0)
        return NULL;
    hid_t space = H5Dget_space(set);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    void *bytes = count >= 0 ? malloc((size_t)count + 1) : NULL;
    if (bytes && H5Dread(set, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) < 0) {
        free(bytes);
        bytes = NULL;
    }
    *n = bytes ? (size_t)count : 0;
    close_all(true, set, space, -1);
    return bytes;
}

bool h5_table_size(hid_t in, const char *name, hsize_t *lines, hsize_t *width)
{
    hsize_t size[RANK_MAX] = {0, 1, 1};
    hid_t set = H5Dopen2(in, name, H5P_DEFAULT);
    if (set < 0)
        return false;
    hid_t space = H5Dget_space(set);
    int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    bool well = rank >= 1 && rank <= RANK_MAX && H5Sget_simple_extent_dims(space, size, NULL) >= 0;
    *lines = size[0];
    *width = size[1] * size[2];
    return close_all(well, set, space, -1);
}

bool h5_read_lines(hid_t in, const char *name, hid_t type, hsize_t first, hsize_t n, void *out)
{
    hsize_t size[RANK_MAX], start[RANK_MAX] = {first, 0, 0};
    hid_t set = H5Dopen2(in, name, H5P_DEFAULT);
    if (set < 0)
        return false;
    hid_t file = H5Dget_space(set), memory = -1;
    int rank = file >= 0 ? H5Sget_simple_extent_ndims(file) : -1;
    bool well = rank >= 1 && rank <= RANK_MAX && H5Sget_simple_extent_dims(file, size, NULL) >= 0 &&
                first + n <= size[0];
    if (well) {
        size[0] = n;
        memory = H5Screate_simple(rank, size, NULL);
        well = memory >= 0 &&
               H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
               H5Dread(set, type, memory, file, H5P_DEFAULT, out) >= 0;
    }
    return close_all(well, set, file, memory);
}
