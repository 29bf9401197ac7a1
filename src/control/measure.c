#include "control/measure.h"

#include <stdio.h>
#include <string.h>

static int count_axes(int axes)
{
    return (axes & 1) + (axes >> 1 & 1) + (axes >> 2 & 1);
}

lithe_measure measure_along(const char *name, quantity_dimension dimension, int npoint, int axes)
{
    int n = count_axes(axes & LITHE_XYZ);
    return (lithe_measure){name, dimension, npoint, n > 0 ? n : 1, axes & LITHE_XYZ};
}

lithe_measure measure_of_effector(const lithe_effector_def *d)
{
    int axes = d->has_direction ? 0 : d->axes;
    switch (d->kind) {
    case LITHE_POINTS: return measure_along(d->name, QUANTITY_LENGTH, d->npoint, axes);
    case LITHE_BARYCENTRE:
    case LITHE_MASS_CENTRE: return measure_along(d->name, QUANTITY_LENGTH, 1, axes);
    case LITHE_ROTATION: return measure_along(d->name, QUANTITY_ANGLE, 1, d->axes);
    case LITHE_VOLUME: return measure_along(d->name, QUANTITY_VOLUME, 1, 0);
    case LITHE_LENGTH: break;
    }
    return measure_along(d->name, QUANTITY_LENGTH, 1, 0);
}

int measure_rows(const lithe_measure *m)
{
    return m->npoint * m->ncomponent;
}

// The letter of the k-th axis in a set.
static char axis_letter(int axes, int k)
{
    for (int axis = 0; axis < 3; axis++)
        if (axes & (1 << axis) && k-- == 0)
            return "xyz"[axis];
    return '?';
}

const char *measure_column(const lithe_measure *m, int row, char text[MEASURE_TEXT])
{
    char point[16] = "", axis[4] = "";
    if (m->npoint > 1)
        snprintf(point, sizeof point, ".%d", row / m->ncomponent + 1);
    if (m->axes)
        snprintf(axis, sizeof axis, ".%c", axis_letter(m->axes, row % m->ncomponent));
    snprintf(text, MEASURE_TEXT, "%s%s%s_%s", m->name, point, axis, quantity_si_unit(m->dimension));
    return text;
}
