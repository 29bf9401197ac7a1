#include "io/stream.h"

#include "base/quantity.h"
#include "base/vec.h"
#include "control/task.h"
#include "io/json.h"
#include "io/obstacle_draw.h"
#include "lithe/reduce.h"
#include "scene/actuator_quantity.h"
#include "scene/sensor_kind.h"
#include "step/outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "messages are little-endian");

static void write_box(json *j, const stream_scene *s)
{
    json_numbers(j, "lower", 3, s->drawing->lower);
    json_numbers(j, "upper", 3, s->drawing->upper);
    json_numbers(j, "gravity", 3, s->def->gravity);
}

static void write_materials(json *j, const stream_scene *s)
{
    json_begin_array(j, "materials");
    for (int i = 0; i < s->def->nmaterial; i++) {
        const lithe_material_def *d = &s->def->material[i];
        json_begin_object(j, NULL);
        json_string(j, "name", d->name);
        json_number(j, "young", d->young);
        json_number(j, "poisson", d->poisson);
        json_end_object(j);
    }
    json_end_array(j);
}

static void write_bodies(json *j, const stream_scene *s)
{
    json_begin_array(j, "bodies");
    for (int i = 0; i < s->def->nbody; i++)
        json_string(j, NULL, s->def->body[i].name);
    json_end_array(j);
}

static void write_quantity(json *j, const char *key, const lithe_quantity *q, const double limit[2])
{
    if (!q->name) {
        json_null(j, key);
        return;
    }
    json_begin_object(j, key);
    json_string(j, "name", q->name);
    json_string(j, "dimension", quantity_name(q->dimension));
    json_bool(j, "told", !q->read_only);
    json_numbers(j, "limits", 2, limit);
    json_end_object(j);
}

static void write_actuator(json *j, const stream_scene *s, int i)
{
    const lithe_model *m = s->drawing->model;
    double effort[2], displacement[2], value[3];
    lithe_actuator_kind type = lithe_actuator_type(m, i);
    int n = lithe_actuator_rows(m, i);
    lithe_actuator_limits(m, i, effort, displacement);
    lithe_command_kind kind = lithe_actuator_command(m, i, value);
    json_begin_object(j, NULL);
    json_string(j, "name", lithe_actuator_name(m, i));
    json_integer(j, "row", lithe_row_of_actuator(m, i));
    json_integer(j, "rows", n);
    json_bool(j, "given", lithe_actuator_given(m, i));
    write_quantity(j, "effort", lithe_actuator_quantity(type, LITHE_EFFORT), effort);
    write_quantity(j, "displacement", lithe_actuator_quantity(type, LITHE_DISPLACEMENT),
                   displacement);
    json_string(j, "command", kind == LITHE_EFFORT ? "effort" : "displacement");
    json_numbers(j, "value", n, value);
    json_end_object(j);
}

static void write_measure(json *j, const lithe_measure *what, int first)
{
    json_begin_object(j, NULL);
    json_string(j, "name", what->name);
    json_string(j, "dimension", quantity_name(what->dimension));
    json_integer(j, "row", first);
    json_integer(j, "points", what->npoint);
    json_integer(j, "components", what->ncomponent);
    json_integer(j, "axes", what->axes);
    json_end_object(j);
}

static void write_rows(json *j, const stream_scene *s)
{
    const lithe_model *m = s->drawing->model;
    json_begin_array(j, "actuators");
    for (int i = 0; i < lithe_nactuator(m); i++)
        write_actuator(j, s, i);
    json_end_array(j);
    json_begin_array(j, "effectors");
    for (int i = 0; i < lithe_neffector(m); i++)
        write_measure(j, &control_of(m)->effector[i], lithe_row_of_effector(m, i));
    json_end_array(j);
    json_begin_array(j, "sensors");
    for (int i = 0; i < lithe_nsensor(m); i++)
        if (!sensor_kinds[s->def->sensor[i].kind]->reads_actuator)
            write_measure(j, &control_of(m)->sensor[i], lithe_row_of_sensor(m, i));
    json_end_array(j);
}

static void write_shapes(json *j, const drawing *d)
{
    double direction[3];
    json_begin_array(j, "lines");
    for (int i = 0; i < d->nline; i++) {
        json_begin_object(j, NULL);
        json_integer(j, "actuator", d->line[i].actuator);
        json_bool(j, "rod", d->line[i].row < 0);
        json_integer(j, "points", d->line[i].n);
        json_end_object(j);
    }
    json_end_array(j);
    json_begin_array(j, "cavities");
    for (int i = 0; i < d->ncavity; i++) {
        json_begin_object(j, NULL);
        json_integer(j, "actuator", d->cavity[i].actuator);
        json_integer(j, "triangles", d->cavity[i].n);
        json_end_object(j);
    }
    json_end_array(j);
    json_begin_array(j, "joints");
    for (int i = 0; i < lithe_njoint(d->model); i++)
        json_string(j, NULL, lithe_joint_name(d->model, i));
    json_end_array(j);
    json_begin_array(j, "markers");
    for (int i = 0; i < d->nmarker; i++) {
        json_begin_object(j, NULL);
        json_integer(j, "effector", d->marker[i].effector);
        json_bool(j, "movable", lithe_row_direction(d->model, d->marker[i].row, direction));
        json_end_object(j);
    }
    json_end_array(j);
}

