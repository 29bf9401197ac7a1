// A body of its own, without a scene, for tests of forces, stiffness and rows against finite
// differences.
#ifndef TESTS_SPECIMEN_H
#define TESTS_SPECIMEN_H

#include "bar.h"
#include "element/tet4.h"
#include "mesh/embed.h"
#include "row/row.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct specimen {
    bar shape;
    lithe_mesh *mesh;
    mesh_boundary boundary;
    arena memory;
    body part;
    body_work work;
    double *x;      // (nnode x 3)
    double *blocks; // of A (nblock x 9)
} specimen;

// In [-1, 1], the same sequence every time.
static inline double specimen_uniform(void)
{
    static uint64_t seed = 2024;
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

// Takes the shape over. held: axes by node, NULL: none. Call specimen_finish afterwards.
static inline bool specimen_begin(specimen *s, bar shape, lithe_material_def rubber,
                                  const unsigned char *held)
{
    memset(s, 0, sizeof *s);
    s->shape = shape;
    size_t n = (size_t)shape.nnode;
    element_family family;
    int bad;
    law_material *stuff = arena_new(&s->memory, 1, law_material);
    const law_material **each = arena_new(&s->memory, shape.ntet, const law_material *);
    unsigned char *none = arena_new(&s->memory, n, unsigned char);
    double *hold = arena_new(&s->memory, 3 * n, double);
    s->x = arena_new(&s->memory, 3 * n, double);
    if (!stuff || !each || !none || !hold || !s->x)
        return false;
    double *density = arena_new(&s->memory, shape.ntet, double);
    if (!density)
        return false;
    material_fit(&rubber, stuff);
    for (int e = 0; e < shape.ntet; e++) {
        each[e] = stuff;
        density[e] = rubber.density;
    }
    memcpy(s->x, shape.x, 3 * n * sizeof *s->x);
    if (lithe_mesh_create(shape.nnode, shape.x, shape.ntet, shape.tet, &s->mesh, NULL) !=
            LITHE_OK ||
        mesh_find_boundary(s->mesh, shape.x, &s->memory, &s->boundary, NULL) != LITHE_OK ||
        tet4_family(&family, shape.ntet, s->mesh->tet, shape.x, each, &s->memory, &bad) !=
            LITHE_OK ||
        body_begin(&s->part, shape.nnode, shape.x, held ? held : none, hold, 1, &family,
                   &s->memory) != LITHE_OK)
        return false;
    body_set_density(&s->part, density);
    return true;
}

// The pattern of A, with what a row (or NULL) couples.
static inline bool specimen_finish(specimen *s, row *r)
{
    sparse_builder *builder = sparse_builder_create(s->part.nrow);
    bool good = builder && (!r || row_couple(r, 0, &s->part, builder) == LITHE_OK) &&
                body_finish(&s->part, builder, &s->memory) == LITHE_OK &&
                (!r || row_finish(r, 1, &s->part, &s->memory) == LITHE_OK) &&
                body_work_create(&s->part, true, 1, &s->memory, &s->work) == LITHE_OK;
    sparse_builder_free(builder);
    s->blocks = arena_new(&s->memory, 9 * (size_t)s->part.pattern.nblock, double);
    return good && s->blocks;
}

static inline void specimen_free(specimen *s)
{
    lithe_mesh_free(s->mesh);
    arena_free(&s->memory);
    bar_free(&s->shape);
}

static inline void specimen_shake(specimen *s, double size)
{
    for (int i = 0; i < 3 * s->part.nnode; i++)
        s->x[i] += size * specimen_uniform();
}

// Entry of A for coordinates i and j of the body (node by node); 0 where the pattern has no block.
static inline double specimen_entry(const specimen *s, int i, int j)
{
    const body *b = &s->part;
    int p = b->block[i / 3], q = b->block[j / 3];
    if (p < 0 || q < 0)
        return 0;
    int at = p >= q ? sparse_find(&b->pattern, p, q) : sparse_find(&b->pattern, q, p);
    if (at < 0)
        return 0;
    const double *K = &s->blocks[9 * (size_t)at];
    bool lower = p > q || (p == q && i % 3 >= j % 3); // the half that the factor reads
    return lower ? K[3 * (i % 3) + j % 3] : K[3 * (j % 3) + i % 3];
}

// A vector of all coordinates as a function of the positions.
typedef void specimen_function(specimen *s, const void *context, double *out);

// Largest difference between the stored A (times sign) and the central difference of a function's
// values, over the largest entry of that difference. symmetric: against its symmetric part.
static inline double specimen_stiffness_error(specimen *s, specimen_function *function,
                                              const void *context, double sign, bool symmetric,
                                              double h)
{
    size_t n = 3 * (size_t)s->part.nnode;
    double *slope = malloc(n * n * sizeof *slope), *ahead = malloc(n * sizeof *ahead),
           *behind = malloc(n * sizeof *behind), worst = 0, largest = 0;
    for (size_t j = 0; j < n; j++) {
        double keep = s->x[j];
        s->x[j] = keep + h;
        function(s, context, ahead);
        s->x[j] = keep - h;
        function(s, context, behind);
        s->x[j] = keep;
        for (size_t i = 0; i < n; i++)
            slope[n * i + j] = sign * (ahead[i] - behind[i]) / (2 * h);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double expected =
                symmetric ? 0.5 * (slope[n * i + j] + slope[n * j + i]) : slope[n * i + j];
            worst = fmax(worst, fabs(specimen_entry(s, (int)i, (int)j) - expected));
            largest = fmax(largest, fabs(expected));
        }
    free(slope);
    free(ahead);
    free(behind);
    return largest > 0 ? worst / largest : INFINITY;
}

// The same for a gradient (all coordinates) and the number that it is the gradient of.
static inline double specimen_gradient_error(specimen *s,
                                             double (*number)(specimen *s, const void *context),
                                             const void *context, const double *gradient, double h)
{
    double worst = 0, largest = 0;
    for (int i = 0; i < 3 * s->part.nnode; i++) {
        double keep = s->x[i];
        s->x[i] = keep + h;
        double ahead = number(s, context);
        s->x[i] = keep - h;
        double slope = (ahead - number(s, context)) / (2 * h);
        s->x[i] = keep;
        worst = fmax(worst, fabs(gradient[i] - slope));
        largest = fmax(largest, fabs(slope));
    }
    return largest > 0 ? worst / largest : INFINITY;
}

static inline double specimen_energy(specimen *s, const void *unused)
{
    (void)unused;
    double *force = malloc(3 * (size_t)s->part.nnode * sizeof *force);
    double energy =
        body_elastic(&s->part, &s->work, s->x, NULL, ELEMENT_FORCE_ONLY, NULL, force, NULL);
    free(force);
    return energy;
}

static inline void specimen_force(specimen *s, const void *unused, double *force)
{
    (void)unused;
    body_elastic(&s->part, &s->work, s->x, NULL, ELEMENT_FORCE_ONLY, NULL, force, NULL);
}

static inline double specimen_row_value(specimen *s, const void *r)
{
    return row_value(r, s->x);
}

// The row's gradient as a vector of all coordinates.
static inline void specimen_row_gradient(specimen *s, const void *context, double *out)
{
    const row *r = context;
    double *H = malloc(3 * (size_t)r->nnode * sizeof *H);
    memset(out, 0, 3 * (size_t)s->part.nnode * sizeof *out);
    row_gradient(r, s->x, H);
    for (int i = 0; i < 3 * r->nnode; i++)
        out[3 * r->node[i / 3] + i % 3] = H[i];
    free(H);
}

// A cable or piston through points of the body; world (or NULL) marks those that are of the world.
static inline bool specimen_line(specimen *s, row *r, row_kind kind, int npoint,
                                 const double (*at)[3], const bool *world)
{
    *r = (row){.name = "row", .kind = kind};
    r->line.npoint = npoint;
    r->line.point = arena_new(&s->memory, npoint, row_point);
    if (!r->line.point)
        return false;
    for (int p = 0; p < npoint; p++) {
        row_point *point = &r->line.point[p];
        if (world && world[p]) {
            point->body = -1;
            memcpy(point->world, at[p], sizeof point->world);
            continue;
        }
        mesh_point found;
        embed_point(s->mesh, s->shape.x, at[p], &found);
        point->nposition = 4;
        memcpy(point->node, found.node, sizeof found.node);
        memcpy(point->weight, found.weight, sizeof found.weight);
    }
    return row_begin(r, true, s->shape.x, &s->memory) == LITHE_OK;
}

// The only cavity of a hollow body.
static inline bool specimen_cavity(specimen *s, row *r)
{
    const mesh_boundary *boundary = &s->boundary;
    *r = (row){.name = "row", .kind = ROW_CAVITY};
    face_set *face = &r->shell.face;
    face->tri = arena_new(&s->memory, 3 * (size_t)boundary->ntri, int);
    if (!face->tri || boundary->ncavity != 1)
        return false;
    for (int t = 0; t < boundary->ntri; t++)
        if (boundary->piece[t] == boundary->cavity[0]) {
            int *tri = &face->tri[3 * face->ntri++];
            tri[0] = boundary->tri[3 * t];
            tri[1] = boundary->tri[3 * t + 2];
            tri[2] = boundary->tri[3 * t + 1];
        }
    return row_begin(r, true, s->shape.x, &s->memory) == LITHE_OK;
}

#endif
