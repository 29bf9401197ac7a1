#include "solve/qpcc.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#ifdef __SANITIZE_ADDRESS__
enum { SHARE = 20 }; // one in this many trials is made
#else
enum { SHARE = 1 };
#endif

enum { N = 4, NC = 30, TASK = 3, Z = N + NC, LEVELS = 2 };

static arena memory;
static qpcc_work *work;
static hierarchy_work *reference;

static double uniform(void)
{
    static uint64_t seed = 77;
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

// A robot that is its own compliance: W = H H' over rows of actuators, effectors, contacts.
typedef struct robot {
    int n, nc, task, nlevel;
    double W[(N + LEVELS * TASK + NC) * (N + LEVELS * TASK + NC)];
    double J[LEVELS][TASK * N], Jc[LEVELS][TASK * NC], e[LEVELS][TASK];
    double lo[N], hi[N], A[N * N], Ac[N * NC], blo[N], bhi[N];
    double W_ca[NC * N], W_cc[NC * NC], gap[NC], R[N * N], x0[N];
    qpcc_level level[LEVELS];
    qpcc_solution s;
} robot;

static robot r;

// rank: degrees of freedom, fewer than contacts make them redundant. reach: how far targets are.
static void draw(int n, int nc, int task, int nlevel, int rank, double reach)
{
    enum { MOST = 80 };
    static double H[(N + LEVELS * TASK + NC) * MOST];
    int rows = n + nlevel * task + nc;
    double rest[MOST];
    r = (robot){.n = n, .nc = nc, .task = task, .nlevel = nlevel};
    for (int k = 0; k < rows * rank; k++)
        H[k] = uniform() + (k % rank == 0 ? 0.5 : 0);
    for (int k = 0; k < rank; k++)
        rest[k] = uniform();
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) {
            double sum = 0;
            for (int k = 0; k < rank; k++)
                sum += H[i * rank + k] * H[j * rank + k];
            r.W[i * rows + j] = sum / rank;
        }
    int at_c = n + nlevel * task;
    for (int i = 0; i < n; i++) {
        r.lo[i] = uniform() > 0 ? 0 : -2;
        r.hi[i] = 3;
        r.blo[i] = -3;
        r.bhi[i] = 3;
        for (int j = 0; j < n; j++)
            r.A[i * n + j] = r.R[i * n + j] = r.W[i * rows + j];
        for (int c = 0; c < nc; c++)
            r.Ac[i * nc + c] = r.W[i * rows + at_c + c];
    }
    for (int k = 0; k < nlevel; k++) {
        r.level[k] = (qpcc_level){task, r.J[k], r.Jc[k], r.e[k], NULL};
        for (int i = 0; i < task; i++) {
            int row = n + k * task + i;
            r.e[k][i] = reach * uniform();
            for (int j = 0; j < n; j++)
                r.J[k][i * n + j] = r.W[row * rows + j];
            for (int c = 0; c < nc; c++)
                r.Jc[k][i * nc + c] = r.W[row * rows + at_c + c];
        }
    }
    for (int c = 0; c < nc; c++) {
        r.gap[c] = fmax(0, 0.7 * uniform()); // 0 in half of them: they are in contact
        for (int k = 0; k < rank; k++)       // … where the free motion may have left them
            r.gap[c] += 0.1 * H[(at_c + c) * rank + k] * rest[k];
        for (int j = 0; j < n; j++)
            r.W_ca[c * n + j] = r.W[(at_c + c) * rows + j];
        for (int d = 0; d < nc; d++)
            r.W_cc[c * nc + d] = r.W[(at_c + c) * rows + at_c + d];
    }
}

static qpcc_problem problem(hierarchy_mode mode, bool global)
{
    return (qpcc_problem){.n = r.n,
                          .nlimit = r.n,
                          .ncontact = r.nc,
                          .nlevel = r.nlevel,
                          .level = r.level,
                          .lo = r.lo,
                          .hi = r.hi,
                          .A = r.A,
                          .Ac = r.Ac,
                          .blo = r.blo,
                          .bhi = r.bhi,
                          .W_ca = r.W_ca,
                          .W_cc = r.W_cc,
                          .gap = r.gap,
                          .R = r.R,
                          .x0 = r.x0,
                          .mode = mode,
                          .global = global};
}

