// What the numbers and texts of a recording are in its file.
#ifndef IO_H5_KIND_H
#define IO_H5_KIND_H

typedef enum h5_kind {
    H5_KIND_BYTE,
    H5_KIND_INT,
    H5_KIND_FLOAT,
    H5_KIND_DOUBLE,
    H5_KIND_TEXT, // of fixed length: that of variable length crashes the HDF5 library
} h5_kind;

#endif
