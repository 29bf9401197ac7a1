#include "element/section.h"

#include <math.h>

// Saint-Venant's series; a the longer side, b the shorter.
static double rectangle_torsion(double a, double b)
{
    double sum = 0, pi5 = M_PI * M_PI * M_PI * M_PI * M_PI;
    for (int n = 1; n < 40; n += 2)
        sum += tanh(0.5 * n * M_PI * a / b) / ((double)n * n * n * n * n);
    return a * b * b * b * (1 - 192 * b / (pi5 * a) * sum) / 3;
}

static section_constants rectangle(double width, double height, double nu)
{
    section_constants c = {.area = width * height};
    double factor = 10 * (1 + nu) / (12 + 11 * nu);
    c.inertia[0] = width * height * height * height / 12;
    c.inertia[1] = height * width * width * width / 12;
    c.torsion = rectangle_torsion(fmax(width, height), fmin(width, height));
    c.shear[0] = c.shear[1] = factor * c.area;
    c.reach[0] = 0.5 * width;
    c.reach[1] = 0.5 * height;
    return c;
}

static section_constants tube(double outer, double inner, double nu)
{
    section_constants c = {.area = M_PI * (outer * outer - inner * inner)};
    double m = inner / outer, sum = (1 + m * m) * (1 + m * m);
    double factor = 6 * (1 + nu) * sum / ((7 + 6 * nu) * sum + (20 + 12 * nu) * m * m);
    c.inertia[0] = c.inertia[1] = 0.25 * c.area * (outer * outer + inner * inner);
    c.torsion = 2 * c.inertia[0];
    c.shear[0] = c.shear[1] = factor * c.area;
    c.reach[0] = c.reach[1] = outer;
    return c;
}

section_constants section_measure(const section *s, double poisson)
{
    if (s->kind == SECTION_RECTANGLE)
        return rectangle(s->size[0], s->size[1], poisson);
    return tube(s->size[0], s->kind == SECTION_TUBE ? s->size[1] : 0, poisson);
}

section section_between(const section *a, const section *b, double t)
{
    section s = {.kind = a->kind};
    for (int i = 0; i < 2; i++)
        s.size[i] = (1 - t) * a->size[i] + t * b->size[i];
    return s;
}