static qpcc_status solve(hierarchy_mode mode, bool global)
{
    qpcc_problem p = problem(mode, global);
    return qpcc_solve(work, &p, &r.s);
}

// Force and gap, judged anew from the problem; both are of size 1 here.
static double signorini(void)
{
    double worst = 0;
    for (int c = 0; c < r.nc; c++) {
        double delta = r.gap[c];
        for (int j = 0; j < r.n; j++)
            delta += r.W_ca[c * r.n + j] * r.s.x[j];
        for (int d = 0; d < r.nc; d++)
            delta += r.W_cc[c * r.nc + d] * r.s.lambda[d];
        assert_true(r.s.lambda[c] >= 0);
        worst = fmax(worst, fabs(fmin(r.s.lambda[c], delta)));
    }
    return worst;
}

static double overrun(void)
{
    double worst = 0;
    for (int i = 0; i < r.n; i++) {
        double value = 0;
        for (int j = 0; j < r.n; j++)
            value += r.A[i * r.n + j] * r.s.x[j];
        for (int c = 0; c < r.nc; c++)
            value += r.Ac[i * r.nc + c] * r.s.lambda[c];
        worst = fmax(worst, fmax(value - r.bhi[i], r.blo[i] - value));
        worst = fmax(worst, fmax(r.s.x[i] - r.hi[i], r.lo[i] - r.s.x[i]));
    }
    return worst;
}

static void judge(void)
{
    assert_true(signorini() < 1e-9);
    assert_true(overrun() < 1e-9);
    assert_true(r.s.signorini < 1e-9);
    assert_true(r.s.primal < 1e-9 && r.s.dual < 1e-9 && r.s.complementarity < 1e-9);
    assert_true(r.s.proof <= QPCC_LOCAL);
}

static void ten_thousand_problems_are_solved(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 10000; trial += SHARE) {
        int n = 1 + trial % N, nc = trial % 12;
        draw(n, nc, 1 + trial % TASK, 1 + trial / 7 % LEVELS, n + nc + 10, 2);
        assert_int_equal(solve(trial % 5 ? HIERARCHY_STRICT : HIERARCHY_MIXED, false), QPCC_SOLVED);
        judge();
    }
}

static void redundant_contacts_are_solved_too(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 3000; trial += SHARE) {
        int n = 1 + trial % N, nc = 2 + trial % 14;
        draw(n, nc, 1 + trial % TASK, 1, n + 1 + nc / 2, 1);
        assert_int_equal(solve(HIERARCHY_STRICT, false), QPCC_SOLVED);
        judge();
    }
}

// The piece of the contacts in `set`, in efforts and forces together and without the reduction:
// contacts in the set have no gap, the others no force. Efforts within `near` of x0 if that is not
// NULL. cost: of each level, then of the tie-breaker.
static bool piece(unsigned set, const double *near, double *cost)
{
    static double J[LEVELS][TASK * Z], A[(N + NC) * Z], R[Z * Z];
    double lo[Z], hi[Z], blo[N + NC], bhi[N + NC];
    int n = r.n, nc = r.nc, z = n + nc;
    hierarchy_level level[LEVELS];
    memset(R, 0, sizeof R);
    for (int i = 0; i < n; i++) {
        lo[i] = near ? fmax(r.lo[i], near[i] - 1e-7) : r.lo[i];
        hi[i] = near ? fmin(r.hi[i], near[i] + 1e-7) : r.hi[i];
        blo[i] = r.blo[i];
        bhi[i] = r.bhi[i];
        memcpy(A + i * z, r.A + i * n, (size_t)n * sizeof *A);
        memcpy(A + i * z + n, r.Ac + i * nc, (size_t)nc * sizeof *A);
        for (int j = 0; j < n; j++)
            R[i * z + j] = r.R[i * n + j];
    }
    for (int c = 0; c < nc; c++) {
        bool active = set >> c & 1u;
        lo[n + c] = 0;
        hi[n + c] = active ? INFINITY : 0;
        blo[n + c] = -r.gap[c];
        bhi[n + c] = active ? -r.gap[c] : INFINITY;
        memcpy(A + (n + c) * z, r.W_ca + c * n, (size_t)n * sizeof *A);
        memcpy(A + (n + c) * z + n, r.W_cc + c * nc, (size_t)nc * sizeof *A);
    }
    for (int k = 0; k < r.nlevel; k++) {
        for (int i = 0; i < r.task; i++) {
            memcpy(J[k] + i * z, r.J[k] + i * n, (size_t)n * sizeof *A);
            memcpy(J[k] + i * z + n, r.Jc[k] + i * nc, (size_t)nc * sizeof *A);
        }
        level[k] = (hierarchy_level){r.task, J[k], r.e[k], NULL};
    }
    hierarchy_problem h = {.n = z,
                           .m = n + nc,
                           .nlevel = r.nlevel,
                           .level = level,
                           .lo = lo,
                           .hi = hi,
                           .A = A,
                           .blo = blo,
                           .bhi = bhi,
                           .R = R};
    hierarchy_solution s;
    hierarchy_forget(reference);
    qp_status status = hierarchy_solve(reference, &h, &s);
    if (status != QP_SOLVED)
        return false;
    memcpy(cost, s.cost, (size_t)r.nlevel * sizeof *cost);
    cost[r.nlevel] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            cost[r.nlevel] += 0.5 * s.x[i] * r.R[i * n + j] * s.x[j];
    return true;
}

