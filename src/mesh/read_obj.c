// Wavefront OBJ: vertices (v), faces (f), and the names that `o` and `g` give to the faces after
// them. Everything else says how a surface looks, and is passed over.
#include "mesh/build.h"
#include "mesh/scan.h"

#include <string.h>

typedef struct obj {
    scan in;
    build out;
    list x;     // double, three a vertex
    list face;  // int, of the face being read
    int object; // the group of the last `o`; -1: none
    list group; // int, the groups of the last `g`
    int nflat;
    int nface;
} obj;

static const build_shape polygons = {.plural = "polygons", .dim = 2, .linear = true};

static lithe_status fail_memory(const obj *f)
{
    return report_no_memory(f->in.report, f->in.path);
}

static int count_vertices(const obj *f)
{
    return (int)(list_count(&f->x, double) / 3);
}

// The line was passed already: go back into it, so that messages name it.
static const scan *line_of(obj *f, const scan_text *line)
{
    f->in.at = (size_t)(line->at - f->in.data);
    return &f->in;
}

static lithe_status fail_word(obj *f, const scan_text *word, const char *problem)
{
    return scan_fail(line_of(f, word), "'%s' %s", scan_show(word).text, problem);
}

static lithe_status read_vertex(obj *f, scan_text line)
{
    scan_text word, rest = line;
    if (count_vertices(f) >= MESH_MAX_COUNT)
        return scan_fail(line_of(f, &line), "more than %d vertices; use a coarser surface",
                         MESH_MAX_COUNT);
    double *x = list_add(&f->x, 3 * sizeof *x);
    if (!x)
        return fail_memory(f);
    for (int k = 0; k < 3; k++) {
        if (!scan_word_of_line(&rest, &word))
            return scan_fail(line_of(f, &line), "a vertex is written 'v X Y Z'");
        if (!scan_parse_real(&word, &x[k]))
            return fail_word(f, &word, "is not a number, expected a coordinate");
    }
    return LITHE_OK;
}

// A corner is `vertex`, `vertex/texture`, `vertex//normal` or `vertex/texture/normal`; vertices are
// numbered from 1, or from -1 backwards.
static bool parse_corner(const obj *f, scan_text word, int *node)
{
    const char *slash = memchr(word.at, '/', word.size);
    scan_text vertex = {word.at, slash ? (size_t)(slash - word.at) : word.size};
    int64_t n = count_vertices(f), number;
    if (!scan_parse_int(&vertex, &number) || number == 0 || number > n || number < -n)
        return false;
    *node = (int)(number > 0 ? number - 1 : n + number);
    return true;
}

static lithe_status read_corners(obj *f, scan_text line)
{
    scan_text word, rest = line;
    f->face.used = 0;
    while (scan_word_of_line(&rest, &word)) {
        int *node = list_add(&f->face, sizeof *node);
        if (!node)
            return fail_memory(f);
        if (!parse_corner(f, word, node))
            return fail_word(f, &word, "is no vertex that stands before this face");
    }
    if (list_count(&f->face, int) < 3)
        return scan_fail(line_of(f, &line), "a face needs at least three vertices");
    return LITHE_OK;
}

static bool is_flat(const int *node, int n)
{
    return n == 3 && (node[0] == node[1] || node[1] == node[2] || node[2] == node[0]);
}

static lithe_status mark(obj *f, int group, const build_span *span)
{
    return group < 0 ? LITHE_OK : build_mark(&f->out, group, span, NULL, 0);
}

static lithe_status read_face(obj *f, scan_text line)
{
    build_span span;
    LITHE_TRY(read_corners(f, line));
    const int *node = list_at(&f->face, int);
    int n = (int)list_count(&f->face, int);
    f->nface++;
    if (is_flat(node, n)) {
        f->nflat++;
        return LITHE_OK;
    }
    LITHE_TRY(build_cell(&f->out, &polygons, node, n, &span));
    LITHE_TRY(mark(f, f->object, &span));
    for (size_t i = 0; i < list_count(&f->group, int); i++)
        LITHE_TRY(mark(f, list_at(&f->group, int)[i], &span));
    return LITHE_OK;
}

static lithe_status open_group(obj *f, scan_text name, int *id)
{
    char *text = arena_alloc(&f->out.m->memory, name.size + 1, 1);
    if (!text)
        return fail_memory(f);
    memcpy(text, name.at, name.size);
    return build_group(&f->out, 2, text, 0, id);
}

// The rest of the line is the name; without one, faces are of no object.
static lithe_status read_object(obj *f, scan_text line)
{
    scan_text name = scan_trim(line);
    f->object = -1;
    return name.size ? open_group(f, name, &f->object) : LITHE_OK;
}

// Each word is a group, and faces are in all of them. `default` is what writers call none.
static lithe_status read_groups(obj *f, scan_text line)
{
    scan_text word;
    f->group.used = 0;
    while (scan_word_of_line(&line, &word)) {
        if (scan_is(&word, "default"))
            continue;
        int *id = list_add(&f->group, sizeof *id);
        if (!id)
            return fail_memory(f);
        LITHE_TRY(open_group(f, word, id));
    }
    return LITHE_OK;
}

static const char *const passed_over[] = {
    "vn",     "vt", "vp",    "l",   "p",        "s",        "usemtl",     "mtllib",   "usemap",
    "maplib", "mg", "bevel", "lod", "c_interp", "d_interp", "shadow_obj", "trace_obj"};

static lithe_status read_line(obj *f, scan_text line)
{
    scan_text word, rest = line;
    if (!scan_word_of_line(&rest, &word) || word.at[0] == '#')
        return LITHE_OK;
    if (scan_is(&word, "v"))
        return read_vertex(f, rest);
    if (scan_is(&word, "f"))
        return read_face(f, rest);
    if (scan_is(&word, "o"))
        return read_object(f, rest);
    if (scan_is(&word, "g"))
        return read_groups(f, rest);
    for (size_t i = 0; i < sizeof passed_over / sizeof *passed_over; i++)
        if (scan_is(&word, passed_over[i]))
            return LITHE_OK;
    return fail_word(f, &word, "begins no line of an OBJ surface; save plain polygons");
}

static lithe_status make_mesh(obj *f)
{
    LITHE_TRY(build_nodes(&f->out, count_vertices(f)));
    if (f->x.used)
        memcpy(f->out.m->x, f->x.data, f->x.used);
    if (f->nflat)
        report_notice(f->in.report, "%s: %d of %d faces use a vertex twice and are left out",
                      f->in.path, f->nflat, f->nface);
    return build_end(&f->out);
}

lithe_status read_obj(const mesh_source *source, mesh *m, lithe_report *report)
{
    obj f = {.in = scan_start(source, report),
             .out = build_start(m, source->path, report),
             .object = -1};
    scan_text line;
    lithe_status status = LITHE_OK;
    while (status == LITHE_OK && scan_line(&f.in, &line))
        status = read_line(&f, line);
    if (status == LITHE_OK)
        status = make_mesh(&f);
    build_free(&f.out);
    list_free(&f.x);
    list_free(&f.face);
    list_free(&f.group);
    return status;
}
