#include "sparse/panel.h"

extern const panel_kernels panel_kernels_portable;
extern const panel_solvers panel_solvers_portable, panel_single_solvers_portable;

#ifdef LITHE_X86
extern const panel_kernels panel_kernels_avx2, panel_kernels_avx512;
extern const panel_solvers panel_solvers_avx2, panel_solvers_avx512;
extern const panel_solvers panel_single_solvers_avx2, panel_single_solvers_avx512;

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq");
}
#endif

panel_isa panel_best_isa(void)
{
    for (int isa = PANEL_NISA - 1; isa > PANEL_PORTABLE; isa--)
        if (panel_kernels_for((panel_isa)isa))
            return (panel_isa)isa;
    return PANEL_PORTABLE;
}

const panel_kernels *panel_kernels_for(panel_isa isa)
{
    switch (isa) {
    case PANEL_PORTABLE: return &panel_kernels_portable;
#ifdef LITHE_X86
    case PANEL_AVX2: return has_avx2() ? &panel_kernels_avx2 : NULL;
    case PANEL_AVX512: return has_avx512() ? &panel_kernels_avx512 : NULL;
#endif
    default: return NULL;
    }
}

const panel_solvers *panel_solvers_for(panel_isa isa)
{
    switch (isa) {
    case PANEL_PORTABLE: return &panel_solvers_portable;
#ifdef LITHE_X86
    case PANEL_AVX2: return has_avx2() ? &panel_solvers_avx2 : NULL;
    case PANEL_AVX512: return has_avx512() ? &panel_solvers_avx512 : NULL;
#endif
    default: return NULL;
    }
}

const panel_solvers *panel_single_solvers_for(panel_isa isa)
{
    switch (isa) {
    case PANEL_PORTABLE: return &panel_single_solvers_portable;
#ifdef LITHE_X86
    case PANEL_AVX2: return has_avx2() ? &panel_single_solvers_avx2 : NULL;
    case PANEL_AVX512: return has_avx512() ? &panel_single_solvers_avx512 : NULL;
#endif
    default: return NULL;
    }
}
