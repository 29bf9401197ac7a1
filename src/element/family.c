#include "element/family.h"

#include <string.h>

lithe_status family_create(element_family *f, const element_kind *kind, int n, arena *memory)
{
    size_t nbatch = ((size_t)n + LANES - 1) / LANES, nnode = (size_t)n * (size_t)kind->nnode;
    *f = (element_family){.kind = kind, .n = n, .nbatch = (int)nbatch};
    f->batch = arena_alloc(memory, nbatch, kind->batch_size);
    f->node = arena_new(memory, nnode, int);
    f->share = arena_new(memory, nnode, double);
    f->lump = f->share;
    f->stiffness = arena_new(memory, n, double);
    return f->batch && f->node && f->share && f->stiffness ? LITHE_OK : LITHE_NO_MEMORY;
}

bool family_can_pick(const element_family *f)
{
    return f->kind->index_rows > 0;
}

// Lanes of rows [at, end) of a batch, `size` bytes each.
static void copy_lane(const char *from, int from_lane, char *to, int to_lane, size_t at, size_t end,
                      size_t size)
{
    for (; at < end; at += LANES * size)
        memcpy(to + at + (size_t)to_lane * size, from + at + (size_t)from_lane * size, size);
}

static void pick_lane(const element_family *from, int e, const int *node, element_family *out,
                      int k)
{
    const element_kind *kind = from->kind;
    size_t index = kind->index_at, after = index + (size_t)kind->index_rows * LANES * sizeof(int);
    const char *source = family_batch(from, e / LANES);
    char *target = family_batch(out, k / LANES);
    copy_lane(source, e % LANES, target, k % LANES, 0, index, sizeof(double));
    copy_lane(source, e % LANES, target, k % LANES, index, after, sizeof(int));
    copy_lane(source, e % LANES, target, k % LANES, after, kind->batch_size, sizeof(double));
    for (int row = 0; row < kind->nnode; row++)
        ((int *)(target + index))[row * LANES + k % LANES] = node[row];
}

lithe_status family_pick(const element_family *from, int n, const int *element, const int *node,
                         arena *memory, element_family *out)
{
    LITHE_TRY(family_create(out, from->kind, n, memory));
    int nnode = from->kind->nnode;
    for (int k = 0; k < out->nbatch * LANES; k++) { // empty lanes repeat the last element
        int e = k < n ? k : n - 1;
        pick_lane(from, element[e], &node[nnode * e], out, k);
    }
    for (int k = 0; k < n; k++) {
        out->stiffness[k] = from->stiffness[element[k]];
        for (int a = 0; a < nnode; a++) {
            out->node[nnode * k + a] = node[nnode * k + a];
            out->share[nnode * k + a] = from->share[nnode * element[k] + a];
        }
    }
    return LITHE_OK;
}

bool element_has_variant(int variant)
{
#ifdef LITHE_X86
    __builtin_cpu_init();
    if (variant == 2)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
    if (variant == 1)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
    return variant == 0;
}

int element_best_variant(void)
{
    int variant = 2;
    while (!element_has_variant(variant))
        variant--;
    return variant;
}
