#include "app/calibration.h"

#include "app/show.h"
#include "io/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Adds to a text that has room for CALIBRATION_TEXT.
#define ADD(text, ...) snprintf((text) + strlen(text), CALIBRATION_TEXT - strlen(text), __VA_ARGS__)

static const lithe_column *column_of(const calibration *c, int datum)
{
    return &c->found->data->column[c->found->data->datum[datum].column];
}

// Model minus datum, SI.
static double residual_of(const calibration *c, int datum)
{
    return c->found->residual[datum] * c->found->data->datum[datum].sigma;
}

static bool one_dimension(const calibration *c)
{
    for (int i = 0; i < c->found->data->ndatum; i++)
        if (column_of(c, i)->dimension != column_of(c, 0)->dimension)
            return false;
    return true;
}

static double rms(const calibration *c, bool weighted)
{
    double sum = 0;
    for (int i = 0; i < c->found->data->ndatum; i++)
        sum += pow(weighted ? c->found->residual[i] : residual_of(c, i), 2);
    return sqrt(sum / c->found->data->ndatum);
}

static int largest(int n, const double *value)
{
    int most = 0;
    for (int i = 1; i < n; i++)
        if (fabs(value[i]) > fabs(value[most]))
            most = i;
    return most;
}

static int next_member(const calibration *c, const lithe_blind *b, int j)
{
    while (j < c->found->nparameter && !b->member[j])
        j++;
    return j;
}

static const char *separator(const calibration *c, const lithe_blind *b, int j, bool first)
{
    bool last = next_member(c, b, j + 1) >= c->found->nparameter;
    return first ? "" : last ? " and " : ", ";
}

// "'a', 'b' and 'c'"; returns how many.
static int add_names(const calibration *c, const lithe_blind *b, char *text)
{
    int n = 0;
    for (int j = next_member(c, b, 0); j < c->found->nparameter; j = next_member(c, b, j + 1), n++)
        ADD(text, "%s'%s'", separator(c, b, j, n == 0), c->found->parameter[j].path);
    return n;
}

// Of two logarithms that go up and down together, only the ratio is known.
static const char *known_combination(const calibration *c, const lithe_blind *b)
{
    int i = next_member(c, b, 0), j = next_member(c, b, i + 1);
    if (j >= c->found->nparameter || next_member(c, b, j + 1) < c->found->nparameter ||
        !b->numerical || !c->found->parameter[i].logarithmic || !c->found->parameter[j].logarithmic)
        return NULL;
    double share = b->change[j] / b->change[i];
    return fabs(share + 1) < 0.01 ? "product" : fabs(share - 1) < 0.01 ? "ratio" : NULL;
}

static void add_changes(const calibration *c, const lithe_blind *b, bool alone, char *text)
{
    bool first = true;
    for (int j = next_member(c, b, 0); j < c->found->nparameter; j = next_member(c, b, j + 1)) {
        const char *verb = b->change[j] > 0 ? "rises" : "falls";
        ADD(text, "%s", separator(c, b, j, first));
        if (alone)
            ADD(text, "it %s by ", verb);
        else
            ADD(text, "'%s' %s by ", c->found->parameter[j].path, verb);
        if (c->found->parameter[j].logarithmic)
            ADD(text, "%.3g %%", 100 * fabs(expm1(b->change[j])));
        else
            ADD(text, "%.3g %s", fabs(b->change[j]) * c->found->parameter[j].scale,
                c->found->parameter[j].unit);
        first = false;
    }
}

const char *calibration_blind_text(const calibration *c, const lithe_blind *b,
                                   char text[CALIBRATION_TEXT])
{
    char effect[SHOW_TEXT], scatter[SHOW_TEXT];
    int most = largest(c->found->data->ndatum, b->effect);
    double sigma = c->found->data->datum[most].sigma;
    quantity_dimension d = column_of(c, most)->dimension;
    *text = 0;
    bool alone = add_names(c, b, text) == 1;
    ADD(text, " cannot be told%s: ", alone ? " from these data" : " apart");
    if (known_combination(c, b))
        ADD(text, "only their %s is known; ", known_combination(c, b));
    ADD(text, "no observation changes by more than %s when ",
        show_value(d, fabs(b->effect[most]) * sigma, effect));
    add_changes(c, b, alone, text);
    if (!b->numerical)
        ADD(text, ", and they scatter by %s", show_value(d, c->found->spread * sigma, scatter));
    return text;
}

static void write_parameter(json *j, const calibration *c, int k)
{
    const lithe_parameter *u = &c->found->parameter[k];
    static const char *const ends[] = {"low", NULL, "high"};
    const char *end = ends[u->at_bound + 1];
    json_begin_object(j, u->path);
    json_number(j, "value", u->value);
    json_string(j, "unit", u->unit);
    json_number(j, "value_si", u->value * u->si);
    double interval[2] = {u->low, u->high};
    if (isnan(interval[0]))
        json_null(j, "interval");
    else
        json_numbers(j, "interval", 2, interval);
    json_bool(j, "told", !u->open);
    if (end)
        json_string(j, "at_bound", end);
    else
        json_null(j, "at_bound");
    json_number(j, "start", u->start);
    json_end_object(j);
}

