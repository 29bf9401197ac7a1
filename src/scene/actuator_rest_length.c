// Rest lengths that a pressure p changes: those of springs and threads, stiffness k and rest length
// r each, become 1 + p / Y of what they are [gasoto2019]. A force k (l - (1 + p / Y) r) is that of
// the spring as it is, and p times what (k r / Y) (l - r) changes by: so springs and threads stay
// elements, and the actuator is the row of the sum of their lengths, each times the area k r / Y.
#include "scene/actuator_kind.h"
#include "scene/connector.h"

#include "base/quote.h"
#include "base/spelling.h"

#include <string.h>

static lithe_status read_rest_length(const reader *r, const tree_node *node,
                                     lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_OF(LITHE_REST_LENGTH)));
    LITHE_TRY(read_body_name(r, node, &actuator->body));
    LITHE_TRY(read_positive(r, node, KEYS_OF(LITHE_REST_LENGTH), "young", &actuator->young));
    const tree_node *list = tree_find(node, "distances");
    if (list->kind != TREE_LIST || list->nchild == 0)
        return tree_fail(r->report, tree_value_location(list),
                         "expected a list of names of springs and threads, [NAME, ...]");
    const char **name = read_alloc(r, list->nchild, sizeof *name);
    if (!name)
        return LITHE_NO_MEMORY;
    actuator->ndistance = list->nchild;
    actuator->distance = name;
    for (const tree_node *c = list->child; c; c = c->next) {
        if (c->kind != TREE_TEXT)
            return tree_fail(r->report, c->at, "expected the name of a spring or a thread");
        *name++ = c->text;
    }
    return LITHE_OK;
}

static lithe_status check_rest_length(const compiler *c, const lithe_actuator_def *d)
{
    if (d->ndistance < 1 || !d->distance)
        return compile_fail(c, d->location, "rest length '%s' needs one spring or thread or more",
                            d->name);
    if (!(d->young >= 0) || !isfinite(d->young))
        return compile_fail(c, d->location, "rest length '%s': its modulus %g Pa must be above 0",
                            d->name, d->young);
    return LITHE_OK;
}

