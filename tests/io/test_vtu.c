// A frame is written, read back with a decoder of its own, and compared with the state.
#include "io/folder.h"
#include "mesh/mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { NNODE = 5, NTET = 2, FRAME_ROOM = 1 << 16 };

static const double NODE[NNODE * 3] = {0, 0, 0, 30, 0, 0, 0, 30, 0, 0, 0, 30, 30, 30, 30};
static const int TET[NTET * 4] = {0, 1, 2, 3, 1, 2, 3, 4};

typedef struct fixture {
    char folder[PATH_ROOM];
    lithe_mesh *mesh;
    lithe_model *model;
    lithe_state *state;
    lithe_report report;
} fixture;

// Two tetrahedra that hang from a face under their own weight.
static void make_state(fixture *f)
{
    lithe_material_def material = lithe_material_def_default();
    material.name = "silicone";
    material.young = 5e4;
    material.poisson = 0.4;
    material.density = 1000;
    lithe_fix_def fix = lithe_fix_def_default();
    fix.where = (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, -1e-6}, .b = {1, 1, 1e-6}};
    lithe_body_def body = lithe_body_def_default();
    body.name = "robot";
    body.mesh = f->mesh;
    body.mesh_unit = 1e-3;
    body.material = "silicone";
    body.nfix = 1;
    body.fix = &fix;
    lithe_def def = lithe_def_default();
    def.gravity[2] = -9.81;
    def.nmaterial = 1;
    def.material = &material;
    def.nbody = 1;
    def.body = &body;
    assert_int_equal(lithe_compile(&def, &f->model, &f->report), LITHE_OK);
    assert_int_equal(lithe_state_create(f->model, 1, &f->state, &f->report), LITHE_OK);
    assert_int_equal(lithe_step(f->model, f->state), LITHE_OK);
}

static int enter(void **state)
{
    static fixture f;
    memset(&f, 0, sizeof f);
    *state = &f;
    f.report = lithe_report_default();
    folder_enter(f.folder);
    if (lithe_mesh_create(NNODE, NODE, NTET, TET, &f.mesh, &f.report) != LITHE_OK)
        return -1;
    make_state(&f);
    return 0;
}

static int leave(void **state)
{
    fixture *f = *state;
    folder_limit_files(RLIM_INFINITY);
    lithe_state_free(f->state);
    lithe_model_free(f->model);
    lithe_mesh_free(f->mesh);
    folder_leave(f->folder);
    return 0;
}

static const char *read_frame(fixture *f)
{
    static char text[FRAME_ROOM];
    assert_int_equal(lithe_write_vtu(f->model, f->state, "frame.vtu", &f->report), LITHE_OK);
    FILE *file = fopen("frame.vtu", "rb");
    assert_non_null(file);
    size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    return text;
}

static int sextet(char c)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digit, c) : NULL;
    return at ? (int)(at - digit) : -1;
}

// Decodes the array of that name; its own byte count must be `nbyte`.
static void read_array(const char *text, const char *name, void *data, size_t nbyte)
{
    char key[64];
    unsigned char byte[1024];
    size_t n = 0;
    snprintf(key, sizeof key, "Name=\"%s\"", name);
    const char *at = strstr(text, key);
    assert_non_null(at);
    at = strchr(at, '>') + 1;
    for (uint32_t bits = 0, have = 0; sextet(*at) >= 0; at++) {
        bits = bits << 6 | (uint32_t)sextet(*at);
        have += 6;
        if (have >= 8) {
            have -= 8;
            assert_true(n < sizeof byte);
            byte[n++] = (unsigned char)(bits >> have & 255);
        }
    }
    uint64_t count;
    assert_int_equal(n, nbyte + sizeof count);
    memcpy(&count, byte, sizeof count);
    assert_int_equal(count, nbyte);
    memcpy(data, byte + sizeof count, nbyte);
}

static void points_are_the_deformed_positions(void **state)
{
    fixture *f = *state;
    const char *text = read_frame(f);
    double x[NNODE * 3];
    double u[NNODE * 3];
    read_array(text, "Points", x, sizeof x);
    read_array(text, "displacement", u, sizeof u);
    assert_memory_equal(x, lithe_position(f->state), sizeof x);
    double largest = 0;
    for (int i = 0; i < NNODE * 3; i++) {
        assert_true(fabs(x[i] - u[i] - 1e-3 * NODE[i]) < 1e-15);
        largest = fmax(largest, fabs(u[i]));
    }
    assert_true(largest > 1e-6);
}

static void cells_are_the_tetrahedra(void **state)
{
    const char *text = read_frame(*state);
    int node[NTET * 4];
    int offset[NTET];
    unsigned char type[NTET];
    int label[NTET];
    read_array(text, "connectivity", node, sizeof node);
    read_array(text, "offsets", offset, sizeof offset);
    read_array(text, "types", type, sizeof type);
    assert_memory_equal(node, TET, sizeof node);
    for (int e = 0; e < NTET; e++) {
        assert_int_equal(offset[e], 4 * (e + 1));
        assert_int_equal(type[e], 10);
    }
    read_array(text, "material", label, sizeof label);
    assert_int_equal(label[0] | label[1], 0);
    read_array(text, "body", label, sizeof label);
    assert_int_equal(label[0] | label[1], 0);
}

static void a_loaded_element_has_energy_and_stress(void **state)
{
    const char *text = read_frame(*state);
    double energy[NTET];
    double stress[NTET];
    read_array(text, "strain_energy_density", energy, sizeof energy);
    read_array(text, "von_mises", stress, sizeof stress);
    for (int e = 0; e < NTET; e++) {
        assert_true(energy[e] > 0 && isfinite(energy[e]));
        assert_true(stress[e] > 0 && isfinite(stress[e]));
    }
}

static void a_frame_reads_back_as_a_mesh(void **state)
{
    fixture *f = *state;
    lithe_mesh *copy;
    read_frame(f);
    assert_int_equal(lithe_mesh_read("frame.vtu", &copy, &f->report), LITHE_OK);
    assert_int_equal(copy->nnode, NNODE);
    assert_int_equal(copy->ntet, NTET);
    assert_memory_equal(copy->x, lithe_position(f->state), NNODE * 3 * sizeof(double));
    assert_memory_equal(copy->tet, TET, sizeof TET);
    lithe_mesh_free(copy);
}

static void a_frame_on_a_full_disk_fails_and_is_removed(void **state)
{
    fixture *f = *state;
    folder_limit_files(100);
    assert_int_equal(lithe_write_vtu(f->model, f->state, "frame.vtu", &f->report), LITHE_IO);
    assert_non_null(strstr(f->report.error, "'frame.vtu'"));
    assert_int_equal(folder_count("."), 0);
}

static void a_frame_in_a_missing_folder_says_which(void **state)
{
    fixture *f = *state;
    assert_int_equal(lithe_write_vtu(f->model, f->state, "no/frame.vtu", &f->report), LITHE_IO);
    assert_non_null(strstr(f->report.error, "'no/frame.vtu'"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(points_are_the_deformed_positions),
        TEST(cells_are_the_tetrahedra),
        TEST(a_loaded_element_has_energy_and_stress),
        TEST(a_frame_reads_back_as_a_mesh),
        TEST(a_frame_on_a_full_disk_fails_and_is_removed),
        TEST(a_frame_in_a_missing_folder_says_which),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
