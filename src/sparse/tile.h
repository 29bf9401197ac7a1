// The vector of doubles that fits one register of the instruction set being compiled for, and the
// register tile that keeps its arithmetic busy: TILE_LANES vectors of rows by TILE_COLS columns.
#ifndef SPARSE_TILE_H
#define SPARSE_TILE_H

#if defined(__AVX512F__)
enum { LANE = 8, TILE_LANES = 3, TILE_COLS = 8 };
#elif defined(__AVX__)
enum { LANE = 4, TILE_LANES = 3, TILE_COLS = 4 };
#else
enum { LANE = 2, TILE_LANES = 2, TILE_COLS = 4 };
#endif
enum { TILE_ROWS = LANE * TILE_LANES };

typedef double lane __attribute__((vector_size(LANE * sizeof(double))));
// the same where memory is aligned for doubles only, and may be seen as doubles elsewhere
typedef double lane_memory
    __attribute__((vector_size(LANE * sizeof(double)), aligned(sizeof(double)), may_alias));

// Loops over arrays of lanes must unroll, or the arrays do not live in registers. Clang does so
// unasked.
#ifdef __clang__
#define TILE_UNROLL
#else
#define TILE_UNROLL _Pragma("GCC unroll 8")
#endif

#define LANE_INLINE static inline __attribute__((always_inline))

LANE_INLINE lane lane_load(const double *p)
{
    return *(const lane_memory *)p;
}

LANE_INLINE void lane_store(double *p, lane v)
{
    *(lane_memory *)p = v;
}

LANE_INLINE lane lane_zero(void)
{
    return (lane){0};
}

#endif
