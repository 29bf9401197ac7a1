#include "sparse/dense_panel.h"

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

typedef struct variant {
    const panel_kernels *kernels;
    const panel_solvers *solvers, *single;
} variant;

// All NULL: the processor cannot run them.
static variant variant_for(panel_isa isa)
{
    switch (isa) {
    case PANEL_PORTABLE:
        return (variant){&panel_kernels_portable, &panel_solvers_portable,
                         &panel_single_solvers_portable};
#ifdef LITHE_X86
    case PANEL_AVX2:
        if (has_avx2())
            return (variant){&panel_kernels_avx2, &panel_solvers_avx2, &panel_single_solvers_avx2};
        break;
    case PANEL_AVX512:
        if (has_avx512())
            return (variant){&panel_kernels_avx512, &panel_solvers_avx512,
                             &panel_single_solvers_avx512};
        break;
#endif
    default: break;
    }
    return (variant){0};
}

const panel_kernels *panel_kernels_for(panel_isa isa)
{
    return variant_for(isa).kernels;
}

const panel_solvers *panel_solvers_for(panel_isa isa)
{
    return variant_for(isa).solvers;
}

const panel_solvers *panel_single_solvers_for(panel_isa isa)
{
    return variant_for(isa).single;
}
