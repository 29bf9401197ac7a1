#include "mesh/grid.h"

#include <limits.h>
#include <string.h>

typedef struct vtk {
    grid g;
    bool has_dataset;
    bool polydata;     // cells get their type from their section, not from CELL_TYPES
    bool offsets;      // version 5 and later: cells are given by offsets and connectivity
    bool made;         // grid_make_cells has run
    bool of_cells;     // the arrays that follow belong to cells
    int64_t ntuple;    // of the arrays that follow
    int last_polydata; // VTK's type of the last section of POLYDATA
} vtk;

enum { VTK_POLY_VERTEX = 2, VTK_POLY_LINE = 4, VTK_TRIANGLE_STRIP = 6, VTK_POLYGON = 7 };

static const struct {
    const char *name;
    scan_type type;
} type_names[] = {
    {"char", SCAN_INT8},
    {"signed_char", SCAN_INT8},
    {"unsigned_char", SCAN_UINT8},
    {"short", SCAN_INT16},
    {"unsigned_short", SCAN_UINT16},
    {"int", SCAN_INT32},
    {"unsigned_int", SCAN_UINT32},
    {"long", SCAN_INT64},
    {"unsigned_long", SCAN_UINT64},
    {"float", SCAN_FLOAT32},
    {"double", SCAN_FLOAT64},
    {"vtkIdType", SCAN_INT32},
    {"vtktypeint8", SCAN_INT8},
    {"vtktypeuint8", SCAN_UINT8},
    {"vtktypeint16", SCAN_INT16},
    {"vtktypeuint16", SCAN_UINT16},
    {"vtktypeint32", SCAN_INT32},
    {"vtktypeuint32", SCAN_UINT32},
    {"vtktypeint64", SCAN_INT64},
    {"vtktypeuint64", SCAN_UINT64},
    {"vtktypefloat32", SCAN_FLOAT32},
    {"vtktypefloat64", SCAN_FLOAT64},
};

// Counts and names of a header are text also in binary files.
static lithe_status read_word(vtk *v, const char *what, scan_text *word)
{
    if (scan_word(&v->g.in, word))
        return LITHE_OK;
    return scan_fail(&v->g.in,
                     "the file ends where %s was expected; it is cut short: write it "
                     "again",
                     what);
}

static lithe_status read_count(vtk *v, const char *what, int64_t *n)
{
    scan_text word;
    LITHE_TRY(read_word(v, what, &word));
    if (!scan_parse_int(&word, n) || *n < 0)
        return scan_fail(&v->g.in, "'%s' is no count, expected %s", scan_show(&word).text, what);
    return LITHE_OK;
}

static lithe_status find_type(vtk *v, const scan_text *word, scan_type *type)
{
    for (size_t i = 0; i < sizeof type_names / sizeof *type_names; i++)
        if (scan_is(word, type_names[i].name)) {
            *type = type_names[i].type;
            return LITHE_OK;
        }
    return scan_fail(&v->g.in, "arrays of type '%s' are not read; leave the array out of the file",
                     scan_show(word).text);
}

static lithe_status read_type(vtk *v, scan_type *type)
{
    scan_text word;
    LITHE_TRY(read_word(v, "the type of an array", &word));
    return find_type(v, &word, type);
}

// Binary numbers start on the line after their header.
static void enter(vtk *v)
{
    if (v->g.in.binary)
        scan_skip_line(&v->g.in);
}

static lithe_status read_dataset(vtk *v)
{
    scan_text word;
    LITHE_TRY(read_word(v, "the kind of dataset", &word));
    if (v->has_dataset)
        return scan_fail(&v->g.in, "a second DATASET; a file holds one mesh");
    v->has_dataset = true;
    v->polydata = scan_is(&word, "POLYDATA");
    if (v->polydata || scan_is(&word, "UNSTRUCTURED_GRID"))
        return LITHE_OK;
    return scan_fail(&v->g.in,
                     "a dataset of kind '%s' is not read; save the mesh as UNSTRUCTURED_GRID",
                     scan_show(&word).text);
}

static lithe_status read_points(vtk *v)
{
    int64_t n;
    scan_type type;
    LITHE_TRY(read_count(v, "the number of points", &n));
    LITHE_TRY(read_type(v, &type));
    enter(v);
    return grid_read_points(&v->g, &v->g.in, type, n);
}

static lithe_status add_offset(vtk *v, int64_t offset)
{
    int64_t *added = list_add(&v->g.offset, sizeof *added);
    if (!added)
        return report_no_memory(v->g.in.report, v->g.in.path);
    *added = offset;
    return LITHE_OK;
}

