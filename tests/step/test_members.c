// Bodies of several meshes: members that are attached to each other against one mesh, a stiff
// region, a rigid part and closed forms; derivatives; what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rotation.h"
#include "base/vec.h"
#include "robot.h"
#include "step/phases.h"

// A robot of up to three members. Each mesh is a bar in the world.
typedef struct limb {
    robot r;
    bar shape[3];
    lithe_mesh *mesh[3];
    lithe_body_def member[3];
    lithe_attachment_def attachment[3];
} limb;

static void limb_begin(limb *l)
{
    memset(l, 0, sizeof *l);
    robot_begin(&l->r, false);
    l->r.body.mesh = NULL;
    l->r.body.member = l->member;
    l->r.body.attachment = l->attachment;
}

static lithe_body_def *add_member(limb *l, const char *name, bar shape)
{
    int k = l->r.body.nmember++;
    l->shape[k] = shape;
    assert_int_equal(
        lithe_mesh_create(shape.nnode, shape.x, shape.ntet, shape.tet, &l->mesh[k], &l->r.report),
        LITHE_OK);
    l->member[k] = lithe_body_def_default();
    l->member[k].name = name;
    l->member[k].mesh = l->mesh[k];
    return &l->member[k];
}

// Nodes of a member within half a millimetre of a height.
static lithe_attachment_def *add_attachment(limb *l, const char *member, const char *to, double z)
{
    lithe_attachment_def *a = &l->attachment[l->r.body.nattachment++];
    *a = lithe_attachment_def_default();
    a->member = member;
    a->to = to;
    a->where = (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, z - 5e-4}, .b = {1, 1, z + 5e-4}};
    return a;
}

static void limb_end(limb *l)
{
    for (int k = 0; k < 3; k++) {
        lithe_mesh_free(l->mesh[k]);
        if (l->shape[k].x)
            bar_free(&l->shape[k]);
    }
    robot_end(&l->r);
}

static bar piece(int nx, int nz, double from, double to)
{
    return bar_make(nx, nx, nz, (double[]){-0.01, -0.01, from}, (double[]){0.01, 0.01, to});
}

static void load_robot(robot *r)
{
    r->load[0] = lithe_load_def_default();
    r->load[0].name = "push";
    r->load[0].body = "bar";
    r->load[0].at[2] = 0.1;
    r->load[0].value[1] = 0.05;
    r->def.nload = 1;
    r->def.gravity[2] = -9.81;
    r->def.gravity[0] = 2;
}

static void tip_of(const robot *r, double out[3])
{
    lithe_effector_value(r->model, r->state, 0, out);
}

static double tip_difference(const robot *a, const robot *b)
{
    double p[3], q[3];
    tip_of(a, p);
    tip_of(b, q);
    return vec_distance(p, q) / a->model->size;
}

static void add_rigid_head(limb *l)
{
    add_member(l, "foot", piece(4, 7, 0, 0.07));
    lithe_body_def *head = add_member(l, "head", piece(4, 3, 0.07, 0.1));
    head->shape = LITHE_RIGID_MESH;
    head->material = "silicone";
    add_attachment(l, "foot", "head", 0.07);
}

// Case 36: what is attached to a rigid body moves as if that were a million times stiffer.
static void a_rigid_member_is_a_very_stiff_region(void **unused)
{
    (void)unused;
    limb l;
    robot whole;
    lithe_material_def material[2];
    lithe_region_def region = lithe_region_def_default();
    limb_begin(&l);
    add_rigid_head(&l);
    load_robot(&l.r);
    robot_compile(&l.r);
    robot_begin(&whole, false);
    load_robot(&whole);
    material[0] = material[1] = whole.material;
    material[1].name = "steel";
    material[1].young *= 1e6;
    region.where = (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, 0.0701}, .b = {1, 1, 1}};
    region.material = "steel";
    whole.def.nmaterial = 2;
    whole.def.material = material;
    whole.body.nregion = 1;
    whole.body.region = &region;
    robot_compile(&whole);
    settle(&l.r);
    assert_int_equal(lithe_step(whole.model, whole.state), LITHE_OK);
    double tip[3] = {0};
    tip_of(&whole, tip);
    assert_true(vec_distance(tip, (double[]){0, 0, 0.1}) > 0.05 * whole.model->size);
    assert_true(tip_difference(&l.r, &whole) < 1e-5);
    limb_end(&l);
    robot_end(&whole);
}

