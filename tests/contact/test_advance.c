// Safe shares of a way, against looking at many times along it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/advance.h"
#include "contact/world.h"
#include "sanitized.h"

enum { TIMES = 16 };

static int add_feature(stage *s, dice *d, int n, double size, double radius)
{
    double x[9], r[3] = {radius, radius, radius};
    int node[3] = {0, 1, 2};
    for (int i = 0; i < n; i++)
        dice_vector(d, size, &x[3 * i]);
    return stage_add(s,
                     (surface_source){.nnode = n,
                                      .x = x,
                                      .ntri = n == 3,
                                      .tri = node,
                                      .nsegment = n == 2,
                                      .segment = node,
                                      .npoint = n == 1,
                                      .point = node,
                                      .radius = r},
                     false);
}

// Least distance of two features of up to three points, at a share of the way.
static double distance_at(const stage *s, const double *end, int na, int nb, double share)
{
    double y[18], least = INFINITY;
    for (int i = 0; i < 3 * (na + nb); i++)
        y[i] = s->x[i] + share * (end[i] - s->x[i]);
    for (int side = 0; side < 2; side++) { // corners of one on the whole other
        int n = side ? nb : na, m = side ? na : nb;
        const double *own = side ? &y[3 * na] : y, *other = side ? y : &y[3 * na];
        for (int i = 0; i < n; i++) {
            const double *x[4] = {&own[3 * i], other, other + 3, other + 6};
            least = fmin(least, brute_distance(1, m, x));
        }
    }
    for (int i = 0; i < (na == 3 ? 3 : na - 1); i++) // edges on edges
        for (int j = 0; j < (nb == 3 ? 3 : nb - 1); j++) {
            const double *x[4] = {&y[3 * i], &y[3 * ((i + 1) % na)], &y[3 * (na + j)],
                                  &y[3 * (na + (j + 1) % nb)]};
            least = fmin(least, brute_distance(2, 2, x));
        }
    return least;
}

static double go(stage *s, const double *end, double keep, double least, advance_list *hits)
{
    advance_way way = {&s->positions, &s->end, keep, 0.1, least};
    int n;
    proximity_positions_at(&s->world, &s->positions, s->x, s->frame);
    proximity_positions_at(&s->world, &s->end, end, s->frame);
    double share = advance_safe(&s->world, &way, NULL, 1, NULL, NULL);
    double again;
    while (again = advance_safe(&s->world, &way, NULL, 1, hits, &n), n > hits->max)
        assert_int_equal(advance_reserve(hits, n), LITHE_OK);
    // The list changes nothing but that no pair is left out early.
    assert_true(fabs(again - share) <= 1e-12);
    for (int i = 0; i < n; i++)
        assert_true(hits->hit[i].share >= share && hits->hit[i].share < 1);
    assert_true(n > 0 || share == 1);
    return share;
}

static void nothing_passes_through_anything(void **state)
{
    (void)state;
    static const int kind[6][2] = {{1, 3}, {2, 2}, {3, 3}, {2, 3}, {1, 2}, {1, 1}};
    dice d = {1};
    int stopped = 0, free_way = 0, tight = 0, n = samples_of(900, 180);
    advance_list hits = {0};
    for (int c = 0; c < n; c++) {
        int na = kind[c % 6][0], nb = kind[c % 6][1];
        double thick = c % 12 < 6 ? 0 : 0.05, end[18], keep = 0.1, least = c % 5 ? 0 : 1e-3;
        if (na + nb < 4 && thick == 0)
            thick = 0.05; // points and segments meet only if they are thick
        stage *s = stage_create();
        add_feature(s, &d, na, 1, thick);
        add_feature(s, &d, nb, 1, thick);
        stage_match(s, (proximity_match){.first = 0, .second = 1});
        stage_ready(s);
        double spread = pow(10, dice_between(&d, -2, 0.5));
        for (int i = 0; i < 3 * (na + nb); i++)
            end[i] = (c % 2 && i < 3 * na ? -1 : 1) * s->x[i] + dice_between(&d, -spread, spread);
        double start = distance_at(s, end, na, nb, 0) - 2 * thick;
        if (start > 1e-3) {
            double share = go(s, end, keep, least, &hits);
            double floor = fmax(keep * fmin(start, 0.1), fmin(least, 0.9 * start));
            for (int i = 0; i <= TIMES; i++) {
                double now = distance_at(s, end, na, nb, share * i / TIMES) - 2 * thick;
                assert_true(now > floor - 1e-7);
            }
            stopped += share < 1;
            free_way += share == 1;
            if (share < 1 && hits.n == 1) { // and it is not held up without need
                double own = hits.hit[0].distance, room = fmin(own, 0.1);
                double now = distance_at(s, end, na, nb, share) - 2 * thick;
                floor = fmax(keep * room, fmin(least, 0.9 * own));
                assert_true(now < floor + 0.05 * (room - floor) + 1e-7);
                tight++;
            }
        }
        stage_free(s);
    }
    advance_list_free(&hits);
    assert_true(stopped > n / 8 && free_way > n / 8 && tight > n / 30);
}