// Each cell: the number of its points, then the points.
static lithe_status read_counted_cells(vtk *v, int64_t n, int64_t size)
{
    grid *g = &v->g;
    LITHE_TRY(scan_check_count(&g->in, "cells", n, 1, 4));
    LITHE_TRY(scan_check_count(&g->in, "numbers of cells", size, 1, 4));
    int64_t left = size;
    for (int64_t i = 0; i < n; i++) {
        int npoint;
        LITHE_TRY(
            scan_int_in(&g->in, SCAN_INT32, "the number of points of a cell", 0, INT_MAX, &npoint));
        left -= 1 + (int64_t)npoint;
        if (left < 0)
            return scan_fail(&g->in,
                             "cell %lld (the first is 0) goes past the %lld numbers that "
                             "CELLS announces",
                             (long long)i, (long long)size);
        LITHE_TRY(grid_read_ints(g, &g->in, SCAN_INT32, "points of a cell", npoint, &g->node));
        LITHE_TRY(add_offset(v, (int64_t)list_count(&g->node, int64_t)));
    }
    g->ncell += n;
    return left == 0 ? LITHE_OK
                     : scan_fail(&g->in,
                                 "cells end %lld numbers before the %lld "
                                 "announced",
                                 (long long)left, (long long)size);
}

static lithe_status read_heading(vtk *v, const char *name, scan_type *type)
{
    scan_text word;
    LITHE_TRY(read_word(v, name, &word));
    if (!scan_is(&word, name))
        return scan_fail(&v->g.in, "'%s' where %s was expected", scan_show(&word).text, name);
    LITHE_TRY(read_type(v, type));
    enter(v);
    return LITHE_OK;
}

// All starts of cells, then all points of all cells.
static lithe_status read_offset_cells(vtk *v, int64_t noffset, int64_t nnode)
{
    grid *g = &v->g;
    scan_type type = SCAN_INT64;
    int64_t base = (int64_t)list_count(&g->node, int64_t);
    LITHE_TRY(read_heading(v, "OFFSETS", &type));
    g->value.used = 0;
    LITHE_TRY(grid_read_ints(g, &g->in, type, "offsets of cells", noffset, &g->value));
    for (int64_t i = 0; i < noffset; i++) {
        int64_t offset = list_at(&g->value, int64_t)[i];
        if (offset < 0 || offset > nnode || (i == 0 && offset != 0))
            return scan_fail(&g->in, "offset %lld of a cell is outside a connectivity of %lld",
                             (long long)offset, (long long)nnode);
        if (i > 0)
            LITHE_TRY(add_offset(v, base + offset));
    }
    LITHE_TRY(read_heading(v, "CONNECTIVITY", &type));
    g->ncell += noffset > 0 ? noffset - 1 : 0;
    return grid_read_ints(g, &g->in, type, "points of cells", nnode, &g->node);
}

static lithe_status read_cells(vtk *v)
{
    int64_t n, size;
    LITHE_TRY(read_count(v, "the number of cells", &n));
    LITHE_TRY(read_count(v, "the size of the cells", &size));
    enter(v);
    if (v->made)
        return scan_fail(&v->g.in, "cells are given twice, or after their data");
    if (v->g.offset.used == 0)
        LITHE_TRY(add_offset(v, 0));
    else if (!v->polydata)
        return scan_fail(&v->g.in, "CELLS is given twice; a file holds one mesh");
    return v->offsets ? read_offset_cells(v, n, size) : read_counted_cells(v, n, size);
}

static lithe_status add_type(vtk *v, int type)
{
    int *added = list_add(&v->g.type, sizeof *added);
    if (!added)
        return report_no_memory(v->g.in.report, v->g.in.path);
    *added = type;
    return LITHE_OK;
}

// A section of POLYDATA: its name is the type of its cells.
static lithe_status read_polydata_cells(vtk *v, int type)
{
    int64_t before = v->g.ncell;
    if (!v->polydata)
        return scan_fail(&v->g.in, "cells of POLYDATA in a grid; use CELLS and CELL_TYPES");
    if (type < v->last_polydata)
        return scan_fail(&v->g.in, "POLYDATA must give VERTICES, LINES, POLYGONS and "
                                   "TRIANGLE_STRIPS in this order");
    v->last_polydata = type == VTK_TRIANGLE_STRIP ? VTK_POLYGON : type;
    LITHE_TRY(read_cells(v));
    for (int64_t i = before; i < v->g.ncell; i++)
        LITHE_TRY(add_type(v, type));
    return LITHE_OK;
}

static lithe_status make_cells(vtk *v)
{
    if (v->made)
        return LITHE_OK;
    v->made = true;
    if (v->g.offset.used == 0)
        LITHE_TRY(add_offset(v, 0));
    return grid_make_cells(&v->g);
}

