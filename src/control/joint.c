// Joints as they are now, for whoever reads them.
#include "row/link.h"
#include "step/state.h"

#include <math.h>
#include <string.h>

int lithe_njoint(const lithe_model *m)
{
    return m->njoint;
}

const char *lithe_joint_name(const lithe_model *m, int joint)
{
    return joint >= 0 && joint < m->njoint ? m->joint[joint].name : NULL;
}

bool lithe_joint_leaves(const lithe_model *m, int joint, lithe_joint_axis axis)
{
    bool known = joint >= 0 && joint < m->njoint && (int)axis >= 0 && axis <= LITHE_JOINT_TRAVEL;
    return known && m->free[3 * (size_t)joint + (size_t)axis];
}

// Whole rounds are known where a row follows the angle.
static double axis_value(const lithe_model *m, const lithe_state *s, int joint, int which)
{
    const row_link *axis = m->free[3 * (size_t)joint + (size_t)which];
    if (!axis)
        return NAN;
    for (int r = 0; r < m->nact; r++) {
        const row_link *link = m->row[r].kind == ROW_LINK ? m->row[r].link : NULL;
        if (link && link->joint == joint && link->role != LINK_HOLDS &&
            link->by_points == axis->by_points && link->twist == axis->twist &&
            memcmp(link->axis, axis->axis, sizeof axis->axis) == 0 &&
            memcmp(link->direction, axis->direction, sizeof axis->direction) == 0)
            return s->now.delta[r] - s->axes.give[r] * s->now.effort[r];
    }
    return link_value(axis, s->now.x);
}

lithe_status lithe_joint_get(const lithe_model *m, const lithe_state *s, int joint,
                             lithe_joint_info *out)
{
    if (joint < 0 || joint >= m->njoint)
        return LITHE_INVALID;
    *out = (lithe_joint_info){.name = m->joint[joint].name,
                              .angle = axis_value(m, s, joint, 0),
                              .cross_angle = axis_value(m, s, joint, 1),
                              .travel = axis_value(m, s, joint, 2)};
    for (int r = m->nown; r < m->nact; r++) {
        const row_link *link = m->row[r].link;
        if (link->joint != joint)
            continue;
        link_load(link, s->now.x, s->now.effort[r], out->force, out->moment);
        if (link->role == LINK_HOLDS && !link->other)
            out->gap = fmax(out->gap, fabs(row_value(&m->row[r], s->now.x)));
        out->at_limit = out->at_limit || (link->role == LINK_STOPS && s->now.effort[r] != 0);
    }
    return LITHE_OK;
}
