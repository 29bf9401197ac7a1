// Joints as they are now, for whoever reads them.
#include "row/link.h"
#include "step/state.h"

#include <math.h>

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

lithe_apart lithe_last_apart(const lithe_model *m, const lithe_state *s)
{
    return m->njoint > 0 ? s->truth.apart : (lithe_apart){.joint = -1};
}

// Do two rows of a joint measure the same?
static bool is_same(const row_link *a, const row_link *b)
{
    bool same = a->by_points == b->by_points && a->twist == b->twist;
    for (int i = 0; i < 3; i++)
        same = same && a->axis[i] == b->axis[i] && a->direction[0][i] == b->direction[0][i];
    return same;
}

// Whole rounds are known where a row follows the angle.
static double axis_value(const lithe_model *m, const lithe_state *s, int joint, int which)
{
    const row_link *axis = m->free[3 * (size_t)joint + (size_t)which];
    if (!axis)
        return NAN;
    for (int r = 0; r < m->nact; r++) {
        const row_link *link = m->row[r].kind == ROW_LINK ? m->row[r].link : NULL;
        if (link && link->joint == joint && link->role != LINK_HOLDS && is_same(link, axis))
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
