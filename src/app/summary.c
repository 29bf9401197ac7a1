#include "app/summary.h"

#include "app/reduced.h"
#include "app/show.h"
#include "app/tolerances.h"
#include "base/vec.h"
#include "io/outdir.h"
#include "io/series.h"

#include <math.h>
#include <stdlib.h>

static bool realtime(const summary *s)
{
    return s->def->step.mode != LITHE_CONVERGED;
}

static void write_head(json *j, const summary *s)
{
    json_string(j, "scene", s->scene);
    json_string(j, "version", lithe_version());
    json_integer(j, "steps", s->steps);
    json_integer(j, "dofs", lithe_ndof(s->model));
    json_integer(j, "nodes", lithe_nnode(s->model));
    json_integer(j, "elements", lithe_nelement(s->model));
    json_integer(j, "threads", s->threads);
    if (realtime(s))
        json_null(j, "converged");
    else
        json_bool(j, "converged", s->converged);
    lithe_residual residual = lithe_last_residual(s->state);
    json_begin_object(j, "residual");
    json_number(j, "force", residual.force);
    json_number(j, "task", residual.task);
    json_number(j, "floor", residual.floor);
    json_end_object(j);
}

// Of a robot in motion.
static void write_motion(json *j, const summary *s)
{
    if (s->def->dynamics.scheme == LITHE_STATIC)
        return;
    lithe_energy e = lithe_last_energy(s->model, s->state);
    json_number(j, "time", lithe_time(s->state));
    json_begin_object(j, "energy");
    json_number(j, "kinetic", e.kinetic);
    json_number(j, "elastic", e.elastic);
    json_number(j, "potential", e.potential);
    json_end_object(j);
    json_begin_object(j, "energy_growth");
    json_number(j, "work", e.work);
    json_number(j, "grown", e.grown);
    json_number(j, "share", e.grown_share);
    json_number(j, "time", e.grown_time);
    json_end_object(j);
    json_begin_object(j, "momentum");
    json_numbers(j, "linear", 3, e.linear);
    json_numbers(j, "angular", 3, e.angular);
    json_end_object(j);
    if (s->def->dynamics.local_error == 0)
        return;
    lithe_stride stride = lithe_last_stride(s->state);
    json_begin_object(j, "adaptive");
    json_integer(j, "taken", stride.taken);
    json_integer(j, "refused", stride.refused);
    json_number(j, "shortest", stride.shortest);
    json_number(j, "longest", stride.longest);
    json_number(j, "error", stride.error);
    json_end_object(j);
}

static void write_times(json *j, const timing *t)
{
    json_begin_object(j, "step_ms");
    json_number(j, "mean", 1e3 * timing_mean(t->step, t->ntimed));
    json_number(j, "median", 1e3 * timing_rank(t->step, t->ntimed, 0.5));
    json_number(j, "p99", 1e3 * timing_rank(t->step, t->ntimed, 0.99));
    json_number(j, "max", 1e3 * timing_rank(t->step, t->ntimed, 1));
    json_integer(j, "idle", t->nstep - t->ntimed);
    json_end_object(j);
    json_begin_object(j, "phase_ms");
    for (int i = 0; i < TIMING_NPHASE; i++)
        json_number(j, TIMING_PHASE[i], 1e3 * timing_rank(t->phase[i], t->ntimed, 0.5));
    json_end_object(j);
}

// Of the asynchronous mode: how it kept up.
static void write_async(json *j, const summary *s)
{
    if (s->def->step.mode != LITHE_ASYNCHRONOUS)
        return;
    lithe_async a = lithe_last_async(s->state);
    json_begin_object(j, "async");
    json_number(j, "deadline_ms", 1e3 * lithe_model_step(s->model)->deadline);
    json_integer(j, "steps", a.steps);
    json_integer(j, "missed", a.missed);
    json_integer(j, "refused", a.refused);
    json_number(j, "longest_ms", 1e3 * a.longest);
    json_number(j, "jitter_ms", 1e3 * a.jitter);
    json_integer(j, "factors", a.factors);
    json_number(j, "factor_ms", 1e3 * a.factor_seconds);
    json_integer(j, "age", a.age);
    json_integer(j, "oldest", a.oldest);
    json_end_object(j);
}

// One number, or a list where there are several rows.
static void write_list(json *j, const char *key, int n, const double *value)
{
    if (n == 1)
        json_number(j, key, value[0]);
    else
        json_numbers(j, key, n, value);
}

