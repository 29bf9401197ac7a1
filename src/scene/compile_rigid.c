// Rigid bodies: their skin, mass, centre and inertia. Behind the nodes of the mesh stand one at the
// centre of mass, which has the mass, and four around it, of which every point of the body is a
// weighted sum: contacts act on those. The frame's rotation has the inertia. Balls
// and capsules have nodes for the centres of what is round besides.
#include "base/eigen.h"
#include "base/memory.h"
#include "base/vec.h"
#include "element/facet.h"
#include "mesh/primitive.h"
#include "scene/compile.h"
#include "scene/tolerances.h"

#include <string.h>

bool compile_is_rigid(const compile_body *part)
{
    return part->def->shape != LITHE_SOFT;
}

static lithe_status check_sizes(const compiler *c, const lithe_body_def *d)
{
    static const int nsize[] = {[LITHE_RIGID_MESH] = 0,
                                [LITHE_RIGID_BOX] = 3,
                                [LITHE_RIGID_SPHERE] = 1,
                                [LITHE_RIGID_CYLINDER] = 2,
                                [LITHE_RIGID_CAPSULE] = 2};
    for (int i = 0; i < nsize[d->shape]; i++)
        if (!(d->size[i] > 0) || !isfinite(d->size[i]))
            return compile_fail(c, d->location,
                                "rigid body '%s': its sizes must be lengths above 0; one is %g m",
                                d->name, d->size[i]);
    if ((d->shape == LITHE_RIGID_MESH) != (d->mesh || d->mesh_file))
        return compile_fail(c, d->location,
                            "rigid body '%s': give it a mesh and rigid_body: {mesh: true}, or a "
                            "box, sphere, cylinder or capsule and no mesh",
                            d->name);
    return LITHE_OK;
}

static lithe_status check_parts(const compiler *c, const lithe_body_def *d)
{
    const struct {
        const char *what;
        bool given;
    } soft[] = {{"regions", d->nregion > 0},
                {"rigid parts", d->nrigid > 0},
                {"rods", d->nrod > 0},
                {"shells", d->nshell > 0},
                {"springs", d->nspring > 0},
                {"threads", d->nthread > 0},
                {"cavities", d->ncavity > 0},
                {"modes", d->nmode > 0},
                {"an element", d->element != LITHE_AS_MESHED}};
    for (size_t i = 0; i < sizeof soft / sizeof *soft; i++)
        if (soft[i].given)
            return compile_fail(c, d->location,
                                "rigid body '%s' has %s, and nothing of it deforms; leave them "
                                "out, or leave out rigid_body",
                                d->name, soft[i].what);
    return LITHE_OK;
}

// An inertia that some spread of mass has: about every axis at most the sum of those about the two
// others.
static lithe_status check_inertia(const compiler *c, const lithe_body_def *d)
{
    const double *I = d->inertia, *P = d->products;
    double T[9] = {I[0], P[0], P[1], P[0], I[1], P[2], P[1], P[2], I[2]}, value[3], vector[9];
    bool finite = true;
    for (int i = 0; i < 3; i++)
        finite = finite && isfinite(I[i]) && isfinite(P[i]);
    if (!finite)
        return compile_fail(c, d->location, "rigid body '%s': its inertia is not a number",
                            d->name);
    eigen_symmetric(3, T, value, vector);
    double sum = value[0] + value[1] + value[2];
    for (int i = 0; i < 3; i++)
        if (value[i] <= SCENE_INERTIA * sum || 2 * value[i] > sum * (1 + SCENE_INERTIA))
            return compile_fail(
                c, d->location,
                "rigid body '%s': no body can have this inertia: its principal moments are %.6g, "
                "%.6g and %.6g kg m^2, and each is above 0 and at most the sum of the others",
                d->name, value[0], value[1], value[2]);
    return LITHE_OK;
}

static bool is_inertia_given(const lithe_body_def *d)
{
    for (int i = 0; i < 3; i++)
        if (d->inertia[i] != 0 || d->products[i] != 0)
            return true;
    return false;
}

static lithe_status check_rigid(const compiler *c, const lithe_body_def *d)
{
    LITHE_TRY(check_sizes(c, d));
    LITHE_TRY(check_parts(c, d));
    if (d->mass < 0 || !isfinite(d->mass))
        return compile_fail(c, d->location, "rigid body '%s': its mass is %g kg", d->name, d->mass);
    if (!is_inertia_given(d))
        return LITHE_OK;
    if (!(d->mass > 0))
        return compile_fail(c, d->location,
                            "rigid body '%s' has an inertia and no mass; give it its mass too",
                            d->name);
    return check_inertia(c, d);
}

