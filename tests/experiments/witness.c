#include "witness.h"

#include "mesh/mesh.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct cell {
    int node[4];
    double inverse[9]; // of the edges at rest, by rows
    double volume;     // at rest, m^3
    double mu, lambda; // Pa
} cell;

typedef struct part {
    int nface, nedge;
    int (*face)[3];
    int (*edge)[2];
    int first, n; // nodes
} part;

struct witness {
    const lithe_def *def;
    int nnode, ncell, npart, nrod; // nrod: nodes of the one rod
    cell *cell;
    part *part;
    double *rest, *mass; // m, kg
    double radius;       // of the rod, m
    double *way;         // along it, m
    double work, *displacement;
};

typedef struct box {
    double low[3], high[3];
} box;

// ## vectors

static void minus(const double *a, const double *b, double *out)
{
    for (int i = 0; i < 3; i++)
        out[i] = a[i] - b[i];
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// a . (b x c)
static double triple(const double *a, const double *b, const double *c)
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// Six times the volume of the tetrahedron p, a, b, c, with its sign.
static double spanned(const double *p, const double *a, const double *b, const double *c)
{
    double u[3], v[3], w[3];
    minus(a, p, u);
    minus(b, p, v);
    minus(c, p, w);
    return triple(u, v, w);
}

static bool invert(const double *a, double *out)
{
    double det = triple(a, a + 3, a + 6);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int p = (j + 1) % 3, q = (j + 2) % 3, r = (i + 1) % 3, s = (i + 2) % 3;
            out[3 * i + j] = (a[3 * p + r] * a[3 * q + s] - a[3 * p + s] * a[3 * q + r]) / det;
        }
    return det > 0;
}

static void grow(box *b, const double *p)
{
    for (int i = 0; i < 3; i++) {
        b->low[i] = fmin(b->low[i], p[i]);
        b->high[i] = fmax(b->high[i], p[i]);
    }
}

static box around(const double *x, const int *node, int n)
{
    box b = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
    for (int i = 0; i < n; i++)
        grow(&b, &x[3 * node[i]]);
    return b;
}

static bool meet(const box *a, const box *b)
{
    for (int i = 0; i < 3; i++)
        if (a->low[i] > b->high[i] || b->low[i] > a->high[i])
            return false;
    return true;
}

// ## the scene

