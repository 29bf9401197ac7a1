#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/stage.h"

// A rough ball over something, by volume: 0 a plane, 1 a ball, 2 a mesh, 3 another body.
typedef struct press {
    scene *s;
    contact_patches patches;
} press;

static press press_create(int what, unsigned *seed)
{
    press p = {.s = scene_create()};
    scene *s = p.s;
    shell *ball = sphere_of(7, 0.02, 0.01, 0.97, 1), *floor = box_of(5, 0, 0, -1, 1);
    scene_add(s, ball, false);
    if (what >= 2)
        scene_add(s, floor, what == 2);
    s->shape = (contact_shape){what == 1 ? SHAPE_SPHERE : SHAPE_PLANE, 3, {0}};
    s->at.at[2] = what == 1 ? -3 : 0;
    s->pair.second = what >= 2 ? 1 : -1;
    for (int i = 0; i < 3 * s->nnode; i++)
        s->x[i] += 0.01 * (uniform(seed) - 0.5);
    s->pair.alarm = 0.2;
    s->world.one_sided = false; // as in converged steps
    assert_int_equal(contact_patches_build(&s->skin[0], 0.4, s->pair.alarm, &s->memory, &p.patches),
                     LITHE_OK);
    free(ball);
    free(floor);
    return p;
}

static void detect(press *p)
{
    p->s->pair.patches = &p->patches;
    scene_detect(p->s, 4000);
}

static void every_triangle_is_in_one_patch_and_areas_add_up(void **state)
{
    (void)state;
    unsigned seed = 1;
    press p = press_create(0, &seed);
    int n = p.s->skin[0].ntri, seen[4000] = {0};
    double area = 0, all = 0;
    assert_true(p.patches.n > 10 && p.patches.n < n / 4);
    assert_int_equal(p.patches.adr[p.patches.n], n);
    for (int i = 0; i < n; i++)
        seen[p.patches.tri[i]]++;
    for (int t = 0; t < n; t++)
        assert_int_equal(seen[t], 1);
    for (int k = 0; k < p.patches.n; k++)
        area += p.patches.area[k];
    for (int v = 0; v < p.s->skin[0].nvertex; v++)
        all += p.s->before[0].area[v]; // at rest
    NEAR(area, all, 1e-12);
    scene_free(p.s);
}

// What the rows are when all nodes move h along dx.
static int rows_at(press *p, const double *dx, double h, contact *row, contact_entry *entry)
{
    for (int i = 0; i < 3 * p->s->nnode; i++)
        p->s->x[i] += h * dx[i];
    detect(p);
    for (int i = 0; i < 3 * p->s->nnode; i++)
        p->s->x[i] -= h * dx[i];
    memcpy(row, p->s->list.contact, (size_t)p->s->list.n * sizeof *row);
    memcpy(entry, p->s->list.entry, (size_t)p->s->list.nentry * sizeof *entry);
    return p->s->list.n;
}

static const contact *same(const contact *row, int n, uint64_t id)
{
    for (int i = 0; i < n; i++)
        if (row[i].id == id)
            return &row[i];
    fail();
    return NULL;
}

static double along(const contact *c, const contact_entry *entry, const double *dx)
{
    double sum = 0;
    for (int i = 0; i < c->n; i++)
        sum += vec_dot(entry[c->adr + i].H, &dx[3 * entry[c->adr + i].node]);
    return sum;
}

typedef struct form {
    const double *dx;
    double sum;
} form;

static void add(void *user, int line, int column, const double block[9])
{
    form *f = user;
    double v[3];
    mat_apply(v, block, &f->dx[3 * column]);
    f->sum += vec_dot(v, &f->dx[3 * line]);
}

