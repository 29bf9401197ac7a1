#include "outline.h"

#include "step/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EDGES = 16384, MOST_CURVES = 8 };

// A side of an element's face: two corners, the node between them, and how many faces have it.
typedef struct edge {
    int corner[2], middle;
    int faces;
} edge;

typedef struct curve {
    double end[2][2], middle[2]; // mm
    int of;                      // which outline
} curve;

struct outline {
    const char *title;
    int nname;
    const char *name[MOST_CURVES], *colour[MOST_CURVES];
    int ncurve;
    curve curve[MOST_EDGES];
    double low[2], high[2];
};

outline *outline_create(const char *title)
{
    outline *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    o->title = title;
    o->low[0] = o->low[1] = INFINITY;
    o->high[0] = o->high[1] = -INFINITY;
    return o;
}

void outline_free(outline *o)
{
    free(o);
}

// Every face inside the plane is met twice, once from each side.
static void count_edge(edge *all, int *n, int a, int b, int middle)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    for (int i = 0; i < *n; i++)
        if (all[i].corner[0] == low && all[i].corner[1] == high) {
            all[i].faces++;
            return;
        }
    if (*n < MOST_EDGES)
        all[(*n)++] = (edge){{low, high}, middle, 1};
}

static int collect_edges(const lithe_model *m, edge *all)
{
    static const int face[4][6] = {
        {0, 1, 2, 4, 5, 6}, {0, 1, 3, 4, 8, 7}, {1, 2, 3, 5, 9, 8}, {0, 2, 3, 6, 9, 7}};
    const double *rest = lithe_rest(m);
    int n = 0;
    for (int e = 0; e < m->nelement; e++) {
        const int *node = &m->cell_node[m->cell_adr[e]];
        for (int f = 0; f < 4 && m->cell_adr[e + 1] - m->cell_adr[e] == 10; f++) {
            bool inside = true;
            for (int a = 0; a < 3; a++)
                inside = inside && fabs(rest[3 * node[face[f][a]] + 1]) < 1e-7;
            for (int a = 0; a < 3 && inside; a++)
                count_edge(all, &n, node[face[f][a]], node[face[f][(a + 1) % 3]],
                           node[face[f][3 + a]]);
        }
    }
    return n;
}

static void point_of(outline *o, const double *x, int node, double at[2])
{
    at[0] = 1e3 * x[3 * node];
    at[1] = 1e3 * x[3 * node + 2];
    for (int i = 0; i < 2; i++) {
        o->low[i] = fmin(o->low[i], at[i]);
        o->high[i] = fmax(o->high[i], at[i]);
    }
}

void outline_add(outline *o, const lithe_model *m, const lithe_state *s, const char *name,
                 const char *colour)
{
    edge *all = calloc(MOST_EDGES, sizeof *all);
    if (!all || o->nname == MOST_CURVES) {
        free(all);
        return;
    }
    int n = collect_edges(m, all);
    const double *x = lithe_position(s);
    for (int i = 0; i < n; i++) {
        if (all[i].faces > 2 || o->ncurve == MOST_EDGES)
            continue;
        curve *c = &o->curve[o->ncurve++];
        c->of = o->nname;
        for (int k = 0; k < 2; k++)
            point_of(o, x, all[i].corner[k], c->end[k]);
        point_of(o, x, all[i].middle, c->middle);
    }
    o->name[o->nname] = name;
    o->colour[o->nname++] = colour;
    free(all);
}

bool outline_write(const outline *o, const char *path)
{
    const double margin = 6, line = 5;
    double width = fmax(o->high[0] - o->low[0], 80) + 2 * margin;
    double head = margin + line * (o->nname + 1), height = o->high[1] - o->low[1] + margin + head;
    double left = o->low[0] - margin, top = o->high[1] + head;
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.1f %.1f\" width=\"%.0f\" "
            "height=\"%.0f\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
            "<g font-family=\"sans-serif\" font-size=\"3.5\" fill=\"#222\">\n"
            "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
            width, height, 6 * width, 6 * height, margin, margin, o->title);
    for (int i = 0; i < o->nname; i++)
        fprintf(file,
                "<path d=\"M%.1f %.1fh8\" stroke=\"%s\" stroke-width=\".8\"/>"
                "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                margin, margin + line * (i + 1) - 1, o->colour[i], margin + 10,
                margin + line * (i + 1), o->name[i]);
    fprintf(file, "</g>\n");
    for (int k = 0; k < o->nname; k++) {
        fprintf(file, "<path fill=\"none\" stroke=\"%s\" stroke-width=\".35\" d=\"", o->colour[k]);
        for (int i = 0; i < o->ncurve; i++) {
            const curve *c = &o->curve[i];
            if (c->of != k)
                continue;
            double control[2]; // of a parabola through the middle
            for (int a = 0; a < 2; a++)
                control[a] = 2 * c->middle[a] - 0.5 * (c->end[0][a] + c->end[1][a]);
            fprintf(file, "M%.2f %.2fQ%.2f %.2f %.2f %.2f", c->end[0][0] - left, top - c->end[0][1],
                    control[0] - left, top - control[1], c->end[1][0] - left, top - c->end[1][1]);
        }
        fprintf(file, "\"/>\n");
    }
    fprintf(file, "</svg>\n");
    return fclose(file) == 0;
}
