// experiments [--quick] [--update] [--out FILE] [LETTER ...]: prints the table, and writes it to
// docs/experiments.md when every experiment was done in full and no other file was named. With
// --update only the chosen experiments' lines are written anew, and the others' stay. Ends with 1
// if any judged row fails.
#include "experiments.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_ROWS = 512, MOST_NOTES = 64, MOST_TEXT = 112, MOST_NOTE = 4096 };

typedef struct table_row {
    char letter;
    const char *name;
    char quantity[MOST_TEXT], paper[MOST_TEXT], expected[MOST_TEXT], ours[MOST_TEXT];
    double error, gate;
    char unit[16];
} table_row;

struct table {
    char letter;
    const char *name;
    bool quick;
    int nrow;
    table_row row[MOST_ROWS];
    int nnote;
    char note_letter[MOST_NOTES];
    char note[MOST_NOTES][MOST_NOTE];
    bool failed;
};

static const struct {
    char letter;
    void (*run)(table *t);
} all[] = {
    {'a', experiment_cables},       {'b', experiment_pressures},
    {'c', experiment_moduli},       {'d', experiment_workspace},
    {'e', experiment_chatter},      {'f', experiment_arm},
    {'g', experiment_realtime},     {'h', experiment_methods},
    {'i', experiment_refinement},   {'j', experiment_laws},
    {'k', experiment_circle},       {'l', experiment_accordion},
    {'m', experiment_shapes},       {'n', experiment_freely},
    {'o', experiment_robustness},   {'p', experiment_lever},
    {'q', experiment_rod},          {'r', experiment_trunk},
    {'s', experiment_fork},         {'t', experiment_organ},
    {'u', experiment_contact_long}, {'v', experiment_finger},
    {'w', experiment_tower},        {'x', experiment_ball},
    {'y', experiment_long},         {'z', experiment_tentacle},
    {'A', experiment_models},       {'B', experiment_estimate},
    {'C', experiment_loop},         {'D', experiment_bound},
    {'E', experiment_inversion},    {'F', experiment_deflect},
    {'G', experiment_regions},      {'H', experiment_reduced},
    {'I', experiment_module},       {'J', experiment_module_points},
    {'K', experiment_module_paths}, {'L', experiment_modules_paths},
    {'M', experiment_positions},    {'N', experiment_reduced_contact},
    {'O', experiment_module_beam},  {'P', experiment_snake},
    {'Q', experiment_module_speed}, {'R', experiment_modules_other},
};

enum { NEXPERIMENT = sizeof all / sizeof *all };

const char *text(const char *format, ...)
{
    enum { SLOTS = 24 };
    static char slot[SLOTS][MOST_TEXT];
    static int next;
    va_list args;
    next = (next + 1) % SLOTS;
    va_start(args, format);
    vsnprintf(slot[next], sizeof slot[next], format, args);
    va_end(args);
    return slot[next];
}

void table_experiment(table *t, char letter, const char *name)
{
    t->letter = letter;
    t->name = name;
}

bool table_quick(const table *t)
{
    return t->quick;
}

static const char *verdict(const table_row *r)
{
    return isnan(r->gate) ? "shown" : r->error <= r->gate ? "pass" : "FAIL";
}

static const char *measured(double value, const char *unit)
{
    return isnan(value) ? "" : text("%.2g%s%s", value, *unit ? " " : "", unit);
}

static void copy(char to[MOST_TEXT], const char *from)
{
    snprintf(to, MOST_TEXT, "%s", from ? from : "");
}

void table_add(table *t, finding row)
{
    if (t->nrow == MOST_ROWS) {
        t->failed = true;
        return;
    }
    table_row *r = &t->row[t->nrow++];
    *r = (table_row){.letter = t->letter, .name = t->name, .error = row.error, .gate = row.gate};
    copy(r->quantity, row.quantity);
    copy(r->paper, row.paper);
    copy(r->expected, row.expected);
    copy(r->ours, row.ours);
    snprintf(r->unit, sizeof r->unit, "%s", row.unit ? row.unit : "");
    t->failed = t->failed || (!isnan(r->gate) && !(r->error <= r->gate));
    printf("%c  %-22s  %-62s  %-22s  %-14s  %-26s  %-12s  %-10s  %s\n", r->letter, r->name,
           r->quantity, r->paper, r->expected, r->ours, measured(r->error, r->unit),
           measured(r->gate, r->unit), verdict(r));
    fflush(stdout);
}

void table_note(table *t, const char *format, ...)
{
    va_list args;
    if (t->nnote == MOST_NOTES)
        return;
    t->note_letter[t->nnote] = t->letter;
    va_start(args, format);
    vsnprintf(t->note[t->nnote], MOST_NOTE, format, args);
    va_end(args);
    printf("%c  %s\n", t->letter, t->note[t->nnote++]);
}

