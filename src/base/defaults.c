// What a definition says when its author says nothing.
#include "base/defaults.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static lithe_step_def step_default(void)
{
    return (lithe_step_def){.mode = LITHE_CONVERGED,
                            .dt = 0.01,
                            .steps = 10,
                            .iterations = 1,
                            .max_iteration = 50,
                            .tolerance = 1e-10,
                            .method = LITHE_HIERARCHY,
                            .epsilon = 1e-3,
                            .relaxation = 0.7};
}

static lithe_dynamics_def dynamics_default(void)
{
    return (lithe_dynamics_def){.scheme = LITHE_STATIC, .spectral_radius = NAN};
}

static lithe_estimate_def estimate_default(void)
{
    return (lithe_estimate_def){.outlier = 4};
}

static lithe_material_def material_default(void)
{
    return (lithe_material_def){.law = LITHE_COROTATIONAL};
}

static lithe_joint_def joint_default(void)
{
    const lithe_axis_def free = {.limit = {-INFINITY, INFINITY}};
    return (lithe_joint_def){.angle = free, .cross_angle = free, .travel = free, .ratio = 1};
}

static lithe_body_def body_default(void)
{
    return (lithe_body_def){.mesh_unit = 1, .centre = {NAN, NAN, NAN}};
}

static lithe_fix_def fix_default(void)
{
    return (lithe_fix_def){
        .where = {.kind = LITHE_ALL}, .axes = LITHE_XYZ, .rotations = LITHE_AS_AXES};
}

static lithe_region_def region_default(void)
{
    return (lithe_region_def){.where = {.kind = LITHE_ALL}};
}

static lithe_surface_def surface_default(void)
{
    return (lithe_surface_def){.where = {.kind = LITHE_ALL}};
}

static lithe_cavity_def cavity_default(void)
{
    return (lithe_cavity_def){.pick = LITHE_CAVITY_NUMBER, .number = 1};
}

static lithe_rod_def rod_default(void)
{
    return (lithe_rod_def){.elements = 20, .taper = 1, .glued = true};
}

static lithe_shell_def shell_default(void)
{
    return (lithe_shell_def){.glued = true};
}

static lithe_spring_def spring_default(void)
{
    return (lithe_spring_def){.rest = NAN};
}

static lithe_thread_def thread_default(void)
{
    return (lithe_thread_def){.slack = true};
}

static lithe_rigid_def rigid_default(void)
{
    return (lithe_rigid_def){.where = {.kind = LITHE_ALL}};
}

static lithe_load_def load_default(void)
{
    return (lithe_load_def){.kind = LITHE_POINT_FORCE, .from = -INFINITY, .until = INFINITY};
}

// What a kind has beside this stands in the table of kinds, see lithe_default.
static lithe_actuator_def actuator_default(lithe_actuator_kind kind)
{
    return (lithe_actuator_def){.kind = kind,
                                .effort_limit = {-INFINITY, INFINITY},
                                .displacement_limit = {-INFINITY, INFINITY},
                                .effort_rate = INFINITY,
                                .displacement_rate = INFINITY,
                                .inflation_rate = INFINITY,
                                .deflation_rate = INFINITY};
}

static lithe_effector_def effector_default(lithe_effector_kind kind)
{
    return (lithe_effector_def){
        .kind = kind, .where = {.kind = LITHE_ALL}, .axes = LITHE_XYZ, .weight = 1, .priority = 1};
}

static lithe_sensor_def sensor_default(lithe_sensor_kind kind)
{
    return (lithe_sensor_def){.kind = kind};
}

static lithe_goal_def goal_default(lithe_path_kind path)
{
    return (lithe_goal_def){.path = path, .turns = 1};
}

static lithe_task_def task_default(void)
{
    return (lithe_task_def){.approach = INFINITY, .settle = -1};
}

static lithe_obstacle_def obstacle_default(lithe_obstacle_kind kind)
{
    return (lithe_obstacle_def){.kind = kind,
                                .normal = {0, 0, 1},
                                .mesh_unit = 1,
                                .friction = -1,
                                .restitution = -1,
                                .friction_across = -1};
}

static lithe_pair_def pair_default(void)
{
    return (lithe_pair_def){.friction = -1, .restitution = -1, .friction_across = -1};
}

static lithe_contacts_def contacts_default(void)
{
    return (lithe_contacts_def){.max = 64};
}

