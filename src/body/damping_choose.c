#include "body/damping.h"

extern damping_solid damping_solid_portable, damping_solid_avx2, damping_solid_avx512;

damping_solid *damping_choose(void)
{
#ifdef LITHE_X86
    static damping_solid *const all[] = {damping_solid_portable, damping_solid_avx2,
                                         damping_solid_avx512};
#else
    static damping_solid *const all[] = {damping_solid_portable};
#endif
    return all[element_best_variant()];
}
