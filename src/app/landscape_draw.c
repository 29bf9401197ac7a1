// The landscape as SVG: a colour for every active set, darker where the cost is lower, the solver's
// way over it.
#include "app/landscape.h"

#include <math.h>

enum { LEFT = 70, TOP = 20, SIDE = 480, SHADES = 24, WIDTH = 580, HEIGHT = 560 };

static double across(const landscape *l, double effort)
{
    return LEFT + SIDE * (effort - l->low[0]) / (l->high[0] - l->low[0]);
}

static double down(const landscape *l, double effort)
{
    return TOP + SIDE * (1 - (effort - l->low[1]) / (l->high[1] - l->low[1]));
}

static double largest(const landscape *l)
{
    double most = 1e-300;
    int n = l->n == 2 ? LANDSCAPE_POINTS * LANDSCAPE_POINTS : LANDSCAPE_POINTS;
    for (int k = 0; k < n; k++)
        most = fmax(most, l->cost[k]);
    return most;
}

// Roots of costs, so that what is near a minimum can be told apart.
static int shade_of(const landscape *l, int at, double most)
{
    return (int)(sqrt(l->cost[at] / most) * (SHADES - 1) + 0.5);
}

static void paint(FILE *file, int piece, int shade, double x, double y, double w, double h)
{
    double hue = fmod(210 + 137.508 * piece, 360), light = 28 + 62.0 * shade / (SHADES - 1);
    fprintf(file,
            "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
            "fill=\"hsl(%.0f,55%%,%.0f%%)\"/>\n",
            x, y, w, h, hue, light);
}

// Neighbours of one piece and shade are one rectangle.
static void draw_row(FILE *file, const landscape *l, int j, double most)
{
    double cell = (double)SIDE / LANDSCAPE_POINTS, overlap = 0.3;
    for (int i = 0, end; i < LANDSCAPE_POINTS; i = end) {
        int at = j * LANDSCAPE_POINTS + i, shade = shade_of(l, at, most);
        for (end = i + 1; end < LANDSCAPE_POINTS; end++) {
            int next = j * LANDSCAPE_POINTS + end;
            if (l->piece[next] != l->piece[at] || shade_of(l, next, most) != shade)
                break;
        }
        paint(file, l->piece[at], shade, LEFT + i * cell, TOP + SIDE - (j + 1) * cell,
              (end - i) * cell + overlap, cell + overlap);
    }
}

static void draw_curve(FILE *file, const landscape *l, double most)
{
    double cell = (double)SIDE / LANDSCAPE_POINTS;
    for (int i = 0; i < LANDSCAPE_POINTS; i++)
        paint(file, l->piece[i], SHADES - 4, LEFT + i * cell, TOP, cell + 0.3, SIDE);
    fputs("<polyline fill=\"none\" stroke=\"#111\" stroke-width=\"2\" points=\"", file);
    for (int i = 0; i < LANDSCAPE_POINTS; i++)
        fprintf(file, "%.2f,%.2f ", LEFT + (i + 0.5) * cell, TOP + SIDE * (1 - l->cost[i] / most));
    fputs("\"/>\n", file);
}

// With one actuator, what is marked stands at the foot of the picture.
static double height_of(const landscape *l, const double at[2])
{
    return l->n == 2 ? down(l, at[1]) : TOP + SIDE;
}

static void draw_path(FILE *file, const landscape *l)
{
    fputs("<polyline fill=\"none\" stroke=\"#fff\" stroke-width=\"2.5\" points=\"", file);
    for (int k = 0; k < l->npath; k++)
        fprintf(file, "%.2f,%.2f ", across(l, l->path[k][0]), height_of(l, l->path[k]));
    fputs("\"/>\n", file);
    for (int k = 0; k < l->nminimum; k++)
        fprintf(file,
                "<circle class=\"minimum\" cx=\"%.2f\" cy=\"%.2f\" r=\"7\" fill=\"none\" "
                "stroke=\"%s\" stroke-width=\"2.5\"/>\n",
                across(l, l->minimum[k][0]), height_of(l, l->minimum[k]), k ? "#0a0" : "#d00");
    const double *end = l->path[l->npath - 1];
    double x = across(l, end[0]), y = height_of(l, end);
    fprintf(file,
            "<path class=\"end\" d=\"M%.2f %.2f l10 10 m0 -10 l-10 10\" stroke=\"#fff\" "
            "stroke-width=\"2.5\"/>\n",
            x - 5, y - 5);
}

static void draw_axis(FILE *file, const landscape *l, int axis, const char *name, const char *unit,
                      double scale)
{
    for (int k = 0; k <= 4; k++) {
        double effort = l->low[axis] + 0.25 * k * (l->high[axis] - l->low[axis]);
        if (axis == 0)
            fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.4g</text>\n",
                    across(l, effort), TOP + SIDE + 18, effort / scale);
        else
            fprintf(file, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.4g</text>\n", LEFT - 8,
                    down(l, effort) + 4, effort / scale);
    }
    if (axis == 0)
        fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s (%s)</text>\n",
                LEFT + SIDE / 2, TOP + SIDE + 40, name, unit);
    else
        fprintf(file,
                "<text x=\"16\" y=\"%d\" text-anchor=\"middle\" "
                "transform=\"rotate(-90 16 %d)\">%s (%s)</text>\n",
                TOP + SIDE / 2, TOP + SIDE / 2, name, unit);
}

void landscape_draw(FILE *file, const landscape *l, const char *const name[2],
                    const char *const unit[2], const double scale[2])
{
    double most = largest(l);
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
            "font-family=\"sans-serif\" font-size=\"13\">\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    for (int j = 0; j < LANDSCAPE_POINTS && l->n == 2; j++)
        draw_row(file, l, j, most);
    if (l->n == 1)
        draw_curve(file, l, most);
    draw_path(file, l);
    for (int axis = 0; axis < l->n; axis++)
        draw_axis(file, l, axis, name[axis], unit[axis], scale[axis]);
    fputs("</svg>\n", file);
}
