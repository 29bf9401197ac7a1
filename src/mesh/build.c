#include "mesh/build.h"

#include "base/memory.h"
#include "mesh/sort.h"

#include <stdlib.h>
#include <string.h>

typedef struct group_entry {
    const char *name; // NULL: called after its tag
    int tag;
    int dim;
    int id;    // its position in the list
    int final; // its position in the mesh
} group_entry;

typedef struct mark_entry {
    int group;
    int list; // which list of volumes it is of; 0 for all else
    int member;
} mark_entry;

enum { BUILD_MAX_VOLUME = 20 }; // nodes of a volume that is kept

const build_cut build_cut_tri6 = {4, {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}}};
const build_cut build_cut_quad8 = {
    6, {{0, 4, 7}, {4, 1, 5}, {5, 2, 6}, {6, 3, 7}, {4, 5, 6}, {4, 6, 7}}};
const build_cut build_cut_quad9 = {
    8, {{0, 4, 8}, {4, 1, 8}, {1, 5, 8}, {5, 2, 8}, {2, 6, 8}, {6, 3, 8}, {3, 7, 8}, {7, 0, 8}}};

static int list_width(int i)
{
    return i == 0 ? 4 : mesh_kind_width((mesh_kind)(i - 1));
}

build build_start(mesh *m, const char *path, lithe_report *report)
{
    return (build){.m = m, .path = path, .report = report};
}

