#include "mesh/build.h"

#include "base/memory.h"
#include "mesh/order.h"

#include <stdlib.h>
#include <string.h>

typedef struct group_entry {
    const char *name; // NULL: called after its tag
    int tag;
    int dim;
    int id;    // its place in the list
    int final; // its place in the mesh
} group_entry;

typedef struct mark_entry {
    int group;
    int member;
} mark_entry;

build build_start(mesh *m, const char *path, lithe_report *report)
{
    return (build){.m = m, .path = path, .report = report};
}

void build_free(build *b)
{
    list_free(&b->tet);
    list_free(&b->tri);
    list_free(&b->group);
    list_free(&b->mark);
}

static lithe_status fail_memory(const build *b)
{
    return report_no_memory(b->report, b->path);
}

lithe_status build_nodes(build *b, int64_t n)
{
    if (n > MESH_MAX_COUNT)
        return LITHE_FAIL(b->report, LITHE_INVALID,
                          "%s: %lld nodes are more than Lithe can number (%d); use a coarser mesh",
                          b->path, (long long)n, MESH_MAX_COUNT);
    b->m->nnode = (int)n;
    b->m->x = arena_new(&b->m->memory, 3 * (size_t)n, double);
    return b->m->x ? LITHE_OK : fail_memory(b);
}

// Adds one cell of `width` nodes to a list, and gives its index.
static lithe_status add_cell(build *b, list *cells, int width, const int *node, int *index)
{
    size_t bytes = (size_t)width * sizeof(int);
    size_t n = cells->used / bytes;
    if (n >= MESH_MAX_COUNT)
        return LITHE_FAIL(b->report, LITHE_INVALID,
                          "%s: holds more than %d cells; use a coarser mesh", b->path,
                          MESH_MAX_COUNT);
    int *cell = list_add(cells, bytes);
    if (!cell)
        return fail_memory(b);
    memcpy(cell, node, bytes);
    *index = (int)n;
    return LITHE_OK;
}

// A face becomes a fan of triangles about its first node.
static lithe_status add_face(build *b, const int *node, int nnode, build_span *span)
{
    for (int i = 1; i + 1 < nnode; i++) {
        int tri[3] = {node[0], node[i], node[i + 1]};
        int index = 0;
        LITHE_TRY(add_cell(b, &b->tri, 3, tri, &index));
        if (span->count++ == 0)
            span->first = index;
    }
    return LITHE_OK;
}

lithe_status build_cell(build *b, const build_shape *shape, const int *node, int nnode,
                        build_span *span)
{
    *span = (build_span){.dim = shape->dim == 1 ? 0 : shape->dim};
    if (shape->dim < 2)
        return LITHE_OK;
    if (shape->dim == 2 && shape->linear)
        return add_face(b, node, nnode, span);
    if (shape->dim == 3 && shape->linear && shape->nnode == 4) {
        span->count = 1;
        return add_cell(b, &b->tet, 4, node, &span->first);
    }
    if (!b->refused)
        b->refused = shape;
    b->nrefused += b->refused == shape;
    return LITHE_OK;
}

lithe_status build_group(build *b, int dim, const char *name, int tag, int *id)
{
    size_t n = list_count(&b->group, group_entry);
    group_entry *g = n < MESH_MAX_COUNT ? list_add(&b->group, sizeof *g) : NULL;
    if (!g)
        return fail_memory(b);
    *g = (group_entry){.name = name, .tag = tag, .dim = dim == 1 ? 0 : dim, .id = (int)n};
    *id = (int)n;
    return LITHE_OK;
}

static lithe_status add_mark(build *b, int group, int member)
{
    mark_entry *mark = list_add(&b->mark, sizeof *mark);
    if (!mark)
        return fail_memory(b);
    *mark = (mark_entry){group, member};
    return LITHE_OK;
}

lithe_status build_mark(build *b, int group, const build_span *span, const int *node, int nnode)
{
    if (span->dim == 0)
        for (int i = 0; i < nnode; i++)
            LITHE_TRY(add_mark(b, group, node[i]));
    for (int i = 0; i < span->count; i++)
        LITHE_TRY(add_mark(b, group, span->first + i));
    return LITHE_OK;
}

