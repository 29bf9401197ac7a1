// Control in the space of sensors [bieze2018, eq. 22 to 32].
#include "base/memory.h"
#include "base/status.h"
#include "control/task.h"
#include "solve/hierarchy.h"
#include "step/state.h"

#include <math.h>
#include <string.h>

struct lithe_controller {
    arena memory;
    const lithe_model *m;
    lithe_gains gains;
    int first, nnumber; // rows of the model that are controlled
    int n;              // driven rows that are told anew
    int *column;        // (n)
    double *told;       // what every driven row is told, as the row has it (nact)
    double *sum;        // h (nnumber)
    double *v;          // (nnumber) what the sensors shall move by, with a minus
    double *S;          // (nrow x nact)
    double *J, *A, *R, *lo, *hi, *blo, *bhi;
    hierarchy_work *work;
};

static void choose(lithe_controller *c)
{
    const lithe_model *m = c->m;
    c->first = m->nact;
    for (int e = 0; e < m->neffector; e++)
        c->first += m->effector[e].group.n;
    if (c->first == m->nrow)
        c->first = m->nact;
    c->nnumber = m->nrow - c->first;
    for (int a = 0; a < m->nactuator; a++)
        for (int i = 0; i < m->actuator[a].group.n && lithe_actuator_is_free(m, a); i++)
            c->column[c->n++] = m->actuator[a].group.adr + i;
}

static bool allocate(lithe_controller *c)
{
    arena *a = &c->memory;
    size_t n = (size_t)c->m->nact, rows = (size_t)c->m->nrow;
    double **list[] = {&c->told, &c->sum, &c->v,  &c->S,   &c->J,  &c->A,
                       &c->R,    &c->lo,  &c->hi, &c->blo, &c->bhi};
    size_t size[] = {n, rows, rows, rows * n, rows * n, n * n, n * n, n, n, n, n};
    c->column = arena_new(a, n, int);
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if (!(*list[k] = arena_new(a, size[k], double)))
            return false;
    c->work = hierarchy_create(a, (int)n, (int)n, 1, (int)rows);
    return c->column && c->work;
}

lithe_status lithe_controller_create(const lithe_model *m, lithe_gains gains,
                                     lithe_controller **out, lithe_report *report)
{
    lithe_controller *c = memory_alloc(sizeof *c);
    *out = NULL;
    if (!c)
        return report_no_memory(report, "the controller");
    *c = (lithe_controller){.m = m, .gains = gains};
    lithe_status status = LITHE_OK;
    if (lithe_largest_gamma(gains, NULL) == 0)
        status = LITHE_FAIL(report, LITHE_INVALID,
                            "the loop is unstable with kp %g and ki %g even where the Jacobian is "
                            "exact; ki must lie between 0 and kp, and kp below 2 + ki/2",
                            gains.kp, gains.ki);
    else if (!allocate(c))
        status = report_no_memory(report, "the controller");
    else
        choose(c);
    if (status == LITHE_OK && (c->n == 0 || c->nnumber == 0))
        status =
            LITHE_FAIL(report, LITHE_INVALID, "there is nothing to control: the robot has no %s",
                       c->n ? "sensors or effectors" : "actuators but given ones");
    if (status != LITHE_OK) {
        lithe_controller_free(c);
        return status;
    }
    lithe_controller_reset(c);
    *out = c;
    return LITHE_OK;
}

void lithe_controller_free(lithe_controller *c)
{
    if (!c)
        return;
    arena_free(&c->memory);
    memory_free(c);
}

void lithe_controller_reset(lithe_controller *c)
{
    for (int r = 0; r < c->m->nact; r++)
        c->told[r] = c->m->row[r].value;
    memset(c->sum, 0, (size_t)c->nnumber * sizeof *c->sum);
    hierarchy_forget(c->work);
}

int lithe_controller_nnumber(const lithe_controller *c)
{
    return c->nnumber;
}

const double *lithe_controller_sum(const lithe_controller *c)
{
    return c->sum;
}

static double limit(double value, double rate, double told, double side)
{
    return side > 0 ? fmin(value - told, rate) : fmax(value - told, -rate);
}

