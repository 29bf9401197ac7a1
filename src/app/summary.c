#include "app/summary.h"

#include "app/show.h"
#include "base/vec.h"
#include "io/json.h"
#include "io/outdir.h"
#include "scene/command.h"
#include "step/readout.h"

#include <stdlib.h>

static bool realtime(const summary *s)
{
    return s->def->step.mode == LITHE_REALTIME;
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
    json_end_object(j);
}

static void write_times(json *j, const timing *t)
{
    json_begin_object(j, "step_ms");
    json_number(j, "mean", 1e3 * timing_mean(t->step, t->nstep));
    json_number(j, "median", 1e3 * timing_rank(t->step, t->nstep, 0.5));
    json_number(j, "p99", 1e3 * timing_rank(t->step, t->nstep, 0.99));
    json_number(j, "max", 1e3 * timing_rank(t->step, t->nstep, 1));
    json_end_object(j);
    json_begin_object(j, "phase_ms");
    for (int i = 0; i < TIMING_NPHASE; i++)
        json_number(j, TIMING_PHASE[i], 1e3 * timing_rank(t->phase[i], t->nstep, 0.5));
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

static void write_effectors(json *j, const summary *s)
{
    json_begin_object(j, "effectors");
    for (int i = 0; i < lithe_neffector(s->model); i++) {
        json_begin_object(j, lithe_effector_name(s->model, i));
        write_list(j, "position", lithe_effector_rows(s->model, i),
                   state_row_values(s->state) + lithe_row_of_effector(s->model, i));
        json_null(j, "target");
        json_null(j, "error");
        json_null(j, "error_rms");
        json_null(j, "error_max");
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

static void write_contacts(json *j)
{
    json_begin_object(j, "contacts");
    json_integer(j, "active", 0);
    json_integer(j, "max_force", 0);
    json_integer(j, "max_penetration", 0);
    json_end_object(j);
}

char *summary_json(const summary *s)
{
    char *text = NULL;
    size_t size = 0;
    json j = {.out = open_memstream(&text, &size)};
    if (!j.out)
        return NULL;
    json_begin_object(&j, NULL);
    write_head(&j, s);
    write_times(&j, s->timing);
    write_effectors(&j, s);
    write_actuators(&j, s);
    json_begin_object(&j, "sensors");
    json_end_object(&j);
    write_contacts(&j);
    json_end_object(&j);
    bool failed = ferror(j.out);
    if (fclose(j.out) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

static void print_head(const summary *s)
{
    lithe_residual residual = lithe_last_residual(s->state);
    const char *end = realtime(s) ? "in real time" : s->converged ? "converged" : "NOT CONVERGED";
    printf("%s: %d step%s, %s\n", s->scene, s->steps, s->steps == 1 ? "" : "s", end);
    printf("  model      %d nodes, %d elements, %d degrees of freedom\n", lithe_nnode(s->model),
           lithe_nelement(s->model), lithe_ndof(s->model));
    printf("  residual   %.2g relative force residual, %d Newton iterations\n", residual.force,
           s->newton);
    if (!s->converged && residual.load < 1)
        printf("  load       %.3g %% of the last step's loads and commands are carried\n",
               100 * residual.load);
}

static void print_effectors(const summary *s)
{
    for (int i = 0; i < lithe_neffector(s->model); i++) {
        char at[SHOW_TEXT];
        char moved[SHOW_TEXT];
        double position[3];
        lithe_effector_value(s->model, s->state, i, position);
        double distance = vec_distance(position, s->def->effector[i].point[0].at);
        printf("  %-10s at %s, moved %s\n", lithe_effector_name(s->model, i),
               show_point(position, at), show_value(QUANTITY_LENGTH, distance, moved));
    }
}

static void print_quantity(const summary *s, int actuator, lithe_command_kind kind,
                           const double *value)
{
    char text[SHOW_TEXT];
    const command_quantity *q = command_quantity_of(lithe_actuator_type(s->model, actuator), kind);
    printf("%s", q->name);
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
        printf(", ");
        print_quantity(s, i, LITHE_EFFORT, effort);
        printf("\n");
    }
}

void summary_print(const summary *s)
{
    char median[SHOW_TEXT];
    print_head(s);
    print_effectors(s);
    print_actuators(s);
    show_value(QUANTITY_TIME, timing_rank(s->timing->step, s->timing->nstep, 0.5), median);
    printf("  step time  %s median\n", median);
    if (s->out)
        printf("  results    %s (open %s in ParaView)\n", s->out, OUTDIR_INDEX);
}
