// What browsers may tell a live robot, and how it gets there: orders and aims are approached in
// small steps, so that one pass of the solver can follow.
#include "app/interrupt.h"
#include "app/live.h"
#include "app/tolerances.h"
#include "base/status.h"
#include "base/vec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double STRIDE = 0.02; // of the robot's size or an actuator's range, a step

static void position_of(const live *l, int marker, double out[3])
{
    lithe_row_centre(l->session->model, l->state, l->drawing.marker[marker].row, out);
}

// All points of its effector get an aim with it: those without one stay where they are.
static void aim_at(live *l, int marker, const double point[3])
{
    int effector = l->drawing.marker[marker].effector;
    for (int i = 0; i < l->drawing.nmarker; i++)
        if (l->drawing.marker[i].effector == effector && !l->aimed[i]) {
            position_of(l, i, l->target + 3 * (size_t)i);
            position_of(l, i, l->aim + 3 * (size_t)i);
            l->aimed[i] = true;
        }
    memcpy(l->aim + 3 * (size_t)marker, point, 3 * sizeof *point);
}

static void release(live *l, int marker)
{
    int effector = l->drawing.marker[marker].effector;
    for (int i = 0; i < l->drawing.nmarker; i++)
        if (l->drawing.marker[i].effector == effector)
            l->aimed[i] = false;
}

// From now on every actuator keeps what it has.
static void hold_actuators(live *l)
{
    const lithe_model *m = l->session->model;
    for (int i = 0; i < lithe_nactuator(m); i++) {
        order *o = &l->order[i];
        if (o->kind == LITHE_EFFORT)
            lithe_effort(m, l->state, i, o->value);
        else
            lithe_displacement(m, l->state, i, o->value);
        for (int k = 0; k < lithe_actuator_rows(m, i); k++)
            o->value[k] = fmin(fmax(o->value[k], o->limit[0]), o->limit[1]);
    }
}

static void set_mode(live *l, live_mode mode)
{
    const lithe_model *m = l->session->model;
    if (mode == l->mode || (mode == LIVE_TASK && lithe_ngoal(m) == 0))
        return;
    hold_actuators(l);
    memset(l->aimed, 0, (size_t)l->drawing.nmarker * sizeof *l->aimed);
    lithe_forget_targets(m, l->state);
    if (mode == LIVE_TASK) {
        lithe_task_start(m, l->state, l->start);
        l->task_time = 0;
    }
    l->mode = mode;
}

static void body_middle(const live *l, int id, double out[3])
{
    lithe_body_info info;
    memset(out, 0, 3 * sizeof *out);
    lithe_body_get(l->session->model, id, &info);
    for (int i = info.first_node; i < info.first_node + info.nnode; i++)
        vec_axpy(out, 1.0 / info.nnode, lithe_position(l->state) + 3 * (size_t)i);
}

static void let_go(live *l)
{
    if (l->pulled >= 0)
        lithe_set_body_gravity(l->session->model, l->state, l->pulled, (double[3]){0});
    l->pulled = -1;
}

static void obey_body(live *l, const message *m)
{
    if (m->kind == 1 || m->number >= (uint32_t)lithe_nbody(l->session->model)) {
        let_go(l);
        return;
    }
    if (l->pulled != (int)m->number) {
        let_go(l);
        l->pulled = (int)m->number;
        body_middle(l, l->pulled, l->seized);
        memcpy(l->middle, l->seized, sizeof l->middle);
    }
    memcpy(l->pull, m->value, sizeof l->pull);
}

lithe_status live_reset(live *l)
{
    session *s = l->session;
    live_record_end(l);
    l->pulled = -1;
    memset(l->moved, 0, 3 * (size_t)lithe_nobstacle(s->model) * sizeof *l->moved);
    memset(l->shifted, 0, 3 * (size_t)lithe_nobstacle(s->model) * sizeof *l->shifted);
    l->step = 0;
    l->time = l->step_time = l->task_time = 0;
    memset(l->aimed, 0, (size_t)l->drawing.nmarker * sizeof *l->aimed);
    memcpy(l->order, l->first, (size_t)lithe_nactuator(s->model) * sizeof *l->order);
    lithe_state_reset(s->model, l->state);
    lithe_status status = orders_settle(s, l->state, l->order);
    l->failed = status == LITHE_NOT_CONVERGED;
    if (l->failed)
        server_note(l->server, s->report.error);
    else if (status != LITHE_OK)
        return status;
    lithe_task_start(s->model, l->state, l->start);
    return LITHE_OK;
}

