// Commands that go on in time.
#include "step/model.h"

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
    return duration;
}

// One number at a time: from `first` at time 0 to the waypoints, straight between them.
static double along_waypoints(const model_play *p, int n, int number, double first, double time)
{
    double value = first, before = 0;
    for (int i = 0; i < p->nwaypoint; i++) {
        double next = p->waypoint[i * n + number];
        if (time < p->time[i])
            return value + (next - value) * (time - before) / (p->time[i] - before);
        value = next;
        before = p->time[i];
    }
    return value;
}

lithe_status lithe_play(const lithe_model *m, lithe_state *s, double time)
{
    const double pi = 3.14159265358979323846;
    for (int a = 0; a < m->nactuator; a++) {
        const model_play *p = &m->actuator[a].play;
        const model_group *group = &m->actuator[a].group;
        double value[3];
        if (p->nwaypoint == 0 && p->period == 0)
            continue;
        for (int i = 0; i < group->n; i++) {
            const row *r = &m->row[group->adr + i];
            value[i] = along_waypoints(p, group->n, i, row_outward(r, r->value), time);
            if (p->period > 0)
                value[i] += p->amplitude[i] * sin(2 * pi * time / p->period);
        }
        LITHE_TRY(lithe_command(m, s, a, m->row[group->adr].command, value));
    }
    return LITHE_OK;
}
