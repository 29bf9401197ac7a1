// An HDF5 file that is read by a child process, which may crash, hang or run out of memory on it
// without harm. It ends with whoever started it. Any thread may ask, one is answered at a time.
#ifndef IO_H5_CHILD_H
#define IO_H5_CHILD_H

#include "io/h5_kind.h"
#include "lithe/lithe.h"

#include <stdint.h>

typedef struct h5_child h5_child;

// Before this process has threads. LITHE_INVALID: not an HDF5 file that can be opened.
lithe_status h5_child_start(const char *path, h5_child **out, lithe_report *report);
void h5_child_end(h5_child *c);

// The child is gone: the file made it crash, or took it too long.
bool h5_child_died(const h5_child *c);

// Bytes that a file of this size can hold at most, unpacked.
uint64_t h5_child_most(const h5_child *c);

// As in io/h5_read.h.
bool h5_child_size(h5_child *c, const char *name, h5_kind kind, uint64_t *lines, uint64_t *width);
bool h5_child_lines(h5_child *c, const char *name, h5_kind kind, uint64_t first, uint64_t n,
                    uint64_t width, void *out);
bool h5_child_count(h5_child *c, const char *group, uint64_t *n);

// All of a dataset, with a zero behind it, to be freed with free(); NULL: not there, or no memory.
void *h5_child_all(h5_child *c, const char *name, h5_kind kind, uint64_t *lines, uint64_t *bytes);

bool h5_child_noted_number(h5_child *c, const char *object, const char *name, int *value);
char *h5_child_noted_text(h5_child *c, const char *object, const char *name); // free()

#endif
