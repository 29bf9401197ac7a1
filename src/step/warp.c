#include "step/warp.h"

#include "base/rotation.h"

#include <string.h>

extern const warp_kernels warp_kernels_portable;
extern const warp_kernels warp_kernels_avx2;
extern const warp_kernels warp_kernels_avx512;

const warp_kernels *warp_variant(int variant)
{
#ifdef LITHE_X86
    static const warp_kernels *const all[] = {&warp_kernels_portable, &warp_kernels_avx2,
                                              &warp_kernels_avx512};
#else
    static const warp_kernels *const all[] = {&warp_kernels_portable};
#endif
    return element_has_variant(variant) ? all[variant] : NULL;
}

// Nodes that rotate know by how much.
static void rotate_with_nodes(const body *b, const double *x0, const double *x, double *warp)
{
    for (int i = 0; b->rotation && i < body_nposition(b); i++) {
        int rotation = b->rotation[i];
        double spin[3];
        if (rotation < 0)
            continue;
        rotation_between(&x0[3 * rotation], &x[3 * rotation], spin);
        rotation_matrix(spin, &warp[9 * (size_t)i]);
        rotation_matrix(spin, &warp[9 * (size_t)rotation]);
    }
}

static void find_body(const warp_kernels *kernels, const body *b, const double *x0, const double *x,
                      double *warp)
{
    static const double none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    memset(warp, 0, 9 * (size_t)b->nnode * sizeof *warp);
    for (int k = 0; k < b->nfamily; k++) {
        const element_family *f = &b->family[k];
        if (f->kind->nnode <= WARP_NODES && f->kind->nnode >= WARP_LEAST && f->kind->nrotation == 0)
            kernels->spread(f->n, f->kind->nnode, f->node, x0, x, warp);
    }
    kernels->rotate(b->nnode, warp);
    rotate_with_nodes(b, x0, x, warp);
    for (int i = 0; i < b->nnode; i++)
        if (body_is_held(b, i, LITHE_X | LITHE_Y | LITHE_Z))
            memcpy(&warp[9 * (size_t)i], none, sizeof none);
}

void warp_find(const lithe_model *m, const double *x0, const double *x, double *warp)
{
    const warp_kernels *kernels = warp_variant(element_best_variant());
    for (int k = 0; k < m->nbody; k++) {
        size_t at = 3 * (size_t)m->body[k].node_adr;
        find_body(kernels, &m->body[k], x0 + at, x + at, warp + 3 * at);
    }
}

bool warp_is_due(const lithe_model *m, const double *x0, const double *x)
{
    const double little = 1e-3 * m->size;
    for (int i = 0; i < 3 * m->nnode; i++)
        if (!(fabs(x[i] - x0[i]) < little))
            return true;
    return false;
}
