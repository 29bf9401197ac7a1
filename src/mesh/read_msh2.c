// The sections of MSH 2.2, text and binary: counts are always text, and all binary integers have
// four bytes.
#include "mesh/msh.h"

#include <limits.h>

enum { MAX_TAG = 1 << 20 }; // of one element; Gmsh writes two, and one for each partition

static lithe_status read_text_count(msh *f, const char *what, int64_t *n)
{
    bool binary = f->in.binary;
    f->in.binary = false;
    lithe_status status = scan_int(&f->in, SCAN_INT32, what, n);
    f->in.binary = binary;
    LITHE_TRY(status);
    if (*n < 0)
        return scan_fail(&f->in, "%s is %lld", what, (long long)*n);
    if (binary)
        scan_skip_line(&f->in);
    return LITHE_OK;
}

lithe_status msh2_nodes(msh *f)
{
    int64_t n, tag;
    LITHE_TRY(read_text_count(f, "the number of nodes", &n));
    LITHE_TRY(scan_check_count(&f->in, "nodes", n, 4, 4 + 24));
    LITHE_TRY(build_nodes(&f->out, n));
    for (int64_t i = 0; i < n; i++) {
        double *x = f->out.m->x + 3 * (size_t)i;
        LITHE_TRY(scan_int(&f->in, SCAN_INT32, "the tag of a node", &tag));
        LITHE_TRY(msh_add_node_tag(f, tag, (int)i));
        for (int k = 0; k < 3; k++)
            LITHE_TRY(scan_real(&f->in, SCAN_FLOAT64, "the position of a node", &x[k]));
    }
    return LITHE_OK;
}

// Elements of one group mostly follow each other, so the last group is tried first; groups opened
// twice become one in the end.
static lithe_status open_group(msh *f, int dim, int64_t tag)
{
    if (tag < 0) // the element is in the group the other way round
        tag = -tag;
    if (tag > INT_MAX)
        return scan_fail(&f->in, "physical group %lld is out of range", (long long)tag);
    if (f->last_group >= 0 && f->last_key == msh_key(dim, tag))
        return LITHE_OK;
    f->last_key = msh_key(dim, tag);
    return build_group(&f->out, dim, msh_group_name(f, dim, tag), (int)tag, &f->last_group);
}

// The tags of an element: its physical group (0: none), then what does not matter here.
static lithe_status read_tags(msh *f, int64_t ntag, int64_t *physical)
{
    *physical = 0;
    if (ntag == 0)
        return LITHE_OK;
    LITHE_TRY(scan_int(&f->in, SCAN_INT32, "a physical group", physical));
    if (*physical == INT64_MIN)
        return scan_fail(&f->in, "a physical group is out of range");
    return scan_skip(&f->in, SCAN_INT32, "tags of an element", ntag - 1);
}

static lithe_status read_element(msh *f, int64_t element, const build_shape *shape, int64_t ntag)
{
    int node[MSH_MAX_NODE];
    int64_t physical, tag;
    build_span span;
    LITHE_TRY(read_tags(f, ntag, &physical));
    for (int i = 0; i < shape->nnode; i++) {
        LITHE_TRY(scan_int(&f->in, SCAN_INT32, "a node of an element", &tag));
        LITHE_TRY(msh_find_node(f, tag, element, &node[i]));
    }
    LITHE_TRY(build_cell(&f->out, shape, node, shape->nnode, &span));
    if (physical == 0)
        return LITHE_OK;
    LITHE_TRY(open_group(f, shape->dim, physical));
    return build_mark(&f->out, f->last_group, &span, node, shape->nnode);
}

static lithe_status read_shape(msh *f, const build_shape **shape)
{
    int64_t type;
    LITHE_TRY(scan_int(&f->in, SCAN_INT32, "the type of an element", &type));
    *shape = msh_shape(type);
    return *shape ? LITHE_OK : msh_fail_type(f, type);
}

static lithe_status read_text_element(msh *f)
{
    int64_t element;
    int ntag;
    const build_shape *shape;
    LITHE_TRY(scan_int(&f->in, SCAN_INT32, "the number of an element", &element));
    LITHE_TRY(read_shape(f, &shape));
    LITHE_TRY(scan_int_in(&f->in, SCAN_INT32, "the number of tags", 0, MAX_TAG, &ntag));
    return read_element(f, element, shape, ntag);
}

// Binary elements come in runs of one type.
static lithe_status read_binary_run(msh *f, int64_t left, int64_t *done)
{
    int64_t n, element;
    int ntag;
    const build_shape *shape;
    LITHE_TRY(read_shape(f, &shape));
    LITHE_TRY(scan_int(&f->in, SCAN_INT32, "the number of elements in a run", &n));
    LITHE_TRY(scan_int_in(&f->in, SCAN_INT32, "the number of tags", 0, MAX_TAG, &ntag));
    if (n < 1 || n > left)
        return scan_fail(&f->in, "a run of %lld elements where 1 to %lld were expected",
                         (long long)n, (long long)left);
    for (int64_t i = 0; i < n; i++) {
        LITHE_TRY(scan_int(&f->in, SCAN_INT32, "the number of an element", &element));
        LITHE_TRY(read_element(f, element, shape, ntag));
    }
    *done += n;
    return LITHE_OK;
}

lithe_status msh2_elements(msh *f)
{
    int64_t n, done = 0;
    LITHE_TRY(read_text_count(f, "the number of elements", &n));
    LITHE_TRY(scan_check_count(&f->in, "elements", n, 3, 8));
    while (done < n) {
        if (f->in.binary) {
            LITHE_TRY(read_binary_run(f, n - done, &done));
        } else {
            LITHE_TRY(read_text_element(f));
            done++;
        }
    }
    return LITHE_OK;
}
