// Viscous damping of a body: every element's clamped stiffness at given positions, rid of rigid
// motions, D_e = P' K_e P with P = I - R (R'R)^-1 R' and R the rates of rigid motion of its nodes.
// So D is symmetric, takes energy from every other motion, gives a rigidly moving body no force at
// all, and its forces have no resultant and no moment.
#include "base/eigen.h"
#include "base/vec.h"
#include "body/body.h"

#include <string.h>

typedef struct drag_job {
    const body *b;
    const element_family *family;
    const double *x;
    double *drag;
} drag_job;

// Rates of the element's nodes when it turns about its middle, one row-major 3x3 block a node: of a
// position, spin x arm; of a rotation, the spin itself.
static void find_turning(const body *b, const element_family *f, int e, const double *x, double *R)
{
    int n = f->kind->nnode, nplace = 0;
    const int *node = &f->node[n * e];
    double middle[3] = {0};
    for (int a = 0; a < n; a++)
        if (node[a] < body_nplace(b)) {
            vec_axpy(middle, 1, &x[3 * node[a]]);
            nplace++;
        }
    for (int a = 0; a < n; a++) {
        double *block = &R[9 * a], arm[3];
        memset(block, 0, 9 * sizeof *block);
        if (node[a] >= body_nplace(b)) {
            block[0] = block[4] = block[8] = 1;
            continue;
        }
        for (int i = 0; i < 3; i++)
            arm[i] = x[3 * node[a] + i] - middle[i] / nplace;
        block[1] = arm[2];
        block[2] = -arm[1];
        block[3] = -arm[2];
        block[5] = arm[0];
        block[6] = arm[1];
        block[7] = -arm[0];
    }
}

// Inverse of a symmetric positive semi-definite 3x3 matrix; 0 along what is nothing in it.
static void pseudo_inverse(double G[9], double out[9])
{
    double value[3], vector[9], largest = 0;
    eigen_symmetric(3, G, value, vector);
    for (int k = 0; k < 3; k++)
        largest = fmax(largest, value[k]);
    memset(out, 0, 9 * sizeof *out);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 9 && value[k] > 1e-10 * largest; i++)
            out[i] += vector[3 * (i / 3) + k] * vector[3 * (i % 3) + k] / value[k];
}

// out += K u of one block, or of its transpose, for three columns at once.
static void add_columns(const double *K, bool transposed, const double *u, double *out)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                out[3 * i + k] += (transposed ? K[3 * j + i] : K[3 * i + j]) * u[3 * j + k];
}

// out += a' b
static void add_transposed(const double a[9], const double b[9], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                out[3 * i + k] += a[3 * j + i] * b[3 * j + k];
}

// K -= a b'
static void subtract_outer(const double a[9], const double b[9], double *K)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                K[3 * i + j] -= a[3 * i + k] * b[3 * j + k];
}

// P'KP = K - S B' - B S' + S (R'B) S' = K - S (B - 1/2 S C)' - (B - 1/2 S C) S'
// with S = R (R'R)^-1, B = K R, C = R' B.
static void project(const body *b, const element_family *f, int e, const double *x, double *K)
{
    enum { MOST = BODY_COUPLE_MAX };
    int n = f->kind->nnode;
    double R[9 * MOST], S[9 * MOST] = {0}, B[9 * MOST] = {0};
    double gram[9] = {0}, inverse[9], C[9] = {0};
    find_turning(b, f, e, x, R);
    for (int a = 0; a < n; a++) {
        add_transposed(&R[9 * a], &R[9 * a], gram);
        for (int c = 0; c < n; c++)
            add_columns(&K[9 * (a >= c ? element_pair(a, c) : element_pair(c, a))], a < c,
                        &R[9 * c], &B[9 * a]);
    }
    pseudo_inverse(gram, inverse);
    for (int a = 0; a < n; a++) {
        mat_mul(&S[9 * a], &R[9 * a], inverse);
        add_transposed(&R[9 * a], &B[9 * a], C);
    }
    for (int a = 0; a < n; a++) {
        double half[9];
        mat_mul(half, &S[9 * a], C);
        for (int i = 0; i < 9; i++)
            B[9 * a + i] -= 0.5 * half[i];
    }
    for (int a = 0; a < n; a++)
        for (int c = 0; c <= a; c++) {
            subtract_outer(&S[9 * a], &B[9 * c], &K[9 * element_pair(a, c)]);
            subtract_outer(&B[9 * a], &S[9 * c], &K[9 * element_pair(a, c)]);
        }
}

static size_t element_at(const element_family *f, int e)
{
    return 9 * ((size_t)f->block_adr + (size_t)e * (size_t)family_npair(f));
}

static void project_elements(void *context, int first, int last)
{
    const drag_job *job = context;
    for (int e = first; e < last; e++)
        project(job->b, job->family, e, job->x, job->drag + element_at(job->family, e));
}

void body_drag(const body *b, const body_work *work, const double *x, const double *stiffness,
               pool *threads, double *force, double *blocks, double *drag)
{
    drag_job job = {.b = b, .x = x, .drag = drag};
    body_elastic(b, work, x, stiffness, ELEMENT_POSITIVE, threads, force, blocks);
    memcpy(drag, work->stiff, 9 * b->nblock * sizeof *drag);
    for (int k = 0; k < b->nfamily; k++) {
        job.family = &b->family[k];
        pool_for(threads, job.family->n, 256, project_elements, &job);
    }
}

void body_drag_times(const body *b, const double *drag, double factor, const double *velocity,
                     double *force)
{
    for (int k = 0; k < b->nfamily; k++) {
        const element_family *f = &b->family[k];
        int n = f->kind->nnode;
        for (int e = 0; e < f->n; e++) {
            const double *D = drag + element_at(f, e);
            const int *node = &f->node[n * e];
            for (int a = 0; a < n; a++)
                for (int c = 0; c < n; c++) {
                    const double *block =
                        &D[9 * (a >= c ? element_pair(a, c) : element_pair(c, a))];
                    const double *v = &velocity[3 * node[c]];
                    for (int i = 0; i < 3; i++)
                        for (int j = 0; j < 3; j++)
                            force[3 * node[a] + i] +=
                                factor * (a >= c ? block[3 * i + j] : block[3 * j + i]) * v[j];
                }
        }
    }
}

void body_add_drag(const body *b, const double *drag, double factor, double *blocks)
{
    for (int t = 0; t < b->pattern.nblock; t++)
        for (int k = b->stiff.adr[t]; k < b->stiff.adr[t + 1]; k++) {
            const double *D = &drag[9 * (size_t)(b->stiff.from[k] >> 1)];
            for (int i = 0; i < 9; i++)
                blocks[9 * (size_t)t + (size_t)i] +=
                    factor * D[b->stiff.from[k] & 1 ? 3 * (i % 3) + i / 3 : i];
        }
}
