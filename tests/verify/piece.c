#include "piece.h"

#include "element/tet4.h"
#include "mesh/mesh.h"

#include <stdio.h>
#include <string.h>

void piece_begin(piece *p, bar shape, double young, double poisson)
{
    memset(p, 0, sizeof *p);
    p->shape = shape;
    p->report = lithe_report_default();
    p->material = lithe_material_def_default();
    p->material.name = "stuff";
    p->material.young = young;
    p->material.poisson = poisson;
    p->surface = lithe_surface_def_default();
    p->surface.name = "loaded";
    p->body = lithe_body_def_default();
    p->body.name = "piece";
    p->body.material = "stuff";
    p->body.fix = p->fix;
    p->body.surface = &p->surface;
    p->load = lithe_load_def_default();
    p->load.name = "load";
    p->load.body = "piece";
    p->load.surface = "loaded";
    p->def = lithe_def_default();
    p->def.nmaterial = p->def.nbody = 1;
    p->def.material = &p->material;
    p->def.body = &p->body;
    p->def.load = &p->load;
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

void piece_traction(piece *p, lithe_selection where, const double total[3])
{
    p->body.nsurface = p->def.nload = 1;
    p->surface.where = where;
    p->load.kind = LITHE_TRACTION;
    p->load.total = true;
    memcpy(p->load.value, total, sizeof p->load.value);
}

void piece_pressure(piece *p, lithe_selection where, double pressure)
{
    p->body.nsurface = p->def.nload = 1;
    p->surface.where = where;
    p->load.kind = LITHE_PRESSURE;
    p->load.pressure = pressure;
}

// The bar's cells in the place of the tetrahedra that fill them.
static bool take_cells_whole(const bar *b, lithe_mesh *m)
{
    static const int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                     {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    mesh_cells *cells = &m->other[MESH_HEX8];
    m->ntet = 0;
    cells->n = b->nx * b->ny * b->nz;
    cells->node = arena_new(&m->memory, 8 * (size_t)cells->n, int);
    for (int i = 0; cells->node && i < 8 * cells->n; i++) {
        const int *at = corner[i % 8];
        int cell = i / 8;
        cells->node[i] = bar_node(b, cell % b->nx + at[0], cell / b->nx % b->ny + at[1],
                                  cell / b->nx / b->ny + at[2]);
    }
    return cells->node;
}

bool piece_compile(piece *p)
{
    const bar *b = &p->shape;
    if (lithe_mesh_create(b->nnode, b->x, b->ntet, b->tet, &p->mesh, &p->report) != LITHE_OK)
        return false;
    if (p->body.element == LITHE_HEX8 && !take_cells_whole(b, p->mesh))
        return false;
    p->body.mesh = p->mesh;
    return lithe_compile(&p->def, &p->model, &p->report) == LITHE_OK;
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
}

static const tet4_batch *piece_batch(const piece *p, int e)
{
    return family_batch(&p->model->body[0].family[0], e / LANES);
}

void piece_gradient(const piece *p, int e, double F[9])
{
    const tet4_batch *batch = piece_batch(p, e);
    const double *x = lithe_position(p->state);
    int lane = e % LANES;
    for (int i = 0; i < 9; i++) { // F_ij = sum over edges of (x_a - x_0)_i g_aj
        F[i] = 0;
        for (int a = 1; a < 4; a++)
            F[i] += (x[3 * batch->node[a][lane] + i / 3] - x[3 * batch->node[0][lane] + i / 3]) *
                    batch->gradient[3 * (a - 1) + i % 3][lane];
    }
}

void piece_stress(const piece *p, int e, double stress[9])
{
    const tet4_batch *batch = piece_batch(p, e);
    double F[9], mu = batch->parameter[0][e % LANES], lambda = batch->parameter[1][e % LANES];
    piece_gradient(p, e, F);
    double trace = F[0] + F[4] + F[8] - 3;
    for (int i = 0; i < 9; i++) {
        int turned = 3 * (i % 3) + i / 3, one = i % 4 == 0;
        stress[i] = mu * (F[i] + F[turned] - 2 * one) + lambda * trace * one;
    }
}

void piece_centroid(const piece *p, int e, double at[3])
{
    for (int i = 0; i < 3; i++) {
        at[i] = 0;
        for (int a = 0; a < 4; a++)
            at[i] += 0.25 * p->shape.x[3 * p->shape.tet[4 * e + a] + i];
    }
}

double piece_volume(const piece *p, int e)
{
    return piece_batch(p, e)->volume[e % LANES];
}