static void write_vertex(json *j, const double x[3])
{
    for (int k = 0; k < 3; k++)
        json_number(j, NULL, (float)x[k]);
}

// One that is too fine for a browser is not drawn.
static void write_mesh(json *j, const lithe_model *m, int obstacle)
{
    enum { MOST_TRIANGLES = 100000 };
    const int *tri;
    int nvertex, ntri = outline_obstacle_triangles(m, obstacle, &tri, &nvertex);
    bool drawn = ntri <= MOST_TRIANGLES;
    json_begin_array(j, "vertices");
    for (int i = 0; drawn && i < nvertex; i++) {
        double x[3];
        outline_obstacle_vertex(m, obstacle, i, x);
        vec_axpy(x, -1, outline_obstacle_home(m, obstacle)->at);
        write_vertex(j, x);
    }
    json_end_array(j);
    json_begin_array(j, "triangles");
    for (int i = 0; drawn && i < 3 * ntri; i++)
        json_integer(j, NULL, tri[i]);
    json_end_array(j);
}

// extent: how far an endless one is drawn.
static void write_shape(json *j, const lithe_model *m, int obstacle, double extent)
{
    const double middle[3] = {0};
    solid_surface s;
    solid_trace(outline_obstacle_shape(m, obstacle), middle, extent, &s);
    json_begin_array(j, "vertices");
    for (int i = 0; i < s.nvertex; i++) {
        double x[3];
        mat_apply(x, outline_obstacle_home(m, obstacle)->R, s.x[i]);
        write_vertex(j, x);
    }
    json_end_array(j);
    json_begin_array(j, "triangles");
    for (int i = 0; i < 3 * s.ntri; i++)
        json_integer(j, NULL, s.tri[i / 3][i % 3]);
    json_end_array(j);
}

// As triangles about the point that it rotates about, whatever it is.
static void write_obstacles(json *j, const stream_scene *s)
{
    const lithe_model *m = s->drawing->model;
    double extent = 1.2 * vec_distance(s->drawing->lower, s->drawing->upper);
    json_begin_array(j, "obstacles");
    for (int i = 0; i < s->def->nobstacle; i++) {
        const lithe_obstacle_def *o = &s->def->obstacle[i];
        const shape_traits *kind = shape_traits_of(outline_obstacle_shape(m, i));
        json_begin_object(j, NULL);
        json_string(j, "name", o->name);
        json_numbers(j, "at", 3, outline_obstacle_home(m, i)->at);
        json_bool(j, "hollow", o->hollow || kind->hollow);
        json_bool(j, "endless", kind->endless);
        if (kind->told)
            write_mesh(j, m, i);
        else
            write_shape(j, m, i, extent);
        json_end_object(j);
    }
    json_end_array(j);
}

static void write_head(json *j, const stream_scene *s)
{
    const drawing *d = s->drawing;
    const lithe_step_def *step = lithe_model_step(d->model);
    json_begin_object(j, NULL);
    json_string(j, "version", LITHE_VERSION);
    json_string(j, "name", s->name);
    json_bool(j, "live", s->live);
    json_bool(j, "machine", s->machine);
    json_bool(j, "ghost", d->ghost.npoint > 0);
    json_integer(j, "frames", s->nframe);
    json_number(j, "dt", step->dt);
    json_bool(j, "task", lithe_ngoal(d->model) > 0);
    json_bool(j, "realtime", step->mode == LITHE_REALTIME);
    json_integer(j, "vertices", d->skin.nvertex);
    json_integer(j, "triangles", d->skin.ntri);
    json_integer(j, "nodes", lithe_nnode(d->model));
    json_integer(j, "elements", lithe_nelement(d->model));
    json_integer(j, "dofs", lithe_ndof(d->model));
    json_integer(j, "driven", lithe_ndriven(d->model));
    json_integer(j, "rows", lithe_nrow(d->model));
    write_box(j, s);
    write_materials(j, s);
    write_bodies(j, s);
    write_rows(j, s);
    write_shapes(j, d);
    write_obstacles(j, s);
    json_end_object(j);
}

static void write_u32(FILE *out, uint32_t value)
{
    fwrite(&value, sizeof value, 1, out);
}

