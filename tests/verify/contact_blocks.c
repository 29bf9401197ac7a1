// Contact without friction at rest: blocks on blocks, knives, balls and a ring.
#include "piece.h"
#include "verify.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// Two bodies of one scene. The first piece has the model.
typedef struct duo {
    piece p[2];
    lithe_body_def body[2];
    lithe_material_def stuff[2];
} duo;

static void duo_begin(duo *d, bar lower, bar upper, lithe_element element, double poisson)
{
    piece_begin(&d->p[0], lower, 1e5, poisson);
    piece_begin(&d->p[1], upper, 1e5, poisson);
    for (int k = 0; k < 2; k++) {
        d->p[k].body.element = element;
        d->p[k].material = piece_law(LITHE_NEO_HOOKEAN, 1e5, poisson, false);
    }
}

static bool duo_compile(duo *d)
{
    piece *first = &d->p[0];
    for (int k = 0; k < 2; k++) {
        if (!piece_mesh(&d->p[k])) {
            first->report = d->p[k].report;
            return false;
        }
        d->body[k] = d->p[k].body;
        d->body[k].name = k ? "upper" : "lower";
        d->body[k].material = k ? "other stuff" : "stuff";
        d->stuff[k] = d->p[k].material;
        d->stuff[k].name = d->body[k].material;
    }
    first->def.nmaterial = first->def.nbody = 2;
    first->def.material = d->stuff;
    first->def.body = d->body;
    first->def.contacts.location = "verify";
    return lithe_compile(&first->def, &first->model, &first->report) == LITHE_OK;
}

static void duo_end(duo *d)
{
    piece_end(&d->p[0]);
    piece_end(&d->p[1]);
}

// Holds all nodes above a plane, or all there are, and moves them down.
static void hold(piece *p, lithe_selection_kind kind, double z, double up, int axes, double down)
{
    lithe_fix_def *fix = &p->fix[p->body.nfix++];
    *fix = lithe_fix_def_default();
    fix->where.kind = kind;
    fix->where.a[2] = z;
    fix->where.b[2] = up;
    fix->axes = axes;
    fix->displacement[2] = -down;
}

static const char *why(const piece *p)
{
    return p->state ? lithe_state_error(p->state) : p->report.error;
}

static double push(const piece *p)
{
    double force[3];
    lithe_pair_force(p->model, p->state, 0, force);
    return fmax(fabs(force[0]), fmax(fabs(force[1]), fabs(force[2])));
}

// ---------------------------------------------------------------- 26: patch test

// What the interface at z = 20 mm goes down by: the value that is farthest from 0.8 mm.
static double interface(const piece *p)
{
    const double *X = lithe_rest(p->model), *x = lithe_position(p->state);
    double worst = -0.8e-3;
    for (int i = 0; i < lithe_nnode(p->model); i++) {
        double u = x[3 * i + 2] - X[3 * i + 2];
        if (fabs(X[3 * i + 2] - 0.02) < 1e-9 && fabs(u + 0.8e-3) > fabs(worst + 0.8e-3))
            worst = u;
    }
    return worst;
}

static void patch_of(verify_table *table, lithe_element element, const int cells[2][3], double gate)
{
    duo d;
    const double side = 0.03, high = 0.02, share = 0.04;
    duo_begin(&d,
              bar_make(cells[0][0], cells[0][1], cells[0][2], (double[]){0, 0, 0},
                       (double[]){side, side, high}),
              bar_make(cells[1][0], cells[1][1], cells[1][2], (double[]){0, 0, high},
                       (double[]){side, side, 2 * high}),
              element, 0.3);
    hold(&d.p[0], LITHE_PLANE, 0, -1, LITHE_Z, 0);
    hold(&d.p[1], LITHE_PLANE, 2 * high, 1, LITHE_Z, 2 * high * share);
    for (int k = 0; k < 2; k++)
        hold(&d.p[k], LITHE_ALL, 0, 1, LITHE_X | LITHE_Y, 0);
    verify_mesh(table, "%s, %d x %d below, %d x %d above", piece_element_name(element), cells[0][0],
                cells[0][1], cells[1][0], cells[1][1]);
    if (!duo_compile(&d) || !piece_settle(&d.p[0]))
        verify_broken(table, why(&d.p[0]));
    else
        verify_gate(table, "interface, farthest off, mm", 1e3 * interface(&d.p[0]), -0.8, gate);
    duo_end(&d);
}

