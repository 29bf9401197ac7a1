#include "io/raster.h"

#include "base/memory.h"
#include "base/vec.h"
#include "io/tolerances.h"

#include <math.h>
#include <string.h>

static void paint_sky(raster *r)
{
    for (int y = 0; y < r->height; y++) {
        double share = (double)y / r->height;
        unsigned char *p = r->rgb + 3 * (size_t)y * (size_t)r->width;
        for (int x = 0; x < r->width; x++)
            for (int k = 0; k < 3; k++)
                *p++ = (unsigned char)(253 - share * (24 - 5 * k));
    }
}

bool raster_create(raster *r, int width, int height)
{
    *r = (raster){
        .width = width * RASTER_SAMPLES, .height = height * RASTER_SAMPLES, .veil = RASTER_ALL};
    size_t n = (size_t)r->width * (size_t)r->height;
    r->depth = memory_alloc(n * sizeof *r->depth);
    r->rgb = memory_alloc(3 * n);
    if (!r->depth || !r->rgb)
        return false;
    memset(r->depth, 0, n * sizeof *r->depth);
    paint_sky(r);
    return true;
}

void raster_free(raster *r)
{
    memory_free(r->depth);
    memory_free(r->rgb);
}

static void normalize(double v[3])
{
    double length = vec_norm(v);
    for (int i = 0; i < 3; i++)
        v[i] /= length > 0 ? length : 1;
}

void raster_look(raster *r, const double eye[3], const double middle[3], const double up[3],
                 double field)
{
    memcpy(r->eye, eye, sizeof r->eye);
    vec_sub(r->axes[2], eye, middle);
    normalize(r->axes[2]);
    vec_cross(r->axes[0], up, r->axes[2]);
    normalize(r->axes[0]);
    vec_cross(r->axes[1], r->axes[2], r->axes[0]);
    r->focus = 0.5 * r->height / tan(0.5 * field);
    for (int i = 0; i < 3; i++)
        r->light[i] = 0.5 * r->axes[0][i] + 0.9 * up[i] + 0.7 * r->axes[2][i];
    normalize(r->light);
}

// A vertex on the screen.
typedef struct spot {
    double x, y, inverse; // samples; 1 / distance
} spot;

static spot project(const raster *r, const double at[3])
{
    double away[3];
    vec_sub(away, at, r->eye);
    double distance = -vec_dot(away, r->axes[2]);
    return (spot){0.5 * r->width + r->focus * vec_dot(away, r->axes[0]) / distance,
                  0.5 * r->height - r->focus * vec_dot(away, r->axes[1]) / distance, 1 / distance};
}

static unsigned char display(double linear)
{
    double c = fmin(fmax(linear, 0), 1);
    c = c <= 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1 / 2.4) - 0.055;
    return (unsigned char)(255 * c + 0.5);
}

// A soft sky, a lamp, and a little gloss.
static void shade(const raster *r, double normal[3], const double colour[3], unsigned char *rgb)
{
    normalize(normal);
    if (vec_dot(normal, r->axes[2]) < 0)
        for (int i = 0; i < 3; i++)
            normal[i] = -normal[i];
    double half[3];
    for (int i = 0; i < 3; i++)
        half[i] = r->light[i] + r->axes[2][i];
    normalize(half);
    double lamp = fmax(0, vec_dot(normal, r->light)), sky = 0.5 + 0.5 * vec_dot(normal, r->axes[1]);
    double gloss = 0.10 * pow(fmax(0, vec_dot(normal, half)), 40);
    for (int k = 0; k < 3; k++)
        rgb[k] = display(colour[k] * (0.22 + 0.28 * sky + 0.75 * lamp) + gloss);
}

static void mix(const raster_vertex v[3], const double w[3], double normal[3], double colour[3])
{
    for (int i = 0; i < 3; i++) {
        normal[i] = w[0] * v[0].normal[i] + w[1] * v[1].normal[i] + w[2] * v[2].normal[i];
        colour[i] = w[0] * v[0].colour[i] + w[1] * v[1].colour[i] + w[2] * v[2].colour[i];
    }
}

static int clamp(double value, int most)
{
    return (int)fmin(fmax(value, 0), most);
}

// How much nearer than it is what lies before everything else is taken to be.
static const double far_before = 1e6;

static bool is_drawn(const raster *r, int x, int y)
{
    return r->veil >> (y % RASTER_SAMPLES * RASTER_SAMPLES + x % RASTER_SAMPLES) & 1;
}

void raster_triangle(raster *r, const raster_vertex v[3])
{
    spot p[3];
    for (int i = 0; i < 3; i++)
        p[i] = project(r, v[i].at);
    double area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
    if (!(fabs(area) > RASTER_FLAT) || !(p[0].inverse > 0 && p[1].inverse > 0 && p[2].inverse > 0))
        return;
    int left = clamp(floor(fmin(p[0].x, fmin(p[1].x, p[2].x))), r->width);
    int right = clamp(ceil(fmax(p[0].x, fmax(p[1].x, p[2].x))), r->width);
    int top = clamp(floor(fmin(p[0].y, fmin(p[1].y, p[2].y))), r->height);
    int bottom = clamp(ceil(fmax(p[0].y, fmax(p[1].y, p[2].y))), r->height);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            double dx = x + 0.5 - p[0].x, dy = y + 0.5 - p[0].y, w[3];
            w[1] = (dx * (p[2].y - p[0].y) - dy * (p[2].x - p[0].x)) / area;
            w[2] = (dy * (p[1].x - p[0].x) - dx * (p[1].y - p[0].y)) / area;
            w[0] = 1 - w[1] - w[2];
            if (w[0] < 0 || w[1] < 0 || w[2] < 0 || !is_drawn(r, x, y))
                continue;
            double inverse = w[0] * p[0].inverse + w[1] * p[1].inverse + w[2] * p[2].inverse;
            inverse *= r->above ? far_before : 1;
            size_t at = (size_t)y * (size_t)r->width + (size_t)x;
            if (inverse <= r->depth[at])
                continue;
            double normal[3], colour[3];
            r->depth[at] = (float)inverse;
            mix(v, w, normal, colour);
            shade(r, normal, colour, r->rgb + 3 * at);
        }
}

void raster_row(const raster *r, int row, unsigned char *out)
{
    for (int x = 0; x < r->width / RASTER_SAMPLES; x++)
        for (int k = 0; k < 3; k++) {
            int sum = 0;
            for (int j = 0; j < RASTER_SAMPLES; j++)
                for (int i = 0; i < RASTER_SAMPLES; i++) {
                    size_t line = (size_t)(row * RASTER_SAMPLES + j) * (size_t)r->width;
                    sum += r->rgb[3 * (line + (size_t)(x * RASTER_SAMPLES + i)) + (size_t)k];
                }
            *out++ = (unsigned char)(sum / (RASTER_SAMPLES * RASTER_SAMPLES));
        }
}
