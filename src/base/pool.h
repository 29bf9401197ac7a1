// A few threads that share loops. Work is cut into pieces by its size alone, never by the number of
// threads, so results have the same bits on any number of them.
#ifndef BASE_POOL_H
#define BASE_POOL_H

typedef struct pool pool;

// nthread - 1 workers besides the caller; NULL when threads or memory cannot be had.
pool *pool_create(int nthread);
void pool_free(pool *p);
int pool_size(const pool *p);

// Calls work(context, first, last) for pieces [first, last) of at most `grain` that cover [0, n),
// from any thread in any order, and returns when all are done. p may be NULL: all on the caller. No
// allocation.
void pool_for(pool *p, int n, int grain, void (*work)(void *context, int first, int last),
              void *context);

#endif
