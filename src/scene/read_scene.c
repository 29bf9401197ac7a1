// The sections of a scene, and the names that they share.
#include "scene/reader.h"

#include "base/quote.h"
#include "base/status.h"

static lithe_status read_units(reader *r)
{
    const tree_node *node = tree_find(r->root, "units");
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_map(r, node, KEYS_UNITS));
    for (int d = QUANTITY_NUMBER + 1; d < QUANTITY_NDECLARED; d++)
        LITHE_TRY(read_unit(r, node, KEYS_UNITS, quantity_name((quantity_dimension)d),
                            &r->units.unit[d], &r->units.declared[d]));
    return LITHE_OK;
}

static lithe_status read_method(const reader *r, const tree_node *node, lithe_step_def *step)
{
    static const char *const methods[] = {
        [LITHE_HIERARCHY] = "hierarchy", [LITHE_EPSILON] = "epsilon", [LITHE_SEIDEL] = "seidel"};
    int method = (int)step->method;
    LITHE_TRY(read_word(r, node, "method", 3, methods, &method));
    step->method = (lithe_inverse_method)method;
    LITHE_TRY(read_positive(r, node, KEYS_STEP, "epsilon", &step->epsilon));
    LITHE_TRY(read_bool(r, node, "creep", &step->creep));
    LITHE_TRY(read_positive(r, node, KEYS_STEP, "relaxation", &step->relaxation));
    if (step->relaxation > 1)
        return tree_fail(r->report, tree_find(node, "relaxation")->at,
                         "relaxation must be at most 1; 0.7 is usual");
    return LITHE_OK;
}

static lithe_status read_step(const reader *r, lithe_step_def *step)
{
    static const char *const modes[] = {[LITHE_CONVERGED] = "converged",
                                        [LITHE_REALTIME] = "realtime",
                                        [LITHE_ASYNCHRONOUS] = "asynchronous"};
    const tree_node *node = tree_find(r->root, "step");
    if (!node)
        return LITHE_OK;
    int mode = (int)step->mode;
    LITHE_TRY(read_map(r, node, KEYS_STEP));
    LITHE_TRY(read_word(r, node, "mode", 3, modes, &mode));
    step->mode = (lithe_mode)mode;
    LITHE_TRY(read_positive(r, node, KEYS_STEP, "dt", &step->dt));
    LITHE_TRY(read_count(r, node, "steps", &step->steps));
    LITHE_TRY(read_count(r, node, "iterations", &step->iterations));
    LITHE_TRY(read_count(r, node, "max_iterations", &step->max_iteration));
    LITHE_TRY(read_positive(r, node, KEYS_STEP, "deadline", &step->deadline));
    LITHE_TRY(read_count(r, node, "factor_age", &step->factor_age));
    LITHE_TRY(read_positive(r, node, KEYS_STEP, "tolerance", &step->tolerance));
    if (step->tolerance >= 1)
        return tree_fail(r->report, tree_find(node, "tolerance")->at,
                         "tolerance must be below 1; 1e-10 is usual");
    return read_method(r, node, step);
}

static lithe_status check_not_negative(const reader *r, const tree_node *node, const char *key,
                                       double value)
{
    if (value >= 0)
        return LITHE_OK;
    return tree_fail(r->report, tree_find(node, key)->at, "%s must not be negative", key);
}

static lithe_status read_adaptive(const reader *r, const tree_node *node, lithe_dynamics_def *d)
{
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_map(r, node, KEYS_ADAPTIVE));
    LITHE_TRY(read_positive(r, node, KEYS_ADAPTIVE, "error", &d->local_error));
    return read_positive(r, node, KEYS_ADAPTIVE, "shortest", &d->shortest);
}