// It stands in the table, so that a page is not left with what an older one found.
void table_broken(table *t, const char *format, ...)
{
    char why[MOST_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    table_add(t, (finding){.quantity = text("broken off: %s", why), .error = INFINITY, .gate = 0});
}

// Lines of an older table that begin with this.
static void keep_lines(FILE *file, const char *old, const char *beginning)
{
    for (const char *line = old, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        if (strncmp(line, beginning, strlen(beginning)) == 0)
            fwrite(line, 1, (size_t)(end - line), file);
    }
}

static bool was_done(const table *t, char letter)
{
    for (int i = 0; i < t->nrow; i++)
        if (t->row[i].letter == letter)
            return true;
    return false;
}

static void write_rows(FILE *file, const table *t, char letter, const char *old)
{
    if (!was_done(t, letter))
        keep_lines(file, old, text("| %c |", letter));
    for (int i = 0; i < t->nrow; i++) {
        const table_row *r = &t->row[i];
        if (r->letter == letter)
            fprintf(file, "| %c | %s | %s | %s | %s | %s | %s | %s | %s |\n", r->letter, r->name,
                    r->quantity, r->paper, r->expected, r->ours, measured(r->error, r->unit),
                    measured(r->gate, r->unit), verdict(r));
    }
}

static void write_notes(FILE *file, const table *t, char letter, const char *old)
{
    if (!was_done(t, letter))
        keep_lines(file, old, text("- %c:", letter));
    for (int i = 0; i < t->nnote; i++)
        if (t->note_letter[i] == letter)
            fprintf(file, "- %c: %s\n", letter, t->note[i]);
}

static void write_table(FILE *file, const table *t, const char *old)
{
    fprintf(file,
            "<!-- Generated by make experiments (tests/experiments); edits are lost. -->\n"
            "# Experiments\n\n"
            "The papers' experiments, done again. Where the papers compare their inverse "
            "with their own forward model,\n"
            "so do we; where they compare it with a machine, the paper's figure stands beside ours "
            "as a reminder of what a\n"
            "model is worth, not as a rival. Papers are named as in [references](references.md). A "
            "row without a gate is only\n"
            "shown.\n\n"
            "| | experiment | quantity | paper | expected | ours | error | gate | verdict |\n"
            "|---|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < NEXPERIMENT; i++)
        write_rows(file, t, all[i].letter, old);
    fprintf(file, "\n## How\n\n");
    for (int i = 0; i < NEXPERIMENT; i++)
        write_notes(file, t, all[i].letter, old);
}

// The text of a file; NULL: it cannot be read.
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    char *all_of_it = NULL, part[4096];
    size_t size = 0, n;
    FILE *whole = file ? open_memstream(&all_of_it, &size) : NULL;
    while (whole && (n = fread(part, 1, sizeof part, file)) > 0)
        fwrite(part, 1, n, whole);
    if (whole)
        fclose(whole);
    if (file)
        fclose(file);
    return all_of_it;
}

// Whole or not at all: the table takes its place when it is on the disk.
static bool save_table(const char *path, const table *t, bool update)
{
    char temporary[1024];
    snprintf(temporary, sizeof temporary, "%s.partial-%ld", path, (long)getpid());
    FILE *file = fopen(temporary, "w");
    if (!file) {
        perror(temporary);
        return false;
    }
    char *old = update ? read_text(path) : NULL;
    write_table(file, t, old ? old : "");
    free(old);
    bool good = !ferror(file) && fflush(file) == 0 && fsync(fileno(file)) == 0;
    good = fclose(file) == 0 && good && rename(temporary, path) == 0;
    if (!good) {
        perror(path);
        remove(temporary);
    }
    return good;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_experiment(char letter)
{
    for (int i = 0; i < NEXPERIMENT; i++)
        if (all[i].letter == letter)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    static table t;
    char chosen[NEXPERIMENT + 1] = "";
    const char *out = NULL;
    bool update = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0)
            t.quick = true;
        else if (strcmp(argv[i], "--update") == 0)
            update = true;
        else if (strcmp(argv[i], "--out") == 0 && i + 1 < argc)
            out = argv[++i];
        else if (strlen(argv[i]) == 1 && is_experiment(argv[i][0]) && strlen(chosen) < NEXPERIMENT)
            chosen[strlen(chosen)] = argv[i][0];
        else {
            fprintf(stderr, "usage: experiments [--quick] [--update] [--out FILE] [LETTER ...]\n");
            return 2;
        }
    }
    if (!out && !t.quick && (update || !*chosen))
        out = "docs/experiments.md";
    for (int i = 0; i < NEXPERIMENT; i++) {
        double start = now();
        if (*chosen && !strchr(chosen, all[i].letter))
            continue;
        int nrow = t.nrow;
        all[i].run(&t);
        if (t.nrow == nrow)
            table_broken(&t, "nothing of it was computed");
        printf("%c  took %.1f s\n", all[i].letter, now() - start);
    }
    if (out && !save_table(out, &t, update))
        return 3;
    printf("%s\n", t.failed ? "FAILED" : "as expected");
    return t.failed ? 1 : 0;
}
