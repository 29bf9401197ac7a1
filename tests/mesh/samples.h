// One small mesh, written in every format that is read: five nodes, two tetrahedra, one triangle.
#ifndef TESTS_MESH_SAMPLES_H
#define TESTS_MESH_SAMPLES_H

#include "mesh/read.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { NNODE = 5, NTET = 2 };

static const double sample_x[NNODE][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
static const int sample_tet[NTET][4] = {{0, 1, 2, 3}, {1, 2, 3, 4}};
static const int sample_tri[3] = {0, 2, 1};

typedef lithe_status (*sample_reader)(const mesh_source *source, mesh *m, lithe_report *report);

// A file being written, in either byte order.
typedef struct pen {
    char data[16384];
    size_t size;
    bool big;
    bool binary;
} pen;

static inline void pen_bytes(pen *p, const void *bytes, size_t n)
{
    if (p->size + n <= sizeof p->data)
        memcpy(p->data + p->size, bytes, n);
    p->size += n;
}

__attribute__((format(printf, 2, 3))) static inline void pen_text(pen *p, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    pen_bytes(p, text, (size_t)n);
}

static inline void pen_bits(pen *p, uint64_t bits, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        char byte = (char)(bits >> 8 * (p->big ? bytes - 1 - i : i) & 255);
        pen_bytes(p, &byte, 1);
    }
}

static inline void pen_int(pen *p, int64_t value, int bytes)
{
    if (p->binary)
        pen_bits(p, (uint64_t)value, bytes);
    else
        pen_text(p, "%lld ", (long long)value);
}

static inline void pen_real(pen *p, double value, int bytes)
{
    uint64_t bits = 0;
    float small = (float)value;
    uint32_t small_bits;
    if (!p->binary) {
        pen_text(p, "%.17g ", value);
        return;
    }
    memcpy(&bits, &value, 8);
    memcpy(&small_bits, &small, 4);
    pen_bits(p, bytes == 8 ? bits : small_bits, bytes);
}

static inline void pen_points(pen *p, int bytes)
{
    for (int i = 0; i < 3 * NNODE; i++)
        pen_real(p, (&sample_x[0][0])[i], bytes);
}

static inline int64_t sample_tag(int node)
{
    return 10 * node + 7; // sparse, as Gmsh's tags may be
}

// size: bytes of a count in binary files.
static inline void write_msh4(pen *p, int size)
{
    pen_text(p, "$MeshFormat\n4.1 %d %d\n", p->binary, size);
    if (p->binary)
        pen_int(p, 1, 4);
    pen_text(p, "\n$EndMeshFormat\n$Comments\n $Nodes in a comment\n$EndComments\n");
    pen_text(p, "$PhysicalNames\n2\n2 3 \"base\"\n3 4 \"soft part\"\n$EndPhysicalNames\n");
    pen_text(p, "$Entities\n");
    for (int dim = 0; dim < 4; dim++)
        pen_int(p, dim == 1 ? 0 : 1 + (dim == 3), size);
    static const int entity[4][3] = {{0, 1, 12}, {2, 1, 3}, {3, 1, 4}, {3, 2, 4}};
    for (int i = 0; i < 4; i++) { // dimension, tag, physical group
        pen_int(p, entity[i][1], 4);
        for (int k = 0; k < (entity[i][0] ? 6 : 3); k++)
            pen_real(p, 0, 8);
        pen_int(p, i == 3 ? 2 : 1, size);
        pen_int(p, entity[i][2], 4);
        if (i == 3)
            pen_int(p, -5, 4);
        if (entity[i][0])
            pen_int(p, 0, size);
    }
    pen_text(p, "\n$EndEntities\n$Nodes\n");
    const int64_t head[] = {2, NNODE, sample_tag(0), sample_tag(NNODE - 1)};
    for (int i = 0; i < 4; i++)
        pen_int(p, head[i], size);
    for (int block = 0; block < 2; block++) { // the second one is parametric
        int first = block ? 3 : 0;
        int last = block ? NNODE : 3;
        pen_int(p, block ? 2 : 3, 4);
        pen_int(p, 1, 4);
        pen_int(p, block, 4);
        pen_int(p, last - first, size);
        for (int i = first; i < last; i++)
            pen_int(p, sample_tag(i), size);
        for (int i = first; i < last; i++)
            for (int k = 0; k < (block ? 5 : 3); k++)
                pen_real(p, k < 3 ? sample_x[i][k] : 0.5, 8);
    }
    pen_text(p, "\n$EndNodes\n$Elements\n");
    const int64_t head2[] = {4, 4, 1, 4};
    for (int i = 0; i < 4; i++)
        pen_int(p, head2[i], size);
    static const int block[4][4] = {{0, 1, 15, 1}, {2, 1, 2, 3}, {3, 1, 4, 4}, {3, 2, 4, 4}};
    for (int i = 0; i < 4; i++) { // dimension, entity, type, nodes
        for (int k = 0; k < 3; k++)
            pen_int(p, block[i][k], 4);
        pen_int(p, 1, size);
        pen_int(p, i + 1, size);
        for (int k = 0; k < block[i][3]; k++)
            pen_int(p,
                    sample_tag(i == 0   ? 4
                               : i == 1 ? sample_tri[k]
                                        : sample_tet[i - 2][k]),
                    size);
    }
    pen_text(p, "\n$EndElements\n");
}

