// Round things as meshes: stacks over an octahedron (a cube, for hexahedra) or over squares, which
// the curve blows up.
#include "base/vec.h"
#include "stack.h"
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

// On squares around the axis |x| + |y| is, and below 1 inside the bore.
static void blow_square(const double in[3], double out[3])
{
    double norm = fabs(in[0]) + fabs(in[1]), angle = norm > 0 ? M_PI_2 * fabs(in[1]) / norm : 0;
    double r = norm > 1 ? vessel_radius(current, norm - 1) : norm;
    out[0] = in[0] == 0 ? 0 : copysign(r * cos(angle), in[0]);
    out[1] = in[1] == 0 ? 0 : copysign(r * sin(angle), in[1]);
    out[2] = in[2];
}

// Triangles of the octahedron's faces, or of one of them.
static void add_triangles(stack *s, int m, bool whole)
{
    static const int step[2][3][2] = {{{0, 0}, {1, 0}, {0, 1}}, {{1, 0}, {1, 1}, {0, 1}}};
    for (int sign = 0; sign < (whole ? 8 : 1); sign++)
        for (int j = 0; j < m; j++)
            for (int i = 0; i + j < m; i++)
                for (int up = 0; up < (i + j + 1 < m ? 2 : 1); up++) {
                    int at[3][3];
                    for (int k = 0; k < 3; k++) {
                        at[k][0] = i + step[up][k][0];
                        at[k][1] = j + step[up][k][1];
                        at[k][2] = m - at[k][0] - at[k][1];
                        for (int axis = 0; axis < 3; axis++)
                            at[k][axis] *= sign & (1 << axis) ? -1 : 1;
                    }
                    stack_facet(s, 0, (const int(*)[3])at);
                }
}

