// The arithmetic of a dense space: products with Phi, whose lines (one a number of a node) are
// padded with zeros to whole vectors.
#ifndef BODY_MODAL_H
#define BODY_MODAL_H

#include "body/nodal_entry.h"

#include <stdbool.h>
#include <stddef.h>

// A block of the nodal tangent: of node `row` by node `column`.
typedef struct modal_block {
    int row, column;
} modal_block;

// width: numbers of a padded line, a multiple of 8. Phi, KPhi: (nline x width); q, out: (width);
// all of them aligned to 64 bytes.
typedef struct modal_kernels {
    // x = Phi q, + X unless that is NULL
    void (*push)(int nline, int width, const double *Phi, const double *q, const double *X,
                 double *x);
    // out = Phi' f
    void (*pull)(int nline, int width, const double *Phi, const double *f, double *out);
    // KPhi = K Phi, of symmetric K of which blocks on and below the diagonal are given
    void (*multiply)(int nline, int width, int nblock, const modal_block *block, const double *K,
                     const double *Phi, double *KPhi);
    // A = Phi' KPhi, on and below the diagonal (width x width)
    void (*square)(int nline, int width, const double *Phi, const double *KPhi, double *A);
    // Both in single precision, with lines of Phi and KPhi padded to modal_single(width) floats.
    // For a tangent that is an approximation anyway; forces are never taken so. entry: all of every
    // node, one node after the other, first at adr (nnode + 1); work: modal_work(…) numbers
    void (*tangent)(int nnode, int width, const int *adr, const nodal_entry *entry, int nblock,
                    const double *K, const float *Phi, float *work, double *A);
} modal_kernels;

static inline int modal_single(int width)
{
    return (width + 15) / 16 * 16;
}

enum { MODAL_NODES = 16 }; // nodes of a tangent that are taken together

static inline size_t modal_work(int width, int nblock)
{
    return (size_t)(3 * MODAL_NODES + width) * (size_t)modal_single(width) + 9 * (size_t)nblock;
}

static inline int modal_width(int n)
{
    return (n + 7) / 8 * 8;
}

const modal_kernels *modal_choose(void); // the best that the processor can run
const modal_kernels *modal_variant(int variant);

#endif
