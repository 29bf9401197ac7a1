#include "study/observations.h"

#include "base/memory.h"
#include "base/quote.h"
#include "base/status.h"
#include "io/number.h"
#include "scene/actuator_quantity.h"
#include "scene/csv.h"
#include "study/observations_head.h"
#include "study/tolerances.h"

#include <math.h>
#include <string.h>

static double *values_of(const lithe_observations *o, int line)
{
    return o->value + (size_t)line * (size_t)o->ncolumn;
}

static lithe_status read_field(study *s, const lithe_observations *o, int number, int column,
                               const char *field)
{
    const lithe_column *c = &o->column[column];
    double value = NAN;
    if (!*field && !lithe_column_is_measured(c) && c->kind != LITHE_COLUMN_IGNORED)
        return observe_fail(s, o, number, column + 1,
                            "a value is missing; only what is measured may be left out");
    if (*field && !csv_number(field, &value))
        return observe_fail(s, o, number, column + 1, "'%s' is not a finite number", QUOTE(field));
    if (c->kind == LITHE_COLUMN_SIGMA && !(value > 0))
        return observe_fail(s, o, number, column + 1, "a standard deviation is above 0, not %g",
                            value);
    values_of(o, o->nline)[column] = value * c->si;
    return LITHE_OK;
}

// Commands within the actuators' limits, and at least one measurement.
static lithe_status check_line(study *s, const lithe_observations *o, int number)
{
    const lithe_def *def = lithe_scene_def(s->scene);
    const double *value = values_of(o, o->nline);
    int measured = 0;
    for (int i = 0; i < o->ncolumn; i++) {
        const lithe_column *c = &o->column[i];
        measured += lithe_column_is_measured(c) && !isnan(value[i]);
        if (c->kind != LITHE_COLUMN_COMMAND)
            continue;
        lithe_report why = lithe_report_default();
        double all[3] = {value[i], value[i], value[i]};
        if (command_check_limits(&def->actuator[c->thing], c->command, all, &why) != LITHE_OK)
            return observe_fail(s, o, number, i + 1, "%s", why.error);
    }
    if (measured == 0)
        return observe_fail(s, o, number, 0, "this line observes nothing; remove it");
    return LITHE_OK;
}

// A line of a series that does not carry the whole load is no pose of the robot.
static bool is_on_the_way(const lithe_observations *o)
{
    for (int i = 0; i < o->ncolumn; i++)
        if (o->column[i].kind == LITHE_COLUMN_LOAD &&
            !(values_of(o, o->nline)[i] > 1 - STUDY_WHOLE_LOAD))
            return true;
    return false;
}

static lithe_status read_line(study *s, lithe_observations *o, int number, char *line)
{
    int column = 0;
    for (char *rest = line, *field; (field = csv_take_field(&rest)); column++)
        if (column < o->ncolumn)
            LITHE_TRY(read_field(s, o, number, column, field));
    if (column != o->ncolumn)
        return observe_fail(s, o, number, column < o->ncolumn ? column + 1 : o->ncolumn + 1,
                            "this line has %d values, but there are %d columns", column,
                            o->ncolumn);
    if (is_on_the_way(o))
        return LITHE_OK;
    LITHE_TRY(check_line(s, o, number));
    o->number[o->nline++] = number;
    return LITHE_OK;
}

static bool is_empty(const char *line)
{
    return !line[strspn(line, " \t")];
}

static lithe_status create_lines(study *s, lithe_observations *o, const char *text)
{
    size_t lines = 1;
    for (const char *c = text; (c = strchr(c, '\n')); c++)
        lines++;
    if (lines > OBSERVE_LINES_MAX + 1)
        return LITHE_FAIL(
            s->report, LITHE_INVALID,
            "%s: there are more than %d lines; each costs a run of the model, so thin "
            "them out",
            o->path, OBSERVE_LINES_MAX);
    o->number = arena_new(&s->memory, lines, int);
    o->group = arena_new(&s->memory, lines, int);
    o->value = arena_new(&s->memory, lines * (size_t)o->ncolumn, double);
    if (!o->number || !o->group || !o->value)
        return report_no_memory(s->report, "the observations");
    return LITHE_OK;
}