static lithe_status read_types(vtk *v)
{
    int64_t n;
    int type;
    LITHE_TRY(read_count(v, "the number of cell types", &n));
    enter(v);
    if (v->polydata || v->made || n != v->g.ncell)
        return scan_fail(&v->g.in, "%lld cell types for %lld cells; write the file again",
                         (long long)n, (long long)v->g.ncell);
    LITHE_TRY(scan_check_count(&v->g.in, "cell types", n, 1, 4));
    for (int64_t i = 0; i < n; i++) {
        LITHE_TRY(scan_int_in(&v->g.in, SCAN_INT32, "a cell type", 0, INT_MAX, &type));
        LITHE_TRY(add_type(v, type));
    }
    return make_cells(v);
}

// CELL_DATA or POINT_DATA: what the arrays that follow belong to.
static lithe_status read_owner(vtk *v, bool cells)
{
    LITHE_TRY(read_count(v, "the number of cells or points with data", &v->ntuple));
    if (cells && v->polydata)
        LITHE_TRY(make_cells(v));
    if (cells && !v->made)
        return scan_fail(&v->g.in, "CELL_DATA comes before CELL_TYPES; write the file again");
    int64_t expected = cells ? v->g.ncell : v->g.out.m->nnode;
    if (v->ntuple != expected)
        return scan_fail(&v->g.in, "data of %lld %s, but there are %lld", (long long)v->ntuple,
                         cells ? "cells" : "points", (long long)expected);
    v->of_cells = cells;
    return LITHE_OK;
}

static lithe_status skip_values(vtk *v, scan_type type, int64_t ntuple, int64_t ncomponent)
{
    int64_t n;
    if (__builtin_mul_overflow(ntuple, ncomponent, &n))
        return scan_fail(&v->g.in, "an array of %lld times %lld values", (long long)ntuple,
                         (long long)ncomponent);
    return scan_skip(&v->g.in, type, "values of an array", n);
}

// Labels of cells make groups; every other array is passed over.
static lithe_status read_values(vtk *v, scan_text name, scan_type type, int64_t ntuple,
                                int64_t ncomponent)
{
    if (v->of_cells && ncomponent == 1 && ntuple == v->g.ncell && !scan_is_real(type))
        return grid_read_labels(&v->g, &v->g.in, type, name);
    return skip_values(v, type, ntuple, ncomponent);
}

// SCALARS name type [components], then a line that names a lookup table.
static lithe_status read_scalars(vtk *v)
{
    scan_text line, name, word;
    scan_type type;
    int64_t ncomponent = 1;
    if (!scan_line(&v->g.in, &line) || !scan_word_of_line(&line, &name) ||
        !scan_word_of_line(&line, &word))
        return scan_fail(&v->g.in, "SCALARS must be followed by a name and a type");
    LITHE_TRY(find_type(v, &word, &type));
    if (scan_word_of_line(&line, &word) && (!scan_parse_int(&word, &ncomponent) || ncomponent < 1))
        return scan_fail(&v->g.in, "'%s' is no number of components", scan_show(&word).text);
    scan_text rest = {v->g.in.data + v->g.in.at, scan_left(&v->g.in)};
    if (scan_starts(&rest, "LOOKUP_TABLE"))
        scan_skip_line(&v->g.in);
    return read_values(v, name, type, v->ntuple, ncomponent);
}

// A keyword, a name, a type, and a fixed number of components.
static lithe_status read_attribute(vtk *v, int64_t ncomponent)
{
    scan_text name;
    scan_type type;
    LITHE_TRY(read_word(v, "the name of an array", &name));
    if (ncomponent == 0)
        LITHE_TRY(read_count(v, "the number of components", &ncomponent));
    LITHE_TRY(read_type(v, &type));
    enter(v);
    return read_values(v, name, type, v->ntuple, ncomponent);
}

// A keyword, a name and a count: colours, one byte each.
static lithe_status read_colors(vtk *v, int64_t ntuple, int64_t ncomponent)
{
    scan_text name;
    int64_t n;
    LITHE_TRY(read_word(v, "the name of an array", &name));
    LITHE_TRY(read_count(v, "a number of colours", &n));
    enter(v);
    return skip_values(v, SCAN_UINT8, ntuple ? ntuple : n, ncomponent ? ncomponent : n);
}

// METADATA ends at an empty line.
static lithe_status skip_metadata(vtk *v)
{
    scan_text line;
    scan_skip_line(&v->g.in);
    while (scan_line(&v->g.in, &line) && scan_trim(line).size)
        continue;
    return LITHE_OK;
}

static lithe_status read_field_array(vtk *v)
{
    scan_text name;
    scan_type type;
    int64_t ncomponent, ntuple;
    LITHE_TRY(read_word(v, "the name of an array", &name));
    if (scan_is(&name, "METADATA")) {
        LITHE_TRY(skip_metadata(v));
        LITHE_TRY(read_word(v, "the name of an array", &name));
    }
    LITHE_TRY(read_count(v, "the number of components", &ncomponent));
    LITHE_TRY(read_count(v, "the number of values", &ntuple));
    LITHE_TRY(read_type(v, &type));
    enter(v);
    return read_values(v, name, type, ntuple, ncomponent);
}

