#include "rig.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool compile_rig(rig *r, const char *path, int nset, const char *const *set)
{
    return lithe_scene_read(path, nset, set, &r->scene, &r->report) == LITHE_OK &&
           lithe_compile(lithe_scene_def(r->scene), &r->model, &r->report) == LITHE_OK &&
           lithe_state_create(r->model, 1, &r->state, &r->report) == LITHE_OK;
}

bool rig_open(rig *r, table *t, const char *scene, ...)
{
    enum { MOST_SETS = 16 };
    const char *set[MOST_SETS];
    int nset = 0;
    char path[1024];
    va_list args;
    va_start(args, scene);
    for (const char *s; nset < MOST_SETS && (s = va_arg(args, const char *));)
        set[nset++] = s;
    va_end(args);
    snprintf(path, sizeof path, "%s/%s", LITHE_ROOT, scene);
    *r = (rig){.t = t, .report = lithe_report_default()};
    if (compile_rig(r, path, nset, set))
        return true;
    table_broken(t, "%s: %s", scene, r->report.error);
    rig_close(r);
    return false;
}

void rig_close(rig *r)
{
    lithe_state_free(r->state);
    lithe_model_free(r->model);
    lithe_scene_free(r->scene);
    r->state = NULL;
    r->model = NULL;
    r->scene = NULL;
}

bool rig_step(rig *r)
{
    if (lithe_step(r->model, r->state) == LITHE_OK)
        return true;
    table_broken(r->t, "%s", lithe_state_error(r->state));
    return false;
}

bool rig_forward(rig *r, lithe_command_kind kind, const double *value)
{
    lithe_forget_targets(r->model, r->state);
    for (int i = 0; i < lithe_nactuator(r->model); i++)
        if (lithe_command(r->model, r->state, i, kind, &value[i]) != LITHE_OK) {
            table_broken(r->t, "%s", lithe_state_error(r->state));
            return false;
        }
    return rig_step(r);
}

bool rig_imitate(rig *r, const rig *other)
{
    const lithe_actuator_def *def = lithe_scene_def(r->scene)->actuator;
    lithe_forget_targets(r->model, r->state);
    for (int i = 0; i < lithe_nactuator(r->model); i++) {
        bool told_effort = def[i].kind == LITHE_CAVITY;
        const double *limit = told_effort ? def[i].effort_limit : def[i].displacement_limit;
        double value;
        (told_effort ? lithe_effort : lithe_displacement)(other->model, other->state, i, &value);
        value = fmin(fmax(value, limit[0]), limit[1]);
        if (lithe_command(r->model, r->state, i, told_effort ? LITHE_EFFORT : LITHE_DISPLACEMENT,
                          &value) != LITHE_OK) {
            table_broken(r->t, "%s", lithe_state_error(r->state));
            return false;
        }
    }
    return rig_step(r);
}

bool rig_aim_effector(rig *r, const char *name, const double *target)
{
    int id = lithe_find_effector(r->model, name);
    if (id >= 0 && lithe_target_effector(r->model, r->state, id, target, false) == LITHE_OK)
        return true;
    table_broken(r->t, "effector %s: %s", name, lithe_state_error(r->state));
    return false;
}

bool rig_aim_sensor(rig *r, const char *name, const double *target)
{
    int id = lithe_find_sensor(r->model, name);
    if (id >= 0 && lithe_target_sensor(r->model, r->state, id, target, false) == LITHE_OK)
        return true;
    table_broken(r->t, "sensor %s: %s", name, lithe_state_error(r->state));
    return false;
}

void rig_efforts(const rig *r, double *effort)
{
    for (int i = 0; i < lithe_nactuator(r->model); i++)
        lithe_effort(r->model, r->state, i, &effort[i]);
}

void rig_displacements(const rig *r, double *displacement)
{
    for (int i = 0; i < lithe_nactuator(r->model); i++)
        lithe_displacement(r->model, r->state, i, &displacement[i]);
}

void rig_measure(const rig *r, const char *effector, double *value)
{
    lithe_effector_value(r->model, r->state, lithe_find_effector(r->model, effector), value);
}

double distance3(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}
