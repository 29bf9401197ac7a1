#include "mesh/build.h"
#include "mesh/scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_BYTES = 84, FACET_BYTES = 50 };

// The corners of all facets, before those at the same position become one node.
typedef struct corner {
    double x[3];
    int index; // 3 facet + corner of it
    int node;
} corner;

typedef struct solid {
    const char *name; // NULL: it has none
    int nfacet;       // facets of it and of all solids before it
} solid;

typedef struct stl {
    scan in;
    build out;
    list corner;
    list solid;
} stl;

static const build_shape triangles = {.plural = "triangles", .dim = 2, .nnode = 3, .linear = true};

static lithe_status fail_memory(const stl *f)
{
    return report_no_memory(f->in.report, f->in.path);
}

static int count_facets(const stl *f)
{
    return (int)(list_count(&f->corner, corner) / 3);
}

static lithe_status add_corner(stl *f, const double x[3])
{
    for (int k = 0; k < 3; k++)
        if (!isfinite(x[k]))
            return scan_fail(&f->in,
                             "facet %d (the first is 0) has a corner at (%g, %g, %g), which is no "
                             "place; mend the program that wrote the file",
                             count_facets(f), x[0], x[1], x[2]);
    int index = (int)list_count(&f->corner, corner);
    corner *c = list_add(&f->corner, sizeof *c);
    if (!c)
        return fail_memory(f);
    *c = (corner){{x[0], x[1], x[2]}, index, -1};
    return LITHE_OK;
}

static lithe_status read_corner(stl *f, scan_type type)
{
    double x[3];
    for (int k = 0; k < 3; k++)
        LITHE_TRY(scan_real(&f->in, type, "a coordinate", &x[k]));
    return add_corner(f, x);
}

static lithe_status add_solid(stl *f, scan_text name)
{
    char *text = NULL;
    if (name.size) {
        text = arena_alloc(&f->out.m->memory, name.size + 1, 1);
        if (!text)
            return fail_memory(f);
        memcpy(text, name.at, name.size);
    }
    solid *s = list_add(&f->solid, sizeof *s);
    if (!s)
        return fail_memory(f);
    *s = (solid){text, count_facets(f)};
    return LITHE_OK;
}

static lithe_status read_binary(stl *f)
{
    int64_t n;
    f->in.binary = true;
    f->in.at = HEADER_BYTES - 4;
    LITHE_TRY(scan_int(&f->in, SCAN_UINT32, "the number of facets", &n));
    LITHE_TRY(scan_check_count(&f->in, "facets", n, 1, FACET_BYTES));
    for (int64_t i = 0; i < n; i++) {
        LITHE_TRY(scan_skip(&f->in, SCAN_FLOAT32, "the normal of a facet", 3));
        for (int k = 0; k < 3; k++)
            LITHE_TRY(read_corner(f, SCAN_FLOAT32));
        LITHE_TRY(scan_skip(&f->in, SCAN_UINT16, "the attribute of a facet", 1));
    }
    return LITHE_OK;
}

static lithe_status expect_word(stl *f, const char *expected)
{
    scan_text word = {"", 0};
    if (scan_word(&f->in, &word) && scan_is(&word, expected))
        return LITHE_OK;
    return scan_fail(&f->in, "'%s' where '%s' was expected; the file is cut short or damaged",
                     scan_show(&word).text, expected);
}

// The word 'facet' was read already.
static lithe_status read_facet(stl *f)
{
    LITHE_TRY(expect_word(f, "normal"));
    LITHE_TRY(scan_skip(&f->in, SCAN_FLOAT32, "the normal of a facet", 3));
    LITHE_TRY(expect_word(f, "outer"));
    LITHE_TRY(expect_word(f, "loop"));
    for (int k = 0; k < 3; k++) {
        LITHE_TRY(expect_word(f, "vertex"));
        LITHE_TRY(read_corner(f, SCAN_FLOAT64));
    }
    LITHE_TRY(expect_word(f, "endloop"));
    return expect_word(f, "endfacet");
}

// The word 'solid' was read already; the rest of its line is the name.
static lithe_status read_solid(stl *f)
{
    scan_text line = {"", 0};
    scan_text word;
    scan_line(&f->in, &line);
    scan_text name = scan_trim(line);
    while (scan_word(&f->in, &word) && scan_is(&word, "facet"))
        LITHE_TRY(read_facet(f));
    if (!word.size || !scan_is(&word, "endsolid"))
        return scan_fail(&f->in,
                         "'%s' where 'facet' or 'endsolid' was expected; the file is cut "
                         "short or damaged",
                         scan_show(&word).text);
    scan_skip_line(&f->in);
    return add_solid(f, name);
}

