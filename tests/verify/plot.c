// Errors under refinement as a picture: both axes logarithmic, a curve for each element, the gate.
#include "table.h"

#include <math.h>

enum { LEFT = 76, TOP = 40, WIDTH = 420, HEIGHT = 300, RIGHT = 170, BOTTOM = 56 };

// Logarithms of what the axes span.
typedef struct span {
    double low[2], high[2];
} span;

// Colours that stand out on white and on black.
static const char *const colour[MOST_CURVES] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#8c6d00", "#56b4e9", "#7a5fd0", "#888888"};

static void widen(span *s, int axis, double value)
{
    if (!(value > 0))
        return;
    s->low[axis] = fmin(s->low[axis], log10(value));
    s->high[axis] = fmax(s->high[axis], log10(value));
}

static span measure(const table_plot *plot)
{
    span s = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int c = 0; c < plot->ncurve; c++)
        for (int i = 0; i < plot->curve[c].n; i++) {
            widen(&s, 0, plot->curve[c].x[i]);
            widen(&s, 1, plot->curve[c].error[i]);
        }
    widen(&s, 1, plot->what->gate);
    s.low[0] -= 0.06;
    s.high[0] += 0.06;
    s.low[1] = floor(s.low[1]);
    s.high[1] = ceil(s.high[1] + 1e-9);
    return s;
}

static double across(const span *s, double x)
{
    return LEFT + WIDTH * (log10(x) - s->low[0]) / (s->high[0] - s->low[0]);
}

static double down(const span *s, double y)
{
    return TOP + HEIGHT * (s->high[1] - log10(y)) / (s->high[1] - s->low[1]);
}

static void number(FILE *file, double value)
{
    if (value >= 0.01 && value < 1e5)
        fprintf(file, "%g", value);
    else
        fprintf(file, "1e%d", (int)lround(log10(value)));
}

static void write_axes(FILE *file, const table_plot *plot, const span *s)
{
    for (int k = (int)s->low[1]; k <= (int)s->high[1]; k++) {
        double y = down(s, pow(10, k));
        fprintf(file, "<path class=\"grid\" d=\"M%d %.1fh%d\"/>\n", LEFT, y, WIDTH);
        fprintf(file, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 8, y + 4);
        number(file, pow(10, k));
        fprintf(file, "</text>\n");
    }
    bool short_range = s->high[0] - s->low[0] < 1.6;
    for (int k = (int)floor(s->low[0]); k <= (int)ceil(s->high[0]); k++)
        for (int m = 1; m < 10; m++) {
            double value = m * pow(10, k), x = across(s, value);
            if (x < LEFT || x > LEFT + WIDTH)
                continue;
            bool named = m == 1 || (short_range && (m == 2 || m == 5));
            fprintf(file, "<path class=\"%s\" d=\"M%.1f %dv%d\"/>\n", named ? "grid" : "tick", x,
                    named ? TOP : TOP + HEIGHT, named ? HEIGHT : 4);
            if (!named)
                continue;
            fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", x,
                    TOP + HEIGHT + 18);
            number(file, value);
            fprintf(file, "</text>\n");
        }
    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", LEFT + WIDTH / 2,
            TOP + HEIGHT + 42, plot->what->x);
    fprintf(file,
            "<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
            TOP + HEIGHT / 2, plot->what->y);
}

static void write_mark(FILE *file, int c, double x, double y)
{
    static const char *const form[4] = {"M%.1f %.1fm-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0",
                                        "M%.1f %.1fm-4 -4h8v8h-8z", "M%.1f %.1fm0 -5l5 9h-10z",
                                        "M%.1f %.1fm0 -5l5 5l-5 5l-5 -5z"};
    const char *closed[2] = {"fill", "stroke-width=\"1.5\" fill=\"none\" stroke"};
    fprintf(file, "<path %s=\"%s\" d=\"", closed[c >= 4], colour[c]);
    switch (c % 4) {
    case 0: fprintf(file, form[0], x, y); break;
    case 1: fprintf(file, form[1], x, y); break;
    case 2: fprintf(file, form[2], x, y); break;
    default: fprintf(file, form[3], x, y);
    }
    fprintf(file, "\"/>\n");
}

static void write_curve(FILE *file, const table_curve *curve, int c, const span *s)
{
    bool begun = false;
    fprintf(file, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" d=\"", colour[c]);
    for (int i = 0; i < curve->n; i++)
        if (curve->error[i] > 0 && isfinite(curve->error[i])) {
            fprintf(file, "%c%.1f %.1f", begun ? 'L' : 'M', across(s, curve->x[i]),
                    down(s, curve->error[i]));
            begun = true;
        }
    fprintf(file, "\"/>\n");
    for (int i = 0; i < curve->n; i++)
        if (curve->error[i] > 0 && isfinite(curve->error[i]))
            write_mark(file, c, across(s, curve->x[i]), down(s, curve->error[i]));
    int y = TOP + 12 + 22 * c;
    write_mark(file, c, LEFT + WIDTH + 20, y);
    fprintf(file, "<text x=\"%d\" y=\"%d\">%s</text>\n", LEFT + WIDTH + 32, y + 4, curve->name);
}

void plot_write(FILE *file, const table_plot *plot)
{
    span s = measure(plot);
    int width = LEFT + WIDTH + RIGHT, height = TOP + HEIGHT + BOTTOM;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" font-family=\"sans-serif\" font-size=\"13\">\n"
            "<style>.ground{fill:#fff}text{fill:#222}.grid{stroke:#ddd}.tick{stroke:#888}"
            ".gate{stroke:#b00}.gate-name{fill:#b00}\n"
            "@media (prefers-color-scheme:dark){.ground{fill:#15181c}text{fill:#ddd}"
            ".grid{stroke:#383d44}.gate{stroke:#ff7b72}.gate-name{fill:#ff7b72}}</style>\n"
            "<rect class=\"ground\" width=\"%d\" height=\"%d\"/>\n",
            width, height, width, height, width, height);
    fprintf(file, "<text x=\"%d\" y=\"24\" font-size=\"15\">%s</text>\n", LEFT, plot->what->title);
    write_axes(file, plot, &s);
    if (!isnan(plot->what->gate)) {
        double y = down(&s, plot->what->gate);
        fprintf(file,
                "<path class=\"gate\" stroke-width=\"1.5\" stroke-dasharray=\"6 4\" d=\"M%d "
                "%.1fh%d\"/>\n<text class=\"gate-name\" x=\"%d\" y=\"%.1f\">gate</text>\n",
                LEFT, y, WIDTH, LEFT + 6, y - 5);
    }
    for (int c = 0; c < plot->ncurve; c++)
        write_curve(file, &plot->curve[c], c, &s);
    fprintf(file, "</svg>\n");
}
