#include "mesh/grid.h"
#include "mesh/vtu.h"

#include <expat.h>
#include <limits.h>
#include <string.h>

// The file is walked three times: cell data may come before the cells, and the binary numbers of
// everything may be appended at the end.
typedef enum vtu_pass { PASS_CODING, PASS_MESH, PASS_LABELS } vtu_pass;

typedef enum vtu_section { NOWHERE, POINTS, CELLS, CELL_DATA } vtu_section;

enum { CHUNK = 1 << 24, MAX_LABEL_ARRAY = 64 };

typedef struct vtu {
    grid g;
    XML_Parser parser;
    vtu_pass pass;
    lithe_status status;
    vtu_coding coding;
    vtu_section section;
    bool is_grid; // the file says that it holds an UnstructuredGrid
    bool has_piece;
    bool done; // nothing after this point is XML
    int64_t npoint;
    int64_t nlabel_array;
    int depth;   // elements open inside the current array, itself included; 0: in no array
    bool wanted; // the text of the current array is collected
    vtu_array array;
    list text;
    vtu_scratch scratch;
    bool has_connectivity, has_offsets, has_types;
} vtu;

static void stop(vtu *v, lithe_status status)
{
    if (v->status == LITHE_OK)
        v->status = status;
    XML_StopParser(v->parser, XML_FALSE);
}

// A scan that stands at the current line, for messages.
static scan here(const vtu *v)
{
    scan s = v->g.in;
    s.nowhere = false;
    s.line0 = (size_t)XML_GetCurrentLineNumber(v->parser) - 1;
    return s;
}

#define STOP(v, ...)                                                                               \
    do {                                                                                           \
        scan stop_here = here(v);                                                                  \
        stop((v), scan_fail(&stop_here, __VA_ARGS__));                                             \
    } while (0)

static const char *find_attribute(const XML_Char **attribute, const char *name)
{
    for (; attribute[0]; attribute += 2)
        if (strcmp(attribute[0], name) == 0)
            return attribute[1];
    return NULL;
}

static bool attribute_is(const XML_Char **attribute, const char *name, const char *value)
{
    const char *text = find_attribute(attribute, name);
    return text && strcmp(text, value) == 0;
}

// A count of at least 0, or `missing` if there is no such attribute; -1 if it is no number.
static int64_t count_attribute(const XML_Char **attribute, const char *name, int64_t missing)
{
    const char *text = find_attribute(attribute, name);
    int64_t n;
    if (!text)
        return missing;
    scan_text word = {text, strlen(text)};
    return scan_parse_int(&word, &n) && n >= 0 ? n : -1;
}

static void start_file(vtu *v, const XML_Char **attribute)
{
    const char *type = find_attribute(attribute, "type");
    if (!type || strcmp(type, "UnstructuredGrid") != 0) {
        scan_text shown = {type ? type : "", type ? strlen(type) : 0};
        STOP(v, "a VTK file of type '%s' is not read; save the mesh as UnstructuredGrid",
             scan_show(&shown).text);
        return;
    }
    v->is_grid = true;
    v->coding.big = attribute_is(attribute, "byte_order", "BigEndian");
    v->coding.header = attribute_is(attribute, "header_type", "UInt64") ? SCAN_UINT64 : SCAN_UINT32;
    const char *compressor = find_attribute(attribute, "compressor");
    v->coding.compressed = compressor != NULL;
    if (compressor && strcmp(compressor, "vtkZLibDataCompressor") != 0) {
        scan_text shown = {compressor, strlen(compressor)};
        STOP(v,
             "arrays compressed by '%s' are not read; save the file with ZLib compression, or "
             "without any",
             scan_show(&shown).text);
    }
}

static void start_piece(vtu *v, const XML_Char **attribute)
{
    int64_t npoint = count_attribute(attribute, "NumberOfPoints", -1);
    int64_t ncell = count_attribute(attribute, "NumberOfCells", -1);
    if (npoint < 0 || ncell < 0)
        STOP(v, "a Piece must say NumberOfPoints and NumberOfCells");
    else if (v->has_piece)
        STOP(v, "a second Piece; join the pieces into one mesh first (ParaView: filters Merge "
                "Blocks and Clean to Grid)");
    v->has_piece = true;
    v->npoint = npoint;
    v->g.ncell = ncell;
}