static lithe_status make_primitive(const lithe_body_def *d, lithe_mesh **out)
{
    switch (d->shape) {
    case LITHE_RIGID_BOX: return primitive_box(d->size, out);
    case LITHE_RIGID_SPHERE: return primitive_ball(d->size[0], out);
    case LITHE_RIGID_CYLINDER: return primitive_cylinder(d->size[0], d->size[1], out);
    case LITHE_RIGID_CAPSULE: return primitive_capsule(d->size[0], d->size[1], out);
    case LITHE_RIGID_MESH:
    case LITHE_SOFT: break;
    }
    return LITHE_OK;
}

int compile_rigid_nround(const compile_body *part)
{
    return part->def->shape == LITHE_RIGID_SPHERE    ? 1
           : part->def->shape == LITHE_RIGID_CAPSULE ? 2
                                                     : 0;
}

// The same mesh with nodes of ours behind its own.
lithe_status compile_rigid_mesh(compiler *c, compile_body *part)
{
    LITHE_TRY(check_rigid(c, part->def));
    if (part->def->shape != LITHE_RIGID_MESH) {
        if (make_primitive(part->def, &part->owned) != LITHE_OK)
            return compile_no_memory(c);
        part->mesh = part->owned;
        for (int i = 0; i < 3 * part->owned->nnode; i++)
            part->owned->x[i] /= part->def->mesh_unit; // primitives are in metres
    }
    lithe_mesh *m = memory_alloc(sizeof *m);
    if (!m)
        return compile_no_memory(c);
    *m = *part->mesh;
    m->memory = (arena){0};
    part->padded = m;
    int own = RIGID_NODES + compile_rigid_nround(part);
    m->x = arena_new(&m->memory, 3 * (size_t)(m->nnode + own), double);
    part->rigid = arena_new(&c->scratch, 1, compile_rigid);
    if (!m->x || !part->rigid)
        return compile_no_memory(c);
    memcpy(m->x, part->mesh->x, 3 * (size_t)m->nnode * sizeof *m->x);
    part->rigid->centre = m->nnode;
    m->nnode += own;
    part->mesh = m;
    return LITHE_OK;
}

// Its skin: the boundary of its volumes, or its triangles, which must enclose something unless its
// mass, centre and inertia are told.
lithe_status compile_rigid_skin(compiler *c, compile_body *part)
{
    const lithe_body_def *d = part->def;
    const mesh *m = part->mesh;
    mesh_boundary *skin = &part->boundary;
    bool closed = true, told = d->mass > 0 && is_inertia_given(d) && isfinite(d->centre[0]);
    int edge[2] = {0};
    if (m->ntet > 0)
        LITHE_TRY(mesh_find_boundary(m, part->X, &c->scratch, skin, c->report));
    else {
        skin->ntri = m->ntri;
        skin->tri = arena_new(&c->scratch, 3 * (size_t)m->ntri + 1, int);
        skin->piece = arena_new(&c->scratch, (size_t)m->ntri + 1, int);
        if (!skin->tri || !skin->piece)
            return compile_no_memory(c);
        memcpy(skin->tri, m->tri, 3 * (size_t)m->ntri * sizeof *skin->tri);
    }
    skin->tet = arena_new(&c->scratch, (size_t)skin->ntri + 1, int);
    if (!skin->tet || surface_is_closed(skin->ntri, skin->tri, &closed, edge) != LITHE_OK)
        return compile_no_memory(c);
    for (int t = 0; t < skin->ntri; t++)
        skin->tet[t] = -1; // of which it is a face by itself
    if (!closed && m->ntet == 0 && !told)
        return compile_fail(c, d->location,
                            "rigid body '%s': its surface is open or not of one direction, at the "
                            "edge of nodes %d and %d, so it encloses no volume; mend it, or give "
                            "mass, rigid_body.center and rigid_body.inertia",
                            d->name, edge[0], edge[1]);
    if (closed && surface_volume(skin->ntri, skin->tri, part->X) < 0)
        for (int t = 0; t < skin->ntri; t++) {
            int other = skin->tri[3 * t + 1];
            skin->tri[3 * t + 1] = skin->tri[3 * t + 2];
            skin->tri[3 * t + 2] = other;
        }
    return LITHE_OK;
}

// Moments of the volume that a closed surface encloses, about `at`, added up over the tetrahedra
// that its triangles make with it: 0th, 1st and 2nd, int x x' dV.
typedef struct volume_moments {
    double volume, first[3], second[9];
} volume_moments;