static int by_nodes(const void *a, const void *b)
{
    return memcmp(a, b, 3 * sizeof(int));
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// Faces that one cell has, with their nodes in order: key, then the face as it is oriented.
static bool find_faces(part *p, const cell *c, int ncell)
{
    static const int side[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    int n = 4 * ncell, (*all)[6] = calloc((size_t)n + 1, sizeof *all);
    p->face = calloc((size_t)n + 1, sizeof *p->face);
    p->edge = calloc(3 * (size_t)n + 1, sizeof *p->edge);
    if (!all || !p->face || !p->edge) {
        free(all);
        return false;
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++)
            all[i][k] = all[i][3 + k] = c[i / 4].node[side[i % 4][k]];
        qsort(all[i], 3, sizeof(int), by_number);
    }
    qsort(all, (size_t)n, sizeof *all, by_nodes);
    for (int i = 0; i < n; i++)
        if ((i == 0 || by_nodes(all[i], all[i - 1]) != 0) &&
            (i == n - 1 || by_nodes(all[i], all[i + 1]) != 0))
            memcpy(p->face[p->nface++], &all[i][3], sizeof *p->face);
    for (int i = 0; i < p->nface; i++)
        for (int k = 0; k < 3; k++) {
            int a = p->face[i][k], b = p->face[i][(k + 1) % 3];
            if (a < b) // the face beside it has it the other way round
                memcpy(p->edge[p->nedge++], (int[]){a, b}, sizeof *p->edge);
        }
    free(all);
    return true;
}

static const lithe_material_def *material_of(const lithe_def *d, const char *name)
{
    for (int i = 0; i < d->nmaterial; i++)
        if (strcmp(d->material[i].name, name) == 0)
            return &d->material[i];
    return NULL;
}

static bool add_cells(witness *w, const mesh *m, const lithe_material_def *law, int first)
{
    double nu = law->poisson, mu = law->young / (2 * (1 + nu));
    cell *grown = realloc(w->cell, (size_t)(w->ncell + m->ntet) * sizeof *grown);
    if (!grown)
        return false;
    w->cell = grown;
    for (int i = 0; i < m->ntet; i++) {
        cell *c = &w->cell[w->ncell++];
        double edge[9];
        for (int k = 0; k < 4; k++)
            c->node[k] = first + m->tet[4 * i + k];
        for (int k = 0; k < 3; k++)
            minus(&w->rest[3 * c->node[k + 1]], &w->rest[3 * c->node[0]], &edge[3 * k]);
        if (!invert(edge, c->inverse))
            return false;
        c->volume = triple(edge, edge + 3, edge + 6) / 6;
        c->mu = mu;
        c->lambda = 2 * mu * nu / (1 - 2 * nu);
        for (int k = 0; k < 4; k++)
            w->mass[c->node[k]] += 0.25 * c->volume * law->density;
    }
    return true;
}

// Returns how many nodes it has; 0: it is none that is known here.
static int add_solid(witness *w, const lithe_body_def *body, int first)
{
    const lithe_material_def *law = body->material ? material_of(w->def, body->material) : NULL;
    lithe_mesh *m = NULL;
    if (!law || law->law != LITHE_NEO_HOOKEAN || body->nregion || body->mass > 0 ||
        lithe_mesh_read(body->mesh_file, &m, NULL) != LITHE_OK)
        return 0;
    int ncell = w->ncell, n = m->nnode;
    part *p = &w->part[w->npart++];
    *p = (part){.first = first, .n = n};
    bool good = first + n <= w->nnode && add_cells(w, m, law, first) &&
                find_faces(p, w->cell + ncell, m->ntet);
    lithe_mesh_free(m);
    return good ? n : 0;
}

static int add_rod(witness *w, const lithe_body_def *body)
{
    w->nrod = body->rod[0].elements + 1;
    w->radius = body->rod[0].size[0];
    if (body->nrod != 1 || w->nrod > w->nnode)
        return 0;
    for (int i = 1; i < w->nrod; i++)
        w->way[i] = w->way[i - 1] + distance3(&w->rest[3 * i], &w->rest[3 * (i - 1)]);
    return w->nrod;
}

witness *witness_create(const rig *r)
{
    witness *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->def = lithe_scene_def(r->scene);
    w->nnode = lithe_nnode(r->model);
    size_t n = (size_t)w->nnode;
    w->rest = calloc(3 * n, sizeof(double));
    w->mass = calloc(n, sizeof(double));
    w->way = calloc(n, sizeof(double));
    w->part = calloc((size_t)w->def->nbody + 1, sizeof *w->part);
    w->displacement = calloc((size_t)lithe_nactuator(r->model) + 1, sizeof(double));
    bool good = w->rest && w->mass && w->way && w->part && w->displacement;
    if (good)
        memcpy(w->rest, lithe_position(r->state), 3 * n * sizeof(double));
    int found = 0;
    for (int k = 0; k < w->def->nbody && good; k++) {
        const lithe_body_def *body = &w->def->body[k];
        int more = body->mesh_file ? add_solid(w, body, found) : add_rod(w, body);
        good = more > 0;
        found += more;
    }
    if (good && found == w->nnode)
        return w;
    witness_free(w);
    return NULL;
}

void witness_free(witness *w)
{
    if (!w)
        return;
    for (int k = 0; k < w->npart; k++) {
        free(w->part[k].face);
        free(w->part[k].edge);
    }
    free(w->rest);
    free(w->mass);
    free(w->way);
    free(w->part);
    free(w->cell);
    free(w->displacement);
    free(w);
}

// ## overlaps

// By the signs of volumes: both ends on either side of the face, and all three edges of it turn the
// same way round the edge.
static bool pierces(const double *x, const int *edge, const int *face)
{
    const double *p = &x[3 * edge[0]], *q = &x[3 * edge[1]];
    const double *a = &x[3 * face[0]], *b = &x[3 * face[1]], *c = &x[3 * face[2]];
    if ((spanned(p, a, b, c) > 0) == (spanned(q, a, b, c) > 0))
        return false;
    bool side = spanned(p, q, a, b) > 0;
    return side == (spanned(p, q, b, c) > 0) && side == (spanned(p, q, c, a) > 0);
}

static int edges_through(const double *x, const part *edges, const part *faces, const box *common)
{
    int n = 0;
    for (int i = 0; i < faces->nface; i++) {
        box f = around(x, faces->face[i], 3);
        for (int k = 0; k < edges->nedge && meet(&f, common); k++) {
            box e = around(x, edges->edge[k], 2);
            n += meet(&f, &e) && pierces(x, edges->edge[k], faces->face[i]);
        }
    }
    return n;
}

// By the solid angle of all faces [van Oosterom and Strackee].
static bool is_inside(const double *x, const part *p, const double *at)
{
    double angle = 0;
    for (int i = 0; i < p->nface; i++) {
        double a[3], b[3], c[3];
        minus(&x[3 * p->face[i][0]], at, a);
        minus(&x[3 * p->face[i][1]], at, b);
        minus(&x[3 * p->face[i][2]], at, c);
        double la = sqrt(dot(a, a)), lb = sqrt(dot(b, b)), lc = sqrt(dot(c, c));
        angle += 2 * atan2(triple(a, b, c),
                           la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return fabs(angle) > 2 * M_PI;
}

// Edges of a body through faces of its own that share no node with them.
static int edges_through_itself(const double *x, const part *p)
{
    int n = 0;
    for (int i = 0; i < p->nface; i++) {
        const int *f = p->face[i];
        box around_face = around(x, f, 3);
        for (int k = 0; k < p->nedge; k++) {
            const int *e = p->edge[k];
            box around_edge = around(x, e, 2);
            bool shared = false;
            for (int c = 0; c < 3; c++)
                shared = shared || f[c] == e[0] || f[c] == e[1];
            n += !shared && meet(&around_face, &around_edge) && pierces(x, e, f);
        }
    }
    return n;
}

static bool has_self_contact(const lithe_def *d, int body)
{
    for (int i = 0; i < d->contacts.nself; i++)
        if (strcmp(d->contacts.self[i], d->body[body].name) == 0)
            return true;
    return false;
}

static int overlap_of_parts(const double *x, const part *a, const part *b)
{
    box one = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}}, two = one, common;
    for (int i = 0; i < a->n; i++)
        grow(&one, &x[3 * (a->first + i)]);
    for (int i = 0; i < b->n; i++)
        grow(&two, &x[3 * (b->first + i)]);
    if (!meet(&one, &two))
        return 0;
    for (int i = 0; i < 3; i++) {
        common.low[i] = fmax(one.low[i], two.low[i]);
        common.high[i] = fmin(one.high[i], two.high[i]);
    }
    return edges_through(x, a, b, &common) + edges_through(x, b, a, &common) +
           is_inside(x, a, &x[3 * b->face[0][0]]) + is_inside(x, b, &x[3 * a->face[0][0]]);
}

static int corners_behind(const witness *w, const lithe_obstacle_def *o, const double *x)
{
    int n = 0;
    for (int i = 0; i < w->nnode && o->kind == LITHE_OBSTACLE_PLANE; i++) {
        double from[3];
        minus(&x[3 * i], o->at, from);
        n += dot(from, o->normal) < 0;
    }
    return n;
}

int witness_overlaps(const witness *w, const double *x)
{
    int n = 0;
    for (int a = 0; a < w->npart; a++) {
        for (int b = 0; b < a; b++)
            n += overlap_of_parts(x, &w->part[a], &w->part[b]);
        if (has_self_contact(w->def, a))
            n += edges_through_itself(x, &w->part[a]);
    }
    for (int i = 0; i < w->def->nobstacle; i++)
        n += corners_behind(w, &w->def->obstacle[i], x);
    return n;
}

// ## rods

static double clamp01(double t)
{
    return fmin(fmax(t, 0), 1);
}

// Squared distance of the points at s and t of two segments.
static double between(const double *p, const double *u, double s, const double *q, const double *v,
                      double t)
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double d = p[i] + s * u[i] - q[i] - t * v[i];
        sum += d * d;
    }
    return sum;
}

