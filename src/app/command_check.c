#include "app/mesh_check.h"
#include "app/program.h"
#include "app/say.h"
#include "app/session.h"
#include "app/show.h"
#include "io/json.h"

#include <stdio.h>
#include <string.h>

static const command_line LINE = {
    .name = "check",
    .usage = "SCENE [options]",
    .about =
        "Validates a scene and its meshes and says what is in it: bodies with their size, mass\n"
        "and mesh quality, cavities, what may touch what, actuators with their limits, effectors,\n"
        "sensors, the task. Slivers, coincident and orphan nodes, loose parts, folds and walls of\n"
        "one element are told with their numbers.\n",
    .options = OPTION_SET | OPTION_OFFENDERS | OPTION_JSON | OPTION_QUIET,
    .says_notices = true,
};

static void print_cavities(const lithe_body_info *body)
{
    char text[SHOW_TEXT];
    if (body->ncavity == 0)
        return;
    printf("  cavities   ");
    for (int i = 0; i < body->ncavity; i++)
        printf("%s%d: %s", i ? ", " : "", i + 1,
               show_value(QUANTITY_VOLUME, body->cavity_volume[i], text));
    printf("\n");
}

static void print_body(const lithe_body_info *body, const body_care *care, bool rigid)
{
    char a[SHOW_TEXT];
    char b[SHOW_TEXT];
    printf("body %s\n", body->name);
    printf("  %-10s %d nodes, %d elements, %d free degrees of freedom\n",
           rigid           ? "rigid"
           : care->members ? "members"
           : care->none    ? "slender"
                           : "mesh",
           body->nnode, body->nelement, body->ndof);
    printf("  box        %s to %s\n", show_point(body->lower, a), show_point(body->upper, b));
    printf("  volume     %s, mass %s\n", show_value(QUANTITY_VOLUME, body->volume, a),
           show_value(QUANTITY_MASS, body->mass, b));
    if (!care->none) { // rods and shells alone have no mesh to look at
        printf("  quality    worst %.3f, median %.3f (1: regular tetrahedron, 0: flat)\n",
               body->worst_quality, body->median_quality);
        care_print(care);
    }
    print_cavities(body);
}

typedef struct actuator_info {
    const char *name;
    const char *kind;
    const lithe_quantity *effort, *displacement, *command;
    double effort_limit[2], displacement_limit[2];
    double value[3]; // of the command
    int nvalue;
    bool given;
} actuator_info;

static actuator_info read_actuator(const lithe_model *m, int actuator)
{
    lithe_actuator_kind kind = lithe_actuator_type(m, actuator);
    actuator_info a = {
        .name = lithe_actuator_name(m, actuator),
        .kind = lithe_actuator_kind_name(kind),
        .effort = lithe_actuator_quantity(kind, LITHE_EFFORT),
        .displacement = lithe_actuator_quantity(kind, LITHE_DISPLACEMENT),
    };
    lithe_actuator_limits(m, actuator, a.effort_limit, a.displacement_limit);
    a.command = lithe_actuator_quantity(kind, lithe_actuator_command(m, actuator, a.value));
    a.nvalue = lithe_actuator_rows(m, actuator);
    a.given = lithe_actuator_given(m, actuator);
    return a;
}

static void print_limit(const lithe_quantity *q, const double limit[2])
{
    char text[SHOW_TEXT];
    if (q->name && !q->read_only)
        printf(", %s %s", q->name, show_range(q->dimension, limit, text));
}

static void print_actuator(const lithe_model *m, int actuator)
{
    char value[SHOW_TEXT];
    actuator_info a = read_actuator(m, actuator);
    printf("  %-10s %s", a.name, a.kind);
    print_limit(a.effort, a.effort_limit);
    print_limit(a.displacement, a.displacement_limit);
    printf(", command %s", a.command->name);
    for (int i = 0; i < lithe_actuator_rows(m, actuator); i++)
        printf("%s %s", i ? "," : "", show_value(a.command->dimension, a.value[i], value));
    printf("%s\n", a.given ? ", given" : "");
}

static const char *effector_kind_name(lithe_effector_kind kind)
{
    static const char *const name[] = {[LITHE_POINTS] = "point",
                                       [LITHE_BARYCENTRE] = "barycentre",
                                       [LITHE_MASS_CENTRE] = "mass_centre",
                                       [LITHE_ROTATION] = "orientation",
                                       [LITHE_VOLUME] = "volume",
                                       [LITHE_LENGTH] = "length"};
    return name[kind];
}

static void print_effectors(const session *s)
{
    const lithe_def *def = lithe_scene_def(s->scene);
    for (int i = 0; i < def->neffector; i++) {
        char text[SHOW_TEXT];
        const lithe_effector_def *d = &def->effector[i];
        if (d->kind == LITHE_POINTS && d->npoint == 1)
            printf("  %-10s %s on %s\n", d->name, show_point(d->point[0].at, text),
                   d->point[0].body);
        else
            printf("  %-10s %s, %d number%s\n", d->name, effector_kind_name(d->kind),
                   lithe_effector_rows(s->model, i),
                   lithe_effector_rows(s->model, i) == 1 ? "" : "s");
    }
}

