// What is rigid against what is a million times stiffer: a part of a mesh, and a rigid body that a
// soft one is attached to.
#include "verify.h"

#include "bar.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

typedef enum head_kind { HEAD_STIFF, HEAD_PART, HEAD_ATTACHED, HEAD_NKIND } head_kind;

// A bar of 20 x 20 x 100 mm, held at its foot, bent by its weight, aslant, and a force at its tip;
// its upper 30 mm are stiff, a rigid part, or a rigid body of its own.
typedef struct headed_bar {
    bar shape[2];
    lithe_mesh *mesh[2];
    lithe_material_def material[2];
    lithe_region_def region;
    lithe_rigid_def part;
    lithe_body_def member[2];
    lithe_attachment_def attachment;
    lithe_fix_def fix;
    lithe_body_def body;
    lithe_load_def push;
    lithe_point_def at;
    lithe_effector_def tip;
    lithe_def def;
    lithe_report report;
    lithe_model *model;
    lithe_state *state;
} headed_bar;

static bool make_mesh(headed_bar *h, int k, int n, int nz, double from, double to)
{
    h->shape[k] = bar_make(n, n, nz, (double[]){-0.01, -0.01, from}, (double[]){0.01, 0.01, to});
    return lithe_mesh_create(h->shape[k].nnode, h->shape[k].x, h->shape[k].ntet, h->shape[k].tet,
                             &h->mesh[k], &h->report) == LITHE_OK;
}

static void make_materials(headed_bar *h)
{
    for (int k = 0; k < 2; k++) {
        h->material[k] = lithe_material_def_default();
        h->material[k].name = k ? "steel" : "silicone";
        h->material[k].young = k ? 1e11 : 1e5;
        h->material[k].poisson = 0.45;
        h->material[k].density = 1000;
    }
    h->def.nmaterial = 2;
    h->def.material = h->material;
}

static void make_head(headed_bar *h, head_kind kind)
{
    const lithe_selection upper = {.kind = LITHE_BOX, .a = {-1, -1, 0.0699}, .b = {1, 1, 1}};
    h->region = lithe_region_def_default();
    h->region.where = upper; // by centroids of elements
    h->region.material = "steel";
    h->part = lithe_rigid_def_default();
    h->part.name = "head";
    h->part.where = upper;
    for (int k = 0; k < 2; k++) {
        h->member[k] = lithe_body_def_default();
        h->member[k].name = k ? "head" : "foot";
        h->member[k].mesh = h->mesh[k];
        h->member[k].material = "silicone";
    }
    h->member[1].shape = LITHE_RIGID_MESH;
    h->attachment = lithe_attachment_def_default();
    h->attachment.member = "foot";
    h->attachment.to = "head";
    h->attachment.where = upper;
    h->body.mesh = kind == HEAD_ATTACHED ? NULL : h->mesh[0];
    h->body.nregion = kind == HEAD_STIFF;
    h->body.region = &h->region;
    h->body.nrigid = kind == HEAD_PART;
    h->body.rigid = &h->part;
    h->body.nmember = kind == HEAD_ATTACHED ? 2 : 0;
    h->body.member = h->member;
    h->body.nattachment = kind == HEAD_ATTACHED;
    h->body.attachment = &h->attachment;
}

static void make_loads(headed_bar *h)
{
    h->fix = lithe_fix_def_default();
    h->fix.where = (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, -1}, .b = {1, 1, 1e-6}};
    h->body.nfix = 1;
    h->body.fix = &h->fix;
    h->push = lithe_load_def_default();
    h->push.name = "push";
    h->push.body = "bar";
    h->push.at[2] = 0.1;
    h->push.value[1] = 0.05;
    h->at = (lithe_point_def){"bar", {0, 0, 0.1}};
    h->tip = lithe_effector_def_default(LITHE_POINTS);
    h->tip.name = "tip";
    h->tip.npoint = 1;
    h->tip.point = &h->at;
    h->def.nload = h->def.neffector = 1;
    h->def.load = &h->push;
    h->def.effector = &h->tip;
    h->def.gravity[0] = 2;
    h->def.gravity[2] = -9.81;
}

// Where the tip of the head comes to; dynamic: after 20 steps of 5 ms from rest.
static bool find_tip(verify_table *table, head_kind kind, int n, bool moving, double tip[3])
{
    headed_bar h;
    memset(&h, 0, sizeof h);
    h.report = lithe_report_default();
    bool apart = kind == HEAD_ATTACHED;
    bool done = make_mesh(&h, 0, n, apart ? 7 : 10, 0, apart ? 0.07 : 0.1) &&
                make_mesh(&h, 1, n, 3, 0.07, 0.1);
    h.def = lithe_def_default();
    h.body = lithe_body_def_default();
    h.body.name = "bar";
    h.body.material = "silicone";
    h.def.nbody = 1;
    h.def.body = &h.body;
    make_materials(&h);
    make_loads(&h);
    make_head(&h, kind);
    if (moving) {
        h.def.dynamics.scheme = LITHE_EULER;
        h.def.dynamics.mass = LITHE_CONSISTENT;
        h.def.step.dt = 5e-3;
    }
    done = done && lithe_compile(&h.def, &h.model, &h.report) == LITHE_OK &&
           lithe_state_create(h.model, 1, &h.state, &h.report) == LITHE_OK;
    for (int i = 0; i < (moving ? 20 : 1) && done; i++)
        done = lithe_step(h.model, h.state) == LITHE_OK;
    if (done)
        lithe_effector_value(h.model, h.state, 0, tip);
    else
        verify_broken(table, h.state ? lithe_state_error(h.state) : h.report.error);
    lithe_state_free(h.state);
    lithe_model_free(h.model);
    for (int k = 0; k < 2; k++) {
        lithe_mesh_free(h.mesh[k]);
        bar_free(&h.shape[k]);
    }
    return done;
}

void verify_attached(verify_table *table)
{
    static const char *const what[HEAD_NKIND][2] = {
        [HEAD_PART] = {"rigid part: tip off, of the bar", "rigid part, after 0.1 s: tip off"},
        [HEAD_ATTACHED] = {"attached to a rigid body: tip off, of the bar",
                           "attached, after 0.1 s: tip off"}};
    verify_case(table, 36, "rigid against stiff");
    verify_note(
        table,
        "A bar of 20 x 20 x 100 mm, E 0.1 MPa, nu 0.45, whose upper 30 mm are a million times "
        "stiffer, bends under its weight, aslant, and 0.05 N at its tip. The same with a rigid "
        "part, and with a rigid body to which the lower 70 mm are attached. In motion with "
        "consistent masses, implicit Euler of 5 ms: the attached body's inertia is that of its "
        "volume.");
    for (int n = 2; n <= 4; n += 2) {
        double stiff[2][3] = {{0}};
        verify_mesh(table, "tet4, %d x %d x 10", n, n);
        for (int moving = 0; moving < 2; moving++)
            if (!find_tip(table, HEAD_STIFF, n, moving, stiff[moving]))
                return;
        for (int kind = HEAD_PART; kind <= HEAD_ATTACHED; kind++)
            for (int moving = 0; moving < 2; moving++) {
                double tip[3] = {0};
                if (!find_tip(table, (head_kind)kind, n, moving, tip))
                    return;
                verify_gate(table, what[kind][moving], vec_distance(tip, stiff[moving]) / 0.1, 0,
                            1e-4);
            }
    }
}