static lithe_status read_field(vtk *v)
{
    scan_text name;
    int64_t n;
    LITHE_TRY(read_word(v, "the name of a field", &name));
    LITHE_TRY(read_count(v, "the number of arrays", &n));
    LITHE_TRY(scan_check_count(&v->g.in, "arrays", n, 4, 8));
    for (int64_t i = 0; i < n; i++)
        LITHE_TRY(read_field_array(v));
    return LITHE_OK;
}

static lithe_status read_data_section(vtk *v, const scan_text *word)
{
    if (scan_is(word, "CELL_DATA"))
        return read_owner(v, true);
    if (scan_is(word, "POINT_DATA"))
        return read_owner(v, false);
    if (scan_is(word, "SCALARS"))
        return read_scalars(v);
    if (scan_is(word, "VECTORS") || scan_is(word, "NORMALS"))
        return read_attribute(v, 3);
    if (scan_is(word, "TENSORS"))
        return read_attribute(v, 9);
    if (scan_is(word, "TENSORS6"))
        return read_attribute(v, 6);
    if (scan_is(word, "GLOBAL_IDS") || scan_is(word, "PEDIGREE_IDS"))
        return read_attribute(v, 1);
    if (scan_is(word, "TEXTURE_COORDINATES"))
        return read_attribute(v, 0);
    if (scan_is(word, "COLOR_SCALARS"))
        return read_colors(v, v->ntuple, 0);
    if (scan_is(word, "LOOKUP_TABLE"))
        return read_colors(v, 0, 4);
    return scan_fail(&v->g.in, "'%s' is no section of a VTK file", scan_show(word).text);
}

static lithe_status read_section(vtk *v, const scan_text *word)
{
    if (scan_is(word, "DATASET"))
        return read_dataset(v);
    if (scan_is(word, "FIELD"))
        return read_field(v);
    if (scan_is(word, "METADATA"))
        return skip_metadata(v);
    if (!v->has_dataset)
        return scan_fail(&v->g.in, "'%s' where DATASET was expected", scan_show(word).text);
    if (scan_is(word, "POINTS"))
        return read_points(v);
    if (scan_is(word, "CELLS") && !v->polydata)
        return read_cells(v);
    if (scan_is(word, "CELL_TYPES"))
        return read_types(v);
    if (scan_is(word, "VERTICES"))
        return read_polydata_cells(v, VTK_POLY_VERTEX);
    if (scan_is(word, "LINES"))
        return read_polydata_cells(v, VTK_POLY_LINE);
    if (scan_is(word, "POLYGONS"))
        return read_polydata_cells(v, VTK_POLYGON);
    if (scan_is(word, "TRIANGLE_STRIPS"))
        return read_polydata_cells(v, VTK_TRIANGLE_STRIP);
    return read_data_section(v, word);
}

// Three lines: version, title, ASCII or BINARY.
static lithe_status read_header(vtk *v)
{
    static const char magic[] = "# vtk DataFile Version ";
    scan_text line, format;
    if (!scan_line(&v->g.in, &line) || !scan_starts(&line, magic))
        return scan_fail(&v->g.in, "not a VTK file: it does not start with '%s'", magic);
    scan_text version = {line.at + sizeof magic - 1, line.size - (sizeof magic - 1)};
    v->offsets = version.size && version.at[0] >= '5' && version.at[0] <= '9';
    scan_skip_line(&v->g.in);
    LITHE_TRY(read_word(v, "ASCII or BINARY", &format));
    if (!scan_is(&format, "ASCII") && !scan_is(&format, "BINARY"))
        return scan_fail(&v->g.in, "'%s' where ASCII or BINARY was expected",
                         scan_show(&format).text);
    v->g.in.binary = scan_is(&format, "BINARY");
    v->g.in.big = true;
    return LITHE_OK;
}

static lithe_status read_sections(vtk *v)
{
    scan_text word;
    LITHE_TRY(read_header(v));
    while (scan_word(&v->g.in, &word))
        LITHE_TRY(read_section(v, &word));
    if (v->polydata && v->g.has_points)
        LITHE_TRY(make_cells(v));
    if (!v->made)
        return scan_fail(&v->g.in, "the file ends before its %s; it is cut short: write it again",
                         v->g.has_points ? "CELL_TYPES" : "POINTS");
    return build_end(&v->g.out);
}

lithe_status read_vtk(const mesh_source *source, mesh *m, lithe_report *report)
{
    vtk v = {.g = {.in = scan_start(source, report), .out = build_start(m, source->path, report)}};
    lithe_status status = read_sections(&v);
    grid_free(&v.g);
    return status;
}
