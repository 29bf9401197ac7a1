// Every pair within reach is found, once, whatever is named first; against a search over all pairs
// that shares nothing with it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/advance.h"
#include "contact/world.h"

#define BAND 1e-6 // this near the reach either answer is right

// What a pair is, without its id.
typedef struct named {
    pair_kind kind;
    int surface[2], feature[2];
} named;

static bool is_found(const stage *s, named what)
{
    int count = 0;
    for (int i = 0; i < s->list.n; i++) {
        const proximity_pair *p = &s->list.pair[i];
        bool same = true, swapped = p->kind == PAIR_EDGE_EDGE || p->kind == PAIR_VERTEX_VERTEX;
        for (int k = 0; k < 2; k++) {
            same = same && p->surface[k] == what.surface[k] && p->feature[k] == what.feature[k];
            swapped =
                swapped && p->surface[k] == what.surface[!k] && p->feature[k] == what.feature[!k];
        }
        count += p->kind == what.kind && (same || swapped);
    }
    assert_true(count <= 1); // never twice
    return count == 1;
}

// The vertices of a feature of a surface, and how thick it is.
typedef struct feature {
    int n;
    const int *vertex;
    double thick;
} feature;

static feature feature_of(const contact_surface *s, int n, const int *vertex)
{
    feature f = {n, vertex, 0};
    for (int i = 0; i < n; i++)
        f.thick = fmax(f.thick, s->radius[vertex[i]]);
    return f;
}

static bool share_vertex(feature a, feature b)
{
    for (int i = 0; i < a.n; i++)
        for (int j = 0; j < b.n; j++)
            if (a.vertex[i] == b.vertex[j])
                return true;
    return false;
}

// 1: within reach, 0: not, -1: nobody can say
static int within(const stage *s, int sa, feature a, int sb, feature b, double reach)
{
    const double *x[6];
    double limit = reach + a.thick + b.thick, low[3], high[3];
    for (int i = 0; i < a.n; i++)
        x[i] = &s->positions.x[3 * (s->world.vertex_adr[sa] + a.vertex[i])];
    for (int i = 0; i < b.n; i++)
        x[a.n + i] = &s->positions.x[3 * (s->world.vertex_adr[sb] + b.vertex[i])];
    for (int k = 0; k < 3; k++) { // far apart along an axis
        low[0] = low[1] = INFINITY;
        high[0] = high[1] = -INFINITY;
        for (int i = 0; i < a.n + b.n; i++) {
            low[i >= a.n] = fmin(low[i >= a.n], x[i][k]);
            high[i >= a.n] = fmax(high[i >= a.n], x[i][k]);
        }
        if (low[0] - high[1] > limit || low[1] - high[0] > limit)
            return 0;
    }
    double d = brute_distance(a.n, b.n, x);
    return fabs(d - limit) < BAND ? -1 : d < limit;
}

static int check(const stage *s, named what, int sa, feature a, int sb, feature b, double reach)
{
    if (sa == sb && share_vertex(a, b))
        return is_found(s, what) ? 1000000 : 0;
    int in = within(s, sa, a, sb, b, reach);
    bool found = is_found(s, what);
    if (in >= 0 && found != in)
        fail_msg("kind %d, surfaces %d %d, features %d %d: %s", what.kind, sa, sb, what.feature[0],
                 what.feature[1], found ? "found, but far" : "near, but not found");
    return found;
}

static bool is_sharp(const contact_surface *s, int e)
{
    return !s->flat[e];
}

