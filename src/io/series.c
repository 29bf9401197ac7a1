#include "io/series.h"

#include "io/number.h"
#include "io/outdir.h"
#include "scene/command.h"
#include "step/readout.h"

// The components of what has several rows: ".x" for the first of three, "" for the only one.
static const char *component(int row, int nrow)
{
    static const char *const axis[] = {".x", ".y", ".z"};
    return nrow == 3 ? axis[row] : "";
}

static void write_quantity(FILE *file, const lithe_model *m, int actuator, lithe_command_kind kind)
{
    const command_quantity *q = command_quantity_of(lithe_actuator_type(m, actuator), kind);
    int n = lithe_actuator_rows(m, actuator);
    for (int i = 0; i < n; i++)
        fprintf(file, ",%s.%s%s_%s", lithe_actuator_name(m, actuator), q->name, component(i, n),
                quantity_si_unit(q->dimension));
}

// "tip.x_m" for a point of three axes, "tip.1_m" … where there are other numbers of rows.
static void write_effector(FILE *file, const lithe_model *m, int effector)
{
    static const char *const measure[] = {
        [LITHE_POINTS] = "m", [LITHE_BARYCENTRE] = "m", [LITHE_MASS_CENTRE] = "m",
        [LITHE_TURN] = "rad", [LITHE_VOLUME] = "m3",    [LITHE_LENGTH] = "m"};
    const char *name = lithe_effector_name(m, effector);
    int n = lithe_effector_rows(m, effector);
    for (int i = 0; i < n; i++)
        if (n == 1 || n == 3)
            fprintf(file, ",%s%s_%s", name, component(i, n),
                    measure[lithe_effector_type(m, effector)]);
        else
            fprintf(file, ",%s.%d_%s", name, i + 1, measure[lithe_effector_type(m, effector)]);
}

void series_head(FILE *file, const lithe_model *m)
{
    fputs("time_s,step", file);
    for (int i = 0; i < lithe_neffector(m); i++)
        write_effector(file, m, i);
    for (int i = 0; i < lithe_nactuator(m); i++) {
        write_quantity(file, m, i, LITHE_EFFORT);
        write_quantity(file, m, i, LITHE_DISPLACEMENT);
    }
    fputs(",residual,load\n", file);
}

static void write_number(FILE *file, double value)
{
    char text[NUMBER_TEXT];
    fprintf(file, ",%s", number_text(value, text));
}

void series_line(FILE *file, const lithe_model *m, const lithe_state *s, int step)
{
    char text[NUMBER_TEXT];
    lithe_residual residual = lithe_last_residual(s);
    fprintf(file, "%s,%d", number_text(step * model_step_def(m)->dt, text), step);
    for (int i = 0; i < lithe_neffector(m); i++) {
        const double *value = state_row_values(s) + lithe_row_of_effector(m, i);
        for (int k = 0; k < lithe_effector_rows(m, i); k++)
            write_number(file, value[k]);
    }
    for (int i = 0; i < lithe_nactuator(m); i++) {
        double effort[3], displacement[3];
        lithe_effort(m, s, i, effort);
        lithe_displacement(m, s, i, displacement);
        for (int k = 0; k < lithe_actuator_rows(m, i); k++)
            write_number(file, effort[k]);
        for (int k = 0; k < lithe_actuator_rows(m, i); k++)
            write_number(file, displacement[k]);
    }
    write_number(file, residual.force);
    write_number(file, residual.load);
    fputc('\n', file);
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
