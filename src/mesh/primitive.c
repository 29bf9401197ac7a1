#include "mesh/primitive.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static lithe_status create(int nnode, int ntri, lithe_mesh **out)
{
    lithe_mesh *m = memory_alloc(sizeof *m);
    *out = NULL;
    if (!m)
        return LITHE_NO_MEMORY;
    memset(m, 0, sizeof *m);
    m->nnode = nnode;
    m->ntri = ntri;
    m->x = arena_new(&m->memory, 3 * (size_t)nnode, double);
    m->tri = arena_new(&m->memory, 3 * (size_t)ntri, int);
    if (!m->x || !m->tri) {
        lithe_mesh_free(m);
        return LITHE_NO_MEMORY;
    }
    *out = m;
    return LITHE_OK;
}

lithe_status primitive_box(const double size[3], lithe_mesh **out)
{
    static const int quad[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    static const int corner[6] = {0, 1, 2, 0, 2, 3};
    LITHE_TRY(create(8, 12, out));
    for (int i = 0; i < 24; i++)
        (*out)->x[i] = (i / 3 >> i % 3 & 1 ? 0.5 : -0.5) * size[i % 3];
    for (int i = 0; i < 36; i++)
        (*out)->tri[i] = quad[i / 6][corner[i % 6]];
    return LITHE_OK;
}

// A surface of revolution about z: a pole, rings from below upwards, a pole.
static void wrap(lithe_mesh *m, int n, int nring)
{
    const int last = m->nnode - 1;
    int *tri = m->tri;
    for (int i = 0; i < n; i++) {
        int j = (i + 1) % n, top = 1 + (nring - 1) * n;
        memcpy(tri, (int[]){0, 1 + j, 1 + i, last, top + i, top + j}, 6 * sizeof *tri);
        tri += 6;
        for (int ring = 0; ring < nring - 1; ring++, tri += 6) {
            int a = 1 + ring * n + i, b = 1 + ring * n + j;
            memcpy(tri, (int[]){a, b, b + n, a, b + n, a + n}, 6 * sizeof *tri);
        }
    }
}

static void put_ring(lithe_mesh *m, int n, int ring, double radius, double z)
{
    for (int i = 0; i < n; i++) {
        double angle = 2 * M_PI * i / n;
        double *x = &m->x[3 * (1 + ring * n + i)];
        x[0] = radius * cos(angle);
        x[1] = radius * sin(angle);
        x[2] = z;
    }
}

static lithe_status create_wrapped(int n, int nring, double low, double high, lithe_mesh **out)
{
    LITHE_TRY(create(2 + nring * n, 2 * nring * n, out));
    (*out)->x[2] = low;
    (*out)->x[3 * (*out)->nnode - 1] = high;
    wrap(*out, n, nring);
    return LITHE_OK;
}

lithe_status primitive_ball(double radius, lithe_mesh **out)
{
    enum { RINGS = PRIMITIVE_AROUND / 2 - 1 };
    LITHE_TRY(create_wrapped(PRIMITIVE_AROUND, RINGS, -radius, radius, out));
    for (int ring = 0; ring < RINGS; ring++) {
        double angle = M_PI * (ring + 1) / (RINGS + 1);
        put_ring(*out, PRIMITIVE_AROUND, ring, radius * sin(angle), -radius * cos(angle));
    }
    return LITHE_OK;
}

lithe_status primitive_cylinder(double radius, double length, lithe_mesh **out)
{
    LITHE_TRY(create_wrapped(PRIMITIVE_RIM, 2, -0.5 * length, 0.5 * length, out));
    put_ring(*out, PRIMITIVE_RIM, 0, radius, -0.5 * length);
    put_ring(*out, PRIMITIVE_RIM, 1, radius, 0.5 * length);
    return LITHE_OK;
}

lithe_status primitive_capsule(double radius, double length, lithe_mesh **out)
{
    enum { CAP = PRIMITIVE_AROUND / 4, RINGS = 2 * CAP };
    double end = 0.5 * length + radius;
    LITHE_TRY(create_wrapped(PRIMITIVE_AROUND, RINGS, -end, end, out));
    for (int ring = 0; ring < CAP; ring++) {
        double angle = M_PI_2 * (ring + 1) / CAP, r = radius * sin(angle),
               z = 0.5 * length + radius * cos(angle);
        put_ring(*out, PRIMITIVE_AROUND, ring, r, -z);
        put_ring(*out, PRIMITIVE_AROUND, RINGS - 1 - ring, r, z);
    }
    return LITHE_OK;
}
