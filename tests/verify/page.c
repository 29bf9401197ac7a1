// docs/verification.md: what was verified at a glance, then case by case.
#include "table.h"

#include <math.h>
#include <string.h>

enum { LAST_CASE = 38 };

typedef struct about {
    const char *title;
    const char *applies; // to which elements and laws, and why to no others
} about;

static const about cases[LAST_CASE + 1] = {
    [1] = {"patch test", "Elements with a strain inside: solids with every law, beams, shells. A "
                         "spring or thread has one number, not a field."},
    [2] = {"rigid rotation", "Solids with every law; beams, shells, springs, threads and glue, "
                             "which have one law each."},
    [3] = {"manufactured solution", "Solids with every law. Beams and shells have no body force of "
                                    "this kind; beams under refinement are in cases 5 to 7."},
    [4] = {"cantilever", "Solids with every law (strains are small, so all laws are Hooke's "
                         "there), and beams. It is too thick for shells."},
    [5] = {"first bending frequency", "Solids and beams. At small strain all laws have the same "
                                      "stiffness, which case 4 shows, so one law is enough."},
    [6] = {"Euler buckling", "Solids with every law, and beams. It is too thick for shells."},
    [7] = {"elastica", "Solids with the corotational law, beams and shells. Strains reach 10 %, "
                       "where the moment of other laws is no longer proportional to the "
                       "curvature, which the truth takes for granted."},
    [8] = {"roll-up", "Beams, shells, solids with the corotational law, as the list says: other "
                      "laws are not linear in bending."},
    [9] = {"hollow sphere", "Solids; strains are small, where all laws are Hooke's."},
    [10] = {"hollow cylinder", "Solids; strains are small, where all laws are Hooke's."},
    [11] = {"neo-Hookean sphere", "Solids that do not lock, with the neo-Hookean law, which the "
                                  "truth is for."},
    [12] = {"neo-Hookean cylinder", "Solids that do not lock, with the neo-Hookean law, which the "
                                    "truth is for."},
    [13] = {"balloon", "Solids that do not lock, with the neo-Hookean law. Shells have Hooke's "
                       "law, which has no such limit point."},
    [14] = {"laws at a point", "The neo-Hookean law, and the other laws with the same two "
                               "deformations."},
    [15] = {"torsion", "Solids that do not lock, with the neo-Hookean law, which the truth is "
                       "for."},
    [16] = {"Cook's membrane", "Solids with every law: strains are small."},
    [17] = {"NAFEMS LE1 and LE10", "Solids. Strains are small, where all laws are Hooke's."},
    [18] = {"Hertz", "Solids in contact."},
    [19] = {"block on an incline", "Solids in contact."},
    [20] = {"capstan", "Beams in contact."},
    [21] = {"derivatives", "Solids with every law, beams, shells, springs, threads, glue, loads, "
                           "and every kind of row that has a gradient."},
    [22] = {"optimizers", "No elements."},
    [23] = {"balances", "Every element; at random shapes, so one law is enough."},
    [24] = {"threads", "Tetrahedra of every kind."},
    [25] = {"cantilever under its weight", "Linear tetrahedra with St Venant-Kirchhoff: the truth "
                                           "is that of one mesh."},
    [26] = {"contact patch test", "Solids in contact."},
    [27] = {"knife", "Solids in contact."},
    [28] = {"overhang", "Solids in contact."},
    [29] = {"Prony series", "Solids whose stress is the law's at their points, and hexahedra."},
    [30] = {"a can of liquid", "Shells as the walls of a cavity."},
    [31] = {"45 degree bend", "Beams."},
    [32] = {"thin shells", "Shells."},
    [33] = {"friction in motion", "Solids and rigid bodies in contact, both schemes."},
    [34] = {"energy in contact", "Solids in contact, both schemes."},
    [35] = {"rigid bodies and joints", "Rigid bodies."},
    [36] = {"rigid against stiff", "Rigid parts, and rigid bodies that soft ones are attached to."},
    [38] = {"ring that touches itself", "Solids in contact."},
};

typedef struct tally {
    int judged, shown, missed, failed;
    double worst; // error over gate of judged rows
} tally;