static void obey_command(live *l, const message *m)
{
    const lithe_model *model = l->session->model;
    if (m->number >= (uint32_t)lithe_nactuator(model))
        return;
    int actuator = (int)m->number;
    order o = {.kind = m->kind == 0 ? LITHE_EFFORT : LITHE_DISPLACEMENT};
    const lithe_quantity *q = lithe_actuator_quantity(lithe_actuator_type(model, actuator), o.kind);
    double effort[2], displacement[2];
    if (!q->name || q->read_only)
        return;
    if (l->mode != LIVE_FORWARD)
        set_mode(l, LIVE_FORWARD);
    lithe_actuator_limits(model, actuator, effort, displacement);
    memcpy(o.limit, o.kind == LITHE_EFFORT ? effort : displacement, sizeof effort);
    for (int k = 0; k < 3; k++)
        o.value[k] = fmin(fmax(m->value[k], o.limit[0]), o.limit[1]);
    l->order[actuator] = o;
}

static void obey_target(live *l, const message *m)
{
    double direction[3];
    if (m->number >= (uint32_t)l->drawing.nmarker ||
        !lithe_row_direction(l->session->model, l->drawing.marker[m->number].row, direction))
        return;
    if (l->mode != LIVE_INVERSE)
        set_mode(l, LIVE_INVERSE);
    aim_at(l, (int)m->number, m->value);
}

lithe_status live_overrides(live *l, arena *memory, int *nset, const char ***out)
{
    session *s = l->session;
    const lithe_def *def = lithe_scene_def(s->scene);
    const char **set = *out = arena_new(memory, s->options.nset + def->nmaterial + 1, const char *);
    int n = s->options.nset;
    if (!set)
        return report_no_memory(&s->report, "a material");
    memcpy(set, s->options.set, (size_t)n * sizeof *set);
    for (int i = 0; i < def->nmaterial; i++)
        if (l->young[i] > 0 && !(set[n++] = arena_format(memory, "materials.%s.young=%.17g Pa",
                                                         def->material[i].name, l->young[i])))
            return report_no_memory(&s->report, "a material");
    *nset = n;
    return LITHE_OK;
}

// The scene read again with other moduli. What the robot was doing it goes on doing.
static lithe_status reread(live *l, arena *memory, lithe_scene **scene, lithe_model **model)
{
    session *s = l->session;
    const char **set = NULL;
    int nset = 0;
    LITHE_TRY(live_overrides(l, memory, &nset, &set));
    LITHE_TRY(lithe_scene_read(s->options.scene, nset, set, scene, &s->report));
    return lithe_compile(lithe_scene_def(*scene), model, &s->report);
}

static lithe_status move_state(live *l, arena *memory, const lithe_model *model,
                               lithe_state **state, drawing *d)
{
    session *s = l->session;
    size_t bytes = lithe_state_size(s->model, l->state);
    void *saved = arena_alloc(memory, bytes, 1);
    if (!saved)
        return report_no_memory(&s->report, "a material");
    lithe_state_save(s->model, l->state, saved);
    LITHE_TRY(lithe_state_create(model, s->options.threads, state, &s->report));
    interrupt_ends(*state);
    lithe_status status = lithe_state_load(model, *state, saved, bytes);
    if (status != LITHE_OK)
        return LITHE_FAIL(&s->report, status, "%s", lithe_state_error(*state));
    return drawing_create(model, d, &s->report);
}

