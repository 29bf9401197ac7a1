#include "scene/reader.h"

#include "base/status.h"

static lithe_status read_force(const reader *r, const tree_node *node, lithe_load_def *load)
{
    load->kind = LITHE_POINT_FORCE;
    LITHE_TRY(read_map(r, node, KEYS_FORCE));
    LITHE_TRY(read_body_name(r, node, &load->body));
    LITHE_TRY(read_triple(r, node, KEYS_FORCE, "at", load->at));
    return read_triple(r, node, KEYS_FORCE, "value", load->value);
}

static lithe_status read_traction(const reader *r, const tree_node *node, lithe_load_def *load)
{
    load->kind = LITHE_TRACTION;
    LITHE_TRY(read_map(r, node, KEYS_TRACTION));
    LITHE_TRY(read_body_name(r, node, &load->body));
    LITHE_TRY(read_text(r, node, "surface", &load->surface));
    load->total = tree_find(node, "total") != NULL;
    return read_triple(r, node, KEYS_TRACTION, load->total ? "total" : "value", load->value);
}

static lithe_status read_pressure(const reader *r, const tree_node *node, lithe_load_def *load)
{
    load->kind = LITHE_PRESSURE;
    LITHE_TRY(read_map(r, node, KEYS_PRESSURE));
    LITHE_TRY(read_body_name(r, node, &load->body));
    LITHE_TRY(read_text(r, node, "surface", &load->surface));
    return read_quantity(r, node, KEYS_PRESSURE, "value", &load->pressure);
}

static lithe_status read_moment(const reader *r, const tree_node *node, lithe_load_def *load)
{
    load->kind = LITHE_MOMENT;
    LITHE_TRY(read_map(r, node, KEYS_MOMENT));
    LITHE_TRY(read_body_name(r, node, &load->body));
    LITHE_TRY(read_triple(r, node, KEYS_MOMENT, "at", load->at));
    return read_triple(r, node, KEYS_MOMENT, "value", load->value);
}

static lithe_status read_kind(const reader *r, const tree_node *node, lithe_load_def *load)
{
    const tree_node *kind;
    if ((kind = tree_find(node, "force")))
        return read_force(r, kind, load);
    if ((kind = tree_find(node, "moment")))
        return read_moment(r, kind, load);
    if ((kind = tree_find(node, "traction")))
        return read_traction(r, kind, load);
    return read_pressure(r, tree_find(node, "pressure"), load);
}

lithe_status read_load(const reader *r, const tree_node *node, lithe_load_def *load)
{
    *load = lithe_load_def_default();
    load->name = node->key;
    LITHE_TRY(read_map(r, node, KEYS_LOAD));
    LITHE_TRY(read_location(r, node, &load->location));
    LITHE_TRY(read_quantity(r, node, KEYS_LOAD, "from", &load->from));
    LITHE_TRY(read_quantity(r, node, KEYS_LOAD, "until", &load->until));
    LITHE_TRY(read_kind(r, node, load));
    return read_load_frame(r, node, load);
}
