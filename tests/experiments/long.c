// Long runs with contact: fingers that hold and shake, balls that come to rest, a knot that is
// pulled tight. In every step nothing may overlap, and energy may never rise beyond what actuators
// and weight put in; witness.h tells.
#include "experiments.h"
#include "witness.h"

#include <math.h>
#include <stdlib.h>

typedef struct run {
    rig rig;
    witness *witness;
    double *velocity;
    int steps, done;
    int over;                 // steps after which something overlaps
    double gap;               // least one between parts of a rod, m
    double energy;            // largest kinetic and elastic, J
    double most, least, back; // energy less work: largest, least, and largest rise since then, J
    double held[2];           // how far what is held has come out, at the start and the end, m
    double fastest;           // node at the end, m/s
} run;

static void look(run *r)
{
    const double *x = lithe_position(r->rig.state);
    double weight = 0, gap = witness_rod_gap(r->witness, x);
    lithe_energy program = lithe_last_energy(r->rig.model, r->rig.state);
    lithe_velocity(r->rig.model, r->rig.state, r->velocity);
    double energy = isfinite(gap) ? program.kinetic + program.elastic
                                  : witness_energy(r->witness, x, r->velocity, &weight);
    double surplus = energy + weight - witness_work(r->witness, &r->rig);
    r->over += gap < 0 || witness_overlaps(r->witness, x) > 0;
    r->gap = fmin(r->gap, gap);
    r->energy = fmax(r->energy, energy);
    r->most = fmax(r->most, surplus);
    r->least = fmin(r->least, surplus);
    r->back = fmax(r->back, surplus - r->least);
}

static double fastest(const run *r)
{
    double most = 0, none[3] = {0};
    for (int i = 0; i < lithe_nnode(r->rig.model); i++)
        most = fmax(most, distance3(&r->velocity[3 * i], none));
    return most;
}

// Where the gripper holds the block: its height less that of the gripper.
static double height_held(const rig *r)
{
    double centre[3], travel;
    rig_measure(r, "centre", centre);
    lithe_displacement(r->model, r->state, lithe_find_actuator(r->model, "lift"), &travel);
    return centre[2] - 0.8 * travel;
}

static bool go(run *r, table *t, const char *name)
{
    const int lifted = 1000; // steps, twice as long as it takes to lift it
    *r = (run){.steps = r->steps, .gap = INFINITY};
    if (!rig_open(&r->rig, t, text("tests/experiments/long_%s.yaml", name), (const char *)NULL))
        return false;
    double dt = lithe_scene_def(r->rig.scene)->step.dt;
    bool grip = lithe_find_actuator(r->rig.model, "lift") >= 0, good = true;
    r->witness = witness_create(&r->rig);
    r->velocity = calloc(3 * (size_t)lithe_nnode(r->rig.model), sizeof(double));
    if (!r->witness || !r->velocity) {
        table_broken(t, "%s: there is no second opinion on it", name);
        return false;
    }
    look(r);
    while (r->done < r->steps && good) {
        good = lithe_play(r->rig.model, r->rig.state, (r->done + 1) * dt) == LITHE_OK &&
               rig_step(&r->rig);
        r->done += good;
        if (good)
            look(r);
        if (grip && (r->done == lifted || r->done == r->steps))
            r->held[r->done > lifted] = height_held(&r->rig);
    }
    r->fastest = fastest(r);
    return good;
}

static void end(run *r)
{
    witness_free(r->witness);
    free(r->velocity);
    rig_close(&r->rig);
}

static void tell(table *t, const char *name, const run *r)
{
    table_add(t, (finding){.quantity = text("%s: steps after which something overlaps", name),
                           .expected = text("0 of %d", r->steps),
                           .ours = text("%d of %d", r->over, r->done),
                           .error = r->over,
                           .gate = 0});
    table_add(t, (finding){.quantity = text("%s: energy beyond all that was put in", name),
                           .expected = text("0 of %.3g mJ", 1e3 * r->energy),
                           .ours = text("%.1g mJ", 1e3 * r->most),
                           .error = 100 * r->most / r->energy,
                           .gate = 1e-6,
                           .unit = "%"});
    table_add(t, (finding){.quantity = text("%s: largest rise beyond it from any moment on", name),
                           .ours = text("%.1g mJ", 1e3 * r->back),
                           .error = 100 * r->back / r->energy,
                           .gate = 0.5,
                           .unit = "%"});
}

static void tell_grip(table *t, const run *r)
{
    table_add(t, (finding){.quantity = "grip: how far the block has slipped in 18 s of shaking",
                           .error = 1e3 * fabs(r->held[1] - r->held[0]),
                           .gate = 5,
                           .unit = "mm"});
}

static void tell_balls(table *t, const run *r)
{
    table_add(t, (finding){.quantity = "balls: fastest node at the end",
                           .expected = "at rest",
                           .error = 1e3 * r->fastest,
                           .gate = 1e-6,
                           .unit = "mm/s"});
}

static void tell_knot(table *t, const run *r)
{
    const double *x = lithe_position(r->rig.state);
    int n = lithe_nnode(r->rig.model);
    double length = 0, diameter = 6e-3;
    for (int i = 1; i < n; i++)
        length += distance3(&x[3 * i], &x[3 * i - 3]);
    table_add(
        t, (finding){.quantity = "knot: cord in it when tight",
                     .ours = text("%.1f diameters, least gap %.3f mm",
                                  (length - distance3(x, &x[3 * n - 3])) / diameter, 1e3 * r->gap),
                     .error = NAN,
                     .gate = NAN});
}

void experiment_long(table *t)
{
    static const struct {
        const char *name;
        int quick; // steps until something is in contact; 0: too many
        void (*tell)(table *, const run *);
    } all[] = {{"grip", 0, tell_grip}, {"balls", 30, tell_balls}, {"knot", 300, tell_knot}};
    table_experiment(t, 'y', "long runs");
    table_note(
        t, "No paper. Converged steps of 2 ms, implicit Euler, with friction "
           "(tests/experiments/long_*.yaml). A gripper of "
           "three soft fingers closes on a soft block by cables, lifts it and shakes it, 4 mm to "
           "each side at 4 Hz; ten soft balls fall into a box; a loose overhand knot in a "
           "rubber cord is pulled with up to 8 N. After every step a check that knows only nodes "
           "and the rest "
           "shape looks for edges that go through faces and for "
           "corners in planes, in the cord for axes nearer than its diameter, and adds up kinetic "
           "and elastic energy, weight, and efforts "
           "times displacements; the elastic energy of the cord is the program's. The second row "
           "of energy is the largest rise of energy less work from any moment on. Efforts are "
           "those at the end of a step, so that the few steps of the grip that the program cuts "
           "into shorter ones are counted with an error: that is what its row shows.");
    for (int k = 0; k < 3; k++) {
        run r = {.steps = table_quick(t) ? all[k].quick : 10000};
        if (r.steps == 0)
            continue;
        bool good = go(&r, t, all[k].name);
        if (good)
            tell(t, all[k].name, &r);
        if (good && !table_quick(t))
            all[k].tell(t, &r);
        end(&r);
    }
}