static tally count(const verify_table *table, int number)
{
    tally sum = {0};
    for (int i = 0; i < table->nrow; i++) {
        const table_row *r = &table->row[i];
        if (r->number != number)
            continue;
        if (isnan(r->gate)) {
            sum.shown++;
            continue;
        }
        sum.judged++;
        sum.missed += r->error > r->gate && r->error <= r->bound;
        sum.failed += !(r->error <= r->gate) && !(r->error <= r->bound);
        if (r->error <= r->gate && r->gate > 0)
            sum.worst = fmax(sum.worst, r->error / r->gate);
    }
    return sum;
}

static void write_verdict(FILE *file, const tally *sum)
{
    if (sum->failed)
        fprintf(file, " FAIL: %d |\n", sum->failed);
    else if (sum->missed)
        fprintf(file, " pass; linear tets miss %d |\n", sum->missed);
    else
        fprintf(file, " pass |\n");
}

static void write_summary(FILE *file, const verify_table *table)
{
    fprintf(file, "| # | case | applies to | rows judged | largest error over gate | verdict |\n"
                  "|---|---|---|---|---|---|\n");
    for (int number = 1; number <= LAST_CASE; number++) {
        tally sum = count(table, number);
        if (sum.judged + sum.shown == 0)
            continue;
        fprintf(file, "| %d | [%s](#case-%d) | %s | %d | %.2g |", number, cases[number].title,
                number, cases[number].applies, sum.judged, sum.worst);
        write_verdict(file, &sum);
    }
}

static void write_row(FILE *file, const table_row *r)
{
    fprintf(file, "| %s | %s | %.7g |", r->mesh, r->quantity, r->computed);
    if (isnan(r->expected))
        fprintf(file, " | |");
    else
        fprintf(file, " %.7g | %.2e |", r->expected, r->error);
    if (isnan(r->gate))
        fprintf(file, " |");
    else if (r->bound > r->gate)
        fprintf(file, " %g (bound %g) |", r->gate, r->bound);
    else
        fprintf(file, " %g |", r->gate);
    fprintf(file, " %s |\n", table_verdict(r));
}

static void write_case(FILE *file, const verify_table *table, int number)
{
    fprintf(file, "\n## Case %d\n\n%c%s.", number, cases[number].title[0] & ~0x20,
            cases[number].title + 1);
    for (int i = 0; i < table->nnote; i++)
        if (table->note_number[i] == number)
            fprintf(file, " %s", table->note[i]);
    fprintf(file, "\n\n");
    for (int i = 0; i < table->nplot; i++)
        if (table->plot[i].number == number)
            fprintf(file, "![%s](plots/%s.svg)\n\n", table->plot[i].what->title,
                    table->plot[i].what->name);
    fprintf(file, "| mesh | quantity | computed | expected | error | gate | verdict |\n"
                  "|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < table->nrow; i++)
        if (table->row[i].number == number)
            write_row(file, &table->row[i]);
}

double page_error(const char *page, const table_row *r)
{
    char mark[2 * MOST_TEXT + 64];
    snprintf(mark, sizeof mark, "\n## Case %d\n", r->number);
    const char *from = page ? strstr(page, mark) : NULL;
    const char *until = from ? strstr(from + 1, "\n## Case ") : NULL;
    snprintf(mark, sizeof mark, "\n| %s | %s | ", r->mesh, r->quantity);
    const char *row = from ? strstr(from, mark) : NULL;
    double computed, expected, error;
    if (!row || (until && row > until) ||
        sscanf(row + strlen(mark), "%lf | %lf | %lf |", &computed, &expected, &error) != 3 ||
        !(fabs(expected - r->expected) <= 1e-5 * fabs(expected)))
        return NAN;
    return error;
}

void page_write(FILE *file, const verify_table *table)
{
    fprintf(file,
            "<!-- Generated by make verify (tests/verify); edits are lost. -->\n"
            "# Verification\n\n"
            "Published truth against what Lithe computes. Numbers of cases, truths and gates are "
            "those of the project's list. `make verify`\n"
            "computes all of it, `build/tests/verify 11` one case. The error is relative, or "
            "absolute where the truth is 0. Rows that are\n"
            "only shown are coarser meshes on the way to the judged one. A gate that linear "
            "tetrahedra miss is said to be missed; such a\n"
            "row has a bound that refinement has brought it under, and fails beyond it.\n\n");
    write_summary(file, table);
    for (int number = 1; number <= LAST_CASE; number++) {
        tally sum = count(table, number);
        if (sum.judged + sum.shown > 0)
            write_case(file, table, number);
    }
}
