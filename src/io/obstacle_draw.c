#include "io/obstacle_draw.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

enum { AROUND = 48, BENDS = 12, TILES = 16 };

static const double full_circle = 6.283185307179586;
static const double grey[3] = {0.36, 0.39, 0.45}, red[3] = {0.54, 0.055, 0.004}; // linear light

// Where the surface is, and where it looks, along a line that goes round the z axis.
typedef struct outline_point {
    double radius, z, out, up;
} outline_point;

static int add_vertex(solid_surface *s, const double q[3], const double n[3])
{
    memcpy(s->x[s->nvertex], q, sizeof s->x[0]);
    memcpy(s->normal[s->nvertex], n, sizeof s->normal[0]);
    return s->nvertex++;
}

// Of corners a, b and c, d on the other side.
static void add_quad(solid_surface *s, int a, int b, int c, int d)
{
    const int corner[2][3] = {{a, b, c}, {b, d, c}};
    memcpy(s->tri[s->ntri], corner, sizeof corner);
    s->ntri += 2;
}

static void revolve(solid_surface *s, int n, const outline_point *line)
{
    int first = s->nvertex;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < AROUND; k++) {
            double c = cos(full_circle * k / AROUND), sine = sin(full_circle * k / AROUND);
            const outline_point *p = &line[i];
            add_vertex(s, (double[]){p->radius * c, p->radius * sine, p->z},
                       (double[]){p->out * c, p->out * sine, p->up});
        }
    for (int i = 0; i + 1 < n; i++)
        for (int k = 0; k < AROUND; k++) {
            int row = first + AROUND * i, next = (k + 1) % AROUND;
            add_quad(s, row + next, row + AROUND + next, row + k, row + AROUND + k);
        }
}

// A ball, its halves `half` from the middle each.
static void trace_ball(solid_surface *s, double radius, double half)
{
    outline_point line[2 * BENDS + 2];
    for (int i = 0; i < 2 * BENDS + 2; i++) {
        bool upper = i > BENDS;
        double angle = full_circle / 4 * ((double)(i - upper) / BENDS - 1), c = cos(angle);
        line[i] = (outline_point){radius * c, radius * sin(angle) + (upper ? half : -half), c,
                                  sin(angle)};
    }
    revolve(s, 2 * BENDS + 2, line);
}

static void trace_sphere(const contact_shape *shape, const double middle[3], double extent,
                         solid_surface *s)
{
    (void)middle;
    (void)extent;
    trace_ball(s, shape->radius, 0);
}

static void trace_capsule(const contact_shape *shape, const double middle[3], double extent,
                          solid_surface *s)
{
    (void)middle;
    (void)extent;
    trace_ball(s, shape->radius, shape->half[2]);
}

static void trace_cylinder(const contact_shape *shape, const double middle[3], double extent,
                           solid_surface *s)
{
    double radius = shape->radius, half = shape->half[2];
    const outline_point line[6] = {{0, -half, 0, -1},     {radius, -half, 0, -1},
                                   {radius, -half, 1, 0}, {radius, half, 1, 0},
                                   {radius, half, 0, 1},  {0, half, 0, 1}};
    (void)middle;
    (void)extent;
    revolve(s, 6, line);
}

static void trace_cone(const contact_shape *shape, const double middle[3], double extent,
                       solid_surface *s)
{
    double radius = shape->radius, half = shape->half[2];
    double slant = hypot(radius, 2 * half), nr = 2 * half / slant, nz = radius / slant;
    const outline_point line[4] = {
        {0, -half, 0, -1}, {radius, -half, 0, -1}, {radius, -half, nr, nz}, {0, half, nr, nz}};
    (void)middle;
    (void)extent;
    revolve(s, 4, line);
}

static void trace_pipe(const contact_shape *shape, const double middle[3], double extent,
                       solid_surface *s)
{
    outline_point line[TILES + 1];
    for (int i = 0; i <= TILES; i++)
        line[i] = (outline_point){shape->radius, middle[2] + extent * (2.0 * i / TILES - 1), -1, 0};
    revolve(s, TILES + 1, line);
}

