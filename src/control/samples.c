#include "control/samples.h"

#include "base/fnv.h"
#include "base/memory.h"
#include "base/plain_file.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char MAGIC[8] = "lithesm1";

typedef struct record_head {
    int64_t number;
    uint64_t sum;
} record_head;

struct samples_journal {
    FILE *file;
    size_t width;
    long start; // of the first record
    long end;   // of the last one that is whole
};

static uint64_t sum_of(int64_t number, size_t width, const double *value)
{
    uint64_t h = fnv_add(FNV_START, &number, sizeof number);
    return fnv_add(h, value, width * sizeof *value);
}

typedef struct journal_head {
    char magic[8];
    uint64_t key, width;
} journal_head;

// The record at `at`; false: there is no whole one.
static bool read_record(samples_journal *j, long at, record_head *head, double *value)
{
    return fseek(j->file, at, SEEK_SET) == 0 && fread(head, sizeof *head, 1, j->file) == 1 &&
           fread(value, sizeof *value, j->width, j->file) == j->width &&
           head->sum == sum_of(head->number, j->width, value);
}

static long record_bytes(const samples_journal *j)
{
    return (long)(sizeof(record_head) + j->width * sizeof(double));
}

static bool begin_journal(samples_journal *j, const char *path, const journal_head *head)
{
    journal_head found = {0};
    j->start = j->end = (long)sizeof found;
    j->file = plain_file_update(path);
    size_t n = j->file ? fread(&found, 1, sizeof found, j->file) : 0;
    if (n == sizeof found && memcmp(&found, head, sizeof found) == 0)
        return true;
    size_t known = n < sizeof found.magic ? n : sizeof found.magic; // a head may have been cut off
    if (memcmp(found.magic, head->magic, known) != 0) {
        errno = EEXIST; // somebody else's
        return false;
    }
    return j->file && ftruncate(fileno(j->file), 0) == 0 && fseek(j->file, 0, SEEK_SET) == 0 &&
           fwrite(head, sizeof *head, 1, j->file) == 1 && fflush(j->file) == 0;
}

// Where the last whole record ends; what stands behind it is cut off.
static bool find_end(samples_journal *j)
{
    double *value = memory_alloc((j->width + 1) * sizeof *value);
    record_head head;
    while (value && read_record(j, j->end, &head, value))
        j->end += record_bytes(j);
    bool well = value && ftruncate(fileno(j->file), j->end) == 0;
    memory_free(value);
    return well;
}

lithe_status samples_journal_open(const char *path, uint64_t key, size_t width,
                                  samples_journal **out, lithe_report *report)
{
    *out = NULL;
    samples_journal *j = memory_alloc(sizeof *j);
    if (!j)
        return report_no_memory(report, "a journal");
    *j = (samples_journal){.width = width};
    journal_head head = {.key = key, .width = width};
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    if (!begin_journal(j, path, &head) || !find_end(j)) {
        int why = errno;
        samples_journal_close(j);
        return LITHE_FAIL(report, LITHE_IO, "%.300s: the journal cannot be written: %s", path,
                          strerror(why));
    }
    *out = j;
    return LITHE_OK;
}

void samples_journal_close(samples_journal *j)
{
    if (!j)
        return;
    if (j->file)
        fclose(j->file);
    memory_free(j);
}

static bool write_record(samples_journal *j, int number, const double *value)
{
    record_head head = {number, sum_of(number, j->width, value)};
    bool well = fseek(j->file, j->end, SEEK_SET) == 0 &&
                fwrite(&head, sizeof head, 1, j->file) == 1 &&
                fwrite(value, sizeof *value, j->width, j->file) == j->width && fflush(j->file) == 0;
    j->end += well ? record_bytes(j) : 0;
    return well;
}

typedef struct running {
    const samples_job *job;
    double *out;
    bool *done; // (n)
    int ndone;
    bool ended, no_memory, no_disk;
    pthread_mutex_t lock;
} running;

// Results that the journal has already.
static bool recall(running *r)
{
    samples_journal *j = r->job->journal;
    double *value = memory_alloc((j->width + 1) * sizeof *value);
    record_head head;
    for (long at = j->start; value && at < j->end && read_record(j, at, &head, value);
         at += record_bytes(j))
        for (int i = 0; i < r->job->n; i++)
            if (r->job->number[i] == head.number && !r->done[i]) {
                memcpy(r->out + (size_t)i * j->width, value, j->width * sizeof *value);
                r->done[i] = true;
                r->ndone++;
            }
    memory_free(value);
    return value != NULL;
}

static void keep(running *r, int i, bool well)
{
    const samples_job *job = r->job;
    pthread_mutex_lock(&r->lock);
    r->no_memory = r->no_memory || !well;
    if (well && job->journal)
        r->no_disk = !write_record(job->journal, job->number[i], r->out + (size_t)i * job->width) ||
                     r->no_disk;
    r->ndone++;
    if (job->progress && !r->ended)
        r->ended = !job->progress(job->user, r->ndone, job->n);
    pthread_mutex_unlock(&r->lock);
}

static bool goes_on(running *r)
{
    pthread_mutex_lock(&r->lock);
    bool on = !r->ended && !r->no_memory && !r->no_disk;
    pthread_mutex_unlock(&r->lock);
    return on;
}

static void run_some(void *context, int first, int last)
{
    running *r = context;
    for (int i = first; i < last; i++)
        if (!r->done[i] && goes_on(r))
            keep(r, i,
                 r->job->work(r->job->user, r->job->number[i], r->out + (size_t)i * r->job->width));
}

lithe_status samples_run(const samples_job *job, pool *threads, double *out, lithe_report *report)
{
    running r = {.job = job, .out = out};
    r.done = memory_alloc(((size_t)job->n + 1) * sizeof *r.done);
    if (!r.done)
        return report_no_memory(report, "samples");
    memset(r.done, 0, (size_t)job->n * sizeof *r.done);
    pthread_mutex_init(&r.lock, NULL);
    r.no_memory = job->journal && !recall(&r);
    pool_for(threads, job->n, 1, run_some, &r);
    pthread_mutex_destroy(&r.lock);
    memory_free(r.done);
    if (r.no_memory)
        return report_no_memory(report, "samples");
    if (r.no_disk)
        return LITHE_FAIL(report, LITHE_IO, "the journal cannot be written: %s", strerror(errno));
    return r.ended ? LITHE_FAIL(report, LITHE_NOT_CONVERGED, "the samples were told to end")
                   : LITHE_OK;
}

// A number from (0, 1) that depends on the seed and the dimension.
static double shift_of(unsigned seed, int dimension)
{
    uint64_t z = (uint64_t)seed * 0x9e3779b97f4a7c15u + (uint64_t)dimension * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)(z >> 11) / 9007199254740992.0;
}

void samples_point(unsigned seed, int number, int n, double *out)
{
    static const int prime[SAMPLES_DIMENSIONS] = {2,  3,  5,  7,   11,  13,  17,  19,  23,  29, 31,
                                                  37, 41, 43, 47,  53,  59,  61,  67,  71,  73, 79,
                                                  83, 89, 97, 101, 103, 107, 109, 113, 127, 131};
    for (int d = 0; d < n; d++) {
        double value = 0, share = 1.0 / prime[d];
        for (int k = number + 1; k > 0; k /= prime[d], share /= prime[d])
            value += share * (k % prime[d]);
        value += shift_of(seed, d);
        out[d] = value - floor(value);
    }
}
