#include "piece.h"

#include "cells.h"
#include "verify.h"

#include "base/vec.h"
#include "mesh/mesh.h"
#include "mesh/skeleton.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const lithe_element piece_solid[] = {LITHE_TET4, LITHE_TET4_AVERAGED, LITHE_TET10, LITHE_HEX8};
const int piece_nsolid = sizeof piece_solid / sizeof *piece_solid;

const char *piece_element_name(lithe_element element)
{
    static const char *const name[] = {[LITHE_AS_MESHED] = "tet4",
                                       [LITHE_TET4] = "tet4",
                                       [LITHE_TET10] = "tet10",
                                       [LITHE_HEX8] = "hex8",
                                       [LITHE_TET4_AVERAGED] = "averaged tet4"};
    return name[element];
}

const char *piece_law_name(lithe_law law)
{
    static const char *const name[PIECE_LAWS] = {[LITHE_COROTATIONAL] = "corotational",
                                                 [LITHE_ST_VENANT_KIRCHHOFF] =
                                                     "St Venant-Kirchhoff",
                                                 [LITHE_NEO_HOOKEAN] = "neo-Hookean",
                                                 [LITHE_MOONEY_RIVLIN] = "Mooney-Rivlin",
                                                 [LITHE_YEOH] = "Yeoh",
                                                 [LITHE_OGDEN] = "Ogden",
                                                 [LITHE_ORTHOTROPIC] = "orthotropic",
                                                 [LITHE_GENT] = "Gent"};
    return name[law];
}

static void make_orthotropic(lithe_material_def *m, double young, double poisson, bool rough)
{
    static const double stiff[2][3] = {{1, 1, 1}, {3, 1, 0.8}},
                        thin[2][3] = {{1, 1, 1}, {1, 0.9, 0.7}},
                        slide[2][3] = {{1, 1, 1}, {1.5, 1.2, 0.8}};
    for (int i = 0; i < 3; i++) {
        m->moduli[i] = young * stiff[rough][i];
        m->ratios[i] = poisson * thin[rough][i];
        m->shears[i] = 0.5 * young / (1 + poisson) * slide[rough][i];
    }
    memcpy(m->fibre, (double[]){0.8, 0.6, 0}, sizeof m->fibre);
    memcpy(m->across, (double[]){0, 0, 1}, sizeof m->across);
}

lithe_material_def piece_law(lithe_law law, double young, double poisson, bool rough)
{
    static const int count[PIECE_LAWS] = {
        [LITHE_MOONEY_RIVLIN] = 2, [LITHE_YEOH] = 3, [LITHE_OGDEN] = 3};
    static const double coefficient[PIECE_LAWS][3] = {[LITHE_MOONEY_RIVLIN] = {0.7, 0.3},
                                                      [LITHE_YEOH] = {1, -0.04, 0.02},
                                                      [LITHE_OGDEN] = {0.6, 0.01, -0.2}},
                        exponent[3] = {1.3, 5, -2};
    lithe_material_def m = lithe_material_def_default();
    m.name = "stuff";
    m.law = law;
    m.density = 1000;
    if (law == LITHE_ORTHOTROPIC) {
        make_orthotropic(&m, young, poisson, rough);
        return m;
    }
    m.young = young;
    m.poisson = poisson;
    m.ncoefficient = count[law];
    memcpy(m.coefficient, coefficient[law], sizeof m.coefficient);
    m.locking = law == LITHE_GENT ? 20 : 0;
    m.nexponent = law == LITHE_OGDEN ? 3 : 0;
    if (law == LITHE_OGDEN)
        memcpy(m.exponent, exponent, sizeof m.exponent);
    return m;
}

void piece_begin(piece *p, bar shape, double young, double poisson)
{
    memset(p, 0, sizeof *p);
    p->shape = shape;
    p->report = lithe_report_default();
    p->material = piece_law(LITHE_COROTATIONAL, young, poisson, false);
    p->body = lithe_body_def_default();
    p->body.name = "piece";
    p->body.material = "stuff";
    p->body.fix = p->fix;
    p->body.surface = p->surface;
    p->def = lithe_def_default();
    p->def.nmaterial = p->def.nbody = 1;
    p->def.material = &p->material;
    p->def.body = &p->body;
    p->def.load = p->load;
}

void piece_hold(piece *p, const double point[3], const double normal[3], int axes)
{
    lithe_fix_def *fix = &p->fix[p->body.nfix++];
    *fix = lithe_fix_def_default();
    fix->where.kind = LITHE_PLANE;
    memcpy(fix->where.a, point, sizeof fix->where.a);
    memcpy(fix->where.b, normal, sizeof fix->where.b);
    fix->axes = axes;
}

static lithe_load_def *add_load(piece *p, lithe_selection where)
{
    int k = p->def.nload++;
    p->body.nsurface = p->def.nload;
    snprintf(p->load_name[k], sizeof p->load_name[k], "load-%d", k);
    p->surface[k] = lithe_surface_def_default();
    p->surface[k].name = p->load_name[k];
    p->surface[k].where = where;
    p->load[k] = lithe_load_def_default();
    p->load[k].name = p->load_name[k];
    p->load[k].body = "piece";
    p->load[k].surface = p->load_name[k];
    return &p->load[k];
}

void piece_traction(piece *p, lithe_selection where, const double total[3])
{
    lithe_load_def *load = add_load(p, where);
    load->kind = LITHE_TRACTION;
    load->total = true;
    memcpy(load->value, total, sizeof load->value);
}

void piece_pressure(piece *p, lithe_selection where, double pressure)
{
    lithe_load_def *load = add_load(p, where);
    load->kind = LITHE_PRESSURE;
    load->pressure = pressure;
}