// Vertices of one on the cells of the other.
static int check_vertices(const stage *s, int sa, int sb, double reach)
{
    const contact_surface *a = &s->surface[sa], *b = &s->surface[sb];
    int n = 0;
    for (int v = 0; v < a->nvertex; v++) {
        feature p = feature_of(a, 1, &v);
        bool flat = a->frame >= 0; // with nothing but flat edges around it
        for (int e = 0; e < a->nedge; e++)
            if ((a->edge[4 * e] == v || a->edge[4 * e + 1] == v) && is_sharp(a, e))
                flat = false;
        if (flat && a->ntri > 0)
            continue;
        for (int t = 0; t < b->ntri; t++)
            n += check(s, (named){PAIR_VERTEX_FACE, {sa, sb}, {v, t}}, sa, p, sb,
                       feature_of(b, 3, &b->tri[3 * t]), reach);
        for (int e = 0; e < b->nedge; e++)
            if (b->edge[4 * e + 2] < 0)
                n += check(s, (named){PAIR_VERTEX_EDGE, {sa, sb}, {v, e}}, sa, p, sb,
                           feature_of(b, 2, &b->edge[4 * e]), reach);
    }
    return n;
}

static int check_edges(const stage *s, int sa, int sb, double reach)
{
    const contact_surface *a = &s->surface[sa], *b = &s->surface[sb];
    int n = 0;
    for (int e = 0; e < a->nedge; e++)
        for (int f = sa == sb ? e + 1 : 0; f < b->nedge; f++)
            if (is_sharp(a, e) && is_sharp(b, f))
                n += check(s, (named){PAIR_EDGE_EDGE, {sa, sb}, {e, f}}, sa,
                           feature_of(a, 2, &a->edge[4 * e]), sb, feature_of(b, 2, &b->edge[4 * f]),
                           reach);
    return n;
}

static int check_all(const stage *s, int sa, int sb, double reach)
{
    int n = check_vertices(s, sa, sb, reach) + check_edges(s, sa, sb, reach);
    return sa == sb ? n : n + check_vertices(s, sb, sa, reach);
}

static void two_bodies_meet_in_all_their_pairs(void **state)
{
    (void)state;
    dice d = {1};
    int found = 0;
    for (int c = 0; c < 12; c++) {
        double at[3], origin[3] = {0, 0, 0};
        dice_vector(&d, 1.5, at);
        crate *one = crate_create(&d, 3, origin, 1, 0.1), *two = crate_create(&d, 2, at, 0.8, 0.1);
        stage *s = stage_create();
        stage_crate(s, one, false, -1);
        stage_crate(s, two, false, -1);
        stage_match(s, (proximity_match){.first = c % 2, .second = !(c % 2)});
        stage_ready(s);
        double reach = dice_between(&d, 0.02, 0.3);
        int n = stage_find(s, reach);
        assert_int_equal(check_all(s, 0, 1, reach), n);
        found += n;
        free(one);
        free(two);
        stage_free(s);
    }
    assert_true(found > 500);
}

static void a_body_meets_itself_but_not_its_neighbours(void **state)
{
    (void)state;
    dice d = {2};
    int found = 0;
    for (int c = 0; c < 6; c++) {
        double origin[3] = {0, 0, 0};
        crate *one = crate_create(&d, 3, origin, 0.3, 0.25); // a tangle
        stage *s = stage_create();
        stage_crate(s, one, false, -1);
        stage_match(s, (proximity_match){.first = 0, .second = 0, .self = true});
        stage_ready(s);
        int n = stage_find(s, 0.05);
        assert_int_equal(check_all(s, 0, 0, 0.05), n);
        found += n;
        free(one);
        stage_free(s);
    }
    assert_true(found > 100);
}

static contact_frame random_frame(dice *d, double spread)
{
    contact_frame at;
    double angle[3];
    dice_vector(d, 3, angle);
    mat_from_angles(at.R, angle);
    dice_vector(d, spread, at.at);
    return at;
}

