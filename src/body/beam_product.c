#include "body/beam_product.h"

#include "element/family.h"

extern const beam_kernels beam_product_portable, beam_product_avx2, beam_product_avx512;

const beam_kernels *beam_variant(int variant)
{
#ifdef LITHE_X86
    static const beam_kernels *const all[] = {&beam_product_portable, &beam_product_avx2,
                                              &beam_product_avx512};
#else
    static const beam_kernels *const all[] = {&beam_product_portable};
#endif
    return element_has_variant(variant) ? all[variant] : NULL;
}

const beam_kernels *beam_choose(void)
{
    return beam_variant(element_best_variant());
}