static inline void write_msh2(pen *p)
{
    pen_text(p, "$MeshFormat\n2.2 %d 8\n", p->binary);
    if (p->binary)
        pen_int(p, 1, 4);
    pen_text(p,
             "\n$EndMeshFormat\n$PhysicalNames\n2\n2 3 \"base\"\n3 4 \"soft part\"\n"
             "$EndPhysicalNames\n$Nodes\n%d\n",
             NNODE);
    for (int i = 0; i < NNODE; i++) {
        pen_int(p, sample_tag(i), 4);
        for (int k = 0; k < 3; k++)
            pen_real(p, sample_x[i][k], 8);
    }
    pen_text(p, "\n$EndNodes\n$Elements\n5\n");
    // type, nodes, physical group; the last cell is a copy that puts it into a second group
    static const int cell[5][3] = {{15, 1, 12}, {2, 3, 3}, {4, 4, 4}, {4, 4, 4}, {4, 4, -5}};
    for (int i = 0; i < 5; i++) {
        int e = i == 4 ? 3 : i;
        if (p->binary) {
            pen_int(p, cell[i][0], 4);
            pen_int(p, 1, 4);
            pen_int(p, 2, 4);
            pen_int(p, i + 1, 4);
        } else {
            pen_text(p, "%d %d 2 ", i + 1, cell[i][0]);
        }
        pen_int(p, cell[i][2], 4);
        pen_int(p, 1, 4);
        for (int k = 0; k < cell[i][1]; k++)
            pen_int(p, sample_tag(e == 0 ? 4 : e == 1 ? sample_tri[k] : sample_tet[e - 2][k]), 4);
    }
    pen_text(p, "\n$EndElements\n");
}

// Cells in the order of the file: a vertex, the triangle, the tetrahedra.
static const int sample_cell[12] = {4, 0, 2, 1, 0, 1, 2, 3, 1, 2, 3, 4};
static const int sample_end[4] = {1, 4, 8, 12};
static const int sample_type[4] = {1, 5, 10, 10};
static const int sample_label[4] = {12, 3, 4, 4};