static void write_arrays(FILE *out, const drawing *d)
{
    const double *X = lithe_rest(d->model);
    for (int v = 0; v < d->skin.nvertex; v++)
        for (int axis = 0; axis < 3; axis++) {
            float rest = (float)X[3 * (size_t)d->skin.node[v] + (size_t)axis];
            fwrite(&rest, sizeof rest, 1, out);
        }
    fwrite(d->skin.tri, sizeof(int), 3 * (size_t)d->skin.ntri, out);
    for (int i = 0; i < d->skin.ntri; i++)
        write_u32(out, (uint32_t)lithe_element_material(d->model)[d->skin.element[i]]);
    for (int i = 0; i < d->skin.ntri; i++)
        write_u32(out, (uint32_t)lithe_element_body(d->model)[d->skin.element[i]]);
    fwrite(d->cavity_tri, sizeof(int), 3 * (size_t)d->ncavity_tri, out);
}

// The JSON's text alone; NULL: no memory.
static char *head_text(const stream_scene *s, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (!out)
        return NULL;
    json j = {.out = out};
    write_head(&j, s);
    while (ftell(out) % 4 != 0)
        fputc(' ', out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

void *stream_write_scene(const stream_scene *s, size_t *bytes)
{
    size_t length = 0;
    char *head = head_text(s, &length), *text = NULL;
    FILE *out = head ? open_memstream(&text, bytes) : NULL;
    if (!out) {
        free(head);
        return NULL;
    }
    write_u32(out, STREAM_SCENE);
    write_u32(out, (uint32_t)length);
    fwrite(head, 1, length, out);
    write_arrays(out, s->drawing);
    free(head);
    bool failed = ferror(out) != 0;
    if (fclose(out) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

enum { HEAD_BYTES = 72 };

static int field_count(int fields)
{
    return ((fields & DRAWING_ENERGY) != 0) + ((fields & DRAWING_VON_MISES) != 0);
}

static size_t number_count(const lithe_model *m)
{
    return 2 * (size_t)lithe_ndriven(m) + 2 * (size_t)(lithe_nrow(m) - lithe_ndriven(m));
}

size_t stream_frame_bytes(const drawing *d, int fields, int ncontact)
{
    int few = d->npoint + 2 * d->nmarker + 2 * lithe_nobstacle(d->model) + 2 * ncontact;
    size_t skins = d->ghost.npoint > 0 ? 2 : 1;
    size_t points = skins * (size_t)d->skin.nvertex + (size_t)few;
    return HEAD_BYTES + number_count(d->model) * sizeof(double) +
           (3 * points + (size_t)field_count(fields) * (size_t)d->skin.nvertex +
            DRAWING_JOINT * (size_t)lithe_njoint(d->model)) *
               sizeof(float);
}

static char *put(char *out, const void *value, size_t bytes)
{
    memcpy(out, value, bytes);
    return out + bytes;
}

static char *put_head(char *out, const stream_frame *f)
{
    uint8_t byte[2] = {STREAM_FRAME, (uint8_t)f->flags};
    uint16_t fields = (uint16_t)f->fields;
    uint32_t count[3] = {(uint32_t)f->step, f->number, (uint32_t)f->ncontact};
    double off = lithe_last_reduction(f->state).estimate;
    double number[7] = {f->time, f->step_time, f->force, f->task, f->speed, f->load, off};
    out = put(out, byte, sizeof byte);
    out = put(out, &fields, sizeof fields);
    out = put(out, count, sizeof count);
    return put(out, number, sizeof number);
}

void stream_write_frame(const drawing *d, const stream_frame *f, void *message)
{
    size_t driven = (size_t)lithe_ndriven(d->model);
    size_t measured = (size_t)lithe_nrow(d->model) - driven;
    char *out = put_head(message, f);
    out = put(out, f->effort, driven * sizeof(double));
    out = put(out, f->displacement, driven * sizeof(double));
    out = put(out, f->value + driven, measured * sizeof(double));
    out = put(out, f->target + driven, measured * sizeof(double));
    float *point = (float *)(void *)out, *vertex = point;
    point = drawing_vertices(d, f->state, point);
    point = drawing_lines(d, f->state, point);
    float *marker = point;
    const double *value = f->machine ? lithe_row_values(f->state) : f->value;
    point = drawing_markers(d, f->state, point);
    if (f->machine)
        drawing_measured(d, f->state, f->value, marker);
    point = drawing_targets(d, f->state, value, f->target, point);
    if (d->ghost.npoint > 0)
        point = drawing_ghost(d, f->state, vertex, marker, point);
    point = drawing_fields(d, f->state, f->fields, point);
    for (int i = 0; i < LITHE_MOTION * lithe_nobstacle(d->model); i++)
        *point++ = (float)f->way[i];
    point = drawing_joints(d, f->state, point);
    if (f->ncontact > 0)
        memcpy(point, f->contact, 6 * (size_t)f->ncontact * sizeof *point);
}

size_t stream_write_text(enum stream_type type, const char *text, void *out, size_t room)
{
    uint32_t head = type;
    size_t length = strlen(text);
    if (room < sizeof head)
        return 0;
    if (length > room - sizeof head)
        length = room - sizeof head;
    memcpy(put(out, &head, sizeof head), text, length);
    return sizeof head + length;
}