typedef struct cell_entry {
    int node[4];
    int index;
} cell_entry;

static int compare_cell(const void *left, const void *right)
{
    const cell_entry *a = left;
    const cell_entry *b = right;
    int order = order_compare(a->node, b->node, 4);
    return order ? order : order_compare(&a->index, &b->index, 1);
}

// Keeps the first of every set of equal cells; kept[old index] becomes the new index.
static void drop_repeats(list *cells, int width, cell_entry *entry, int *kept)
{
    int n = (int)(cells->used / ((size_t)width * sizeof(int)));
    int *node = cells->data;
    for (int i = 0; i < n; i++) {
        entry[i] = (cell_entry){.index = i};
        memcpy(entry[i].node, node + (size_t)i * width, (size_t)width * sizeof(int));
    }
    qsort(entry, (size_t)n, sizeof *entry, compare_cell);
    for (int i = 0, first = 0; i < n; i++) {
        if (memcmp(entry[i].node, entry[first].node, sizeof entry[i].node) != 0)
            first = i;
        kept[entry[i].index] = entry[first].index;
    }
    int nkept = 0;
    for (int i = 0; i < n; i++) {
        if (kept[i] == i) {
            memmove(node + (size_t)nkept * width, node + (size_t)i * width,
                    (size_t)width * sizeof(int));
            kept[i] = nkept++;
        } else {
            kept[i] = kept[kept[i]]; // an earlier one, numbered already
        }
    }
    cells->used = (size_t)nkept * width * sizeof(int);
}

static lithe_status merge_repeats(build *b, list *cells, int width, int dim)
{
    size_t n = cells->used / ((size_t)width * sizeof(int));
    if (n == 0)
        return LITHE_OK;
    cell_entry *entry = memory_alloc(n * sizeof *entry);
    int *kept = memory_alloc(n * sizeof *kept);
    bool enough = entry && kept;
    if (enough) {
        drop_repeats(cells, width, entry, kept);
        const group_entry *group = list_at(&b->group, group_entry);
        mark_entry *mark = list_at(&b->mark, mark_entry);
        for (size_t i = 0; i < list_count(&b->mark, mark_entry); i++)
            if (group[mark[i].group].dim == dim)
                mark[i].member = kept[mark[i].member];
    }
    memory_free(entry);
    memory_free(kept);
    return enough ? LITHE_OK : fail_memory(b);
}

lithe_status build_merge_repeats(build *b)
{
    LITHE_TRY(merge_repeats(b, &b->tet, 4, 3));
    return merge_repeats(b, &b->tri, 3, 2);
}

static int compare_name(const group_entry *a, const group_entry *b)
{
    if (a->dim != b->dim)
        return a->dim < b->dim ? -1 : 1;
    if (a->name && b->name)
        return strcmp(a->name, b->name);
    if (a->name || b->name)
        return a->name ? -1 : 1;
    return (a->tag > b->tag) - (a->tag < b->tag);
}

static int compare_group(const void *left, const void *right)
{
    const group_entry *a = left;
    const group_entry *b = right;
    int order = compare_name(a, b);
    return order ? order : order_compare(&a->id, &b->id, 1);
}

static int compare_id(const void *left, const void *right)
{
    const group_entry *a = left;
    const group_entry *b = right;
    return order_compare(&a->id, &b->id, 1);
}

// Gives equal groups one place in the mesh, in the order in which the file first names them.
static int number_groups(group_entry *group, size_t n)
{
    qsort(group, n, sizeof *group, compare_group);
    for (size_t i = 0, first = 0; i < n; i++) {
        if (compare_name(&group[i], &group[first]) != 0)
            first = i;
        group[i].final = group[first].id;
    }
    qsort(group, n, sizeof *group, compare_id);
    int ngroup = 0;
    for (size_t i = 0; i < n; i++)
        group[i].final = group[i].final == group[i].id ? ngroup++ : group[group[i].final].final;
    return ngroup;
}