// Of two segments: inside of both, or at an end of one.
static double segments_apart(const double *p, const double *p2, const double *q, const double *q2)
{
    double u[3], v[3], w[3];
    minus(p2, p, u);
    minus(q2, q, v);
    minus(p, q, w);
    double a = dot(u, u), b = dot(u, v), c = dot(v, v), d = dot(u, w), e = dot(v, w);
    double det = a * c - b * b, least = INFINITY;
    if (det > 1e-12 * a * c) {
        double s = (b * e - c * d) / det, t = (a * e - b * d) / det;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1)
            least = between(p, u, s, q, v, t);
    }
    for (int end = 0; end < 2; end++) {
        least = fmin(least, between(p, u, end, q, v, clamp01((e + end * b) / c)));
        least = fmin(least, between(p, u, clamp01((end * b - d) / a), q, v, end));
    }
    return sqrt(least);
}

double witness_rod_gap(const witness *w, const double *x)
{
    // what is bent as narrowly as it is thick comes back to itself after half a circle
    double least = INFINITY, beside = M_PI * w->radius;
    for (int i = 0; i + 1 < w->nrod; i++)
        for (int k = i + 2; k + 1 < w->nrod; k++)
            if (w->way[k] - w->way[i + 1] >= beside)
                least = fmin(
                    least, segments_apart(&x[3 * i], &x[3 * (i + 1)], &x[3 * k], &x[3 * (k + 1)]));
    return least - 2 * w->radius;
}

