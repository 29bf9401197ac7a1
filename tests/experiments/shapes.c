// Four laws on one robot, their shapes drawn over each other, as figures 3.9 and 3.11 of
// coevoet2019.
#include "experiments.h"
#include "outline.h"
#include "rig.h"
#include "study.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

// With the colours of the thesis.
static const struct {
    const char *name, *law, *colour;
} laws[] = {
    {"corotational", "law=corotational", "#2b5fc2"},
    {"Mooney-Rivlin, c1 = 3 c2", "law=mooney-rivlin", "#2a9d4a"},
    {"St Venant-Kirchhoff", "law=st-venant-kirchhoff", "#d03030"},
    {"neo-Hookean", "law=neo-hookean", "#8a3fb0"},
};
enum { LAWS = sizeof laws / sizeof *laws };

typedef struct scenery {
    const char *scene, *mesh, *limits, *title, *picture;
    double displacement; // of the one actuator; NAN: its effort is 0
    const char *unit;    // of the effort
    double per_unit;
} scenery;

static bool draw_law(table *t, const scenery *c, int law, outline *o, double tip[3], double *effort)
{
    rig r;
    const char *coefficients = law == 1 ? "materials.silicone.coefficients=[3 kPa, 1 kPa]"
                                        : "step.mode=converged"; // nothing more
    if (!rig_open(&r, t, c->scene, text("bodies.robot.mesh=%s", c->mesh),
                  text("materials.silicone.%s", laws[law].law), coefficients, "step.mode=converged",
                  c->limits, (const char *)NULL))
        return false;
    double zero = 0;
    bool good = isnan(c->displacement) ? rig_forward(&r, LITHE_EFFORT, &zero)
                                       : rig_forward(&r, LITHE_DISPLACEMENT, &c->displacement);
    if (good) {
        rig_measure(&r, "tip", tip);
        rig_efforts(&r, effort);
        outline_add(o, r.model, r.state, laws[law].name, laws[law].colour);
    }
    rig_close(&r);
    return good;
}

static void draw(table *t, const scenery *c)
{
    double tip[LAWS][3], effort;
    outline *o = outline_create(c->title);
    for (int i = 0; i < LAWS && o; i++) {
        if (!draw_law(t, c, i, o, tip[i], &effort))
            break;
        table_add(t, (finding){.quantity = text("%s: %s", c->title, laws[i].name),
                               .ours = text("%.3f %s", effort * c->per_unit, c->unit),
                               .error = i ? 1e3 * distance3(tip[i], tip[0]) : 0,
                               .gate = NAN,
                               .unit = "mm"});
    }
    if (!o ||
        (!table_quick(t) && !outline_write(o, text("%s/docs/pictures/%s", LITHE_ROOT, c->picture))))
        table_broken(t, "%s could not be written", c->picture);
    outline_free(o);
    table_note(t, "![%s, four laws](pictures/%s)", c->title, c->picture);
}

static void draw_accordion(table *t)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/lithe_accordion_%ld.vtk", (long)getpid());
    if (!study_accordion(path, BLOCKS_TET10, (accordion_cut){16, 4, 1, 2})) {
        table_broken(t, "%s could not be written", path);
        return;
    }
    draw(t, &(scenery){.scene = "examples/accordion/robot.yaml",
                       .mesh = path,
                       .limits = "actuators.air.limits={pressure: [-100, 1000]}",
                       .title = "accordion, +72 ml",
                       .picture = "laws-accordion.svg",
                       .displacement = 72e-6,
                       .unit = "kPa",
                       .per_unit = 1e-3});
    unlink(path);
}

static void draw_finger(table *t, const char *title, const char *picture, double pull)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/lithe_finger_%ld.vtk", (long)getpid());
    if (!study_finger(path, BLOCKS_TET10, (finger_cut){3, 3, 2, 2, 2})) {
        table_broken(t, "%s could not be written", path);
        return;
    }
    draw(t, &(scenery){.scene = "examples/finger/robot.yaml",
                       .mesh = path,
                       .limits = "actuators.flexor.limits={pull: [-5, 60]}",
                       .title = title,
                       .picture = picture,
                       .displacement = pull,
                       .unit = "N",
                       .per_unit = 1});
    unlink(path);
}

void experiment_shapes(table *t)
{
    table_experiment(t, 'm', "four laws");
    if (table_quick(t)) {
        draw_finger(t, "finger, its weight alone", "laws-finger-0.svg", NAN);
        return;
    }
    table_note(t, "coevoet2019, figures 3.9 and 3.11: the same displacement of the actuator under "
                  "four laws, the same mesh of quadratic tetrahedra, and the same modulus and "
                  "Poisson's ratio at small strain; sections through the middle. The error is "
                  "the distance of the tip from that of the corotational law. The finger without "
                  "its cable, at 10 and at 20 mm.");
    draw_accordion(t);
    draw_finger(t, "finger, its weight alone", "laws-finger-0.svg", NAN);
    draw_finger(t, "finger, pull 10 mm", "laws-finger-10.svg", 10e-3);
    draw_finger(t, "finger, pull 20 mm", "laws-finger-20.svg", 20e-3);
}