void verify_contact_patch(verify_table *table)
{
    static const struct {
        lithe_element element;
        int cells[2][3];
        double gate;
    } of[] = {
        {LITHE_HEX8, {{3, 3, 2}, {4, 4, 3}}, 1e-6},  {LITHE_HEX8, {{3, 3, 2}, {5, 5, 3}}, 1e-6},
        {LITHE_HEX8, {{2, 2, 2}, {4, 4, 3}}, 1e-6},  {LITHE_HEX8, {{7, 7, 4}, {8, 8, 4}}, 1e-6},
        {LITHE_TET4, {{3, 3, 2}, {4, 4, 3}}, 1e-6},  {LITHE_TET4, {{5, 5, 3}, {6, 6, 4}}, 1e-6},
        {LITHE_TET10, {{2, 2, 2}, {3, 3, 2}}, 2e-2},
    };
    verify_case(table, 26, "contact patch test");
    for (int k = 0; k < (int)(sizeof of / sizeof *of); k++)
        patch_of(table, of[k].element, of[k].cells, of[k].gate);
}

// ---------------------------------------------------------------- 27: knife

typedef enum knife_kind { KNIFE_BOX, KNIFE_MESH, KNIFE_SOFT } knife_kind;

static bar block_of_knife(void)
{
    return bar_make(8, 8, 4, (double[]){0, 0, 0}, (double[]){0.04, 0.04, 0.02});
}

// A roof upside down, its edge along y at x = 17.5 mm; 0.1 mm above the block.
static lithe_mesh *prism(lithe_report *report)
{
    double x[18];
    static const int tri[24] = {0, 2, 3, 0, 3, 1, 0, 1, 5, 0, 5, 4,
                                2, 4, 5, 2, 5, 3, 0, 4, 2, 1, 3, 5};
    for (int i = 0; i < 6; i++) {
        double up = i < 2 ? 0 : 1, side = i < 2 ? 0 : i < 4 ? -1 : 1;
        x[3 * i] = 0.0175 + 0.02 * side * up;
        x[3 * i + 1] = i % 2 ? 0.05 : -0.01;
        x[3 * i + 2] = 0.0201 + 0.02 * up;
    }
    lithe_mesh *out = NULL;
    return lithe_mesh_create_surface(6, x, 8, tri, &out, report) == LITHE_OK ? out : NULL;
}

static bool rigid_knife(knife_kind kind, double depth, double *force, piece *p)
{
    lithe_obstacle_def knife =
        lithe_obstacle_def_default(kind == KNIFE_BOX ? LITHE_OBSTACLE_BOX : LITHE_OBSTACLE_MESH);
    const double size[3] = {0.0282842712, 0.06, 0.0282842712}, at[3] = {0.0175, 0.02, 0.0401};
    knife.name = "knife";
    memcpy(knife.at, at, sizeof at);
    memcpy(knife.size, size, sizeof size);
    knife.rotate[1] = kind == KNIFE_BOX ? pi / 4 : 0;
    lithe_mesh *roof = kind == KNIFE_MESH ? prism(&p->report) : NULL;
    knife.mesh = roof;
    knife.mesh_unit = 1;
    p->body.element = LITHE_HEX8;
    hold(p, LITHE_PLANE, 0, -1, LITHE_XYZ, 0);
    p->def.obstacle = &knife;
    p->def.nobstacle = 1;
    bool ok = (kind == KNIFE_BOX || roof) && piece_compile(p) &&
              lithe_state_create(p->model, 1, &p->state, &p->report) == LITHE_OK;
    for (int k = 1; k <= 8 && ok; k++) {
        double down = (depth + 1e-4) * k / 8;
        lithe_move_obstacle(p->model, p->state, 0, (double[3]){0}, (double[3]){0, 0, -down});
        ok = lithe_step(p->model, p->state) == LITHE_OK;
    }
    *force = ok ? push(p) : NAN;
    lithe_mesh_free(roof);
    return ok;
}

