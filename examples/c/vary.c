// A robot that changes while it runs: its material ages, a weight is hung on it, and its motor may
// pull no more than so much. One tendon holds the tip of a rod aside; after each change the program
// prints what that takes, and what the limit costs once it is in the way.
//
// The scene is a text in memory; a program may make it as it likes. With the library in build/:
//
//     cc -Iinclude examples/c/vary.c -Lbuild -llithe -Wl,-rpath,build -o vary && ./vary
#include <lithe/lithe.h>

#include <stdio.h>
#include <string.h>

static const char SCENE[] =
    "units: {length: mm, force: N, pressure: MPa}\n"
    "gravity: [0 m/s^2, 0 m/s^2, 0 m/s^2]\n"
    "materials: {polymer: {law: corotational, young: 60, poisson: 0.4, density: 1050 kg/m^3}}\n"
    "bodies:\n"
    "  robot:\n"
    "    material: polymer\n"
    "    rods: {shaft: {points: [[0, 0, 0], [0, 0, 100]], elements: 20, circle: 1.5}}\n"
    "    fix: {nearest: [0, 0, 0]}\n"
    "loads: {weight: {force: {body: robot, at: [0, 0, 100], value: [-0.004, 0, 0]}}}\n"
    "actuators:\n"
    "  tendon:\n"
    "    cable: {body: robot, through: [[1.25, 0, 50], [1.25, 0, 100]], pulled_from: [1.25, 0, "
    "0]}\n"
    "    limits: {tension: [0, 50]}\n"
    "effectors: {tip: {point: {body: robot, at: [0, 0, 100]}, axes: [x]}}\n"
    "step: {mode: converged}\n";

typedef struct robot {
    lithe_scene *scene;
    lithe_model *model;
    lithe_state *state;
    int tendon, tip, polymer, weight;
} robot;

static lithe_status make(robot *r, lithe_report *report)
{
    lithe_status status = lithe_scene_read_text(SCENE, strlen(SCENE), "the scene of vary.c", 0,
                                                NULL, &r->scene, report);
    if (status == LITHE_OK)
        status = lithe_compile(lithe_scene_def(r->scene), &r->model, report);
    if (status == LITHE_OK)
        status = lithe_state_create(r->model, 1, &r->state, report);
    if (status != LITHE_OK)
        return status;
    r->tendon = lithe_find_actuator(r->model, "tendon");
    r->tip = lithe_find_effector(r->model, "tip");
    r->polymer = lithe_find_material(r->model, "polymer");
    r->weight = lithe_find_load(r->model, "weight");
    return LITHE_OK;
}

static lithe_status hold(robot *r, const char *what)
{
    double tension, pull, tip, multiplier, none;
    lithe_status status = lithe_step(r->model, r->state);
    lithe_effort(r->model, r->state, r->tendon, &tension);
    lithe_displacement(r->model, r->state, r->tendon, &pull);
    lithe_effector_value(r->model, r->state, r->tip, &tip);
    lithe_limit_multiplier(r->model, r->state, r->tendon, &multiplier, &none);
    printf("%-28s tension %10.6f N   pull %8.4f mm   tip %8.4f mm   limit costs %9.2e m^2/N\n",
           what, tension, 1e3 * pull, 1e3 * tip, -multiplier);
    return status;
}

static lithe_status run(robot *r)
{
    const double target = 0.02;                                               // m aside
    lithe_status status = lithe_scale_load(r->model, r->state, r->weight, 0); // not there yet
    if (status == LITHE_OK)
        status = lithe_target_effector(r->model, r->state, r->tip, &target, false);
    if (status == LITHE_OK)
        status = hold(r, "as it was made");
    for (int year = 1; year <= 4 && status == LITHE_OK; year++) {
        char what[64];
        double young = 1 - 0.1 * year; // of what it was
        snprintf(what, sizeof what, "modulus %.0f MPa",
                 1e-6 * young * lithe_material_young(r->model, r->polymer));
        status = lithe_scale_material(r->model, r->state, r->polymer, young);
        if (status == LITHE_OK)
            status = hold(r, what);
    }
    for (int part = 1; part <= 2 && status == LITHE_OK; part++) {
        status = lithe_scale_load(r->model, r->state, r->weight, 0.5 * part);
        if (status == LITHE_OK)
            status = hold(r, part == 1 ? "with half of the weight" : "with the weight");
    }
    for (int most = 30; most >= 20 && status == LITHE_OK; most -= 5) {
        char what[64];
        double range[2] = {0, 0.01 * most};
        snprintf(what, sizeof what, "pulling no more than %.2f N", range[1]);
        status = lithe_set_limits(r->model, r->state, r->tendon, range, NULL);
        if (status == LITHE_OK)
            status = hold(r, what);
    }
    return status;
}

int main(void)
{
    robot r = {0};
    lithe_report report = lithe_report_default();
    lithe_status status = make(&r, &report);
    const char *why = report.error;
    if (status == LITHE_OK) {
        status = run(&r);
        why = lithe_state_error(r.state);
    }
    if (status != LITHE_OK)
        fprintf(stderr, "vary: %s: %s\n", lithe_status_name(status), why);
    lithe_state_free(r.state);
    lithe_model_free(r.model);
    lithe_scene_free(r.scene);
    return status == LITHE_OK ? 0 : 1;
}