// A tile in the plane across `axis`, from (a, b) on.
static void trace_tile(solid_surface *s, int axis, double height, const double from[2],
                       const double size[2])
{
    double normal[3] = {0};
    int first = s->nvertex;
    normal[axis] = height < 0 ? -1 : 1;
    for (int k = 0; k < 4; k++) {
        double q[3] = {0};
        q[axis] = height;
        q[(axis + 1) % 3] = from[0] + (k & 1 ? size[0] : 0);
        q[(axis + 2) % 3] = from[1] + (k & 2 ? size[1] : 0);
        add_vertex(s, q, normal);
    }
    if (height < 0)
        add_quad(s, first + 1, first, first + 3, first + 2);
    else
        add_quad(s, first, first + 1, first + 2, first + 3);
}

static void trace_box(const contact_shape *shape, const double middle[3], double extent,
                      solid_surface *s)
{
    const double *half = shape->half;
    (void)middle;
    (void)extent;
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) {
            double a = half[(axis + 1) % 3], b = half[(axis + 2) % 3];
            trace_tile(s, axis, side * half[axis], (double[]){-a, -b}, (double[]){2 * a, 2 * b});
        }
}

// In tiles, so that those behind the eye can be left out.
static void trace_plane(const contact_shape *shape, const double middle[3], double extent,
                        solid_surface *s)
{
    double tile = 2 * extent / TILES, x = middle[0] - extent, y = middle[1] - extent;
    (void)shape;
    for (int i = 0; i < TILES; i++)
        for (int j = 0; j < TILES; j++)
            trace_tile(s, 2, 0, (double[]){x + i * tile, y + j * tile}, (double[]){tile, tile});
}

solid_trace_of *const solid_traces[SHAPE_KINDS] = {
    [SHAPE_PLANE] = trace_plane, [SHAPE_SPHERE] = trace_sphere,     [SHAPE_CAPSULE] = trace_capsule,
    [SHAPE_BOX] = trace_box,     [SHAPE_CYLINDER] = trace_cylinder, [SHAPE_PIPE] = trace_pipe,
    [SHAPE_CONE] = trace_cone,
    [SHAPE_MESH] = NULL, // it has triangles of its own
};

void solid_trace(const contact_shape *shape, const double middle[3], double extent,
                 solid_surface *out)
{
    out->nvertex = out->ntri = 0;
    if (!shape_traits_of(shape)->told)
        solid_traces[shape->kind](shape, middle, extent, out);
}

static void draw_surface(raster *r, const solid_surface *s, const contact_frame *at,
                         const double colour[3])
{
    for (int t = 0; t < s->ntri; t++) {
        raster_vertex v[3];
        for (int i = 0; i < 3; i++) {
            int k = s->tri[t][i];
            mat_apply(v[i].at, at->R, s->x[k]);
            vec_axpy(v[i].at, 1, at->at);
            mat_apply(v[i].normal, at->R, s->normal[k]);
            memcpy(v[i].colour, colour, sizeof v[i].colour);
        }
        raster_triangle(r, v);
    }
}

void solid_draw(raster *r, const contact_shape *shape, const contact_frame *at,
                const double middle[3], double extent)
{
    solid_surface surface;
    double own[3]; // the middle in the shape's own frame
    contact_frame_into(at, middle, own);
    solid_trace(shape, own, extent, &surface);
    r->veil = shape_traits_of(shape)->endless ? RASTER_HALF : RASTER_MOST;
    draw_surface(r, &surface, at, grey);
    r->veil = RASTER_ALL;
}