// What is asked of an effector or sensor, null where nothing is.
static void write_goal(json *j, const summary *s, int goal)
{
    lithe_goal g;
    if (lithe_goal_get(s->model, goal, &g) != LITHE_OK) {
        json_null(j, "target");
        json_null(j, "error");
        json_null(j, "error_rms");
        json_null(j, "error_max");
        return;
    }
    const accuracy_goal *a = &s->accuracy->goal[goal];
    write_list(j, "target", g.nrow, &s->accuracy->target[g.row]);
    json_number(j, "error", a->now);
    json_number(j, "error_rms", accuracy_rms(s->accuracy, goal));
    json_number(j, "error_max", s->accuracy->ncounted > 0 ? a->largest : NAN);
}

static void write_effectors(json *j, const summary *s)
{
    json_begin_object(j, "effectors");
    for (int i = 0; i < lithe_neffector(s->model); i++) {
        json_begin_object(j, lithe_effector_name(s->model, i));
        write_list(j, "position", lithe_effector_rows(s->model, i),
                   lithe_row_values(s->state) + lithe_row_of_effector(s->model, i));
        write_goal(j, s, accuracy_goal_of_effector(s->accuracy, i));
        json_end_object(j);
    }
    json_end_object(j);
}

// Of a sensor that has no rows of its own, the effort that it reads.
static const double *sensor_value(const summary *s, int sensor, double effort[3])
{
    if (lithe_sensor_type(s->model, sensor) != LITHE_SENSOR_EFFORT)
        return lithe_row_values(s->state) + lithe_row_of_sensor(s->model, sensor);
    lithe_sensor_value(s->model, s->state, sensor, effort);
    return effort;
}

static void write_sensors(json *j, const summary *s)
{
    json_begin_object(j, "sensors");
    for (int i = 0; i < lithe_nsensor(s->model); i++) {
        double effort[3];
        int goal = accuracy_goal_of_sensor(s->accuracy, i);
        json_begin_object(j, lithe_sensor_name(s->model, i));
        write_list(j, "value", lithe_sensor_rows(s->model, i), sensor_value(s, i, effort));
        if (goal >= 0)
            write_goal(j, s, goal);
        json_end_object(j);
    }
    json_end_object(j);
}

static void write_actuators(json *j, const summary *s)
{
    json_begin_object(j, "actuators");
    for (int i = 0; i < lithe_nactuator(s->model); i++) {
        double effort[3], displacement[3];
        int n = lithe_actuator_rows(s->model, i);
        lithe_effort(s->model, s->state, i, effort);
        lithe_displacement(s->model, s->state, i, displacement);
        json_begin_object(j, lithe_actuator_name(s->model, i));
        write_list(j, "effort", n, effort);
        write_list(j, "displacement", n, displacement);
        json_end_object(j);
    }
    json_end_object(j);
}

static void write_joints(json *j, const summary *s)
{
    if (lithe_njoint(s->model) == 0)
        return;
    json_begin_object(j, "joints");
    for (int i = 0; i < lithe_njoint(s->model); i++) {
        lithe_joint_info joint;
        lithe_joint_get(s->model, s->state, i, &joint);
        json_begin_object(j, joint.name);
        json_numbers(j, "force", 3, joint.force);
        json_numbers(j, "moment", 3, joint.moment);
        json_number(j, "gap", joint.gap);
        if (!isnan(joint.angle))
            json_number(j, "angle", joint.angle);
        if (!isnan(joint.cross_angle))
            json_number(j, "cross_angle", joint.cross_angle);
        if (!isnan(joint.travel))
            json_number(j, "travel", joint.travel);
        json_bool(j, "at_limit", joint.at_limit);
        json_end_object(j);
    }
    json_end_object(j);
}

// The contacts of one pair together.
static void write_pair(json *j, const summary *s, int pair)
{
    int active = 0;
    double gap = NAN, force[3];
    for (int i = 0; i < lithe_ncontact(s->state); i++) {
        lithe_contact c;
        lithe_contact_get(s->model, s->state, i, &c);
        if (c.pair != pair)
            continue;
        active += c.force > 0;
        gap = fmin(gap, c.gap);
    }
    lithe_pair_force(s->model, s->state, pair, force);
    json_begin_object(j, NULL);
    json_string(j, "first", lithe_pair_name(s->model, pair, 0));
    json_string(j, "second", lithe_pair_name(s->model, pair, 1));
    json_integer(j, "active", active);
    json_numbers(j, "force", 3, force);
    json_number(j, "gap", gap);
    json_end_object(j);
}