static void boxes_spheres_and_capsules_are_met_completely(void **state)
{
    (void)state;
    dice d = {3};
    const contact_shape shape[3] = {{.kind = SHAPE_BOX, .half = {0.5, 0.3, 0.7}},
                                    {.kind = SHAPE_SPHERE, .radius = 0.6},
                                    {.kind = SHAPE_CAPSULE, .radius = 0.3, .half = {0, 0, 0.6}}};
    int found[3] = {0};
    for (int c = 0; c < 18; c++) {
        double origin[3] = {0, 0, 0};
        crate *one = crate_create(&d, 3, origin, 1, 0.1);
        stage *s = stage_create();
        int rigid;
        stage_obstacle(s, shape[c % 3], random_frame(&d, 1.5), &rigid);
        int soft = stage_crate(s, one, false, -1);
        stage_match(s, (proximity_match){.first = soft, .second = rigid});
        stage_ready(s);
        int n = stage_find(s, 0.2);
        if (c % 3 == 1) { // a point: only on faces
            int all = check_vertices(s, rigid, soft, 0.2);
            assert_int_equal(all, n);
        } else {
            assert_int_equal(check_all(s, rigid, soft, 0.2), n);
        }
        found[c % 3] += n;
        free(one);
        stage_free(s);
    }
    assert_true(found[0] > 50 && found[1] > 50 && found[2] > 50);
}

// Rods of random walks, thick, with a crate and with each other.
static void rods_meet_bodies_and_rods(void **state)
{
    (void)state;
    enum { N = 20 };
    dice d = {4};
    int found = 0;
    for (int c = 0; c < 8; c++) {
        double origin[3] = {0, 0, 0}, x[3 * N], radius[N];
        int segment[2 * N];
        crate *one = crate_create(&d, 2, origin, 1, 0.1);
        stage *s = stage_create();
        for (int rod = 0; rod < 2; rod++) {
            for (int i = 0; i < N; i++) {
                radius[i] = 0.1;
                dice_vector(&d, 1.3, &x[3 * i]);
                segment[2 * i] = i;
                segment[2 * i + 1] = i + 1;
            }
            surface_source from = {
                .nnode = N, .x = x, .nsegment = N - 1, .segment = segment, .radius = radius};
            stage_add(s, from, false);
        }
        stage_crate(s, one, false, -1);
        stage_match(s, (proximity_match){.first = 0, .second = 1});
        stage_match(s, (proximity_match){.first = 2, .second = 1});
        stage_ready(s);
        int n = stage_find(s, 0.05);
        assert_int_equal(check_all(s, 0, 1, 0.05) + check_all(s, 1, 2, 0.05), n);
        found += n;
        free(one);
        stage_free(s);
    }
    assert_true(found > 300);
}

static double plane_distance(void *user, const double p[3])
{
    const contact_frame *at = user;
    double d[3], z[3] = {at->R[2], at->R[5], at->R[8]};
    vec_sub(d, p, at->at);
    return vec_dot(d, z);
}

static double pipe_distance(void *user, const double p[3])
{
    const contact_frame *at = user;
    double d[3], z[3] = {at->R[2], at->R[5], at->R[8]};
    vec_sub(d, p, at->at);
    vec_axpy(d, -vec_dot(d, z), z);
    return 0.9 - vec_norm(d);
}

static void all_vertices_near_planes_and_in_pipes_are_found(void **state)
{
    (void)state;
    dice d = {5};
    for (int c = 0; c < 20; c++) {
        double origin[3] = {0, 0, 0};
        crate *one = crate_create(&d, 4, origin, 0.6, 0.1);
        stage *s = stage_create();
        int none, plane = c % 2;
        contact_shape shape = {.kind = plane ? SHAPE_PLANE : SHAPE_PIPE, .radius = 0.9};
        stage_obstacle(s, shape, random_frame(&d, 0.2), &none);
        int soft = stage_crate(s, one, false, -1), expected = 0;
        stage_match(s, (proximity_match){.first = soft, .second = -1, .shape = 0});
        stage_ready(s);
        int n = stage_find(s, 0.2);
        for (int v = 0; v < s->surface[soft].nvertex; v++) {
            const double *p = &s->positions.x[3 * (s->world.vertex_adr[soft] + v)];
            double exact = (plane ? plane_distance : pipe_distance)(&s->frame[0], p);
            bool found = is_found(s, (named){PAIR_SHAPE_VERTEX, {soft, -1}, {v, 0}});
            assert_true(fabs(exact - 0.2) < BAND || found == (exact < 0.2));
            expected += found;
        }
        assert_int_equal(n, expected);
        free(one);
        stage_free(s);
    }
}

