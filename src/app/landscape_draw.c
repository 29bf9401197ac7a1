// The landscape as a picture: a colour for every active set, darker where the cost is lower, the
// solver's way over it.
#include "app/landscape.h"

#include "base/tolerances.h"

#include <math.h>
#include <stdio.h>

enum { LEFT = 70, TOP = 20, SIDE = 480, SHADES = 24 };

static double across(const lithe_landscape *l, double effort)
{
    return LEFT + SIDE * (effort - l->low[0]) / (l->high[0] - l->low[0]);
}

static double down(const lithe_landscape *l, double effort)
{
    return TOP + SIDE * (1 - (effort - l->low[1]) / (l->high[1] - l->low[1]));
}

static double largest(const lithe_landscape *l)
{
    double most = SMALLEST_DIVISOR;
    int n = l->n == 2 ? LANDSCAPE_POINTS * LANDSCAPE_POINTS : LANDSCAPE_POINTS;
    for (int k = 0; k < n; k++)
        most = fmax(most, l->cost[k]);
    return most;
}

// Roots of costs, so that what is near a minimum can be told apart.
static int shade_of(const lithe_landscape *l, int at, double most)
{
    return (int)(sqrt(l->cost[at] / most) * (SHADES - 1) + 0.5);
}

// Hue in degrees, saturation and lightness from 0 to 1.
static unsigned colour_of(double hue, double saturation, double light)
{
    unsigned colour = 0;
    for (int k = 0; k < 3; k++) {
        double sector = fmod(hue / 30 + (k == 0 ? 0 : k == 1 ? 8 : 4), 12);
        double part = fmax(-1, fmin(fmin(sector - 3, 9 - sector), 1));
        double share = light - saturation * fmin(light, 1 - light) * part;
        colour = colour << 8 | (unsigned)(255 * share + 0.5);
    }
    return colour;
}

static void paint(canvas *c, int piece, int shade, double x, double y, double w, double h)
{
    double hue = fmod(210 + 137.508 * piece, 360), light = 0.28 + 0.62 * shade / (SHADES - 1);
    canvas_box(c, x, y, w, h, colour_of(hue, 0.55, light));
}

// Neighbours of one piece and shade are one rectangle.
static void draw_row(canvas *c, const lithe_landscape *l, int j, double most)
{
    double cell = (double)SIDE / LANDSCAPE_POINTS, overlap = 0.3;
    for (int i = 0, end; i < LANDSCAPE_POINTS; i = end) {
        int at = j * LANDSCAPE_POINTS + i, shade = shade_of(l, at, most);
        for (end = i + 1; end < LANDSCAPE_POINTS; end++) {
            int next = j * LANDSCAPE_POINTS + end;
            if (l->piece[next] != l->piece[at] || shade_of(l, next, most) != shade)
                break;
        }
        paint(c, l->piece[at], shade, LEFT + i * cell, TOP + SIDE - (j + 1) * cell,
              (end - i) * cell + overlap, cell + overlap);
    }
}

static void draw_curve(canvas *c, const lithe_landscape *l, double most)
{
    double cell = (double)SIDE / LANDSCAPE_POINTS, point[LANDSCAPE_POINTS][2];
    for (int i = 0; i < LANDSCAPE_POINTS; i++) {
        paint(c, l->piece[i], SHADES - 4, LEFT + i * cell, TOP, cell + 0.3, SIDE);
        point[i][0] = LEFT + (i + 0.5) * cell;
        point[i][1] = TOP + SIDE * (1 - l->cost[i] / most);
    }
    canvas_line(c, LANDSCAPE_POINTS, point, 2, 0x111111);
}

// With one actuator, what is marked stands at the foot of the picture.
static double height_of(const lithe_landscape *l, const double at[2])
{
    return l->n == 2 ? down(l, at[1]) : TOP + SIDE;
}

static void draw_path(canvas *c, const lithe_landscape *l)
{
    double point[LITHE_LANDSCAPE_PATH][2];
    for (int k = 0; k < l->npath; k++) {
        point[k][0] = across(l, l->path[k][0]);
        point[k][1] = height_of(l, l->path[k]);
    }
    canvas_line(c, l->npath, point, 2.5, 0xffffff);
    for (int k = 0; k < l->nminimum; k++)
        canvas_circle(c, "minimum", across(l, l->minimum[k][0]), height_of(l, l->minimum[k]), 7,
                      2.5, k ? 0x00aa00 : 0xdd0000);
    const double *end = point[l->npath - 1];
    canvas_cross(c, "end", end[0], end[1], 5, 2.5, 0xffffff);
}

static void draw_axis(canvas *c, const lithe_landscape *l, int axis, const landscape_axis *what)
{
    char text[160];
    for (int k = 0; k <= 4; k++) {
        double effort = l->low[axis] + 0.25 * k * (l->high[axis] - l->low[axis]);
        snprintf(text, sizeof text, "%.4g", effort / what->scale);
        if (axis == 0)
            canvas_text(c, across(l, effort), TOP + SIDE + 18, CANVAS_MIDDLE, false, text);
        else
            canvas_text(c, LEFT - 8, down(l, effort) + 4, CANVAS_END, false, text);
    }
    snprintf(text, sizeof text, "%s (%s)", what->name, what->unit);
    if (axis == 0)
        canvas_text(c, LEFT + SIDE / 2.0, TOP + SIDE + 40, CANVAS_MIDDLE, false, text);
    else
        canvas_text(c, 16, TOP + SIDE / 2.0, CANVAS_MIDDLE, true, text);
}

void landscape_draw(canvas *c, const lithe_landscape *l, const landscape_axis axis[2])
{
    double most = largest(l);
    for (int j = 0; j < LANDSCAPE_POINTS && l->n == 2; j++)
        draw_row(c, l, j, most);
    if (l->n == 1)
        draw_curve(c, l, most);
    draw_path(c, l);
    for (int k = 0; k < l->n; k++)
        draw_axis(c, l, k, &axis[k]);
}
