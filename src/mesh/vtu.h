// The numbers of one DataArray of a VTK XML file: text, base64, or appended at the end of the file;
// binary ones may be compressed.
#ifndef MESH_VTU_H
#define MESH_VTU_H

#include "mesh/list.h"
#include "mesh/scan.h"

// How the file says its binary numbers are stored.
typedef struct vtu_coding {
    bool big;             // byte order
    scan_type header;     // the type of the byte count before the numbers
    bool compressed;      // in blocks, see vtu_inflate.c
    const char *appended; // after the '_' that starts the appended data; NULL: none
    size_t appended_size;
    bool appended_base64;
} vtu_coding;

typedef enum vtu_format { VTU_ASCII, VTU_BINARY, VTU_APPENDED } vtu_format;

typedef struct vtu_array {
    char name[128]; // "" if longer
    bool numeric;   // of a type that can be read
    scan_type type;
    int ncomponent;
    vtu_format format;
    int64_t offset; // into the appended data
    size_t line;    // where it starts
} vtu_array;

// What decoding an array needs, reused from one to the next. Zero-initialize.
typedef struct vtu_scratch {
    list bytes;    // from base64
    list header;   // uint64_t, of a compressed array
    list inflated; // from compressed blocks
} vtu_scratch;

void vtu_free_scratch(vtu_scratch *scratch);

// Sets up a scan over the array's numbers. text: what stands inside the element. Decoded bytes are
// in the scratch, which must live as long as the scan.
lithe_status vtu_open(const scan *file, const vtu_coding *coding, const vtu_array *array,
                      const list *text, vtu_scratch *scratch, scan *out);

// Appends to `out` what the blocks of a compressed array hold. from: the bytes that follow the
// header; header: its numbers (nblock, size of a block, size of the last one if it is shorter,
// compressed size of each block). `most` bounds what comes out, so that a small file cannot ask for
// much memory. `at` is for messages.
lithe_status vtu_inflate(const scan *at, const char *name, const uint64_t *header, scan_text from,
                         uint64_t most, list *out);

#endif