// In the cylinder's own frame.
static void own_points(const stage *s, int n, const int *vertex, double x[3][3])
{
    for (int i = 0; i < n; i++) {
        double d[3];
        vec_sub(d, &s->positions.x[3 * vertex[i]], s->frame[0].at);
        for (int k = 0; k < 3; k++)
            x[i][k] =
                s->frame[0].R[k] * d[0] + s->frame[0].R[3 + k] * d[1] + s->frame[0].R[6 + k] * d[2];
    }
}

// Whatever of a body comes near a cylinder, a row knows how near: the least distance of all rows is
// that of the two surfaces.
static void cylinders_are_met_by_all_that_is_nearest(void **state)
{
    (void)state;
    dice d = {6};
    brute_cylinder solid = {0.5, 0.4};
    int cases = 0, kinds[8] = {0};
    for (int c = 0; c < 150; c++) {
        double origin[3] = {0, 0, 0}, least = INFINITY, row = INFINITY;
        crate *one = crate_create(&d, c % 3 + 1, origin, 0.8, 0.1);
        stage *s = stage_create();
        int rim;
        contact_shape shape = {.kind = SHAPE_CYLINDER, .radius = 0.5, .half = {0, 0, 0.4}};
        stage_obstacle(s, shape, random_frame(&d, 1.6), &rim);
        int soft = stage_crate(s, one, false, -1);
        stage_match(s, (proximity_match){.first = soft, .second = -1, .shape = 0});
        stage_ready(s);
        stage_find(s, 0.3);
        for (int t = 0; t < s->surface[soft].ntri; t++) {
            double x[3][3];
            const double *p[3] = {x[0], x[1], x[2]};
            int v[3];
            for (int i = 0; i < 3; i++)
                v[i] = s->world.vertex_adr[soft] + s->surface[soft].tri[3 * t + i];
            own_points(s, 3, v, x);
            least = fmin(least, brute_signed(3, p, brute_cylinder_distance, &solid));
        }
        for (int i = 0; i < s->list.n; i++) {
            proximity_measure m;
            proximity_measure_pair(&s->world, &s->positions, &s->list.pair[i], &m);
            row = fmin(row, m.distance);
            kinds[s->list.pair[i].kind]++;
        }
        if (least > 1e-4 && least < 0.29) {
            assert_true(fabs(row - least) < 1e-7);
            cases++;
        }
        free(one);
        stage_free(s);
    }
    assert_true(cases > 20);
    assert_true(kinds[PAIR_SHAPE_VERTEX] && kinds[PAIR_SHAPE_EDGE] && kinds[PAIR_SHAPE_FACE] &&
                kinds[PAIR_VERTEX_FACE]);
}

// The same pairs, ids and order, whoever is named first and however often one asks.
static void naming_and_asking_again_change_nothing(void **state)
{
    (void)state;
    dice d = {7};
    double at[3] = {1.7, 0.1, 0.2}, origin[3] = {0, 0, 0};
    crate *one = crate_create(&d, 4, origin, 1, 0.05), *two = crate_create(&d, 3, at, 0.8, 0.05);
    proximity_list before = {0};
    for (int round = 0; round < 3; round++) {
        stage *s = stage_create();
        stage_crate(s, one, false, -1);
        stage_crate(s, two, false, -1);
        stage_match(s, (proximity_match){.first = round == 1, .second = round != 1});
        stage_ready(s);
        int n = stage_find(s, 0.3);
        assert_true(n > 20);
        if (round == 0)
            assert_int_equal(proximity_reserve(&before, n), LITHE_OK);
        for (int i = 0; i < n; i++) {
            const proximity_pair *p = &s->list.pair[i];
            assert_true(round == 0 || p->id == before.pair[i].id);
            assert_true(round != 1 || p->swapped != before.pair[i].swapped);
            before.pair[i] = *p;
            for (int j = 0; j < i; j++)
                assert_true(s->list.pair[j].id != p->id);
        }
        stage_free(s);
    }
    proximity_list_free(&before);
    free(one);
    free(two);
}