// The piece's own cells, or the bar's, in the place of the tetrahedra that fill them.
static bool take_hexahedra(const piece *p, lithe_mesh *m)
{
    mesh_cells *cells = &m->other[MESH_HEX8];
    if (p->nhex == 0)
        return take_cells_whole(&p->shape, false, m);
    m->ntet = 0;
    cells->n = p->nhex;
    cells->node = arena_new(&m->memory, 8 * (size_t)cells->n, int);
    if (cells->node)
        memcpy(cells->node, p->hex, 8 * (size_t)cells->n * sizeof *cells->node);
    return cells->node;
}

// Quadratic tetrahedra in the place of linear ones, before the shape is curved.
static bool raise(lithe_mesh *m)
{
    mesh_skeleton s;
    mesh_cells *cells = &m->other[MESH_TET10];
    if (skeleton_create(m, SKELETON_QUADRATIC, &s) != LITHE_OK)
        return false;
    double *x = arena_new(&m->memory, 3 * (size_t)s.mesh->nnode, double);
    cells->node = arena_new(&m->memory, 10 * (size_t)s.ncell, int);
    bool good = x && cells->node;
    if (good) {
        cells->n = s.ncell;
        memcpy(cells->node, s.cell_node, 10 * (size_t)s.ncell * sizeof *cells->node);
        memcpy(x, s.mesh->x, 3 * (size_t)s.mesh->nnode * sizeof *x);
        m->x = x;
        m->nnode = s.mesh->nnode;
        m->ntet = 0;
    }
    skeleton_free(&s);
    return good;
}

static bool name_groups(const piece *p, lithe_mesh *m)
{
    m->group = arena_new(&m->memory, PIECE_GROUPS, mesh_group);
    for (int g = 0; m->group && g < PIECE_GROUPS && p->group[g].name; g++) {
        int *member = arena_new(&m->memory, m->nnode, int), n = 0;
        if (!member)
            return false;
        for (int i = 0; i < m->nnode; i++)
            if (p->group[g].has(&m->x[3 * i]))
                member[n++] = i;
        m->group[m->ngroup++] = (mesh_group){p->group[g].name, 0, n, member};
    }
    return m->group;
}

int verify_limit;

// Quadratic tetrahedra of a bar have about eight times its nodes.
static bool too_fine(const piece *p)
{
    bool quadratic = p->body.element == LITHE_TET10;
    return verify_limit > 0 && (quadratic ? 24 : 3) * p->shape.nnode > verify_limit;
}

bool piece_mesh(piece *p)
{
    const bar *b = &p->shape;
    if (too_fine(p)) {
        snprintf(p->report.error, sizeof p->report.error, VERIFY_LEFT_OUT);
        return false;
    }
    if (lithe_mesh_create(b->nnode, b->x, b->ntet, b->tet, &p->mesh, &p->report) != LITHE_OK)
        return false;
    if (p->body.element == LITHE_HEX8 && !take_hexahedra(p, p->mesh))
        return false;
    if (p->body.element == LITHE_TET10 && p->curve && !raise(p->mesh))
        return false;
    if (p->group[0].name && !name_groups(p, p->mesh))
        return false;
    for (int i = 0; p->curve && i < p->mesh->nnode; i++) {
        double at[3];
        p->curve(&p->mesh->x[3 * i], at);
        memcpy(&p->mesh->x[3 * i], at, sizeof at);
    }
    p->body.mesh = p->mesh;
    return true;
}

bool piece_compile(piece *p)
{
    return piece_mesh(p) && lithe_compile(&p->def, &p->model, &p->report) == LITHE_OK;
}

void piece_lean(piece *p, double mu, double angle, double g)
{
    p->plane = lithe_obstacle_def_default(LITHE_OBSTACLE_PLANE);
    p->plane.name = "plane";
    p->plane.friction = mu;
    p->def.obstacle = &p->plane;
    p->def.nobstacle = 1;
    p->def.gravity[0] = g * sin(angle);
    p->def.gravity[2] = -g * cos(angle);
}

void piece_prescribe(piece *p, void (*displacement)(const double X[3], double u[3]))
{
    body *b = &p->model->body[0];
    b->moves = true;
    for (int i = 0; i < b->nnode; i++) {
        double u[3];
        displacement(&b->X[3 * i], u);
        for (int axis = 0; axis < 3; axis++)
            b->hold[3 * i + axis] = b->held[i] & (1 << axis) ? u[axis] : 0;
    }
}

bool piece_settle(piece *p)
{
    if (lithe_state_create(p->model, 1, &p->state, &p->report) != LITHE_OK)
        return false;
    if (lithe_step(p->model, p->state) == LITHE_OK)
        return true;
    snprintf(p->report.error, sizeof p->report.error, "%s", lithe_state_error(p->state));
    return false;
}

void piece_end(piece *p)
{
    lithe_state_free(p->state);
    lithe_model_free(p->model);
    lithe_mesh_free(p->mesh);
    bar_free(&p->shape);
    free(p->hex);
}

void piece_displacement(const piece *p, const double at[3], double near, double u[3])
{
    const double *x = lithe_position(p->state), *X = lithe_rest(p->model);
    int n = 0;
    u[0] = u[1] = u[2] = 0;
    for (int i = 0; i < lithe_nnode(p->model); i++) {
        if (vec_distance(&X[3 * i], at) > near)
            continue;
        for (int axis = 0; axis < 3; axis++)
            u[axis] += x[3 * i + axis] - X[3 * i + axis];
        n++;
    }
    for (int axis = 0; axis < 3; axis++)
        u[axis] /= n;
}
