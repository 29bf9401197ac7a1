// verify [--out FILE | --quick PAGE] [--but] [CASE ...]: prints the table, and writes it to
// docs/verification.md with its plots beside it when every case was run and no other file was
// named.
// --quick: coarse meshes alone, of every case, whose errors may not be larger than those on the
// page of the last whole run. Ends with 1 if any judged row fails.
#include "table.h"

#include "base/clock.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    int number;
    void (*run)(verify_table *table);
} cases[] = {
    // by number, so that the page grows in its order
    {1, verify_patch},          {2, verify_rotation},         {3, verify_manufactured},
    {4, verify_cantilever},     {4, verify_rod_cantilever},   {5, verify_frequency},
    {6, verify_buckling},       {6, verify_rod_buckling},     {7, verify_elastica},
    {7, verify_rod_elastica},   {7, verify_shell_cantilever}, {8, verify_roll_up},
    {8, verify_rod_roll_up},    {9, verify_sphere},           {10, verify_cylinder},
    {11, verify_rubber_sphere}, {12, verify_rubber_cylinder}, {13, verify_balloon},
    {14, verify_points},        {15, verify_torsion},         {16, verify_cook},
    {17, verify_nafems},        {18, verify_hertz},           {18, verify_soft_balls},
    {19, verify_incline},       {20, verify_capstan},         {21, verify_derivatives},
    {22, verify_optimizers},    {23, verify_balances},        {23, verify_collision},
    {24, verify_threads},       {25, verify_gravity},         {29, verify_prony},
    {30, verify_liquid},        {26, verify_contact_patch},   {27, verify_knife},
    {28, verify_overhang},      {31, verify_rod_bow},         {32, verify_shells},
    {33, verify_rolling},       {33, verify_rigid_rolling},   {34, verify_energy},
    {35, verify_rigid},         {36, verify_attached},        {38, verify_ring},
};

enum { NCASE = sizeof cases / sizeof *cases };

void verify_case(verify_table *table, int number, const char *name)
{
    table->number = number;
    table->name = name;
    table->mesh[0] = '\0';
    table->left_out = false;
}

void verify_mesh(verify_table *table, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(table->mesh, sizeof table->mesh, format, args);
    va_end(args);
}

const char *table_verdict(const table_row *r)
{
    if (isnan(r->gate))
        return "shown";
    if (r->error <= r->gate)
        return "pass";
    return r->error <= r->bound ? "linear tets: gate missed, bound held" : "FAIL";
}

static void print_row(const char *name, const table_row *r)
{
    char gate[64] = "-";
    if (!isnan(r->gate))
        snprintf(gate, sizeof gate, r->bound > r->gate ? "%g (bound %g)" : "%g", r->gate, r->bound);
    printf("%3d  %-28s  %-44s  %-28s  %14.7g  %14.7g  %9.2e  %-20s  %s\n", r->number, name,
           r->quantity, r->mesh, r->computed, r->expected, r->error, gate, table_verdict(r));
    fflush(stdout);
}

void verify_bound(verify_table *table, const char *quantity, double computed, double expected,
                  double gate, double bound)
{
    if (isnan(computed) && table->left_out)
        return;
    if (table->nrow == MOST_ROWS) {
        verify_broken(table, "the table is full");
        return;
    }
    table_row *r = &table->row[table->nrow++];
    *r = (table_row){.number = table->number};
    memcpy(r->mesh, table->mesh, sizeof r->mesh);
    snprintf(r->quantity, sizeof r->quantity, "%s", quantity);
    r->computed = computed;
    r->expected = expected;
    r->error = expected == 0 ? fabs(computed) : fabs(computed / expected - 1);
    r->gate = gate;
    r->bound = bound;
    bool bad = !isnan(gate) && !(r->error <= gate) && !(r->error <= bound);
    table->failed = table->failed || bad || !isfinite(computed);
    print_row(table->name, r);
    double before = page_error(table->page, r);
    if (r->error > 1.1 * before + 1e-6) {
        printf("     FAIL: the error was %.2e\n", before);
        table->failed = true;
    }
}

void verify_gate(verify_table *table, const char *quantity, double computed, double expected,
                 double gate)
{
    verify_bound(table, quantity, computed, expected, gate, gate);
}

void verify_show(verify_table *table, const char *quantity, double computed, double expected)
{
    verify_bound(table, quantity, computed, expected, NAN, NAN);
}

void verify_row(verify_table *table, bool judged, const char *quantity, double computed,
                double expected, double gate)
{
    if (judged)
        verify_gate(table, quantity, computed, expected, gate);
    else
        verify_show(table, quantity, computed, expected);
}

void verify_note(verify_table *table, const char *text)
{
    if (table->nnote == MOST_NOTES)
        return;
    table->note_number[table->nnote] = table->number;
    table->note[table->nnote++] = text;
}