static const struct {
    const char *name;
    scan_type type;
} type_names[] = {
    {"Int8", SCAN_INT8},       {"UInt8", SCAN_UINT8},   {"Int16", SCAN_INT16},
    {"UInt16", SCAN_UINT16},   {"Int32", SCAN_INT32},   {"UInt32", SCAN_UINT32},
    {"Int64", SCAN_INT64},     {"UInt64", SCAN_UINT64}, {"Float32", SCAN_FLOAT32},
    {"Float64", SCAN_FLOAT64},
};

static void describe_array(vtu *v, const XML_Char **attribute)
{
    vtu_array *a = &v->array;
    const char *name = find_attribute(attribute, "Name");
    const char *type = find_attribute(attribute, "type");
    int64_t ncomponent = count_attribute(attribute, "NumberOfComponents", 1);
    *a = (vtu_array){.ncomponent = ncomponent >= 0 && ncomponent < INT_MAX ? (int)ncomponent : -1,
                     .offset = count_attribute(attribute, "offset", -1),
                     .line = (size_t)XML_GetCurrentLineNumber(v->parser)};
    if (name && strlen(name) < sizeof a->name)
        memcpy(a->name, name, strlen(name) + 1);
    for (size_t i = 0; type && i < sizeof type_names / sizeof *type_names; i++)
        if (strcmp(type, type_names[i].name) == 0) {
            a->numeric = true;
            a->type = type_names[i].type;
        }
    if (attribute_is(attribute, "format", "binary"))
        a->format = VTU_BINARY;
    else if (attribute_is(attribute, "format", "appended"))
        a->format = VTU_APPENDED;
}

static bool is_wanted(const vtu *v)
{
    const vtu_array *a = &v->array;
    if (v->pass == PASS_MESH)
        return v->section == POINTS ||
               (v->section == CELLS &&
                (strcmp(a->name, "connectivity") == 0 || strcmp(a->name, "offsets") == 0 ||
                 strcmp(a->name, "types") == 0));
    return v->pass == PASS_LABELS && v->section == CELL_DATA && a->numeric &&
           !scan_is_real(a->type) && a->ncomponent == 1 && a->name[0];
}

static void start_array(vtu *v, const XML_Char **attribute)
{
    describe_array(v, attribute);
    v->depth = 1;
    v->wanted = is_wanted(v);
    v->text.used = 0;
    if (v->wanted && !v->array.numeric)
        STOP(v, "array '%s' is of no type that VTK has for numbers", v->array.name);
}

// Everything after this element may be raw bytes: the walk ends here.
static void start_appended(vtu *v, const XML_Char **attribute)
{
    size_t at =
        (size_t)XML_GetCurrentByteIndex(v->parser) + (size_t)XML_GetCurrentByteCount(v->parser);
    const char *data = v->g.in.data;
    while (at < v->g.in.size && data[at] != '_')
        at++;
    if (at < v->g.in.size) {
        v->coding.appended = data + at + 1;
        v->coding.appended_size = v->g.in.size - at - 1;
    }
    v->coding.appended_base64 = !attribute_is(attribute, "encoding", "raw");
    v->done = true;
    XML_StopParser(v->parser, XML_FALSE);
}

static void XMLCALL on_start(void *user, const XML_Char *name, const XML_Char **attribute)
{
    vtu *v = user;
    if (v->depth > 0) // VTK notes ranges inside arrays
        v->depth++;
    else if (strcmp(name, "VTKFile") == 0)
        start_file(v, attribute);
    else if (!v->is_grid)
        STOP(v, "not a VTK file: it does not start with <VTKFile type=\"UnstructuredGrid\">");
    else if (strcmp(name, "Piece") == 0)
        start_piece(v, attribute);
    else if (strcmp(name, "Points") == 0)
        v->section = POINTS;
    else if (strcmp(name, "Cells") == 0)
        v->section = CELLS;
    else if (strcmp(name, "CellData") == 0)
        v->section = CELL_DATA;
    else if (strcmp(name, "DataArray") == 0)
        start_array(v, attribute);
    else if (strcmp(name, "AppendedData") == 0)
        start_appended(v, attribute);
}