static inline void write_vtk(pen *p, const char *version)
{
    p->big = true;
    pen_text(p, "# vtk DataFile Version %s\na title\n%s\nDATASET UNSTRUCTURED_GRID\n", version,
             p->binary ? "BINARY" : "ASCII");
    pen_text(p, "FIELD FieldData 1\ntime 1 1 double\n");
    pen_real(p, 0.5, 8);
    pen_text(p, "\nPOINTS %d float\n", NNODE);
    pen_points(p, 4);
    if (version[0] == '5') {
        pen_text(p, "\nCELLS 5 12\nOFFSETS vtktypeint64\n");
        for (int i = 0; i < 5; i++)
            pen_int(p, i ? sample_end[i - 1] : 0, 8);
        pen_text(p, "\nCONNECTIVITY vtktypeint64\n");
        for (int i = 0; i < 12; i++)
            pen_int(p, sample_cell[i], 8);
    } else {
        pen_text(p, "\nCELLS 4 16\n");
        for (int i = 0, k = 0; i < 4; i++) {
            pen_int(p, sample_end[i] - k, 4);
            for (; k < sample_end[i]; k++)
                pen_int(p, sample_cell[k], 4);
        }
    }
    pen_text(p, "\nCELL_TYPES 4\n");
    for (int i = 0; i < 4; i++)
        pen_int(p, sample_type[i], 4);
    pen_text(p, "\nPOINT_DATA 5\nVECTORS u float\n");
    pen_points(p, 4);
    pen_text(p, "\nMETADATA\nINFORMATION 0\n\nCELL_DATA 4\nSCALARS my%%20label int 1\n"
                "LOOKUP_TABLE default\n");
    for (int i = 0; i < 4; i++)
        pen_int(p, sample_label[i], 4);
    pen_text(p, "\nFIELD FieldData 1\nquality 1 4 double\n");
    for (int i = 0; i < 4; i++)
        pen_real(p, 0.25, 8);
    pen_text(p, "\n");
}

static inline void pen_base64(pen *p, const pen *bytes)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes->size; i += 3) {
        unsigned bits = 0;
        for (size_t k = i; k < i + 3; k++)
            bits = bits << 8 | (k < bytes->size ? (unsigned char)bytes->data[k] : 0u);
        for (int k = 0; k < 4; k++) {
            char c = i + (size_t)k > bytes->size ? '=' : digit[bits >> (18 - 6 * k) & 63];
            pen_bytes(p, &c, 1);
        }
    }
}

typedef enum vtu_kind { ASCII, BASE64, APPENDED_RAW, APPENDED_BASE64 } vtu_kind;

typedef struct vtu_pen {
    pen *p;
    pen appended;
    vtu_kind kind;
    int header; // bytes of a count before binary numbers
    bool zlib;
} vtu_pen;

// Blocks of 16 bytes: their number and sizes, then zlib streams. In base64 the header is a run of
// its own.
static inline void pen_blocks(const vtu_pen *v, pen *to, const pen *numbers)
{
    enum { BLOCK = 16 };
    size_t nblock = (numbers->size + BLOCK - 1) / BLOCK;
    pen header = {.big = numbers->big, .binary = true};
    pen data = {0};
    pen_int(&header, (int64_t)nblock, v->header);
    pen_int(&header, BLOCK, v->header);
    pen_int(&header, (int64_t)(numbers->size % BLOCK), v->header);
    for (size_t i = 0; i < nblock; i++) {
        unsigned char coded[64];
        uLongf n = sizeof coded;
        size_t left = numbers->size - BLOCK * i;
        compress(coded, &n, (const unsigned char *)numbers->data + BLOCK * i,
                 left < BLOCK ? left : BLOCK);
        pen_int(&header, (int64_t)n, v->header);
        pen_bytes(&data, coded, n);
    }
    if (v->kind == APPENDED_RAW) {
        pen_bytes(to, header.data, header.size);
        pen_bytes(to, data.data, data.size);
    } else {
        pen_base64(to, &header);
        pen_base64(to, &data);
    }
}

static inline void pen_plain(const vtu_pen *v, pen *to, const pen *numbers)
{
    pen coded = {.big = numbers->big, .binary = true};
    if (v->kind != ASCII)
        pen_int(&coded, (int64_t)numbers->size, v->header);
    pen_bytes(&coded, numbers->data, numbers->size);
    if (v->kind == BASE64 || v->kind == APPENDED_BASE64)
        pen_base64(to, &coded);
    else
        pen_bytes(to, coded.data, coded.size);
}

// One DataArray whose numbers are in `numbers`.
static inline void pen_array(vtu_pen *v, const char *attributes, const pen *numbers)
{
    static const char *format[] = {"ascii", "binary", "appended", "appended"};
    pen_text(v->p, "<DataArray %s format=\"%s\"", attributes, format[v->kind]);
    if (v->kind >= APPENDED_RAW)
        pen_text(v->p, " offset=\"%zu\"", v->appended.size);
    pen_text(v->p, ">\n");
    (v->zlib ? pen_blocks : pen_plain)(v, v->kind >= APPENDED_RAW ? &v->appended : v->p, numbers);
    pen_text(v->p, "\n<InformationKey name=\"L2_NORM_RANGE\"><Value index=\"0\">9</Value>"
                   "</InformationKey></DataArray>\n");
}