static lithe_status obey_material(live *l, const message *m)
{
    session *s = l->session;
    arena memory = {0};
    lithe_scene *scene = NULL;
    lithe_model *model = NULL;
    lithe_state *state = NULL;
    drawing d = {0};
    if (m->number >= (uint32_t)lithe_scene_def(s->scene)->nmaterial || !(m->value[0] > 0))
        return LITHE_OK;
    live_record_end(l); // of another robot
    double before = l->young[m->number];
    l->young[m->number] = m->value[0];
    lithe_status status = reread(l, &memory, &scene, &model);
    if (status == LITHE_OK)
        status = move_state(l, &memory, model, &state, &d);
    arena_free(&memory);
    if (status != LITHE_OK) {
        l->young[m->number] = before;
        server_note(l->server, s->report.error);
        lithe_state_free(state);
        lithe_model_free(model);
        lithe_scene_free(scene);
        return LITHE_OK;
    }
    lithe_state_free(l->state);
    drawing_free(&l->drawing);
    lithe_model_free(s->model);
    lithe_scene_free(s->scene);
    s->scene = scene;
    s->model = model;
    l->state = state;
    l->drawing = d;
    return live_introduce(l);
}

static void obey_obstacle(live *l, const message *m)
{
    double rotate[3], path[3];
    if (m->number >= (uint32_t)lithe_nobstacle(l->session->model))
        return;
    lithe_obstacle_path(l->session->model, (int)m->number, l->time, rotate, path);
    vec_sub(l->moved + 3 * (size_t)m->number, m->value, path);
}

static lithe_status obey_play(live *l, message_play what)
{
    switch (what) {
    case MESSAGE_PAUSE: l->paused = true; break;
    case MESSAGE_RESUME: l->paused = false; break;
    case MESSAGE_ONE_STEP: l->paused = l->one_step = true; break;
    case MESSAGE_RESET: return live_reset(l);
    }
    return LITHE_OK;
}

lithe_status live_obey(live *l, const message *m)
{
    const double slowest = 0.01, fastest = 100;
    switch (m->type) {
    case MESSAGE_PLAY: return obey_play(l, (message_play)m->number);
    case MESSAGE_SPEED: l->speed = fmin(fmax(m->value[0], slowest), fastest); break;
    case MESSAGE_MODE: set_mode(l, (live_mode)m->number); break;
    case MESSAGE_COMMAND: obey_command(l, m); break;
    case MESSAGE_TARGET: obey_target(l, m); break;
    case MESSAGE_RELEASE:
        if (m->number < (uint32_t)l->drawing.nmarker)
            release(l, (int)m->number);
        break;
    case MESSAGE_OBSTACLE: obey_obstacle(l, m); break;
    case MESSAGE_BODY: obey_body(l, m); break;
    case MESSAGE_MATERIAL: return obey_material(l, m);
    case MESSAGE_RECORD:
        if (m->number)
            live_record_begin(l);
        else
            live_record_end(l);
        break;
    default: break;
    }
    return LITHE_OK;
}

static double towards(double from, double to, double most)
{
    return fabs(to - from) <= most ? to : from + copysign(most, to - from);
}

// The largest change of a command in one step.
static double stride_of(const order *o, double now, double to)
{
    double range = o->limit[1] - o->limit[0];
    return STRIDE * (isfinite(range) ? range : fmax(fabs(now), fabs(to)) + LIVE_LEAST_RANGE);
}

static lithe_status command_forward(live *l)
{
    session *s = l->session;
    lithe_forget_targets(s->model, l->state);
    for (int i = 0; i < lithe_nactuator(s->model); i++) {
        const order *o = &l->order[i];
        double value[3];
        if (o->kind == LITHE_EFFORT)
            lithe_effort(s->model, l->state, i, value);
        else
            lithe_displacement(s->model, l->state, i, value);
        for (int k = 0; k < lithe_actuator_rows(s->model, i); k++) {
            value[k] = towards(value[k], o->value[k], stride_of(o, value[k], o->value[k]));
            value[k] = fmin(fmax(value[k], o->limit[0]), o->limit[1]);
        }
        lithe_status status = lithe_command(s->model, l->state, i, o->kind, value);
        if (status != LITHE_OK)
            return LITHE_FAIL(&s->report, status, "%s", lithe_state_error(l->state));
    }
    return LITHE_OK;
}

static double size_of(const drawing *d)
{
    return vec_distance(d->lower, d->upper);
}

static void approach(const live *l, const double aim[3], double share, double at[3])
{
    double way[3];
    vec_sub(way, aim, at);
    double length = vec_norm(way), most = share * STRIDE * size_of(&l->drawing);
    vec_axpy(at, length > most ? most / length : 1, way);
}