static void XMLCALL on_text(void *user, const XML_Char *text, int n)
{
    vtu *v = user;
    if (!v->wanted || v->depth != 1 || v->array.format == VTU_APPENDED)
        return;
    char *added = list_add(&v->text, (size_t)n);
    if (added)
        memcpy(added, text, (size_t)n);
    else
        stop(v, report_no_memory(v->g.in.report, v->g.in.path));
}

// Whole numbers up to the end of the array.
static lithe_status read_all(vtu *v, scan *from, const char *what, list *to)
{
    if (from->binary)
        return grid_read_ints(&v->g, from, v->array.type, what,
                              (int64_t)(from->size / (size_t)scan_bytes(v->array.type)), to);
    for (scan_skip_space(from); scan_left(from); scan_skip_space(from))
        LITHE_TRY(grid_read_ints(&v->g, from, v->array.type, what, 1, to));
    return LITHE_OK;
}

// VTK's offsets are the ends of cells; ours have the first start too.
static lithe_status read_offsets(vtu *v, scan *from)
{
    int64_t *zero = list_add(&v->g.offset, sizeof *zero);
    if (!zero)
        return report_no_memory(v->g.in.report, v->g.in.path);
    *zero = 0;
    return grid_read_ints(&v->g, from, v->array.type, "offsets", v->g.ncell, &v->g.offset);
}

static lithe_status read_types(vtu *v, scan *from)
{
    LITHE_TRY(scan_check_count(from, "cell types", v->g.ncell, 1, scan_bytes(v->array.type)));
    int *type = list_add(&v->g.type, (size_t)v->g.ncell * sizeof *type);
    if (!type)
        return report_no_memory(v->g.in.report, v->g.in.path);
    for (int64_t i = 0; i < v->g.ncell; i++)
        LITHE_TRY(scan_int_in(from, v->array.type, "a cell type", 0, INT_MAX, &type[i]));
    return LITHE_OK;
}

static lithe_status read_points(vtu *v, scan *from)
{
    if (v->array.ncomponent != 3)
        return scan_fail(from, "points must have 3 components, not %d", v->array.ncomponent);
    return grid_read_points(&v->g, from, v->array.type, v->npoint);
}

static lithe_status once(const scan *from, const char *name, bool *seen)
{
    if (*seen)
        return scan_fail(from, "array '%s' is given twice", name);
    *seen = true;
    return LITHE_OK;
}

static lithe_status read_cells(vtu *v, scan *from)
{
    const char *name = v->array.name;
    if (scan_is_real(v->array.type))
        return scan_fail(from, "array '%s' must hold whole numbers", name);
    if (strcmp(name, "connectivity") == 0) {
        LITHE_TRY(once(from, name, &v->has_connectivity));
        return read_all(v, from, "points of cells", &v->g.node);
    }
    if (strcmp(name, "offsets") == 0) {
        LITHE_TRY(once(from, name, &v->has_offsets));
        return read_offsets(v, from);
    }
    LITHE_TRY(once(from, name, &v->has_types));
    return read_types(v, from);
}

static lithe_status read_labels(vtu *v, scan *from)
{
    if (v->nlabel_array++ >= MAX_LABEL_ARRAY)
        return scan_fail(from, "more than %d arrays of whole numbers on cells; save fewer",
                         MAX_LABEL_ARRAY);
    scan_text name = {v->array.name, strlen(v->array.name)};
    return grid_read_labels(&v->g, from, v->array.type, name);
}

static lithe_status read_array(vtu *v)
{
    scan from;
    LITHE_TRY(vtu_open(&v->g.in, &v->coding, &v->array, &v->text, &v->scratch, &from));
    if (!v->has_piece)
        return scan_fail(&from, "array '%s' stands outside a Piece", v->array.name);
    if (v->section == POINTS)
        LITHE_TRY(read_points(v, &from));
    else if (v->section == CELLS)
        LITHE_TRY(read_cells(v, &from));
    else
        LITHE_TRY(read_labels(v, &from));
    if (!from.binary)
        scan_skip_space(&from);
    if (scan_left(&from))
        return scan_fail(&from,
                         "array '%s' holds more numbers than NumberOfPoints or "
                         "NumberOfCells says",
                         v->array.name);
    return LITHE_OK;
}