// The owner of that name, see connector.h.
static lithe_status find_owner(const compiler *c, const lithe_actuator_def *d,
                               const lithe_body_def *body_def, const char *name, int *owner)
{
    nearest near = nearest_start(name ? name : "");
    int found = 0;
    for (int i = 0; name && i < body_def->nspring + body_def->nthread; i++) {
        bool spring = i < body_def->nspring;
        const char *other =
            spring ? body_def->spring[i].name : body_def->thread[i - body_def->nspring].name;
        if (!other)
            continue;
        nearest_offer(&near, other);
        if (strcmp(other, name) == 0) {
            *owner = i;
            found++;
        }
    }
    const char *meant = nearest_found(&near);
    if (found == 0)
        return compile_fail(c, d->location, "'%s': body '%s' has no spring or thread '%s'%s%s%s",
                            d->name, body_def->name, name ? QUOTE(name) : "",
                            meant ? "; did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
    if (found > 1)
        return compile_fail(c, d->location,
                            "'%s': body '%s' has a spring and a thread '%s'; call one of them "
                            "otherwise",
                            d->name, body_def->name, QUOTE(name));
    return LITHE_OK;
}

static lithe_status find_modulus(const compiler *c, const lithe_actuator_def *d,
                                 const lithe_body_def *body_def, double *young)
{
    int material;
    *young = d->young;
    if (d->young > 0)
        return LITHE_OK;
    if (!body_def->material)
        return compile_fail(c, d->location,
                            "'%s': body '%s' has no material of its own; give young, the modulus "
                            "by which the pressure is divided",
                            d->name, body_def->name);
    LITHE_TRY(compile_find_material(c, d->location, body_def->material, &material));
    *young = c->material[material].young;
    return LITHE_OK;
}

// A spring as a segment: only the way between its points matters, a sum of nodes with coefficients
// and a constant.
static lithe_status add_segment(compiler *c, int body_id, const spring_def *s, row_line *line)
{
    row_patch *patch = arena_new(&c->model->memory, 1, row_patch);
    int *node = arena_new(&c->model->memory, s->nnode, int);
    double *weight = arena_new(&c->model->memory, s->nnode, double);
    if (!patch || !node || !weight)
        return compile_no_memory(c);
    *patch = (row_patch){s->nnode, node, weight};
    for (int a = 0; a < s->nnode; a++) {
        node[a] = c->model->body[body_id].node_adr + s->node[a];
        weight[a] = s->coefficient[a];
    }
    row_point *point = &line->point[line->npoint];
    point[0] = (row_point){.body = -1};
    for (int i = 0; i < 3; i++)
        point[0].world[i] = -s->anchor[i];
    point[1] = (row_point){.body = body_id, .patch = patch};
    line->npoint += 2;
    return LITHE_OK;
}

static int count_springs(const compiler *c, int body_id, int n, const int *owner)
{
    spring_def s;
    int count = 0;
    for (int i = 0; i < n; i++)
        for (int next = 0; joints_of(c, &c->body[body_id], owner[i], &next, &s);)
            count++;
    return count;
}

static lithe_status add_rest_length(compiler *c, const lithe_actuator_def *d, model_group *group)
{
    row *r = compile_next_row(c, group);
    int body_id, *owner = arena_new(&c->scratch, d->ndistance, int);
    double young;
    if (!owner)
        return compile_no_memory(c);
    LITHE_TRY(compile_find_body(c, d->location, d->body, &body_id));
    const lithe_body_def *body_def = c->body[body_id].def;
    LITHE_TRY(find_modulus(c, d, body_def, &young));
    for (int i = 0; i < d->ndistance; i++) {
        LITHE_TRY(find_owner(c, d, body_def, d->distance[i], &owner[i]));
        for (int other = 0; other < i; other++)
            if (owner[other] == owner[i])
                return compile_fail(c, d->location, "'%s' names '%s' twice; remove one", d->name,
                                    d->distance[i]);
    }
    int n = count_springs(c, body_id, d->ndistance, owner);
    double *weight = arena_new(&c->model->memory, 2 * (size_t)n, double);
    r->kind = ROW_LENGTHS;
    r->line.point = arena_new(&c->model->memory, 2 * (size_t)n, row_point);
    if (!weight || !r->line.point)
        return compile_no_memory(c);
    r->line.weight = weight;
    for (int i = 0; i < d->ndistance; i++) {
        spring_def s;
        for (int next = 0; joints_of(c, &c->body[body_id], owner[i], &next, &s);) {
            if (s.slack)
                return compile_fail(c, d->location,
                                    "'%s' is to lengthen '%s', which does not push; make it slack: "
                                    "false",
                                    d->name, d->distance[i]);
            weight[r->line.npoint] = s.stiffness * s.rest / young; // the segments between are none
            LITHE_TRY(add_segment(c, body_id, &s, &r->line));
        }
    }
    return compile_finish_row(c, r, true);
}

// clang-format off
static const keys_row rest_length_keys[] = {
    {KEYS_ACTUATOR, "rest_length", KEYS_ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "rest lengths of springs and threads that a pressure changes"},
    {KEYS_OF(LITHE_REST_LENGTH), "body",      KEYS_REQUIRED, KEYS_NAME,     QUANTITY_NUMBER,   "a name under bodies"},
    {KEYS_OF(LITHE_REST_LENGTH), "distances", KEYS_REQUIRED, KEYS_WORDS,    QUANTITY_NUMBER,   "names of the body's springs and threads"},
    {KEYS_OF(LITHE_REST_LENGTH), "young",     KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_PRESSURE, "by which the pressure is divided"},
    {KEYS_LIMITS_OF(LITHE_REST_LENGTH),  "volume",        KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_VOLUME,        "range of the volume change"},
    {KEYS_LIMITS_OF(LITHE_REST_LENGTH),  "pressure",      KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_PRESSURE,      "range of the pressure"},
    {KEYS_LIMITS_OF(LITHE_REST_LENGTH),  "volume_rate",   KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_VOLUME_RATE,   "fastest change of the volume"},
    {KEYS_LIMITS_OF(LITHE_REST_LENGTH),  "pressure_rate", KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_PRESSURE_RATE, "fastest change of the pressure"},
    {KEYS_COMMAND_OF(LITHE_REST_LENGTH), "volume",        KEYS_ONE_OF,   KEYS_QUANTITY, QUANTITY_VOLUME,        "change from rest"},
    {KEYS_COMMAND_OF(LITHE_REST_LENGTH), "pressure",      KEYS_ONE_OF,   KEYS_QUANTITY, QUANTITY_PRESSURE,      "positive lengthens"},
};
// clang-format on

const actuator_kind actuator_rest_length = {
    .name = "rest_length",
    .quantity = {[LITHE_EFFORT] = {"pressure", QUANTITY_PRESSURE, false},
                 [LITHE_DISPLACEMENT] = {"volume", QUANTITY_VOLUME, false}},
    .has_valve = true,
    .told = LITHE_EFFORT,
    .heading = ACTUATOR_HEADINGS("rest_length", KEYS_SELECTS_NONE),
    .key = rest_length_keys,
    .nkey = sizeof rest_length_keys / sizeof *rest_length_keys,
    .read = read_rest_length,
    .check = check_rest_length,
    .compile = add_rest_length,
};
