// Case 24: the same bits on any number of threads.
#include "piece.h"
#include "verify.h"

#include <string.h>

// A hollow bar that is inflated and pulled by a cable while it hangs.
static bool move_robot(piece *p, int threads, double *x)
{
    lithe_state *state;
    if (lithe_state_create(p->model, threads, &state, &p->report) != LITHE_OK)
        return false;
    bool good =
        lithe_command(p->model, state, 0, LITHE_DISPLACEMENT, &(double){0.008}) == LITHE_OK &&
        lithe_command(p->model, state, 1, LITHE_EFFORT, &(double){2e3}) == LITHE_OK &&
        lithe_step(p->model, state) == LITHE_OK;
    memcpy(x, lithe_position(state), 3 * (size_t)lithe_nnode(p->model) * sizeof *x);
    lithe_state_free(state);
    return good;
}

static void compare(verify_table *table, lithe_element element, lithe_law law, int n)
{
    piece p;
    verify_mesh(table, "%s, %d x %d x %d, hollow, %s", piece_element_name(element), n, n, 3 * n,
                piece_law_name(law));
    bar shape = bar_make(n, n, 3 * n, (double[]){-0.01, -0.01, 0}, (double[]){0.01, 0.01, 0.1});
    bar_hollow(&shape);
    piece_begin(&p, shape, 1e5, 0.45);
    p.body.element = element;
    p.material = piece_law(law, 1e5, 0.45, false);
    piece_hold(&p, (double[]){0, 0, 0}, (double[]){0, 0, -1}, LITHE_XYZ);
    lithe_point_def point = {"piece", {0.009, 0, 0.095}};
    lithe_actuator_def actuator[2] = {lithe_actuator_def_default(LITHE_CABLE),
                                      lithe_actuator_def_default(LITHE_CAVITY)};
    actuator[0].name = "cable";
    actuator[0].npoint = 1;
    actuator[0].point = &point;
    actuator[0].has_pulled_from = true;
    actuator[0].pulled_from[0] = 0.012;
    actuator[1].name = "air";
    actuator[1].body = "piece";
    p.material.density = 1000;
    p.def.gravity[1] = -9.81;
    p.def.nactuator = 2;
    p.def.actuator = actuator;
    bool good = piece_compile(&p);
    size_t size = good ? 3 * (size_t)lithe_nnode(p.model) : 1;
    double *one = malloc(size * sizeof *one), *other = malloc(size * sizeof *other);
    good = good && move_robot(&p, 1, one);
    for (int threads = 2; threads <= 4 && good; threads += 2) {
        int differ = 0;
        good = move_robot(&p, threads, other);
        for (size_t i = 0; i < size; i++)
            differ += memcmp(&one[i], &other[i], sizeof *one) != 0;
        verify_gate(table,
                    threads == 2 ? "coordinates that differ, 2 threads"
                                 : "coordinates that differ, 4 threads",
                    differ, 0, 0);
    }
    if (!good)
        verify_broken(table, p.report.error[0] ? p.report.error : "did not converge");
    free(one);
    free(other);
    piece_end(&p);
}

void verify_threads(verify_table *table)
{
    int limit = verify_limit;
    verify_case(table, 24, "threads");
    verify_limit = 0; // work is only shared where there is enough of it
    compare(table, LITHE_TET4, LITHE_COROTATIONAL, 8);
    compare(table, LITHE_TET4_AVERAGED, LITHE_NEO_HOOKEAN, 8);
    compare(table, LITHE_TET10, LITHE_NEO_HOOKEAN, 4);
    verify_limit = limit;
    verify_note(table, "A hollow bar that is inflated and pulled by a cable while it hangs.");
}