static void XMLCALL on_end(void *user, const XML_Char *name)
{
    vtu *v = user;
    if (v->status != LITHE_OK) // the parser ends an empty element even when it was stopped in it
        return;
    if (v->depth > 0 && --v->depth > 0)
        return;
    if (strcmp(name, "DataArray") == 0 && v->wanted) {
        v->wanted = false;
        lithe_status status = read_array(v);
        if (status != LITHE_OK)
            stop(v, status);
    } else if (strcmp(name, "Points") == 0 || strcmp(name, "Cells") == 0 ||
               strcmp(name, "CellData") == 0) {
        v->section = NOWHERE;
    }
}

// No mesh has a document type; files that do are made to exhaust the reader.
static void XMLCALL on_doctype(void *user, const XML_Char *name, const XML_Char *system,
                               const XML_Char *pub, int internal)
{
    (void)name, (void)system, (void)pub, (void)internal;
    vtu *v = user;
    STOP(v, "a document type declaration (<!DOCTYPE) has no place in a VTK file; remove it");
}

static void XMLCALL on_entity(void *user, const XML_Char *name, int parameter,
                              const XML_Char *value, int length, const XML_Char *base,
                              const XML_Char *system, const XML_Char *pub, const XML_Char *notation)
{
    (void)name, (void)parameter, (void)value, (void)length, (void)base, (void)system, (void)pub,
        (void)notation;
    vtu *v = user;
    STOP(v, "an entity declaration has no place in a VTK file; remove it");
}

static void feed(vtu *v)
{
    const char *data = v->g.in.data;
    size_t size = v->g.in.size;
    for (size_t at = 0; v->status == LITHE_OK && !v->done;) {
        size_t n = size - at < CHUNK ? size - at : CHUNK;
        bool last = at + n == size;
        enum XML_Status parsed = XML_Parse(v->parser, data + at, (int)n, last);
        if (parsed != XML_STATUS_OK && v->status == LITHE_OK && !v->done)
            STOP(v, "%s; the file is no XML, or it is cut short or damaged: write it again",
                 XML_ErrorString(XML_GetErrorCode(v->parser)));
        if (last)
            return;
        at += n;
    }
}

static lithe_status walk(vtu *v, vtu_pass pass)
{
    v->parser = XML_ParserCreate(NULL);
    if (!v->parser)
        return report_no_memory(v->g.in.report, v->g.in.path);
    v->pass = pass;
    v->done = v->is_grid = v->has_piece = v->wanted = false;
    v->section = NOWHERE;
    v->depth = 0;
    XML_SetUserData(v->parser, v);
    XML_SetElementHandler(v->parser, on_start, on_end);
    XML_SetCharacterDataHandler(v->parser, on_text);
    XML_SetStartDoctypeDeclHandler(v->parser, on_doctype);
    XML_SetEntityDeclHandler(v->parser, on_entity);
    feed(v);
    XML_ParserFree(v->parser);
    v->parser = NULL;
    return v->status;
}

static lithe_status read_grid(vtu *v)
{
    LITHE_TRY(walk(v, PASS_CODING));
    LITHE_TRY(walk(v, PASS_MESH));
    if (!v->g.has_points || !v->has_connectivity || !v->has_offsets || !v->has_types)
        return LITHE_FAIL(v->g.in.report, LITHE_INVALID, "%s: the file lacks %s; write it again",
                          v->g.in.path,
                          !v->g.has_points ? "its points" : "connectivity, offsets or types");
    LITHE_TRY(grid_make_cells(&v->g));
    LITHE_TRY(walk(v, PASS_LABELS));
    return build_end(&v->g.out);
}

lithe_status read_vtu(const mesh_source *source, mesh *m, lithe_report *report)
{
    vtu v = {.g = {.in = scan_start(source, report), .out = build_start(m, source->path, report)}};
    v.g.in.nowhere = true; // the parser knows the position, the scan does not
    lithe_status status = read_grid(&v);
    grid_free(&v.g);
    list_free(&v.text);
    vtu_free_scratch(&v.scratch);
    return status;
}