// A head whose mass, centre and inertia are told as those of the lumps of a rigid part.
static void a_rigid_member_moves_as_a_rigid_part(void **unused)
{
    (void)unused;
    limb l;
    robot whole;
    lithe_rigid_def part = lithe_rigid_def_default();
    robot_begin(&whole, false);
    load_robot(&whole);
    part.name = "head";
    part.where = (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, 0.0699}, .b = {1, 1, 1}};
    whole.body.nrigid = 1;
    whole.body.rigid = &part;
    whole.def.dynamics.scheme = LITHE_ALPHA;
    whole.def.step.dt = 1e-3;
    robot_compile(&whole);
    limb_begin(&l);
    add_rigid_head(&l);
    load_robot(&l.r);
    // The lumps of the head's own tetrahedra, a quarter of each at its corners.
    bar head = l.shape[1];
    double mass = 0, centre[3] = {0}, I[9] = {0}, each = 1000 * 0.02 * 0.02 * 0.03 / head.ntet / 4;
    for (int i = 0; i < 4 * head.ntet; i++, mass += each)
        vec_axpy(centre, each, &head.x[3 * head.tet[i]]);
    vec_scale(centre, 1 / mass);
    for (int i = 0; i < 4 * head.ntet; i++) {
        double arm[3];
        vec_sub(arm, &head.x[3 * head.tet[i]], centre);
        for (int k = 0; k < 9; k++)
            I[k] += each * ((k % 4 ? 0 : vec_dot(arm, arm)) - arm[k / 3] * arm[k % 3]);
    }
    l.member[1].mass = mass;
    memcpy(l.member[1].centre, centre, sizeof centre);
    memcpy(l.member[1].inertia, (double[]){I[0], I[4], I[8]}, 3 * sizeof(double));
    memcpy(l.member[1].products, (double[]){I[1], I[2], I[5]}, 3 * sizeof(double));
    l.r.def.dynamics.scheme = LITHE_ALPHA;
    l.r.def.step.dt = 1e-3;
    robot_compile(&l.r);
    double most = 0, off = 0;
    for (int i = 0; i < 60; i++) {
        double tip[3] = {0};
        assert_int_equal(lithe_step(whole.model, whole.state), LITHE_OK);
        assert_int_equal(lithe_step(l.r.model, l.r.state), LITHE_OK);
        tip_of(&whole, tip);
        most = fmax(most, vec_distance(tip, (double[]){0, 0, 0.1}) / whole.model->size);
        off = fmax(off, tip_difference(&l.r, &whole));
    }
    assert_true(most > 0.05);
    assert_true(off < 1e-4 * most);
    limb_end(&l);
    robot_end(&whole);
}

// Halves whose nodes meet are one bar; nodes in the middles of edges belong to their member too.
static void attach_halves(lithe_element element)
{
    limb l;
    robot whole;
    limb_begin(&l);
    add_member(&l, "lower", piece(4, 5, 0, 0.05));
    add_member(&l, "upper", piece(4, 5, 0.05, 0.1));
    add_attachment(&l, "upper", "lower", 0.05);
    load_robot(&l.r);
    l.r.body.element = element;
    robot_compile(&l.r);
    robot_begin(&whole, false);
    load_robot(&whole);
    whole.body.element = element;
    robot_compile(&whole);
    settle(&l.r);
    settle(&whole);
    assert_true(tip_difference(&l.r, &whole) < 1e-9);
    assert_int_equal(l.r.model->ndof, whole.model->ndof);
    limb_end(&l);
    robot_end(&whole);
}

static void two_halves_that_are_attached_are_the_whole(void **unused)
{
    (void)unused;
    attach_halves(LITHE_AS_MESHED);
}

static void two_halves_of_quadratic_tetrahedra_are_the_whole(void **unused)
{
    (void)unused;
    attach_halves(LITHE_TET10);
}