// The order of the pairs that stay is kept while everything moves.
static void order_depends_only_on_which_pairs_there_are(void **state)
{
    (void)state;
    dice d = {8};
    double at[3] = {1.7, 0.1, 0.2}, origin[3] = {0, 0, 0};
    crate *one = crate_create(&d, 4, origin, 1, 0.05), *two = crate_create(&d, 3, at, 0.8, 0.05);
    stage *s = stage_create();
    stage_crate(s, one, false, -1);
    stage_crate(s, two, false, -1);
    stage_match(s, (proximity_match){.first = 0, .second = 1});
    stage_match(s, (proximity_match){.first = 0, .second = 0, .self = true});
    stage_ready(s);
    int n = stage_find(s, 0.6);
    proximity_list all = s->list;
    s->list = (proximity_list){0};
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 3 * s->nnode; i++)
            s->x[i] += dice_between(&d, -0.01, 0.01);
        int k = 0, m = stage_find(s, 0.2);
        for (int i = 0; i < m; i++) {
            while (k < n && all.pair[k].id != s->list.pair[i].id)
                k++;
            assert_true(k < n);
        }
    }
    proximity_list_free(&all);
    free(one);
    free(two);
    stage_free(s);
}

// While everything moves, by little and by much, what is remembered gives the same pairs and safe
// shares as looking at all boxes anew.
static void remembering_changes_nothing(void **state)
{
    (void)state;
    dice d = {13};
    double at[3] = {1.6, 0.1, 0.2}, origin[3] = {0, 0, 0};
    crate *one = crate_create(&d, 4, origin, 1, 0.05), *two = crate_create(&d, 3, at, 0.8, 0.05);
    stage *s = stage_create();
    int rim, served = 0, found = 0;
    contact_shape post = {.kind = SHAPE_CYLINDER, .radius = 0.3, .half = {0, 0, 0.4}};
    contact_frame beside = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .at = {-0.8, 0.2, 1.3}};
    stage_obstacle(s, post, beside, &rim);
    stage_crate(s, one, false, -1);
    stage_crate(s, two, false, -1);
    stage_match(s, (proximity_match){.first = 2, .second = 1});
    stage_match(s, (proximity_match){.first = 1, .second = -1, .shape = 0});
    stage_match(s, (proximity_match){.first = 1, .second = 1, .self = true});
    stage_ready(s);
    proximity_list fresh = {0};
    for (int round = 0; round < 150; round++) {
        double size = pow(10, dice_between(&d, -4, -1.3)), end[3 * WORLD_NODES];
        for (int i = 0; i < 3 * s->nnode; i++) {
            s->x[i] += dice_between(&d, -size, size);
            end[i] = s->x[i] + dice_between(&d, -2 * size, 2 * size);
        }
        for (int i = 0; i < 3; i++)
            s->frame[0].at[i] += dice_between(&d, -size, size);
        double before = s->positions.kept.margin;
        int n = stage_find(s, 0.05);
        proximity_positions_at(&s->world, &s->end, end, s->frame);
        advance_way way = {&s->positions, &s->end, 0.1, 0.05, 0};
        double share = advance_safe(&s->world, &way, NULL, 1, NULL, NULL);
        served += before > 0 && memcmp(s->positions.kept.x, s->positions.x, sizeof(double)) != 0;
        assert_int_equal(proximity_reserve(&fresh, n), LITHE_OK);
        s->positions.kept.margin = 0; // forget
        double slack = s->positions.kept.slack;
        s->positions.kept.slack = 0;
        assert_true(advance_safe(&s->world, &way, NULL, 1, NULL, NULL) == share);
        assert_int_equal(proximity_find(&s->world, &s->positions, NULL, 0.05, &fresh), n);
        for (int i = 0; i < n; i++)
            assert_true(memcmp(&fresh.pair[i], &s->list.pair[i], sizeof *fresh.pair) == 0);
        s->positions.kept.slack = slack;
        s->positions.kept.margin = before;
        found += n;
        if (round % 3 == 0)
            stage_find(s, 0.05);
    }
    assert_true(served > 30 && found > 300);
    proximity_list_free(&fresh);
    free(one);
    free(two);
    stage_free(s);
}

