#include "mesh/msh.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct msh_name {
    int64_t key;
    const char *name;
} msh_name;

int msh_compare_key(const void *left, const void *right)
{
    const int64_t *a = left;
    const int64_t *b = right;
    return (*a > *b) - (*a < *b);
}

const char *msh_group_name(const msh *f, int dim, int64_t tag)
{
    int64_t key = msh_key(dim, tag);
    size_t n = list_count(&f->name, msh_name);
    const msh_name *found =
        n ? bsearch(&key, f->name.data, n, sizeof *found, msh_compare_key) : NULL;
    return found ? found->name : NULL;
}

// Gmsh numbers the nodes on edges in another order than VTK.
static const unsigned char tet10_order[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
static const unsigned char hex20_order[] = {0,  1, 2,  3,  4,  5,  6,  7,  8,  11,
                                            13, 9, 16, 18, 19, 17, 10, 12, 14, 15};

// Gmsh's element types, from its manual.
static const build_shape shape_of_type[] = {
    [1] = {"lines", 1, 2, true, BUILD_NONE, NULL, NULL},
    [2] = {"triangles", 2, 3, true, BUILD_NONE, NULL, NULL},
    [3] = {"quadrangles", 2, 4, true, BUILD_NONE, NULL, NULL},
    [4] = {"tetrahedra", 3, 4, true, BUILD_TET4, NULL, NULL},
    [5] = {"hexahedra", 3, 8, true, BUILD_KIND + MESH_HEX8, NULL, NULL},
    [6] = {"prisms", 3, 6, true, BUILD_KIND + MESH_WEDGE6, NULL, NULL},
    [7] = {"pyramids", 3, 5, true, BUILD_KIND + MESH_PYRAMID5, NULL, NULL},
    [8] = {"quadratic lines", 1, 3, false, BUILD_NONE, NULL, NULL},
    [9] = {"quadratic triangles", 2, 6, false, BUILD_NONE, NULL, &build_cut_tri6},
    [10] = {"quadratic quadrangles", 2, 9, false, BUILD_NONE, NULL, &build_cut_quad9},
    [11] = {"quadratic tetrahedra", 3, 10, false, BUILD_KIND + MESH_TET10, tet10_order, NULL},
    [12] = {"quadratic hexahedra", 3, 27, false, BUILD_NONE, NULL, NULL},
    [13] = {"quadratic prisms", 3, 18, false, BUILD_NONE, NULL, NULL},
    [14] = {"quadratic pyramids", 3, 14, false, BUILD_NONE, NULL, NULL},
    [15] = {"points", 0, 1, true, BUILD_NONE, NULL, NULL},
    [16] = {"quadratic quadrangles", 2, 8, false, BUILD_NONE, NULL, &build_cut_quad8},
    [17] = {"quadratic hexahedra", 3, 20, false, BUILD_KIND + MESH_HEX20, hex20_order, NULL},
    [18] = {"quadratic prisms", 3, 15, false, BUILD_NONE, NULL, NULL},
    [19] = {"quadratic pyramids", 3, 13, false, BUILD_NONE, NULL, NULL},
    [20] = {"cubic triangles", 2, 9, false, BUILD_NONE, NULL, NULL},
    [21] = {"cubic triangles", 2, 10, false, BUILD_NONE, NULL, NULL},
    [26] = {"cubic lines", 1, 4, false, BUILD_NONE, NULL, NULL},
    [27] = {"quartic lines", 1, 5, false, BUILD_NONE, NULL, NULL},
    [29] = {"cubic tetrahedra", 3, 20, false, BUILD_NONE, NULL, NULL},
    [30] = {"quartic tetrahedra", 3, 35, false, BUILD_NONE, NULL, NULL},
    [31] = {"quintic tetrahedra", 3, 56, false, BUILD_NONE, NULL, NULL},
};

const build_shape *msh_shape(int64_t type)
{
    int64_t n = sizeof shape_of_type / sizeof *shape_of_type;
    return type > 0 && type < n && shape_of_type[type].nnode ? &shape_of_type[type] : NULL;
}

lithe_status msh_fail_type(const msh *f, int64_t type)
{
    return scan_fail(&f->in,
                     "elements of Gmsh's type %lld are not known to Lithe; mesh again with linear "
                     "tetrahedra",
                     (long long)type);
}

lithe_status msh_add_node_tag(msh *f, int64_t tag, int index)
{
    msh_tag *entry = list_add(&f->node, sizeof *entry);
    if (!entry)
        return report_no_memory(f->in.report, f->in.path);
    *entry = (msh_tag){tag, index};
    return LITHE_OK;
}

lithe_status msh_sort_nodes(msh *f)
{
    msh_tag *node = list_at(&f->node, msh_tag);
    size_t n = list_count(&f->node, msh_tag);
    bool sorted = true;
    for (size_t i = 1; i < n && sorted; i++)
        sorted = node[i - 1].tag < node[i].tag;
    if (sorted)
        return LITHE_OK;
    qsort(node, n, sizeof *node, msh_compare_key);
    for (size_t i = 1; i < n; i++)
        if (node[i - 1].tag == node[i].tag)
            return scan_fail(&f->in, "node %lld is given twice; write the file again",
                             (long long)node[i].tag);
    return LITHE_OK;
}

lithe_status msh_find_node(const msh *f, int64_t tag, int64_t element, int *node)
{
    const msh_tag *first = list_at(&f->node, msh_tag);
    size_t n = list_count(&f->node, msh_tag);
    const msh_tag *found = NULL;
    // tags mostly run without gaps, and then the position is known
    if (n && tag >= first->tag && (uint64_t)tag - (uint64_t)first->tag < n &&
        first[tag - first->tag].tag == tag)
        found = &first[tag - first->tag];
    else if (n)
        found = bsearch(&tag, first, n, sizeof *first, msh_compare_key);
    if (!found)
        return scan_fail(&f->in,
                         "element %lld uses node %lld, which $Nodes does not hold; write the file "
                         "again",
                         (long long)element, (long long)tag);
    *node = found->index;
    return LITHE_OK;
}

// One line: dimension, tag, "name".
static lithe_status read_name(msh *f)
{
    int64_t dim, tag;
    scan_text line;
    LITHE_TRY(scan_int(&f->in, SCAN_INT32, "the dimension of a physical group", &dim));
    LITHE_TRY(scan_int(&f->in, SCAN_INT32, "the tag of a physical group", &tag));
    if (dim < 0 || dim > 3 || tag < INT_MIN || tag > INT_MAX)
        return scan_fail(&f->in, "physical group %lld of dimension %lld is out of range",
                         (long long)tag, (long long)dim);
    if (!scan_line(&f->in, &line))
        return scan_fail(&f->in, "the file ends where a name was expected");
    line = scan_trim(line);
    if (line.size < 2 || line.at[0] != '"' || line.at[line.size - 1] != '"')
        return scan_fail(&f->in, "a physical group's name must stand in double quotes");
    char *text = arena_alloc(&f->out.m->memory, line.size - 1, 1);
    msh_name *name = text ? list_add(&f->name, sizeof *name) : NULL;
    if (!name)
        return report_no_memory(f->in.report, f->in.path);
    memcpy(text, line.at + 1, line.size - 2);
    *name = (msh_name){msh_key((int)dim, tag), text};
    return LITHE_OK;
}

static lithe_status read_names(msh *f)
{
    bool binary = f->in.binary;
    int64_t n;
    f->in.binary = false; // names are text in binary files too
    LITHE_TRY(scan_int(&f->in, SCAN_INT32, "the number of physical groups", &n));
    LITHE_TRY(scan_check_count(&f->in, "physical groups", n, 3, 0));
    for (int64_t i = 0; i < n; i++)
        LITHE_TRY(read_name(f));
    f->in.binary = binary;
    if (n)
        qsort(f->name.data, list_count(&f->name, msh_name), sizeof(msh_name), msh_compare_key);
    return LITHE_OK;
}

// In binary files an integer 1 tells the byte order.
static lithe_status read_byte_order(msh *f)
{
    int64_t one;
    scan_skip_line(&f->in);
    f->in.binary = true;
    LITHE_TRY(scan_int(&f->in, SCAN_INT32, "the number that tells the byte order", &one));
    if (one == 1)
        return LITHE_OK;
    f->in.at -= 4;
    f->in.big = true;
    LITHE_TRY(scan_int(&f->in, SCAN_INT32, "the number that tells the byte order", &one));
    if (one != 1)
        return scan_fail(&f->in, "the number that tells the byte order is not 1; the file is "
                                 "damaged: write it again");
    return LITHE_OK;
}

static lithe_status read_format(msh *f)
{
    scan_text version;
    int64_t binary, size;
    if (!scan_word(&f->in, &version))
        return scan_fail(&f->in, "the file ends where its format version was expected");
    LITHE_TRY(scan_int(&f->in, SCAN_INT32, "0 (text) or 1 (binary)", &binary));
    LITHE_TRY(scan_int(&f->in, SCAN_INT32, "the size of a number in bytes", &size));
    if (scan_is(&version, "4.1"))
        f->version = 4;
    else if (scan_is(&version, "2.2") || scan_is(&version, "2.1") || scan_is(&version, "2"))
        f->version = 2;
    else
        return scan_fail(&f->in,
                         "MSH format %s is not read; save as format 4.1 (gmsh FILE -save -o "
                         "NEW.msh -format msh41)",
                         scan_show(&version).text);
    if (binary < 0 || binary > 1 || (size != 4 && size != 8))
        return scan_fail(&f->in, "$MeshFormat must say 0 or 1, then 4 or 8; it says %lld and %lld",
                         (long long)binary, (long long)size);
    f->size_type = size == 8 ? SCAN_UINT64 : SCAN_UINT32;
    return binary ? read_byte_order(f) : LITHE_OK;
}

// Passes over everything up to the line $End<name>.
static lithe_status skip_section(msh *f, const scan_text *name)
{
    const char *end = f->in.data + f->in.size;
    size_t n = name->size - 1;
    for (const char *at = f->in.data + f->in.at; (at = memchr(at, '$', (size_t)(end - at))) != NULL;
         at++)
        if ((size_t)(end - at) >= n + 4 && memcmp(at, "$End", 4) == 0 &&
            memcmp(at + 4, name->at + 1, n) == 0) {
            f->in.at = (size_t)(at - f->in.data) + n + 4;
            return LITHE_OK;
        }
    return scan_fail(&f->in, "the file ends inside the section %s; it is cut short: write it again",
                     scan_show(name).text);
}

static lithe_status expect_end(msh *f, const scan_text *name)
{
    scan_text word;
    bool found = scan_word(&f->in, &word) && word.size == name->size + 3 &&
                 memcmp(word.at, "$End", 4) == 0 &&
                 memcmp(word.at + 4, name->at + 1, name->size - 1) == 0;
    if (found)
        return LITHE_OK;
    return scan_fail(&f->in,
                     "the section %s is not ended where its counts say; the file is damaged: write "
                     "it again",
                     scan_show(name).text);
}

static lithe_status once(msh *f, const scan_text *name, bool *seen)
{
    if (*seen)
        return scan_fail(&f->in, "a second section %s; a file holds one mesh",
                         scan_show(name).text);
    *seen = true;
    return LITHE_OK;
}

// Numbers of a binary section start on the line after its name.
static void enter(msh *f)
{
    if (f->in.binary)
        scan_skip_line(&f->in);
}

static lithe_status read_cells(msh *f, const scan_text *name)
{
    LITHE_TRY(once(f, name, &f->has_elements));
    if (!f->has_nodes)
        return scan_fail(&f->in, "$Elements comes before $Nodes; write the file again");
    enter(f);
    return f->version == 4 ? msh4_elements(f) : msh2_elements(f);
}

static lithe_status read_nodes(msh *f, const scan_text *name)
{
    LITHE_TRY(once(f, name, &f->has_nodes));
    enter(f);
    LITHE_TRY(f->version == 4 ? msh4_nodes(f) : msh2_nodes(f));
    return msh_sort_nodes(f);
}

static lithe_status read_entities(msh *f)
{
    if (f->has_elements)
        return scan_fail(&f->in, "$Entities comes after $Elements; write the file again");
    enter(f);
    return msh4_entities(f);
}

static lithe_status read_section(msh *f, const scan_text *name)
{
    if (scan_is(name, "$PhysicalNames"))
        LITHE_TRY(read_names(f));
    else if (scan_is(name, "$Entities") && f->version == 4)
        LITHE_TRY(read_entities(f));
    else if (scan_is(name, "$Nodes"))
        LITHE_TRY(read_nodes(f, name));
    else if (scan_is(name, "$Elements"))
        LITHE_TRY(read_cells(f, name));
    else
        return skip_section(f, name);
    return expect_end(f, name);
}

static lithe_status read_sections(msh *f)
{
    scan_text word;
    if (!scan_word(&f->in, &word) || !scan_is(&word, "$MeshFormat"))
        return scan_fail(&f->in, "not a Gmsh file: it does not start with $MeshFormat; MSH 1 files "
                                 "and other formats must be saved again by Gmsh as MSH 4.1");
    LITHE_TRY(read_format(f));
    LITHE_TRY(expect_end(f, &word));
    while (scan_word(&f->in, &word)) {
        if (word.at[0] == '$' && word.size > 1)
            LITHE_TRY(read_section(f, &word));
    }
    if (!f->has_nodes || !f->has_elements)
        return scan_fail(&f->in,
                         "the file has no section %s; it is cut short or holds no mesh: "
                         "mesh with -3 and save again",
                         f->has_nodes ? "$Elements" : "$Nodes");
    if (f->version == 2)
        LITHE_TRY(build_merge_repeats(&f->out));
    return build_end(&f->out);
}

lithe_status read_msh(const mesh_source *source, mesh *m, lithe_report *report)
{
    msh f = {.in = scan_start(source, report),
             .out = build_start(m, source->path, report),
             .last_group = -1};
    lithe_status status = read_sections(&f);
    build_free(&f.out);
    list_free(&f.name);
    list_free(&f.entity);
    list_free(&f.entity_group);
    list_free(&f.node);
    return status;
}