// A vertex that slides along a face by a thousand times its distance gets there.
static void what_slides_is_not_held_up(void **state)
{
    (void)state;
    double floor_x[9] = {-10, -10, 0, 10, -10, 0, 0, 20, 0}, x[3] = {-3, 0, 1e-5};
    int node[3] = {0, 1, 2};
    stage *s = stage_create();
    stage_add(s, (surface_source){.nnode = 3, .x = floor_x, .ntri = 1, .tri = node}, false);
    stage_add(s, (surface_source){.nnode = 1, .x = x, .npoint = 1, .point = node}, false);
    stage_match(s, (proximity_match){.first = 0, .second = 1});
    stage_ready(s);
    double end[12];
    memcpy(end, s->x, sizeof end);
    end[9] += 6;
    advance_list hits = {0};
    assert_true(go(s, end, 0.1, 0, &hits) == 1);
    end[11] = 2e-5; // away
    assert_true(go(s, end, 0.1, 0, &hits) == 1);
    end[11] = -1; // through it: nine tenths of the distance, and then no farther
    double share = go(s, end, 0.1, 0, &hits);
    assert_true(share < 0.9e-5 && share > 0.85e-5);
    advance_list_free(&hits);
    stage_free(s);
}

// A triangle that rocks on a vertex, far more at its corners than the vertex is away: it gets
// there; and so does an edge on an edge, thick or not.
static void what_rocks_is_not_held_up(void **state)
{
    (void)state;
    dice d = {7};
    int reached[2] = {0, 0};
    for (int c = 0; c < 400; c++) {
        double radius = c % 4 < 2 ? 0 : 0.3, gap = pow(10, dice_between(&d, -9, -6)), end[15];
        double rock = 1e-4, rotation[3], x[3 * 5] = {0}, r[3] = {radius, radius, radius};
        int node[3] = {0, 1, 2}, face = c % 2, na = face ? 1 : 2, nb = face ? 3 : 2;
        double one[6] = {0, 0, 2 * radius + gap, 0, 0, 2 * radius + gap};
        one[1] = face ? 0 : -1;
        one[4] = 1;
        double other[9] = {-1, 0.1, 0, 1, -0.1, 0, 0.2, 1, 0};
        if (face) // the vertex is over the inside
            other[1] = other[4] = -0.6;
        stage *s = stage_create();
        surface_source from = {.nnode = na,
                               .x = one,
                               .nsegment = na == 2,
                               .segment = node,
                               .npoint = na == 1,
                               .point = node,
                               .radius = r};
        stage_add(s, from, false);
        from = (surface_source){.nnode = nb,
                                .x = other,
                                .ntri = nb == 3,
                                .tri = node,
                                .nsegment = nb == 2,
                                .segment = node,
                                .radius = r};
        stage_add(s, from, false);
        stage_match(s, (proximity_match){.first = 0, .second = 1});
        stage_ready(s);
        memcpy(x, s->x, sizeof x);
        memcpy(end, x, sizeof end);
        dice_vector(&d, rock, rotation);
        for (int i = na; i < na + nb; i++) { // about the nearest point, and away a little
            double way[3];
            vec_cross(way, rotation, &x[3 * i]);
            for (int k = 0; k < 3; k++)
                end[3 * i + k] += way[k] - (k == 2 ? 2 * rock * rock : 0);
        }
        advance_list hits = {0};
        double share = go(s, end, 0.1, 0, &hits);
        for (int i = 0; i <= TIMES; i++)
            assert_true(distance_at(s, end, na, nb, share * i / TIMES) - 2 * radius >
                        0.1 * gap - 2e-8);
        reached[face] += share == 1;
        advance_list_free(&hits);
        stage_free(s);
    }
    assert_true(reached[0] > 150 && reached[1] > 150);
}

