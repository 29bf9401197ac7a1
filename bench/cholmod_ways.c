#include "cholmod_ways.h"

#include "robot.h"

#include <string.h>

const char *const CHOLMOD_WAY_NAME[CHOLMOD_WAYS] = {"supernodal, AMD", "supernodal, METIS",
                                                    "simplicial, AMD", "simplicial, METIS"};

static cholmod_sparse *scalar_matrix(const sparse_pattern *p, const double *blocks,
                                     cholmod_common *common)
{
    size_t n = 3 * (size_t)p->n, entries = 9 * (size_t)p->nblock;
    cholmod_triplet *t = must(cholmod_allocate_triplet(n, n, entries, -1, CHOLMOD_REAL, common));
    double *value = t->x;
    for (int c = 0; c < p->n; c++)
        for (int b = p->col_adr[c]; b < p->col_adr[c + 1]; b++)
            for (int k = 0; k < 9; k++) {
                if (b == p->col_adr[c] && k % 3 > k / 3)
                    continue;
                ((int *)t->i)[t->nnz] = 3 * p->row[b] + k / 3;
                ((int *)t->j)[t->nnz] = 3 * c + k % 3;
                value[t->nnz++] = blocks[9 * (size_t)b + (size_t)k];
            }
    cholmod_sparse *A = must(cholmod_triplet_to_sparse(t, entries, common));
    cholmod_free_triplet(&t, common);
    return A;
}

void cholmod_ways_open(cholmod_ways *c, const sparse_pattern *p, const double *blocks)
{
    for (int way = 0; way < CHOLMOD_WAYS; way++) {
        cholmod_common *common = &c->common[way];
        cholmod_start(common);
        if (way == 0)
            c->A = scalar_matrix(p, blocks, common);
        common->supernodal = way < 2 ? CHOLMOD_SUPERNODAL : CHOLMOD_SIMPLICIAL;
        common->nmethods = 1;
        common->method[0].ordering = way % 2 ? CHOLMOD_METIS : CHOLMOD_AMD;
        common->postorder = true;
        c->L[way] = must(cholmod_analyze(c->A, common));
    }
}

void cholmod_ways_close(cholmod_ways *c)
{
    cholmod_free_sparse(&c->A, &c->common[0]);
    for (int way = 0; way < CHOLMOD_WAYS; way++) {
        cholmod_free_factor(&c->L[way], &c->common[way]);
        cholmod_finish(&c->common[way]);
    }
}

bool cholmod_ways_factor(cholmod_ways *c, int way)
{
    return cholmod_factorize(c->A, c->L[way], &c->common[way]) &&
           c->common[way].status == CHOLMOD_OK;
}

double cholmod_ways_flops(const cholmod_ways *c, int way)
{
    return c->common[way].fl;
}

void cholmod_ways_solve(cholmod_ways *c, int way, const double *b, double *x)
{
    size_t n = c->A->nrow;
    cholmod_common *common = &c->common[way];
    cholmod_dense *rhs = must(cholmod_allocate_dense(n, 1, n, CHOLMOD_REAL, common));
    memcpy(rhs->x, b, n * sizeof *b);
    cholmod_dense *found = must(cholmod_solve(CHOLMOD_A, c->L[way], rhs, common));
    memcpy(x, found->x, n * sizeof *x);
    cholmod_free_dense(&found, common);
    cholmod_free_dense(&rhs, common);
}
