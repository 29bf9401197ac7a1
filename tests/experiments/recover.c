// Actuation that is recovered from where points of the robot went: a forward run poses the robot,
// and the inverse, from rest, gets nothing but those points.
#include "experiments.h"
#include "rig.h"

#include <math.h>

enum { MOST_EFFECTORS = 4 };

typedef struct recovery {
    const char *scene;
    const char *label; // of its rows; may be NULL
    const char *set;   // of the scene; may be NULL
    lithe_command_kind kind;
    int n;
    double applied[4], unit;
    const char *what, *suffix;
    const char *const *paper; // may be NULL
    double gate;              // %
} recovery;

static void read_points(const rig *r, double *point)
{
    for (int e = 0; e < lithe_neffector(r->model); e++)
        lithe_effector_value(r->model, r->state, e, &point[3 * e]);
}

// From rest, or where a share of what was applied leads.
static bool begin(rig *r, const recovery *c, double share)
{
    double part[RIG_ROWS];
    lithe_state_reset(r->model, r->state);
    for (int i = 0; i < c->n; i++)
        part[i] = share * c->applied[i];
    return share == 0 || rig_forward(r, c->kind, part);
}

static bool pose_and_recover(rig *r, const recovery *c, double share, double *found)
{
    double point[3 * MOST_EFFECTORS];
    if (!rig_forward(r, c->kind, c->applied))
        return false;
    read_points(r, point);
    if (!begin(r, c, share))
        return false;
    for (int e = 0; e < lithe_neffector(r->model); e++)
        if (!rig_aim_effector(r, lithe_effector_name(r->model, e), &point[3 * e]))
            return false;
    if (!rig_step(r))
        return false;
    (c->kind == LITHE_EFFORT ? rig_efforts : rig_displacements)(r, found);
    return true;
}

static void recover_from(double share, table *t, const recovery *c)
{
    rig r;
    double found[RIG_ROWS];
    const char *label = c->label ? text("%s: ", c->label) : "";
    if (!rig_open(&r, t, c->scene, c->set, (const char *)NULL))
        return;
    bool done = pose_and_recover(&r, c, share, found);
    for (int i = 0; done && i < c->n; i++)
        table_add(
            t, (finding){
                   .quantity = text("%s%s of %s", label, c->what, lithe_actuator_name(r.model, i)),
                   .paper = c->paper ? c->paper[i] : NULL,
                   .expected = text("%g %s", c->applied[i] / c->unit, c->suffix),
                   .ours = text("%.6f %s", found[i] / c->unit, c->suffix),
                   .error = 100 * fabs(found[i] / c->applied[i] - 1),
                   .gate = c->gate,
                   .unit = "%",
               });
    if (done)
        table_add(t, (finding){.quantity = text("%sNewton iterations of the one step", label),
                               .ours = text("%d", lithe_last_residual(r.state).iteration),
                               .error = NAN,
                               .gate = NAN});
    rig_close(&r);
}

static void recover(table *t, const recovery *c)
{
    recover_from(0, t, c);
}

void experiment_cables(table *t)
{
    static const char *const paper[] = {"5.07 mm", "10.00 mm", "14.97 mm"};
    table_experiment(t, 'a', "accordion, 3 cables");
    table_note(t, "coevoet2019, table 3.3. The accordion of examples/accordion with three cables "
                  "through its crests, 120 degrees apart. The tip's position at the given pulls is "
                  "the target; the inverse starts from rest.");
    recover(t, &(recovery){"tests/experiments/accordion_cables.yaml",
                           NULL,
                           NULL,
                           LITHE_DISPLACEMENT,
                           3,
                           {5e-3, 10e-3, 15e-3},
                           1e-3,
                           "pull",
                           "mm",
                           paper,
                           0.1});
}

void experiment_pressures(table *t)
{
    static const char *const paper[] = {"25.1 kPa", "-29.9 kPa", "-35.1 kPa", "20 kPa"};
    table_experiment(t, 'b', "lump, 4 cavities");
    table_note(
        t,
        "coevoet2019, table 3.4 (there a bunny). A lump with two ears, 174 mm high, "
        "200 kPa, two cavities in its body and one across each ear "
        "(tests/experiments/lump.geo). Positions of nose and ear tips are the targets. This "
        "is the fourth lump that was drawn: with the first three, whose ear cavities were slender "
        "or thin-walled, pressures were not recovered. The inverse from rest ended, converged, in "
        "another local minimum, for the left ear at 18, -0.6 and 20 kPa instead of -35, with "
        "points up to 0.09, 0.56 and 0.03 mm away. A slender cavity along an ear moves its tip "
        "almost by second order only, and one of thin walls collapses; those here lie across the "
        "ears. The row shows that a well-posed case is recovered, not that every one is.");
    recover(t, &(recovery){"tests/experiments/lump_pressures.yaml",
                           NULL,
                           NULL,
                           LITHE_EFFORT,
                           4,
                           {25e3, -30e3, -35e3, 20e3},
                           1e3,
                           "pressure",
                           "kPa",
                           paper,
                           0.1});
}