// A point of the surface: `first` and `second` of the reach along the axes, looking along `nx`,
// `ny`.
static raster_vertex rod_point(const solid_end *e, double first, double second, double nx,
                               double ny)
{
    raster_vertex v;
    for (int i = 0; i < 3; i++) {
        v.at[i] =
            e->at[i] + first * e->reach[0] * e->axis[0][i] + second * e->reach[1] * e->axis[1][i];
        v.normal[i] = nx * e->axis[0][i] + ny * e->axis[1][i];
        v.colour[i] = e->colour[i];
    }
    return v;
}

// Between corners k and k + 1 of a section's outline of n corners, from one end to the other.
static void draw_side(raster *r, const solid_end end[2], bool rectangular, int n, int k)
{
    raster_vertex v[4];
    for (int i = 0; i < 4; i++) {
        double angle = full_circle * (k + i % 2 + (rectangular ? 0.5 : 0)) / n;
        double look = rectangular ? full_circle * (k + 1) / n : angle,
               scale = rectangular ? sqrt(2) : 1;
        v[i] = rod_point(&end[i / 2], scale * cos(angle), scale * sin(angle), cos(look), sin(look));
    }
    raster_triangle(r, v);
    raster_triangle(r, v + 1);
    for (int i = 0; i < 2; i++) { // the lids, which other pieces may hide
        raster_vertex lid[3] = {v[2 * i], v[2 * i + 1], rod_point(&end[i], 0, 0, 0, 0)};
        double along[3];
        vec_cross(along, end[i].axis[0], end[i].axis[1]);
        for (int c = 0; c < 3; c++)
            for (int j = 0; j < 3; j++)
                lid[c].normal[j] = i ? along[j] : -along[j];
        raster_triangle(r, lid);
    }
}

void solid_draw_rod(raster *r, const solid_end end[2], bool rectangular)
{
    int n = rectangular ? 4 : AROUND / 2;
    for (int k = 0; k < n; k++)
        draw_side(r, end, rectangular, n, k);
}

void solid_draw_triangle(raster *r, double corner[3][3])
{
    raster_vertex v[3];
    double u[3], w[3], normal[3];
    vec_sub(u, corner[1], corner[0]);
    vec_sub(w, corner[2], corner[0]);
    vec_cross(normal, u, w);
    for (int i = 0; i < 3; i++) {
        memcpy(v[i].at, corner[i], sizeof v[i].at);
        memcpy(v[i].normal, normal, sizeof v[i].normal);
        memcpy(v[i].colour, grey, sizeof v[i].colour);
    }
    r->veil = RASTER_HALF;
    raster_triangle(r, v);
    r->veil = RASTER_ALL;
}

// A frame with z along the arrow.
static contact_frame along(const double from[3], const double to[3], double *length)
{
    contact_frame f;
    double z[3], x[3], y[3];
    vec_sub(z, to, from);
    *length = vec_norm(z);
    for (int i = 0; i < 3; i++)
        z[i] /= *length > 0 ? *length : 1;
    vec_cross(x, z, fabs(z[0]) < 0.5 ? (double[]){1, 0, 0} : (double[]){0, 1, 0});
    double across = vec_norm(x);
    for (int i = 0; i < 3; i++)
        x[i] /= across > 0 ? across : 1;
    vec_cross(y, z, x);
    for (int i = 0; i < 3; i++) {
        f.R[3 * i] = x[i];
        f.R[3 * i + 1] = y[i];
        f.R[3 * i + 2] = z[i];
    }
    memcpy(f.at, from, sizeof f.at);
    return f;
}

void solid_draw_arrow(raster *r, const double from[3], const double to[3], double thick)
{
    double length;
    contact_frame at = along(from, to, &length);
    double neck = fmax(0.5 * length, length - 9 * thick);
    const outline_point line[4] = {
        {thick, 0, 1, 0}, {thick, neck, 1, 0}, {2.6 * thick, neck, 1, 0.3}, {0, length, 1, 0.3}};
    solid_surface surface;
    surface.nvertex = surface.ntri = 0;
    revolve(&surface, 4, line);
    r->above = true;
    draw_surface(r, &surface, &at, red);
    r->above = false;
}