static bool clearly_less(const double *a, const double *b)
{
    for (int k = 0; k <= r.nlevel; k++) {
        double noise = 1e-8 * fabs(b[k]) + 1e-9;
        if (a[k] < b[k] - noise)
            return true;
        if (a[k] > b[k] + noise)
            return false;
    }
    return false;
}

// Is x a minimum of every piece that it lies on? And does no piece at all have less, if `globally`?
static void compare_with_enumeration(bool globally)
{
    for (unsigned set = 0; set < 1u << r.nc; set++) {
        double cost[LEVELS + 1], here[LEVELS + 1];
        if (!piece(set, NULL, cost) || !clearly_less(cost, r.s.cost))
            continue;
        assert_false(globally);
        assert_false(piece(set, r.s.x, here));
    }
}

static void answers_are_local_minima_of_the_enumeration(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 200; trial += SHARE) {
        int n = 1 + trial % N, nc = trial % 20 == 0 ? 10 : 1 + trial % 6;
        draw(n, nc, 1 + trial % TASK, 1 + trial % LEVELS, trial % 3 ? n + nc + 10 : n + 1 + nc / 2,
             2);
        assert_int_equal(solve(HIERARCHY_STRICT, false), QPCC_SOLVED);
        compare_with_enumeration(false);
    }
}

static void a_global_search_finds_the_least_of_the_enumeration(void **unused)
{
    (void)unused;
    int improved = 0;
    for (int trial = 0; trial < 200; trial += SHARE) {
        int n = 1 + trial % N, nc = trial % 20 == 0 ? 10 : 1 + trial % 6;
        double local[LEVELS + 1];
        draw(n, nc, 1 + trial % TASK, 1 + trial % LEVELS, trial % 3 ? n + nc + 10 : n + 1 + nc / 2,
             2);
        solve(HIERARCHY_STRICT, false);
        memcpy(local, r.s.cost, sizeof local);
        assert_int_equal(solve(HIERARCHY_STRICT, true), QPCC_SOLVED);
        assert_int_equal(r.s.proof, QPCC_GLOBAL);
        improved += clearly_less(r.s.cost, local);
        compare_with_enumeration(true);
    }
    assert_true(improved > 0 || SHARE > 1);
}

// A contact that pushes whatever the efforts do, and moves the actuator with it: delta_a = x + 2.
static void limits_that_contact_breaks_are_relaxed_by_the_least(void **unused)
{
    (void)unused;
    const double one = 1, zero = 0, far = 5, gap = -2, blo = -1, bhi = 1, e = -3;
    qpcc_level level = {1, &one, &zero, &e, NULL};
    qpcc_problem p = {.n = 1,
                      .nlimit = 1,
                      .ncontact = 1,
                      .nlevel = 1,
                      .level = &level,
                      .lo = &zero,
                      .hi = &far,
                      .A = &one,
                      .Ac = &one,
                      .blo = &blo,
                      .bhi = &bhi,
                      .W_ca = &zero,
                      .W_cc = &one,
                      .gap = &gap};
    qpcc_solution s;
    assert_int_equal(qpcc_solve(work, &p, &s), QPCC_RELAXED);
    assert_true(fabs(s.relaxed[0] - 1) < 1e-9); // 2 - 1
    assert_true(fabs(s.x[0]) < 1e-8);           // the task may not use what is given up
    assert_true(fabs(s.lambda[0] - 2) < 1e-9);
}

