#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/stage.h"

// Two balls whose nodes are pushed about at random, one a little in the other, turned at random.
static scene *rough_balls(unsigned *seed)
{
    scene *s = scene_create();
    shell *lower = sphere_of(6, 0, 0, 0, 1), *upper = sphere_of(5, 0, 0, 0, 1);
    double angle[3] = {6 * uniform(seed), 6 * uniform(seed), 6 * uniform(seed)}, R[9], p[3];
    double way[3] = {uniform(seed) - 0.5, uniform(seed) - 0.5, uniform(seed) - 0.5};
    vec_scale(way, 1.93 / vec_norm(way));
    mat_from_angles(R, angle);
    for (int i = 0; i < upper->nnode; i++) {
        mat_apply(p, R, &upper->x[3 * i]);
        for (int k = 0; k < 3; k++)
            upper->x[3 * i + k] = p[k] + way[k];
    }
    scene_add(s, lower, false);
    scene_add(s, upper, false);
    for (int i = 0; i < 3 * s->nnode; i++)
        s->x[i] += 0.02 * (uniform(seed) - 0.5);
    s->pair.second = 1;
    free(lower);
    free(upper);
    return s;
}

// Two bars on their edges, crossed.
static scene *crossed_bars(unsigned *seed)
{
    scene *s = scene_create();
    shell *lower = box_of(1, 0, 0, 0, 1), *upper = box_of(1, 0, 0, 0, 1);
    for (int i = 0; i < lower->nnode; i++) {
        double *p = &lower->x[3 * i], *q = &upper->x[3 * i];
        double y = p[1], z = p[2], a = q[0], b = q[2];
        p[0] *= 3;
        p[1] = (y + z) / sqrt(2);
        p[2] = (z - y) / sqrt(2);
        q[1] *= 3;
        q[0] = (a + b) / sqrt(2);
        q[2] = (b - a) / sqrt(2) + 2 * sqrt(2) - 0.01;
    }
    scene_add(s, lower, false);
    scene_add(s, upper, false);
    for (int i = 0; i < 3 * s->nnode; i++)
        s->x[i] += 0.05 * (uniform(seed) - 0.5);
    s->pair.second = 1;
    free(lower);
    free(upper);
    return s;
}

typedef scene *(*maker)(unsigned *seed);

// Runs a check over every contact that has a form, at ten random poses of each kind. Returns how
// many there were of each form.
static void at_random_poses(void (*check)(scene *s, int contact, unsigned *seed), int count[3])
{
    const maker makers[] = {rough_balls, crossed_bars};
    unsigned seed = 7;
    memset(count, 0, 3 * sizeof *count);
    for (int trial = 0; trial < 20; trial++) {
        scene *s = makers[trial % 2](&seed);
        scene_detect(s, 4000);
        for (int i = 0; i < s->list.n; i++) {
            count[s->list.contact[i].form]++;
            if (s->list.contact[i].form != CONTACT_LINE)
                check(s, i, &seed);
        }
        scene_free(s);
    }
}

static void sums_vanish(scene *s, int i, unsigned *seed)
{
    const contact *c = &s->list.contact[i];
    double force[3] = {0, 0, 0}, moment[3] = {0, 0, 0}, arm[3];
    (void)seed;
    for (int k = 0; k < c->n; k++) {
        const contact_entry *e = &s->list.entry[c->adr + k];
        vec_axpy(force, 1, e->H);
        vec_cross(arm, &s->x[3 * e->node], e->H);
        vec_axpy(moment, 1, arm);
    }
    NEAR(vec_norm(force), 0, 1e-12);
    NEAR(vec_norm(moment), 0, 1e-12);
}

static void action_is_reaction_in_force_and_moment(void **state)
{
    (void)state;
    int count[3];
    at_random_poses(sums_vanish, count);
    assert_true(count[CONTACT_FACE] > 50 && count[CONTACT_EDGES] >= 5);
}

// What is found is where its form says it is.
static void stays(scene *s, int i, unsigned *seed)
{
    contact c = s->list.contact[i];
    contact_entry entry[4];
    contact_place at = {s->x, &s->at, s->pose};
    (void)seed;
    assert_true(contact_follow(&s->world, &c, entry, &at));
    const contact *found = &s->list.contact[i];
    NEAR(c.gap, found->gap, 1e-12);
    assert_int_equal(c.n, found->n);
    for (int k = 0; k < c.n; k++) {
        assert_int_equal(entry[k].node, s->list.entry[found->adr + k].node);
        NEAR(vec_distance(entry[k].H, s->list.entry[found->adr + k].H), 0, 1e-12);
    }
    NEAR(vec_distance(c.at, found->at), 0, 1e-12);
    NEAR(contact_beside(&s->world, &c, &at), 0, 2 * CONTACT_CLOSE * s->pair.alarm);
    assert_true(contact_holds(&s->world, &s->poses, &c));
}

