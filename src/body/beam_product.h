// Products of a beam space's small blocks, for each instruction set. Lines are not aligned.
#ifndef BODY_BEAM_PRODUCT_H
#define BODY_BEAM_PRODUCT_H

typedef struct beam_kernels {
    // dx (3) += J (3 x size) dq; line (size) += J' f
    void (*push)(int size, const double *J, const double *dq, double dx[3]);
    void (*pull)(int size, const double *J, const double f[3], double *line);
    // out (3 x size, lines `stride` apart) += K (3 x 3) J (3 x size)
    void (*multiply)(int size, const double K[9], const double *J, int stride, double *out);
    // A (size x n, lines `stride` apart) += J' (3 x size) KJ (3 x n, lines `columns` apart)
    void (*square)(int size, const double *J, int n, int columns, const double *KJ, int stride,
                   double *A);
} beam_kernels;

const beam_kernels *beam_choose(void); // the best that the processor can run
const beam_kernels *beam_variant(int variant);

#endif
