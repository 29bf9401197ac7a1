#include "app/program.h"
#include "app/say.h"
#include "app/session.h"
#include "app/show.h"
#include "io/json.h"
#include "scene/command.h"
#include "step/readout.h"

#include <stdio.h>

static const command_line LINE = {
    .name = "check",
    .usage = "SCENE [options]",
    .about =
        "Validates a scene and its meshes and says what is in it: bodies with their size, mass\n"
        "and mesh quality, cavities, actuators with their limits, effectors.\n",
    .options = OPTION_SET | OPTION_JSON | OPTION_QUIET,
};

// Scalar relations: one an actuator, three an effector's point.
static int count_rows(const lithe_model *m)
{
    return lithe_nactuator(m) + 3 * lithe_neffector(m);
}

static void print_cavities(const body_info *body)
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

static void print_body(const body_info *body)
{
    char a[SHOW_TEXT];
    char b[SHOW_TEXT];
    printf("body %s\n", body->name);
    printf("  mesh       %d nodes, %d elements, %d free degrees of freedom\n", body->nnode,
           body->nelement, body->ndof);
    printf("  box        %s to %s\n", show_point(body->lower, a), show_point(body->upper, b));
    printf("  volume     %s, mass %s\n", show_value(QUANTITY_VOLUME, body->volume, a),
           show_value(QUANTITY_MASS, body->mass, b));
    printf("  quality    worst %.3f, median %.3f (1: regular tetrahedron, 0: flat)\n",
           body->worst_quality, body->median_quality);
    print_cavities(body);
}

static const char *kind_name(lithe_actuator_kind kind)
{
    switch (kind) {
    case LITHE_CABLE: return "cable";
    case LITHE_PISTON: return "piston";
    case LITHE_CAVITY: return "cavity";
    case LITHE_LIQUID: return "liquid";
    case LITHE_FORCE: return "force";
    case LITHE_SLIDER: return "slider";
    case LITHE_MODULUS: return "modulus";
    }
    return "unknown";
}

typedef struct actuator_info {
    const char *name;
    const char *kind;
    const command_quantity *effort, *displacement, *command;
    double effort_limit[2], displacement_limit[2];
    double value[3]; // of the command
} actuator_info;

static actuator_info read_actuator(const lithe_model *m, int actuator)
{
    lithe_actuator_kind kind = lithe_actuator_type(m, actuator);
    actuator_info a = {
        .name = lithe_actuator_name(m, actuator),
        .kind = kind_name(kind),
        .effort = command_quantity_of(kind, LITHE_EFFORT),
        .displacement = command_quantity_of(kind, LITHE_DISPLACEMENT),
    };
    model_actuator_limits(m, actuator, a.effort_limit, a.displacement_limit);
    a.command = command_quantity_of(kind, model_actuator_command(m, actuator, a.value));
    return a;
}

static void print_actuator(const lithe_model *m, int actuator)
{
    char effort[SHOW_TEXT];
    char displacement[SHOW_TEXT];
    char value[SHOW_TEXT];
    actuator_info a = read_actuator(m, actuator);
    printf("  %-10s %s, %s %s, %s %s, command %s %s\n", a.name, a.kind, a.effort->name,
           show_range(a.effort->dimension, a.effort_limit, effort), a.displacement->name,
           show_range(a.displacement->dimension, a.displacement_limit, displacement),
           a.command->name, show_value(a.command->dimension, a.value[0], value));
}

static void print_effectors(const session *s)
{
    const lithe_def *def = lithe_scene_def(s->scene);
    for (int i = 0; i < def->neffector; i++) {
        char text[SHOW_TEXT];
        const lithe_point_def *point = def->effector[i].point;
        printf("  %-10s %s on %s\n", def->effector[i].name, show_point(point->at, text),
               point->body);
    }
}

static void print_text(const session *s)
{
    const lithe_model *m = s->model;
    for (int i = 0; i < lithe_nbody(m); i++) {
        body_info body = model_body_info(m, i);
        print_body(&body);
    }
    if (lithe_nactuator(m) > 0)
        printf("actuators\n");
    for (int i = 0; i < lithe_nactuator(m); i++)
        print_actuator(m, i);
    if (lithe_neffector(m) > 0)
        printf("effectors\n");
    print_effectors(s);
    printf("%s is sound: %d nodes, %d elements, %d degrees of freedom, %d rows", s->options.scene,
           lithe_nnode(m), lithe_nelement(m), lithe_ndof(m), count_rows(m));
    if (s->nnotice > 0)
        printf(", %d notice%s", s->nnotice, s->nnotice == 1 ? "" : "s");
    printf("\n");
}

static void write_body(json *j, const body_info *body)
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
    json_begin_object(j, "quality");
    json_number(j, "worst", body->worst_quality);
    json_number(j, "median", body->median_quality);
    json_end_object(j);
    json_numbers(j, "cavities", body->ncavity, body->cavity_volume);
    json_end_object(j);
}

static void write_actuator(json *j, const actuator_info *a)
{
    json_begin_object(j, a->name);
    json_string(j, "kind", a->kind);
    json_numbers(j, "effort_limit", 2, a->effort_limit);
    json_numbers(j, "displacement_limit", 2, a->displacement_limit);
    json_begin_object(j, "command");
    json_number(j, a->command->name, a->value[0]);
    json_end_object(j);
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
    for (int i = 0; i < def->neffector; i++) {
        json_begin_object(j, def->effector[i].name);
        json_string(j, "body", def->effector[i].point[0].body);
        json_numbers(j, "position", 3, def->effector[i].point[0].at);
        json_end_object(j);
    }
    json_end_object(j);
}

static void print_json(const session *s)
{
    const lithe_model *m = s->model;
    json j = {.out = stdout};
    json_begin_object(&j, NULL);
    json_string(&j, "scene", s->options.scene);
    json_string(&j, "version", lithe_version());
    json_begin_array(&j, "bodies");
    for (int i = 0; i < lithe_nbody(m); i++) {
        body_info body = model_body_info(m, i);
        write_body(&j, &body);
    }
    json_end_array(&j);
    write_rows(&j, s);
    json_integer(&j, "nodes", lithe_nnode(m));
    json_integer(&j, "elements", lithe_nelement(m));
    json_integer(&j, "dofs", lithe_ndof(m));
    json_integer(&j, "rows", count_rows(m));
    json_begin_array(&j, "notices");
    for (int i = 0; i < s->nnotice; i++)
        json_string(&j, NULL, s->notice[i]);
    json_end_array(&j);
    json_end_object(&j);
}

int command_check(int argc, char **argv)
{
    session s;
    int exit_status;
    if (session_open(&s, &LINE, argc, argv, &exit_status)) {
        if (s.options.json)
            print_json(&s);
        else if (!s.options.quiet)
            print_text(&s);
        exit_status = say_flush_output(EXIT_DONE);
    }
    session_close(&s);
    return exit_status;
}