static void print_sensors(const session *s)
{
    const lithe_def *def = lithe_scene_def(s->scene);
    for (int i = 0; i < def->nsensor; i++)
        printf("  %-10s %s%s%s\n", def->sensor[i].name, lithe_sensor_kind_name(def->sensor[i].kind),
               def->sensor[i].actuator ? " of " : "",
               def->sensor[i].actuator ? def->sensor[i].actuator : "");
}

static const char *path_name(lithe_path_kind kind)
{
    static const char *const name[] = {[LITHE_STAY] = "hold",
                                       [LITHE_CIRCLE] = "circle",
                                       [LITHE_POLYGON] = "polygon",
                                       [LITHE_WAYPOINTS] = "waypoints",
                                       [LITHE_LINE] = "line"};
    return name[kind];
}

static void print_task(const session *s)
{
    const lithe_task_def *task = &lithe_scene_def(s->scene)->task;
    char text[SHOW_TEXT];
    for (int i = 0; i < task->ngoal; i++) {
        const lithe_goal_def *g = &task->goal[i];
        printf("  %-10s %s\n", g->effector ? g->effector : g->sensor,
               g->kept ? "keep" : path_name(g->path));
    }
    printf("  duration   %s\n", show_value(QUANTITY_TIME, lithe_task_duration(s->model), text));
}

static const char *partner(const lithe_model *m, int pair)
{
    const char *first = lithe_pair_name(m, pair, 0), *second = lithe_pair_name(m, pair, 1);
    return strcmp(first, second) == 0 ? "itself" : second;
}

// What may come into contact with what, a line for each first side.
static void print_contacts(const lithe_model *m)
{
    int n = lithe_npair(m);
    if (n == 0 && lithe_nbody(m) > 1)
        printf("contacts\n  none       bodies pass through each other; `contacts: {}` lets them "
               "touch\n");
    else if (n > 0)
        printf("contacts\n");
    for (int i = 0; i < n; i++) {
        const char *first = lithe_pair_name(m, i, 0);
        bool told = false;
        for (int k = 0; k < i; k++)
            told = told || strcmp(lithe_pair_name(m, k, 0), first) == 0;
        for (int k = i; k < n && !told; k++)
            if (strcmp(lithe_pair_name(m, k, 0), first) == 0)
                printf(k == i ? "  %-10s %s" : "%s, %s", k == i ? first : "", partner(m, k));
        printf("%s", told ? "" : "\n");
    }
}

static void print_text(const session *s, const scene_care *care)
{
    const lithe_model *m = s->model;
    for (int i = 0; i < lithe_nbody(m); i++) {
        lithe_body_info body;
        lithe_body_get(m, i, &body);
        print_body(&body, &care->body[i], lithe_body_is_rigid(m, i));
    }
    if (lithe_njoint(m) > 0)
        printf("joints\n");
    for (int i = 0; i < lithe_njoint(m); i++)
        printf("  %s\n", lithe_joint_name(m, i));
    print_contacts(m);
    if (lithe_nactuator(m) > 0)
        printf("actuators\n");
    for (int i = 0; i < lithe_nactuator(m); i++)
        print_actuator(m, i);
    if (lithe_neffector(m) > 0)
        printf("effectors\n");
    print_effectors(s);
    if (lithe_nsensor(m) > 0)
        printf("sensors\n");
    print_sensors(s);
    if (lithe_ngoal(m) > 0) {
        printf("task\n");
        print_task(s);
    }
    printf("%s is sound: %d nodes, %d elements, %d degrees of freedom, %d rows", s->options.scene,
           lithe_nnode(m), lithe_nelement(m), lithe_ndof(m), lithe_nrow(m));
    if (s->nnotice > 0)
        printf(", %d notice%s", s->nnotice, s->nnotice == 1 ? "" : "s");
    printf("\n");
}

static void write_body(json *j, const lithe_body_info *body, const body_care *care)
{
    json_begin_object(j, NULL);
    json_string(j, "name", body->name);
    json_integer(j, "nodes", body->nnode);
    json_integer(j, "elements", body->nelement);
    json_integer(j, "dofs", body->ndof);
    json_number(j, "volume", body->volume);
    json_number(j, "mass", body->mass);
    json_begin_array(j, "box");
    json_numbers(j, NULL, 3, body->lower);
    json_numbers(j, NULL, 3, body->upper);
    json_end_array(j);
    json_numbers(j, "cavities", body->ncavity, body->cavity_volume);
    if (care->none) {
        json_null(j, "quality");
        json_null(j, "mesh");
    } else {
        json_begin_object(j, "quality");
        json_number(j, "worst", body->worst_quality);
        json_number(j, "median", body->median_quality);
        json_end_object(j);
        care_write(j, care);
    }
    json_end_object(j);
}

