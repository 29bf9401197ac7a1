// What is drawn of a robot, and what browsers say about it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"
#include "io/message.h"
#include "io/stream.h"
#include "mesh/surface.h"
#include "robot.h"

typedef struct fixture {
    robot robot;
    drawing drawing;
} fixture;

static void make(fixture *f, bool hollow)
{
    robot_begin(&f->robot, hollow);
    add_cable(&f->robot, "east", 0.008);
    if (hollow)
        add_cavity(&f->robot);
    robot_compile(&f->robot);
    assert_int_equal(drawing_create(f->robot.model, &f->drawing, &f->robot.report), LITHE_OK);
}

static void unmake(fixture *f)
{
    drawing_free(&f->drawing);
    robot_end(&f->robot);
}

// Enclosed volume, by the divergence theorem: right only if all triangles are there, once, and
// look outwards.
static double enclosed(const drawing *d, const float *x)
{
    double sum = 0;
    for (int t = 0; t < d->skin.ntri; t++) {
        double p[3][3];
        for (int k = 0; k < 3; k++)
            for (int axis = 0; axis < 3; axis++)
                p[k][axis] = x[3 * d->skin.tri[3 * t + k] + axis];
        sum += vec_triple(p[0], p[1], p[2]) / 6;
    }
    return sum;
}

static void the_skin_encloses_the_volume_of_the_material(void **state)
{
    (void)state;
    for (int hollow = 0; hollow < 2; hollow++) {
        fixture f;
        make(&f, hollow);
        float *x = malloc(3 * (size_t)f.drawing.skin.nvertex * sizeof *x);
        assert_ptr_equal(drawing_vertices(&f.drawing, f.robot.state, x),
                         x + 3 * (size_t)f.drawing.skin.nvertex);
        lithe_body_info info;
        assert_int_equal(lithe_body_get(f.robot.model, 0, &info), LITHE_OK);
        double volume = info.volume;
        assert_true(fabs(enclosed(&f.drawing, x) - volume) < 1e-5 * volume);
        free(x);
        unmake(&f);
    }
}

static void every_edge_of_the_skin_has_two_triangles(void **state)
{
    (void)state;
    fixture f;
    bool closed = false;
    int edge[2];
    make(&f, true);
    assert_int_equal(surface_is_closed(f.drawing.skin.ntri, f.drawing.skin.tri, &closed, edge),
                     LITHE_OK);
    assert_true(closed);
    unmake(&f);
}

static void a_cavity_is_part_of_the_skin(void **state)
{
    (void)state;
    fixture f;
    make(&f, true);
    const drawing *d = &f.drawing;
    assert_int_equal(d->ncavity, 1);
    assert_true(d->cavity[0].n > 0 && d->cavity[0].n < d->skin.ntri);
    for (int i = 0; i < 3 * d->ncavity_tri; i++)
        assert_in_range(d->cavity_tri[i], 0, d->skin.nvertex - 1);
    unmake(&f);
}

static void a_marker_goes_where_its_rows_are_aimed(void **state)
{
    (void)state;
    fixture f;
    float position[3], aim[3];
    double target[8], wanted[3] = {0.004, -0.003, 0.095};
    make(&f, false);
    assert_int_equal(f.drawing.nmarker, 1);
    const drawing_marker *k = &f.drawing.marker[0];
    drawing_markers(&f.drawing, f.robot.state, position);
    assert_true(fabs(position[2] - 0.1) < 1e-6);
    drawing_aim(&f.drawing, 0, wanted, target + k->row);
    drawing_targets(&f.drawing, f.robot.state, lithe_row_values(f.robot.state), target, aim);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(aim[i] - wanted[i]) < 1e-8);
    unmake(&f);
}

static void a_frame_fills_its_bytes_to_the_last(void **state)
{
    (void)state;
    for (int fields = 0; fields < 4; fields++) {
        fixture f;
        double zero[8] = {0};
        make(&f, true);
        size_t bytes = stream_frame_bytes(&f.drawing, fields, 0);
        unsigned char *sent = malloc(bytes + 1);
        memset(sent, 0xa5, bytes + 1);
        stream_frame frame = {.fields = fields,
                              .step = 7,
                              .effort = zero,
                              .displacement = zero,
                              .value = lithe_row_values(f.robot.state),
                              .target = zero,
                              .state = f.robot.state};
        stream_write_frame(&f.drawing, &frame, sent);
        double off; // of a reduced robot alone
        memcpy(&off, sent + 64, sizeof off);
        assert_true(isnan(off));
        assert_int_equal(sent[0], STREAM_FRAME);
        assert_int_equal(sent[bytes], 0xa5);
        assert_memory_not_equal(sent + bytes - 4, "\xa5\xa5\xa5\xa5", 4);
        free(sent);
        unmake(&f);
    }
}

// An arm on a hinge that leans on its stop, with a spring to the world.
static const char arm[] =
    "units: {length: mm, mass: g, angle: deg, force: N}\n"
    "gravity: [0, 0, -9.81 m/s^2]\n"
    "bodies:\n"
    "  arm: {rigid_body: {box: [80, 10, 10]}, mass: 50, place: {move: [40, 0, 0]}}\n"
    "joints:\n"
    "  pivot: {kind: hinge, body: arm, at: [0, 0, 0], axis: [0, 1, 0], angle: {limits: [-170, "
    "130]}}\n"
    "actuators:\n"
    "  motor: {motor: {joint: pivot}, command: {torque: 100 N.mm}}\n"
    "  string: {spring: {body: arm, from: [80, 0, 5], to: {world: [0, 50, 0]}, stiffness: 0.1 "
    "N/m}}\n";