static void write_overlap(json *j, const summary *s)
{
    json_number(j, "max_penetration", lithe_penetration(s->state));
    json_number(j, "allowed", lithe_last_overlap(s->model, s->state).allowed);
    json_integer(j, "merged", 0); // read by programs of before: no contact is left out
    json_integer(j, "over", s->overlap.over);
    json_begin_object(j, "deepest");
    json_number(j, "depth", s->overlap.depth);
    json_integer(j, "step", s->overlap.step);
    for (int side = 0; side < 2; side++)
        if (s->overlap.depth > 0)
            json_string(j, side ? "second" : "first",
                        lithe_pair_name(s->model, s->overlap.pair, side));
        else
            json_null(j, side ? "second" : "first");
    json_end_object(j);
}

static void write_contacts(json *j, const summary *s)
{
    int active = 0;
    double force = 0;
    for (int i = 0; i < lithe_ncontact(s->state); i++) {
        lithe_contact c;
        lithe_contact_get(s->model, s->state, i, &c);
        active += c.force > 0;
        force = fmax(force, c.force);
    }
    json_begin_object(j, "contacts");
    json_integer(j, "active", active);
    json_number(j, "max_force", force);
    write_overlap(j, s);
    lithe_contact_search search = lithe_last_contact_search(s->state);
    if (search.proof)
        json_string(j, "proof", search.proof);
    else
        json_null(j, "proof");
    json_number(j, "open", search.open);
    json_begin_array(j, "pairs");
    for (int k = 0; k < lithe_npair(s->model); k++)
        write_pair(j, s, k);
    json_end_array(j);
    json_end_object(j);
}

static void write_limit(json *j, const summary *s, const active_limit *a)
{
    json_begin_object(j, NULL);
    json_string(j, "actuator", lithe_actuator_name(s->model, a->actuator));
    json_string(j, "quantity", limits_quantity(s->model, a));
    json_integer(j, "component", a->component);
    json_bool(j, "rate", a->rate);
    json_bool(j, "given", a->given);
    json_string(j, "end", a->upper ? "upper" : "lower");
    json_number(j, "limit", a->limit);
    json_number(j, "multiplier", a->multiplier);
    json_number(j, "price", a->multiplier); // its name before; goes with the next version
    json_end_object(j);
}

static void write_matrix(json *j, const lithe_model *m, const char *key, int first,
                         lithe_command_kind kind, const double *value)
{
    char name[LITHE_ROW_NAME];
    int n = lithe_ndriven(m);
    if (!value) {
        json_null(j, key);
        return;
    }
    json_begin_object(j, key);
    json_begin_array(j, "rows");
    for (int r = first; r < lithe_nrow(m); r++)
        json_string(j, NULL, lithe_row_name(m, r, LITHE_DISPLACEMENT, name));
    json_end_array(j);
    json_begin_array(j, "columns");
    for (int c = 0; c < n; c++)
        json_string(j, NULL, lithe_row_name(m, c, kind, name));
    json_end_array(j);
    json_begin_array(j, "values");
    for (int r = first; r < lithe_nrow(m); r++, value += n)
        json_numbers(j, NULL, n, value);
    json_end_array(j);
    json_end_object(j);
}

static void write_task(json *j, const summary *s)
{
    if (realtime(s))
        json_null(j, "reached");
    else
        json_bool(j, "reached", s->reached);
    json_begin_array(j, "limits");
    for (int i = 0; i < s->nlimit; i++)
        write_limit(j, s, &s->limit[i]);
    json_end_array(j);
    if (!s->compliance)
        return;
    write_matrix(j, s->model, "compliance", 0, LITHE_EFFORT, s->compliance);
    write_matrix(j, s->model, "jacobian", lithe_ndriven(s->model), LITHE_DISPLACEMENT, s->jacobian);
}

void summary_write(json *j, const summary *s)
{
    write_head(j, s);
    write_motion(j, s);
    write_times(j, s->timing);
    write_async(j, s);
    reduced_write(j, s->model, s->state);
    write_effectors(j, s);
    write_actuators(j, s);
    write_joints(j, s);
    write_sensors(j, s);
    write_contacts(j, s);
    if (s->accuracy)
        write_task(j, s);
}

