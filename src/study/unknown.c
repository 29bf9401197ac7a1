#include "study/unknown.h"

#include "base/quote.h"
#include "base/status.h"
#include "io/number.h"
#include "scene/scene.h"
#include "study/tolerances.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Keys of values that must be positive.
static const char *const POSITIVE[] = {"young", "density", "mass", "radius", "compliance"};

static const char *const FORM = "expected PATH[=START][:LOW..HIGH], such as "
                                "materials.skin.young=100kPa:10kPa..1MPa";

// The three parts of the text; NULL where one is not there.
typedef struct parts {
    char *path, *start, *bounds;
} parts;

static lithe_status split(study *s, const char *text, parts *p)
{
    p->path = arena_strdup(&s->memory, text);
    if (!p->path)
        return report_no_memory(s->report, "what is to be found");
    p->bounds = strchr(p->path, ':');
    if (p->bounds)
        *p->bounds++ = 0;
    p->start = strchr(p->path, '=');
    if (p->start)
        *p->start++ = 0;
    if (!*p->path || (p->start && !*p->start) || (p->bounds && !strstr(p->bounds, "..")))
        return LITHE_FAIL(s->report, LITHE_INVALID, "--find %s: %s", QUOTE(text), FORM);
    return LITHE_OK;
}

// Does the scene take this value there? Its reason goes to report.
static lithe_status try_value(study *s, const char *path, const char *value, lithe_report *report)
{
    int nset = s->def.nset;
    const char **set = arena_new(&s->memory, nset + 1, const char *);
    lithe_scene *scene = NULL;
    if (!set || !(set[nset] = arena_format(&s->memory, "%s=%s", path, value)))
        return report_no_memory(report, "what is to be found");
    for (int i = 0; i < nset; i++)
        set[i] = s->def.set[i];
    lithe_status status = lithe_scene_read(s->def.scene, nset + 1, set, &scene, report);
    lithe_scene_free(scene);
    return status;
}

static bool takes(study *s, const char *path, double number, const char *in)
{
    char text[NUMBER_TEXT];
    lithe_report unheard = lithe_report_default();
    const char *value = arena_format(&s->memory, "%s %s", number_text(number, text), in);
    return value && try_value(s, path, value, &unheard) == LITHE_OK;
}

// Why the scene does not take the start, as if --find were --set.
static lithe_status check_start(study *s, const lithe_parameter *u, const char *text)
{
    static const char set[] = "--set ";
    lithe_report why = lithe_report_default();
    lithe_status status = try_value(s, u->path, text, &why);
    if (status == LITHE_OK)
        return LITHE_OK;
    if (strncmp(why.error, set, sizeof set - 1) == 0)
        return LITHE_FAIL(s->report, status, "--find %s", why.error + sizeof set - 1);
    return LITHE_FAIL(s->report, status, "--find %s: %s", QUOTE(u->path), why.error);
}

static lithe_status find_start(study *s, const lithe_parameter *u, const char *given,
                               const char **text)
{
    const tree_node *node = tree_follow(s->scene->root, u->path);
    *text = given;
    if (!node && !given)
        return LITHE_FAIL(
            s->report, LITHE_INVALID,
            "--find %s: the scene has no such value; check the path, or give a start: "
            "--find %s=VALUE",
            QUOTE(u->path), QUOTE(u->path));
    if (node && node->kind != TREE_TEXT)
        return LITHE_FAIL(s->report, LITHE_INVALID,
                          "--find %s: this is a %s; name one number in it, such as %s.%s",
                          QUOTE(u->path), node->kind == TREE_LIST ? "list" : "map", QUOTE(u->path),
                          node->kind == TREE_MAP && node->child ? QUOTE(node->child->key) : "0");
    if (!given)
        *text = node->text;
    return LITHE_OK;
}

// The number that a quantity begins with; rest is set behind it.
static bool split_quantity(const char *text, double *number, const char **rest)
{
    char *end;
    const char *digit = text + strspn(text, " +-");
    if (!isdigit((unsigned char)*digit) && *digit != '.')
        return false;
    *number = strtod(text, &end);
    *rest = end + strspn(end, " ");
    return end > text && isfinite(*number) && !strpbrk(digit, "xX");
}

static lithe_status take_unit(study *s, lithe_parameter *u, const char *text)
{
    unit found;
    char message[QUANTITY_MESSAGE_MAX];
    for (int d = 0; d < QUANTITY_NDIMENSION; d++)
        if (quantity_parse_unit(text, (quantity_dimension)d, &found, message) == LITHE_OK) {
            u->dimension = (quantity_dimension)d;
            u->si = unit_to_si(&found, 1);
            u->unit = arena_strdup(&s->memory, text);
            return u->unit ? LITHE_OK : report_no_memory(s->report, "what is to be found");
        }
    return LITHE_FAIL(s->report, LITHE_INVALID, "--find %s: '%s' is no unit of a scene",
                      QUOTE(u->path), QUOTE(text));
}

// What a bare number in the scene means is found out by asking it for each declared unit.
static lithe_status find_unit(study *s, lithe_parameter *u)
{
    const quantity_units *units = &s->scene->units;
    for (int i = QUANTITY_LENGTH; i < QUANTITY_NDIMENSION; i++) {
        quantity_dimension d = (quantity_dimension)i;
        bool declared = i < QUANTITY_NDECLARED && units->declared[i];
        if (!declared && u->start != 0)
            continue;
        double value = declared ? unit_to_si(&units->unit[i], u->start) : 0;
        if (!takes(s, u->path, value, quantity_si_unit(d)))
            continue;
        const char *key = arena_format(&s->memory, "units.%s", quantity_name(d));
        const tree_node *name = key && declared ? tree_follow(s->scene->root, key) : NULL;
        return take_unit(s, u, name ? name->text : quantity_si_unit(d));
    }
    u->dimension = QUANTITY_NUMBER;
    u->unit = "";
    u->si = 1;
    return LITHE_OK;
}

