// Reads HDF5 files of strangers: plain datasets and attributes behind hard links, of the few types
// that recordings have, and none larger than the file could hold. The HDF5 library itself crashes
// and hangs on files made for it, so all this belongs into a process of its own: io/h5_child.h.
#ifndef IO_H5_READ_H
#define IO_H5_READ_H

#include "io/h5_kind.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct h5_source {
    hid_t file;
    uint64_t most; // bytes that anything in it may have
} h5_source;

// Bytes of one number; a text is counted in bytes.
size_t h5_kind_bytes(h5_kind kind);

// The most that a file of that size can hold: deflate does not shrink more than 1032 times.
uint64_t h5_most_bytes(uint64_t file_bytes);

// Takes the rights away that reading does not need: no other file, a limit on memory.
bool h5_source_open(h5_source *s, const char *path, uint64_t file_bytes);

// Lines of a dataset, and numbers (bytes of a text) in each. False: none of that name and kind.
bool h5_source_size(const h5_source *s, const char *name, h5_kind kind, uint64_t *lines,
                    uint64_t *width);

// n lines from `first` on; room: bytes of out, which they fill.
bool h5_source_lines(const h5_source *s, const char *name, h5_kind kind, uint64_t first, uint64_t n,
                     void *out, uint64_t room);

// A number or a text that is noted at an object ("" is the file). *bytes: room, then what there is.
bool h5_source_note(const h5_source *s, const char *object, const char *name, h5_kind kind,
                    void *out, uint64_t *bytes);

// How many things are in a group.
bool h5_source_count(const h5_source *s, const char *group, uint64_t *n);

#endif
