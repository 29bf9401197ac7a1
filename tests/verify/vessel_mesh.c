// Vessels as meshes. Columns of nodes go through the wall, over points of an octahedron (or a cube,
// for hexahedra), or of a square around a cylinder; the curve blows them up.
#include "base/vec.h"
#include "vessel.h"

#include <math.h>
#include <string.h>

static vessel current;

double vessel_radius(vessel v, double share)
{
    return share >= 1 ? v.outer : pow(v.outer, share);
}

double vessel_height(vessel v)
{
    return M_PI_2 / v.around;
}

// On an octahedron |x| + |y| + |z| is 1 at the bore and 2 outside.
static void blow_octahedron(const double in[3], double out[3])
{
    double norm = fabs(in[0]) + fabs(in[1]) + fabs(in[2]);
    double scale = vessel_radius(current, norm - 1) / vec_norm(in);
    for (int i = 0; i < 3; i++)
        out[i] = scale * in[i];
}

// On a cube the largest of |x|, |y|, |z| is; equal steps become equal angles.
static void blow_cube(const double in[3], double out[3])
{
    double norm = fmax(fabs(in[0]), fmax(fabs(in[1]), fabs(in[2])));
    for (int i = 0; i < 3; i++)
        out[i] = fabs(in[i]) == norm ? in[i] / norm : tan(M_PI_4 * in[i] / norm);
    vec_scale(out, vessel_radius(current, norm - 1) / vec_norm(out));
}

static void blow_square(const double in[3], double out[3])
{
    double norm = fabs(in[0]) + fabs(in[1]), r = vessel_radius(current, norm - 1);
    double angle = M_PI_2 * fabs(in[1]) / norm;
    out[0] = in[0] == 0 ? 0 : copysign(r * cos(angle), in[0]);
    out[1] = in[1] == 0 ? 0 : copysign(r * sin(angle), in[1]);
    out[2] = in[2];
}

// Columns over points with whole coordinates up to `reach`, each numbered when it is first met.
typedef struct columns {
    int reach, n;
    int *id;    // by coordinates; -1: not met
    double *at; // (n x 3)
} columns;

static bool columns_create(columns *c, int reach)
{
    size_t side = 2 * (size_t)reach + 1, n = side * side * side;
    *c = (columns){.reach = reach};
    c->id = malloc(n * sizeof *c->id);
    c->at = malloc(3 * n * sizeof *c->at);
    for (size_t i = 0; c->id && i < n; i++)
        c->id[i] = -1;
    return c->id && c->at;
}

static int column(columns *c, const int at[3])
{
    int side = 2 * c->reach + 1;
    int *id = &c->id[((at[2] + c->reach) * side + at[1] + c->reach) * side + at[0] + c->reach];
    if (*id < 0) {
        for (int i = 0; i < 3; i++)
            c->at[3 * c->n + i] = (double)at[i] / c->reach;
        *id = c->n++;
    }
    return *id;
}

// A prism between two shells, cut so that neighbours agree: diagonals rise with the column's
// number.
static void cut_prism(bar *b, const int corner[3], int ncolumn, int layer)
{
    int order[3] = {corner[0], corner[1], corner[2]};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (order[j] > order[j + 1]) {
                int swap = order[j];
                order[j] = order[j + 1];
                order[j + 1] = swap;
            }
    for (int rise = 0; rise < 3; rise++) {
        int *tet = &b->tet[4 * b->ntet++];
        for (int k = 0; k < 4; k++)
            tet[k] = (layer + (k > rise)) * ncolumn + order[k > rise ? k - 1 : k];
    }
}

// Triangles of the octahedron's faces, or of one of them.
static int list_triangles(columns *c, bool whole, int *triangle)
{
    int n = 0, m = c->reach;
    for (int sign = 0; sign < (whole ? 8 : 1); sign++)
        for (int j = 0; j < m; j++)
            for (int i = 0; i + j < m; i++)
                for (int up = 0; up < (i + j + 1 < m ? 2 : 1); up++, n++)
                    for (int k = 0; k < 3; k++) {
                        static const int step[2][3][2] = {{{0, 0}, {1, 0}, {0, 1}},
                                                          {{1, 0}, {1, 1}, {0, 1}}};
                        int a = i + step[up][k][0], b = j + step[up][k][1];
                        int at[3] = {a, b, m - a - b};
                        for (int axis = 0; axis < 3; axis++)
                            at[axis] *= sign & (1 << axis) ? -1 : 1;
                        triangle[3 * n + k] = column(c, at);
                    }
    return n;
}