static lithe_status take_bound(study *s, const lithe_parameter *u, const char *text, double *bound)
{
    char message[QUANTITY_MESSAGE_MAX];
    if (!text[strspn(text, " ")])
        return LITHE_OK;
    lithe_status status =
        quantity_parse(text, u->dimension, &s->scene->units, true, bound, message);
    if (status != LITHE_OK)
        return LITHE_FAIL(s->report, status, "--find %s: bound: %s", QUOTE(u->path), message);
    *bound /= u->si;
    return LITHE_OK;
}

static lithe_status take_bounds(study *s, lithe_parameter *u, char *bounds)
{
    u->bound[0] = u->logarithmic ? 0 : -INFINITY;
    u->bound[1] = INFINITY;
    if (bounds) {
        char *dots = strstr(bounds, "..");
        *dots = 0;
        LITHE_TRY(take_bound(s, u, bounds, &u->bound[0]));
        LITHE_TRY(take_bound(s, u, dots + 2, &u->bound[1]));
    }
    if (u->logarithmic)
        u->bound[0] = fmax(u->bound[0], 0);
    if (u->bound[0] < u->bound[1] && u->start >= u->bound[0] && u->start <= u->bound[1])
        return LITHE_OK;
    return LITHE_FAIL(s->report, LITHE_INVALID,
                      "--find %s: the start %g %s is not between the bounds %g and %g",
                      QUOTE(u->path), u->start, u->unit, u->bound[0], u->bound[1]);
}

static bool is_positive(const lithe_parameter *u)
{
    const char *dot = strrchr(u->path, '.'), *key = dot ? dot + 1 : u->path;
    for (size_t i = 0; i < sizeof POSITIVE / sizeof *POSITIVE; i++)
        if (strcmp(key, POSITIVE[i]) == 0)
            return u->start > 0;
    return false;
}

// Whole numbers cannot be approached step by step.
static lithe_status check_continuous(study *s, const lithe_parameter *u)
{
    double change = u->start != 0 ? STUDY_SMALL_CHANGE * fabs(u->start) : STUDY_SMALL_CHANGE;
    if (takes(s, u->path, u->start + change, u->unit) ||
        takes(s, u->path, u->start - change, u->unit))
        return LITHE_OK;
    return LITHE_FAIL(
        s->report, LITHE_INVALID,
        "--find %s: the scene takes no value a little above or below %g %s there; only "
        "values that can change gradually can be found",
        QUOTE(u->path), u->start, u->unit);
}

static lithe_status read_one(study *s, const char *text, lithe_parameter *u)
{
    parts p = {0};
    const char *start = NULL, *rest = NULL;
    LITHE_TRY(split(s, text, &p));
    u->path = p.path;
    LITHE_TRY(find_start(s, u, p.start, &start));
    if (!start || !split_quantity(start, &u->start, &rest))
        return LITHE_FAIL(s->report, LITHE_INVALID, "--find %s: '%s' is not a number with a unit",
                          QUOTE(u->path), QUOTE(start));
    LITHE_TRY(check_start(s, u, start));
    LITHE_TRY(*rest ? take_unit(s, u, rest) : find_unit(s, u));
    u->logarithmic = is_positive(u);
    LITHE_TRY(take_bounds(s, u, p.bounds));
    return check_continuous(s, u);
}

double unknown_robot_size(const lithe_model *m)
{
    double size = 0;
    for (int b = 0; b < lithe_nbody(m); b++) {
        lithe_body_info info;
        lithe_body_get(m, b, &info);
        for (int axis = 0; axis < 3; axis++)
            size = fmax(size, info.upper[axis] - info.lower[axis]);
    }
    return size;
}

// What counts as a whole change of a value that may be 0.
static double scale_of(const study *s, const lithe_parameter *u)
{
    if (u->dimension == QUANTITY_LENGTH)
        return fmax(fabs(u->start), 0.1 * unknown_robot_size(s->model) / u->si);
    if (u->start != 0)
        return fabs(u->start);
    return isfinite(u->bound[1] - u->bound[0]) ? u->bound[1] - u->bound[0] : 1;
}

lithe_status unknowns_read(study *s, lithe_parameter **all)
{
    int n = s->def.nfind;
    lithe_parameter *u = *all = arena_new(&s->memory, n, lithe_parameter);
    if (!u)
        return report_no_memory(s->report, "what is to be found");
    for (int i = 0; i < n; i++) {
        LITHE_TRY(read_one(s, s->def.find[i], &u[i]));
        u[i].scale = scale_of(s, &u[i]);
        for (int k = 0; k < i; k++)
            if (strcmp(u[k].path, u[i].path) == 0)
                return LITHE_FAIL(s->report, LITHE_INVALID, "--find %s is there twice",
                                  QUOTE(u[i].path));
    }
    return LITHE_OK;
}

calibrate_unknown unknown_to_find(const lithe_parameter *u)
{
    return (calibrate_unknown){u->start, u->bound[0], u->bound[1], u->scale, u->logarithmic};
}

const char *unknown_override(arena *memory, const lithe_parameter *u, double value)
{
    char text[NUMBER_TEXT];
    return arena_format(memory, "%s=%s%s%s", u->path, number_text(value, text), *u->unit ? " " : "",
                        u->unit);
}
