// Pictures of the largest gamma over gains, and of the measured one over the workspace.
#include "app/robustness.h"

#include "app/tolerances.h"

#include <math.h>
#include <stdio.h>

enum { LEFT = 70, TOP = 30, SIDE = 460, CELLS = 64, BAR = 560, SHADES = 32 };

// From dark blue over green to yellow; light at the high end.
static unsigned colour_of(double share)
{
    static const double stop[5][3] = {
        {68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};
    double at = 4 * fmin(fmax(share, 0), 1);
    int k = (int)fmin(at, 3);
    unsigned colour = 0;
    for (int i = 0; i < 3; i++)
        colour =
            colour << 8 | (unsigned)(stop[k][i] + (at - k) * (stop[k + 1][i] - stop[k][i]) + 0.5);
    return colour;
}

static void draw_bar(canvas *c, const char *const label[5])
{
    double step = (double)SIDE / SHADES;
    for (int k = 0; k < SHADES; k++)
        canvas_box(c, BAR, TOP + SIDE - (k + 1) * step, 16, step + 0.3,
                   colour_of((k + 0.5) / SHADES));
    for (int k = 0; k < 5; k++)
        canvas_text(c, BAR + 22, TOP + SIDE * (1 - 0.25 * k) + 4, CANVAS_START, false, label[k]);
}

// The range over four decades of ki and two of kp; both logarithmic.
static double kp_at(double share)
{
    return 0.01 * pow(200, share);
}

static double ki_at(double share)
{
    return 1e-6 * pow(1e6, share);
}

// Shades by 1 - gamma, up to 1: what is interesting is how near to 1 it is.
static double shade_of_gamma(double gamma)
{
    return -log10(fmax(1 - gamma, ROBUST_DARKEST)) / 3;
}

static void mark_gains(canvas *c, lithe_gains g)
{
    double x = LEFT + SIDE * log(g.kp / 0.01) / log(200);
    double y = TOP + SIDE * (1 - log(g.ki / 1e-6) / log(1e6));
    if (x >= LEFT && x <= LEFT + SIDE && y >= TOP && y <= TOP + SIDE)
        canvas_cross(c, "gains", x, y, 6, 2.5, 0xffffff);
}

// In as many shades as the bar has; -1: unstable.
static int shade_at(int i, int j)
{
    lithe_gains g = {kp_at((i + 0.5) / CELLS), ki_at((j + 0.5) / CELLS)};
    double gamma = lithe_largest_gamma(g, NULL);
    return gamma > 0 ? (int)fmin(shade_of_gamma(gamma) * SHADES, SHADES - 1) : -1;
}

// Neighbours of one shade are one box.
static void draw_column(canvas *c, int i)
{
    double cell = (double)SIDE / CELLS, overlap = 0.3;
    for (int j = 0, end; j < CELLS; j = end) {
        int shade = shade_at(i, j);
        for (end = j + 1; end < CELLS && shade_at(i, end) == shade; end++)
            continue;
        canvas_box(c, LEFT + i * cell, TOP + SIDE - end * cell, cell + overlap,
                   (end - j) * cell + overlap,
                   shade < 0 ? 0xdddddd : colour_of((shade + 0.5) / SHADES));
    }
}

void robust_draw_gains(canvas *c, const robust *r)
{
    static const char *const label[] = {"0", "0.822", "0.968", "0.9944", "0.999"};
    static const char *const kp_text[] = {"0.01", "0.14", "2"};
    static const char *const ki_text[] = {"1e-6", "1e-3", "1"};
    char title[160];
    for (int i = 0; i < CELLS; i++)
        draw_column(c, i);
    mark_gains(c, r->gains);
    for (int k = 0; k < 3; k++) {
        canvas_text(c, LEFT + 0.5 * k * SIDE, TOP + SIDE + 18, CANVAS_MIDDLE, false, kp_text[k]);
        canvas_text(c, LEFT - 8, TOP + SIDE * (1 - 0.5 * k) + 4, CANVAS_END, false, ki_text[k]);
    }
    snprintf(title, sizeof title, "largest gamma; kp %g, ki %g: %.5f; grey: unstable", r->gains.kp,
             r->gains.ki, r->largest);
    canvas_text(c, LEFT, 18, CANVAS_START, false, title);
    canvas_text(c, LEFT + SIDE / 2.0, TOP + SIDE + 40, CANVAS_MIDDLE, false, "kp");
    canvas_text(c, 16, TOP + SIDE / 2.0, CANVAS_MIDDLE, true, "ki");
    draw_bar(c, label);
}

// The two axes along which the tip moves most.
static void choose_axes(const robust *r, int axis[2], double low[3], double high[3])
{
    for (int i = 0; i < 3; i++) {
        low[i] = INFINITY;
        high[i] = -INFINITY;
        for (int k = 0; k < r->npose; k++) {
            low[i] = fmin(low[i], r->pose[k].position[i]);
            high[i] = fmax(high[i], r->pose[k].position[i]);
        }
    }
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (high[i] - low[i] < high[least] - low[least])
            least = i;
    axis[0] = least == 0 ? 1 : 0;
    axis[1] = least == 2 ? 1 : 2;
}

static void draw_ticks(canvas *c, const int axis[2], const double middle[2], double half)
{
    char text[32];
    for (int k = 0; k <= 2; k++) {
        double off = (k - 1) * half;
        snprintf(text, sizeof text, "%.3g", 1e3 * (middle[0] + off));
        canvas_text(c, LEFT + 0.5 * k * SIDE, TOP + SIDE + 18, CANVAS_MIDDLE, false, text);
        snprintf(text, sizeof text, "%.3g", 1e3 * (middle[1] + off));
        canvas_text(c, LEFT - 8, TOP + SIDE * (1 - 0.5 * k) + 4, CANVAS_END, false, text);
    }
    snprintf(text, sizeof text, "%c (mm)", "xyz"[axis[0]]);
    canvas_text(c, LEFT + SIDE / 2.0, TOP + SIDE + 40, CANVAS_MIDDLE, false, text);
    snprintf(text, sizeof text, "%c (mm)", "xyz"[axis[1]]);
    canvas_text(c, 16, TOP + SIDE / 2.0, CANVAS_MIDDLE, true, text);
}

void robust_draw_workspace(canvas *c, const robust *r)
{
    int axis[2];
    double low[3], high[3], most = r->pose[r->worst].inversion.gamma, middle[2],
                            half = ROBUST_LEAST_WIDTH;
    char title[160], number[5][16];
    const char *label[5];
    choose_axes(r, axis, low, high);
    for (int i = 0; i < 2; i++) {
        middle[i] = 0.5 * (low[axis[i]] + high[axis[i]]);
        half = fmax(half, 0.55 * (high[axis[i]] - low[axis[i]]));
    }
    canvas_box(c, LEFT, TOP, SIDE, SIDE, 0xf4f4f4);
    for (int k = 0; k < r->npose; k++) {
        const robust_pose *p = &r->pose[k];
        double x = LEFT + SIDE * 0.5 * (1 + (p->position[axis[0]] - middle[0]) / half);
        double y = TOP + SIDE * 0.5 * (1 - (p->position[axis[1]] - middle[1]) / half);
        canvas_circle(c, "pose", x, y, 3, 6, colour_of(p->inversion.gamma / most));
    }
    for (int k = 0; k < 5; k++) {
        snprintf(number[k], sizeof number[k], "%.3g", 0.25 * k * most);
        label[k] = number[k];
    }
    draw_ticks(c, axis, middle, half);
    snprintf(title, sizeof title, "measured gamma at %d poses: at most %.4f, allowed %.4f",
             r->npose, most, r->largest);
    canvas_text(c, LEFT, 18, CANVAS_START, false, title);
    draw_bar(c, label);
}