char *summary_json(const summary *s)
{
    char *text = NULL;
    size_t size = 0;
    json j = {.out = open_memstream(&text, &size)};
    if (!j.out)
        return NULL;
    json_begin_object(&j, NULL);
    summary_write(&j, s);
    json_end_object(&j);
    bool failed = ferror(j.out);
    if (fclose(j.out) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

static void print_strides(const summary *s)
{
    char shortest[SHOW_TEXT], longest[SHOW_TEXT], error[SHOW_TEXT];
    lithe_stride stride = lithe_last_stride(s->state);
    if (stride.taken + stride.refused == 0)
        return;
    printf("  adaptive   %ld steps taken, %ld refused, %s to %s, each off by at most %s\n",
           stride.taken, stride.refused, show_value(QUANTITY_TIME, stride.shortest, shortest),
           show_value(QUANTITY_TIME, stride.longest, longest),
           show_value(QUANTITY_LENGTH, stride.error, error));
}

static void print_head(const summary *s)
{
    lithe_residual residual = lithe_last_residual(s->state);
    const char *end = realtime(s)                  ? "in real time"
                      : !s->converged              ? "NOT CONVERGED"
                      : s->accuracy && !s->reached ? "converged, TARGET NOT REACHED"
                      : s->accuracy                ? "converged, targets reached"
                                                   : "converged";
    printf("%s: %d step%s, %s\n", s->scene, s->steps, s->steps == 1 ? "" : "s", end);
    printf("  model      %d nodes, %d elements, %d degrees of freedom\n", lithe_nnode(s->model),
           lithe_nelement(s->model), lithe_ndof(s->model));
    reduced_print(s->model, s->state);
    printf("  residual   %.2g relative force residual, %d Newton iterations\n", residual.force,
           s->newton);
    if (residual.floor > 0)
        printf(
            "             above step.tolerance %.2g, but not above the %.2g that is fine there\n",
            s->def->step.tolerance, residual.floor);
    print_strides(s);
    if (!s->converged && residual.load < 1)
        printf("  load       %.3g %% of the last step's loads and commands are carried\n",
               100 * residual.load);
}

// Numbers of a measure, a point as such.
static void print_values(const lithe_measure *what, const double *value)
{
    char text[SHOW_TEXT];
    for (int i = 0; i < what->npoint; i++, value += what->ncomponent) {
        printf("%s", i ? ", " : "");
        if (what->dimension == QUANTITY_LENGTH && what->ncomponent == 3)
            printf("%s", show_point(value, text));
        for (int k = 0;
             k < what->ncomponent && (what->dimension != QUANTITY_LENGTH || what->ncomponent != 3);
             k++)
            printf("%s%s", k ? ", " : "", show_value(what->dimension, value[k], text));
    }
}

static void print_moved(const summary *s, int effector, const double *position)
{
    char moved[SHOW_TEXT];
    const lithe_effector_def *d = &s->def->effector[effector];
    if (d->kind == LITHE_POINTS && d->npoint == 1 && lithe_effector_rows(s->model, effector) == 3)
        printf(", moved %s",
               show_value(QUANTITY_LENGTH, vec_distance(position, d->point[0].at), moved));
}

// What roundoff leaves of an error is not worth its digits.
static const char *show_error(quantity_dimension dimension, double error, char text[SHOW_TEXT])
{
    if (dimension != QUANTITY_LENGTH || error >= SHOW_LEAST_ERROR)
        return show_value(dimension, error, text);
    snprintf(text, SHOW_TEXT, "under 1 nm");
    return text;
}

static void print_goal(const summary *s, int goal, quantity_dimension dimension)
{
    char now[SHOW_TEXT], rms[SHOW_TEXT], largest[SHOW_TEXT];
    if (goal < 0)
        return;
    const accuracy_goal *a = &s->accuracy->goal[goal];
    // A realtime step ends where its linear model says; the equilibrium nearby is as far off as the
    // force residual tells.
    printf(", off target %s (rms %s, max %s%s)", show_error(dimension, a->now, now),
           show_error(dimension, accuracy_rms(s->accuracy, goal), rms),
           show_error(dimension, a->largest, largest),
           realtime(s) ? "; by the steps' linear models" : "");
}

static void print_effectors(const summary *s)
{
    for (int i = 0; i < lithe_neffector(s->model); i++) {
        const lithe_measure *what = lithe_effector_measure(s->model, i);
        const double *value = lithe_row_values(s->state) + lithe_row_of_effector(s->model, i);
        printf("  %-10s at ", what->name);
        print_values(what, value);
        print_moved(s, i, value);
        print_goal(s, accuracy_goal_of_effector(s->accuracy, i), what->dimension);
        printf("\n");
    }
}

static void print_sensors(const summary *s)
{
    for (int i = 0; i < lithe_nsensor(s->model); i++) {
        double effort[3];
        const lithe_measure *what = lithe_sensor_measure(s->model, i);
        printf("  %-10s reads ", what->name);
        print_values(what, sensor_value(s, i, effort));
        print_goal(s, accuracy_goal_of_sensor(s->accuracy, i), what->dimension);
        printf("\n");
    }
}

static void print_limits(const summary *s)
{
    char text[LIMITS_TEXT];
    for (int i = 0; i < s->nlimit; i++)
        printf("  %-10s %s\n", i ? "" : "held back", limits_text(s->model, &s->limit[i], text));
}

static void print_contacts(const summary *s)
{
    lithe_contact_search search = lithe_last_contact_search(s->state);
    if (search.proof)
        printf("  efforts    %s", search.proof);
    if (search.proof && search.open > 0)
        printf("; others could save %.2g %% of the cost", 100 * search.open);
    if (search.proof)
        printf("\n");
}

static void print_jacobian(const summary *s)
{
    char name[LITHE_ROW_NAME];
    const double *value = s->jacobian;
    int n = lithe_ndriven(s->model);
    if (!value)
        return;
    printf("  jacobian  ");
    for (int c = 0; c < n; c++)
        printf(" %16s", lithe_row_name(s->model, c, LITHE_DISPLACEMENT, name));
    for (int r = n; r < lithe_nrow(s->model); r++) {
        printf("\n  %-10s", lithe_row_name(s->model, r, LITHE_DISPLACEMENT, name));
        for (int c = 0; c < n; c++)
            printf(" %16.6g", *value++);
    }
    printf("\n");
}

// A modulus has no displacement.
static bool lone(const summary *s, int actuator)
{
    return !lithe_actuator_quantity(lithe_actuator_type(s->model, actuator), LITHE_DISPLACEMENT)
                ->name;
}

static void print_quantity(const summary *s, int actuator, lithe_command_kind kind,
                           const double *value)
{
    char text[SHOW_TEXT];
    const lithe_quantity *q =
        lithe_actuator_quantity(lithe_actuator_type(s->model, actuator), kind);
    if (!q->name)
        return;
    printf("%s%s", kind == LITHE_EFFORT && !lone(s, actuator) ? ", " : "", q->name);
    for (int i = 0; i < lithe_actuator_rows(s->model, actuator); i++)
        printf("%s %s", i ? "," : "", show_value(q->dimension, value[i], text));
}

static void print_actuators(const summary *s)
{
    for (int i = 0; i < lithe_nactuator(s->model); i++) {
        double effort[3], displacement[3];
        lithe_effort(s->model, s->state, i, effort);
        lithe_displacement(s->model, s->state, i, displacement);
        printf("  %-10s ", lithe_actuator_name(s->model, i));
        print_quantity(s, i, LITHE_DISPLACEMENT, displacement);
        print_quantity(s, i, LITHE_EFFORT, effort);
        printf("\n");
    }
}

static void print_async(const summary *s)
{
    char deadline[SHOW_TEXT], longest[SHOW_TEXT], jitter[SHOW_TEXT];
    if (s->def->step.mode != LITHE_ASYNCHRONOUS)
        return;
    lithe_async a = lithe_last_async(s->state);
    printf("  deadline   %s: missed by %ld of %ld steps, longest %s, jitter %s\n",
           show_value(QUANTITY_TIME, lithe_model_step(s->model)->deadline, deadline), a.missed,
           a.steps, show_value(QUANTITY_TIME, a.longest, longest),
           show_value(QUANTITY_TIME, a.jitter, jitter));
    printf("  factors    %ld made, %d step%s old at most; %ld moves refused\n", a.factors, a.oldest,
           a.oldest == 1 ? "" : "s", a.refused);
}

void summary_print(const summary *s)
{
    char median[SHOW_TEXT];
    print_head(s);
    print_effectors(s);
    print_sensors(s);
    print_actuators(s);
    print_limits(s);
    print_contacts(s);
    print_jacobian(s);
    show_value(QUANTITY_TIME, timing_rank(s->timing->step, s->timing->ntimed, 0.5), median);
    printf("  step time  %s median", median);
    if (s->timing->ntimed < s->timing->nstep)
        printf(" of %d; the others had nothing to do", s->timing->ntimed);
    printf("\n");
    print_async(s);
    if (s->out)
        printf("  results    %s (open %s in ParaView)\n", s->out, OUTDIR_INDEX);
}