static volume_moments moments_of(const compile_body *part, const double at[3])
{
    volume_moments v = {0};
    for (int t = 0; t < part->boundary.ntri; t++) {
        double x[3][3], sum[3] = {0};
        for (int i = 0; i < 3; i++) {
            vec_sub(x[i], &part->X[3 * part->boundary.tri[3 * t + i]], at);
            vec_axpy(sum, 1, x[i]);
        }
        double volume = vec_triple(x[0], x[1], x[2]) / 6;
        v.volume += volume;
        vec_axpy(v.first, volume / 4, sum);
        for (int i = 0; i < 9; i++) {
            double square = sum[i / 3] * sum[i % 3];
            for (int k = 0; k < 3; k++)
                square += x[k][i / 3] * x[k][i % 3];
            v.second[i] += volume / 20 * square;
        }
    }
    return v;
}

// Second moments of a volume as the inertia of mass 1.
static void to_inertia(const double second[9], double volume, double out[9])
{
    double trace = second[0] + second[4] + second[8];
    for (int i = 0; i < 9; i++)
        out[i] = ((i % 4 ? 0 : trace) - second[i]) / volume;
}

// Of primitives by formula: a ball is round. Second moments about the centre for volume 1.
static double primitive_moments(const lithe_body_def *d, double second[3])
{
    const double *s = d->size, r = s[0], h = s[1];
    double cylinder = M_PI * r * r * h, ends = 4.0 / 3 * M_PI * r * r * r, volume;
    switch (d->shape) {
    case LITHE_RIGID_BOX:
        for (int i = 0; i < 3; i++)
            second[i] = s[i] * s[i] / 12;
        return s[0] * s[1] * s[2];
    case LITHE_RIGID_SPHERE: second[0] = second[1] = second[2] = r * r / 5; return ends;
    case LITHE_RIGID_CYLINDER:
        second[0] = second[1] = r * r / 4;
        second[2] = h * h / 12;
        return cylinder;
    default: // half balls, whose centres are 3/8 r from their flat sides
        volume = cylinder + ends;
        second[0] = second[1] = (cylinder * r * r / 4 + ends * r * r / 5) / volume;
        second[2] =
            (cylinder * h * h / 12 + ends * (r * r / 5 + h * h / 4 + 3 * h * r / 8)) / volume;
        return volume;
    }
}

static void rotate_tensor(const lithe_body_def *d, const double own[9], double out[9])
{
    double R[9], half[9], transposed[9];
    mat_from_angles(R, d->rotate);
    for (int i = 0; i < 9; i++)
        transposed[i] = R[3 * (i % 3) + i / 3];
    mat_mul(half, R, own);
    mat_mul(out, half, transposed);
}

// Volume, centre and the inertia of mass 1, in the world at rest.
static lithe_status measure(const compiler *c, compile_body *part, double centre[3])
{
    const lithe_body_def *d = part->def;
    compile_rigid *rigid = part->rigid;
    const double zero[3] = {0};
    double second[3] = {0}, own[9] = {0};
    if (d->shape != LITHE_RIGID_MESH) {
        rigid->volume = primitive_moments(d, second);
        for (int i = 0; i < 3; i++)
            own[4 * i] = second[(i + 1) % 3] + second[(i + 2) % 3];
        rotate_tensor(d, own, rigid->inertia);
        compile_transform(d, zero, centre);
        return LITHE_OK;
    }
    double some[3];
    memcpy(some, &part->X[3 * part->boundary.tri[0]], sizeof some);
    volume_moments v = moments_of(part, some);
    rigid->volume = v.volume;
    memcpy(centre, some, sizeof some);
    if (!(v.volume > 0))
        return is_inertia_given(d) ? LITHE_OK
                                   : compile_fail(c, d->location,
                                                  "rigid body '%s' encloses no volume; check its "
                                                  "mesh, or give its inertia",
                                                  d->name);
    vec_axpy(centre, 1 / v.volume, v.first);
    v = moments_of(part, centre);
    to_inertia(v.second, v.volume, rigid->inertia);
    return LITHE_OK;
}

// What is told of the centre and the inertia replaces what the volume says. A centre elsewhere,
// with the inertia of the volume, is refused: it would be that of no body in general.
static lithe_status take_told(const compiler *c, compile_body *part, double centre[3])
{
    const lithe_body_def *d = part->def;
    compile_rigid *rigid = part->rigid;
    bool told = isfinite(d->centre[0]);
    if (told && !is_inertia_given(d))
        return compile_fail(c, d->location,
                            "rigid body '%s': its centre of mass is given, and its inertia is not; "
                            "give both, or none",
                            d->name);
    if (told) {
        lithe_body_def metres = *d;
        metres.mesh_unit = 1;
        compile_transform(&metres, d->centre, centre);
    }
    if (!is_inertia_given(d))
        return LITHE_OK;
    const double *I = d->inertia, *P = d->products;
    double own[9] = {I[0], P[0], P[1], P[0], I[1], P[2], P[1], P[2], I[2]};
    rotate_tensor(d, own, rigid->inertia);
    for (int i = 0; i < 9; i++)
        rigid->inertia[i] /= d->mass;
    return LITHE_OK;
}

