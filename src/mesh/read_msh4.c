// The sections of MSH 4.1, text and binary alike.
#include "mesh/msh.h"

#include <limits.h>
#include <stdlib.h>

enum { MAX_ENTITY_GROUP = 64 }; // physical groups of one entity

static lithe_status read_count(msh *f, const char *what, int64_t *n)
{
    LITHE_TRY(scan_int(&f->in, f->size_type, what, n));
    if (*n < 0)
        return scan_fail(&f->in, "%s is %lld", what, (long long)*n);
    return LITHE_OK;
}

static lithe_status read_entity_group(msh *f, int dim)
{
    int64_t tag;
    LITHE_TRY(scan_int(&f->in, SCAN_INT32, "the tag of a physical group", &tag));
    if (tag <= INT_MIN || tag > INT_MAX)
        return scan_fail(&f->in, "physical group %lld is out of range", (long long)tag);
    if (tag < 0) // the entity is in the group the other way round
        tag = -tag;
    int *id = list_add(&f->entity_group, sizeof *id);
    if (!id)
        return report_no_memory(f->in.report, f->in.path);
    return build_group(&f->out, dim, msh_group_name(f, dim, tag), (int)tag, id);
}

static lithe_status read_entity_groups(msh *f, int dim, msh_entity *entity)
{
    int64_t n;
    LITHE_TRY(read_count(f, "the number of physical groups of an entity", &n));
    if (n > MAX_ENTITY_GROUP)
        return scan_fail(&f->in, "an entity is in %lld physical groups; Lithe takes %d at most",
                         (long long)n, MAX_ENTITY_GROUP);
    entity->first = (int)list_count(&f->entity_group, int);
    entity->ngroup = (int)n;
    for (int64_t i = 0; i < n; i++)
        LITHE_TRY(read_entity_group(f, dim));
    return LITHE_OK;
}

// Tag, a point or a box, physical groups, and (but for points) the entities that bound it.
static lithe_status read_entity(msh *f, int dim)
{
    int64_t tag, nbound;
    LITHE_TRY(scan_int(&f->in, SCAN_INT32, "the tag of an entity", &tag));
    if (tag < INT_MIN || tag > INT_MAX)
        return scan_fail(&f->in, "entity %lld is out of range", (long long)tag);
    LITHE_TRY(scan_skip(&f->in, SCAN_FLOAT64, "the box of an entity", dim == 0 ? 3 : 6));
    msh_entity entity = {.key = msh_key(dim, tag)};
    LITHE_TRY(read_entity_groups(f, dim, &entity));
    msh_entity *kept = list_add(&f->entity, sizeof *kept);
    if (!kept)
        return report_no_memory(f->in.report, f->in.path);
    *kept = entity;
    if (dim == 0)
        return LITHE_OK;
    LITHE_TRY(read_count(f, "the number of bounding entities", &nbound));
    return scan_skip(&f->in, SCAN_INT32, "bounding entities", nbound);
}

lithe_status msh4_entities(msh *f)
{
    int64_t n[4];
    for (int dim = 0; dim < 4; dim++)
        LITHE_TRY(read_count(f, "the number of entities", &n[dim]));
    for (int dim = 0; dim < 4; dim++) {
        LITHE_TRY(scan_check_count(&f->in, "entities", n[dim], 5, 4 + 24 + 4));
        for (int64_t i = 0; i < n[dim]; i++)
            LITHE_TRY(read_entity(f, dim));
    }
    if (f->entity.used)
        qsort(f->entity.data, list_count(&f->entity, msh_entity), sizeof(msh_entity),
              msh_compare_key);
    return LITHE_OK;
}

// Dimension and tag of the entity that the nodes or elements of a block lie on.
static lithe_status read_block_entity(msh *f, int *dim, int64_t *tag)
{
    LITHE_TRY(scan_int_in(&f->in, SCAN_INT32, "the dimension of an entity", 0, 3, dim));
    LITHE_TRY(scan_int(&f->in, SCAN_INT32, "the tag of an entity", tag));
    if (*tag < INT_MIN || *tag > INT_MAX)
        return scan_fail(&f->in, "entity %lld is out of range", (long long)*tag);
    return LITHE_OK;
}

static lithe_status read_block_nodes(msh *f, int64_t first, int64_t n, int nparameter)
{
    for (int64_t i = first; i < first + n; i++) {
        int64_t tag;
        LITHE_TRY(read_count(f, "the tag of a node", &tag));
        LITHE_TRY(msh_add_node_tag(f, tag, (int)i));
    }
    for (int64_t i = first; i < first + n; i++) {
        double *x = f->out.m->x + 3 * (size_t)i;
        for (int k = 0; k < 3; k++)
            LITHE_TRY(scan_real(&f->in, SCAN_FLOAT64, "the position of a node", &x[k]));
        for (int k = 0; k < nparameter; k++)
            LITHE_TRY(scan_skip(&f->in, SCAN_FLOAT64, "the parameters of a node", 1));
    }
    return LITHE_OK;
}

