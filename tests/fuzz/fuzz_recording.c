// A recording with some of its numbers changed, and all checksums made right: opened, gone on with
// and shown. The input is a list of changes, each of a dataset: which (1 byte), where (4), and up
// to 8 bytes with their count (1) before them.
#include "io/h5.h"
#include "io/recording.h"
#include "io/replay.h"
#include "scene/scene.h"
#include "step/outline.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char mesh[] = "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\n"
                           "POINTS 5 double\n0 0 0\n10 0 0\n0 10 0\n0 0 10\n8 8 8\n"
                           "CELLS 2 10\n4 0 1 2 3\n4 1 2 3 4\nCELL_TYPES 2\n10 10\n";
static const char text[] =
    "units: {length: mm, force: N, pressure: kPa}\n"
    "materials: {soft: {law: corotational, young: 100, poisson: 0.4, density: 1 g/cm^3}}\n"
    "bodies: {bar: {mesh: bar.vtk, material: soft, fix: {plane: {point: [0, 0, 0.1], normal: [0, "
    "0, "
    "-1]}}}}\n"
    "actuators: {pull: {cable: {body: bar, through: [[2, 2, 5]], pulled_from: [0, 0, -9]}}}\n"
    "effectors: {tip: {point: {body: bar, at: [8, 8, 8]}}}\n"
    "obstacles: {ball: {sphere: {center: [10, 10, 10], radius: 3.6}, friction: 0.3}}\n"
    "contacts: {max: 4}\ndynamics: {scheme: euler}\n"
    "step: {mode: realtime, dt: 10 ms}\n";

static const char *const name[] = {"checkpoints/state", "checkpoints/state", "checkpoints/state",
                                   "checkpoints/step",  "steps/step",        "steps/time",
                                   "steps/position",    "steps/effort",      "steps/value",
                                   "steps/obstacle",    "contacts",          "plan/kind",
                                   "plan/value",        "scene/text",        "scene/files/0"};
enum { NNAME = sizeof name / sizeof *name, STATE_HEAD = 32 };

static char folder[] = "/tmp/lithe-fuzz-XXXXXX", good[64], bad[64];
static unsigned char *bytes; // of the good one
static size_t nbytes;

static void insist(bool well)
{
    if (!well)
        abort();
}

static void write_file(const char *path, const void *what, size_t n)
{
    FILE *file = fopen(path, "wb");
    insist(file && fwrite(what, 1, n, file) == n);
    fclose(file);
}

static void record(const lithe_scene *scene, const lithe_model *model)
{
    lithe_state *state;
    recording *r;
    double zero[1] = {0};
    insist(lithe_state_create(model, 1, &state, NULL) == LITHE_OK);
    recording_setup setup = {.path = good,
                             .command = "run",
                             .scene = scene,
                             .model = model,
                             .checkpoint = 2,
                             .nstep = 9,
                             .plan_kind = zero,
                             .plan_value = zero};
    insist(recording_open(&setup, state, &r, NULL) == LITHE_OK);
    for (int k = 0; k < 5; k++) {
        recording_step step = {.step = k, .time = k * 0.01, .state = state};
        insist(recording_add(r, &step, NULL) == LITHE_OK);
        insist(lithe_step(model, state) == LITHE_OK);
    }
    insist(recording_commit(r, "{}", state, NULL) == LITHE_OK);
    lithe_state_free(state);
}

static void remove_folder(void)
{
    char path[64];
    unlink(good);
    unlink(bad);
    snprintf(path, sizeof path, "%s/bar.vtk", folder);
    unlink(path);
    rmdir(folder);
}