// The section makes a scene dynamic; everything in it has a default.
static lithe_status read_dynamics(const reader *r, lithe_dynamics_def *d)
{
    static const char *const schemes[] = {"euler", "alpha"};
    static const char *const starts[] = {"rest", "equilibrium"};
    const tree_node *node = tree_find(r->root, "dynamics");
    static const char *const masses[] = {
        [LITHE_LUMPED] = "lumped",
        [LITHE_CONSISTENT] = "consistent",
    };
    int scheme = 1, start = 0, mass = LITHE_LUMPED;
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_map(r, node, KEYS_DYNAMICS));
    LITHE_TRY(read_word(r, node, "scheme", 2, schemes, &scheme));
    LITHE_TRY(read_word(r, node, "start", 2, starts, &start));
    d->scheme = scheme ? LITHE_ALPHA : LITHE_EULER;
    d->from_equilibrium = start;
    LITHE_TRY(read_word(r, node, "mass", 2, masses, &mass));
    d->mass = (lithe_mass)mass;
    LITHE_TRY(read_quantity(r, node, KEYS_DYNAMICS, "spectral_radius", &d->spectral_radius));
    if (tree_find(node, "spectral_radius") && !(d->spectral_radius >= 0 && d->spectral_radius <= 1))
        return tree_fail(r->report, tree_find(node, "spectral_radius")->at,
                         "spectral_radius must lie between 0 and 1; 1 damps nothing, 0.8 is usual");
    LITHE_TRY(read_quantity(r, node, KEYS_DYNAMICS, "mass_damping", &d->mass_damping));
    LITHE_TRY(check_not_negative(r, node, "mass_damping", d->mass_damping));
    LITHE_TRY(read_quantity(r, node, KEYS_DYNAMICS, "stiffness_damping", &d->stiffness_damping));
    LITHE_TRY(check_not_negative(r, node, "stiffness_damping", d->stiffness_damping));
    LITHE_TRY(read_adaptive(r, tree_find(node, "adaptive"), d));
    return read_positive(r, node, KEYS_DYNAMICS, "duration", &d->duration);
}

// The section of that name, NULL if there is none; its keys are names.
static lithe_status find_section(const reader *r, const char *key, const tree_node **section)
{
    *section = tree_find(r->root, key);
    return *section ? read_named(r, *section) : LITHE_OK;
}

static lithe_status read_materials(const reader *r, lithe_def *def)
{
    const tree_node *section;
    LITHE_TRY(find_section(r, "materials", &section));
    if (!section)
        return LITHE_OK;
    lithe_material_def *material = read_alloc(r, section->nchild, sizeof *material);
    if (!material)
        return LITHE_NO_MEMORY;
    def->nmaterial = section->nchild;
    def->material = material;
    for (const tree_node *c = section->child; c; c = c->next)
        LITHE_TRY(read_material(r, c, material++));
    return LITHE_OK;
}

static lithe_status read_bodies(const reader *r, lithe_def *def)
{
    const tree_node *section;
    LITHE_TRY(find_section(r, "bodies", &section));
    if (!section)
        return LITHE_OK;
    lithe_body_def *body = read_alloc(r, section->nchild, sizeof *body);
    if (!body)
        return LITHE_NO_MEMORY;
    def->nbody = section->nchild;
    def->body = body;
    for (const tree_node *c = section->child; c; c = c->next)
        LITHE_TRY(read_body(r, c, body++));
    return LITHE_OK;
}

static lithe_status read_joints(const reader *r, lithe_def *def)
{
    const tree_node *section;
    LITHE_TRY(find_section(r, "joints", &section));
    if (!section)
        return LITHE_OK;
    lithe_joint_def *joint = read_alloc(r, section->nchild, sizeof *joint);
    if (!joint)
        return LITHE_NO_MEMORY;
    def->njoint = section->nchild;
    def->joint = joint;
    for (const tree_node *c = section->child; c; c = c->next)
        LITHE_TRY(read_joint(r, c, joint++));
    return LITHE_OK;
}

static lithe_status read_loads(const reader *r, lithe_def *def)
{
    const tree_node *section;
    LITHE_TRY(find_section(r, "loads", &section));
    if (!section)
        return LITHE_OK;
    lithe_load_def *load = read_alloc(r, section->nchild, sizeof *load);
    if (!load)
        return LITHE_NO_MEMORY;
    def->nload = section->nchild;
    def->load = load;
    for (const tree_node *c = section->child; c; c = c->next)
        LITHE_TRY(read_load(r, c, load++));
    return LITHE_OK;
}

static lithe_status read_actuators(const reader *r, lithe_def *def)
{
    const tree_node *section;
    LITHE_TRY(find_section(r, "actuators", &section));
    if (!section)
        return LITHE_OK;
    lithe_actuator_def *actuator = read_alloc(r, section->nchild, sizeof *actuator);
    if (!actuator)
        return LITHE_NO_MEMORY;
    def->nactuator = section->nchild;
    def->actuator = actuator;
    for (const tree_node *c = section->child; c; c = c->next)
        LITHE_TRY(read_actuator(r, c, actuator++));
    return LITHE_OK;
}