// Squares of the cube's faces, or of the quarters of three of them, seen from outside.
static int list_squares(columns *c, bool whole, int *square)
{
    static const int step[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    int n = 0, m = c->reach, low = whole ? -m : 0;
    for (int face = 0; face < (whole ? 6 : 3); face++)
        for (int j = low; j < m; j++)
            for (int i = low; i < m; i++, n++)
                for (int k = 0; k < 4; k++) {
                    int axis = face % 3, at[3], turn = face < 3 ? k : 3 - k;
                    at[axis] = face < 3 ? m : -m;
                    at[(axis + 1) % 3] = i + step[turn][0];
                    at[(axis + 2) % 3] = j + step[turn][1];
                    square[4 * n + k] = column(c, at);
                }
    return n;
}

static void place_nodes(bar *b, const columns *c, int layer)
{
    b->nnode = c->n * (layer + 1);
    b->x = malloc(3 * (size_t)b->nnode * sizeof *b->x);
    for (int i = 0; i < b->nnode; i++)
        for (int axis = 0; axis < 3; axis++)
            b->x[3 * i + axis] = c->at[3 * (i % c->n) + axis] * (1 + (double)(i / c->n) / layer);
}

bool vessel_sphere(piece *p, lithe_element element, vessel v)
{
    bool hex = element == LITHE_HEX8;
    int m = hex ? v.around / 2 : v.around, corners = hex ? 4 : 3;
    columns c;
    bar b = {0};
    size_t most = hex ? 24 * (size_t)(m * m) : 8 * (size_t)(m * m);
    int *facet = malloc(most * (size_t)corners * sizeof *facet);
    if (!facet || !columns_create(&c, m))
        return false;
    int n = hex ? list_squares(&c, v.whole, facet) : list_triangles(&c, v.whole, facet);
    place_nodes(&b, &c, v.layer);
    b.tet = malloc(12 * (size_t)(n * v.layer) * sizeof *b.tet);
    int *cell = malloc(8 * (size_t)(n * v.layer) * sizeof *cell), ncell = 0;
    for (int layer = 0; layer < v.layer; layer++)
        for (int f = 0; f < n; f++) {
            cut_prism(&b, &facet[corners * f], c.n, layer); // of a square: a corner of it
            for (int k = 0; hex && k < 8; k++)
                cell[8 * ncell + k] = (layer + k / 4) * c.n + facet[4 * f + k % 4];
            ncell++;
        }
    free(c.id);
    free(c.at);
    free(facet);
    current = v;
    piece_begin(p, b, 1, 0);
    p->body.element = element;
    p->curve = hex ? blow_cube : blow_octahedron;
    p->nhex = hex ? ncell : 0;
    p->hex = cell;
    return true;
}

// A quarter, or all of a ring; cells are cut as those of a bar.
bool vessel_cylinder(piece *p, lithe_element element, vessel v)
{
    static const int corner[5][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
    static const int first[8] = {0, 1, 1, 0, 0, 1, 1, 0}, second[8] = {0, 0, 1, 1, 0, 0, 1, 1};
    int around = v.whole ? 4 * v.around : v.around, ncolumn = v.whole ? around : around + 1;
    bar grid = bar_make(v.layer, around, 1, (double[]){0, 0, 0}, (double[]){1, 1, 1});
    bar b = {.nnode = 2 * ncolumn * (v.layer + 1), .ntet = grid.ntet};
    b.x = malloc(3 * (size_t)b.nnode * sizeof *b.x);
    b.tet = malloc(4 * (size_t)b.ntet * sizeof *b.tet);
    int *cell = malloc(8 * (size_t)(v.layer * around) * sizeof *cell), width = v.layer + 1;
    for (int i = 0; i < b.nnode; i++) {
        int layer = i % width, column = i / width % ncolumn, quarter = column / v.around;
        double t = (double)(column % v.around) / v.around, wall = 1 + (double)layer / v.layer;
        const int *from = corner[quarter], *to = corner[quarter + (quarter < 4)];
        for (int axis = 0; axis < 2; axis++)
            b.x[3 * i + axis] = wall * ((1 - t) * from[axis] + t * to[axis]);
        b.x[3 * i + 2] = i / width / ncolumn * vessel_height(v);
    }
    for (int i = 0; i < 4 * b.ntet; i++) {
        int node = grid.tet[i], level = node / width / (around + 1);
        b.tet[i] = (level * ncolumn + node / width % (around + 1) % ncolumn) * width + node % width;
    }
    for (int i = 0; i < 8 * v.layer * around; i++) {
        int at = i / 8, k = i % 8;
        cell[i] = (k / 4 * ncolumn + (at / v.layer + second[k]) % ncolumn) * width + at % v.layer +
                  first[k];
    }
    bar_free(&grid);
    current = v;
    piece_begin(p, b, 1, 0);
    p->body.element = element;
    p->curve = blow_square;
    p->nhex = v.layer * around;
    p->hex = cell;
    return true;
}