static void write_open(json *j, const calibration *c)
{
    char text[CALIBRATION_TEXT];
    json_begin_array(j, "cannot_be_told");
    for (int i = 0; i < c->found->nblind; i++) {
        const lithe_blind *b = &c->found->blind[i];
        json_begin_object(j, NULL);
        json_begin_array(j, "parameters");
        for (int k = next_member(c, b, 0); k < c->found->nparameter; k = next_member(c, b, k + 1))
            json_string(j, NULL, c->found->parameter[k].path);
        json_end_array(j);
        json_string(j, "text", calibration_blind_text(c, b, text));
        json_end_object(j);
    }
    json_end_array(j);
}

static void write_residual(json *j, const calibration *c)
{
    const lithe_calibration *r = c->found;
    bool one = one_dimension(c);
    int most = largest(c->found->data->ndatum, r->residual);
    json_begin_object(j, "residual");
    json_number(j, "rms", one ? rms(c, false) : NAN);
    json_number(j, "max", one ? fabs(residual_of(c, most)) : NAN);
    json_string(j, "unit", one ? quantity_si_unit(column_of(c, 0)->dimension) : "");
    json_number(j, "rms_in_sigmas", c->found->data->weighted ? rms(c, true) : NAN);
    json_integer(j, "degrees_of_freedom", r->dof);
    json_number(j, "chance", r->chance);
    json_end_object(j);
}

// Residuals in the units of their columns.
static void write_observations(json *j, const calibration *c)
{
    const lithe_observations *o = c->found->data;
    json_begin_array(j, "observations");
    for (int line = 0, i = 0; line < o->nline; line++) {
        json_begin_object(j, NULL);
        json_integer(j, "line", o->number[line]);
        json_begin_object(j, "residual");
        for (; i < o->ndatum && o->datum[i].line == line; i++)
            json_number(j, column_of(c, i)->name, residual_of(c, i) / column_of(c, i)->si);
        json_end_object(j);
        json_end_object(j);
    }
    json_end_array(j);
}

static void write_all(json *j, const calibration *c)
{
    const lithe_calibration *r = c->found;
    json_begin_object(j, NULL);
    json_string(j, "scene", c->session->options.scene);
    json_string(j, "version", lithe_version());
    json_string(j, "data", c->found->data->path);
    json_integer(j, "measurements", c->found->data->ndatum);
    json_integer(j, "threads", c->session->options.threads);
    json_bool(j, "converged", r->converged);
    json_integer(j, "iterations", r->iteration);
    json_integer(j, "evaluations", r->nevaluation);
    json_begin_object(j, "parameters");
    for (int k = 0; k < c->found->nparameter; k++)
        write_parameter(j, c, k);
    json_end_object(j);
    write_residual(j, c);
    json_numbers(j, "singular_values", c->found->nparameter, r->singular);
    write_open(j, c);
    write_observations(j, c);
    json_end_object(j);
}

char *calibration_json(const calibration *c)
{
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return NULL;
    json j = {.out = memory};
    write_all(&j, c);
    bool whole = !ferror(memory);
    if (fclose(memory) == 0 && whole)
        return text;
    free(text);
    return NULL;
}

static void print_parameter(const calibration *c, int k, int width)
{
    static const char *const ends[] = {"at its lower bound", "", "at its upper bound"};
    const lithe_parameter *u = &c->found->parameter[k];
    printf("  %-*s  %.6g %s", width, u->path, u->value, u->unit);
    if (u->open)
        printf("  (cannot be told)\n");
    else if (u->at_bound)
        printf("  (%s)\n", ends[u->at_bound + 1]);
    else if (isnan(u->low))
        printf("  (no interval)\n");
    else
        printf("  (%.6g to %.6g)\n", u->low, u->high);
}

static void print_residual(const calibration *c, int width)
{
    char mean[SHOW_TEXT], most[SHOW_TEXT];
    int i = largest(c->found->data->ndatum, c->found->residual);
    const lithe_column *column = column_of(c, i);
    show_value(column->dimension, fabs(residual_of(c, i)), most);
    if (one_dimension(c))
        show_value(column->dimension, rms(c, false), mean);
    else
        snprintf(mean, sizeof mean, "%.3g sigma", rms(c, true));
    printf("  %-*s  %s rms, at most %s (line %d, %s)\n", width, "residual", mean, most,
           c->found->data->number[c->found->data->datum[i].line], column->name);
}

void calibration_print(const calibration *c)
{
    const lithe_calibration *r = c->found;
    int width = (int)strlen("residual");
    for (int k = 0; k < c->found->nparameter; k++)
        width = (int)fmax(width, (double)strlen(c->found->parameter[k].path));
    printf("%s: %d value%s from %d measurements in %d observations, %s after %d iterations\n",
           c->session->options.scene, c->found->nparameter, c->found->nparameter == 1 ? "" : "s",
           c->found->data->ndatum, c->found->data->nline,
           r->converged ? "converged" : "NOT CONVERGED", r->iteration);
    printf("  %-*s  value  (95 %% interval)\n", width, "");
    for (int k = 0; k < c->found->nparameter; k++)
        print_parameter(c, k, width);
    print_residual(c, width);
    printf("  %-*s ", width, "singular");
    for (int k = 0; k < c->found->nparameter; k++)
        printf(" %.3g", r->singular[k]);
    printf("\n");
    if (c->session->options.out)
        printf("  %-*s  %s\n", width, "results", c->session->options.out);
}