static lithe_status read_lines(study *s, lithe_observations *o, char *rest)
{
    int number = 1, empty = 0;
    LITHE_TRY(create_lines(s, o, rest));
    for (char *line; (line = csv_take_line(&rest));) {
        number++;
        if (is_empty(line)) {
            empty = empty ? empty : number;
            continue;
        }
        if (empty)
            return observe_fail(s, o, empty, 0, "this line is empty, but more follow; remove it");
        LITHE_TRY(read_line(s, o, number, line));
    }
    return o->nline > 0 ? LITHE_OK : observe_fail(s, o, number, 0, "there is no observation");
}

static double sigma_of(const lithe_observations *o, int line, quantity_dimension d)
{
    for (int i = 0; i < o->ncolumn; i++)
        if (o->column[i].kind == LITHE_COLUMN_SIGMA && o->column[i].dimension == d)
            return values_of(o, line)[i];
    return 1;
}

static lithe_status collect(study *s, lithe_observations *o)
{
    o->datum = arena_new(&s->memory, (size_t)o->nline * (size_t)o->ncolumn, lithe_datum);
    if (!o->datum)
        return report_no_memory(s->report, "the observations");
    for (int line = 0; line < o->nline; line++)
        for (int i = 0; i < o->ncolumn; i++) {
            const lithe_column *c = &o->column[i];
            double value = values_of(o, line)[i];
            if (lithe_column_is_measured(c) && !isnan(value))
                o->datum[o->ndatum++] =
                    (lithe_datum){line, i, value, sigma_of(o, line, c->dimension)};
        }
    return LITHE_OK;
}

static bool same_scene(const lithe_observations *o, int a, int b)
{
    for (int i = 0; i < o->ncolumn; i++)
        if (o->column[i].kind == LITHE_COLUMN_SET && values_of(o, a)[i] != values_of(o, b)[i])
            return false;
    return true;
}

static void find_groups(lithe_observations *o)
{
    for (int line = 0; line < o->nline; line++) {
        int like = 0;
        while (!same_scene(o, line, like))
            like++;
        o->group[line] = like == line ? o->ngroup++ : o->group[like];
    }
}

static lithe_status parse(study *s, lithe_observations *o, char *text)
{
    static const char mark[] = "\xef\xbb\xbf"; // of UTF-8, which spreadsheets write
    char *rest = text + (strncmp(text, mark, 3) == 0 ? 3 : 0);
    char *head = csv_take_line(&rest);
    if (!head || is_empty(head))
        return observe_fail(s, o, 1, 0,
                            "the first line must name the columns, such as north.pull_mm,tip.x_mm");
    LITHE_TRY(observe_head(s, o, head));
    LITHE_TRY(read_lines(s, o, rest));
    find_groups(o);
    return collect(s, o);
}

bool lithe_column_is_measured(const lithe_column *c)
{
    return c->kind == LITHE_COLUMN_EFFECTOR || c->kind == LITHE_COLUMN_SENSOR;
}

lithe_status observe_read(study *s, bool readings, lithe_observations *o)
{
    char *text;
    *o = (lithe_observations){.path = arena_strdup(&s->memory, s->def.data), .readings = readings};
    if (!o->path)
        return report_no_memory(s->report, "the observations");
    LITHE_TRY(csv_load(o->path, &text, s->report));
    lithe_status status = parse(s, o, text);
    memory_free(text);
    return status;
}

// One that stands by itself.
typedef struct own_table {
    lithe_observations out;
    study study;
} own_table;

lithe_status lithe_observations_read(const lithe_scene *scene, const char *path, bool readings,
                                     lithe_observations **out, lithe_report *report)
{
    *out = NULL;
    own_table *t = memory_alloc(sizeof *t);
    if (!t)
        return report_no_memory(report, "the observations");
    *t = (own_table){.study = {.report = report, .scene = scene, .def = {.data = path}}};
    lithe_status status = observe_read(&t->study, readings, &t->out);
    if (status == LITHE_OK)
        *out = &t->out;
    else
        lithe_observations_free(&t->out);
    return status;
}

void lithe_observations_free(lithe_observations *observations)
{
    own_table *t = (own_table *)observations; // its first member
    if (!t)
        return;
    arena_free(&t->study.memory);
    memory_free(t);
}

const char *observe_override(arena *memory, const lithe_observations *o, int line, int column)
{
    char text[NUMBER_TEXT];
    const lithe_column *c = &o->column[column];
    return arena_format(memory, "%s=%s%s%s", c->path, number_text(values_of(o, line)[column], text),
                        *c->unit ? " " : "", c->unit);
}
