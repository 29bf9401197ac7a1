#include "io/series.h"

#include "control/task.h"
#include "io/number.h"
#include "io/outdir.h"
#include "scene/actuator_quantity.h"

#include <math.h>
#include <string.h>

static void write_number(FILE *file, double value)
{
    char text[NUMBER_TEXT];
    fprintf(file, ",%s", number_text(value, text));
}

static void name_quantity(FILE *file, const lithe_model *m, int actuator, lithe_command_kind kind)
{
    const lithe_quantity *q = lithe_actuator_quantity(lithe_actuator_type(m, actuator), kind);
    int n = lithe_actuator_rows(m, actuator);
    char column[COMMAND_COLUMN];
    for (int i = 0; q->name && i < n; i++)
        fprintf(file, ",%s", command_column(lithe_actuator_name(m, actuator), q, i, n, column));
}

static void write_quantity(FILE *file, const lithe_model *m, const lithe_state *s, int actuator,
                           lithe_command_kind kind)
{
    double value[3];
    if (!lithe_actuator_quantity(lithe_actuator_type(m, actuator), kind)->name)
        return;
    if (kind == LITHE_EFFORT)
        lithe_effort(m, s, actuator, value);
    else
        lithe_displacement(m, s, actuator, value);
    for (int i = 0; i < lithe_actuator_rows(m, actuator); i++)
        write_number(file, value[i]);
}

static void name_measure(FILE *file, const char *prefix, const lithe_measure *what)
{
    char column[MEASURE_TEXT];
    for (int i = 0; i < measure_rows(what); i++)
        fprintf(file, ",%s%s", prefix, measure_column(what, i, column));
}

static void name_targets(FILE *file, const lithe_model *m)
{
    const control_task *task = control_of(m);
    for (int i = 0; i < task->ngoal; i++)
        name_measure(file, "target.", control_goal_measure(task, &task->goal[i]));
}

// Forces, and what a joint leaves free, with its unit; value: of each, NAN: it has no such.
typedef struct free_axis {
    const char *name;
    double value;
} free_axis;

static void list_free(const lithe_joint_info *joint, free_axis out[3])
{
    out[0] = (free_axis){"angle_rad", joint->angle};
    out[1] = (free_axis){"cross_angle_rad", joint->cross_angle};
    out[2] = (free_axis){"travel_m", joint->travel};
}

static void name_joints(FILE *file, const lithe_model *m)
{
    free_axis free[3];
    list_free(&(lithe_joint_info){0}, free);
    for (int i = 0; i < lithe_njoint(m); i++) {
        const char *name = lithe_joint_name(m, i);
        for (int k = 0; k < 6; k++)
            fprintf(file, ",%s.%s.%c_%s", name, k < 3 ? "force" : "moment", "xyz"[k % 3],
                    k < 3 ? "N" : "Nm");
        for (int k = 0; k < 3; k++)
            if (lithe_joint_leaves(m, i, (lithe_joint_axis)k))
                fprintf(file, ",%s.%s", name, free[k].name);
    }
}

static void write_joint(FILE *file, const lithe_model *m, const lithe_state *s, int i)
{
    lithe_joint_info joint;
    free_axis free[3];
    lithe_joint_get(m, s, i, &joint);
    list_free(&joint, free);
    for (int k = 0; k < 6; k++)
        write_number(file, k < 3 ? joint.force[k] : joint.moment[k - 3]);
    for (int k = 0; k < 3; k++)
        if (!isnan(free[k].value))
            write_number(file, free[k].value);
}

void series_head(FILE *file, const lithe_model *m, const double *target)
{
    const control_task *task = control_of(m);
    fputs("time_s,step", file);
    for (int i = 0; i < lithe_neffector(m); i++)
        name_measure(file, "", &task->effector[i]);
    for (int i = 0; i < lithe_nsensor(m); i++)
        name_measure(file, "", &task->sensor[i]);
    for (int i = 0; i < lithe_nactuator(m); i++) {
        name_quantity(file, m, i, LITHE_EFFORT);
        name_quantity(file, m, i, LITHE_DISPLACEMENT);
    }
    name_joints(file, m);
    fputs(",residual,load", file);
    if (lithe_npair(m) > 0)
        fputs(",overlap_m", file);
    if (lithe_model_step(m)->mode == LITHE_ASYNCHRONOUS)
        fputs(",factor_age,step_s,missed", file);
    if (lithe_model_dynamics(m)->scheme != LITHE_STATIC)
        fputs(",kinetic_J,elastic_J,potential_J,momentum.x_kgm/s,momentum.y_kgm/s,momentum.z_kgm/s,"
              "spin.x_kgm^2/s,spin.y_kgm^2/s,spin.z_kgm^2/s",
              file);
    if (target)
        name_targets(file, m);
    fputc('\n', file);
}

static void write_measures(FILE *file, const lithe_model *m, const lithe_state *s)
{
    for (int i = 0; i < lithe_neffector(m); i++) {
        const double *value = lithe_row_values(s) + lithe_row_of_effector(m, i);
        for (int k = 0; k < lithe_effector_rows(m, i); k++)
            write_number(file, value[k]);
    }
    for (int i = 0; i < lithe_nsensor(m); i++) {
        double effort_sensor[3];
        const double *value = control_sensor_value(m, s, i, effort_sensor);
        for (int k = 0; k < lithe_sensor_rows(m, i); k++)
            write_number(file, value[k]);
    }
}

