// Rotations of nodes from the deformation of the elements around them, eight at a time.
#ifndef BODY_WARP_KERNEL_H
#define BODY_WARP_KERNEL_H

enum { WARP_LEAST = 4, WARP_NODES = 20 }; // nodes of elements that show a rotation

// The two loops, compiled for each instruction set (0 portable, 1 AVX2, 2 AVX-512).
typedef struct warp_kernels {
    void (*spread)(int n, int nnode, const int *node, const double *x0, const double *x, double *S);
    void (*rotate)(int n, double *S);
} warp_kernels;

#endif