static void rows_follow_their_gradient_and_their_second_derivative(void **state)
{
    (void)state;
    static contact row[3][64];
    static contact_entry entry[3][4000];
    static double dx[3 * 2000];
    const double h = 1e-6;
    for (int what = 0; what < 4; what++)
        for (unsigned seed = 1; seed <= 5; seed++) {
            unsigned random = seed;
            press p = press_create(what, &random);
            for (int i = 0; i < 3 * p.s->nnode; i++)
                dx[i] = uniform(&random) - 0.5;
            int n[3] = {rows_at(&p, dx, -h, row[0], entry[0]), rows_at(&p, dx, h, row[2], entry[2]),
                        rows_at(&p, dx, 0, row[1], entry[1])};
            assert_true(n[2] >= 1 && n[2] <= 12);
            for (int i = 0; i < n[2]; i++) {
                const contact *c = &row[1][i];
                if (c->share < 0.01)
                    continue; // comes or goes
                const contact *low = same(row[0], n[0], c->id), *high = same(row[2], n[1], c->id);
                double slope = along(c, entry[1], dx);
                NEAR((high->gap - low->gap) / (2 * h), slope, 1e-5 + 1e-3 * fabs(slope));
                contact_place at = {p.s->x, &p.s->at, p.s->pose};
                form f = {dx, 0};
                contact_volume_bend(&p.s->world, c, &at, false, add, &f);
                double bend = (along(high, entry[2], dx) - along(low, entry[0], dx)) / (2 * h);
                if (what < 3) // of two bodies it is more than that, so that it is enough
                    NEAR(-f.sum, bend, 2e-2 * fabs(bend) + 1e-3);
                double gap;
                if (what < 3) {
                    assert_true(contact_gap(&p.s->world, c, &at, &gap));
                    NEAR(gap, c->gap, 1e-14);
                }
            }
            scene_free(p.s);
        }
}

static void forces_of_a_row_between_bodies_add_up_to_nothing(void **state)
{
    (void)state;
    unsigned seed = 3;
    press p = press_create(3, &seed);
    detect(&p);
    assert_true(p.s->list.n >= 1);
    for (int i = 0; i < p.s->list.n; i++) {
        const contact *c = &p.s->list.contact[i];
        double force[3] = {0, 0, 0}, moment[3] = {0, 0, 0}, arm[3];
        for (int k = 0; k < c->n; k++) {
            const contact_entry *e = &p.s->list.entry[c->adr + k];
            vec_axpy(force, 1, e->H);
            vec_cross(arm, &p.s->x[3 * e->node], e->H);
            vec_axpy(moment, 1, arm);
        }
        NEAR(vec_norm(force), 0, 1e-12);
        NEAR(vec_norm(moment), 0, 1e-12);
    }
    scene_free(p.s);
}

// A flat face that lies on the floor has just the overlap that is allowed.
static void a_patch_that_lies_flat_has_no_gap(void **state)
{
    (void)state;
    scene *s = scene_create();
    shell *block = box_of(8, 0.2, 0.1, 0.5, 0.5);
    contact_patches patches;
    scene_add(s, block, false);
    s->shape = (contact_shape){SHAPE_PLANE, 0, {0}};
    assert_int_equal(contact_patches_build(&s->skin[0], 0.4, 0.1, &s->memory, &patches), LITHE_OK);
    s->pair.patches = &patches;
    scene_detect(s, 4000);
    assert_true(s->list.n >= 1 && s->list.n <= 8);
    for (int i = 0; i < s->list.n; i++) {
        NEAR(s->list.contact[i].gap, 0, 1e-14);
        NEAR(s->list.contact[i].share, 0.5, 1e-12);
        NEAR(s->list.contact[i].normal[2], 1, 1e-12);
    }
    free(block);
    scene_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_triangle_is_in_one_patch_and_areas_add_up),
        cmocka_unit_test(rows_follow_their_gradient_and_their_second_derivative),
        cmocka_unit_test(forces_of_a_row_between_bodies_add_up_to_nothing),
        cmocka_unit_test(a_patch_that_lies_flat_has_no_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
