// Bytes as base64 text.
#ifndef IO_ENCODE64_H
#define IO_ENCODE64_H

#include <stddef.h>
#include <stdio.h>

// Set file and leave the rest zero.
typedef struct base64_writer {
    FILE *file;
    int npending;
    unsigned char pending[3];
} base64_writer;

void base64_write(base64_writer *b, const void *data, size_t nbyte);

// What is left, filled up with '='.
void base64_end(base64_writer *b);

#endif