// Ascending, each member once; gives the number left.
static int sort_members(int *member, int n)
{
    bool sorted = true;
    for (int i = 1; i < n && sorted; i++)
        sorted = member[i - 1] < member[i];
    if (sorted)
        return n;
    qsort(member, (size_t)n, sizeof *member, order_int);
    int kept = 0;
    for (int i = 0; i < n; i++)
        if (i == 0 || member[i] != member[i - 1])
            member[kept++] = member[i];
    return kept;
}

static lithe_status name_groups(build *b, size_t nentry)
{
    mesh *m = b->m;
    const group_entry *entry = list_at(&b->group, group_entry);
    for (size_t i = 0; i < nentry; i++) {
        mesh_group *g = &m->group[entry[i].final];
        if (g->name)
            continue;
        g->dim = entry[i].dim;
        g->name = entry[i].name ? arena_strdup(&m->memory, entry[i].name)
                                : arena_format(&m->memory, "%d", entry[i].tag);
        if (!g->name)
            return fail_memory(b);
    }
    return LITHE_OK;
}

static lithe_status fill_groups(build *b)
{
    mesh *m = b->m;
    const group_entry *entry = list_at(&b->group, group_entry);
    const mark_entry *mark = list_at(&b->mark, mark_entry);
    size_t nmark = list_count(&b->mark, mark_entry);
    for (size_t i = 0; i < nmark; i++)
        m->group[entry[mark[i].group].final].nmember++;
    int *member = arena_new(&m->memory, nmark, int);
    if (!member)
        return fail_memory(b);
    for (int g = 0; g < m->ngroup; g++) {
        m->group[g].member = member;
        member += m->group[g].nmember;
        m->group[g].nmember = 0;
    }
    for (size_t i = 0; i < nmark; i++) {
        mesh_group *g = &m->group[entry[mark[i].group].final];
        ((int *)g->member)[g->nmember++] = mark[i].member;
    }
    for (int g = 0; g < m->ngroup; g++)
        m->group[g].nmember = sort_members((int *)m->group[g].member, m->group[g].nmember);
    return LITHE_OK;
}

// A group without members says nothing: it is left out.
static void drop_empty_groups(mesh *m)
{
    int kept = 0;
    for (int g = 0; g < m->ngroup; g++)
        if (m->group[g].nmember)
            m->group[kept++] = m->group[g];
    m->ngroup = kept;
}

static lithe_status end_groups(build *b)
{
    mesh *m = b->m;
    size_t n = list_count(&b->group, group_entry);
    if (n == 0)
        return LITHE_OK;
    m->ngroup = number_groups(list_at(&b->group, group_entry), n);
    m->group = arena_new(&m->memory, m->ngroup, mesh_group);
    if (!m->group)
        return fail_memory(b);
    LITHE_TRY(name_groups(b, n));
    LITHE_TRY(fill_groups(b));
    drop_empty_groups(m);
    return LITHE_OK;
}

static lithe_status move_cells(build *b, const list *cells, int width, int **node, int *n)
{
    *n = (int)(cells->used / ((size_t)width * sizeof(int)));
    *node = arena_alloc(&b->m->memory, cells->used, 1);
    if (!*node)
        return fail_memory(b);
    if (cells->used)
        memcpy(*node, cells->data, cells->used);
    return LITHE_OK;
}

lithe_status build_end(build *b, bool surface_allowed)
{
    if (b->refused)
        return LITHE_FAIL(b->report, LITHE_INVALID,
                          "%s: holds %lld %s, and Lithe has no such element yet; mesh it again "
                          "with linear tetrahedra (in Gmsh: Mesh.ElementOrder = 1, no recombining "
                          "and no extruded layers with Recombine)",
                          b->path, (long long)b->nrefused, b->refused->plural);
    LITHE_TRY(move_cells(b, &b->tet, 4, &b->m->tet, &b->m->ntet));
    LITHE_TRY(move_cells(b, &b->tri, 3, &b->m->tri, &b->m->ntri));
    LITHE_TRY(end_groups(b));
    return mesh_finish(b->m, b->path, surface_allowed, b->report);
}