void verify_broken(verify_table *table, const char *why)
{
    if (strcmp(why, VERIFY_LEFT_OUT) == 0) {
        table->left_out = true;
        return;
    }
    printf("%3d  %s: %s\n", table->number, table->name, why);
    table->failed = true;
}

static table_plot *find_plot(verify_table *table, const verify_plot *what)
{
    for (int i = 0; i < table->nplot; i++)
        if (table->plot[i].what == what)
            return &table->plot[i];
    if (table->nplot == MOST_PLOTS)
        return NULL;
    table->plot[table->nplot] = (table_plot){.number = table->number, .what = what};
    return &table->plot[table->nplot++];
}

static table_curve *find_curve(table_plot *plot, const char *name)
{
    for (int i = 0; i < plot->ncurve; i++)
        if (strcmp(plot->curve[i].name, name) == 0)
            return &plot->curve[i];
    if (plot->ncurve == MOST_CURVES)
        return NULL;
    table_curve *curve = &plot->curve[plot->ncurve++];
    snprintf(curve->name, sizeof curve->name, "%s", name);
    return curve;
}

void verify_point(verify_table *table, const verify_plot *what, const char *name, double x,
                  double error)
{
    table_plot *plot = find_plot(table, what);
    table_curve *curve = plot ? find_curve(plot, name) : NULL;
    if (isnan(error) && table->left_out)
        return;
    if (!curve || curve->n == MOST_POINTS) {
        verify_broken(table, "the plot is full");
        return;
    }
    curve->x[curve->n] = x;
    curve->error[curve->n++] = fabs(error);
}

// Whole or not at all: a file takes its place when it is on the disk. plot: NULL: the page.
static bool save(const char *path, const verify_table *table, const table_plot *plot)
{
    char temporary[1024];
    snprintf(temporary, sizeof temporary, "%s.partial-%ld", path, (long)getpid());
    FILE *file = fopen(temporary, "w");
    if (!file) {
        perror(temporary);
        return false;
    }
    if (plot)
        plot_write(file, plot);
    else
        page_write(file, table);
    bool good = !ferror(file) && fflush(file) == 0 && fsync(fileno(file)) == 0;
    good = fclose(file) == 0 && good && rename(temporary, path) == 0;
    if (!good) {
        perror(path);
        remove(temporary);
    }
    return good;
}

// The page, and its plots in a folder beside it.
static bool save_all(const char *out, const verify_table *table)
{
    char path[1024];
    const char *slash = strrchr(out, '/');
    int length = slash ? (int)(slash - out + 1) : 0;
    snprintf(path, sizeof path, "%.*splots", length, out);
    bool good = mkdir(path, 0777) == 0 || access(path, W_OK) == 0;
    for (int i = 0; good && i < table->nplot; i++) {
        snprintf(path, sizeof path, "%.*splots/%s.svg", length, out, table->plot[i].what->name);
        good = save(path, table, &table->plot[i]);
    }
    return good && save(out, table, NULL);
}

// but: all except the chosen ones.
static bool wanted(int number, int nchosen, const int *chosen, bool but)
{
    for (int i = 0; i < nchosen; i++)
        if (chosen[i] == number)
            return !but;
    return nchosen == 0 || but;
}

enum { QUICK = 4000 }; // degrees of freedom

static bool prepare_quick(verify_table *table, const char *path)
{
    FILE *file = fopen(path, "r");
    size_t size = 0;
    if (!file || getdelim(&table->page, &size, '\0', file) < 0) {
        perror(path);
        return false;
    }
    fclose(file);
    verify_limit = QUICK;
    return true;
}

int main(int argc, char **argv)
{
    static verify_table table;
    int chosen[64], nchosen = 0;
    const char *out = NULL, *quick = NULL;
    bool but = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--out") == 0 && i + 1 < argc)
            out = argv[++i];
        else if (strcmp(argv[i], "--quick") == 0 && i + 1 < argc)
            quick = argv[++i];
        else if (strcmp(argv[i], "--but") == 0)
            but = true;
        else if (atoi(argv[i]) > 0 && nchosen < 64)
            chosen[nchosen++] = atoi(argv[i]);
        else {
            fprintf(stderr, "usage: verify [--out FILE | --quick PAGE] [--but] [CASE ...]\n");
            return 2;
        }
    }
    if (quick && (out || !prepare_quick(&table, quick)))
        return 2;
    if (!out && !quick && nchosen == 0)
        out = "docs/verification.md";
    double begin = clock_now();
    for (int i = 0; i < NCASE; i++) {
        double start = clock_now();
        if (!wanted(cases[i].number, nchosen, chosen, but))
            continue;
        int nrow = table.nrow;
        cases[i].run(&table);
        if (table.nrow == nrow)
            verify_broken(&table, "nothing of it was computed");
        printf("     %.1f s\n", clock_now() - start);
    }
    if (out && !save_all(out, &table))
        return 3;
    free(table.page);
    printf("%s in %.0f s\n", table.failed ? "FAILED" : "verified", clock_now() - begin);
    return table.failed ? 1 : 0;
}