// A finer mesh on a coarser one, pulled: the strain is the same everywhere, as the law says.
static void meshes_that_do_not_match_pass_the_patch_test(void **unused)
{
    (void)unused;
    limb l;
    lithe_fix_def fix[3];
    const double traction = 2e4, stretch = 1 + traction / 1e5; // corotational: P = E (s - 1)
    limb_begin(&l);
    add_member(&l, "lower", piece(2, 4, 0, 0.05));
    add_member(&l, "upper", piece(4, 7, 0.05, 0.1));
    add_attachment(&l, "upper", "lower", 0.05);
    static const double at[3][3] = {{0, 0, 0}, {0, 0, 0}, {0.01, 0, 0}};
    static const int axes[3] = {LITHE_Z, LITHE_X | LITHE_Y, LITHE_Y};
    for (int i = 0; i < 3; i++) {
        fix[i] = lithe_fix_def_default();
        fix[i].axes = axes[i];
        fix[i].where = (lithe_selection){.kind = LITHE_NEAREST};
        memcpy(fix[i].where.a, at[i], sizeof at[i]);
    }
    fix[0].where = l.r.fix[0].where;
    l.r.body.nfix = 3;
    l.r.body.fix = fix;
    l.r.load[0] = lithe_load_def_default();
    l.r.load[0].name = "pull";
    l.r.load[0].kind = LITHE_TRACTION;
    l.r.load[0].body = "bar";
    l.r.load[0].surface = "top";
    l.r.load[0].value[2] = traction;
    l.r.def.nload = 1;
    robot_compile(&l.r);
    settle(&l.r);
    const double *x = lithe_position(l.r.state), across = 1 - 0.45 * (stretch - 1);
    for (int i = 0; i < l.r.model->nposition; i++) {
        const double *X = &l.r.model->rest[3 * i];
        double wanted[3] = {across * X[0], across * X[1], stretch * X[2]};
        assert_true(vec_distance(wanted, &x[3 * i]) < 1e-8 * l.r.model->size);
    }
    limb_end(&l);
}

// Points that are no nodes of the bar stay where the block has them.
static void points_are_attached_exactly(void **unused)
{
    (void)unused;
    static const double point[9] = {0.0081, 0.0062, 0.042,   -0.0071, 0.0064,
                                    0.068,  0.0012, -0.0073, 0.0923};
    limb l;
    limb_begin(&l);
    add_member(&l, "foot", piece(4, 10, 0, 0.1));
    lithe_body_def *block = add_member(&l, "block", piece(1, 1, 0.11, 0.12));
    block->shape = LITHE_RIGID_MESH;
    block->material = "silicone";
    lithe_attachment_def *a = add_attachment(&l, "foot", "block", 0);
    a->kind = LITHE_ATTACH_POINTS;
    a->npoint = 3;
    a->point = point;
    load_robot(&l.r);
    robot_compile(&l.r);
    settle(&l.r);
    const body *b = &l.r.model->body[0];
    const carry_frame *f = &b->carry->frame[0];
    const double *q = l.r.state->now.q;
    double R[9];
    rotation_matrix(&q[3 * f->triple[1]], R);
    assert_true(vec_norm(&q[3 * f->triple[1]]) > 0.05);
    for (int k = 0; k < 3; k++) {
        double by_block[3], by_bar[3] = {0}, found = INFINITY;
        vec_sub(by_block, &point[3 * k], f->origin);
        mat_apply(by_block, R, by_block);
        vec_axpy(by_block, 1, &q[3 * f->triple[0]]);
        for (int t = 0; t < l.shape[0].ntet; t++) { // by weights of its own tetrahedron
            const int *tet = &l.shape[0].tet[4 * t];
            double e[3][3], r[3], w[4];
            for (int i = 0; i < 3; i++)
                vec_sub(e[i], &l.shape[0].x[3 * tet[i + 1]], &l.shape[0].x[3 * tet[0]]);
            vec_sub(r, &point[3 * k], &l.shape[0].x[3 * tet[0]]);
            double det = vec_triple(e[0], e[1], e[2]);
            w[1] = vec_triple(r, e[1], e[2]) / det;
            w[2] = vec_triple(e[0], r, e[2]) / det;
            w[3] = vec_triple(e[0], e[1], r) / det;
            w[0] = 1 - w[1] - w[2] - w[3];
            if (fmin(fmin(w[0], w[1]), fmin(w[2], w[3])) < 0)
                continue;
            memset(by_bar, 0, sizeof by_bar);
            for (int i = 0; i < 4; i++)
                vec_axpy(by_bar, w[i], &l.r.state->now.x[3 * tet[i]]);
            found = vec_distance(by_bar, by_block);
        }
        assert_true(found < 1e-12);
    }
    limb_end(&l);
}