static void what_a_rigid_body_carries_is_drawn_from_positions_alone(void **state)
{
    (void)state;
    lithe_report report = lithe_report_default();
    lithe_scene *scene = NULL;
    lithe_model *model = NULL;
    lithe_state *moved = NULL, *shown = NULL;
    drawing d;
    double torque = 0.1;
    assert_int_equal(
        lithe_scene_read_text(arm, sizeof arm - 1, "arm.yaml", 0, NULL, &scene, &report), LITHE_OK);
    assert_int_equal(lithe_compile(lithe_scene_def(scene), &model, &report), LITHE_OK);
    assert_int_equal(lithe_state_create(model, 1, &moved, &report), LITHE_OK);
    assert_int_equal(lithe_state_create(model, 1, &shown, &report), LITHE_OK);
    assert_int_equal(drawing_create(model, &d, &report), LITHE_OK);
    assert_int_equal(d.npoint, 2);
    float line[2][6], joint[2][DRAWING_JOINT];
    assert_ptr_equal(drawing_joints(&d, moved, joint[0]), joint[0] + DRAWING_JOINT);
    assert_true(joint[0][6] == 0);
    assert_int_equal(lithe_command(model, moved, 0, LITHE_EFFORT, &torque), LITHE_OK);
    for (int k = 0; k < 20; k++)
        assert_int_equal(lithe_step(model, moved), LITHE_OK);
    lithe_joint_info info;
    assert_int_equal(lithe_joint_get(model, moved, 0, &info), LITHE_OK);
    assert_true(info.at_limit && fabs(info.angle - 130 * M_PI / 180) < 1e-6);
    lithe_show_position(model, shown, lithe_position(moved));
    for (int k = 0; k < 2; k++) {
        drawing_lines(&d, k ? shown : moved, line[k]);
        drawing_joints(&d, k ? shown : moved, joint[k]);
    }
    const double angle = 130 * M_PI / 180; // about y, from x to -z
    const double tip[3] = {0.08 * cos(angle) + 0.005 * sin(angle), 0,
                           0.005 * cos(angle) - 0.08 * sin(angle)};
    const double pivot[DRAWING_JOINT] = {0, 0, 0, 0, 1, 0, 1};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 3; i++)
            assert_true(fabs(line[k][i] - tip[i]) < 1e-6);
        for (int i = 0; i < DRAWING_JOINT; i++)
            assert_true(fabs(joint[k][i] - pivot[i]) < 1e-6);
    }
    drawing_free(&d);
    lithe_state_free(moved);
    lithe_state_free(shown);
    lithe_model_free(model);
    lithe_scene_free(scene);
}

static void pack(unsigned char out[MESSAGE_BYTES], int type, int kind, uint32_t number,
                 const double value[3])
{
    memset(out, 0, MESSAGE_BYTES);
    out[0] = (unsigned char)type;
    out[1] = (unsigned char)kind;
    memcpy(out + 4, &number, sizeof number);
    memcpy(out + 8, value, 3 * sizeof *value);
}

static void a_message_is_read_as_it_was_written(void **state)
{
    (void)state;
    unsigned char bytes[MESSAGE_BYTES];
    message m;
    pack(bytes, MESSAGE_COMMAND, 1, 3, (double[]){0.25, -1, 4});
    assert_true(message_parse(bytes, sizeof bytes, &m));
    assert_int_equal(m.type, MESSAGE_COMMAND);
    assert_int_equal(m.kind, 1);
    assert_int_equal(m.number, 3);
    assert_true(m.value[0] == 0.25 && m.value[1] == -1 && m.value[2] == 4);
}

static void what_is_no_message_is_refused(void **state)
{
    (void)state;
    static const double none[3], bad[3] = {NAN, 0, 0}, some[3] = {1, 0, 0};
    unsigned char bytes[MESSAGE_BYTES + 1] = {0};
    message m;
    pack(bytes, MESSAGE_DRIVE, 0, 0, none);
    assert_true(message_parse(bytes, MESSAGE_BYTES, &m));
    assert_false(message_parse(bytes, MESSAGE_BYTES - 1, &m));
    assert_false(message_parse(bytes, MESSAGE_BYTES + 1, &m));
    assert_false(message_parse(bytes, 0, &m));
    bytes[2] = 1;
    assert_false(message_parse(bytes, MESSAGE_BYTES, &m));
    int wrong_type[] = {0, MESSAGE_BODY + 1, 255};
    for (int i = 0; i < 3; i++) {
        pack(bytes, wrong_type[i], 0, 0, none);
        assert_false(message_parse(bytes, MESSAGE_BYTES, &m));
    }
    pack(bytes, MESSAGE_TARGET, 0, 0, bad);
    assert_false(message_parse(bytes, MESSAGE_BYTES, &m));
    pack(bytes, MESSAGE_DRIVE, 0, 0, some); // a value where none belongs
    assert_false(message_parse(bytes, MESSAGE_BYTES, &m));
    pack(bytes, MESSAGE_PLAY, 0, MESSAGE_RESET + 1, none);
    assert_false(message_parse(bytes, MESSAGE_BYTES, &m));
    pack(bytes, MESSAGE_COMMAND, 2, 0, none);
    assert_false(message_parse(bytes, MESSAGE_BYTES, &m));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_skin_encloses_the_volume_of_the_material),
        cmocka_unit_test(every_edge_of_the_skin_has_two_triangles),
        cmocka_unit_test(a_cavity_is_part_of_the_skin),
        cmocka_unit_test(a_marker_goes_where_its_rows_are_aimed),
        cmocka_unit_test(a_frame_fills_its_bytes_to_the_last),
        cmocka_unit_test(what_a_rigid_body_carries_is_drawn_from_positions_alone),
        cmocka_unit_test(a_message_is_read_as_it_was_written),
        cmocka_unit_test(what_is_no_message_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