static void prepare(void)
{
    char path[64];
    lithe_scene *scene;
    lithe_model *model;
    signal(SIGPIPE, SIG_IGN);
    insist(mkdtemp(folder));
    snprintf(good, sizeof good, "%s/good.h5", folder);
    snprintf(bad, sizeof bad, "%s/bad.h5", folder);
    snprintf(path, sizeof path, "%s/bar.vtk", folder);
    atexit(remove_folder);
    write_file(path, mesh, sizeof mesh - 1);
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
    insist(lithe_scene_read_text(text, sizeof text - 1, path, 0, NULL, &scene, NULL) == LITHE_OK);
    insist(lithe_compile(lithe_scene_def(scene), &model, NULL) == LITHE_OK);
    record(scene, model);
    lithe_model_free(model);
    lithe_scene_free(scene);
    FILE *file = fopen(good, "rb");
    bytes = malloc(1 << 20);
    insist(file && bytes && (nbytes = fread(bytes, 1, 1 << 20, file)) > 0);
    fclose(file);
}

static void make_sums_right(unsigned char *states, size_t n, size_t lines)
{
    for (size_t k = 0; k < lines; k++) {
        unsigned char *state = states + k * (n / lines);
        uint64_t sum = 14695981039346656037u;
        for (size_t i = STATE_HEAD; i < n / lines; i++)
            sum = (sum ^ state[i]) * 1099511628211u;
        memcpy(state + STATE_HEAD - 8, &sum, sizeof sum);
    }
}

static void change(hid_t file, int which, size_t at, const uint8_t *with, size_t n)
{
    hid_t set = H5Dopen2(file, name[which], H5P_DEFAULT);
    hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    hsize_t size[3] = {1};
    H5Sget_simple_extent_dims(space, size, NULL);
    size_t whole = H5Tget_size(type) * (size_t)H5Sget_simple_extent_npoints(space);
    unsigned char *value = malloc(whole + 1);
    if (whole > n) {
        H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
        memcpy(value + at % (whole - n), with, n);
        if (strcmp(name[which], "checkpoints/state") == 0)
            make_sums_right(value, whole, size[0]);
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
    }
    free(value);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
}

static void change_all(const uint8_t *data, size_t size)
{
    write_file(bad, bytes, nbytes);
    hid_t file = H5Fopen(bad, H5F_ACC_RDWR, H5P_DEFAULT);
    insist(file >= 0);
    while (size >= 6) {
        uint32_t at;
        size_t n = data[5] % 9 < size - 6 ? data[5] % 9 : size - 6;
        memcpy(&at, data + 1, sizeof at);
        change(file, data[0] % NNAME, at, data + 6, n);
        data += 6 + n;
        size -= 6 + n;
    }
    H5Fclose(file);
}

static void show(const replay *r, const lithe_model *m)
{
    size_t rows = (size_t)lithe_nrow(m) + 1, nnode = (size_t)lithe_nnode(m);
    replay_line line = {.x = calloc(3 * nnode, sizeof(double)),
                        .effort = calloc(rows, sizeof(double)),
                        .displacement = calloc(rows, sizeof(double)),
                        .value = calloc(rows, sizeof(double)),
                        .target = calloc(rows, sizeof(double)),
                        .way =
                            calloc(LITHE_MOTION * (size_t)lithe_nobstacle(m) + 1, sizeof(double)),
                        .contact = calloc(6 * 8, sizeof(float)),
                        .contact_max = 8};
    for (int i = 0; i < replay_nline(r) && i < 5; i++)
        replay_read(r, m, i, &line, NULL);
    free(line.x);
    free(line.effort);
    free(line.displacement);
    free(line.value);
    free(line.target);
    free(line.way);
    free(line.contact);
}

static void go_on(const replay *r, const lithe_model *m)
{
    lithe_state *state;
    int found;
    if (lithe_state_create(m, 1, &state, NULL) != LITHE_OK)
        return;
    for (int step = 0; step < 6; step += 2)
        if (replay_load(r, m, step, state, &found, NULL) == LITHE_OK)
            lithe_step(m, state);
    lithe_state_free(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lithe_scene *scene;
    lithe_model *model;
    replay *r;
    if (!bytes)
        prepare();
    change_all(data, size < 200 ? size : 200);
    if (replay_open(bad, &r, NULL) != LITHE_OK)
        return 0;
    if (replay_model(r, 0, NULL, &scene, &model, NULL) == LITHE_OK) {
        go_on(r, model);
        show(r, model);
        lithe_model_free(model);
        lithe_scene_free(scene);
    }
    replay_close(r);
    return 0;
}
