// How far a run is and how long it will take: a bar on a terminal; elsewhere, for runs that take
// long, a line every few seconds.
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

typedef struct progress {
    const char *what;
    int total;
    double started; // s
    double shown;   // s, when it was shown last
} progress;

progress progress_start(const char *what, int total);
void progress_at(progress *p, int done);
void progress_end(progress *p);

#endif
