// The few elements that stand for all. A linear tetrahedron feels its edges alone, a spring the way
// between its ends: these can be its nodes, and their other end is the origin.
#include "element/spring.h"
#include "reduce/applying.h"
#include "reduce/chosen.h"

enum { LINEAR_TETRAHEDRON = 10 }; // as VTK numbers cells

static bool add_edges(applying *a, const int *node, int *out)
{
    out[0] = POINTS_ORIGIN;
    for (int k = 1; k < 4; k++)
        if ((out[k] = points_add_edge(&a->point, node[0], node[k])) < 0)
            return false;
    return true;
}

static bool add_way(applying *a, const element_family *f, int e, int *out)
{
    double coefficient[SPRING_WIDE_NODE];
    spring_way(f, e, coefficient);
    out[0] = POINTS_ORIGIN;
    out[1] =
        points_add(&a->point, f->kind->nnode, &f->node[f->kind->nnode * e], coefficient, false);
    return out[1] >= 0;
}

static bool add_nodes(applying *a, const int *node, int n, int *out)
{
    for (int k = 0; k < n; k++)
        if (!apply_node(a, node[k], &out[k]))
            return false;
    return true;
}

// Tetrahedra that have many nodes in common have fewer of these than edges.
static bool has_fewer_edges(applying *a, const element_family *f, int n, const int *element)
{
    bool *seen = arena_new(&a->scratch, a->from->nnode, bool);
    int nnode = 0;
    for (int i = 0; seen && i < 4 * n; i++) {
        int node = f->node[4 * element[i / 4] + i % 4];
        nnode += !seen[node];
        seen[node] = true;
    }
    return 3 * n <= nnode;
}

static lithe_status pick_family(applying *a, const element_family *f, int n, const int *element)
{
    bool spring = spring_is(f->kind);
    bool edges = f->kind->cell == LINEAR_TETRAHEDRON && has_fewer_edges(a, f, n, element);
    int nnode = spring ? SPRING_ENDS : f->kind->nnode;
    int *node = arena_new(&a->scratch, (size_t)n * (size_t)nnode, int);
    element_family *out = &a->family[a->nfamily++];
    bool well = node != NULL;
    for (int k = 0; well && k < n; k++) {
        const int *own = &f->node[f->kind->nnode * element[k]];
        int *to = &node[nnode * k];
        well = spring  ? add_way(a, f, element[k], to)
               : edges ? add_edges(a, own, to)
                       : add_nodes(a, own, nnode, to);
    }
    if (!well)
        return LITHE_NO_MEMORY;
    return spring ? spring_pick(f, n, element, node, &a->m->memory, out)
                  : family_pick(f, n, element, node, &a->m->memory, out);
}

lithe_status apply_elements(applying *a)
{
    const lithe_reduction *r = a->r;
    int at = 0, *element = arena_new(&a->scratch, r->nelement, int);
    a->family = arena_new(&a->scratch, a->from->nfamily, element_family);
    for (int k = 0; element && a->family && k < a->from->nfamily; k++) {
        const element_family *f = &a->from->family[k];
        int n = chosen_of(r, f, &at, element);
        if (n > 0 && pick_family(a, f, n, element) != LITHE_OK)
            return apply_no_memory(a);
    }
    return element && a->family ? LITHE_OK : apply_no_memory(a);
}
