// Commands that go on in time.
#include "step/outline.h"
#include "step/state.h"

#include "base/status.h"

#include <math.h>

double lithe_play_duration(const lithe_model *m)
{
    double duration = 0;
    for (int a = 0; a < m->nactuator; a++) {
        const model_play *p = &m->actuator[a].play;
        duration = fmax(duration, p->period);
        if (p->nwaypoint > 0)
            duration = fmax(duration, p->time[p->nwaypoint - 1]);
    }
    for (int o = 0; o < m->contact.world.nshape; o++) {
        const contact_path *p = &m->contact.path[o];
        if (p->n > 0)
            duration = fmax(duration, p->time[p->n - 1]);
    }
    return duration;
}

// One number at a time: from `first` at time 0 to the waypoints, straight between them.
// waypoint: (nwaypoint x n), at (nwaypoint) s
static double along_waypoints(int nwaypoint, const double *waypoint, const double *at, int n,
                              int number, double first, double time)
{
    double value = first, before = 0;
    for (int i = 0; i < nwaypoint; i++) {
        double next = waypoint[i * n + number];
        if (time < at[i])
            return value + (next - value) * (time - before) / (at[i] - before);
        value = next;
        before = at[i];
    }
    return value;
}

bool outline_obstacle_path(const lithe_model *m, int obstacle, double time, double rotate[3],
                           double move[3])
{
    const contact_path *p = &m->contact.path[obstacle];
    for (int i = 0; i < 3; i++) {
        rotate[i] = along_waypoints(p->n, p->way, p->time, 6, i, 0, time);
        move[i] = along_waypoints(p->n, p->way, p->time, 6, 3 + i, 0, time);
    }
    return p->n > 0;
}

static lithe_status play_obstacles(const lithe_model *m, lithe_state *s, double time)
{
    for (int o = 0; o < m->contact.world.nshape; o++) {
        double rotate[3], move[3];
        if (outline_obstacle_path(m, o, time, rotate, move))
            LITHE_TRY(lithe_move_obstacle(m, s, o, rotate, move));
    }
    return LITHE_OK;
}

lithe_status lithe_play(const lithe_model *m, lithe_state *s, double time)
{
    const double pi = 3.14159265358979323846;
    for (int a = 0; a < m->nactuator; a++) {
        const model_play *p = &m->actuator[a].play;
        const model_group *group = &m->actuator[a].group;
        double value[3];
        bool found = s->task.inverse && !m->actuator[a].given;
        if (found || (p->nwaypoint == 0 && p->period == 0))
            continue;
        for (int i = 0; i < group->n; i++) {
            const row *r = &m->row[group->adr + i];
            value[i] = along_waypoints(p->nwaypoint, p->waypoint, p->time, group->n, i,
                                       row_outward(r, r->value), time);
            if (p->period > 0)
                value[i] += p->amplitude[i] * sin(2 * pi * time / p->period);
        }
        LITHE_TRY(lithe_command(m, s, a, m->row[group->adr].command, value));
    }
    return play_obstacles(m, s, time);
}
