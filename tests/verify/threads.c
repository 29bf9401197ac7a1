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

void verify_threads(verify_table *table)
{
    piece p;
    verify_case(table, 24, "threads");
    verify_mesh(table, "8 x 8 x 24, hollow");
    bar shape = bar_make(8, 8, 24, (double[]){-0.01, -0.01, 0}, (double[]){0.01, 0.01, 0.1});
    bar_hollow(&shape);
    piece_begin(&p, shape, 1e5, 0.45);
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
    size_t n = 3 * (size_t)shape.nnode;
    double *one = malloc(n * sizeof *one), *other = malloc(n * sizeof *other);
    bool good = piece_compile(&p) && move_robot(&p, 1, one);
    for (int threads = 2; threads <= 4 && good; threads += 2) {
        int differ = 0;
        good = move_robot(&p, threads, other);
        for (size_t i = 0; i < n; i++)
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
