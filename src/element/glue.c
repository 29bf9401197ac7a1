#include "element/glue.h"

extern const element_kind glue_kinds_portable[2];
extern const element_kind glue_kinds_avx2[2];
extern const element_kind glue_kinds_avx512[2];

const element_kind *glue_kind(int variant, bool wide)
{
    if (!element_has_variant(variant))
        return NULL;
#ifdef LITHE_X86
    if (variant > 0)
        return &(variant == 2 ? glue_kinds_avx512 : glue_kinds_avx2)[wide];
#endif
    return &glue_kinds_portable[wide];
}

static void fill_lane(glue_batch *batch, int lane, int nhost, const glue_def *def, double share)
{
    batch->node[0][lane] = def->node;
    batch->node[1 + nhost][lane] = def->rotation;
    for (int a = 0; a < nhost; a++) {
        bool there = a < def->nhost;
        batch->node[1 + a][lane] = def->host[there ? a : 0];
        batch->weight[a][lane] = there ? def->weight[a] : 0;
        for (int i = 0; i < 3; i++)
            batch->gradient[a][i][lane] = there ? def->gradient[a][i] : 0;
    }
    batch->stiffness[lane] = share * def->stiffness;
    batch->rotating[lane] = share * def->rotating;
}

void glue_set(element_family *f, int e, const glue_def *def)
{
    int nnode = f->kind->nnode;
    glue_batch *batch = (glue_batch *)f->batch + e / LANES;
    fill_lane(batch, e % LANES, nnode - 2, def, 1);
    for (int lane = e % LANES + 1; e == f->n - 1 && lane < LANES; lane++)
        fill_lane(batch, lane, nnode - 2, def, 0);
    for (int a = 0; a < nnode; a++)
        f->node[nnode * e + a] = batch->node[a][e % LANES];
    f->stiffness[e] = def->stiffness;
}
