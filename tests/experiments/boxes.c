#include "boxes.h"

#include "driven.h"
#include "table.h"

#include <math.h>
#include <stdio.h>

enum { HEIGHT = 360, LEFT = 56, TOP = 30, BOTTOM = 40, SLOT = 76, BOX = 34, WHISKER = 16 };

static double highest(const boxes *b)
{
    double most = 0;
    for (int k = 0; k < b->n; k++)
        most = fmax(most, spread_of(b->box[k].value, b->box[k].n).most);
    return 1e3 * most;
}

static double up(double top, double value)
{
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * 1e3 * value / top;
}

static void draw_axis(FILE *file, double top, int width)
{
    double step = top > 8 ? 2 : top > 3 ? 1 : 0.5;
    for (double y = 0; y <= top; y += step)
        fprintf(file,
                "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" "
                "text-anchor=\"end\">%g</text>\n",
                LEFT, up(top, 1e-3 * y), width, LEFT - 6, up(top, 1e-3 * y) + 4, y);
}

// A few of those beyond the whiskers: a crowd of them says no more than its ends.
static void draw_beyond(FILE *file, const box *b, double low, double high, double top, double x)
{
    for (int i = 0; i < b->n; i++)
        if (b->value[i] < low || b->value[i] > high)
            fprintf(file, "<path d=\"M%.1f %.1fh6m-3 -3v6\" stroke=\"#a33\"/>\n", x - 3,
                    up(top, b->value[i]));
}

static void draw_box(FILE *file, const box *b, double top, double x)
{
    spread s = spread_of(b->value, b->n);
    double reach = 1.5 * (s.three_quarters - s.quarter), low = s.quarter, high = s.three_quarters;
    for (int i = 0; i < b->n; i++) {
        if (b->value[i] >= s.quarter - reach)
            low = fmin(low, b->value[i]);
        if (b->value[i] <= s.three_quarters + reach)
            high = fmax(high, b->value[i]);
    }
    double left = x - BOX / 2.0;
    fprintf(file,
            "<path d=\"M%.1f %.1fV%.1fM%.1f %.1fV%.1fM%.1f %.1fh%dM%.1f %.1fh%d\" "
            "stroke=\"#222\" fill=\"none\"/>\n",
            x, up(top, low), up(top, s.quarter), x, up(top, s.three_quarters), up(top, high),
            x - WHISKER / 2.0, up(top, low), WHISKER, x - WHISKER / 2.0, up(top, high), WHISKER);
    fprintf(file,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"%s\" "
            "stroke=\"#222\"/><path d=\"M%.1f %.1fh%d\" stroke=\"#c00\" stroke-width=\"2\"/>\n",
            left, up(top, s.three_quarters), BOX, up(top, s.quarter) - up(top, s.three_quarters),
            b->colour, left, up(top, s.median), BOX);
    draw_beyond(file, b, low, high, top, x);
    if (isfinite(b->paper))
        fprintf(file,
                "<path d=\"M%.1f %.1fh%d\" stroke=\"#06c\" stroke-width=\"2\" "
                "stroke-dasharray=\"4 3\"/>\n",
                left - 8, up(top, b->paper), BOX + 16);
    fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", x,
            HEIGHT - BOTTOM + 16, b->name);
}

bool boxes_write(const boxes *b, const char *name)
{
    int width = LEFT + SLOT * b->n + 10;
    double top = 1.05 * highest(b);
    for (int k = 0; k < b->n; k++)
        top = fmax(top, isfinite(b->box[k].paper) ? 1050 * b->box[k].paper : 0);
    FILE *file = fopen(text("%s/docs/pictures/%s", LITHE_ROOT, name), "w");
    if (!file)
        return false;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
            "<g font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n"
            "<text x=\"%d\" y=\"16\">%s</text>\n"
            "<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">error "
            "(mm)</text>\n",
            width, HEIGHT, width, HEIGHT, LEFT, b->title, HEIGHT / 2);
    draw_axis(file, top, width - 10);
    for (int k = 0; k < b->n; k++)
        draw_box(file, &b->box[k], top, LEFT + SLOT * (k + 0.5));
    fprintf(file, "<text x=\"%d\" y=\"%d\" fill=\"#06c\">- - median of the paper</text>\n", LEFT,
            HEIGHT - 6);
    fprintf(file, "</g>\n</svg>\n");
    return fclose(file) == 0;
}