// Limits around a point that obeys the contacts, far from where the search starts.
static void limits_that_another_piece_can_meet_are_not_relaxed(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 2000; trial += SHARE) {
        double value[N];
        draw(1 + trial % N, 1 + trial % 6, 1, 1, 30, 2);
        solve(HIERARCHY_STRICT, false);
        for (int i = 0; i < r.n; i++) { // limits around another point that obeys the contacts
            value[i] = 0;
            for (int j = 0; j < r.n; j++)
                value[i] += r.A[i * r.n + j] * r.s.x[j];
            for (int c = 0; c < r.nc; c++)
                value[i] += r.Ac[i * r.nc + c] * r.s.lambda[c];
            r.blo[i] = value[i] - 1e-3;
            r.bhi[i] = value[i] + 1e-3;
            r.e[0][0] = 2 * uniform();
        }
        qpcc_status status = solve(HIERARCHY_STRICT, true);
        assert_int_equal(status, QPCC_SOLVED);
        assert_true(overrun() < 1e-9);
    }
}

static void contacts_that_leave_no_room_are_called_so(void **unused)
{
    (void)unused;
    const double W[4] = {1, -1, -1, 1}, gap[2] = {-1, -1}, zero[2] = {0}, one = 1;
    qpcc_level level = {1, &one, zero, &one, NULL};
    qpcc_problem p = {.n = 1,
                      .ncontact = 2,
                      .nlevel = 1,
                      .level = &level,
                      .lo = zero,
                      .hi = &one,
                      .W_ca = zero,
                      .W_cc = W,
                      .gap = gap};
    qpcc_solution s;
    assert_int_equal(qpcc_solve(work, &p, &s), QPCC_NO_ROOM);
    assert_true(s.lambda[0] > 0 && fabs(s.lambda[0] - s.lambda[1]) < 1e-12);
}

typedef struct walk {
    double last;
    int count;
    bool fell;
} walk;

static void note_cost(void *data, const double *x, const bool *active)
{
    walk *way = data;
    double cost = 0, lambda[NC] = {0};
    for (int i = 0; i < r.task; i++) { // forces by plain relaxation, apart from the solver
        double error = r.e[0][i];
        for (int sweep = 0; sweep < 20000 && i == 0; sweep++)
            for (int c = 0; c < r.nc; c++) {
                double gap = r.gap[c];
                for (int j = 0; j < r.n; j++)
                    gap += r.W_ca[c * r.n + j] * x[j];
                for (int d = 0; d < r.nc; d++)
                    gap += r.W_cc[c * r.nc + d] * lambda[d];
                lambda[c] = fmax(0, lambda[c] - gap / r.W_cc[c * r.nc + c]);
            }
        for (int j = 0; j < r.n; j++)
            error += r.J[0][i * r.n + j] * x[j];
        for (int c = 0; c < r.nc; c++)
            error += r.Jc[0][i * r.nc + c] * lambda[c];
        cost += 0.5 * error * error;
    }
    for (int c = 0; c < r.nc; c++)
        way->fell = way->fell && (active[c] || lambda[c] < 1e-6);
    way->fell = way->fell && cost <= way->last + 1e-9;
    way->last = cost;
    way->count++;
}

static void the_cost_falls_with_every_pivot(void **unused)
{
    (void)unused;
    int most = 0;
    for (int trial = 0; trial < 40; trial += SHARE) {
        walk way = {INFINITY, 0, true};
        draw(3, 12, 3, 1, 40, 3);
        qpcc_problem p = problem(HIERARCHY_STRICT, false);
        p.visit = note_cost;
        p.visitor = &way;
        assert_int_equal(qpcc_solve(work, &p, &r.s), QPCC_SOLVED);
        assert_true(way.fell);
        assert_int_equal(way.count, r.s.pivot + 1);
        most = way.count > most ? way.count : most;
    }
    assert_true(most > 2 || SHARE > 1);
}

