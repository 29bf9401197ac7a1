#include "contact/shape.h"

#include "base/vec.h"
#include "contact/shape_traits.h"

extern const shape_traits shape_plane, shape_sphere, shape_capsule, shape_box, shape_cylinder,
    shape_pipe, shape_cone, shape_mesh;

const shape_traits *const shape_kinds[SHAPE_KINDS] = {
    [SHAPE_PLANE] = &shape_plane,       [SHAPE_SPHERE] = &shape_sphere,
    [SHAPE_CAPSULE] = &shape_capsule,   [SHAPE_BOX] = &shape_box,
    [SHAPE_CYLINDER] = &shape_cylinder, [SHAPE_PIPE] = &shape_pipe,
    [SHAPE_CONE] = &shape_cone,         [SHAPE_MESH] = &shape_mesh,
};

void contact_frame_into(const contact_frame *at, const double p[3], double q[3])
{
    double d[3];
    vec_sub(d, p, at->at);
    for (int i = 0; i < 3; i++)
        q[i] = at->R[i] * d[0] + at->R[3 + i] * d[1] + at->R[6 + i] * d[2];
}

double shape_distance(const contact_shape *s, const contact_frame *at, const double p[3],
                      double normal[3])
{
    double q[3], n[3];
    contact_frame_into(at, p, q);
    double d = shape_traits_of(s)->distance(s, q, n);
    mat_apply(normal, at->R, n);
    return d;
}

void shape_hessian(const contact_shape *s, const contact_frame *at, const double p[3], double D[9])
{
    double q[3], own[9] = {0}, RD[9];
    contact_frame_into(at, p, q);
    shape_traits_of(s)->hessian(s, q, own);
    mat_mul(RD, at->R, own);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            D[3 * i + j] = vec_dot(&RD[3 * i], &at->R[3 * j]);
}