// Nodes that lie in a block are carried by it; the block is a primitive, its mass its own.
static void what_overlaps_is_carried(void **unused)
{
    (void)unused;
    limb l;
    limb_begin(&l);
    add_member(&l, "foot", piece(4, 10, 0, 0.1));
    lithe_body_def *cap = &l.member[l.r.body.nmember++];
    *cap = lithe_body_def_default();
    cap->name = "cap";
    cap->shape = LITHE_RIGID_BOX;
    memcpy(cap->size, (double[]){0.03, 0.04, 0.02}, sizeof cap->size);
    cap->move[2] = 0.1;
    cap->mass = 0.2;
    lithe_attachment_def *a = add_attachment(&l, "foot", "cap", 0);
    a->kind = LITHE_ATTACH_OVERLAP;
    l.r.def.dynamics.scheme = LITHE_EULER;
    robot_compile(&l.r);
    const body *b = &l.r.model->body[0];
    int carried = 0;
    double mass = 0;
    for (int i = 0; i < body_nposition(b); i++) {
        carried += b->carry->triple[i] < 0;
        mass += b->mass[i];
    }
    assert_int_equal(carried, 2 * 25 + 8 + 1); // two layers of the bar, corners, the centre
    assert_true(fabs(mass - 0.2 - 1000 * 0.02 * 0.02 * 0.1) < 1e-12);
    const double want[3] = {0.2 / 12 * (0.04 * 0.04 + 0.02 * 0.02),
                            0.2 / 12 * (0.03 * 0.03 + 0.02 * 0.02),
                            0.2 / 12 * (0.03 * 0.03 + 0.04 * 0.04)};
    for (int i = 0; i < 3; i++)
        assert_true(fabs(b->inertia[4 * i] - want[i]) < 1e-12 * want[i]);
    limb_end(&l);
}

// A soft member on a soft one whose nodes a rigid one carries: one node follows several points of a
// frame and free nodes besides.
static void add_chain(limb *l)
{
    add_member(l, "lower", piece(2, 4, 0, 0.05));
    add_member(l, "upper", piece(3, 3, 0.05, 0.1));
    lithe_body_def *ring = &l->member[l->r.body.nmember++];
    *ring = lithe_body_def_default();
    ring->name = "ring";
    ring->shape = LITHE_RIGID_BOX;
    memcpy(ring->size, (double[]){0.018, 0.05, 0.004}, sizeof ring->size);
    memcpy(ring->move, (double[]){0.005, 0, 0.05}, sizeof ring->move);
    ring->mass = 0.05;
    add_attachment(l, "lower", "ring", 0)->kind = LITHE_ATTACH_OVERLAP;
    add_attachment(l, "upper", "lower", 0.05);
}

static double energy_at(const robot *r, const double *motion, double share)
{
    lithe_state *s = r->state;
    step_move(r->model, &s->now, share, motion, &s->trial);
    point_evaluate(r->model, s, &s->trial);
    return s->trial.energy;
}

