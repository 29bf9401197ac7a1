#include "mixed.h"

#include "specimen.h"

#include <string.h>

static const double bow[9] = {0.2, 0.2, 0.3, 0.6, 0.5, 0.4, 1.4, 0.6, 0.9};
static const double ring[9] = {0.15, 0.2, 0.25, 0.85, 0.3, 0.4, 0.5, 0.8, 0.7};

const char *mixed_name(int parts)
{
    switch (parts) {
    case MIXED_ROD: return "curved, tapered rod";
    case MIXED_SHELL: return "crumpled shell";
    case MIXED_BLOCK | MIXED_ROD: return "rod glued into a block";
    case MIXED_BLOCK | MIXED_SHELL: return "shell glued into a block";
    case MIXED_BLOCK | MIXED_SPRING: return "block with springs";
    case MIXED_BLOCK | MIXED_THREAD: return "block with threads";
    default: return "block with all of them";
    }
}

static void add_rod(mixed *m)
{
    m->rod = lithe_rod_def_default();
    m->rod.name = "rod";
    m->rod.npoint = 3;
    m->rod.point = bow;
    m->rod.smooth = true;
    m->rod.elements = 6;
    m->rod.section = LITHE_RECTANGLE;
    m->rod.size[0] = 0.2;
    m->rod.size[1] = 0.15;
    m->rod.taper = 0.5;
    m->part.body.nrod = 1;
    m->part.body.rod = &m->rod;
}

// A square sheet across the block and beyond it, not flat.
static bool add_shell(mixed *m)
{
    enum { N = 3 };
    double x[3 * (N + 1) * (N + 1)];
    int tri[6 * N * N];
    for (int i = 0; i < (N + 1) * (N + 1); i++) {
        int line = i / (N + 1), column = i % (N + 1);
        x[3 * i] = 0.3 + 0.4 * column + 0.05 * specimen_uniform();
        x[3 * i + 1] = 0.2 + 0.2 * line + 0.05 * specimen_uniform();
        x[3 * i + 2] = 0.5 + 0.05 * specimen_uniform();
    }
    for (int i = 0; i < N * N; i++) {
        int a = i / N * (N + 1) + i % N, square[6] = {a, a + 1, a + N + 2, a, a + N + 2, a + N + 1};
        memcpy(&tri[6 * i], square, sizeof square);
    }
    if (lithe_mesh_create_surface((N + 1) * (N + 1), x, 2 * N * N, tri, &m->sheet,
                                  &m->part.report) != LITHE_OK)
        return false;
    m->shell = lithe_shell_def_default();
    m->shell.name = "sheet";
    m->shell.mesh = m->sheet;
    m->shell.thickness = 0.1;
    m->part.body.nshell = 1;
    m->part.body.shell = &m->shell;
    return true;
}

static void add_springs(mixed *m)
{
    static const double from[2][3] = {{0.1, 0.2, 0.3}, {0.3, 0.9, 0.6}},
                        to[2][3] = {{0.9, 0.7, 0.8}, {0.8, 0.1, 0.2}};
    for (int i = 0; i < 2; i++) {
        m->spring[i] = lithe_spring_def_default();
        m->spring[i].name = i ? "second" : "first";
        memcpy(m->spring[i].from, from[i], sizeof from[i]);
        memcpy(m->spring[i].to, to[i], sizeof to[i]);
        m->spring[i].stiffness = 0.7;
    }
    m->part.body.nspring = 2;
    m->part.body.spring = m->spring;
}

static void add_thread(mixed *m)
{
    m->thread = lithe_thread_def_default();
    m->thread.name = "thread";
    m->thread.npoint = 3;
    m->thread.point = ring;
    m->thread.closed = true;
    m->thread.radius = 0.1;
    m->thread.slack = false;
    m->part.body.nthread = 1;
    m->part.body.thread = &m->thread;
}

bool mixed_begin(mixed *m, int parts, lithe_element element, int n)
{
    memset(m, 0, sizeof *m);
    bar shape = {0};
    if (parts & MIXED_BLOCK)
        shape = bar_make(n, n, n, (double[]){0, 0, 0}, (double[]){1, 1, 1});
    piece_begin(&m->part, shape, 1, 0.3);
    m->part.body.element = parts & MIXED_BLOCK ? element : LITHE_AS_MESHED;
    if (parts & MIXED_ROD)
        add_rod(m);
    if (parts & MIXED_SPRING)
        add_springs(m);
    if (parts & MIXED_THREAD)
        add_thread(m);
    return !(parts & MIXED_SHELL) || add_shell(m);
}

bool mixed_compile(mixed *m)
{
    piece *p = &m->part;
    if (p->shape.nnode > 0)
        return piece_compile(p);
    return lithe_compile(&p->def, &p->model, &p->report) == LITHE_OK;
}

void mixed_end(mixed *m)
{
    piece_end(&m->part);
    lithe_mesh_free(m->sheet);
}