void build_free(build *b)
{
    for (int i = 0; i <= MESH_NKIND; i++)
        list_free(&b->volume[i]);
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

// A face becomes a fan of triangles about its least node, as mesh/skeleton.c cuts the faces of
// hexahedra.
static lithe_status add_face(build *b, const int *node, int nnode, build_span *span)
{
    int first = 0;
    for (int i = 1; i < nnode && nnode == 4; i++)
        first = node[i] < node[first] ? i : first;
    for (int i = 1; i + 1 < nnode; i++) {
        int tri[3] = {node[first], node[(first + i) % nnode], node[(first + i + 1) % nnode]};
        int index = 0;
        LITHE_TRY(add_cell(b, &b->tri, 3, tri, &index));
        if (span->count++ == 0)
            span->first = index;
    }
    return LITHE_OK;
}

static lithe_status add_cut_face(build *b, const build_cut *cut, const int *node, build_span *span)
{
    for (int i = 0; i < cut->n; i++) {
        int tri[3] = {node[cut->tri[i][0]], node[cut->tri[i][1]], node[cut->tri[i][2]]};
        int index = 0;
        LITHE_TRY(add_cell(b, &b->tri, 3, tri, &index));
        if (span->count++ == 0)
            span->first = index;
    }
    return LITHE_OK;
}

static lithe_status add_volume(build *b, const build_shape *shape, const int *node,
                               build_span *span)
{
    int ordered[BUILD_MAX_VOLUME];
    span->list = shape->volume - BUILD_TET4;
    span->count = 1;
    for (int i = 0; i < shape->nnode; i++)
        ordered[i] = node[shape->order ? shape->order[i] : i];
    return add_cell(b, &b->volume[span->list], shape->nnode, ordered, &span->first);
}

lithe_status build_cell(build *b, const build_shape *shape, const int *node, int nnode,
                        build_span *span)
{
    *span = (build_span){.dim = shape->dim == 1 ? 0 : shape->dim};
    if (shape->dim < 2)
        return LITHE_OK;
    if (shape->dim == 2 && shape->linear)
        return add_face(b, node, nnode, span);
    if (shape->dim == 2 && shape->cut)
        return add_cut_face(b, shape->cut, node, span);
    if (shape->dim == 3 && shape->volume != BUILD_NONE)
        return add_volume(b, shape, node, span);
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

static lithe_status add_mark(build *b, int group, int which, int member)
{
    mark_entry *mark = list_add(&b->mark, sizeof *mark);
    if (!mark)
        return fail_memory(b);
    *mark = (mark_entry){group, which, member};
    return LITHE_OK;
}

lithe_status build_mark(build *b, int group, const build_span *span, const int *node, int nnode)
{
    if (span->dim == 0)
        for (int i = 0; i < nnode; i++)
            LITHE_TRY(add_mark(b, group, 0, node[i]));
    for (int i = 0; i < span->count; i++)
        LITHE_TRY(add_mark(b, group, span->list, span->first + i));
    return LITHE_OK;
}

typedef struct cell_entry {
    const int *node;
    int width; // the same for all that are compared
    int index;
} cell_entry;

static int compare_cell(const void *left, const void *right)
{
    const cell_entry *a = left;
    const cell_entry *b = right;
    int order = order_compare(a->node, b->node, a->width);
    return order ? order : order_compare(&a->index, &b->index, 1);
}

// Keeps the first of every set of equal cells; kept[old index] becomes the new index.
static void drop_repeats(list *cells, int width, cell_entry *entry, int *kept)
{
    int n = (int)(cells->used / ((size_t)width * sizeof(int)));
    int *node = cells->data;
    for (int i = 0; i < n; i++)
        entry[i] = (cell_entry){node + (size_t)i * width, width, i};
    qsort(entry, (size_t)n, sizeof *entry, compare_cell);
    for (int i = 0, first = 0; i < n; i++) {
        if (order_compare(entry[i].node, entry[first].node, width) != 0)
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

static lithe_status merge_repeats(build *b, list *cells, int width, int dim, int which)
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
            if (group[mark[i].group].dim == dim && mark[i].list == which)
                mark[i].member = kept[mark[i].member];
    }
    memory_free(entry);
    memory_free(kept);
    return enough ? LITHE_OK : fail_memory(b);
}

lithe_status build_merge_repeats(build *b)
{
    for (int i = 0; i <= MESH_NKIND; i++)
        LITHE_TRY(merge_repeats(b, &b->volume[i], list_width(i), 3, i));
    return merge_repeats(b, &b->tri, 3, 2, 0);
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

// Gives equal groups one position in the mesh, in the order in which the file first names them.
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

// What is added to an index in a list of volumes to number all volumes through, see mesh_volume.
static void find_starts(const mesh *m, int start[1 + MESH_NKIND])
{
    start[0] = 0;
    for (int i = 0, n = m->ntet; i < MESH_NKIND; n += m->other[i++].n)
        start[1 + i] = n;
}

static lithe_status fill_groups(build *b)
{
    mesh *m = b->m;
    const group_entry *entry = list_at(&b->group, group_entry);
    const mark_entry *mark = list_at(&b->mark, mark_entry);
    size_t nmark = list_count(&b->mark, mark_entry);
    int start[1 + MESH_NKIND];
    find_starts(m, start);
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
        ((int *)g->member)[g->nmember++] = start[mark[i].list] + mark[i].member;
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

// All volumes together are numbered through.
static lithe_status check_count(const build *b)
{
    int64_t n = b->m->ntet;
    for (int i = 0; i < MESH_NKIND; i++)
        n += b->m->other[i].n;
    if (n <= MESH_MAX_COUNT)
        return LITHE_OK;
    return LITHE_FAIL(b->report, LITHE_INVALID,
                      "%s: holds more than %d volumes; use a coarser mesh", b->path,
                      MESH_MAX_COUNT);
}

lithe_status build_end(build *b)
{
    if (b->refused)
        return LITHE_FAIL(b->report, LITHE_INVALID,
                          "%s: holds %lld %s of %d nodes, which Lithe does not read; mesh it "
                          "again with linear tetrahedra (in Gmsh: Mesh.ElementOrder = 1, no "
                          "recombining and no extruded layers with Recombine)",
                          b->path, (long long)b->nrefused, b->refused->plural, b->refused->nnode);
    LITHE_TRY(move_cells(b, &b->volume[0], 4, &b->m->tet, &b->m->ntet));
    for (int i = 0; i < MESH_NKIND; i++)
        LITHE_TRY(move_cells(b, &b->volume[1 + i], list_width(1 + i), &b->m->other[i].node,
                             &b->m->other[i].n));
    LITHE_TRY(check_count(b));
    LITHE_TRY(move_cells(b, &b->tri, 3, &b->m->tri, &b->m->ntri));
    LITHE_TRY(end_groups(b));
    return mesh_finish(b->m, b->path, b->report);
}
