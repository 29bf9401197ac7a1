#include "bar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// Counts what the whole program asks for, the libraries it uses included. Under the address
// sanitizer, which takes malloc for itself, the library's own allocator counts instead.
static atomic_long asked;

#if defined(__SANITIZE_ADDRESS__)

static void *counting_allocate(size_t bytes)
{
    asked++;
    return malloc(bytes);
}

static void count_start(void)
{
    lithe_set_allocator(counting_allocate, free);
}

#else

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void __libc_free(void *memory);

void *malloc(size_t bytes)
{
    asked++;
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    asked++;
    return __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    asked++;
    return __libc_realloc(memory, bytes);
}

void free(void *memory)
{
    asked += memory != NULL;
    __libc_free(memory);
}

static void count_start(void)
{
}

#endif

// A hollow bar with a cable and a cavity.
typedef struct robot {
    bar shape;
    lithe_mesh *mesh;
    lithe_material_def material;
    lithe_fix_def fix;
    lithe_body_def body;
    lithe_point_def point[2];
    lithe_actuator_def actuator[2];
    lithe_effector_def tip;
    lithe_point_def tip_point;
    lithe_def def;
} robot;

static void robot_make(robot *r, int nx, int nz)
{
    memset(r, 0, sizeof *r);
    r->shape = bar_make(nx, nx, nz, (double[]){-0.01, -0.01, 0}, (double[]){0.01, 0.01, 0.1});
    bar_hollow(&r->shape);
    r->material = lithe_material_def_default();
    r->material.name = "silicone";
    r->material.young = 1e5;
    r->material.poisson = 0.45;
    r->material.density = 1000;
    r->fix = lithe_fix_def_default();
    r->fix.where = (lithe_selection){.kind = LITHE_PLANE, .b = {0, 0, -1}};
    r->body = lithe_body_def_default();
    r->body.name = "bar";
    r->body.material = "silicone";
    r->body.nfix = 1;
    r->body.fix = &r->fix;
    r->point[0] = (lithe_point_def){"bar", {0.008, 0, 0.05}};
    r->point[1] = (lithe_point_def){"bar", {0.008, 0, 0.095}};
    r->actuator[0] = lithe_actuator_def_default(LITHE_CABLE);
    r->actuator[0].name = "cable";
    r->actuator[0].npoint = 2;
    r->actuator[0].point = r->point;
    r->actuator[0].has_pulled_from = true;
    r->actuator[0].pulled_from[0] = 0.008;
    r->actuator[1] = lithe_actuator_def_default(LITHE_CAVITY);
    r->actuator[1].name = "air";
    r->actuator[1].body = "bar";
    r->tip = lithe_effector_def_default(LITHE_POINTS);
    r->tip.name = "tip";
    r->tip_point = (lithe_point_def){"bar", {0, 0, 0.1}};
    r->tip.npoint = 1;
    r->tip.point = &r->tip_point;
    r->def = lithe_def_default();
    r->def.gravity[2] = -9.81;
    r->def.nmaterial = r->def.nbody = r->def.neffector = 1;
    r->def.material = &r->material;
    r->def.body = &r->body;
    r->def.nactuator = 2;
    r->def.actuator = r->actuator;
    r->def.effector = &r->tip;
}

static lithe_status robot_mesh(robot *r, lithe_report *report)
{
    lithe_status status = lithe_mesh_create(r->shape.nnode, r->shape.x, r->shape.ntet, r->shape.tet,
                                            &r->mesh, report);
    r->body.mesh = r->mesh;
    return status;
}

