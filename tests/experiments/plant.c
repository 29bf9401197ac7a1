#include "plant.h"

#include <math.h>
#include <stdint.h>

const char plant_what[] = "another, finer mesh, neo-Hookean, 1.35 MPa instead of 1.5";

static const char scene[] = "examples/arm/robot.yaml";

bool plant_open(rig *r, table *t, const char *more, const char *another)
{
    return rig_open(r, t, scene,
                    text("bodies.robot.mesh=%s/tests/experiments/arm_other.msh", LITHE_ROOT),
                    "materials.rubber.law=neo-hookean", "materials.rubber.young=1.35 MPa",
                    "actuators.push={force: {body: robot, at: [206, 0, 0]}, given: true}", more,
                    more ? another : NULL, (const char *)NULL);
}

bool plant_open_model(rig *r, table *t, const char *more, const char *another)
{
    static const char range[] = "[-100, 300]";
    return rig_open(r, t, scene,
                    "actuators.push={force: {body: robot, at: [206, 0, 0]}, given: true}",
                    text("actuators.near-1.limits={pressure: %s}", range),
                    text("actuators.near-2.limits={pressure: %s}", range),
                    text("actuators.near-3.limits={pressure: %s}", range),
                    text("actuators.far-1.limits={pressure: %s}", range),
                    text("actuators.far-2.limits={pressure: %s}", range),
                    text("actuators.far-3.limits={pressure: %s}", range),
                    "sensors.gauge-1={pressure: {actuator: near-1}}",
                    "sensors.gauge-2={pressure: {actuator: near-2}}",
                    "sensors.gauge-3={pressure: {actuator: near-3}}",
                    "sensors.gauge-4={pressure: {actuator: far-1}}",
                    "sensors.gauge-5={pressure: {actuator: far-2}}",
                    "sensors.gauge-6={pressure: {actuator: far-3}}", more, more ? another : NULL,
                    (const char *)NULL);
}

// Halton's sequence.
void plant_pressures(int k, double low, double high, double *pressure)
{
    static const int prime[PLANT_CHAMBERS] = {2, 3, 5, 7, 11, 13};
    for (int i = 0; i < PLANT_CHAMBERS; i++) {
        double share = 1, sum = 0;
        for (int n = k + 1; n > 0; n /= prime[i]) {
            share /= prime[i];
            sum += share * (n % prime[i]);
        }
        pressure[i] = low + (high - low) * sum;
    }
}

bool plant_pose(rig *r, const double *pressure)
{
    lithe_forget_targets(r->model, r->state);
    for (int i = 0; i < PLANT_CHAMBERS; i++)
        if (lithe_command(r->model, r->state, i, LITHE_EFFORT, &pressure[i]) != LITHE_OK) {
            table_broken(r->t, "%s", lithe_state_error(r->state));
            return false;
        }
    return rig_step(r);
}

void plant_strings(const rig *r, double noise, double *length)
{
    for (int i = 0; i < PLANT_CHAMBERS; i++) {
        lithe_sensor_value(r->model, r->state, i, &length[i]);
        length[i] += noise > 0 ? noise * plant_normal() : 0;
    }
}

static uint64_t state = 88172645463325252u;

void plant_seed(unsigned long long seed)
{
    state = 88172645463325252u ^ (seed * 0x9e3779b97f4a7c15u);
}

static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

double plant_normal(void)
{
    double radius = sqrt(-2 * log(1 - uniform()));
    return radius * cos(6.283185307179586 * uniform());
}
