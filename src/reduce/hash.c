// What tells whether a reduction is of this model: FNV-1a over what it was made of.
#include "base/fnv.h"
#include "reduce/reduction.h"

#include <string.h>

static uint64_t add_int(uint64_t h, int value)
{
    return fnv_add(h, &value, sizeof value);
}

static uint64_t add_numbers(uint64_t h, size_t n, const double *value)
{
    for (size_t i = 0; i < n; i++) {
        double number = value[i] == 0 ? 0 : value[i]; // without a sign
        h = fnv_add(h, &number, sizeof number);
    }
    return h;
}

static uint64_t mesh_hash(const lithe_model *m)
{
    uint64_t h = add_int(FNV_START, m->nnode);
    h = add_numbers(h, 3 * (size_t)m->nnode, m->X);
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        h = fnv_add(h, b->held, (size_t)b->nnode);
        for (int i = 0; i < b->nfamily; i++) {
            const element_family *f = &b->family[i];
            h = fnv_add(h, f->kind->name, strlen(f->kind->name));
            h = fnv_add(h, f->node, (size_t)(f->n * f->kind->nnode) * sizeof *f->node);
        }
    }
    return h;
}

// Of a law its parameters stand behind the nodes; where nothing does, all of a batch is material.
static uint64_t material_hash(const lithe_model *m)
{
    uint64_t h = FNV_START;
    for (int k = 0; k < m->nbody; k++)
        for (int i = 0; i < m->body[k].nfamily; i++) {
            const element_family *f = &m->body[k].family[i];
            size_t index = (size_t)f->kind->index_rows * LANES * sizeof(int);
            size_t after = f->kind->index_at + index;
            bool law = after < f->kind->batch_size;
            for (int j = 0; j < f->nbatch; j++) {
                const char *batch = family_batch(f, j);
                size_t from = law ? after : 0, end = law ? f->kind->batch_size : f->kind->index_at;
                h = add_numbers(h, (end - from) / sizeof(double), (const double *)(batch + from));
            }
        }
    return h;
}

static uint64_t add_point(uint64_t h, const row_point *p)
{
    h = add_int(h, p->body);
    if (p->body < 0)
        return add_numbers(h, 3, p->world);
    int n = p->patch ? p->patch->n : p->nposition;
    h = fnv_add(h, p->patch ? p->patch->node : p->node, (size_t)n * sizeof *p->node);
    return add_numbers(h, (size_t)n, p->patch ? p->patch->weight : p->weight);
}

static uint64_t actuator_hash(const lithe_model *m)
{
    uint64_t h = add_int(FNV_START, m->nact);
    for (int r = 0; r < m->nact; r++) {
        const row *of = &m->row[r];
        h = add_int(h, (int)of->kind);
        h = add_numbers(h, 1, &of->compliance);
        for (int i = 0; row_as_line(of) && i < of->line.npoint; i++)
            h = add_point(h, &of->line.point[i]);
        if (row_as_line(of) && of->line.weight)
            h = add_numbers(h, (size_t)of->line.npoint - 1, of->line.weight);
        if (row_as_cavity(of))
            h = fnv_add(h, of->shell.tri, 3 * (size_t)of->shell.ntri * sizeof *of->shell.tri);
        if (row_as_patch(of)) {
            h = fnv_add(h, of->cloud.node, (size_t)of->cloud.n * sizeof *of->cloud.node);
            h = add_numbers(h, (size_t)of->cloud.n, of->cloud.weight);
            h = add_numbers(h, 3, of->cloud.direction);
        }
        if (row_is_parameter(of))
            h = fnv_add(h, of->region.member, (size_t)of->region.n * sizeof *of->region.member);
    }
    return h;
}

static uint64_t load_hash(const lithe_model *m)
{
    uint64_t h = FNV_START;
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        h = add_numbers(h, 3 * (size_t)b->nnode, b->dead);
        for (int i = 0; i < b->nspell; i++)
            h = add_numbers(add_numbers(h, (size_t)b->nnode, b->spell[i].weight), 3,
                            b->spell[i].value);
    }
    return h;
}

static uint64_t add_frame(uint64_t h, const contact_frame *at)
{
    return add_numbers(add_numbers(h, 9, at->R), 3, at->at);
}

static uint64_t add_obstacle(uint64_t h, const model_contact *t, int o)
{
    const contact_shape *shape = &t->world.shape[o];
    const contact_path *path = &t->path[o];
    h = add_int(h, (int)shape->kind);
    h = add_numbers(add_numbers(h, 1, &shape->radius), 3, shape->half);
    h = add_frame(h, &t->pose[o]);
    if (t->shape_surface[o] >= 0) {
        const contact_surface *skin = &t->world.surface[t->shape_surface[o]];
        h = add_numbers(h, 3 * (size_t)skin->nvertex, skin->rest);
        h = fnv_add(h, skin->tri, 3 * (size_t)skin->ntri * sizeof *skin->tri);
    }
    h = add_numbers(h, (size_t)path->n, path->time);
    return add_numbers(h, 6 * (size_t)path->n, path->way);
}

uint64_t reduction_contact_hash(const lithe_model *whole)
{
    const model_contact *t = &whole->contact;
    uint64_t h = add_int(FNV_START, t->on);
    if (!t->on)
        return h;
    h = add_numbers(add_numbers(h, 1, &t->overlap), 1, &t->reach);
    for (int o = 0; o < t->world.nshape; o++)
        h = add_obstacle(h, t, o);
    for (int i = 0; i < t->world.nmatch; i++) {
        const proximity_match *match = &t->world.match[i];
        const contact_law *law = &t->law[i];
        const double number[] = {law->kappa,    law->friction, law->cling,   law->across,
                                 law->along[0], law->along[1], law->along[2]};
        h = add_int(add_int(add_int(h, match->first), match->second), match->shape);
        h = add_numbers(h, sizeof number / sizeof *number, number);
        h = add_int(h, law->sides >= 0 && t->sides[law->sides].off);
    }
    return h;
}

void reduction_hash(const lithe_model *whole, uint64_t hash[REDUCTION_PARTS])
{
    hash[REDUCTION_MESH] = mesh_hash(whole);
    hash[REDUCTION_MATERIAL] = material_hash(whole);
    hash[REDUCTION_ACTUATOR] = actuator_hash(whole);
    hash[REDUCTION_LOAD] = load_hash(whole);
}