static void the_tangent_of_attached_members_is_the_second_derivative(void **unused)
{
    (void)unused;
    limb l;
    limb_begin(&l);
    add_chain(&l);
    robot *r = &l.r;
    robot_compile(r);
    lithe_state *s = r->state;
    const body *b = &r->model->body[0];
    assert_true(b->carry->ntie > 0 && b->carry->nframe == 1);
    int n = r->model->nq, twice = 0;
    for (int i = 0; i < b->nnode; i++)
        twice += b->carry->entry_adr[i + 1] - b->carry->entry_adr[i] > 2;
    assert_true(twice > 0);
    double *dq = calloc((size_t)n, sizeof *dq), *line = calloc((size_t)b->nline, sizeof *line);
    for (int i = 0; i < b->nline; i++)
        line[i] = 2e-4 * (sin(1.7 * i + 0.3) + cos(0.3 * i * i));
    b->space->spread(b, NULL, line, dq);
    step_move(r->model, &s->now, 0.5, dq, &s->now);
    point_evaluate(r->model, s, &s->now);
    assert_int_equal(step_linearize(r->model, s, STEP_FORWARD, false), LITHE_OK);
    memset(dq, 0, (size_t)n * sizeof *dq);
    step_solve_body(r->model, s, 0, s->now.internal, dq);
    double small = 1e-3 * r->model->size / b->space->largest(b, dq), slope = 0;
    const double *g = b->space->pull(b, body_jacobian(b, s->now.J), s->now.internal, s->pulled);
    for (int i = 0; i < n; i++) {
        slope += g[i] * dq[i];
        dq[i] *= small;
    }
    double up = energy_at(r, dq, 1), down = energy_at(r, dq, -1), at = s->now.energy;
    assert_true(fabs(small * slope - 0.5 * (up - down)) < 1e-3 * fabs(small * slope));
    assert_true(fabs(small * small * slope - (up - 2 * at + down)) <
                1e-3 * fabs(small * small * slope));
    free(dq);
    free(line);
    limb_end(&l);
}

// Flying freely, what is attached keeps its momenta.
static void attached_members_keep_momentum(void **unused)
{
    (void)unused;
    for (int scheme = LITHE_EULER; scheme <= LITHE_ALPHA; scheme++) {
        limb l;
        limb_begin(&l);
        add_chain(&l);
        robot *r = &l.r;
        r->body.nfix = 0;
        memcpy(r->body.velocity, (double[]){0.3, -0.2, 0.1}, sizeof r->body.velocity);
        memcpy(r->body.spin, (double[]){4, 2, -3}, sizeof r->body.spin);
        r->def.dynamics.scheme = (lithe_scheme)scheme;
        r->def.step.dt = 1e-3;
        r->def.step.tolerance = 1e-12;
        robot_compile(r);
        lithe_energy start = lithe_last_energy(r->model, r->state);
        for (int i = 0; i < 40; i++)
            assert_int_equal(lithe_step(r->model, r->state), LITHE_OK);
        lithe_energy end = lithe_last_energy(r->model, r->state);
        assert_true(vec_distance(start.linear, end.linear) < 1e-9 * vec_norm(start.linear));
        assert_true(vec_distance(start.angular, end.angular) < 1e-2 * vec_norm(start.angular));
        assert_true(end.kinetic + end.elastic < 1.0001 * start.kinetic);
        limb_end(&l);
    }
}

// A wheel on a hinge beside a rigid member, where nothing of that member is: its centre stays where
// the member's frame has it, and the axis with it.
static void a_wheel_stays_on_the_axle_of_a_rigid_member(void **unused)
{
    (void)unused;
    static const double at[3] = {0.004, 0.03, 0.09};
    limb l;
    lithe_body_def both[2];
    lithe_joint_def axle = lithe_joint_def_default();
    limb_begin(&l);
    add_rigid_head(&l);
    load_robot(&l.r);
    l.r.def.dynamics.scheme = LITHE_EULER;
    l.r.def.step.dt = 5e-3;
    both[0] = l.r.body;
    both[1] = lithe_body_def_default();
    both[1].name = "wheel";
    both[1].shape = LITHE_RIGID_SPHERE;
    both[1].size[0] = 0.008;
    both[1].mass = 0.004;
    both[1].spin[1] = 30;
    memcpy(both[1].move, at, sizeof at);
    l.r.def.nbody = 2;
    l.r.def.body = both;
    axle.name = "axle";
    axle.kind = LITHE_JOINT_HINGE;
    axle.body = "wheel";
    axle.with = "bar";
    axle.with_part = "head";
    axle.axis[1] = 1;
    memcpy(axle.at, at, sizeof at);
    l.r.def.njoint = 1;
    l.r.def.joint = &axle;
    robot_compile(&l.r);
    const carry_frame *head = &l.r.model->body[0].carry->frame[0],
                      *wheel = &l.r.model->body[1].carry->frame[0];
    const double *of_head, *of_wheel;
    double moved = 0, off = 0, askew = 0;
    for (int i = 0; i < 100; i++) {
        double R[9], S[9], arm[3], axis[2][3], y[3] = {0, 1, 0};
        assert_int_equal(lithe_step(l.r.model, l.r.state), LITHE_OK);
        of_head = l.r.state->now.q;
        of_wheel = of_head + l.r.model->body[1].q_adr;
        rotation_matrix(&of_head[3 * head->triple[1]], R);
        rotation_matrix(&of_wheel[3 * wheel->triple[1]], S);
        vec_sub(arm, at, head->origin);
        mat_apply(arm, R, arm);
        vec_axpy(arm, 1, &of_head[3 * head->triple[0]]);
        mat_apply(axis[0], R, y);
        mat_apply(axis[1], S, y);
        moved = fmax(moved, vec_distance(arm, at));
        off = fmax(off, vec_distance(arm, &of_wheel[3 * wheel->triple[0]]));
        askew = fmax(askew, vec_distance(axis[0], axis[1]));
    }
    assert_true(moved > 0.01);
    assert_true(off < 1e-8 * l.r.model->size && askew < 1e-6);
    limb_end(&l);
}

