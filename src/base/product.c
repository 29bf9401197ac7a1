#include "base/product.h"

void product_add_portable(const product *p);
void product_add_avx2(const product *p);
void product_add_avx512(const product *p);

typedef void (*product_kernel)(const product *p);

static product_kernel best_kernel(void)
{
#ifdef LITHE_X86
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        return product_add_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return product_add_avx2;
#endif
    return product_add_portable;
}

void product_add(const product *p)
{
    best_kernel()(p);
}