static inline void pen_int_array(vtu_pen *v, const char *attributes, const int *value, int n,
                                 int bytes)
{
    pen numbers = {.big = v->p->big, .binary = v->kind != ASCII};
    for (int i = 0; i < n; i++)
        pen_int(&numbers, value[i], bytes);
    pen_array(v, attributes, &numbers);
}

static inline void write_vtu(pen *p, vtu_kind kind, int header, bool zlib)
{
    vtu_pen v = {.p = p, .kind = kind, .header = header, .zlib = zlib};
    pen points = {.big = p->big, .binary = kind != ASCII};
    pen_points(&points, 8);
    pen_text(p,
             "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
             "byte_order=\"%sEndian\" header_type=\"UInt%d\"%s>\n<UnstructuredGrid>\n"
             "<Piece NumberOfPoints=\"5\" NumberOfCells=\"4\">\n<CellData>\n",
             p->big ? "Big" : "Little", 8 * header,
             zlib ? " compressor=\"vtkZLibDataCompressor\"" : "");
    pen_int_array(&v, "type=\"Int32\" Name=\"my label\"", sample_label, 4, 4);
    pen_text(p, "</CellData>\n<Points>\n");
    pen_array(&v, "type=\"Float64\" NumberOfComponents=\"3\"", &points);
    pen_text(p, "</Points>\n<Cells>\n");
    pen_int_array(&v, "type=\"Int64\" Name=\"connectivity\"", sample_cell, 12, 8);
    pen_int_array(&v, "type=\"Int64\" Name=\"offsets\"", sample_end, 4, 8);
    pen_int_array(&v, "type=\"UInt8\" Name=\"types\"", sample_type, 4, 1);
    pen_text(p, "</Cells>\n</Piece>\n</UnstructuredGrid>\n");
    if (kind >= APPENDED_RAW) {
        pen_text(p, "<AppendedData encoding=\"%s\">\n_", kind == APPENDED_RAW ? "raw" : "base64");
        pen_bytes(p, v.appended.data, v.appended.size);
        pen_text(p, "\n</AppendedData>\n");
    }
    pen_text(p, "</VTKFile>\n");
}

typedef struct sample {
    const char *name;
    sample_reader read;
    pen file;
} sample;

enum { NSAMPLE = 33 };

// Every volume format, in text and binary, and in both byte orders where the format has them.
static inline void write_samples(sample *s)
{
    int n = 0;
    s[n++] = (sample){.name = "msh 4.1", .read = read_msh};
    for (int i = 0; i < 4; i++)
        s[n++] = (sample){"msh 4.1 binary", read_msh, {.binary = true, .big = i % 2 == 1}};
    s[n++] = (sample){.name = "msh 2.2", .read = read_msh};
    for (int i = 0; i < 2; i++)
        s[n++] = (sample){"msh 2.2 binary", read_msh, {.binary = true, .big = i == 1}};
    for (int i = 0; i < 4; i++)
        s[n++] = (sample){i < 2 ? "vtk 3.0" : "vtk 5.1", read_vtk, {.binary = i % 2 == 1}};
    s[n++] = (sample){.name = "vtu", .read = read_vtu};
    for (int i = 0; i < 20; i++)
        s[n++] = (sample){i < 10 ? "vtu binary" : "vtu zlib", read_vtu, {.big = i % 2 == 1}};
    write_msh4(&s[0].file, 8);
    for (int i = 1; i < 5; i++)
        write_msh4(&s[i].file, i < 3 ? 8 : 4);
    for (int i = 5; i < 8; i++)
        write_msh2(&s[i].file);
    for (int i = 8; i < 12; i++)
        write_vtk(&s[i].file, i < 10 ? "3.0" : "5.1");
    write_vtu(&s[12].file, ASCII, 4, false);
    for (int i = 13; i < NSAMPLE; i++)
        write_vtu(&s[i].file, (vtu_kind)(1 + (i - 13) / 2 % 3), (i - 13) % 10 < 6 ? 4 : 8, i >= 23);
}

#endif
