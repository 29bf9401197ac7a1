// Materials: a law and its numbers, or a silicone by name.
#include "scene/reader.h"

#include "base/quote.h"
#include "base/spelling.h"
#include "base/status.h"
#include "material/law_definition.h"

#include <string.h>

// Numbers of one dimension, as many as there is room for.
static lithe_status read_list(const reader *r, const tree_node *map, const char *key, int *n,
                              double value[LITHE_COEFFICIENTS])
{
    const tree_node *node = tree_find(map, key);
    if (!node)
        return LITHE_OK;
    if (node->kind != TREE_LIST || node->nchild < 1 || node->nchild > LITHE_COEFFICIENTS)
        return tree_fail(r->report, tree_value_location(node),
                         "expected a list of 1 to %d numbers: [a, b, c]", LITHE_COEFFICIENTS);
    *n = 0;
    for (const tree_node *c = node->child; c; c = c->next)
        LITHE_TRY(read_quantity_node(r, c, keys_find(KEYS_MATERIAL, key)->dimension, false,
                                     &value[(*n)++]));
    return LITHE_OK;
}

static lithe_status read_from(const reader *r, const tree_node *node, lithe_material_def *m)
{
    const tree_node *from = tree_find(node, "from");
    const char *name = NULL;
    if (!from)
        return LITHE_OK;
    LITHE_TRY(read_text(r, node, "from", &name));
    int found = lithe_find_silicone(name);
    if (found >= 0) {
        *m = *lithe_silicone(found);
        return LITHE_OK;
    }
    nearest near = nearest_start(name);
    for (int i = 0; i < lithe_nsilicone(); i++)
        nearest_offer(&near, lithe_silicone(i)->name);
    const char *meant = nearest_found(&near);
    if (meant)
        return tree_fail(r->report, from->at, "there is no silicone '%s': did you mean '%s'?",
                         QUOTE(name), meant);
    return tree_fail(r->report, from->at, "there is no silicone '%s'; 'lithe materials' lists them",
                     QUOTE(name));
}

static lithe_status read_law(const reader *r, const tree_node *node, lithe_material_def *m)
{
    const char *laws[LAW_KINDS];
    for (int i = 0; i < LAW_KINDS; i++)
        laws[i] = law_definitions[i]->name;
    const tree_node *given = tree_find(node, "law"), *from = tree_find(node, "from");
    int law = (int)m->law;
    if (!given && !from)
        return tree_fail(r->report, tree_location(node),
                         "a material needs the key 'law' (word): the elastic law");
    LITHE_TRY(read_word(r, node, "law", LAW_KINDS, laws, &law));
    if (given && from && (lithe_law)law != m->law)
        return tree_fail(r->report, given->at,
                         "the silicone '%s' is measured as %s, not %s; remove law, or write the "
                         "material without from",
                         m->name, laws[m->law], laws[law]);
    m->law = (lithe_law)law;
    return LITHE_OK;
}

static lithe_status read_prony(const reader *r, const tree_node *map, lithe_material_def *m)
{
    const tree_node *node = tree_find(map, "prony");
    if (!node)
        return LITHE_OK;
    if (node->kind != TREE_LIST || node->nchild < 1 || node->nchild > LITHE_PRONY)
        return tree_fail(r->report, tree_value_location(node),
                         "expected a list of 1 to %d terms: [{weight: 0.2, time: 0.5 s}]",
                         LITHE_PRONY);
    m->nprony = 0;
    for (const tree_node *c = node->child; c; c = c->next) {
        lithe_prony_def *term = &m->prony[m->nprony++];
        LITHE_TRY(read_map(r, c, KEYS_PRONY));
        LITHE_TRY(read_positive(r, c, KEYS_PRONY, "weight", &term->weight));
        LITHE_TRY(read_positive(r, c, KEYS_PRONY, "time", &term->time));
    }
    return LITHE_OK;
}

static lithe_status read_numbers(const reader *r, const tree_node *node, lithe_material_def *m)
{
    LITHE_TRY(read_positive(r, node, KEYS_MATERIAL, "young", &m->young));
    LITHE_TRY(read_quantity(r, node, KEYS_MATERIAL, "poisson", &m->poisson));
    LITHE_TRY(read_quantity(r, node, KEYS_MATERIAL, "density", &m->density));
    LITHE_TRY(read_list(r, node, "coefficients", &m->ncoefficient, m->coefficient));
    LITHE_TRY(read_list(r, node, "exponents", &m->nexponent, m->exponent));
    LITHE_TRY(read_positive(r, node, KEYS_MATERIAL, "locking", &m->locking));
    LITHE_TRY(read_prony(r, node, m));
    LITHE_TRY(read_triple(r, node, KEYS_MATERIAL, "moduli", m->moduli));
    LITHE_TRY(read_triple(r, node, KEYS_MATERIAL, "ratios", m->ratios));
    LITHE_TRY(read_triple(r, node, KEYS_MATERIAL, "shears", m->shears));
    LITHE_TRY(read_triple(r, node, KEYS_MATERIAL, "fibre", m->fibre));
    return read_triple(r, node, KEYS_MATERIAL, "across", m->across);
}

// What the law does not take would be ignored in silence.
static lithe_status check_keys(const reader *r, const tree_node *node, const lithe_material_def *m)
{
    static const char *const only[] = {"moduli", "ratios", "shears", "fibre", "across"};
    bool along_axes = law_definitions[m->law]->along_axes;
    if (!along_axes && !tree_find(node, "young") && m->ncoefficient == 0)
        return tree_fail(r->report, tree_location(node),
                         "a material needs the key 'young' (pressure): Young's modulus");
    if (!along_axes && !tree_find(node, "poisson") && !tree_find(node, "from"))
        return tree_fail(r->report, tree_location(node),
                         "a material needs the key 'poisson' (number): Poisson's ratio");
    if (along_axes && tree_find(node, "poisson"))
        return tree_fail(r->report, tree_find(node, "poisson")->key_at,
                         "an orthotropic material has ratios: [nu12, nu13, nu23] instead of "
                         "poisson");
    for (size_t i = 0; i < sizeof only / sizeof only[0] && !along_axes; i++)
        if (tree_find(node, only[i]))
            return tree_fail(r->report, tree_find(node, only[i])->key_at,
                             "'%s' is for the law orthotropic; remove it", only[i]);
    return LITHE_OK;
}

lithe_status read_material(const reader *r, const tree_node *node, lithe_material_def *m)
{
    *m = lithe_material_def_default();
    LITHE_TRY(read_map(r, node, KEYS_MATERIAL));
    LITHE_TRY(read_from(r, node, m));
    LITHE_TRY(read_law(r, node, m));
    m->name = node->key;
    LITHE_TRY(read_location(r, node, &m->location));
    LITHE_TRY(read_numbers(r, node, m));
    LITHE_TRY(check_keys(r, node, m));
    material_fault fault;
    if (material_check(m, &fault))
        return LITHE_OK;
    const tree_node *at = tree_find(node, fault.key);
    return tree_fail(r->report, at ? at->at : tree_location(node), "%s", fault.text);
}