void experiment_moduli(table *t)
{
    static const char *const paper[] = {"0.928 kPa", "4.852 kPa", "2.027 kPa"};
    table_experiment(t, 'c', "lump, 3 moduli");
    table_note(t, "coevoet2019, table 3.5. The same lump at 17.4 mm, so that its own weight, rho g "
                  "h = 188 Pa, is under a fifth of the softest modulus; it sags by up to 3.1 mm. "
                  "The inverse starts from 10 kPa everywhere.");
    recover(t, &(recovery){"tests/experiments/lump_moduli.yaml",
                           NULL,
                           NULL,
                           LITHE_EFFORT,
                           3,
                           {1e3, 5e3, 2e3},
                           1e3,
                           "Young's modulus",
                           "kPa",
                           paper,
                           0.5});
}

void experiment_finger(table *t)
{
    static const char *const paper[] = {"17.9 mm", "17.9 mm"};
    static const struct {
        const char *label, *set;
        double right; // mm
    } trial[] = {
        {NULL, NULL, 18},
        {"post at 60 mm",
         "obstacles.post.cylinder={from: [60, -30, -18], to: [60, 30, -18], "
         "radius: 8}",
         18},
        {"post at 75 mm",
         "obstacles.post.cylinder={from: [75, -30, -18], to: [75, 30, -18], "
         "radius: 8}",
         18},
        {"post at 60 mm, uneven",
         "obstacles.post.cylinder={from: [60, -30, -18], to: [60, 30, "
         "-18], radius: 8}",
         17},
        {"plane", "obstacles={floor: {plane: {at: [0, 0, -20], normal: [0, 0, 1]}}}", 18},
        {"plane, uneven", "obstacles={floor: {plane: {at: [0, 0, -20], normal: [0, 0, 1]}}}", 17},
        {"sphere", "obstacles={ball: {sphere: {center: [55, 0, -60], radius: 45}}}", 18},
    };
    table_experiment(t, 'v', "finger on an obstacle");
    table_note(t, "coevoet2019, table 4.3. The finger of examples/finger with two cables side by "
                  "side, bent over a fixed post at 45 mm, and over others; at 60 mm, at 75 mm and "
                  "on the plane its own stiffness has one or two negative modes that cables and "
                  "contact hold. Of 30 runs with posts from 40 to 80 mm, planes, and pulls of 18 "
                  "and 18, 17 or 14 mm, 23 are recovered like these; in 5 the forward run already "
                  "stops, and with the post at 80 mm, near the tip, two inverse runs stop 2 to 7 "
                  "%% away and say so. Of seven spheres that were tried two are recovered; on four "
                  "the forward run stops, and on one of 8 mm at 60 mm, where the finger has slid 3 "
                  "mm aside, the inverse does.");
    for (size_t k = 0; k < sizeof trial / sizeof *trial; k += table_quick(t) ? 4 : 1)
        recover(t, &(recovery){"tests/experiments/finger_post.yaml",
                               trial[k].label,
                               trial[k].set,
                               LITHE_DISPLACEMENT,
                               2,
                               {18e-3, 1e-3 * trial[k].right},
                               1e-3,
                               "pull",
                               "mm",
                               k == 0 ? paper : NULL,
                               0.1});
}

void experiment_tower(table *t)
{
    static const char *const paper[] = {"19.9 kPa", "18.0 kPa", "24.0 kPa", "21.9 kPa"};
    table_experiment(t, 'w', "tower, 4 cavities");
    table_note(t,
               "coevoet2019, table 4.2 (examples/tower). Four cavities in sections that touch "
               "each other as they swell; tip and middle are given, and the inverse from rest "
               "finds the pressures in one step. It is the second tower that was drawn: the "
               "sections of the first hung together along 8 mm and met with their whole skin; "
               "they lay on their flush rims by their weight, and where a forward run ended "
               "depended on its steps. Of seven sets of pressures that were tried six are "
               "recovered; from 30, 30, 10 and 10 kPa the inverse ends in another local minimum, "
               "where the middle is 3.6 um off and pressures are by up to 0.7 %%, and says so.");
    recover_from(table_quick(t) ? 0.95 : 0, t,
                 &(recovery){"examples/tower/recover.yaml",
                             NULL,
                             NULL,
                             LITHE_EFFORT,
                             4,
                             {20e3, 18e3, 24e3, 22e3},
                             1e3,
                             "pressure",
                             "kPa",
                             paper,
                             0.1});
    if (table_quick(t))
        return;
    recover(t, &(recovery){"examples/tower/recover.yaml",
                           "other pressures",
                           NULL,
                           LITHE_EFFORT,
                           4,
                           {10e3, 25e3, 5e3, 30e3},
                           1e3,
                           "pressure",
                           "kPa",
                           NULL,
                           0.1});
}
