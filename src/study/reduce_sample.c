// Where the actuators' range is sampled, and the equilibria there.
#include "base/memory.h"
#include "base/status.h"
#include "step/state.h"
#include "study/reducing.h"

#include <math.h>
#include <string.h>

lithe_status reduce_states_create(const lithe_model *m, int n, reduce_states *out,
                                  lithe_report *report)
{
    pthread_mutex_init(&out->lock, NULL);
    out->n = 0;
    out->state = memory_alloc((size_t)n * sizeof *out->state);
    if (!out->state)
        return report_no_memory(report, "states");
    for (; out->n < n; out->n++)
        LITHE_TRY(lithe_state_create(m, 1, &out->state[out->n], report));
    return LITHE_OK;
}

void reduce_states_free(reduce_states *s)
{
    if (!s->state)
        return;
    for (int i = 0; i < s->n; i++)
        lithe_state_free(s->state[i]);
    memory_free(s->state);
    pthread_mutex_destroy(&s->lock);
    s->state = NULL;
}

// There are as many as threads, so there is always one.
lithe_state *reduce_take_state(reduce_states *s)
{
    pthread_mutex_lock(&s->lock);
    lithe_state *state = s->state[--s->n];
    pthread_mutex_unlock(&s->lock);
    return state;
}

void reduce_give_state(reduce_states *s, lithe_state *state)
{
    pthread_mutex_lock(&s->lock);
    s->state[s->n++] = state;
    pthread_mutex_unlock(&s->lock);
}

static bool is_range(const double range[2])
{
    return isfinite(range[0]) && isfinite(range[1]) && range[0] < range[1];
}

// As the scene commands it, if that is limited; else by what is.
static lithe_status range_of(const reducing *r, int actuator, const row *of, reduction_range *out)
{
    const double *effort = of->limit.effort, *way = of->limit.displacement;
    bool by_effort = is_range(effort), by_way = is_range(way) && !row_scales_modulus(of);
    bool effort_first = of->command == LITHE_EFFORT || row_scales_modulus(of);
    *out = (reduction_range){of->command, of->value, of->value};
    if (r->whole->actuator[actuator].given)
        return LITHE_OK;
    if (!by_effort && !by_way)
        return LITHE_FAIL(r->report, LITHE_INVALID,
                          "actuator '%s' has no limits on both sides, so there is no range to "
                          "sample: give it limits",
                          of->name);
    bool effort_wins = by_effort && (effort_first || !by_way);
    const double *range = effort_wins ? effort : way;
    *out = (reduction_range){effort_wins ? LITHE_EFFORT : LITHE_DISPLACEMENT, range[0], range[1]};
    return LITHE_OK;
}

lithe_status reduce_plan(reducing *r)
{
    enum { ALL_CORNERS = 4 }; // of so many actuators
    const lithe_model *m = r->whole;
    r->range = arena_new(&r->memory, m->nact, reduction_range);
    if (!r->range)
        return report_no_memory(r->report, "samples");
    if (m->nact < 1 || m->nact > SAMPLES_DIMENSIONS)
        return LITHE_FAIL(r->report, LITHE_INVALID,
                          "a reduction is made of samples of 1 to %d actuators' range, and this "
                          "robot has %d",
                          SAMPLES_DIMENSIONS, m->nact);
    for (int a = 0; a < m->nactuator; a++)
        for (int i = 0; i < m->actuator[a].group.n; i++) {
            int row_id = m->actuator[a].group.adr + i;
            LITHE_TRY(range_of(r, a, &m->row[row_id], &r->range[row_id]));
        }
    r->ncorner = m->nact <= ALL_CORNERS ? 1 << m->nact : 0;
    size_t contact = r->wanted.patch == LITHE_PATCH_CONTACT ? 3 * (size_t)m->nnode : 0;
    r->width = 1 + 3 * (size_t)m->nnode + (size_t)m->nact + (size_t)m->nrow + contact;
    return LITHE_OK;
}

// Where in the unit cube a sample is: corners first.
static void sample_point(const reducing *r, int number, double *out)
{
    int n = r->whole->nact;
    if (number >= REDUCE_CHECKS) {
        samples_point(r->how.seed + 0x5bd1e995u, number - REDUCE_CHECKS, n, out);
        return;
    }
    if (number >= r->ncorner) {
        samples_point(r->how.seed, number - r->ncorner, n, out);
        return;
    }
    for (int i = 0; i < n; i++)
        out[i] = number >> i & 1;
}

static void tell(const reducing *r, lithe_state *s, const double *point, double share)
{
    for (int i = 0; i < r->whole->nact; i++) {
        const reduction_range *range = &r->range[i];
        double rest = fmin(fmax(0, range->low), range->high);
        double there = range->low + point[i] * (range->high - range->low);
        s->command[i] = range->kind;
        s->value[i] = rest + share * (there - rest);
    }
}

// In one step, or where that fails in many small ones.
bool reduce_solve(const reducing *r, const lithe_model *m, lithe_state *s, int number)
{
    enum { SMALL = 10 };
    double point[SAMPLES_DIMENSIONS];
    sample_point(r, number, point);
    lithe_state_reset(m, s);
    tell(r, s, point, 1);
    if (lithe_step(m, s) == LITHE_OK)
        return true;
    lithe_state_reset(m, s);
    for (int k = 1; k <= SMALL; k++) {
        tell(r, s, point, (double)k / SMALL);
        if (lithe_step(m, s) != LITHE_OK)
            return false;
    }
    return true;
}

static bool find_sample(void *user, int number, double *out)
{
    reducing *r = user;
    const lithe_model *m = r->truth;
    lithe_state *s = reduce_take_state(&r->states);
    out[0] = reduce_solve(r, m, s, number);
    memcpy(out + 1, s->now.x, 3 * (size_t)m->nnode * sizeof *out);
    memcpy((double *)reduce_effort(r, out), s->now.effort, (size_t)m->nact * sizeof *out);
    memcpy((double *)reduce_rows(r, out), s->now.delta, (size_t)m->nrow * sizeof *out);
    if (r->wanted.patch == LITHE_PATCH_CONTACT)
        lithe_contact_forces(m, s, (double *)reduce_contact(r, out));
    reduce_give_state(&r->states, s);
    return true;
}

static bool told_samples(void *user, int done, int total)
{
    return reduce_told(user, done, total);
}

lithe_status reduce_sample(reducing *r, reduce_samples *some)
{
    some->found = arena_new(&r->memory, (size_t)some->n * r->width, double);
    if (!some->found)
        return report_no_memory(r->report, "samples");
    samples_job job = {.n = some->n,
                       .number = some->number,
                       .width = r->width,
                       .work = find_sample,
                       .progress = told_samples,
                       .user = r,
                       .journal = r->journal};
    return samples_run(&job, r->threads, some->found, r->report);
}

// If corners leave no room for as many others, none of them comes first.
int reduce_choose(const reducing *r, int most, int *out)
{
    int first = r->ncorner <= most / 2 ? r->ncorner : 0, good = 0, seen = 0, n = 0;
    for (int i = 0; i < first; i++)
        if (reduce_converged(reduce_found(r, &r->train, i)))
            out[n++] = i;
    for (int i = first; i < r->train.n; i++)
        good += reduce_converged(reduce_found(r, &r->train, i));
    int corners = n, wanted = good < most - n ? good : most - n;
    for (int i = first; i < r->train.n && n - corners < wanted; i++) {
        if (!reduce_converged(reduce_found(r, &r->train, i)))
            continue;
        if ((long long)(n - corners) * good <= (long long)seen * wanted)
            out[n++] = i;
        seen++;
    }
    return n;
}