static void write_time(FILE *file, const lithe_model *m, int step)
{
    char text[NUMBER_TEXT];
    fputs(number_text(step * lithe_model_step(m)->dt, text), file);
}

// Energies and momentum of a robot in motion.
static void write_motion(FILE *file, const lithe_model *m, const lithe_state *s)
{
    if (lithe_model_dynamics(m)->scheme == LITHE_STATIC)
        return;
    lithe_energy e = lithe_last_energy(m, s);
    double value[] = {e.kinetic,   e.elastic,    e.potential,  e.linear[0], e.linear[1],
                      e.linear[2], e.angular[0], e.angular[1], e.angular[2]};
    for (size_t i = 0; i < sizeof value / sizeof *value; i++)
        write_number(file, value[i]);
}

void series_line(FILE *file, const lithe_model *m, const lithe_state *s, int step,
                 const double *target)
{
    const control_task *task = control_of(m);
    lithe_residual residual = lithe_last_residual(s);
    write_time(file, m, step);
    fprintf(file, ",%d", step);
    write_measures(file, m, s);
    for (int i = 0; i < lithe_nactuator(m); i++) {
        write_quantity(file, m, s, i, LITHE_EFFORT);
        write_quantity(file, m, s, i, LITHE_DISPLACEMENT);
    }
    for (int i = 0; i < lithe_njoint(m); i++)
        write_joint(file, m, s, i);
    write_number(file, residual.force);
    write_number(file, residual.load);
    if (lithe_npair(m) > 0)
        write_number(file, lithe_penetration(s));
    if (lithe_model_step(m)->mode == LITHE_ASYNCHRONOUS) {
        lithe_async a = lithe_last_async(s);
        fprintf(file, ",%d", a.age);
        write_number(file, a.seconds);
        fprintf(file, ",%ld", a.missed);
    }
    write_motion(file, m, s);
    for (int i = 0; target && i < task->ngoal; i++)
        for (int k = 0; k < task->goal[i].path.n; k++)
            write_number(file, target[task->goal[i].adr + k]);
    fputc('\n', file);
}

void series_actuation_head(FILE *file, const lithe_model *m)
{
    fputs("time_s", file);
    for (int i = 0; i < lithe_nactuator(m); i++) {
        name_quantity(file, m, i, LITHE_DISPLACEMENT);
        name_quantity(file, m, i, LITHE_EFFORT);
    }
    fputc('\n', file);
}

void series_actuation_line(FILE *file, const lithe_model *m, const lithe_state *s, int step)
{
    write_time(file, m, step);
    for (int i = 0; i < lithe_nactuator(m); i++) {
        write_quantity(file, m, s, i, LITHE_DISPLACEMENT);
        write_quantity(file, m, s, i, LITHE_EFFORT);
    }
    fputc('\n', file);
}

void series_contacts_head(FILE *file)
{
    fputs("time_s,step,first,second,x_m,y_m,z_m,normal.x,normal.y,normal.z,gap_m,force_N,"
          "friction.x_N,friction.y_N,friction.z_N\n",
          file);
}

void series_contacts_lines(FILE *file, const lithe_model *m, const lithe_state *s, int step)
{
    char time[NUMBER_TEXT];
    for (int i = 0; i < lithe_ncontact(s); i++) {
        lithe_contact c;
        lithe_contact_get(m, s, i, &c);
        fprintf(file, "%s,%d,%s,%s", number_text(step * lithe_model_step(m)->dt, time), step,
                c.first, c.second);
        for (int k = 0; k < 3; k++)
            write_number(file, c.at[k]);
        for (int k = 0; k < 3; k++)
            write_number(file, c.normal[k]);
        write_number(file, c.gap);
        write_number(file, c.force);
        for (int k = 0; k < 3; k++)
            write_number(file, c.friction[k]);
        fputc('\n', file);
    }
}

void series_matrix(FILE *file, const lithe_model *m, int first, lithe_command_kind kind,
                   const double *value)
{
    char column[LITHE_ROW_NAME];
    int n = lithe_ndriven(m);
    fputs("row", file);
    for (int c = 0; c < n; c++)
        fprintf(file, ",%s", lithe_row_name(m, c, kind, column));
    fputc('\n', file);
    for (int r = first; r < lithe_nrow(m); r++) {
        fputs(lithe_row_name(m, r, LITHE_DISPLACEMENT, column), file);
        for (int c = 0; c < n; c++)
            write_number(file, *value++);
        fputc('\n', file);
    }
}

void series_index(FILE *file, int nframe, double dt)
{
    char text[NUMBER_TEXT];
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
          file);
    for (int i = 0; i < nframe; i++)
        fprintf(file, "<DataSet timestep=\"%s\" part=\"0\" file=\"" OUTDIR_FRAME "\"/>\n",
                number_text(i * dt, text), i);
    fputs("</Collection>\n</VTKFile>\n", file);
}