static double box_distance(void *user, const double p[3])
{
    const contact_shape *box = user;
    double sum = 0, inside = -INFINITY;
    for (int k = 0; k < 3; k++) {
        double over = fabs(p[k]) - box->half[k];
        sum += over > 0 ? over * over : 0;
        inside = fmax(inside, over);
    }
    return inside > 0 ? sqrt(sum) : inside;
}

static double capsule_distance(void *user, const double p[3])
{
    const contact_shape *c = user;
    double z = fabs(p[2]) > c->half[2] ? fabs(p[2]) - c->half[2] : 0;
    return sqrt(p[0] * p[0] + p[1] * p[1] + z * z) - c->radius;
}

static double cylinder_distance(void *user, const double p[3])
{
    const contact_shape *c = user;
    brute_cylinder solid = {c->radius, c->half[2]};
    return brute_cylinder_distance(&solid, p);
}

static double plane_distance(void *user, const double p[3])
{
    (void)user;
    return p[2];
}

static double pipe_distance(void *user, const double p[3])
{
    const contact_shape *c = user;
    return c->radius - sqrt(p[0] * p[0] + p[1] * p[1]);
}

typedef double (*signed_distance)(void *user, const double p[3]);

// Least distance of a triangle from a solid in a frame. In a pipe it is at a corner.
static double triangle_from(const double *x, const contact_frame *at, contact_shape *shape,
                            signed_distance f)
{
    double q[3][3], least = INFINITY;
    const double *p[3] = {q[0], q[1], q[2]};
    for (int i = 0; i < 3; i++) {
        double e[3];
        vec_sub(e, &x[3 * i], at->at);
        for (int k = 0; k < 3; k++)
            q[i][k] = at->R[k] * e[0] + at->R[3 + k] * e[1] + at->R[6 + k] * e[2];
        least = fmin(least, f(shape, q[i]));
    }
    return shape->kind == SHAPE_PIPE ? least : brute_signed(3, p, f, shape);
}

// Obstacles that move and rotate, triangles that move too.
static void obstacles_on_their_way_pass_through_nothing(void **state)
{
    (void)state;
    contact_shape shape[6] = {{.kind = SHAPE_BOX, .half = {0.4, 0.3, 0.5}},
                              {.kind = SHAPE_CAPSULE, .radius = 0.2, .half = {0, 0, 0.5}},
                              {.kind = SHAPE_SPHERE, .radius = 0.4},
                              {.kind = SHAPE_CYLINDER, .radius = 0.3, .half = {0, 0, 0.4}},
                              {.kind = SHAPE_PLANE},
                              {.kind = SHAPE_PIPE, .radius = 1.2}};
    signed_distance f[6] = {box_distance,      capsule_distance, capsule_distance,
                            cylinder_distance, plane_distance,   pipe_distance};
    dice d = {3};
    int stopped[6] = {0}, free_way[6] = {0};
    advance_list hits = {0};
    for (int c = 0; c < 900; c++) {
        int k = c % 6, surface, round = shape[k].kind == SHAPE_CYLINDER || k > 3;
        double angle[2][3], spread = pow(10, dice_between(&d, -2, 0.3)), end[9], now[9];
        contact_frame from, to, between;
        dice_vector(&d, 3, angle[0]);
        for (int i = 0; i < 3; i++)
            angle[1][i] = angle[0][i] + (c % 4 ? dice_between(&d, -spread, spread) : 0);
        mat_from_angles(from.R, angle[0]);
        mat_from_angles(to.R, angle[1]);
        dice_vector(&d, k > 3 ? 0.3 : 1, from.at);
        for (int i = 0; i < 3; i++)
            to.at[i] = from.at[i] + dice_between(&d, -spread, spread);
        stage *s = stage_create();
        stage_obstacle(s, shape[k], from, &surface);
        int soft = add_feature(s, &d, 3, k > 3 ? 0.7 : 1, 0);
        stage_match(s,
                    (proximity_match){.first = soft, .second = round ? -1 : surface, .shape = 0});
        stage_ready(s);
        for (int i = 0; i < 9; i++)
            end[i] = s->x[i] + dice_between(&d, -spread, spread);
        double start = triangle_from(s->x, &from, &shape[k], f[k]);
        if (start > 1e-3) {
            advance_way way = {&s->positions, &s->end, 0.1, 0.1, 0};
            proximity_positions_at(&s->world, &s->positions, s->x, &from);
            proximity_positions_at(&s->world, &s->end, end, &to);
            double share = advance_safe(&s->world, &way, NULL, 1, NULL, NULL);
            for (int i = 0; i <= TIMES; i++) {
                double t = share * i / TIMES;
                for (int j = 0; j < 9; j++)
                    now[j] = s->x[j] + t * (end[j] - s->x[j]);
                advance_frame(&from, &to, t, &between);
                double distance = triangle_from(now, &between, &shape[k], f[k]);
                if (distance < 0.1 * fmin(start, 0.1) - 1e-7)
                    fail_msg("case %d, shape %d: %g at %g of %g, from %g", c, k, distance, t, share,
                             start);
            }
            stopped[k] += share < 1;
            free_way[k] += share == 1;
        }
        stage_free(s);
    }
    advance_list_free(&hits);
    for (int k = 0; k < 6; k++)
        assert_true(stopped[k] > 4 && free_way[k] > 10);
}

