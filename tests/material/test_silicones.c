// The library of silicones against the curves it was fitted to, and against its page.
#include "lithe/lithe.h"
#include "material/fit.h"
#include "material/law.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Engineering stress (Pa) of a bar pulled to a stretch, with its sides free: the width follows from
// no stress across.
static double pull(const lithe_material_def *d, double stretch)
{
    law_material m;
    lanes F[9], p[LAW_PARAMETERS];
    law_point point;
    material_fit(d, &m);
    for (int i = 0; i < LAW_PARAMETERS; i++)
        p[i] = lanes_set(m.parameter[i]);
    double width = 1 / sqrt(stretch);
    for (int k = 0; k < 50; k++) {
        for (int i = 0; i < 9; i++)
            F[i] = lanes_set(i == 0 ? stretch : i % 4 == 0 ? width : 0);
        law_evaluate(LAW_YEOH, F, p, LAW_EXACT, &point);
        // both sides move together: dP11 = (C1111 + C1122) dwidth
        width -= point.P[4][0] / (point.C[9 * 4 + 4][0] + point.C[9 * 4 + 8][0]);
    }
    assert_true(fabs(point.P[4][0]) < 1e-9 * fabs(point.P[0][0]));
    return point.P[0][0];
}

typedef struct measured {
    const char *name;
    double stress[8]; // MPa at engineering strains of 25, 50, … 200 % [marechal2021]
} measured;

static const measured curves[] = {
    {"ecoflex-00-30", {.00856, .01689, .02288, .02972, .03451, .04008, .04666, .05239}},
    {"ecoflex-00-50", {.01226, .022775, .03207, .04095, .05038, .05951, .068745, .079005}},
    {"dragon-skin-10", {.02643, .05300, .08229, .11296, .14983, .19058, .23353, .27279}},
    {"dragon-skin-30", {.11087, .21392, .32207, .43712, .56021, .68938, .82291, .95947}},
};

static void fitted_laws_follow_the_measured_curves_within_9_percent(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof curves / sizeof curves[0]; k++) {
        lithe_material_def d = *lithe_silicone(lithe_find_silicone(curves[k].name));
        d.poisson = 0.4999; // as incompressible as the fit
        for (int i = 0; i < 8; i++) {
            double stress = pull(&d, 1 + 0.25 * (i + 1)), want = 1e6 * curves[k].stress[i];
            if (fabs(stress / want - 1) > 0.09)
                fail_msg("%s at %d %%: %g Pa, measured %g Pa", curves[k].name, 25 * (i + 1), stress,
                         want);
        }
    }
}

static void every_silicone_makes_physical_sense(void **state)
{
    (void)state;
    for (int i = 0; i < lithe_nsilicone(); i++) {
        material_fault fault;
        assert_true(material_check(lithe_silicone(i), &fault));
        assert_int_equal(lithe_find_silicone(lithe_silicone(i)->name), i);
        assert_true(strlen(lithe_silicone_source(i)) > 0);
        assert_true(lithe_silicone(i)->density > 900);
    }
    assert_null(lithe_silicone(lithe_nsilicone()));
    assert_null(lithe_silicone(-1));
    assert_int_equal(lithe_find_silicone("jelly"), -1);
}

static void the_page_lists_the_same_numbers(void **state)
{
    (void)state;
    static char page[1 << 16];
    FILE *file = fopen(LITHE_ROOT "/docs/materials.md", "rb");
    assert_non_null(file);
    size_t n = fread(page, 1, sizeof page - 1, file);
    fclose(file);
    page[n] = 0;
    for (int i = 0; i < lithe_nsilicone(); i++) {
        const lithe_material_def *d = lithe_silicone(i);
        char row[160];
        snprintf(row, sizeof row, "| `%s` | %.4g kPa | %.4g kPa | %g kg/m^3 |", d->name,
                 d->coefficient[0] / 1e3, d->coefficient[1] / 1e3, d->density);
        if (!strstr(page, row))
            fail_msg("docs/materials.md lacks the row: %s", row);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fitted_laws_follow_the_measured_curves_within_9_percent),
        cmocka_unit_test(every_silicone_makes_physical_sense),
        cmocka_unit_test(the_page_lists_the_same_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
