// In statics nothing may float: every connected part of a body must be held against all six rigid
// motions.
#include "base/eigen.h"
#include "base/vec.h"
#include "mesh/embed.h"
#include "scene/compile.h"
#include "scene/tolerances.h"

#include <stdio.h>
#include <string.h>

static int find_root(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static void join(int *parent, int n, const int *node)
{
    for (int a = 1; a < n; a++) {
        int i = find_root(parent, node[0]), j = find_root(parent, node[a]);
        parent[i > j ? i : j] = i > j ? j : i;
    }
}

// parent: nodes joined through elements have the same root.
static void join_nodes(const compile_body *part, int *parent)
{
    const mesh *m = part->mesh;
    for (int i = 0; i < m->nnode; i++)
        parent[i] = i;
    for (int e = 0; e < m->ntet; e++)
        join(parent, 4, &m->tet[4 * e]);
    for (int e = 0; e < slender_nelement(part); e++) {
        const int *node;
        int n = slender_cell(part, e, &node);
        join(parent, n, node);
    }
    for (int k = 0; k < part->nframe; k++)
        for (int i = 1; i < part->frame[k].nmember && part->frame[k].member[i].node < m->nnode; i++)
            join(parent, 2, (int[]){part->frame[k].member[0].node, part->frame[k].member[i].node});
    for (int i = 0; i < part->ntie; i++)
        join(parent, 2, (int[]){part->tie[i].node, part->tie[i].host});
    for (int i = 0; i < part->nhang; i++)
        join(parent, 2,
             (int[]){part->hang[i].node, part->frame[part->hang[i].frame].member[0].node});
    for (int g = 0; g < joints_nglue(part); g++) {
        int pair[2];
        joints_pair(part, g, pair);
        join(parent, 2, pair);
    }
}

void compile_add_hold(double gram[36], int axis, const double p[3], const double centre[3],
                      double size)
{
    double taken[6] = {0}, unit[3] = {0}, arm[3];
    unit[axis] = taken[axis] = 1;
    vec_sub(arm, p, centre);
    vec_cross(&taken[3], arm, unit);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            gram[6 * i + j] += taken[i] * taken[j] / ((i > 2 ? size : 1) * (j > 2 ? size : 1));
}

// The same for holding a rotation about one axis: a unit of omega_axis.
static void add_rotation_hold(double gram[36], int axis)
{
    gram[6 * (3 + axis) + 3 + axis] += 1;
}

static bool is_held(double gram[36])
{
    double value[6], vector[36], largest = 0, smallest = INFINITY;
    eigen_symmetric(6, gram, value, vector);
    for (int i = 0; i < 6; i++) {
        largest = fmax(largest, value[i]);
        smallest = fmin(smallest, value[i]);
    }
    return smallest > SCENE_HELD * largest;
}

typedef struct held_part {
    double gram[36];
    double centre[3];
    int nnode;
    int nheld;
} held_part;

// The rod or shell that the last nodes of a body begin with, NULL if node i is of its mesh.
static const char *slender_of(const compile_body *part, int i)
{
    const mesh *m = part->mesh;
    if (i < m->nnode - m->nslender)
        return NULL;
    for (int g = 0; g < m->ngroup; g++)
        for (int j = 0; j < m->group[g].nmember; j++) {
            int member = m->group[g].member[j];
            const int *tri = m->group[g].dim == 2 ? &m->tri[3 * (size_t)member] : NULL;
            if (m->group[g].dim == 0 ? member == i
                                     : tri && (tri[0] == i || tri[1] == i || tri[2] == i))
                return m->group[g].name;
        }
    return "";
}

// How near a part, whose nodes have the same root, comes to the body's mesh.
static double distance_to_mesh(const compile_body *part, int *parent, int root)
{
    const mesh *m = part->mesh;
    double least = INFINITY;
    for (int i = root; i < m->nnode; i++) {
        mesh_point point;
        if (find_root(parent, i) != root)
            continue;
        embed_point(m, part->X, &part->X[3 * (size_t)i], &point);
        least = fmin(least, point.outside);
    }
    return least;
}

// What was probably meant, where nothing at all holds the part.
static void find_remedy(const compiler *c, const compile_body *part, int *parent, int root,
                        char *text, size_t size)
{
    const char *slender = slender_of(part, root);
    bool alone = root == 0 && part->def->nfix == 0;
    if (slender && part->mesh->ntet > 0) {
        double gap = distance_to_mesh(part, parent, root);
        if (gap > 0)
            snprintf(text, size,
                     "'%s' does not reach into the mesh, to which its nodes would be glued: it "
                     "misses it by %.3g mm; check units and points, or fix some of its nodes",
                     slender, 1e3 * gap);
        else
            snprintf(text, size,
                     "'%s' is not glued to the mesh that it runs in; leave out glued: false, or "
                     "fix some of its nodes",
                     slender);
    } else if (alone && c->def->dynamics.scheme == LITHE_STATIC) {
        snprintf(text, size,
                 "fix some of its nodes, or let it move freely, as what flies, falls or lies on "
                 "something: give the scene a section dynamics");
    } else if (alone) {
        snprintf(text, size,
                 "fix some of its nodes, or let it begin without an equilibrium: leave out "
                 "dynamics.start");
    } else {
        snprintf(text, size, "fix some of its nodes");
    }
}

static lithe_status fail_part(const compiler *c, int k, int *parent, int root,
                              const held_part *part)
{
    const lithe_body_def *d = c->body[k].def;
    char remedy[LITHE_TEXT_MAX / 2];
    find_remedy(c, &c->body[k], parent, root, remedy, sizeof remedy);
    if (part->nheld == 0)
        return compile_fail(c, d->location,
                            "body '%s': nothing holds its part of %d nodes around (%.4g, %.4g, "
                            "%.4g) m; %s",
                            d->name, part->nnode, part->centre[0], part->centre[1], part->centre[2],
                            remedy);
    return compile_fail(c, d->location,
                        "body '%s': its part of %d nodes around (%.4g, %.4g, %.4g) m can still "
                        "move as a rigid body: the %d coordinates that are fixed do not hold all "
                        "six motions",
                        d->name, part->nnode, part->centre[0], part->centre[1], part->centre[2],
                        part->nheld);
}

static void gather_parts(const compiler *c, int k, int *parent, held_part *part)
{
    const body *b = &c->model->body[k];
    double size = vec_distance(b->lower, b->upper);
    for (int i = 0; i < body_nposition(b); i++) {
        held_part *p = &part[find_root(parent, i)];
        p->nnode++;
        vec_axpy(p->centre, 1, &b->X[3 * i]);
    }
    for (int i = 0; i < body_nposition(b); i++)
        for (int axis = 0; axis < 3; axis++) {
            held_part *p = &part[find_root(parent, i)];
            if (parent[i] == i && axis == 0)
                for (int j = 0; j < 3; j++)
                    p->centre[j] /=
                        p->nnode; // a part's root is its lowest node, so this comes before its use
            if (b->rotation && b->rotation[i] >= 0 && (b->held[b->rotation[i]] & (1 << axis))) {
                p->nheld++;
                add_rotation_hold(p->gram, axis);
            }
            if (!(b->held[i] & (1 << axis)))
                continue;
            p->nheld++;
            compile_add_hold(p->gram, axis, &b->X[3 * i], p->centre, size);
        }
}

// What holds a frame holds its part; a servo holds all that it rotates.
static void add_frames(const compiler *c, int k, int *parent, held_part *part)
{
    const body *b = &c->model->body[k];
    const compile_body *from = &c->body[k];
    double size = vec_distance(b->lower, b->upper);
    for (int j = 0; j < from->nframe; j++) {
        const carry_frame *f = &from->frame[j];
        held_part *p = &part[find_root(parent, f->member[0].node)];
        for (int i = 0; i < f->nmember && f->hinge; i++)
            for (int axis = 0; axis < 3 && f->member[i].node < body_nposition(b);
                 axis++, p->nheld++)
                compile_add_hold(p->gram, axis, &b->X[3 * f->member[i].node], p->centre, size);
        for (int axis = 0; axis < 3 && !f->hinge; axis++) {
            if (f->held[0] & (1 << axis)) {
                p->nheld++;
                compile_add_hold(p->gram, axis, f->origin, p->centre, size);
            }
            if (f->held[1] & (1 << axis)) {
                p->nheld++;
                add_rotation_hold(p->gram, axis);
            }
        }
    }
}

static bool is_joined(const compiler *c, int k)
{
    const char *name = c->body[k].def->name;
    if (c->body[k].def->nwaypoint > 0)
        return true;
    for (int j = 0; j < c->def->njoint; j++) {
        const lithe_joint_def *d = &c->def->joint[j];
        if ((d->body && strcmp(d->body, name) == 0) || (d->with && strcmp(d->with, name) == 0))
            return true;
    }
    return false;
}

// Does a rope or a rod hold on to it: a line whose length is told? A soft body on nothing but lines
// is one whose fix was forgotten.
static bool is_hung(const compiler *c, int k)
{
    const char *name = c->body[k].def->name;
    if (!compile_is_rigid(&c->body[k]))
        return false;
    for (int a = 0; a < c->def->nactuator; a++) {
        const lithe_actuator_def *d = &c->def->actuator[a];
        for (int i = 0; i < d->npoint && d->command == LITHE_DISPLACEMENT; i++)
            if (d->point[i].body && strcmp(d->point[i].body, name) == 0)
                return true;
    }
    return false;
}

// What its weight would give a pendulum as long as it is, N/m; as if of water if it has none.
static double pendulum_stiffness(const body *b)
{
    const double water = 1000, g = 9.81;
    double mass = 0;
    for (int i = 0; i < body_nposition(b); i++)
        mass += b->mass[i];
    if (!(mass > 0))
        mass = water * b->volume;
    return mass * g / vec_distance(b->lower, b->upper);
}

// Joints and lines may hold it: whether they do, equilibria tell.
static lithe_status check_body_held(compiler *c, int k)
{
    const mesh *m = c->body[k].mesh;
    int *parent = arena_new(&c->scratch, m->nnode, int);
    held_part *part = arena_new(&c->scratch, m->nnode, held_part);
    if (!parent || !part)
        return compile_no_memory(c);
    join_nodes(&c->body[k], parent);
    gather_parts(c, k, parent, part);
    add_frames(c, k, parent, part);
    for (int i = 0; i < m->nnode; i++)
        if (part[i].nnode > 1 && !is_held(part[i].gram)) {
            if (!is_joined(c, k) && !is_hung(c, k))
                return fail_part(c, k, parent, i, &part[i]);
            c->model->body[k].grip = pendulum_stiffness(&c->model->body[k]);
        }
    if (compile_is_rigid(
            &c->body[k])) // nor does anything but its command hold what a servo rotates
        c->model->body[k].grip = pendulum_stiffness(&c->model->body[k]);
    return LITHE_OK;
}

lithe_status compile_holds(compiler *c)
{
    for (int k = 0; k < c->model->nbody; k++)
        LITHE_TRY(check_body_held(c, k));
    return LITHE_OK;
}