static void knife_of(verify_table *table, knife_kind kind, double depth, double expected)
{
    piece p;
    double force;
    piece_begin(&p, block_of_knife(), 1e5, 0.3);
    p.material = piece_law(LITHE_NEO_HOOKEAN, 1e5, 0.3, false);
    verify_mesh(table, "8 x 8 x 4 hex8, the knife is a %s, %.1f mm deep",
                kind == KNIFE_BOX ? "box" : "mesh", 1e3 * depth);
    if (!rigid_knife(kind, depth, &force, &p))
        verify_broken(table, why(&p));
    else
        verify_gate(table, "force, N", force, expected, 5e-3);
    piece_end(&p);
}

// The knife's cross-section, from a square: its lower corner is the edge.
static void roof(const double in[3], double out[3])
{
    double u = in[0], v = in[2]; // from 0 to 1; a rhombus on its corner
    out[0] = 0.0175 + 0.02 * (u - v);
    out[1] = -0.01 + 0.06 * in[1];
    out[2] = 0.0201 + 0.02 * (u + v);
}

static void soft_knife(verify_table *table, double depth, double expected)
{
    duo d;
    duo_begin(&d, block_of_knife(), bar_make(4, 3, 4, (double[]){0, 0, 0}, (double[]){1, 1, 1}),
              LITHE_HEX8, 0.3);
    d.p[1].material = piece_law(LITHE_NEO_HOOKEAN, 1e9, 0.3, false);
    d.p[1].curve = roof;
    hold(&d.p[0], LITHE_PLANE, 0, -1, LITHE_XYZ, 0);
    hold(&d.p[1], LITHE_PLANE, 0.0401 - 1e-6, 1, LITHE_XYZ, depth + 1e-4);
    verify_mesh(table, "8 x 8 x 4 hex8, the knife is a body of 1 GPa, %.1f mm deep", 1e3 * depth);
    if (!duo_compile(&d) || !piece_settle(&d.p[0]))
        verify_broken(table, why(&d.p[0]));
    else
        verify_gate(table, "force, N", push(&d.p[0]), expected, 5e-3);
    duo_end(&d);
}

void verify_knife(verify_table *table)
{
    verify_case(table, 27, "knife into a block");
    for (knife_kind kind = KNIFE_BOX; kind <= KNIFE_MESH; kind++) {
        knife_of(table, kind, 0.7e-3, 2.3099);
        knife_of(table, kind, 1.4e-3, 4.635);
    }
    soft_knife(table, 0.7e-3, 2.3099);
    soft_knife(table, 1.4e-3, 4.635);
}

// ---------------------------------------------------------------- 28: overhang

static void overhang_of(verify_table *table, const int cells[2][3], double over, double travel,
                        double expected)
{
    duo d;
    const double side = 0.03, high = 0.02;
    duo_begin(&d,
              bar_make(cells[0][0], cells[0][1], cells[0][2], (double[]){0, 0, 0},
                       (double[]){side, side, high}),
              bar_make(cells[1][0], cells[1][1], cells[1][2], (double[]){-over, -over, high},
                       (double[]){side + over, side + over, 2 * high}),
              LITHE_HEX8, 0.3);
    hold(&d.p[0], LITHE_PLANE, 0, -1, LITHE_XYZ, 0);
    hold(&d.p[1], LITHE_PLANE, 2 * high, 1, LITHE_XYZ, travel);
    verify_mesh(table, "hex8, %d x %d below, %d x %d above, overhang %.0f mm", cells[0][0],
                cells[0][1], cells[1][0], cells[1][1], 1e3 * over);
    if (!duo_compile(&d) || !piece_settle(&d.p[0]))
        verify_broken(table, why(&d.p[0]));
    else
        verify_gate(table, "force, N", push(&d.p[0]), expected, 3e-2);
    duo_end(&d);
}

void verify_overhang(verify_table *table)
{
    verify_case(table, 28, "block on a smaller block");
    overhang_of(table, (const int[2][3]){{2, 2, 2}, {4, 4, 3}}, 1e-3, 1.6e-3, 4.200);
    overhang_of(table, (const int[2][3]){{3, 3, 2}, {8, 8, 4}}, 5e-3, 4e-3, 12.673);
}

// ---------------------------------------------------------------- Hertz between two balls

