// A tentacle that a cable closes on itself [coevoet2019, figure 4.15].
#include "experiments.h"
#include "witness.h"

#include <math.h>

static const char *const scene = "tests/experiments/tentacle.yaml";

typedef struct pose {
    double tip[3];
    int overlaps; // edges through faces in all steps
    int nforce;   // contacts
} pose;

// Forward to a pull, in steps of 2 mm.
static bool curl(table *t, double pull, bool in_contact, pose *out)
{
    const double stride = 2e-3;
    rig r;
    *out = (pose){0};
    if (!rig_open(&r, t, scene, in_contact ? (const char *)NULL : "contacts.self=[]",
                  (const char *)NULL))
        return false;
    witness *w = witness_create(&r);
    bool good = w != NULL;
    if (!good)
        table_broken(t, "%s: there is no second opinion on it", scene);
    for (double at = stride; good && at < pull + 0.5 * stride; at += stride) {
        good = rig_forward(&r, LITHE_DISPLACEMENT, &at);
        out->overlaps += witness_overlaps(w, lithe_position(r.state));
    }
    for (int i = 0; i < lithe_ncontact(r.state) && good; i++) {
        lithe_contact c;
        lithe_contact_get(r.model, r.state, i, &c);
        out->nforce += c.force > 0;
    }
    rig_measure(&r, "tip", out->tip);
    witness_free(w);
    rig_close(&r);
    return good;
}

// The inverse from rest: which pull brings the tip there?
static double find_pull(table *t, const double *tip, bool in_contact, double *miss)
{
    rig r;
    double pull = NAN, end[3];
    if (!rig_open(&r, t, scene, in_contact ? (const char *)NULL : "contacts.self=[]",
                  (const char *)NULL))
        return NAN;
    if (rig_step(&r) && rig_aim_effector(&r, "tip", tip)) {
        bool good = lithe_step(r.model, r.state) == LITHE_OK;
        if (!good && in_contact)
            table_broken(t, "%s", lithe_state_error(r.state));
        rig_displacements(&r, &pull);
        rig_measure(&r, "tip", end);
        *miss = distance3(end, tip);
    }
    rig_close(&r);
    return pull;
}

static void close_to(table *t, double pull)
{
    pose with, without;
    double miss = NAN, blind_miss = NAN;
    if (!curl(t, pull, true, &with) || !curl(t, pull, false, &without))
        return;
    double found = find_pull(t, with.tip, true, &miss);
    double blind = find_pull(t, with.tip, false, &blind_miss);
    const char *at = text("pulled by %g mm", 1e3 * pull);
    table_add(t, (finding){.quantity = text("%s: edges that go through faces", at),
                           .ours = text("%d contacts press", with.nforce),
                           .error = with.overlaps,
                           .gate = 0});
    table_add(t, (finding){.quantity = text("%s: pull that the inverse finds", at),
                           .expected = text("%g mm", 1e3 * pull),
                           .ours = text("%.4f mm, tip off by %.1e mm", 1e3 * found, 1e3 * miss),
                           .error = 100 * fabs(found / pull - 1),
                           .gate = 0.1,
                           .unit = "%"});
    table_add(t,
              (finding){.quantity = text("%s: without contact, tip and inverse", at),
                        .paper = "very bad results",
                        .ours = text("%.2f mm, tip off by %.2f mm", 1e3 * blind, 1e3 * blind_miss),
                        .error = 1e3 * distance3(with.tip, without.tip),
                        .gate = NAN,
                        .unit = "mm"});
}

void experiment_tentacle(table *t)
{
    table_experiment(t, 'z', "tentacle");
    table_note(
        t, "coevoet2019, figure 4.15, where a tentacle of the octopus is shown beside its "
           "model, without numbers. Here a tentacle of 120 mm with eight notches and one "
           "cable through all of it (tests/experiments/tentacle.yaml), converged: pulled, the two "
           "sides of every "
           "notch meet. The tip of a forward run is the target, and the inverse from rest "
           "finds the pull again. The last rows have no contact: how far the tip is from "
           "where it is with contact at the same pull, and what the inverse makes of the target.");
    close_to(t, 10e-3);
    if (table_quick(t))
        return;
    close_to(t, 16e-3);
    close_to(t, 24e-3);
    table_note(t, "![the tentacle, pulled by 24 mm](pictures/tentacle.png)");
}
