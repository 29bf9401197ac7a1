#include "study.h"

#include <math.h>
#include <stddef.h>

static const double pi = 3.14159265358979323846;

static bool finish(blocks *b, const char *path)
{
    bool good = b && blocks_write(b, path);
    blocks_free(b);
    return good;
}

// ## a bar

static void map_bar(const void *shape, const double u[3], double at[3])
{
    const double *size = shape;
    at[0] = size[0] * u[0];
    at[1] = size[1] * (u[1] - 0.5);
    at[2] = size[2] * (u[2] - 0.5);
}

bool study_bar(const char *path, blocks_kind kind, const double size[3], const int cells[3])
{
    blocks *b = blocks_create(kind);
    if (b)
        blocks_add(b, cells, false, map_bar, size);
    return finish(b, path);
}

// ## the finger

// Its side view, as examples/finger/robot.geo draws it (mm): nine columns, in turn a block and the
// hinge above a notch.
enum { COLUMNS = 9 };
static const double length = 100, height = 15, width = 15, first = 22, pitch = 20, depth = 8,
                    mouth = 8, slot = 4, rounded = 10;

typedef struct column {
    int number;
    double low, high; // z
} column;

static double end_at(double z)
{
    double up = z - (height - rounded);
    return up <= 0 ? length : length - rounded + sqrt(fmax(0, rounded * rounded - up * up));
}

static void map_column(const void *shape, const double u[3], double at[3])
{
    const column *c = shape;
    double z = c->low + (c->high - c->low) * u[2];
    double half = (mouth + (slot - mouth) * fmin(z, depth) / depth) / 2,
           left = first + pitch * (c->number / 2 - 1), x[2] = {left + half, left + pitch - half};
    if (c->number % 2) {
        x[0] = left + pitch - half;
        x[1] = left + pitch + half;
    } else if (c->number == 0)
        x[0] = 0;
    else if (c->number == COLUMNS - 1)
        x[1] = end_at(z);
    at[0] = x[0] + (x[1] - x[0]) * u[0];
    at[1] = width * (u[1] - 0.5);
    at[2] = z;
}

bool study_finger(const char *path, blocks_kind kind, finger_cut n)
{
    blocks *b = blocks_create(kind);
    for (int c = 0; b && c < COLUMNS; c++) {
        int along = c % 2 ? n.hinge : n.block;
        if (c % 2 == 0)
            blocks_add(b, (int[3]){along, n.across, n.below}, false, map_column,
                       &(column){c, 0, depth});
        blocks_add(b, (int[3]){along, n.across, n.above}, false, map_column,
                   &(column){c, depth, height});
    }
    return finish(b, path);
}

// ## the accordion

// As examples/accordion/robot.geo has it (mm), but with round folds: the middle of the wall is a
// curve whose direction swings by a sine of its length. That way crest and root are as wide as
// there, and no corner is sharp, at which no element would converge well.
enum { FOLDS = 4 };
static const double tall = 50, plate = 5, root = 12, crest = 20, wall = 2.5;

typedef struct accordion {
    double swing, pace; // of the middle curve: largest direction (rad), length of a fold (mm)
    double bottom;      // of the plate that is made
} accordion;

// From a crest along the curve: r, z and direction.
static void walk(double swing, double pace, double s, double out[3])
{
    enum { STEPS = 200 };
    static const double weight[3] = {1.0 / 6, 4.0 / 6, 1.0 / 6};
    double h = s / STEPS;
    out[0] = out[1] = 0;
    for (int i = 0; i < STEPS; i++)
        for (int k = 0; k < 3; k++) {
            double direction = swing * sin(2 * pi * (i + 0.5 * k) * h / pace);
            out[0] -= weight[k] * h * sin(direction);
            out[1] += weight[k] * h * cos(direction);
        }
    out[2] = swing * sin(2 * pi * s / pace);
}

static accordion shape_of(void)
{
    const double rise = (tall - 2 * plate) / FOLDS / 2;
    double low = 1, high = 2.2, end[3];
    accordion a = {0};
    for (int i = 0; i < 60; i++) {
        a.swing = 0.5 * (low + high);
        walk(a.swing, 1, 0.5, end);
        if (-end[0] * rise < (crest - root) * end[1])
            low = a.swing;
        else
            high = a.swing;
    }
    a.pace = rise / end[1];
    return a;
}

static void rotation(double r, double share, double z, double at[3])
{
    double angle = 2 * pi * (share - 0.375);
    at[0] = r * cos(angle);
    at[1] = r * sin(angle);
    at[2] = z;
}

static void map_wall(const void *shape, const double u[3], double at[3])
{
    const accordion *a = shape;
    double folds = FOLDS * u[2], whole = floor(folds), end[3];
    walk(a->swing, a->pace, (folds - whole) * a->pace, end);
    double aside = wall * (u[0] - 0.5);
    rotation(crest + end[0] + aside * cos(end[2]), u[1],
             plate + whole * (tall - 2 * plate) / FOLDS + end[1] + aside * sin(end[2]), at);
}

static void map_edge(const void *shape, const double u[3], double at[3])
{
    const accordion *a = shape;
    rotation(crest + wall * (u[0] - 0.5), u[1], a->bottom + plate * u[2], at);
}

static void map_disc(const void *shape, const double u[3], double at[3])
{
    const accordion *a = shape;
    rotation((crest - wall / 2) * u[0], u[1], a->bottom + plate * u[2], at);
}

// Hexahedra cannot collapse on the axis: a square with bulging sides lies in the middle.
static void map_core(const void *shape, const double u[3], double at[3])
{
    const accordion *a = shape;
    double x = 2 * u[0] - 1, y = 2 * u[1] - 1, half = (crest - wall / 2) / 2;
    at[0] = half * x * sqrt(1 - 0.3 * y * y);
    at[1] = half * y * sqrt(1 - 0.3 * x * x);
    at[2] = a->bottom + plate * u[2];
}

static void map_ring(const void *shape, const double u[3], double at[3])
{
    const accordion *a = shape;
    double round = 4 * (u[1] - floor(u[1])), rim[3], core[3];
    int side = (int)round;
    double f = round - side;
    const double corner[4][2] = {{f, 0}, {1, f}, {1 - f, 1}, {0, 1 - f}};
    map_core(a, (double[3]){corner[side][0], corner[side][1], u[2]}, core);
    rotation(crest - wall / 2, u[1], core[2], rim);
    for (int i = 0; i < 3; i++)
        at[i] = core[i] + (rim[i] - core[i]) * u[0];
}

static void add_plate(blocks *b, blocks_kind kind, const accordion *a, accordion_cut n)
{
    if (kind == BLOCKS_HEX8) {
        blocks_add(b, (int[3]){n.around / 4, n.around / 4, 1}, false, map_core, a);
        blocks_add(b, (int[3]){n.radius, n.around, 1}, false, map_ring, a);
    } else
        blocks_add(b, (int[3]){n.radius, n.around, 1}, true, map_disc, a);
    blocks_add(b, (int[3]){n.wall, n.around, 1}, false, map_edge, a);
}

bool study_accordion(const char *path, blocks_kind kind, accordion_cut n)
{
    blocks *b = blocks_create(kind);
    accordion a = shape_of();
    for (int end = 0; b && end < 2; end++) {
        a.bottom = end ? tall - plate : 0;
        add_plate(b, kind, &a, n);
    }
    if (b)
        blocks_add(b, (int[3]){n.wall, n.around, 2 * FOLDS * n.fold}, false, map_wall, &a);
    return finish(b, path);
}