static void frames_go_evenly_from_start_to_end(void **state)
{
    (void)state;
    dice d = {4};
    for (int c = 0; c < 200; c++) {
        double angle[2][3];
        contact_frame from, to, at;
        for (int k = 0; k < 2; k++) {
            dice_vector(&d, 3, angle[k]);
            mat_from_angles(k ? to.R : from.R, angle[k]);
            dice_vector(&d, 1, k ? to.at : from.at);
        }
        if (c % 10 == 0) { // half a turn about an axis of its own
            memcpy(to.R, from.R, sizeof to.R);
            for (int i = 0; i < 3; i++)
                to.R[3 * i + c / 10 % 3] *= 1, to.R[3 * i + (c / 10 + 1) % 3] *= -1,
                    to.R[3 * i + (c / 10 + 2) % 3] *= -1;
        }
        for (int i = 0; i <= 10; i++) {
            advance_frame(&from, &to, 0.1 * i, &at);
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++)
                    assert_true(fabs(vec_dot(&at.R[3 * p], &at.R[3 * q]) - (p == q)) < 1e-9);
            for (int k = 0; k < 9; k++) {
                assert_true(i > 0 || fabs(at.R[k] - from.R[k]) < 1e-12);
                assert_true(i < 10 || fabs(at.R[k] - to.R[k]) < 1e-12);
            }
        }
        contact_frame last;
        advance_frame(&from, &to, 1 - 1e-12, &last); // no jump at the end
        for (int k = 0; k < 9; k++)
            assert_true(fabs(last.R[k] - to.R[k]) < 1e-6);
    }
}

// What overlaps at the start does not stop the rest.
static void overlaps_at_the_start_are_left_alone(void **state)
{
    (void)state;
    double x[3] = {0, 0, 0.1}, end[3] = {0, 0, 0.5}, r[1] = {0};
    int node[1] = {0}, surface;
    stage *s = stage_create();
    stage_obstacle(s, (contact_shape){.kind = SHAPE_SPHERE, .radius = 0.3}, stage_still, &surface);
    stage_add(s, (surface_source){.nnode = 1, .x = x, .npoint = 1, .point = node, .radius = r},
              false);
    stage_match(s, (proximity_match){.first = 1, .second = 0});
    stage_ready(s);
    advance_list hits = {0};
    assert_true(go(s, end, 0.1, 0, &hits) == 1);
    advance_list_free(&hits);
    stage_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_passes_through_anything),
        cmocka_unit_test(what_slides_is_not_held_up),
        cmocka_unit_test(what_rocks_is_not_held_up),
        cmocka_unit_test(obstacles_on_their_way_pass_through_nothing),
        cmocka_unit_test(frames_go_evenly_from_start_to_end),
        cmocka_unit_test(overlaps_at_the_start_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
