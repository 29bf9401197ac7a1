#include "element/family.h"

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
