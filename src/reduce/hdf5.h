// HDF5 files of the plainest kind: a root group with datasets of one or two dimensions, each in one
// piece. Every HDF5 program reads them; read back are only files made like that, without the HDF5
// library, which crashes on files made for it and is no part of the shared library.
// [hdf5, file format specification 3.0: superblock 2, object headers 2]
#ifndef REDUCE_HDF5_H
#define REDUCE_HDF5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum hdf5_kind { HDF5_DOUBLE, HDF5_INT32, HDF5_UINT64 } hdf5_kind;

typedef struct hdf5_set {
    const char *name; // at most 31 characters
    hdf5_kind kind;
    uint64_t lines, width; // width 0: of one dimension
    const void *data;
} hdf5_set;

enum { HDF5_SETS = 16 };

size_t hdf5_bytes(hdf5_kind kind);

// Bytes of a file with these sets; and the file, written into as many.
size_t hdf5_size(int n, const hdf5_set *set);
void hdf5_write(int n, const hdf5_set *set, unsigned char *out);

// A set of a file in memory; data points into it, at a multiple of 8 bytes. False: none of that
// name and kind, or not such a file.
bool hdf5_find(const unsigned char *file, size_t bytes, const char *name, hdf5_kind kind,
               hdf5_set *out);

#endif