static lithe_status read_text(stl *f)
{
    scan_text word;
    while (scan_word(&f->in, &word)) {
        if (!scan_is(&word, "solid"))
            return scan_fail(&f->in, "'%s' where 'solid' was expected; this is no STL file",
                             scan_show(&word).text);
        LITHE_TRY(read_solid(f));
    }
    return LITHE_OK;
}

static int compare_x(const corner *a, const corner *b)
{
    for (int k = 0; k < 3; k++)
        if (a->x[k] != b->x[k])
            return a->x[k] < b->x[k] ? -1 : 1;
    return 0;
}

static int compare_index(const void *left, const void *right)
{
    const corner *a = left;
    const corner *b = right;
    return (a->index > b->index) - (a->index < b->index);
}

static int compare_position(const void *left, const void *right)
{
    int order = compare_x(left, right);
    return order ? order : compare_index(left, right);
}

// Corners at exactly the same position become one node; nodes are numbered as they first appear.
static lithe_status merge_corners(stl *f)
{
    corner *c = list_at(&f->corner, corner);
    int n = (int)list_count(&f->corner, corner);
    int nnode = 0;
    if (n)
        qsort(c, (size_t)n, sizeof *c, compare_position);
    for (int i = 0, first = 0; i < n; i++) {
        if (compare_x(&c[i], &c[first]) != 0)
            first = i;
        c[i].node = c[first].index;
        nnode += i == first;
    }
    if (n)
        qsort(c, (size_t)n, sizeof *c, compare_index);
    LITHE_TRY(build_nodes(&f->out, nnode));
    nnode = 0;
    for (int i = 0; i < n; i++) {
        bool first = c[i].node == i;
        if (first)
            memcpy(f->out.m->x + 3 * (size_t)nnode, c[i].x, sizeof c[i].x);
        c[i].node = first ? nnode++ : c[c[i].node].node;
    }
    return LITHE_OK;
}

static lithe_status make_facet(stl *f, int facet, int group, int *nflat)
{
    const corner *c = list_at(&f->corner, corner) + 3 * (size_t)facet;
    int node[3] = {c[0].node, c[1].node, c[2].node};
    build_span span;
    if (node[0] == node[1] || node[1] == node[2] || node[2] == node[0]) {
        (*nflat)++;
        return LITHE_OK;
    }
    LITHE_TRY(build_cell(&f->out, &triangles, node, 3, &span));
    return group < 0 ? LITHE_OK : build_mark(&f->out, group, &span, node, 3);
}

static lithe_status make_mesh(stl *f)
{
    const solid *s = list_at(&f->solid, solid);
    int facet = 0;
    int nflat = 0;
    LITHE_TRY(merge_corners(f));
    for (size_t i = 0; i < list_count(&f->solid, solid); i++) {
        int group = -1;
        if (s[i].name)
            LITHE_TRY(build_group(&f->out, 2, s[i].name, 0, &group));
        for (; facet < s[i].nfacet; facet++)
            LITHE_TRY(make_facet(f, facet, group, &nflat));
    }
    if (nflat)
        report_notice(f->in.report,
                      "%s: %d of %d facets have two corners at one place and are left out",
                      f->in.path, nflat, facet);
    return build_end(&f->out);
}

// Binary files may start with 'solid' too: their size tells.
static bool is_binary(const stl *f)
{
    scan in = f->in;
    int64_t n;
    if (in.size < HEADER_BYTES)
        return false;
    in.binary = true;
    in.at = HEADER_BYTES - 4;
    if (scan_int(&in, SCAN_UINT32, "the number of facets", &n) != LITHE_OK)
        return false;
    scan_text head = scan_trim((scan_text){in.data, HEADER_BYTES});
    return in.size == HEADER_BYTES + (size_t)n * FACET_BYTES || !scan_starts(&head, "solid");
}

lithe_status read_stl(const mesh_source *source, mesh *m, lithe_report *report)
{
    stl f = {.in = scan_start(source, report), .out = build_start(m, source->path, report)};
    lithe_status status = LITHE_OK;
    if (is_binary(&f)) {
        status = read_binary(&f);
        if (status == LITHE_OK)
            status = add_solid(&f, (scan_text){"", 0});
    } else {
        status = read_text(&f);
    }
    if (status == LITHE_OK)
        status = make_mesh(&f);
    build_free(&f.out);
    list_free(&f.corner);
    list_free(&f.solid);
    return status;
}
