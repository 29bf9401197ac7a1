// What a piece is like inside its elements: positions, gradients, stress.
#include "base/vec.h"
#include "element/hex8.h"
#include "element/tet10.h"
#include "piece.h"

#include <math.h>
#include <string.h>

enum { CELL_TET4 = 4, CELL_HEX8 = 8, CELL_TET10 = 10 };

static void shape(int nnode, const double at[3], double *N, double (*dN)[3])
{
    static const double slope[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (nnode == CELL_HEX8) {
        hex8_shape(at[0], at[1], at[2], N);
        hex8_slope(at[0], at[1], at[2], dN);
    } else if (nnode == CELL_TET10) {
        tet10_shape(at[0], at[1], at[2], N);
        tet10_slope(at[0], at[1], at[2], dN);
    } else {
        N[0] = 1 - at[0] - at[1] - at[2];
        memcpy(&N[1], at, 3 * sizeof *N);
        memcpy(dN, slope, sizeof slope);
    }
}

// What is not a cell of the mesh (patches of averaged tetrahedra) stands behind those.
int piece_ncell(const piece *p)
{
    enum { TET = 10, HEX = 12, QUADRATIC_TET = 24 };
    int n = 0;
    for (; n < p->model->nelement; n++) {
        int type = p->model->cell_type[n];
        if (type != TET && type != HEX && type != QUADRATIC_TET)
            break;
    }
    return n;
}

void piece_look(const piece *p, int e, const double at[3], piece_spot *out)
{
    const lithe_model *m = p->model;
    const double *x = p->state ? lithe_position(p->state) : m->rest;
    double dN[10][3], J[3][3] = {{0}}, j[3][3] = {{0}}, cof[3][3];
    memset(out, 0, sizeof *out);
    out->nnode = m->cell_adr[e + 1] - m->cell_adr[e];
    out->node = &m->cell_node[m->cell_adr[e]];
    shape(out->nnode, at, out->N, dN);
    for (int a = 0; a < out->nnode; a++) {
        int node = out->node[a];
        vec_axpy(out->X, out->N[a], &m->rest[3 * node]);
        vec_axpy(out->x, out->N[a], &x[3 * node]);
        for (int k = 0; k < 3; k++) { // rows: derivatives by the k-th coordinate in the cell
            vec_axpy(J[k], dN[a][k], &m->rest[3 * node]);
            vec_axpy(j[k], dN[a][k], &x[3 * node]);
        }
    }
    for (int k = 0; k < 3; k++)
        vec_cross(cof[k], J[(k + 1) % 3], J[(k + 2) % 3]);
    double det = vec_dot(J[0], cof[0]);
    for (int k = 0; k < 3; k++) // F = sum of j_k (gradient of the k-th coordinate)'
        for (int i = 0; i < 9; i++)
            out->F[i] += j[k][i / 3] * cof[k][i % 3] / det;
    out->volume = out->nnode == CELL_HEX8 ? 8 * det : det / 6;
}

// Gauss' three points along each edge of the cube, or of a cube collapsed to a tetrahedron.
int piece_integrate(const piece *p, int e, int q, piece_spot *out, double *weight)
{
    static const double point[3] = {0.1127016653792583, 0.5, 0.8872983346207417},
                        share[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    double r = point[q % 3], s = point[q / 3 % 3], t = point[q / 9];
    double scale = share[q % 3] * share[q / 3 % 3] * share[q / 9];
    bool hex = p->model->cell_adr[e + 1] - p->model->cell_adr[e] == CELL_HEX8;
    double cube[3] = {2 * r - 1, 2 * s - 1, 2 * t - 1},
           collapsed[3] = {r * (1 - s) * (1 - t), s * (1 - t), t};
    piece_look(p, e, hex ? cube : collapsed, out);
    *weight = out->volume * scale * (hex ? 1 : 6 * (1 - s) * (1 - t) * (1 - t));
    return 27;
}

int piece_sample(const piece *p, int e, int q, piece_spot *out, double *weight)
{
    static const double near = 0.5854101966249685, far = 0.1381966011250105;
    int nnode = p->model->cell_adr[e + 1] - p->model->cell_adr[e];
    double at[3] = {0.25, 0.25, 0.25};
    for (int i = 0; i < 3; i++)
        if (nnode == CELL_HEX8)
            at[i] = 0;
        else if (nnode == CELL_TET10)
            at[i] = q == i + 1 ? near : far;
    piece_look(p, e, at, out);
    int n = nnode == CELL_TET10 ? 4 : 1;
    *weight = out->volume / n;
    return n;
}

void piece_stress(const piece *p, const piece_spot *spot, double stress[9])
{
    double young = p->material.young, poisson = p->material.poisson;
    double mu = young / 2 / (1 + poisson), lambda = 2 * mu * poisson / (1 - 2 * poisson);
    const double *F = spot->F;
    double trace = F[0] + F[4] + F[8] - 3;
    for (int i = 0; i < 9; i++) {
        int rotated = 3 * (i % 3) + i / 3, one = i % 4 == 0;
        stress[i] = mu * (F[i] + F[rotated] - 2 * one) + lambda * trace * one;
    }
}

void piece_fit_add(piece_fit *fit, const double off[3], double value)
{
    double x = off[0], y = off[1], z = off[2];
    double term[PIECE_TERMS] = {1, x, y, x * x, x * y, y * y, z, x * z, y * z, z * z};
    for (int i = 0; i < fit->nterm; i++) {
        for (int j = 0; j < fit->nterm; j++)
            fit->A[i][j] += term[i] * term[j];
        fit->A[i][PIECE_TERMS] += term[i] * value;
    }
}

// The normal equations, eliminated.
double piece_fit_solve(piece_fit *fit)
{
    for (int k = fit->nterm - 1; k >= 0; k--)
        for (int i = 0; i < k; i++) {
            double f = fit->A[i][k] / fit->A[k][k];
            for (int j = 0; j < k; j++)
                fit->A[i][j] -= f * fit->A[k][j];
            fit->A[i][PIECE_TERMS] -= f * fit->A[k][PIECE_TERMS];
        }
    return fit->A[0][PIECE_TERMS] / fit->A[0][0];
}
