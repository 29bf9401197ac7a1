#include "body/scatter.h"

#include "element/family.h"

extern scatter_function scatter_portable, scatter_avx2, scatter_avx512;

scatter_function *scatter_variant(int variant)
{
#ifdef LITHE_X86
    static scatter_function *const all[] = {scatter_portable, scatter_avx2, scatter_avx512};
#else
    static scatter_function *const all[] = {scatter_portable};
#endif
    return element_has_variant(variant) ? all[variant] : NULL;
}

scatter_function *scatter_choose(void)
{
    return scatter_variant(element_best_variant());
}