// Limits of what is told and of what it answers. What is beyond its limits already need not come
// back at once, but goes no farther.
static void bound(lithe_controller *c, const lithe_state *s)
{
    double dt = c->m->step.dt;
    for (int j = 0; j < c->n; j++) {
        int r = c->column[j];
        const row *a = &c->m->row[r];
        bool effort = s->command[r] == LITHE_EFFORT || row_is_parameter(a);
        const row_limit *own = &s->limit[r];
        const double *mine = s->command[r] == LITHE_EFFORT ? own->effort : own->displacement;
        const double *other = effort ? own->displacement : own->effort;
        double answer = effort ? s->now.delta[r] : s->now.effort[r];
        bool slider = row_drives_support(a);
        double rate[2] = {slider ? INFINITY : own->effort_rate,
                          slider ? own->effort_rate : own->displacement_rate};
        double mine_rate = dt * rate[s->command[r] != LITHE_EFFORT], other_rate = dt * rate[effort];
        c->lo[j] = fmin(limit(mine[0], mine_rate, c->told[r], -1), 0);
        c->hi[j] = fmax(limit(mine[1], mine_rate, c->told[r], 1), 0);
        bool free = row_is_parameter(a);
        c->blo[j] = free ? -INFINITY : fmin(limit(other[0], other_rate, answer, -1), 0);
        c->bhi[j] = free ? INFINITY : fmax(limit(other[1], other_rate, answer, 1), 0);
        for (int k = 0; k < c->n; k++)
            c->A[j * c->n + k] = c->S[(size_t)r * (size_t)c->m->nact + (size_t)c->column[k]];
    }
}

// J and its tie-breaker, which makes actuators share by what they can do.
static void linearize(lithe_controller *c)
{
    for (int j = 0; j < c->n; j++) {
        double square = 0;
        for (int i = 0; i < c->nnumber; i++) {
            double slope = c->S[(size_t)(c->first + i) * (size_t)c->m->nact + (size_t)c->column[j]];
            c->J[i * c->n + j] = slope;
            square += slope * slope;
        }
        c->R[j * c->n + j] = square > 0 ? square : 1;
    }
}

// h takes only what the actuators can do of the error: with what is left of v undone it would grow
// for as long as they are at their limits, and have to be worn off afterwards.
static void sum_up(lithe_controller *c, const double *change, const double *reading,
                   const double *wanted)
{
    for (int i = 0; i < c->nnumber; i++) {
        double done = 0;
        for (int j = 0; j < c->n; j++)
            done += c->J[i * c->n + j] * change[j];
        double missing = done + c->v[i]; // v' - v, and c->v is -v
        c->sum[i] += reading[i] - wanted[i] - missing / c->gains.kp;
    }
}

lithe_status lithe_control(lithe_controller *c, lithe_state *shape, const double *reading,
                           const double *wanted, double *told)
{
    hierarchy_solution found;
    LITHE_TRY(lithe_sensitivity(c->m, shape, c->S));
    linearize(c);
    bound(c, shape);
    for (int i = 0; i < c->nnumber; i++)
        c->v[i] = c->gains.kp * (reading[i] - wanted[i]) + c->gains.ki * c->sum[i];
    hierarchy_level level = {.nrow = c->nnumber, .J = c->J, .e = c->v};
    hierarchy_problem p = {.n = c->n,
                           .m = c->n,
                           .nlevel = 1,
                           .level = &level,
                           .lo = c->lo,
                           .hi = c->hi,
                           .A = c->A,
                           .blo = c->blo,
                           .bhi = c->bhi,
                           .R = c->R};
    if (hierarchy_solve(c->work, &p, &found) != QP_SOLVED)
        return LITHE_FAIL(&shape->report, LITHE_NOT_CONVERGED,
                          "the controller's efforts were not found: %s",
                          qp_status_text(found.status));
    sum_up(c, found.x, reading, wanted);
    for (int j = 0; j < c->n; j++)
        c->told[c->column[j]] += found.x[j];
    for (int r = 0; r < c->m->nact; r++)
        told[r] = row_outward(&c->m->row[r], c->told[r]);
    return LITHE_OK;
}
