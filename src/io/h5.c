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
    H5dont_atexit(); // after a failed write HDF5's own clean-up crashes; all is closed before
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

hid_t h5_create_file(const char *path)
{
    hid_t how = H5Pcreate(H5P_FILE_ACCESS), file = -1;
    if (how >= 0 && H5Pset_libver_bounds(how, H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0)
        file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, how);
    close_all(true, how, -1, -1);
    return file;
}

hid_t h5_create_group(hid_t in, const char *name)
{
    return H5Gcreate2(in, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

// Text of fixed length; that of variable length is where readers crash on damaged files.
static hid_t text_type(size_t bytes)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && (H5Tset_size(type, bytes) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0)) {
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

// Texts one after the other, each filled up with zeros to `width`; to be freed with free().
static char *lay_out(int n, const char *const *text, size_t *width)
{
    *width = 1;
    for (int i = 0; i < n; i++)
        *width = strlen(text[i]) + 1 > *width ? strlen(text[i]) + 1 : *width;
    char *all = calloc((size_t)n + 1, *width);
    for (int i = 0; i < n && all; i++)
        memcpy(all + (size_t)i * *width, text[i], strlen(text[i]));
    return all;
}

typedef bool put_texts(hid_t in, const char *name, hid_t type, hid_t space, const void *value);

static bool put(put_texts *how, hid_t in, const char *name, int n, const char *const *text,
                hid_t space)
{
    size_t width;
    char *all = lay_out(n, text, &width);
    hid_t type = all ? text_type(width) : -1;
    bool well = all && how(in, name, type, space, all);
    free(all);
    return close_all(well, type, space, -1);
}

bool h5_write_text(hid_t in, const char *name, const char *text)
{
    return put(write_set, in, name, 1, &text, H5Screate(H5S_SCALAR));
}

bool h5_write_texts(hid_t in, const char *name, int n, const char *const *text)
{
    return put(write_set, in, name, n, text, list_space((hsize_t)n));
}

bool h5_write_bytes(hid_t in, const char *name, const void *bytes, size_t n)
{
    hsize_t size = n, chunk = n < 65536 ? (n > 0 ? n : 1) : 65536;
    hid_t space = H5Screate_simple(1, &size, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    bool well = space >= 0 && how >= 0 && H5Pset_chunk(how, 1, &chunk) >= 0 &&
                H5Pset_deflate(how, COMPRESSION) >= 0 && H5Pset_fletcher32(how) >= 0;
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
    return put(note, object, name, 1, &text, H5Screate(H5S_SCALAR));
}

bool h5_note_texts(hid_t object, const char *name, int n, const char *const *text)
{
    return put(note, object, name, n, text, list_space((hsize_t)n));
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
                H5Pset_shuffle(how) >= 0 && H5Pset_deflate(how, COMPRESSION) >= 0 &&
                H5Pset_fletcher32(how) >= 0;
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
