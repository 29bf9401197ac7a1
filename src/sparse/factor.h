// The numbers of a factorization.
#ifndef SPARSE_FACTOR_H
#define SPARSE_FACTOR_H

#include "sparse/dense_panel.h"
#include "sparse/symbolic.h"

#include <stdatomic.h>

struct sparse_factor {
    const sparse_symbolic *sym;
    const panel_kernels *kernels;
    const panel_solvers *solvers, *single_solvers;
    double scale; // by which pivots are judged; 0: the largest on the diagonal

    // written by sparse_factorize
    double *panel;         // L (npanel)
    double *inverse_pivot; // 1 / D (3 n)
    float *single;         // L rounded (npanel); NULL: never
    bool rounded;          // solves read that

    // scratch
    int ndesk;
    double *desk;        // (ndesk of them) one after the other
    atomic_bool *taken;  // (ndesk) by a thread
    double *kept;        // update matrices that outlive their task
    panel_tally *tally;  // (ntask)
    const double *block; // A, while factoring
    double *peak;        // the largest on its diagonal, some rows at a time
    bool along;          // a right-hand side goes with it
    int max_rhs;
    double *rhs;  // right-hand sides in the order of elimination and borders, SPARSE_PACK at a time
    bool *active; // (nfront) fronts that right-hand sides reach
    bool *busy;   // (ntask) tasks that have such fronts

    // who does what; for so many threads
    int max_threads, nthread;
    int *owner;        // (nleaf) the thread that begins with it
    int *queue;        // (nleaf) tasks that wait for none, owner by owner
    int *queue_adr;    // (max_threads + 1)
    atomic_int *due;   // (ntask) going up: tasks below that are not done
    atomic_int *state; // (ntask) going down: a factor_state
    pool *lent;        // threads that share solves; NULL: none
};

typedef enum factor_state { FACTOR_WAITS, FACTOR_BEGUN, FACTOR_DONE } factor_state;

// Shares the tasks that wait for none out between so many threads. Then all tasks are undone, on
// the way up.
void factor_begin(sparse_factor *f, int nthread);

// Going up: the task that only waited for t, which is done; -1: none, or the last one. Whoever has
// done t goes on with it.
int factor_next(sparse_factor *f, int t);

// A desk that no other thread works at, and the end of that.
int factor_take_desk(sparse_factor *f);
double *factor_desk(sparse_factor *f, int desk);
void factor_leave_desk(sparse_factor *f, int desk);

// One right-hand side that goes up the tree with the factorization, while each panel is in the
// cache: before all, before the first front of a task, after each front (w: as long as its panel),
// and after all.
void solve_along_begin(sparse_factor *f, pool *threads, double *B);
void solve_along_task(const sparse_factor *f, int task);
void solve_along(const sparse_factor *f, int front, double *w);
void solve_along_end(sparse_factor *f, pool *threads, double *B);

// Uses the arithmetic of another instruction set, which the processor must have.
void sparse_factor_use(sparse_factor *f, panel_isa isa);

// Who factors a front, and where.
typedef struct front_work {
    double *desk;
    bool alone; // one thread factors all fronts
    panel_tally *tally;
    pool *threads; // that may help; NULL: none
} front_work;

// Factors one front, whose children are done.
void front_factor(sparse_factor *f, const sparse_front *front, const front_work *work);

#endif
