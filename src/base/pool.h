// A few threads that share loops. Work is cut into pieces by its size alone, never by the number of
// threads, so results have the same bits on any number of them.
//
// Every thread has pieces of its own, the same ones whenever a loop of that length comes again, so
// that what it has in its cache serves the next loop too; a thread that has done its own helps the
// others. Between loops threads stay awake for half a millisecond, then they sleep. They sleep at
// once where all pools together have more threads than the process may use cores.
#ifndef BASE_POOL_H
#define BASE_POOL_H

typedef struct pool pool;

typedef void pool_work(void *context, int first, int last);

// nthread - 1 workers besides the caller; NULL when threads or memory cannot be had.
pool *pool_create(int nthread);
void pool_free(pool *p);

// So many threads that are none of the pool's need a core of their own while it lives.
void pool_spare(pool *p, int others);

int pool_size(const pool *p);

// Calls work(context, first, last) for pieces [first, last) of at most `grain` that cover [0, n),
// from any thread in any order, and returns when all are done. p may be NULL: all on the caller. No
// allocation. One caller at a time, and not from inside such a loop.
void pool_for(pool *p, int n, int grain, pool_work *work, void *context);

// The same for single items of which [adr[i], adr[i + 1]) are thread i's own (pool_size + 1).
void pool_for_owned(pool *p, const int *adr, pool_work *work, void *context);

// What a piece does that looks again and again whether another one has ended: a moment, in which
// the core is the other's where threads may not stay awake.
void pool_pause(const pool *p);

#endif