// Steps with commands that never rest; returns how often memory was asked for or given back.
static long count_steps(lithe_mode mode, int threads, int nstep)
{
    robot r;
    lithe_model *model;
    lithe_state *state;
    lithe_report report = lithe_report_default();
    robot_make(&r, 4, 10);
    r.def.step.mode = mode;
    assert_int_equal(robot_mesh(&r, &report), LITHE_OK);
    assert_int_equal(lithe_compile(&r.def, &model, &report), LITHE_OK);
    assert_int_equal(lithe_state_create(model, threads, &state, &report), LITHE_OK);
    long before = asked, moved = 0;
    assert_true(before > 0); // or nothing is counted
    for (int k = 0; k < nstep; k++) {
        double wave = k % 200 < 100 ? k % 100 : 100 - k % 100; // up and down in percent
        lithe_command_kind kind = k % 400 < 200 ? LITHE_DISPLACEMENT : LITHE_EFFORT;
        lithe_command(model, state, 0, kind,
                      &(double){(kind == LITHE_EFFORT ? 0.005 : 1e-4) * wave});
        lithe_command(model, state, 1, LITHE_EFFORT, &(double){20 * (100 - wave)});
        moved += lithe_step(model, state) == LITHE_OK;
    }
    long after = asked;
    assert_int_equal(moved, nstep);
    lithe_state_free(state);
    lithe_model_free(model);
    lithe_mesh_free(r.mesh);
    bar_free(&r.shape);
    return after - before;
}

static void a_thousand_realtime_steps_allocate_nothing(void **unused)
{
    (void)unused;
    count_start();
    assert_true(count_steps(LITHE_REALTIME, 1, 1000) == 0);
    lithe_set_allocator(NULL, NULL);
}

static void converged_steps_and_threads_allocate_nothing(void **unused)
{
    (void)unused;
    count_start();
    assert_true(count_steps(LITHE_CONVERGED, 1, 20) == 0);
    assert_true(count_steps(LITHE_REALTIME, 2, 50) == 0);
    assert_true(count_steps(LITHE_ASYNCHRONOUS, 2, 200) == 0);
    lithe_set_allocator(NULL, NULL);
}

static void failing_steps_allocate_nothing(void **unused)
{
    (void)unused;
    robot r;
    lithe_model *model;
    lithe_state *state;
    count_start();
    robot_make(&r, 4, 6);
    assert_int_equal(robot_mesh(&r, NULL), LITHE_OK);
    assert_int_equal(lithe_compile(&r.def, &model, NULL), LITHE_OK);
    assert_int_equal(lithe_state_create(model, 1, &state, NULL), LITHE_OK);
    long before = asked;
    lithe_command(model, state, 0, LITHE_DISPLACEMENT, &(double){0.5}); // longer than the cable
    assert_int_equal(lithe_step(model, state), LITHE_NOT_CONVERGED);
    assert_int_equal(lithe_command(model, state, 0, LITHE_EFFORT, &(double){-1}), LITHE_INVALID);
    assert_true(asked == before);
    lithe_state_free(state);
    lithe_model_free(model);
    lithe_mesh_free(r.mesh);
    bar_free(&r.shape);
    lithe_set_allocator(NULL, NULL);
}

// An allocator that refuses the k-th request and knows what is still out.
static long until_refusal, outstanding;

static void *refusing_allocate(size_t bytes)
{
    if (until_refusal-- == 0)
        return NULL;
    outstanding++;
    return malloc(bytes);
}

static void refusing_release(void *memory)
{
    outstanding--;
    free(memory);
}

// Runs `build` with every request refused in turn until one run gets all of them; returns how many
// were refused.
static long refuse_each(lithe_status (*build)(const void *context, lithe_report *report),
                        const void *context)
{
    lithe_set_allocator(refusing_allocate, refusing_release);
    for (long k = 0; k < 100000; k++) {
        lithe_report report = lithe_report_default();
        until_refusal = k;
        outstanding = 0;
        lithe_status status = build(context, &report);
        if (outstanding != 0)
            fail_msg("refusal %ld leaves %ld blocks behind", k, outstanding);
        if (until_refusal >= 0) {
            assert_int_equal(status, LITHE_OK);
            lithe_set_allocator(NULL, NULL);
            return k;
        }
        if (status != LITHE_NO_MEMORY || !report.error[0])
            fail_msg("refusal %ld gives status %d, '%s'", k, status, report.error);
    }
    fail_msg("no run gets all that it asks for");
    return -1;
}

