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

void reduction_hash(const lithe_model *whole, uint64_t hash[REDUCTION_PARTS])
{
    hash[REDUCTION_MESH] = mesh_hash(whole);
    hash[REDUCTION_MATERIAL] = material_hash(whole);
    hash[REDUCTION_ACTUATOR] = actuator_hash(whole);
    hash[REDUCTION_LOAD] = load_hash(whole);
}
