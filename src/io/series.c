#include "io/series.h"

#include "io/number.h"
#include "io/outdir.h"
#include "scene/command.h"
#include "step/readout.h"

static void write_quantity(FILE *file, const lithe_model *m, int actuator, lithe_command_kind kind)
{
    const command_quantity *q = command_quantity_of(lithe_actuator_type(m, actuator), kind);
    fprintf(file, ",%s.%s_%s", lithe_actuator_name(m, actuator), q->name,
            quantity_si_unit(q->dimension));
}

void series_head(FILE *file, const lithe_model *m)
{
    fputs("time_s,step", file);
    for (int i = 0; i < lithe_neffector(m); i++)
        for (const char *axis = "xyz"; *axis; axis++)
            fprintf(file, ",%s.%c_m", lithe_effector_name(m, i), *axis);
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
        double position[3];
        lithe_effector_position(m, s, i, position);
        for (int axis = 0; axis < 3; axis++)
            write_number(file, position[axis]);
    }
    for (int i = 0; i < lithe_nactuator(m); i++) {
        write_number(file, lithe_effort(s, i));
        write_number(file, lithe_displacement(s, i));
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