// ## energy

// mu/2 (I1 - 3) - mu ln J + lambda/2 ln^2 J per rest volume
static double stored(const cell *c, const double *x)
{
    double edge[9], f[9] = {0}, square = 0;
    for (int k = 0; k < 3; k++)
        minus(&x[3 * c->node[k + 1]], &x[3 * c->node[0]], &edge[3 * k]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++)
                f[3 * i + j] += c->inverse[3 * i + k] * edge[3 * k + j];
            square += f[3 * i + j] * f[3 * i + j];
        }
    double log_j = log(triple(f, f + 3, f + 6));
    return c->volume *
           (0.5 * c->mu * (square - 3) - c->mu * log_j + 0.5 * c->lambda * log_j * log_j);
}

double witness_energy(const witness *w, const double *x, const double *velocity, double *weight)
{
    double sum = 0;
    *weight = 0;
    for (int i = 0; i < w->ncell; i++)
        sum += stored(&w->cell[i], x);
    for (int i = 0; i < w->nnode; i++) {
        double rise[3];
        minus(&x[3 * i], &w->rest[3 * i], rise);
        sum += 0.5 * w->mass[i] * dot(&velocity[3 * i], &velocity[3 * i]);
        *weight -= w->mass[i] * dot(w->def->gravity, rise);
    }
    return sum;
}

double witness_work(witness *w, const rig *r)
{
    for (int i = 0; i < lithe_nactuator(r->model); i++) {
        double effort, displacement;
        lithe_effort(r->model, r->state, i, &effort);
        lithe_displacement(r->model, r->state, i, &displacement);
        w->work += effort * (displacement - w->displacement[i]);
        w->displacement[i] = displacement;
    }
    return w->work;
}
