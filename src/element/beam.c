#include "element/beam.h"

#include "base/rotation.h"
#include "base/vec.h"
#include "element/tolerances.h"

extern const element_kind beam_kind_portable;
extern const element_kind beam_kind_avx2;
extern const element_kind beam_kind_avx512;

const element_kind *beam_kind(int variant)
{
    if (!element_has_variant(variant))
        return NULL;
#ifdef LITHE_X86
    if (variant > 0)
        return variant == 2 ? &beam_kind_avx512 : &beam_kind_avx2;
#endif
    return &beam_kind_portable;
}

// Flexibilities add up along the beam: M = M0 -+ Q s and Q meet 1/EI and 1/GA at every point, with
// s counted from the middle. The stiffness is the inverse of the sum.
typedef struct flexibility {
    double stretch, twist;
    double bend[2], mixed[2], lean[2];
} flexibility;

static void add_flexibility(flexibility *f, const section_constants *c, double s, double ds,
                            double young, double shear)
{
    f->stretch += ds / (young * c->area);
    f->twist += ds / (shear * c->torsion);
    for (int plane = 0; plane < 2; plane++) { // chord in 1-2 bends about 3, in 1-3 about 2
        double bending = ds / (young * c->inertia[1 - plane]);
        f->bend[plane] += bending;
        f->mixed[plane] += (plane ? s : -s) * bending;
        f->lean[plane] += s * s * bending + ds / (shear * c->shear[plane]);
    }
}

beam_stiffness beam_measure(const section *first, const section *last, double length, double young,
                            double poisson)
{
    static const double point[5] = {-0.906179845938664, -0.538469310105683, 0, 0.538469310105683,
                                    0.906179845938664};
    static const double weight[5] = {0.236926885056189, 0.478628670499366, 0.568888888888889,
                                     0.478628670499366, 0.236926885056189};
    flexibility f = {0};
    beam_stiffness k = {0};
    for (int g = 0; g < 5; g++) {
        section here = section_between(first, last, 0.5 * (1 + point[g]));
        section_constants c = section_measure(&here, poisson);
        double ds = 0.5 * length * weight[g];
        add_flexibility(&f, &c, 0.5 * length * point[g], ds, young, young / (2 * (1 + poisson)));
        k.volume += ds * c.area;
        for (int axis = 0; axis < 2; axis++)
            k.rotary[axis] += ds * c.inertia[axis];
    }
    section middle = section_between(first, last, 0.5);
    section_constants c = section_measure(&middle, poisson);
    k.fibre[0] = 1 / c.area;
    k.fibre[1] = fmin(c.reach[0], c.reach[1]) / c.torsion;
    k.fibre[2] = c.reach[1] / c.inertia[0];
    k.fibre[3] = c.reach[0] / c.inertia[1];
    k.stretch = 1 / f.stretch;
    k.twist = 1 / f.twist;
    for (int plane = 0; plane < 2; plane++) {
        double det = f.bend[plane] * f.lean[plane] - f.mixed[plane] * f.mixed[plane];
        k.lean[plane] = f.bend[plane] / det;
        k.bend[plane] = f.lean[plane] / det;
        k.mixed[plane] = -f.mixed[plane] / det;
    }
    return k;
}

static bool rest_frame(const double X0[3], const double X1[3], const double axis[3], double q[4],
                       double *length)
{
    double e[3][3], theta[3];
    vec_sub(e[0], X1, X0);
    *length = vec_norm(e[0]);
    vec_cross(e[2], e[0], axis);
    double area = vec_norm(e[2]);
    if (!(*length > 0) || !(area > BEAM_SECTION_ALONG * *length * vec_norm(axis)))
        return false;
    for (int i = 0; i < 3; i++) {
        e[0][i] /= *length;
        e[2][i] /= area;
    }
    vec_cross(e[1], e[2], e[0]);
    double D[9];
    for (int i = 0; i < 9; i++)
        D[i] = e[i % 3][i / 3];
    rotation_of_matrix(D, theta);
    rotation_to_quaternion(theta, q);
    return true;
}

bool beam_prepare(beam_batch *batch, int lane, const int node[BEAM_NODE], const double X0[3],
                  const double X1[3], const double axis[3], const beam_stiffness *stiffness)
{
    double q[4], length;
    if (!rest_frame(X0, X1, axis, q, &length))
        return false;
    for (int i = 0; i < 4; i++) {
        batch->frame[i][lane] = q[i];
        batch->node[i][lane] = node[i];
    }
    batch->length[lane] = length;
    batch->stretch[lane] = stiffness->stretch;
    batch->twist[lane] = stiffness->twist;
    for (int plane = 0; plane < 2; plane++) {
        batch->lean[plane][lane] = stiffness->lean[plane];
        batch->bend[plane][lane] = stiffness->bend[plane];
        batch->mixed[plane][lane] = stiffness->mixed[plane];
    }
    batch->volume[lane] = stiffness->volume;
    for (int i = 0; i < 4; i++)
        batch->fibre[i][lane] = stiffness->fibre[i];
    return true;
}

// Half of the beam's to either end: about its own axis both second moments, across it each its own.
// The smaller one is the share of a rotation about all axes, and the rest is rotated into the
// world.
static void set_rotary(element_family *f, int e, const double frame[4], const double rotary[2])
{
    double theta[3], R[9], least = 0.5 * fmin(rotary[0], rotary[1]);
    double beyond[3] = {0.5 * (rotary[0] + rotary[1]) - least, 0.5 * rotary[0] - least,
                        0.5 * rotary[1] - least};
    rotation_from_quaternion(frame, theta);
    rotation_matrix(theta, R);
    f->share[BEAM_NODE * e + 2] = f->share[BEAM_NODE * e + 3] = least;
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 3; k++)
            f->inertia[9 * e + i] += R[i / 3 * 3 + k] * beyond[k] * R[i % 3 * 3 + k];
}

bool beam_set(element_family *f, int e, const int node[BEAM_NODE], const double *X,
              const double axis[3], const beam_stiffness *stiffness)
{
    beam_batch *batch = (beam_batch *)f->batch + e / LANES;
    const double *X0 = &X[3 * node[0]], *X1 = &X[3 * node[1]];
    if (!beam_prepare(batch, e % LANES, node, X0, X1, axis, stiffness))
        return false;
    static const beam_stiffness none = {0};
    for (int lane = e % LANES + 1; e == f->n - 1 && lane < LANES; lane++)
        beam_prepare(batch, lane, node, X0, X1, axis, &none);
    for (int a = 0; a < BEAM_NODE; a++) {
        f->node[BEAM_NODE * e + a] = node[a];
        f->share[BEAM_NODE * e + a] = a < 2 ? 0.5 * stiffness->volume : 0;
    }
    double frame[4];
    for (int i = 0; i < 4; i++)
        frame[i] = batch->frame[i][e % LANES];
    set_rotary(f, e, frame, stiffness->rotary);
    f->stiffness[e] = stiffness->stretch + stiffness->lean[0] + stiffness->lean[1];
    return true;
}