// How far they are from it along each axis: inside the body's box, and far enough apart that
// weights are not large.
static void find_arms(compile_body *part, const double centre[3])
{
    const double flat = 0.05; // of the largest
    double *arm = part->rigid->arm, most = 0;
    for (int axis = 0; axis < 3; axis++) {
        double lower = INFINITY, upper = -INFINITY;
        for (int i = 0; i < part->rigid->centre; i++) {
            lower = fmin(lower, part->X[3 * i + axis]);
            upper = fmax(upper, part->X[3 * i + axis]);
        }
        double reach = fmin(centre[axis] - lower, upper - centre[axis]);
        arm[axis] = (reach > 0 ? reach : upper - lower) / sqrt(3);
        most = fmax(most, arm[axis]);
    }
    for (int axis = 0; axis < 3; axis++)
        arm[axis] = fmax(arm[axis], flat * most);
}

lithe_status compile_rigid_locate(compiler *c, compile_body *part)
{
    double centre[3] = {0};
    LITHE_TRY(measure(c, part, centre));
    LITHE_TRY(take_told(c, part, centre));
    double *X = &part->X[3 * part->rigid->centre];
    find_arms(part, centre);
    for (int i = 0; i < RIGID_NODES; i++)
        memcpy(&X[3 * i], centre, sizeof centre);
    for (int i = 0; i < 3 * RIGID_POINTS; i++)
        X[3 + i] += surface_side(i / 3, i % 3) * part->rigid->arm[i % 3];
    for (int i = 0; i < compile_rigid_nround(part); i++) {
        double end[3] = {0, 0, (i - 0.5) * part->def->size[1] / part->def->mesh_unit};
        if (part->def->shape == LITHE_RIGID_SPHERE)
            end[2] = 0;
        compile_transform(part->def, end, &X[3 * (RIGID_NODES + i)]);
    }
    return LITHE_OK;
}

void compile_rigid_weights(const compile_body *part, const double at[3],
                           double weight[RIGID_POINTS])
{
    const double *centre = &part->X[3 * part->rigid->centre];
    for (int i = 0; i < RIGID_POINTS; i++) {
        weight[i] = 0.25;
        for (int axis = 0; axis < 3; axis++)
            weight[i] +=
                0.25 * surface_side(i, axis) * (at[axis] - centre[axis]) / part->rigid->arm[axis];
    }
}

lithe_status compile_rigid_family(compiler *c, const compile_body *part, element_family *family,
                                  int *n)
{
    if (!compile_is_rigid(part))
        return LITHE_OK;
    if (facet_family(&family[(*n)++], part->boundary.ntri, part->boundary.tri, &c->model->memory) !=
        LITHE_OK)
        return compile_no_memory(c);
    return LITHE_OK;
}

// Mass at the centre, inertia at the frame's rotation.
lithe_status compile_rigid_mass(compiler *c, const compile_body *part, body *b)
{
    const lithe_body_def *d = part->def;
    const compile_rigid *rigid = part->rigid;
    double density = part->material_id >= 0 ? c->material[part->material_id].density : 0;
    double mass = d->mass > 0 ? d->mass : density * rigid->volume, inertia[9];
    for (int i = 0; i < 9; i++)
        inertia[i] = mass * rigid->inertia[i];
    if (!(mass > 0) && c->def->dynamics.scheme != LITHE_STATIC)
        return compile_fail(c, d->location,
                            "rigid body '%s' has no mass, and what moves needs one: give it a "
                            "mass, or a material with a density",
                            d->name);
    b->volume = fmax(rigid->volume, 0);
    if (body_set_rigid(b, rigid->centre, mass, inertia, &c->model->memory) != LITHE_OK)
        return compile_no_memory(c);
    return LITHE_OK;
}

// What meets its points, or pulls at its centre, couples them.
lithe_status compile_rigid_couple(const compile_body *part, const body *b, sparse_builder *builder)
{
    int node[RIGID_NODES + 1];
    if (!compile_is_rigid(part))
        return LITHE_OK;
    for (int i = 0; i < RIGID_NODES; i++)
        node[i] = part->rigid->centre + i;
    node[RIGID_NODES] = compile_frame_node(part, 0);
    return body_couple(b, builder, RIGID_NODES + 1, node);
}