static void refuse(limb *l, const char *part)
{
    assert_int_equal(lithe_compile(&l->r.def, &l->r.model, &l->r.report), LITHE_INVALID);
    if (!strstr(l->r.report.error, part))
        fail_msg("'%s' is not in: %s", part, l->r.report.error);
    l->r.model = NULL;
}

static void what_cannot_be_attached_is_refused(void **unused)
{
    (void)unused;
    limb l;
    limb_begin(&l);
    add_rigid_head(&l);
    l.attachment[0].to = "foot";
    refuse(&l, "they are the same");
    l.attachment[0].to = "nothing";
    refuse(&l, "no member of that name");
    l.attachment[0].member = "head";
    l.attachment[0].to = "foot";
    refuse(&l, "it is rigid");
    l.attachment[0].member = "foot";
    l.attachment[0].to = "head";
    l.attachment[0].where.a[2] = l.attachment[0].where.b[2] = 0.09;
    refuse(&l, "no node of it");
    l.attachment[0].where.a[2] = -1;
    l.attachment[0].where.b[2] = 1;
    l.attachment[1] = l.attachment[0];
    l.r.body.nattachment = 2;
    refuse(&l, "follow something else already");
    l.r.body.nattachment = 0;
    refuse(&l, "nothing holds its part");
    l.r.body.nattachment = 1;
    l.member[1].name = "foot";
    refuse(&l, "two members called");
    l.member[1].name = "head";
    l.r.body.mass = 1;
    refuse(&l, "give rigid ones a mass");
    l.r.body.mass = 0;
    l.r.body.material = NULL;
    refuse(&l, "needs a material");
    limb_end(&l);
    limb_begin(&l);
    add_member(&l, "lower", piece(2, 4, 0, 0.05));
    add_member(&l, "upper", piece(4, 7, 0.07, 0.12));
    add_attachment(&l, "upper", "lower", 0.07);
    refuse(&l, "outside 'lower'");
    l.attachment[0].where.a[2] = 0.04;
    l.attachment[0].where.b[2] = 0.06;
    l.attachment[0].member = "lower";
    l.attachment[0].to = "upper";
    refuse(&l, "outside 'upper'");
    l.r.body.nmember = 0;
    l.r.body.mesh = l.r.mesh;
    refuse(&l, "no members");
    limb_end(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rigid_member_is_a_very_stiff_region),
        cmocka_unit_test(a_rigid_member_moves_as_a_rigid_part),
        cmocka_unit_test(two_halves_that_are_attached_are_the_whole),
        cmocka_unit_test(two_halves_of_quadratic_tetrahedra_are_the_whole),
        cmocka_unit_test(meshes_that_do_not_match_pass_the_patch_test),
        cmocka_unit_test(points_are_attached_exactly),
        cmocka_unit_test(what_overlaps_is_carried),
        cmocka_unit_test(the_tangent_of_attached_members_is_the_second_derivative),
        cmocka_unit_test(attached_members_keep_momentum),
        cmocka_unit_test(a_wheel_stays_on_the_axle_of_a_rigid_member),
        cmocka_unit_test(what_cannot_be_attached_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
