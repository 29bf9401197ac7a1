// What a definition says when its author says nothing.
#include "lithe/lithe.h"

#include <math.h>

lithe_def lithe_def_default(void)
{
    return (lithe_def){
        .step = {.mode = LITHE_CONVERGED,
                 .dt = 0.01,
                 .steps = 10,
                 .iterations = 1,
                 .max_iteration = 50,
                 .tolerance = 1e-10,
                 .method = LITHE_HIERARCHY,
                 .epsilon = 1e-3,
                 .relaxation = 0.7},
        .contacts = {.max = 64},
        .dynamics = {.scheme = LITHE_STATIC, .spectral_radius = 0.8},
        .task = lithe_task_def_default(),
        .estimate = {.outlier = 4},
    };
}

lithe_material_def lithe_material_def_default(void)
{
    return (lithe_material_def){.law = LITHE_COROTATIONAL};
}

lithe_body_def lithe_body_def_default(void)
{
    return (lithe_body_def){.mesh_unit = 1};
}

lithe_fix_def lithe_fix_def_default(void)
{
    return (lithe_fix_def){
        .where = {.kind = LITHE_ALL}, .axes = LITHE_XYZ, .rotations = LITHE_AS_AXES};
}

lithe_region_def lithe_region_def_default(void)
{
    return (lithe_region_def){.where = {.kind = LITHE_ALL}};
}

lithe_surface_def lithe_surface_def_default(void)
{
    return (lithe_surface_def){.where = {.kind = LITHE_ALL}};
}

lithe_cavity_def lithe_cavity_def_default(void)
{
    return (lithe_cavity_def){.pick = LITHE_CAVITY_NUMBER, .number = 1};
}

lithe_rod_def lithe_rod_def_default(void)
{
    return (lithe_rod_def){.elements = 20, .taper = 1, .glued = true};
}

lithe_shell_def lithe_shell_def_default(void)
{
    return (lithe_shell_def){.glued = true};
}

lithe_spring_def lithe_spring_def_default(void)
{
    return (lithe_spring_def){.rest = NAN};
}

lithe_thread_def lithe_thread_def_default(void)
{
    return (lithe_thread_def){.slack = true};
}

lithe_rigid_def lithe_rigid_def_default(void)
{
    return (lithe_rigid_def){.where = {.kind = LITHE_ALL}};
}

lithe_load_def lithe_load_def_default(void)
{
    return (lithe_load_def){.kind = LITHE_POINT_FORCE, .from = -INFINITY, .until = INFINITY};
}

lithe_effector_def lithe_effector_def_default(lithe_effector_kind kind)
{
    return (lithe_effector_def){
        .kind = kind, .where = {.kind = LITHE_ALL}, .axes = LITHE_XYZ, .weight = 1, .priority = 1};
}

lithe_sensor_def lithe_sensor_def_default(lithe_sensor_kind kind)
{
    return (lithe_sensor_def){.kind = kind};
}

lithe_goal_def lithe_goal_def_default(lithe_path_kind path)
{
    return (lithe_goal_def){.path = path, .turns = 1};
}

lithe_task_def lithe_task_def_default(void)
{
    return (lithe_task_def){.approach = INFINITY, .settle = -1};
}

lithe_obstacle_def lithe_obstacle_def_default(lithe_obstacle_kind kind)
{
    return (lithe_obstacle_def){.kind = kind, .normal = {0, 0, 1}, .mesh_unit = 1, .friction = -1};
}

lithe_pair_def lithe_pair_def_default(void)
{
    return (lithe_pair_def){.friction = -1};
}

lithe_contacts_def lithe_contacts_def_default(void)
{
    return (lithe_contacts_def){.max = 64};
}