static void a_contact_found_is_where_its_features_are(void **state)
{
    (void)state;
    int count[3];
    at_random_poses(stays, count);
}

// gap(x + dx) against gap + H dx + dx' B dx / 2, which is off by the third order.
static double series_error(scene *s, const contact *c, const contact_entry *entry,
                           const contact_bend *bend, double dx[4][3], double h)
{
    double expected = c->gap, gap, turned = 0;
    contact_place at = {s->x, &s->at, s->pose};
    for (int k = 0; k < c->n; k++) {
        expected += h * vec_dot(entry[k].H, dx[k]);
        vec_axpy(&s->x[3 * entry[k].node], h, dx[k]);
    }
    for (int t = 0; t < 2; t++) {
        double slide = 0, turn = 0;
        for (int k = 0; k < c->n; k++) {
            slide += h * vec_dot(bend->slide[t][k], dx[k]);
            turn += h * vec_dot(bend->turn[t][k], dx[k]);
        }
        expected -= slide * turn;
        turned += turn * turn;
    }
    assert_true(contact_gap(&s->world, c, &at, &gap));
    for (int k = 0; k < c->n; k++)
        vec_axpy(&s->x[3 * entry[k].node], -h, dx[k]);
    // of faces, whose directions are at right angles, the part that is left out is known too
    if (c->form == CONTACT_FACE)
        expected -= 0.5 * c->gap * turned;
    return gap - expected;
}

static void bends_as_told(scene *s, int i, unsigned *seed)
{
    const contact_place at = {s->x, &s->at, s->pose};
    contact c = s->list.contact[i];
    contact_entry entry[4];
    contact_bend bend;
    double dx[4][3];
    for (int k = 0; k < 12; k++)
        dx[k / 3][k % 3] = uniform(seed) - 0.5;
    contact_follow(&s->world, &c, entry, &at);
    assert_true(contact_bends(&s->world, &c, &at, &bend));
    double coarse = fabs(series_error(s, &c, entry, &bend, dx, 2e-3)),
           fine = fabs(series_error(s, &c, entry, &bend, dx, 1e-3));
    double second = c.form == CONTACT_EDGES ? fabs(c.gap) * 1e-6 : 0; // left out
    assert_true(fine <= 0.2 * coarse + 1e-11 + 5 * second);
}

static void gaps_follow_their_gradient_and_their_second_derivative(void **state)
{
    (void)state;
    int count[3];
    at_random_poses(bends_as_told, count);
    assert_true(count[CONTACT_FACE] > 50 && count[CONTACT_EDGES] >= 5);
}

// A plane that a vertex has slid off, over a ridge, is no condition any more; across a valley it
// is.
static void a_face_holds_across_a_valley_and_not_across_a_ridge(void **state)
{
    (void)state;
    for (int valley = 0; valley < 2; valley++) {
        scene *s = scene_create();
        shell *point = sphere_of(2, 0, 0, 0, 0.1), *roof = calloc(1, sizeof *roof);
        double slope = valley ? 0.2 : -0.2;
        int v[6] = {shell_node(roof, -1, -1, slope), shell_node(roof, 0, -1, 0),
                    shell_node(roof, 1, -1, slope),  shell_node(roof, -1, 1, slope),
                    shell_node(roof, 0, 1, 0),       shell_node(roof, 1, 1, slope)};
        int tri[12] = {v[0], v[1], v[4], v[0], v[4], v[3], v[1], v[2], v[5], v[1], v[5], v[4]};
        memcpy(roof->tri, tri, sizeof tri);
        roof->ntri = 4;
        scene_add(s, point, false);
        scene_add(s, roof, true);
        s->pair.second = 1;
        int lowest = 0;
        for (int i = 0; i < s->skin[0].nvertex; i++)
            lowest = s->x[3 * i + 2] < s->x[3 * lowest + 2] ? i : lowest;
        for (int side = -1; side <= 1; side += 2) { // the face is on the left
            double to[3] = {0.1 * side, -0.5, 0.1 * slope + 1e-3};
            double way[3];
            vec_sub(way, to, &s->x[3 * lowest]);
            for (int i = 0; i < s->nnode; i++)
                vec_axpy(&s->x[3 * i], 1, way);
            scene_detect(s, 4000);
            contact c = {.form = CONTACT_FACE, .feature = {lowest, 0}};
            assert_int_equal(contact_holds(&s->world, &s->poses, &c), valley || side < 0);
        }
        free(point);
        free(roof);
        scene_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(action_is_reaction_in_force_and_moment),
        cmocka_unit_test(a_contact_found_is_where_its_features_are),
        cmocka_unit_test(gaps_follow_their_gradient_and_their_second_derivative),
        cmocka_unit_test(a_face_holds_across_a_valley_and_not_across_a_ridge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
