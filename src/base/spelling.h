// The valid name that a mistyped one probably meant.
#ifndef BASE_SPELLING_H
#define BASE_SPELLING_H

enum { NEAREST_NAME_MAX = 64 };

typedef struct nearest {
    const char *wanted;
    char best[NEAREST_NAME_MAX];
    int cost; // of turning wanted into best
} nearest;

nearest nearest_start(const char *wanted);

// Offers one valid name; of equally near ones the first offered stays. Names longer than
// NEAREST_NAME_MAX are never proposed.
void nearest_offer(nearest *n, const char *candidate);

// NULL when nothing offered is near enough to be what was meant.
const char *nearest_found(const nearest *n);

#endif
