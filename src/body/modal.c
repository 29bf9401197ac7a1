#include "body/modal.h"

#include "element/family.h"

extern const modal_kernels modal_portable, modal_avx2, modal_avx512;

const modal_kernels *modal_variant(int variant)
{
#ifdef LITHE_X86
    static const modal_kernels *const all[] = {&modal_portable, &modal_avx2, &modal_avx512};
#else
    static const modal_kernels *const all[] = {&modal_portable};
#endif
    return element_has_variant(variant) ? all[variant] : NULL;
}

const modal_kernels *modal_choose(void)
{
    return modal_variant(element_best_variant());
}