// Lines of the grid from 0 to 1: even up to `near`, then ever wider.
static double line(double t)
{
    const double even = 0.55, near = 0.07;
    if (t <= even)
        return near * t / even;
    double u = (t - even) / (1 - even), slope = near * (1 - even) / even;
    return near + slope * u + (1 - near - slope) * u * u;
}

// A quarter of a half-ball of 10 mm from a cube: max norm to Euclidean norm, fine about the pole at
// the origin; `up`: the ball above it, or below.
static void half_ball(const double in[3], double up, double out[3])
{
    double p[3] = {line(in[0]), line(in[1]), 1 - line(in[2])};
    double most = fmax(fmax(p[0], p[1]), p[2]);
    double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    for (int i = 0; i < 3; i++)
        out[i] = length > 0 ? 0.01 * p[i] * most / length : 0;
    out[2] = up * (0.01 - out[2]);
}

static void ball_above(const double in[3], double out[3])
{
    half_ball(in, 1, out);
}

// Mirrored about y = x as well, so that the cells are turned the right way round.
static void ball_below(const double in[3], double out[3])
{
    half_ball((double[3]){in[1], in[0], in[2]}, -1, out);
}

// Radius by the second moment of the pressure, 2 a^2 / 5.
static void measure_balls(const piece *p, double *force, double *radius)
{
    double moment = 0;
    *force = 0;
    for (int c = 0; c < lithe_ncontact(p->state); c++) {
        lithe_contact k;
        lithe_contact_get(p->model, p->state, c, &k);
        *force += 4 * k.force * fabs(k.normal[2]);
        moment += 4 * k.force * fabs(k.normal[2]) * (k.at[0] * k.at[0] + k.at[1] * k.at[1]);
    }
    *radius = sqrt(2.5 * moment / *force);
}

// Both balls come nearer by `lift` in all.
static void balls_of(verify_table *table, int below, int above, double lift, bool judged)
{
    duo d;
    const double young = 1e5, poisson = 0.45, R = 0.01;
    double force, radius;
    duo_begin(&d, bar_make(below, below, below, (double[]){0, 0, 0}, (double[]){1, 1, 1}),
              bar_make(above, above, above, (double[]){0, 0, 0}, (double[]){1, 1, 1}), LITHE_HEX8,
              poisson);
    d.p[0].curve = ball_below;
    d.p[1].curve = ball_above;
    hold(&d.p[0], LITHE_PLANE, -R + 1e-9, -1, LITHE_XYZ, 0);
    hold(&d.p[1], LITHE_PLANE, R - 1e-9, 1, LITHE_XYZ, lift);
    for (int k = 0; k < 2; k++) {
        piece_hold(&d.p[k], (double[]){1e-9, 0, 0}, (double[]){-1, 0, 0}, LITHE_X);
        piece_hold(&d.p[k], (double[]){0, 1e-9, 0}, (double[]){0, -1, 0}, LITHE_Y);
    }
    verify_mesh(table, "%d^3 hex8 on %d^3, a quarter", above, below);
    if (!duo_compile(&d) || !piece_settle(&d.p[0])) {
        verify_broken(table, why(&d.p[0]));
    } else {
        // of equal balls each is half as stiff and half as round: the same print as on a plane
        measure_balls(&d.p[0], &force, &radius);
        double hertz = cbrt(0.75 * force * R * (1 - poisson * poisson) / young);
        verify_show(table, "force, mN", 1e3 * force, NAN);
        verify_row(table, judged, "contact radius, mm", 1e3 * radius, 1e3 * hertz, 0.02);
        verify_row(table, judged, "approach, mm", 1e3 * lift, 2e3 * hertz * hertz / R, 0.05);
    }
    duo_end(&d);
}

void verify_soft_balls(verify_table *table)
{
    verify_case(table, 18, "Hertz: two soft balls");
    balls_of(table, 8, 9, 3e-5, false);
    balls_of(table, 10, 12, 3e-5, true);
}

// ---------------------------------------------------------------- 38: ring

static bool ring_half; // a quarter below, too

// Along: around from the beginning to the top; up: outwards.
static void ring(const double in[3], double out[3])
{
    double angle = 0.5 * pi * (ring_half ? 2 * in[0] - 1 : in[0]);
    double r = 0.017 + 0.003 * in[2];
    out[0] = r * cos(angle);
    out[1] = -0.004 * in[1]; // so that cells are turned the right way round
    out[2] = r * sin(angle);
}

