#include "io/snapshot.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/vec.h"
#include "io/draft.h"
#include "io/drawing.h"
#include "io/obstacle_draw.h"
#include "io/png.h"
#include "io/raster.h"
#include "io/tolerances.h"
#include "step/outline.h"

#include <math.h>
#include <string.h>

// cividis at nine points, linear light between them [nunez2018]
static const unsigned char MAP[9][3] = {{0, 34, 78},     {26, 56, 111},   {67, 78, 108},
                                        {97, 101, 111},  {124, 123, 120}, {155, 147, 118},
                                        {187, 173, 108}, {221, 201, 88},  {254, 232, 56}};

typedef struct sketch {
    raster raster;
    drawing drawing;
    const lithe_state *state;
    double size;      // of the rest shape, m
    int nseen;        // points that the picture has to hold
    double *seen;     // (nseen x 3)
    float *vertex;    // (nvertex x 3)
    float *line;      // (npoint x 3)
    float *joint;     // (njoint x DRAWING_JOINT)
    float *face;      // unit normals of triangles (ntri x 3)
    double *moved;    // (nvertex) m
    double largest;   // of them and of the nodes of rods
    int *adr;         // corners around a vertex (nvertex + 1)
    int *corner;      // (3 ntri)
    double middle[3]; // of all that is seen
    double extent;    // of it, from the middle, m
    int narrow;       // forces of contacts
    float *contact;   // where and how large (narrow x 6)
    double unit;      // length of an arrow for 1 N, m
} sketch;

