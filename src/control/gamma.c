// The measured error of a model's Jacobian, against another model that stands for the robot.
#include "base/arena.h"
#include "base/status.h"
#include "step/state.h"

#include <math.h>
#include <string.h>

// Rows that are compared: of sensors that see the shape; where there are none, false, of effectors.
static bool choose_rows(const lithe_model *m, int *first, int *n)
{
    int sensors = m->nact;
    for (int e = 0; e < m->neffector; e++)
        sensors += m->effector[e].group.n;
    bool seen = sensors < m->nrow;
    *first = seen ? sensors : m->nact;
    *n = m->nrow - *first;
    return seen;
}

static int choose_columns(const lithe_model *m, int *column)
{
    int n = 0;
    for (int a = 0; a < m->nactuator; a++)
        for (int i = 0; i < m->actuator[a].group.n && lithe_actuator_is_free(m, a); i++)
            column[n++] = m->actuator[a].group.adr + i;
    return n;
}

static void select_part(const lithe_model *m, const double *S, const int *column, int ncolumn,
                        double *J)
{
    int first, nrow;
    choose_rows(m, &first, &nrow);
    for (int i = 0; i < nrow; i++)
        for (int j = 0; j < ncolumn; j++)
            J[i * ncolumn + j] = S[(size_t)(first + i) * (size_t)m->nact + (size_t)column[j]];
}

static void copy_commands(const lithe_model *m, lithe_state *s, const lithe_state *robot)
{
    memcpy(s->command, robot->command, (size_t)m->nact * sizeof *s->command);
    memcpy(s->value, robot->value, (size_t)m->nact * sizeof *s->value);
}

// The inverse leaves actuators told their displacements; here they are told what the robot's are,
// as they stand.
static void tell_alike(const lithe_model *m, lithe_state *s, const lithe_state *robot)
{
    for (int r = 0; r < m->nact; r++) {
        s->command[r] = robot->command[r];
        s->value[r] = s->command[r] == LITHE_EFFORT ? s->now.effort[r] : s->now.delta[r];
    }
}

// The same commands as the robot's.
static lithe_status imitate(const lithe_model *m, lithe_state *s, const lithe_state *robot)
{
    lithe_forget_targets(m, s);
    copy_commands(m, s, robot);
    return lithe_step(m, s);
}

// The shape whose sensors read what the robot's do.
static lithe_status follow(const lithe_model *m, lithe_state *s, const lithe_state *robot)
{
    copy_commands(m, s, robot);
    for (int k = 0; k < m->nsensor; k++)
        if (m->sensor[k].group.n > 0)
            LITHE_TRY(
                lithe_target_sensor(m, s, k, &robot->now.delta[m->sensor[k].group.adr], false));
    return lithe_step(m, s);
}

static bool are_alike(const lithe_model *a, const lithe_model *b)
{
    bool alike = a->nact == b->nact && a->nrow == b->nrow && a->nsensor == b->nsensor &&
                 a->nactuator == b->nactuator && a->neffector == b->neffector;
    for (int k = 0; alike && k < a->nactuator; k++)
        alike = strcmp(a->actuator[k].group.name, b->actuator[k].group.name) == 0;
    for (int k = 0; alike && k < a->nsensor; k++)
        alike = strcmp(a->sensor[k].group.name, b->sensor[k].group.name) == 0;
    return alike;
}

// S: two matrices (nrow x nact), and as much again.
static lithe_status compare(const lithe_model *m, lithe_state *s, const lithe_model *robot,
                            lithe_state *robot_state, double *S, int *column,
                            lithe_inversion *found)
{
    size_t size = (size_t)m->nrow * (size_t)m->nact;
    int first, nrow, ncolumn = choose_columns(m, column);
    bool seen = choose_rows(m, &first, &nrow);
    found->apart = 0;
    LITHE_TRY(seen ? follow(m, s, robot_state) : imitate(m, s, robot_state));
    if (seen)
        tell_alike(m, s, robot_state);
    for (int i = first; i < m->nrow; i++)
        found->apart = fmax(found->apart, fabs(s->now.delta[i] - robot_state->now.delta[i]));
    LITHE_TRY(lithe_sensitivity(m, s, S));
    if (lithe_sensitivity(robot, robot_state, S + size) != LITHE_OK)
        return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED, "%s", lithe_state_error(robot_state));
    double *J_hat = S + 2 * size, *J = S + 3 * size;
    select_part(m, S, column, ncolumn, J_hat);
    select_part(robot, S + size, column, ncolumn, J);
    return lithe_inversion_error(nrow, ncolumn, J, J_hat, &found->gamma, &found->rank, &s->report);
}

lithe_status lithe_measure_inversion(const lithe_model *m, lithe_state *s, const lithe_model *robot,
                                     lithe_state *robot_state, lithe_inversion *found)
{
    arena memory = {0};
    if (!are_alike(m, robot))
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "the two models do not have the same actuators, effectors and sensors; "
                          "give them the same names in the same order");
    double *S = arena_new(&memory, 4 * (size_t)m->nrow * (size_t)m->nact, double);
    int *column = arena_new(&memory, m->nact, int);
    lithe_status status = S && column ? compare(m, s, robot, robot_state, S, column, found)
                                      : report_no_memory(&s->report, "the error of a Jacobian");
    arena_free(&memory);
    return status;
}