static lithe_status build_robot(const void *context, lithe_report *report)
{
    robot r = *(const robot *)context; // shares everything but the mesh
    r.def.body = &r.body;
    lithe_model *model = NULL;
    lithe_state *state = NULL;
    lithe_status status = robot_mesh(&r, report);
    if (status == LITHE_OK)
        status = lithe_compile(&r.def, &model, report);
    if (status == LITHE_OK)
        status = lithe_state_create(model, 2, &state, report);
    if (status == LITHE_OK)
        status = lithe_step(model, state);
    lithe_state_free(state);
    lithe_model_free(model);
    lithe_mesh_free(r.mesh);
    return status;
}

static void every_refused_request_of_compile_is_reported_and_leaks_nothing(void **unused)
{
    (void)unused;
    robot r;
    robot_make(&r, 3, 3);
    assert_true(refuse_each(build_robot, &r) > 10);
    r.def.step.mode = LITHE_ASYNCHRONOUS;
    assert_true(refuse_each(build_robot, &r) > 10);
    r.def.step.factor_age = 3;
    assert_true(refuse_each(build_robot, &r) > 10);
    r.def.step.mode = LITHE_CONVERGED;
    r.body.element = LITHE_TET4_AVERAGED;
    r.def.dynamics.scheme = LITHE_ALPHA;
    r.def.dynamics.mass = LITHE_CONSISTENT;
    r.def.step.factor_age = 0;
    assert_true(refuse_each(build_robot, &r) > 10);
    bar_free(&r.shape);
}

static const char scene_text[] =
    "units: {length: mm, force: N, pressure: kPa}\n"
    "gravity: [0, 0, -9.81 m/s^2]\n"
    "materials: {silicone: {law: corotational, young: 100, poisson: 0.4, density: 1 g/cm^3}}\n"
    "bodies:\n"
    "  bar:\n"
    "    mesh: bar.vtk\n"
    "    material: silicone\n"
    "    fix: {plane: {point: [0, 0, 0], normal: [0, 0, -1]}}\n"
    "    surfaces: {top: {plane: {point: [0, 0, 30], normal: [0, 0, 1]}}}\n"
    "loads: {lid: {pressure: {body: bar, surface: top, value: 0.1}}}\n"
    "actuators:\n"
    "  cable: {cable: {body: bar, through: [[2, 2, 10], [2, 2, 25]], pulled_from: [2, 2, -5]}}\n"
    "  air: {cavity: {body: bar}, command: {pressure: 0.5}}\n"
    "effectors: {tip: {point: {body: bar, at: [15, 15, 30]}}}\n"
    "obstacles:\n"
    "  lump: {mesh: {file: bar.vtk, move: [0, 0, 30.1]}, path: [{time: 1 s, move: [1, 0, 0]}]}\n"
    "contacts: {max: 4, friction: 0.3, self: [bar], pairs: [{body: bar, surface: top, with: lump, "
    "friction: 0.1}]}\n";

static const char *const frames_text =
    "units: {length: mm, force: N, pressure: kPa, angle: deg}\n"
    "materials: {silicone: {law: corotational, young: 100 kPa, poisson: 0.4, density: 1 g/cm^3}}\n"
    "bodies:\n"
    "  bar:\n"
    "    mesh: bar.vtk\n"
    "    material: silicone\n"
    "    rigid: {head: {box: [[-1, -1, 19], [31, 31, 31]]}}\n"
    "actuators:\n"
    "  turn: {servo: {body: bar, box: [[-1, -1, -1], [31, 31, 1]], axis: [0, 1, 0], through: [15, "
    "0, 0]}}\n"
    "effectors: {tip: {point: {body: bar, at: [15, 15, 30]}}}\n";

static FILE *open_in(const char *folder, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    return file;
}

