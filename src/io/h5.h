// The few things that recordings do with HDF5. Every function says whether it went well; why not is
// in errno where the system refused.
#ifndef IO_H5_H
#define IO_H5_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

// HDF5 prints its errors unless told not to.
void h5_be_quiet(void);

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

// To be freed with free(); NULL: not there, or no memory.
char *h5_read_text(hid_t in, const char *name);
bool h5_read_texts(hid_t in, const char *name, char **text); // each to be freed with free()
void *h5_read_bytes(hid_t in, const char *name, size_t *n);
char *h5_noted_text(hid_t object, const char *name);
bool h5_noted_number(hid_t object, const char *name, double *value);

// Lines and numbers in a line of a table; false: there is none of that name, or it is of another
// kind.
bool h5_table_size(hid_t in, const char *name, hsize_t *lines, hsize_t *width);

// n lines from `first` on, as numbers of that type.
bool h5_read_lines(hid_t in, const char *name, hid_t type, hsize_t first, hsize_t n, void *out);

#endif