// Nothing is lost for want of room: the answer says how much is needed.
static void too_small_a_list_says_what_it_needs(void **state)
{
    (void)state;
    dice d = {9};
    double at[3] = {1.7, 0, 0}, origin[3] = {0, 0, 0};
    crate *one = crate_create(&d, 4, origin, 1, 0), *two = crate_create(&d, 4, at, 0.8, 0);
    stage *s = stage_create();
    stage_crate(s, one, false, -1);
    stage_crate(s, two, false, -1);
    stage_match(s, (proximity_match){.first = 0, .second = 1});
    stage_ready(s);
    proximity_list none = {0};
    int n = proximity_find(&s->world, &s->positions, NULL, 0.2, &none);
    assert_true(n > 100 && none.n == 0);
    assert_int_equal(stage_find(s, 0.2), n);
    assert_int_equal(s->list.n, n);
    free(one);
    free(two);
    stage_free(s);
}

static void what_is_off_or_held_is_left_out(void **state)
{
    (void)state;
    dice d = {10};
    double at[3] = {1.7, 0, 0}, origin[3] = {0, 0, 0};
    crate *one = crate_create(&d, 2, origin, 1, 0), *two = crate_create(&d, 2, at, 0.8, 0);
    stage *s = stage_create();
    stage_crate(s, one, false, -1);
    stage_crate(s, two, false, -1);
    stage_match(s, (proximity_match){.first = 0, .second = 1});
    stage_ready(s);
    bool off[1] = {true}, *held = calloc((size_t)s->nnode, sizeof *held);
    proximity_filter filter = {.off = off};
    assert_int_equal(proximity_find(&s->world, &s->positions, &filter, 0.2, &s->list), 0);
    for (int i = 0; i < s->nnode; i++)
        held[i] = true;
    filter = (proximity_filter){.held = held};
    assert_int_equal(proximity_find(&s->world, &s->positions, &filter, 0.2, &s->list), 0);
    held[0] = held[s->nnode - 1] = false;
    int all = proximity_find(&s->world, &s->positions, NULL, 0.2, &s->list);
    int some = proximity_find(&s->world, &s->positions, &filter, 0.2, &s->list);
    assert_true(some < all);
    free(held);
    free(one);
    free(two);
    stage_free(s);
}

// Rows over nodes: the distance changes by them as the nodes move, faces of hexahedra included.
static void entries_are_the_gradient_by_nodes(void **state)
{
    (void)state;
    dice d = {11};
    double at[3] = {1.75, 0.05, 0.03}, origin[3] = {0, 0, 0};
    crate *one = crate_create(&d, 2, origin, 1, 0.05), *two = crate_create(&d, 3, at, 0.7, 0.05);
    stage *s = stage_create();
    surface_source from = {
        .nnode = one->nnode, .x = one->x, .nface = one->nface, .face = one->face};
    stage_add(s, from, false);
    stage_crate(s, two, false, -1);
    stage_match(s, (proximity_match){.first = 0, .second = 1});
    stage_ready(s);
    int n = stage_find(s, 0.4), checked = 0;
    for (int i = 0; i < n; i += 7) {
        proximity_measure m, moved[2];
        proximity_entry entry[PROXIMITY_ENTRIES];
        const proximity_pair *p = &s->list.pair[i];
        proximity_measure_pair(&s->world, &s->positions, p, &m);
        int count = proximity_entries(&s->world, p, m.share, entry);
        double sum = 0;
        for (int e = 0; e < count; e++) {
            sum += entry[e].weight;
            assert_true(e == 0 || entry[e - 1].node < entry[e].node);
            for (int k = 0; k < 3; k++) {
                double *x = &s->x[3 * entry[e].node + k], old = *x;
                for (int side = 0; side < 2; side++) {
                    *x = old + (side ? 1e-6 : -1e-6);
                    proximity_positions_at(&s->world, &s->positions, s->x, s->frame);
                    proximity_measure_pair(&s->world, &s->positions, p, &moved[side]);
                }
                *x = old;
                proximity_positions_at(&s->world, &s->positions, s->x, s->frame);
                double slope = (moved[1].distance - moved[0].distance) / 2e-6;
                assert_true(fabs(slope - entry[e].weight * m.normal[k]) < 1e-4);
            }
        }
        assert_true(fabs(sum) < 1e-12); // equal and opposite
        checked++;
    }
    assert_true(checked > 20);
    free(one);
    free(two);
    stage_free(s);
}