#define FILL(name)                                                                                 \
    static void fill_##name(int kind, void *out)                                                   \
    {                                                                                              \
        (void)kind;                                                                                \
        *(lithe_##name##_def *)out = name##_default();                                             \
    }
#define FILL_OF(name, type)                                                                        \
    static void fill_##name(int kind, void *out)                                                   \
    {                                                                                              \
        *(lithe_##name##_def *)out = name##_default((type)kind);                                   \
    }

FILL(material)
FILL(fix)
FILL(region)
FILL(surface)
FILL(cavity)
FILL(rod)
FILL(shell)
FILL(spring)
FILL(joint)
FILL(thread)
FILL(rigid)
FILL(body)
FILL(load)
FILL_OF(actuator, lithe_actuator_kind)
FILL_OF(effector, lithe_effector_kind)
FILL_OF(sensor, lithe_sensor_kind)
FILL_OF(goal, lithe_path_kind)
FILL(task)
FILL_OF(obstacle, lithe_obstacle_kind)
FILL(pair)
FILL(contacts)
FILL(step)
FILL(dynamics)
FILL(estimate)

static void fill_threads(int kind, void *out)
{
    (void)kind;
    ((lithe_calibrate_def *)out)->threads = 1;
}

static void fill_reduce(int kind, void *out)
{
    (void)kind;
    *(lithe_reduce_def *)out = (lithe_reduce_def){.seed = 1, .threads = 1, .round = 9};
}

// What a definition has had from the first version on; what is appended to it later is not.
#define FIRST(type, last)                                                                          \
    ((offsetof(type, last) + sizeof(((type *)0)->last) + sizeof(void *) - 1) / sizeof(void *) *    \
     sizeof(void *))
#define NO_KIND SIZE_MAX

typedef struct def_layout {
    size_t size, first;                // now, and in the first version
    size_t kind;                       // where its kind stands
    void (*fill)(int kind, void *out); // NULL: all 0
} def_layout;

static const def_layout layout[] = {
    [LITHE_DEF] = {sizeof(lithe_def), FIRST(lithe_def, controller), NO_KIND, NULL},
    [LITHE_DEF_MATERIAL] = {sizeof(lithe_material_def), FIRST(lithe_material_def, locking), NO_KIND,
                            fill_material},
    [LITHE_DEF_FIX] = {sizeof(lithe_fix_def), FIRST(lithe_fix_def, phase), NO_KIND, fill_fix},
    [LITHE_DEF_REGION] = {sizeof(lithe_region_def), FIRST(lithe_region_def, material), NO_KIND,
                          fill_region},
    [LITHE_DEF_SURFACE] = {sizeof(lithe_surface_def), FIRST(lithe_surface_def, where), NO_KIND,
                           fill_surface},
    [LITHE_DEF_CAVITY] = {sizeof(lithe_cavity_def), FIRST(lithe_cavity_def, group), NO_KIND,
                          fill_cavity},
    [LITHE_DEF_ROD] = {sizeof(lithe_rod_def), FIRST(lithe_rod_def, glued), NO_KIND, fill_rod},
    [LITHE_DEF_SHELL] = {sizeof(lithe_shell_def), FIRST(lithe_shell_def, glued), NO_KIND,
                         fill_shell},
    [LITHE_DEF_SPRING] = {sizeof(lithe_spring_def), FIRST(lithe_spring_def, slack), NO_KIND,
                          fill_spring},
    [LITHE_DEF_THREAD] = {sizeof(lithe_thread_def), FIRST(lithe_thread_def, slack), NO_KIND,
                          fill_thread},
    [LITHE_DEF_RIGID] = {sizeof(lithe_rigid_def), FIRST(lithe_rigid_def, where), NO_KIND,
                         fill_rigid},
    [LITHE_DEF_BODY] = {sizeof(lithe_body_def), FIRST(lithe_body_def, mode), NO_KIND, fill_body},
    [LITHE_DEF_LOAD] = {sizeof(lithe_load_def), FIRST(lithe_load_def, until), NO_KIND, fill_load},
    [LITHE_DEF_ACTUATOR] = {sizeof(lithe_actuator_def), FIRST(lithe_actuator_def, young),
                            offsetof(lithe_actuator_def, kind), fill_actuator},
    [LITHE_DEF_EFFECTOR] = {sizeof(lithe_effector_def), FIRST(lithe_effector_def, load),
                            offsetof(lithe_effector_def, kind), fill_effector},
    [LITHE_DEF_SENSOR] = {sizeof(lithe_sensor_def), FIRST(lithe_sensor_def, actuator),
                          offsetof(lithe_sensor_def, kind), fill_sensor},
    [LITHE_DEF_GOAL] = {sizeof(lithe_goal_def), FIRST(lithe_goal_def, turns),
                        offsetof(lithe_goal_def, path), fill_goal},
    [LITHE_DEF_TASK] = {sizeof(lithe_task_def), FIRST(lithe_task_def, settle), NO_KIND, fill_task},
    [LITHE_DEF_OBSTACLE] = {sizeof(lithe_obstacle_def), FIRST(lithe_obstacle_def, friction),
                            offsetof(lithe_obstacle_def, kind), fill_obstacle},
    [LITHE_DEF_PAIR] = {sizeof(lithe_pair_def), FIRST(lithe_pair_def, friction), NO_KIND,
                        fill_pair},
    [LITHE_DEF_CONTACTS] = {sizeof(lithe_contacts_def), FIRST(lithe_contacts_def, friction),
                            NO_KIND, fill_contacts},
    [LITHE_DEF_STEP] = {sizeof(lithe_step_def), FIRST(lithe_step_def, creep), NO_KIND, fill_step},
    [LITHE_DEF_DYNAMICS] = {sizeof(lithe_dynamics_def), FIRST(lithe_dynamics_def, duration),
                            NO_KIND, fill_dynamics},
    [LITHE_DEF_ESTIMATE] = {sizeof(lithe_estimate_def), FIRST(lithe_estimate_def, memory), NO_KIND,
                            fill_estimate},
    [LITHE_DEF_CONTROLLER] = {sizeof(lithe_controller_def), FIRST(lithe_controller_def, ki),
                              NO_KIND, NULL},
    [LITHE_DEF_CALIBRATE] = {sizeof(lithe_calibrate_def), FIRST(lithe_calibrate_def, user), NO_KIND,
                             fill_threads},
    [LITHE_DEF_REDUCTION] = {sizeof(lithe_reduction_def), FIRST(lithe_reduction_def, beyond_full),
                             NO_KIND, NULL},
    [LITHE_DEF_REDUCE] = {sizeof(lithe_reduce_def), FIRST(lithe_reduce_def, user), NO_KIND,
                          fill_reduce},
    [LITHE_DEF_JOINT] = {sizeof(lithe_joint_def), FIRST(lithe_joint_def, ratio), NO_KIND,
                         fill_joint},
    [LITHE_DEF_ATTACHMENT] = {sizeof(lithe_attachment_def), FIRST(lithe_attachment_def, point),
                              NO_KIND, NULL},
};

enum { DEF_MOST = 1024 }; // bytes of any of them

void def_default(lithe_def_kind what, int kind, void *out, size_t size)
{
    _Alignas(max_align_t) unsigned char now[DEF_MOST] = {0};
    const def_layout *l = &layout[what];
    assert(l->size <= sizeof now);
    if (l->fill)
        l->fill(kind, now);
    memset(out, 0, size);
    memcpy(out, now, size < l->size ? size : l->size);
    if (size >= sizeof size)
        memcpy(out, &size, sizeof size);
}

size_t def_size(lithe_def_kind what, const void *def)
{
    size_t size;
    memcpy(&size, def, sizeof size);
    return size ? size : layout[what].first;
}

size_t def_size_now(lithe_def_kind what)
{
    return layout[what].size;
}

lithe_status def_take(lithe_def_kind what, const void *def, void *out, lithe_report *report)
{
    const def_layout *l = &layout[what];
    size_t size = def_size(what, def);
    int kind = 0;
    if (size < sizeof size || size > l->size || size % sizeof(void *) != 0)
        return LITHE_FAIL(
            report, LITHE_INVALID,
            "a definition has %zu bytes, and this version of Lithe knows %zu: make it "
            "by its default function; if it is made so, the program was built for a "
            "newer library than %s",
            size, l->size, lithe_version());
    if (l->kind != NO_KIND && l->kind + sizeof kind <= size)
        memcpy(&kind, (const char *)def + l->kind, sizeof kind);
    def_default(what, kind, out, l->size);
    memcpy((char *)out + sizeof size, (const char *)def + sizeof size, size - sizeof size);
    return LITHE_OK;
}