// Along their paths, and off these as they are told, which goes slower than targets do: what they
// push must give way.
static lithe_status move_obstacles(live *l)
{
    session *s = l->session;
    double time = l->time + lithe_model_step(s->model)->dt, rotate[3], move[3];
    for (int i = 0; i < lithe_nobstacle(s->model); i++) {
        double *at = l->shifted + 3 * (size_t)i;
        approach(l, l->moved + 3 * (size_t)i, 0.25, at);
        lithe_obstacle_path(s->model, i, time, rotate, move);
        vec_axpy(move, 1, at);
        lithe_status status = lithe_move_obstacle(s->model, l->state, i, rotate, move);
        if (status != LITHE_OK)
            return LITHE_FAIL(&s->report, status, "%s", lithe_state_error(l->state));
    }
    return LITHE_OK;
}

// A body follows the hand by a gravity of its own: in motion as a mass on a spring and a damper
// that do not let it swing, at rest as far as what holds it gives way.
static lithe_status pull_body(live *l)
{
    const double most = 500, still = 200; // m/s^2, m/s^2 at the robot's size
    session *s = l->session;
    bool moves = lithe_scene_def(s->scene)->dynamics.scheme != LITHE_STATIC;
    double dt = lithe_model_step(s->model)->dt, middle[3], pull[3] = {0};
    double quick = fmin(30, 0.3 / dt); // 1/s: as told forces follow the motion by a step
    if (l->pulled < 0)
        return LITHE_OK;
    body_middle(l, l->pulled, middle);
    for (int i = 0; i < 3; i++) {
        double way = l->seized[i] + l->pull[i] - middle[i], rate = (middle[i] - l->middle[i]) / dt;
        pull[i] = moves ? quick * (quick * way - 2 * rate) : still / size_of(&l->drawing) * way;
    }
    memcpy(l->middle, middle, sizeof middle);
    double size = vec_norm(pull);
    vec_scale(pull, size > most ? most / size : 1);
    lithe_status status = lithe_set_body_gravity(s->model, l->state, l->pulled, pull);
    return status == LITHE_OK ? status
                              : LITHE_FAIL(&s->report, status, "%s", lithe_state_error(l->state));
}

static lithe_status command_inverse(live *l)
{
    session *s = l->session;
    lithe_forget_targets(s->model, l->state);
    for (int i = 0; i < l->drawing.nmarker; i++) {
        const drawing_marker *k = &l->drawing.marker[i];
        if (!l->aimed[i])
            continue;
        approach(l, l->aim + 3 * (size_t)i, 1, l->target + 3 * (size_t)i);
        drawing_aim(&l->drawing, i, l->target + 3 * (size_t)i, l->row_target + k->row);
        bool last = i + 1 == l->drawing.nmarker || l->drawing.marker[i + 1].effector != k->effector;
        lithe_status status = LITHE_OK;
        if (last)
            status = lithe_target_effector(
                s->model, l->state, k->effector,
                l->row_target + lithe_row_of_effector(s->model, k->effector), false);
        if (status != LITHE_OK)
            return LITHE_FAIL(&s->report, status, "%s", lithe_state_error(l->state));
    }
    return LITHE_OK;
}

// When the paths end, the task begins again from where the robot is.
static lithe_status command_task(live *l)
{
    session *s = l->session;
    double whole = lithe_task_approach(s->model, l->start) + lithe_task_duration(s->model);
    l->task_time += lithe_model_step(s->model)->dt;
    if (l->task_time > whole && lithe_task_duration(s->model) > 0) {
        lithe_task_start(s->model, l->state, l->start);
        l->task_time = lithe_model_step(s->model)->dt;
    }
    lithe_status status = lithe_task_apply(s->model, l->state, l->start, l->task_time);
    if (status != LITHE_OK)
        return LITHE_FAIL(&s->report, status, "%s", lithe_state_error(l->state));
    return LITHE_OK;
}

lithe_status live_command(live *l)
{
    LITHE_TRY(move_obstacles(l));
    LITHE_TRY(pull_body(l));
    switch (l->mode) {
    case LIVE_FORWARD: return command_forward(l);
    case LIVE_INVERSE: return command_inverse(l);
    case LIVE_TASK: return command_task(l);
    }
    return LITHE_OK;
}