static void write_actuator(json *j, const actuator_info *a)
{
    json_begin_object(j, a->name);
    json_string(j, "kind", a->kind);
    json_numbers(j, "effort_limit", 2, a->effort_limit);
    json_numbers(j, "displacement_limit", 2, a->displacement_limit);
    json_begin_object(j, "command");
    if (a->nvalue == 1)
        json_number(j, a->command->name, a->value[0]);
    else
        json_numbers(j, a->command->name, a->nvalue, a->value);
    json_end_object(j);
    json_bool(j, "given", a->given);
    json_end_object(j);
}

static void write_effector(json *j, const lithe_effector_def *d, int rows)
{
    json_begin_object(j, d->name);
    json_string(j, "kind", effector_kind_name(d->kind));
    json_integer(j, "rows", rows);
    if (d->kind == LITHE_POINTS && d->npoint == 1) {
        json_string(j, "body", d->point[0].body);
        json_numbers(j, "position", 3, d->point[0].at);
    }
    json_end_object(j);
}

static void write_goals(json *j, const session *s)
{
    const lithe_task_def *task = &lithe_scene_def(s->scene)->task;
    json_begin_object(j, "task");
    json_number(j, "duration", lithe_task_duration(s->model));
    json_begin_array(j, "goals");
    for (int i = 0; i < task->ngoal; i++) {
        const lithe_goal_def *g = &task->goal[i];
        json_begin_object(j, NULL);
        json_string(j, g->effector ? "effector" : "sensor", g->effector ? g->effector : g->sensor);
        json_string(j, "path", path_name(g->path));
        json_bool(j, "kept", g->kept);
        json_end_object(j);
    }
    json_end_array(j);
    json_end_object(j);
}

static void write_rows(json *j, const session *s)
{
    const lithe_def *def = lithe_scene_def(s->scene);
    json_begin_object(j, "actuators");
    for (int i = 0; i < lithe_nactuator(s->model); i++) {
        actuator_info a = read_actuator(s->model, i);
        write_actuator(j, &a);
    }
    json_end_object(j);
    json_begin_object(j, "effectors");
    for (int i = 0; i < def->neffector; i++)
        write_effector(j, &def->effector[i], lithe_effector_rows(s->model, i));
    json_end_object(j);
    json_begin_object(j, "sensors");
    for (int i = 0; i < def->nsensor; i++) {
        json_begin_object(j, def->sensor[i].name);
        json_string(j, "kind", lithe_sensor_kind_name(def->sensor[i].kind));
        json_integer(j, "rows", lithe_sensor_rows(s->model, i));
        json_end_object(j);
    }
    json_end_object(j);
    if (def->task.ngoal > 0)
        write_goals(j, s);
}

static void print_json(const session *s, const scene_care *care)
{
    const lithe_model *m = s->model;
    json j = {.out = stdout};
    json_begin_object(&j, NULL);
    json_string(&j, "scene", s->options.scene);
    json_string(&j, "version", lithe_version());
    json_begin_array(&j, "bodies");
    for (int i = 0; i < lithe_nbody(m); i++) {
        lithe_body_info body;
        lithe_body_get(m, i, &body);
        write_body(&j, &body, &care->body[i]);
    }
    json_end_array(&j);
    json_begin_array(&j, "contacts");
    for (int i = 0; i < lithe_npair(m); i++) {
        json_begin_array(&j, NULL);
        json_string(&j, NULL, lithe_pair_name(m, i, 0));
        json_string(&j, NULL, lithe_pair_name(m, i, 1));
        json_end_array(&j);
    }
    json_end_array(&j);
    write_rows(&j, s);
    json_integer(&j, "nodes", lithe_nnode(m));
    json_integer(&j, "elements", lithe_nelement(m));
    json_integer(&j, "dofs", lithe_ndof(m));
    json_integer(&j, "rows", lithe_nrow(m));
    json_begin_array(&j, "notices");
    for (int i = 0; i < s->nnotice; i++)
        json_string(&j, NULL, s->notice[i]);
    json_end_array(&j);
    json_end_object(&j);
}

static int check(session *s)
{
    scene_care care;
    lithe_status status = care_open(s, &care);
    if (status == LITHE_OK && s->options.offenders)
        status = care_write_offenders(&care, s->options.offenders, &s->report);
    if (status == LITHE_OK) {
        care_notice(s, &care);
        if (s->options.json)
            print_json(s, &care);
        else if (!s->options.quiet)
            print_text(s, &care);
    }
    care_close(&care);
    return status == LITHE_OK ? say_flush_output(EXIT_DONE) : say_failure(status, &s->report);
}

int command_check(int argc, char **argv)
{
    session s;
    int exit_status;
    if (session_open(&s, &LINE, argc, argv, &exit_status))
        exit_status = check(&s);
    session_close(&s);
    return exit_status;
}