// Squares of the cube's faces, or of the quarters of three of them.
static void add_squares(stack *s, int m, bool whole)
{
    static const int step[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    int low = whole ? -m : 0;
    for (int face = 0; face < (whole ? 6 : 3); face++)
        for (int j = low; j < m; j++)
            for (int i = low; i < m; i++) {
                int at[4][3], axis = face % 3;
                for (int k = 0; k < 4; k++) {
                    int rotation = face < 3 ? k : 3 - k;
                    at[k][axis] = face < 3 ? m : -m;
                    at[k][(axis + 1) % 3] = i + step[rotation][0];
                    at[k][(axis + 2) % 3] = j + step[rotation][1];
                }
                stack_facet(s, 0, (const int(*)[3])at);
            }
}

static void outwards(const double at[3], int layer, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = at[i] * (1 + (double)layer / current.layer);
}

bool vessel_sphere(piece *p, lithe_element element, vessel v)
{
    bool hex = element == LITHE_HEX8;
    int m = hex ? v.around / 2 : v.around;
    stack s;
    current = v;
    if (!stack_begin(&s, element, m, 24 * m * m))
        return false;
    if (hex)
        add_squares(&s, m, v.whole);
    else
        add_triangles(&s, m, v.whole);
    stack_finish(&s, p, element, v.layer, outwards, NULL);
    p->curve = hex ? blow_cube : blow_octahedron;
    return true;
}

// Whole coordinates of flat stacks: cells are SPLIT apart, so that thirds and halves are whole too.
enum { SPLIT = 6, DISC = 0, WALL = 1 };

// Rotates a point of the quarter x, y >= 0 by right angles.
static void rotation(int quarter, const int in[2], int out[3])
{
    static const int c[4] = {1, 0, -1, 0}, w[4] = {0, 1, 0, -1};
    out[0] = c[quarter] * in[0] - w[quarter] * in[1];
    out[1] = w[quarter] * in[0] + c[quarter] * in[1];
    out[2] = 0;
}

// A triangle, or the three squares between its corners, the middles of its edges and its centre.
static void add_disc_triangle(stack *s, int quarter, const int at[3][2])
{
    int corner[4][3];
    if (s->corner == 3) {
        for (int k = 0; k < 3; k++)
            rotation(quarter, at[k], corner[k]);
        stack_facet(s, DISC, (const int(*)[3])corner);
        return;
    }
    for (int k = 0; k < 3; k++) {
        int point[4][2];
        for (int axis = 0; axis < 2; axis++) {
            int here = at[k][axis], next = at[(k + 1) % 3][axis], last = at[(k + 2) % 3][axis];
            point[0][axis] = here;
            point[1][axis] = (here + next) / 2;
            point[2][axis] = (here + next + last) / 3;
            point[3][axis] = (here + last) / 2;
        }
        for (int i = 0; i < 4; i++)
            rotation(quarter, point[i], corner[i]);
        stack_facet(s, DISC, (const int(*)[3])corner);
    }
}

// The disc |x| + |y| <= m cells of some size.
static void add_disc(stack *s, int m, int size)
{
    for (int quarter = 0; quarter < 4; quarter++)
        for (int j = 0; j < m; j++)
            for (int i = 0; i + j < m; i++)
                for (int up = 0; up < (i + j + 1 < m ? 2 : 1); up++) {
                    int a = size * i, b = size * j, c = a + size, d = b + size;
                    int at[2][3][2] = {{{a, b}, {c, b}, {a, d}}, {{c, b}, {c, d}, {a, d}}};
                    add_disc_triangle(s, quarter, (const int(*)[2])at[up]);
                }
}

// The wall from |x| + |y| = m to 2 m, in cells of whole coordinates: `layer` outwards, `around`
// along a quarter.
static void add_wall(stack *s, int m, int layer, int around, bool whole)
{
    for (int quarter = 0; quarter < (whole ? 4 : 1); quarter++)
        for (int i = 0; i < layer * around; i++) {
            int at[4][3], out = i / around, along = i % around;
            for (int k = 0; k < 4; k++) {
                int r = m + m * (out + (k == 1 || k == 2)) / layer;
                int t = r * (along + (k >= 2)) / around;
                rotation(quarter, (int[]){r - t, t}, at[k]);
            }
            stack_facet(s, WALL, (const int(*)[3])at);
            if (s->corner == 3) {
                memcpy(at[1], at[2], sizeof at[1]);
                memcpy(at[2], at[3], sizeof at[2]);
                stack_facet(s, WALL, (const int(*)[3])at);
            }
        }
}

static bool lidded(int kind, int layer)
{
    return kind == WALL || layer != 1;
}

static void upwards(const double at[3], int layer, double out[3])
{
    for (int i = 0; i < 2; i++) // the bore is at 1, the outside at 2
        out[i] = 2 * at[i];
    out[2] = (layer - current.whole) * vessel_height(current);
}

// Coordinates are such that the cells of all rings are whole.
bool vessel_cylinder(piece *p, lithe_element element, vessel v)
{
    int disc = element == LITHE_HEX8 ? v.around / 2 : v.around; // its triangles have halved edges
    int m = SPLIT * disc * v.layer;
    stack s;
    current = v;
    if (!stack_begin(&s, element, 2 * m, 16 * v.around * (v.around + v.layer)))
        return false;
    add_wall(&s, m, v.layer, v.around, v.whole);
    if (v.whole)
        add_disc(&s, disc, SPLIT * v.layer);
    stack_finish(&s, p, element, v.whole ? 3 : 1, upwards, lidded);
    p->curve = blow_square;
    return true;
}

static void in_layers(const double at[3], int layer, double out[3])
{
    memcpy(out, at, 2 * sizeof *out);
    out[2] = 2.0 * layer / current.layer;
}

bool vessel_rod(piece *p, lithe_element element, int around, int layer)
{
    int disc = element == LITHE_HEX8 ? around / 2 : around;
    stack s;
    current = (vessel){.outer = 2, .layer = layer};
    if (!stack_begin(&s, element, SPLIT * disc, 16 * around * around))
        return false;
    add_disc(&s, disc, SPLIT);
    stack_finish(&s, p, element, layer, in_layers, NULL);
    p->curve = blow_square;
    return true;
}
