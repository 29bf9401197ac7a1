// What recordings write with HDF5; io/h5_read.h reads it. Every function says whether it went well;
// why not is in errno where the system refused.
#ifndef IO_H5_H
#define IO_H5_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

// HDF5 prints its errors unless told not to.
void h5_be_quiet(void);

// An empty file of that name. Its inner structure has checksums.
hid_t h5_create_file(const char *path);
hid_t h5_create_group(hid_t in, const char *name);

bool h5_write_text(hid_t in, const char *name, const char *text);
bool h5_write_texts(hid_t in, const char *name, int n, const char *const *text);
bool h5_write_bytes(hid_t in, const char *name, const void *bytes, size_t n);
bool h5_write_numbers(hid_t in, const char *name, hsize_t n, const double *value);
bool h5_note_text(hid_t object, const char *name, const char *text); // attributes
bool h5_note_texts(hid_t object, const char *name, int n, const char *const *text);
bool h5_note_number(hid_t object, const char *name, double value);
bool h5_note_integer(hid_t object, const char *name, int value);

// A table that grows line by line: chunks of `chunk` lines, shuffled and compressed. type: of its
// numbers, in the file and in memory alike.
hid_t h5_create_table(hid_t in, const char *name, hid_t type, hsize_t width, hsize_t depth,
                      hsize_t chunk);
bool h5_append(hid_t table, hid_t type, hsize_t before, hsize_t n, const void *lines);

#endif