static double linear(double display)
{
    double c = display / 255;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static void colour_of(double share, double out[3])
{
    double at = fmin(fmax(share, 0), 1) * 8;
    int low = at < 7 ? (int)at : 7;
    for (int k = 0; k < 3; k++)
        out[k] = linear(MAP[low][k] + (at - low) * (MAP[low + 1][k] - MAP[low][k]));
}

static bool create_arrays(sketch *s, arena *memory)
{
    size_t n = (size_t)s->drawing.skin.nvertex, tri = (size_t)s->drawing.skin.ntri;
    s->vertex = arena_new(memory, 3 * n + 1, float);
    s->line = arena_new(memory, 3 * (size_t)s->drawing.npoint + 1, float);
    s->joint = arena_new(memory, DRAWING_JOINT * (size_t)lithe_njoint(s->drawing.model) + 1, float);
    s->face = arena_new(memory, 3 * tri + 1, float);
    s->moved = arena_new(memory, n + 1, double);
    s->adr = arena_new(memory, n + 2, int);
    s->corner = arena_new(memory, 3 * tri + 1, int);
    return s->vertex && s->line && s->joint && s->face && s->moved && s->adr && s->corner;
}

static void to_double(const float *from, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = from[i];
}

static void find_faces(sketch *s)
{
    const skin *k = &s->drawing.skin;
    for (int t = 0; t < k->ntri; t++) {
        double p[3][3], u[3], v[3], n[3];
        for (int i = 0; i < 3; i++)
            to_double(s->vertex + 3 * (size_t)k->tri[3 * t + i], p[i]);
        vec_sub(u, p[1], p[0]);
        vec_sub(v, p[2], p[0]);
        vec_cross(n, u, v);
        double length = vec_norm(n);
        for (int i = 0; i < 3; i++)
            s->face[3 * t + i] = (float)(length > 0 ? n[i] / length : 0);
    }
}

static void find_corners(sketch *s)
{
    const skin *k = &s->drawing.skin;
    for (int i = 0; i < 3 * k->ntri; i++)
        s->adr[k->tri[i] + 2]++;
    for (int v = 0; v < k->nvertex; v++)
        s->adr[v + 2] += s->adr[v + 1];
    for (int i = 0; i < 3 * k->ntri; i++)
        s->corner[s->adr[k->tri[i] + 1]++] = i;
}

static double node_moved(const sketch *s, int node)
{
    const double *x = lithe_position(s->state), *rest = lithe_rest(s->drawing.model);
    return vec_distance(x + 3 * (size_t)node, rest + 3 * (size_t)node);
}

// Ends of a line that is a rod.
static const int *rod_nodes(const sketch *s, const drawing_line *line)
{
    const lithe_model *m = s->drawing.model;
    return lithe_element_node(m) + lithe_element_start(m)[line->element];
}

static void find_moved(sketch *s)
{
    const drawing *d = &s->drawing;
    for (int v = 0; v < d->skin.nvertex; v++) {
        s->moved[v] = node_moved(s, d->skin.node[v]);
        s->largest = fmax(s->largest, s->moved[v]);
    }
    for (int i = 0; i < d->nline; i++)
        for (int k = 0; k < 2 && d->line[i].row < 0; k++)
            s->largest = fmax(s->largest, node_moved(s, rod_nodes(s, &d->line[i])[k]));
}

// By how far it moved.
static void moved_colour(const sketch *s, double moved, double out[3])
{
    colour_of(s->largest > SNAPSHOT_MOVED * s->size ? moved / s->largest : 0, out);
}

// The mean of faces around a vertex that lie smoothly beside this one.
static void corner_normal(const sketch *s, int tri, int vertex, double out[3])
{
    const double crease = 0.74;
    double own[3], other[3];
    to_double(s->face + 3 * (size_t)tri, own);
    memset(out, 0, 3 * sizeof *out);
    for (int i = s->adr[vertex]; i < s->adr[vertex + 1]; i++) {
        to_double(s->face + 3 * (size_t)(s->corner[i] / 3), other);
        if (vec_dot(own, other) > crease)
            vec_axpy(out, 1, other);
    }
}

static void draw_skin(sketch *s)
{
    const skin *k = &s->drawing.skin;
    for (int t = 0; t < k->ntri; t++) {
        raster_vertex v[3];
        for (int i = 0; i < 3; i++) {
            int vertex = k->tri[3 * t + i];
            to_double(s->vertex + 3 * (size_t)vertex, v[i].at);
            corner_normal(s, t, vertex, v[i].normal);
            moved_colour(s, s->moved[vertex], v[i].colour);
        }
        raster_triangle(&s->raster, v);
    }
}

// A point of a tube around the way from a to b: `along` of the way, `angle` round it.
static raster_vertex tube_point(const double a[3], const double b[3], double frame[2][3],
                                double radius, double along, double angle, const double colour[3])
{
    raster_vertex v;
    for (int i = 0; i < 3; i++) {
        v.normal[i] = cos(angle) * frame[0][i] + sin(angle) * frame[1][i];
        v.at[i] = a[i] + along * (b[i] - a[i]) + radius * v.normal[i];
        v.colour[i] = colour[i];
    }
    return v;
}

static const double GREY[3] = {0.045, 0.05, 0.065}, RED[3] = {0.6, 0.02, 0.02};

static void draw_tube(sketch *s, const float *from, const float *to, double radius,
                      const double colour[3])
{
    enum { SIDES = 12 };
    double a[3], b[3], axis[3], frame[2][3];
    to_double(from, a);
    to_double(to, b);
    vec_sub(axis, b, a);
    double length = vec_norm(axis);
    if (!(length > 0))
        return;
    double side[3] = {fabs(axis[0]) < 0.5 * length, fabs(axis[0]) >= 0.5 * length, 0};
    vec_cross(frame[0], axis, side);
    double across = vec_norm(frame[0]);
    for (int i = 0; i < 3; i++)
        frame[0][i] /= across;
    vec_cross(frame[1], axis, frame[0]);
    for (int i = 0; i < 3; i++)
        frame[1][i] /= length;
    for (int k = 0; k < SIDES; k++) {
        const double step = 6.283185307179586 / SIDES;
        raster_vertex v[4];
        for (int i = 0; i < 4; i++)
            v[i] = tube_point(a, b, frame, radius, i < 2 ? 0 : 1, step * (k + i % 2), colour);
        raster_triangle(&s->raster, v);
        raster_triangle(&s->raster, v + 1);
    }
}

// The ends of a line that is a rod; false: it is a cable, a spring or the like, and has no section.
static bool find_rod(const sketch *s, const drawing_line *line, solid_end end[2], bool *rectangular)
{
    outline_beam beam;
    if (line->row >= 0 || !outline_find_beam(s->drawing.model, s->state, line->element, &beam))
        return false;
    *rectangular = beam.section[0].kind == SECTION_RECTANGLE;
    for (int k = 0; k < 2; k++) {
        const double *size = beam.section[k].size;
        to_double(s->line + 3 * (size_t)(line->adr + k), end[k].at);
        memcpy(end[k].axis, beam.axis[k], sizeof end[k].axis);
        end[k].reach[0] = *rectangular ? 0.5 * size[0] : size[0];
        end[k].reach[1] = *rectangular ? 0.5 * size[1] : size[0];
        moved_colour(s, node_moved(s, rod_nodes(s, line)[k]), end[k].colour);
    }
    return true;
}

static void draw_lines(sketch *s)
{
    const drawing *d = &s->drawing;
    for (int i = 0; i < d->nline; i++) {
        solid_end end[2];
        bool rectangular;
        if (find_rod(s, &d->line[i], end, &rectangular)) {
            solid_draw_rod(&s->raster, end, rectangular);
            continue;
        }
        for (int k = d->line[i].adr; k + 1 < d->line[i].adr + d->line[i].n; k++)
            draw_tube(s, s->line + 3 * (size_t)k, s->line + 3 * (size_t)k + 3, 0.0042 * s->size,
                      GREY);
    }
}

// The axis of every joint, through where it is; red at a stop.
static void draw_joints(sketch *s)
{
    for (int i = 0; i < lithe_njoint(s->drawing.model); i++) {
        const float *joint = &s->joint[DRAWING_JOINT * i];
        float end[2][3];
        for (int k = 0; k < 3; k++) {
            float half = (float)(0.03 * s->size) * joint[3 + k];
            end[0][k] = joint[k] - half;
            end[1][k] = joint[k] + half;
        }
        draw_tube(s, end[0], end[1], 0.006 * s->size, joint[6] != 0 ? RED : GREY);
    }
}

static void draw_obstacles(sketch *s)
{
    const lithe_model *m = s->drawing.model;
    for (int o = 0; o < lithe_nobstacle(m); o++) {
        const int *tri;
        int nvertex, ntri = outline_obstacle_triangles(m, o, &tri, &nvertex);
        solid_draw(&s->raster, outline_obstacle_shape(m, o), outline_obstacle_frame(s->state, o),
                   s->middle, fmax(1.2 * s->size, 1.5 * s->extent));
        for (int t = 0; t < ntri; t++) {
            double corner[3][3];
            for (int i = 0; i < 3; i++)
                outline_obstacle_vertex_now(m, s->state, o, tri[3 * t + i], corner[i]);
            solid_draw_triangle(&s->raster, corner);
        }
    }
}

// An arrow ends where its force pushes, and is as long as that is large beside the largest.
static lithe_status find_arrows(sketch *s, arena *memory, lithe_report *report)
{
    s->contact = arena_new(memory, 6 * DRAWING_CONTACTS, float);
    if (!s->contact)
        return report_no_memory(report, "the snapshot");
    s->narrow = drawing_contacts(&s->drawing, s->state, s->contact);
    double most = 0;
    for (int i = 0; i < s->narrow; i++) {
        double force[3];
        to_double(s->contact + 6 * (size_t)i + 3, force);
        most = fmax(most, vec_norm(force));
    }
    s->unit = most > 0 ? 0.2 * s->size / most : 0;
    return LITHE_OK;
}

static void arrow_ends(const sketch *s, int i, double from[3], double to[3])
{
    double force[3];
    to_double(s->contact + 6 * (size_t)i, to);
    to_double(s->contact + 6 * (size_t)i + 3, force);
    memcpy(from, to, 3 * sizeof *from);
    vec_axpy(from, -s->unit, force);
}

static void draw_arrows(sketch *s)
{
    for (int i = 0; i < s->narrow; i++) {
        double from[3], to[3];
        arrow_ends(s, i, from, to);
        solid_draw_arrow(&s->raster, from, to, 0.004 * s->size);
    }
}

static void grow_box(double box[2][3], const double at[3])
{
    for (int i = 0; i < 3; i++) {
        box[0][i] = fmin(box[0][i], at[i]);
        box[1][i] = fmax(box[1][i], at[i]);
    }
}

static void see(sketch *s, const double at[3], double box[2][3])
{
    memcpy(&s->seen[3 * (size_t)s->nseen++], at, 3 * sizeof *at);
    grow_box(box, at);
}

static int count_obstacle_vertices(const lithe_model *m)
{
    int sum = 0, n;
    const int *tri;
    for (int o = 0; o < lithe_nobstacle(m); o++)
        if (outline_obstacle_triangles(m, o, &tri, &n) > 0)
            sum += n;
    return sum;
}

// Obstacles that are meshes, as far as they lie around the robot.
static void see_obstacles(sketch *s, double robot[2][3], double box[2][3])
{
    const lithe_model *m = s->drawing.model;
    const int *tri;
    for (int o = 0, n; o < lithe_nobstacle(m); o++)
        for (int v = outline_obstacle_triangles(m, o, &tri, &n) > 0 ? n - 1 : -1; v >= 0; v--) {
            double at[3], off = 0;
            outline_obstacle_vertex_now(m, s->state, o, v, at);
            for (int i = 0; i < 3; i++)
                off = fmax(off, fmax(robot[0][i] - at[i], at[i] - robot[1][i]));
            if (off < 0.5 * s->size)
                see(s, at, box);
        }
}

// Lines, and how far rods reach around theirs.
static void see_lines(sketch *s, double box[2][3])
{
    const drawing *d = &s->drawing;
    for (int i = 0; i < d->nline; i++) {
        solid_end end[2];
        bool rectangular, rod = find_rod(s, &d->line[i], end, &rectangular);
        for (int k = 0; k < d->line[i].n; k++) {
            double at[3];
            to_double(s->line + 3 * (size_t)(d->line[i].adr + k), at);
            see(s, at, box);
            for (int c = 0; c < 4 && rod; c++) {
                to_double(s->line + 3 * (size_t)(d->line[i].adr + k), at);
                vec_axpy(at, c & 1 ? end[k].reach[0] : -end[k].reach[0], end[k].axis[0]);
                vec_axpy(at, c & 2 ? end[k].reach[1] : -end[k].reach[1], end[k].axis[1]);
                see(s, at, box);
            }
        }
    }
}

// All that the picture is of; box: grows to hold it.
static lithe_status find_seen(sketch *s, arena *memory, double box[2][3], lithe_report *report)
{
    enum { MOST = 5 }; // points seen for one of a line
    const drawing *d = &s->drawing;
    size_t most = (size_t)d->skin.nvertex + MOST * (size_t)d->npoint +
                  (size_t)count_obstacle_vertices(d->model) + 2 * (size_t)s->narrow;
    double robot[2][3], at[3], from[3];
    s->seen = arena_new(memory, 3 * most + 1, double);
    if (!s->seen)
        return report_no_memory(report, "the snapshot");
    for (int v = 0; v < d->skin.nvertex; v++) {
        to_double(s->vertex + 3 * (size_t)v, at);
        see(s, at, box);
    }
    see_lines(s, box);
    memcpy(robot, box, sizeof robot);
    see_obstacles(s, robot, box);
    for (int i = 0; i < s->narrow; i++) {
        arrow_ends(s, i, from, at);
        see(s, from, box);
        see(s, at, box);
    }
    return LITHE_OK;
}

// So far from the middle that all that is seen is in the picture, with a margin.
static double fitting_distance(const sketch *s, const double middle[3], double field)
{
    const double margin = 0.9, aspect = (double)SNAPSHOT_WIDTH / SNAPSHOT_HEIGHT;
    double slope = margin * tan(0.5 * field), farthest = 0;
    for (int v = 0; v < s->nseen; v++) {
        double from[3];
        vec_sub(from, &s->seen[3 * (size_t)v], middle);
        double across = fabs(vec_dot(from, s->raster.axes[0])) / aspect;
        double high = fabs(vec_dot(from, s->raster.axes[1]));
        farthest = fmax(farthest, vec_dot(from, s->raster.axes[2]) + fmax(across, high) / slope);
    }
    return farthest > 0 ? farthest : 1;
}

// The direction to the eye: azimuth about `up`, from x (y where that is up), and elevation.
static void find_direction(const snapshot_camera *camera, const double up[3], double out[3])
{
    const double degree = 3.14159265358979323846 / 180;
    double first[3] = {fabs(up[0]) < 0.9, fabs(up[0]) >= 0.9, 0}, second[3];
    vec_axpy(first, -vec_dot(first, up), up);
    vec_scale(first, 1 / vec_norm(first));
    vec_cross(second, up, first);
    double azimuth = degree * camera->azimuth, elevation = degree * camera->elevation;
    for (int i = 0; i < 3; i++)
        out[i] = cos(elevation) * (cos(azimuth) * first[i] + sin(azimuth) * second[i]) +
                 sin(elevation) * up[i];
}

static lithe_status look(sketch *s, const snapshot_camera *camera, arena *memory,
                         lithe_report *report)
{
    const double field = 0.66;
    double up[3], *middle = s->middle, way[3], eye[3], g = vec_norm(camera->gravity);
    double box[2][3] = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    LITHE_TRY(find_seen(s, memory, box, report));
    for (int i = 0; i < 3; i++) {
        up[i] = g > 0 ? -camera->gravity[i] / g : i == 2;
        middle[i] = s->nseen > 0 ? 0.5 * (box[0][i] + box[1][i]) : 0;
    }
    s->extent = s->nseen > 0 ? 0.5 * vec_distance(box[0], box[1]) : 0;
    find_direction(camera, up, way);
    for (int i = 0; i < 3; i++)
        eye[i] = middle[i] + s->size * way[i];
    raster_look(&s->raster, eye, middle, up, field);
    double distance = fitting_distance(s, middle, field);
    for (int i = 0; i < 3; i++)
        eye[i] = middle[i] + distance * s->raster.axes[2][i];
    raster_look(&s->raster, eye, middle, up, field);
    return LITHE_OK;
}

static lithe_status draw(sketch *s, arena *memory, const snapshot_camera *camera,
                         lithe_report *report)
{
    if (!create_arrays(s, memory) || !raster_create(&s->raster, SNAPSHOT_WIDTH, SNAPSHOT_HEIGHT))
        return report_no_memory(report, "the snapshot");
    s->size = vec_distance(s->drawing.lower, s->drawing.upper);
    drawing_vertices(&s->drawing, s->state, s->vertex);
    find_faces(s);
    find_corners(s);
    find_moved(s);
    drawing_lines(&s->drawing, s->state, s->line);
    drawing_joints(&s->drawing, s->state, s->joint);
    LITHE_TRY(find_arrows(s, memory, report));
    LITHE_TRY(look(s, camera, memory, report));
    draw_skin(s);
    draw_obstacles(s);
    draw_lines(s);
    draw_joints(s);
    draw_arrows(s);
    return LITHE_OK;
}

static lithe_status write_file(sketch *s, arena *memory, const char *path, lithe_report *report)
{
    draft d;
    png picture;
    LITHE_TRY(png_create(&picture, SNAPSHOT_WIDTH, SNAPSHOT_HEIGHT, memory, report));
    for (int y = 0; y < SNAPSHOT_HEIGHT; y++)
        raster_row(&s->raster, y, png_row(&picture, y));
    LITHE_TRY(draft_open(&d, path, report));
    lithe_status status = png_write(&picture, d.file, memory, report);
    if (status == LITHE_OK)
        return draft_commit(&d, report);
    draft_discard(&d);
    return status;
}

lithe_status snapshot_write(const lithe_model *m, const lithe_state *s,
                            const snapshot_camera *camera, const char *path, lithe_report *report)
{
    arena memory = {0};
    sketch k = {.state = s};
    lithe_status status = drawing_create(m, &k.drawing, report);
    if (status == LITHE_OK)
        status = draw(&k, &memory, camera, report);
    if (status == LITHE_OK)
        status = write_file(&k, &memory, path, report);
    raster_free(&k.raster);
    drawing_free(&k.drawing);
    arena_free(&memory);
    return status;
}