// Hessians and weights through the frame of an obstacle that is rotated.
static void derivatives_rotate_with_a_cylinder(void **state)
{
    (void)state;
    dice d = {12};
    int checked = 0;
    for (int c = 0; c < 60; c++) {
        double origin[3] = {0, 0, 0};
        crate *one = crate_create(&d, 2, origin, 0.8, 0.1);
        stage *s = stage_create();
        int rim;
        contact_shape shape = {.kind = SHAPE_CYLINDER, .radius = 0.5, .half = {0, 0, 0.4}};
        stage_obstacle(s, shape, random_frame(&d, 1.6), &rim);
        stage_crate(s, one, false, -1);
        stage_match(s, (proximity_match){.first = 1, .second = -1, .shape = 0});
        stage_ready(s);
        int n = stage_find(s, 0.3);
        for (int i = 0; i < n; i++) {
            const proximity_pair *p = &s->list.pair[i];
            proximity_measure m, to[2];
            double H[144], g[12], HW[144], worst = 0, worst_weight = 0;
            proximity_measure_pair(&s->world, &s->positions, p, &m);
            if (p->shape < 0 || m.distance < 0.05 || (m.weight < 1 && m.edge < 0.1 * 0.02))
                continue;
            proximity_hessian(&s->world, &s->positions, p, &m, H);
            proximity_weigh(&s->world, &s->positions, p, &m, g, HW);
            for (int k = 0; k < 3 * p->npoint; k++) {
                double *x = &s->positions.x[3 * p->vertex[k / 3] + k % 3], old = *x, size = 1;
                for (int side = 0; side < 2; side++) {
                    *x = old + (side ? 1e-6 : -1e-6);
                    proximity_measure_pair(&s->world, &s->positions, p, &to[side]);
                }
                *x = old;
                for (int j = 0; j < 3 * p->npoint; j++) {
                    double slope = (to[1].share[j / 3] * to[1].normal[j % 3] -
                                    to[0].share[j / 3] * to[0].normal[j % 3]) /
                                   2e-6;
                    size = fmax(size, fabs(H[j * 3 * p->npoint + k]));
                    worst = fmax(worst, fabs(slope - H[j * 3 * p->npoint + k]) / size);
                }
                worst_weight =
                    fmax(worst_weight, fabs((to[1].weight - to[0].weight) / 2e-6 - g[k]));
            }
            if (worst < 1e-3 && worst_weight < 1e-2)
                checked++;
            else if (m.edge > 0.02 * 1.1 || m.weight < 0.99) // not across the end of fading
                fail_msg("pair %d of case %d: %g, weight %g", i, c, worst, worst_weight);
        }
        free(one);
        stage_free(s);
    }
    assert_true(checked > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_bodies_meet_in_all_their_pairs),
        cmocka_unit_test(a_body_meets_itself_but_not_its_neighbours),
        cmocka_unit_test(boxes_spheres_and_capsules_are_met_completely),
        cmocka_unit_test(rods_meet_bodies_and_rods),
        cmocka_unit_test(all_vertices_near_planes_and_in_pipes_are_found),
        cmocka_unit_test(cylinders_are_met_by_all_that_is_nearest),
        cmocka_unit_test(naming_and_asking_again_change_nothing),
        cmocka_unit_test(order_depends_only_on_which_pairs_there_are),
        cmocka_unit_test(remembering_changes_nothing),
        cmocka_unit_test(too_small_a_list_says_what_it_needs),
        cmocka_unit_test(what_is_off_or_held_is_left_out),
        cmocka_unit_test(entries_are_the_gradient_by_nodes),
        cmocka_unit_test(derivatives_rotate_with_a_cylinder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
