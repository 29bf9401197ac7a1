#include "curves.h"

#include "table.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 640, HEIGHT = 360, LEFT = 64, TOP = 46, RIGHT = 16, BOTTOM = 44 };

curve *curves_add(curves *c, const char *name, const char *colour)
{
    curve *out = &c->curve[c->n < CURVES_MOST ? c->n++ : CURVES_MOST - 1];
    out->name = name;
    out->colour = colour;
    out->n = 0;
    return out;
}

void curve_point(curve *c, double x, double y)
{
    if (c->n < CURVES_POINTS) {
        c->x[c->n] = x;
        c->y[c->n++] = y;
    }
}

typedef struct frame {
    double low[2], high[2];
} frame;

static frame fit(const curves *c)
{
    frame f = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int k = 0; k < c->n; k++)
        for (int i = 0; i < c->curve[k].n; i++) {
            double at[2] = {c->curve[k].x[i], c->curve[k].y[i]};
            for (int a = 0; a < 2; a++) {
                f.low[a] = fmin(f.low[a], at[a]);
                f.high[a] = fmax(f.high[a], at[a]);
            }
        }
    double margin = fmax(0.05 * (f.high[1] - f.low[1]), 1e-9);
    f.low[1] -= margin;
    f.high[1] += margin;
    return f;
}

static double position_x(const frame *f, double x)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * (x - f->low[0]) / (f->high[0] - f->low[0]);
}

static double position_y(const frame *f, double y)
{
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (y - f->low[1]) / (f->high[1] - f->low[1]);
}

// A round distance of about five ticks.
static double tick(double span)
{
    double size = pow(10, floor(log10(span / 4)));
    double share = span / 4 / size;
    return size * (share < 2 ? 1 : share < 5 ? 2 : 5);
}

static void draw_axes(FILE *file, const curves *c, const frame *f)
{
    double step = tick(f->high[0] - f->low[0]), up = tick(f->high[1] - f->low[1]);
    fprintf(file,
            "<g font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n"
            "<text x=\"%d\" y=\"16\">%s</text>\n"
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n"
            "<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
            LEFT, c->title, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, c->across, HEIGHT / 2, c->up);
    for (double x = step * ceil(f->low[0] / step); x <= f->high[0] + 1e-9 * step; x += step)
        fprintf(file,
                "<path d=\"M%.1f %dV%d\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"%d\" "
                "text-anchor=\"middle\">%g</text>\n",
                position_x(f, x), TOP, HEIGHT - BOTTOM, position_x(f, x), HEIGHT - BOTTOM + 15,
                fabs(x) < 1e-9 * step ? 0 : x);
    for (double y = up * ceil(f->low[1] / up); y <= f->high[1] + 1e-9 * up; y += up)
        fprintf(file,
                "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" "
                "text-anchor=\"end\">%g</text>\n",
                LEFT, position_y(f, y), WIDTH - RIGHT, LEFT - 6, position_y(f, y) + 4,
                fabs(y) < 1e-9 * up ? 0 : y);
}

bool curves_write(const curves *c, const char *name)
{
    frame f = fit(c);
    FILE *file = fopen(text("%s/docs/pictures/%s", LITHE_ROOT, name), "w");
    if (!file)
        return false;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    draw_axes(file, c, &f);
    for (int k = 0; k < c->n; k++)
        fprintf(file,
                "<path d=\"M%d 32h18\" stroke=\"%s\" stroke-width=\"2\"/><text x=\"%d\" "
                "y=\"36\">%s</text>\n",
                LEFT + 140 * k, c->curve[k].colour, LEFT + 140 * k + 22, c->curve[k].name);
    fprintf(file, "</g>\n");
    for (int k = 0; k < c->n; k++) {
        const curve *one = &c->curve[k];
        fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"",
                one->colour);
        for (int i = 0; i < one->n; i++)
            fprintf(file, "%s%.1f,%.1f", i ? " " : "", position_x(&f, one->x[i]),
                    position_y(&f, one->y[i]));
        fprintf(file, "\"/>\n");
    }
    fprintf(file, "</svg>\n");
    return fclose(file) == 0;
}