static bool starts(const double in[3])
{
    return in[0] < 1e-9;
}

static bool ends(const double in[3])
{
    return in[0] > 1 - 1e-9;
}

// Rollers push it from above, and from below where it is there; NAN: it failed.
static double squeeze(verify_table *table, bool half, int cells, double down)
{
    piece p;
    lithe_obstacle_def rigid[2] = {
        lithe_obstacle_def_default(LITHE_OBSTACLE_CAPSULE),
        lithe_obstacle_def_default(half ? LITHE_OBSTACLE_CAPSULE : LITHE_OBSTACLE_BOX)};
    static const char *const self[] = {"piece"};
    ring_half = half;
    piece_begin(&p,
                bar_make((half ? 2 : 1) * cells, 1, 3, (double[]){0, 0, 0}, (double[]){1, 1, 1}),
                1e5, 0.3);
    p.curve = ring;
    p.body.element = LITHE_HEX8;
    p.group[0] = (piece_group){"start", starts};
    p.group[1] = (piece_group){"end", ends};
    for (int k = 0; k < 2; k++) {
        lithe_fix_def *fix = &p.fix[p.body.nfix++];
        *fix = lithe_fix_def_default();
        fix->where.kind = LITHE_GROUP;
        fix->where.group = k ? "end" : "start";
        fix->axes = k == 0 && !half ? LITHE_Z : LITHE_X; // the planes of symmetry
    }
    hold(&p, LITHE_ALL, 0, 1, LITHE_Y, 0);
    if (half) { // the middle stays where it is
        const double low[3] = {0, -1, -1e-6}, high[3] = {1, 1, 1e-6};
        hold(&p, LITHE_BOX, 0, 0, LITHE_Z, 0);
        memcpy(p.fix[p.body.nfix - 1].where.a, low, sizeof low);
        memcpy(p.fix[p.body.nfix - 1].where.b, high, sizeof high);
    }
    for (int k = 0; k <= half; k++) {
        rigid[k].radius = 0.004;
        rigid[k].at[1] = -0.05;
        rigid[k].to[1] = 0.05;
        rigid[k].at[2] = rigid[k].to[2] = (k ? -1 : 1) * 0.0241;
    }
    rigid[0].name = "above";
    rigid[1].name = "below";
    if (!half) { // what the lower half would be, away from the plane of symmetry's own nodes
        const double size[3] = {0.02, 0.1, 0.01}, at[3] = {0, 0, -0.005};
        memcpy(rigid[1].size, size, sizeof size);
        memcpy(rigid[1].at, at, sizeof at);
    }
    p.def.obstacle = rigid;
    p.def.nobstacle = 2;
    p.def.contacts.self = self;
    p.def.contacts.nself = half;
    bool ok = piece_compile(&p) && lithe_state_create(p.model, 1, &p.state, &p.report) == LITHE_OK;
    for (int k = 1; k <= 20 && ok; k++) {
        double move = (down + 1e-4) * k / 20;
        lithe_move_obstacle(p.model, p.state, 0, (double[3]){0}, (double[3]){0, 0, -move});
        if (half)
            lithe_move_obstacle(p.model, p.state, 1, (double[3]){0}, (double[3]){0, 0, move});
        ok = lithe_step(p.model, p.state) == LITHE_OK;
    }
    double force = NAN;
    if (ok)
        force = push(&p);
    else
        verify_broken(table, why(&p));
    piece_end(&p);
    return force;
}

void verify_ring(verify_table *table)
{
    verify_case(table, 38, "a ring squeezed until it touches itself");
    verify_note(table,
                "The lower half of a ring does to the upper one what a rigid plane through the "
                "middle does: a half ring, pressed from both sides, and a quarter on a box.");
    for (int cells = 6; cells <= 12; cells *= 2) {
        static const double down[2] = {0.0168, 0.0178};
        verify_mesh(table, "%d x 3 hex8 in a quarter", cells);
        for (int k = 0; k < 2; k++) {
            double one = squeeze(table, false, cells, down[k]);
            double both = squeeze(table, true, cells, down[k]);
            verify_row(table, cells == 12, k ? "force, touching, mN" : "force before, mN",
                       1e3 * both, 1e3 * one, 0.01);
        }
    }
}
