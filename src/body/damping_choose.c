#include "body/damping.h"

extern const damping_kernels damping_kernels_portable, damping_kernels_avx2, damping_kernels_avx512;

const damping_kernels *damping_choose(void)
{
#ifdef LITHE_X86
    static const damping_kernels *const all[] = {&damping_kernels_portable, &damping_kernels_avx2,
                                                 &damping_kernels_avx512};
#else
    static const damping_kernels *const all[] = {&damping_kernels_portable};
#endif
    return all[element_best_variant()];
}