static void write_mesh(const char *folder)
{
    bar b = bar_make(3, 3, 3, (double[]){0, 0, 0}, (double[]){30, 30, 30});
    bar_hollow(&b);
    FILE *file = open_in(folder, "bar.vtk");
    fprintf(file, "# vtk DataFile Version 3.0\nbar\nASCII\nDATASET UNSTRUCTURED_GRID\n");
    fprintf(file, "POINTS %d double\n", b.nnode);
    for (int i = 0; i < b.nnode; i++)
        fprintf(file, "%g %g %g\n", b.x[3 * i], b.x[3 * i + 1], b.x[3 * i + 2]);
    fprintf(file, "CELLS %d %d\n", b.ntet, 5 * b.ntet);
    for (int t = 0; t < b.ntet; t++) {
        const int *n = &b.tet[4 * t];
        fprintf(file, "4 %d %d %d %d\n", n[0], n[1], n[2], n[3]);
    }
    fprintf(file, "CELL_TYPES %d\n", b.ntet);
    for (int t = 0; t < b.ntet; t++)
        fprintf(file, "10\n");
    assert_int_equal(fclose(file), 0);
    bar_free(&b);
}

static lithe_status build_scene(const void *path, lithe_report *report)
{
    lithe_scene *scene = NULL;
    lithe_model *model = NULL;
    lithe_state *state = NULL;
    const char *override[] = {"materials.silicone.young=200 kPa"};
    lithe_status status = lithe_scene_read(path, 1, override, &scene, report);
    if (status == LITHE_OK)
        status = lithe_compile(lithe_scene_def(scene), &model, report);
    if (status == LITHE_OK)
        status = lithe_state_create(model, 1, &state, report);
    if (status == LITHE_OK && (status = lithe_step(model, state)) != LITHE_OK)
        snprintf(report->error, sizeof report->error, "%s", lithe_state_error(state));
    lithe_state_free(state);
    lithe_model_free(model);
    lithe_scene_free(scene);
    return status;
}

// Members that follow a frame, nodes, and both.
static const char members_text[] =
    "units: {length: mm, force: N, pressure: kPa}\n"
    "materials: {silicone: {law: corotational, young: 100, poisson: 0.4, density: 1 g/cm^3}}\n"
    "bodies:\n"
    "  limb:\n"
    "    material: silicone\n"
    "    members:\n"
    "      lower: {mesh: bar.vtk}\n"
    "      upper: {like: lower, place: {move: [0, 0, 30]}}\n"
    "      lid: {rigid_body: {box: [40, 40, 4]}, mass: 10 g, place: {move: [15, 15, 62]}}\n"
    "      ball: {rigid_body: {sphere: 5}, mass: 5 g, place: {move: [15, 15, 80]}}\n"
    "    attachments:\n"
    "      - {member: upper, to: lower, box: [[-1, -1, 29.9], [31, 31, 30.1]]}\n"
    "      - {member: upper, to: lid, plane: {point: [0, 0, 60], normal: [0, 0, 1]}}\n"
    "      - {member: lower, to: ball, points: [[3, 4, 12], [21, 5, 14], [7, 22, 16]]}\n"
    "    fix: {plane: {point: [0, 0, 0], normal: [0, 0, -1]}}\n"
    "effectors: {tip: {point: {body: limb, at: [15, 15, 60]}}}\n";

static void refuse_each_of(const char *text)
{
    char folder[] = "/tmp/lithe-allocation-XXXXXX", path[256], mesh[256];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
    snprintf(mesh, sizeof mesh, "%s/bar.vtk", folder);
    FILE *file = open_in(folder, "scene.yaml");
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    write_mesh(folder);
    long refused = refuse_each(build_scene, path);
    unlink(path);
    unlink(mesh);
    rmdir(folder);
    assert_true(refused > 20);
}

static void every_refused_request_of_reading_a_scene_is_reported_and_leaks_nothing(void **unused)
{
    (void)unused;
    refuse_each_of(scene_text);
    refuse_each_of(frames_text);
    refuse_each_of(members_text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_realtime_steps_allocate_nothing),
        cmocka_unit_test(converged_steps_and_threads_allocate_nothing),
        cmocka_unit_test(failing_steps_allocate_nothing),
        cmocka_unit_test(every_refused_request_of_compile_is_reported_and_leaks_nothing),
        cmocka_unit_test(every_refused_request_of_reading_a_scene_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