static lithe_status read_node_block(msh *f, int64_t *done, int64_t nnode)
{
    int dim, parametric;
    int64_t tag, n;
    LITHE_TRY(read_block_entity(f, &dim, &tag));
    LITHE_TRY(scan_int_in(&f->in, SCAN_INT32, "0 or 1 (parametric)", 0, 1, &parametric));
    LITHE_TRY(read_count(f, "the number of nodes in a block", &n));
    if (n > nnode - *done)
        return scan_fail(&f->in, "the blocks of $Nodes hold more than the %lld nodes announced",
                         (long long)nnode);
    LITHE_TRY(read_block_nodes(f, *done, n, parametric ? dim : 0));
    *done += n;
    return LITHE_OK;
}

lithe_status msh4_nodes(msh *f)
{
    int64_t nblock, nnode, done = 0;
    LITHE_TRY(read_count(f, "the number of blocks", &nblock));
    LITHE_TRY(read_count(f, "the number of nodes", &nnode));
    LITHE_TRY(scan_skip(&f->in, f->size_type, "the lowest and highest tag", 2));
    LITHE_TRY(scan_check_count(&f->in, "blocks of nodes", nblock, 4, 16));
    LITHE_TRY(scan_check_count(&f->in, "nodes", nnode, 4, 28));
    LITHE_TRY(build_nodes(&f->out, nnode));
    for (int64_t i = 0; i < nblock; i++)
        LITHE_TRY(read_node_block(f, &done, nnode));
    if (done != nnode)
        return scan_fail(&f->in, "$Nodes announces %lld nodes, but its blocks hold %lld",
                         (long long)nnode, (long long)done);
    return LITHE_OK;
}

static lithe_status mark_groups(msh *f, const msh_entity *entity, const build_span *span,
                                const int *node, int nnode)
{
    if (!entity || entity->ngroup == 0)
        return LITHE_OK;
    const int *group = list_at(&f->entity_group, int) + entity->first;
    for (int i = 0; i < entity->ngroup; i++)
        LITHE_TRY(build_mark(&f->out, group[i], span, node, nnode));
    return LITHE_OK;
}

static lithe_status read_element(msh *f, const build_shape *shape, const msh_entity *entity)
{
    int node[MSH_MAX_NODE];
    int64_t element, tag;
    build_span span;
    LITHE_TRY(read_count(f, "the tag of an element", &element));
    for (int i = 0; i < shape->nnode; i++) {
        LITHE_TRY(read_count(f, "a node of an element", &tag));
        LITHE_TRY(msh_find_node(f, tag, element, &node[i]));
    }
    LITHE_TRY(build_cell(&f->out, shape, node, shape->nnode, &span));
    return mark_groups(f, entity, &span, node, shape->nnode);
}

static lithe_status read_element_block(msh *f, int64_t *done)
{
    int dim;
    int64_t tag, type, n;
    LITHE_TRY(read_block_entity(f, &dim, &tag));
    LITHE_TRY(scan_int(&f->in, SCAN_INT32, "the type of elements", &type));
    LITHE_TRY(read_count(f, "the number of elements in a block", &n));
    const build_shape *shape = msh_shape(type);
    if (!shape)
        return msh_fail_type(f, type);
    if (shape->dim != dim)
        return scan_fail(&f->in, "%s on an entity of dimension %d; the file is damaged",
                         shape->plural, dim);
    LITHE_TRY(scan_check_count(&f->in, shape->plural, n, 1 + shape->nnode,
                               (1 + shape->nnode) * scan_bytes(f->size_type)));
    int64_t key = msh_key(dim, tag);
    size_t nentity = list_count(&f->entity, msh_entity);
    const msh_entity *entity =
        nentity ? bsearch(&key, f->entity.data, nentity, sizeof *entity, msh_compare_key) : NULL;
    for (int64_t i = 0; i < n; i++)
        LITHE_TRY(read_element(f, shape, entity));
    *done += n;
    return LITHE_OK;
}

lithe_status msh4_elements(msh *f)
{
    int64_t nblock, nelement, done = 0;
    LITHE_TRY(read_count(f, "the number of blocks", &nblock));
    LITHE_TRY(read_count(f, "the number of elements", &nelement));
    LITHE_TRY(scan_skip(&f->in, f->size_type, "the lowest and highest tag", 2));
    LITHE_TRY(scan_check_count(&f->in, "blocks of elements", nblock, 4, 16));
    for (int64_t i = 0; i < nblock; i++)
        LITHE_TRY(read_element_block(f, &done));
    if (done != nelement)
        return scan_fail(&f->in, "$Elements announces %lld elements, but its blocks hold %lld",
                         (long long)nelement, (long long)done);
    return LITHE_OK;
}
