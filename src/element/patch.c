#include "element/patch.h"

#include "base/vec.h"

extern const element_kind patch_kinds_portable[PATCH_CLASSES];
extern const element_kind patch_kinds_avx2[PATCH_CLASSES];
extern const element_kind patch_kinds_avx512[PATCH_CLASSES];

int patch_class(const patch_def *def)
{
    const element_kind *kind = patch_kinds_portable;
    while (kind->nnode < def->nnode || 2 * kind->nnode < def->ntri)
        kind++;
    return (int)(kind - patch_kinds_portable);
}

const element_kind *patch_kind(int size, int variant)
{
    if (!element_has_variant(variant))
        return NULL;
#ifdef LITHE_X86
    if (variant > 0)
        return &(variant == 2 ? patch_kinds_avx512 : patch_kinds_avx2)[size];
#endif
    return &patch_kinds_portable[size];
}

// Positions relative to the first node; the gradient of the content by each node.
static double enclosed(const patch_def *def, const double *X, double (*d)[3])
{
    double x[PATCH_NODES][3], volume = 0;
    for (int a = 0; a < def->nnode; a++) {
        vec_sub(x[a], &X[3 * def->node[a]], &X[3 * def->node[0]]);
        d[a][0] = d[a][1] = d[a][2] = 0;
    }
    for (int t = 0; t < def->ntri; t++)
        for (int c = 0; c < 3; c++) {
            const int *n = def->tri[t];
            double cross[3];
            vec_cross(cross, x[n[(c + 1) % 3]], x[n[(c + 2) % 3]]);
            vec_axpy(d[n[c]], 1.0 / 6, cross);
            if (c == 0)
                volume += vec_dot(x[n[0]], cross) / 6;
        }
    return volume;
}

static void fill_lane(patch_batch *batch, int lane, const patch_def *def, double volume,
                      double share)
{
    batch->volume[lane] = volume;
    batch->bulk[lane] = share * def->bulk;
    for (int a = 0; a < batch->nnode; a++)
        batch->index[a][lane] = def->node[a < def->nnode ? a : 0];
    for (int i = 0; i < 6 * batch->nnode; i++)
        batch->index[batch->nnode + i][lane] = i / 3 < def->ntri ? def->tri[i / 3][i % 3] : 0;
}

void patch_set(element_family *f, int e, const patch_def *def, const double *X)
{
    int nnode = f->kind->nnode;
    patch_batch *batch = family_batch(f, e / LANES);
    double d[PATCH_NODES][3], volume = enclosed(def, X, d), sum = 0;
    batch->nnode = nnode;
    fill_lane(batch, e % LANES, def, volume, 1);
    for (int lane = e % LANES + 1; e == f->n - 1 && lane < LANES; lane++)
        fill_lane(batch, lane, def, volume, 0);
    for (int a = 0; a < nnode; a++)
        f->node[nnode * e + a] = batch->index[a][e % LANES];
    for (int a = 0; a < def->nnode; a++)
        sum += vec_dot(d[a], d[a]);
    f->stiffness[e] = def->bulk * sum / volume;
}
