#include "io/canvas.h"

#include "io/glyph.h"

#include <math.h>
#include <string.h>

enum { PIXELS = 2, FONT = 13 };

// As much of a pixel as the line covers takes its colour.
static void blend(unsigned char *pixel, double share, unsigned colour)
{
    for (int k = 0; k < 3; k++) {
        double to = colour >> (16 - 8 * k) & 255;
        pixel[k] = (unsigned char)(pixel[k] + share * (to - pixel[k]) + 0.5);
    }
}

static int within(double value, int most)
{
    return (int)fmin(fmax(value, 0), most);
}

lithe_status canvas_create(canvas *c, FILE *file, bool pixels, int width, int height, arena *memory,
                           lithe_report *report)
{
    *c = (canvas){.file = file, .pixels = pixels};
    if (pixels) {
        lithe_status status = png_create(&c->png, PIXELS * width, PIXELS * height, memory, report);
        if (status != LITHE_OK)
            return status;
    } else
        fprintf(file,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
                "font-family=\"sans-serif\" font-size=\"%d\">\n",
                width, height, FONT);
    canvas_box(c, 0, 0, width, height, 0xffffff);
    return LITHE_OK;
}

void canvas_box(canvas *c, double x, double y, double width, double height, unsigned colour)
{
    if (!c->pixels) {
        fprintf(c->file,
                "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#%06x\"/>\n", x,
                y, width, height, colour);
        return;
    }
    int left = within(round(PIXELS * x), c->png.width);
    int right = within(round(PIXELS * (x + width)), c->png.width);
    int bottom = within(round(PIXELS * (y + height)), c->png.height);
    for (int j = within(round(PIXELS * y), c->png.height); j < bottom; j++)
        for (int i = left; i < right; i++)
            blend(png_row(&c->png, j) + 3 * (size_t)i, 1, colour);
}

static double distance_to(const double a[2], const double b[2], double x, double y)
{
    double u[2] = {b[0] - a[0], b[1] - a[1]}, v[2] = {x - a[0], y - a[1]};
    double square = u[0] * u[0] + u[1] * u[1];
    double at = square > 0 ? fmin(fmax((u[0] * v[0] + u[1] * v[1]) / square, 0), 1) : 0;
    return hypot(v[0] - at * u[0], v[1] - at * u[1]);
}

// A straight piece with round ends; a dot where a = b.
static void stroke(canvas *c, const double a[2], const double b[2], double width, unsigned colour)
{
    double from[2] = {PIXELS * a[0], PIXELS * a[1]}, to[2] = {PIXELS * b[0], PIXELS * b[1]};
    double half = 0.5 * PIXELS * width, reach = half + 1;
    int left = within(floor(fmin(from[0], to[0]) - reach), c->png.width);
    int right = within(ceil(fmax(from[0], to[0]) + reach), c->png.width);
    int top = within(floor(fmin(from[1], to[1]) - reach), c->png.height);
    int bottom = within(ceil(fmax(from[1], to[1]) + reach), c->png.height);
    for (int j = top; j < bottom; j++)
        for (int i = left; i < right; i++) {
            double covered = half + 0.5 - distance_to(from, to, i + 0.5, j + 0.5);
            if (covered > 0)
                blend(png_row(&c->png, j) + 3 * (size_t)i, fmin(covered, 1), colour);
        }
}

void canvas_line(canvas *c, int n, double (*point)[2], double width, unsigned colour)
{
    for (int k = 0; k + 1 < n && c->pixels; k++)
        stroke(c, point[k], point[k + 1], width, colour);
    if (c->pixels)
        return;
    fprintf(c->file, "<polyline fill=\"none\" stroke=\"#%06x\" stroke-width=\"%g\" points=\"",
            colour, width);
    for (int k = 0; k < n; k++)
        fprintf(c->file, "%.2f,%.2f ", point[k][0], point[k][1]);
    fputs("\"/>\n", c->file);
}

void canvas_circle(canvas *c, const char *name, double x, double y, double radius, double width,
                   unsigned colour)
{
    enum { SIDES = 48 };
    if (!c->pixels) {
        fprintf(c->file,
                "<circle class=\"%s\" cx=\"%.2f\" cy=\"%.2f\" r=\"%g\" fill=\"none\" "
                "stroke=\"#%06x\" stroke-width=\"%g\"/>\n",
                name, x, y, radius, colour, width);
        return;
    }
    double point[SIDES + 1][2];
    for (int k = 0; k <= SIDES; k++) {
        double angle = 6.283185307179586 * k / SIDES;
        point[k][0] = x + radius * cos(angle);
        point[k][1] = y + radius * sin(angle);
    }
    canvas_line(c, SIDES + 1, point, width, colour);
}

void canvas_cross(canvas *c, const char *name, double x, double y, double half, double width,
                  unsigned colour)
{
    if (!c->pixels) {
        fprintf(c->file,
                "<path class=\"%s\" d=\"M%.2f %.2f l%g %g m0 %g l%g %g\" stroke=\"#%06x\" "
                "stroke-width=\"%g\"/>\n",
                name, x - half, y - half, 2 * half, 2 * half, -2 * half, -2 * half, 2 * half,
                colour, width);
        return;
    }
    for (int side = -1; side <= 1; side += 2)
        stroke(c, (double[]){x - half, y - side * half}, (double[]){x + half, y + side * half},
               width, colour);
}

// `along` the text and `up` from its line become a point of the picture.
static void position(double x, double y, bool rotated, double along, double up, double out[2])
{
    out[0] = rotated ? x - up : x + along;
    out[1] = rotated ? y - along : y - up;
}

static void write_letter(canvas *c, double x, double y, bool rotated, double along, char letter)
{
    const double unit = (double)FONT / GLYPH_SIZE;
    double last[2], next[2];
    const char *at = glyph_strokes(letter);
    for (bool down = false; *at;) {
        if (*at == ' ') {
            down = false;
            at++;
            continue;
        }
        position(x, y, rotated, along + unit * (at[0] - '0'), unit * (at[1] - '0' - GLYPH_BASE),
                 next);
        if (down)
            stroke(c, last, next, 0.1 * FONT, 0);
        memcpy(last, next, sizeof last);
        down = true;
        at += 2;
    }
}

static void write_letters(canvas *c, double x, double y, canvas_anchor anchor, bool rotated,
                          const char *text)
{
    const double unit = (double)FONT / GLYPH_SIZE;
    double length = unit * (GLYPH_ADVANCE * (double)strlen(text) - GLYPH_ADVANCE + GLYPH_WIDTH);
    double along = anchor == CANVAS_MIDDLE ? -0.5 * length : anchor == CANVAS_END ? -length : 0;
    for (; *text; text++, along += unit * GLYPH_ADVANCE)
        write_letter(c, x, y, rotated, along, *text);
}

void canvas_text(canvas *c, double x, double y, canvas_anchor anchor, bool rotated,
                 const char *text)
{
    static const char *const word[] = {"start", "middle", "end"};
    if (c->pixels) {
        write_letters(c, x, y, anchor, rotated, text);
        return;
    }
    fprintf(c->file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"", x, y, word[anchor]);
    if (rotated)
        fprintf(c->file, " transform=\"rotate(-90 %.1f %.1f)\"", x, y);
    fprintf(c->file, ">%s</text>\n", text);
}

lithe_status canvas_finish(canvas *c, arena *memory, lithe_report *report)
{
    if (c->pixels)
        return png_write(&c->png, c->file, memory, report);
    fputs("</svg>\n", c->file);
    return LITHE_OK;
}
