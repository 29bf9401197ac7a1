// How many samples of so many a test looks at: all of them, and a few where the sanitizers look at
// every access to memory, which takes ten times as long and does not depend on how many there are.
#ifndef SANITIZED_H
#define SANITIZED_H

static inline int samples_of(int all, int few)
{
#ifdef __SANITIZE_ADDRESS__
    (void)all;
    return few;
#else
    (void)few;
    return all;
#endif
}

#endif
