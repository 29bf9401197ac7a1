#include "element/spring.h"

#include <math.h>
#include <string.h>

extern const element_kind spring_kinds_portable[SPRING_KINDS];
extern const element_kind spring_kinds_avx2[SPRING_KINDS];
extern const element_kind spring_kinds_avx512[SPRING_KINDS];

int spring_width(int nnode)
{
    return nnode <= SPRING_ENDS          ? 0
           : nnode <= SPRING_NARROW_NODE ? 1
           : nnode <= SPRING_NODE        ? 2
                                         : 3;
}

const element_kind *spring_kind(int variant, int width)
{
    if (!element_has_variant(variant))
        return NULL;
#ifdef LITHE_X86
    if (variant > 0)
        return &(variant == 2 ? spring_kinds_avx512 : spring_kinds_avx2)[width];
#endif
    return &spring_kinds_portable[width];
}

static void fill_lane(spring_batch *batch, int lane, const spring_def *def, double stiffness)
{
    for (int a = 0; a < SPRING_WIDE_NODE; a++) {
        batch->node[a][lane] = def->node[a < def->nnode ? a : 0];
        batch->coefficient[a][lane] = a < def->nnode ? def->coefficient[a] : 0;
    }
    for (int i = 0; i < 3; i++)
        batch->anchor[i][lane] = def->anchor[i];
    batch->stiffness[lane] = stiffness;
    batch->rest[lane] = def->rest;
    batch->push[lane] = def->slack ? 0 : 1;
    batch->volume[lane] = def->volume;
}

void spring_set(element_family *f, int e, const spring_def *def)
{
    int nnode = f->kind->nnode;
    spring_batch *batch = (spring_batch *)f->batch + e / LANES;
    fill_lane(batch, e % LANES, def, def->stiffness);
    for (int lane = e % LANES + 1; e == f->n - 1 && lane < LANES; lane++)
        fill_lane(batch, lane, def, 0);
    double sum = 0;
    for (int a = 0; a < def->nnode; a++)
        sum += fabs(def->coefficient[a]);
    for (int a = 0; a < nnode; a++) {
        f->node[nnode * e + a] = batch->node[a][e % LANES];
        f->share[nnode * e + a] =
            sum > 0 ? def->volume * fabs(batch->coefficient[a][e % LANES]) / sum : 0;
    }
    f->stiffness[e] = def->stiffness;
}

bool spring_is(const element_kind *kind)
{
    return strcmp(kind->name, "spring") == 0;
}

static const spring_batch *batch_of(const element_family *f, int e)
{
    return family_batch(f, e / LANES);
}

void spring_way(const element_family *f, int e, double *coefficient)
{
    for (int a = 0; a < f->kind->nnode; a++)
        coefficient[a] = batch_of(f, e)->coefficient[a][e % LANES];
}

lithe_status spring_pick(const element_family *from, int n, const int *element, const int *node,
                         arena *memory, element_family *out)
{
    const element_kind *kind = spring_kind(element_best_variant(), spring_width(SPRING_ENDS));
    LITHE_TRY(family_create(out, kind, n, memory));
    for (int k = 0; k < n; k++) {
        const spring_batch *b = batch_of(from, element[k]);
        int l = element[k] % LANES;
        spring_set(out, k,
                   &(spring_def){.nnode = SPRING_ENDS,
                                 .node = {node[SPRING_ENDS * k], node[SPRING_ENDS * k + 1]},
                                 .coefficient = {-1, 1},
                                 .anchor = {b->anchor[0][l], b->anchor[1][l], b->anchor[2][l]},
                                 .stiffness = b->stiffness[l],
                                 .rest = b->rest[l],
                                 .slack = b->push[l] == 0,
                                 .volume = b->volume[l]});
    }
    return LITHE_OK;
}