static lithe_status read_effectors(const reader *r, lithe_def *def)
{
    const tree_node *section;
    LITHE_TRY(find_section(r, "effectors", &section));
    if (!section)
        return LITHE_OK;
    lithe_effector_def *effector = read_alloc(r, section->nchild, sizeof *effector);
    if (!effector)
        return LITHE_NO_MEMORY;
    def->neffector = section->nchild;
    def->effector = effector;
    for (const tree_node *c = section->child; c; c = c->next)
        LITHE_TRY(read_effector(r, c, effector++));
    return LITHE_OK;
}

static lithe_status read_sensors(const reader *r, lithe_def *def)
{
    const tree_node *section;
    LITHE_TRY(find_section(r, "sensors", &section));
    if (!section)
        return LITHE_OK;
    lithe_sensor_def *sensor = read_alloc(r, section->nchild, sizeof *sensor);
    if (!sensor)
        return LITHE_NO_MEMORY;
    def->nsensor = section->nchild;
    def->sensor = sensor;
    for (const tree_node *c = section->child; c; c = c->next)
        LITHE_TRY(read_sensor(r, c, def, sensor++));
    return LITHE_OK;
}

static lithe_status read_obstacles(const reader *r, lithe_def *def)
{
    const tree_node *section;
    LITHE_TRY(find_section(r, "obstacles", &section));
    if (!section)
        return LITHE_OK;
    lithe_obstacle_def *obstacle = read_alloc(r, section->nchild, sizeof *obstacle);
    if (!obstacle)
        return LITHE_NO_MEMORY;
    def->nobstacle = section->nchild;
    def->obstacle = obstacle;
    for (const tree_node *c = section->child; c; c = c->next)
        LITHE_TRY(read_obstacle(r, c, obstacle++));
    return LITHE_OK;
}

// Output names things by their name alone, so bodies, joints, loads, actuators, effectors, sensors
// and obstacles share one space.
static lithe_status check_names(const reader *r, const lithe_def *def)
{
    static const char *const sharing[] = {"bodies",    "joints",  "loads",    "actuators",
                                          "effectors", "sensors", "obstacles"};
    int n = 0, most = def->nbody + def->njoint + def->nload + def->nactuator + def->neffector +
                      def->nsensor + def->nobstacle;
    const tree_node **entry = read_alloc(r, most, sizeof(const tree_node *));
    if (!entry)
        return LITHE_NO_MEMORY;
    for (size_t i = 0; i < sizeof sharing / sizeof *sharing; i++) {
        const tree_node *section = tree_find(r->root, sharing[i]);
        for (const tree_node *c = section ? section->child : NULL; c; c = c->next)
            entry[n++] = c;
    }
    tree_pair pair;
    if (!tree_find_duplicate(entry, n, &pair))
        return LITHE_OK;
    const char *other = NULL;
    LITHE_TRY(read_location(r, pair.first, &other));
    return tree_fail(r->report, tree_location(pair.second),
                     "the name '%s' is used already, at %s; bodies, joints, loads, actuators, "
                     "effectors, sensors and obstacles need names of their own",
                     QUOTE(pair.second->key), other);
}

lithe_status read_scene(reader *r, lithe_def *def)
{
    *def = lithe_def_default();
    r->def = def;
    LITHE_TRY(read_urdf(r));
    LITHE_TRY(read_map(r, r->root, KEYS_SCENE));
    LITHE_TRY(read_units(r));
    LITHE_TRY(read_triple(r, r->root, KEYS_SCENE, "gravity", def->gravity));
    LITHE_TRY(read_materials(r, def));
    LITHE_TRY(read_likes(r));
    LITHE_TRY(read_bodies(r, def));
    LITHE_TRY(read_joints(r, def));
    LITHE_TRY(read_loads(r, def));
    LITHE_TRY(read_actuators(r, def));
    LITHE_TRY(read_effectors(r, def));
    LITHE_TRY(read_sensors(r, def));
    LITHE_TRY(read_obstacles(r, def));
    LITHE_TRY(read_contacts(r, &def->contacts));
    LITHE_TRY(read_step(r, &def->step));
    LITHE_TRY(read_dynamics(r, &def->dynamics));
    if (def->nbody == 0)
        return tree_fail(r->report, tree_location(tree_find(r->root, "bodies")),
                         "there is no body; a scene needs one or more");
    LITHE_TRY(check_names(r, def));
    LITHE_TRY(read_loop(r, def));
    return read_task(r, def);
}