static void a_search_that_is_cut_short_states_its_bound(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 200; trial += SHARE) {
        draw(3, 8, 3, 1, 40, 3);
        assert_int_equal(solve(HIERARCHY_MIXED, true), QPCC_SOLVED);
        double least = r.s.cost[0];
        qpcc_problem p = problem(HIERARCHY_MIXED, true);
        p.most_nodes = 2;
        qpcc_solve(work, &p, &r.s);
        assert_true(r.s.proof == QPCC_GLOBAL || r.s.node == 2);
        assert_true(r.s.bound <= least * (1 + 1e-9) && r.s.cost[0] >= least * (1 - 1e-9));
    }
}

static bool stop_after(void *left)
{
    return (*(int *)left)-- == 0;
}

static void a_search_that_is_told_to_end_ends(void **unused)
{
    (void)unused;
    int left = 3;
    draw(3, 8, 3, 1, 40, 3);
    qpcc_problem p = problem(HIERARCHY_MIXED, true);
    p.stop = stop_after;
    p.stopper = &left;
    assert_int_equal(qpcc_solve(work, &p, &r.s), QPCC_SOLVED);
    assert_true(r.s.node <= 3 && r.s.bound <= r.s.cost[0]);
}

// Three points within a hair's breadth of each other, as Newton keeps them: the first carries the
// force, the others overlap by roundoff, and no effort along them can lift both.
static void contacts_that_are_nearly_the_same_do_not_contradict(void **unused)
{
    (void)unused;
    const double hair = 1e-8, lack = 1e-13;
    const double H[3][2] = {{1, 0}, {1, hair}, {1, -hair}}, G[2][2] = {{-1, 0}, {0, 1}};
    double W_cc[9], W_ca[6], Jc[6], gap[3] = {-1, -1 - lack, -1 - lack}, force[3] = {1, 0, 0};
    double J[4] = {1, 0, 0, 1}, e[2] = {-0.1, 0}, lo[2] = {-1, -1}, hi[2] = {1, 1};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            W_cc[3 * i + j] = H[i][0] * H[j][0] + H[i][1] * H[j][1];
        for (int j = 0; j < 2; j++) {
            W_ca[2 * i + j] = H[i][0] * G[j][0] + H[i][1] * G[j][1];
            Jc[3 * j + i] = 0;
        }
    }
    qpcc_level level = {2, J, Jc, e, NULL};
    qpcc_problem p = {.n = 2,
                      .ncontact = 3,
                      .nlevel = 1,
                      .level = &level,
                      .lo = lo,
                      .hi = hi,
                      .W_ca = W_ca,
                      .W_cc = W_cc,
                      .gap = gap,
                      .lambda_start = force};
    qpcc_solution found;
    assert_int_equal(qpcc_solve(work, &p, &found), QPCC_SOLVED);
    assert_true(found.signorini < 1e-9);
    assert_true(fabs(found.x[0] - 0.1) < 1e-9 && fabs(found.x[1]) < 1e-9);
    assert_true(fabs(found.lambda[0] + found.lambda[1] + found.lambda[2] - 1.1) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_thousand_problems_are_solved),
        cmocka_unit_test(redundant_contacts_are_solved_too),
        cmocka_unit_test(answers_are_local_minima_of_the_enumeration),
        cmocka_unit_test(a_global_search_finds_the_least_of_the_enumeration),
        cmocka_unit_test(limits_that_contact_breaks_are_relaxed_by_the_least),
        cmocka_unit_test(limits_that_another_piece_can_meet_are_not_relaxed),
        cmocka_unit_test(contacts_that_leave_no_room_are_called_so),
        cmocka_unit_test(the_cost_falls_with_every_pivot),
        cmocka_unit_test(a_search_that_is_cut_short_states_its_bound),
        cmocka_unit_test(a_search_that_is_told_to_end_ends),
        cmocka_unit_test(contacts_that_are_nearly_the_same_do_not_contradict),
    };
    work = qpcc_create(&memory, (qpcc_size){N, N, NC, LEVELS, LEVELS * TASK, true});
    reference = hierarchy_create(&memory, Z, N + NC, LEVELS, LEVELS * TASK);
    int failed = work && reference ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    arena_free(&memory);
    return failed;
}
