// Nodes of skins that are only shown: a rigid body has hundreds of them, and the step needs none.
#include "scene/compile.h"

#include <string.h>

static void mark_faces(const face_set *faces, bool *idle)
{
    for (size_t i = 0; i < face_ncorner(faces); i++)
        if (face_corner(faces, i) >= 0)
            idle[face_corner(faces, i)] = false;
}

// What deforms, weighs, is held or loaded.
static void mark_body(const body *b, bool *idle)
{
    for (int k = 0; k < b->nfamily; k++)
        for (int i = 0; i < b->family[k].n * b->family[k].kind->nnode && !b->family[k].still; i++)
            idle[b->family[k].node[i]] = false;
    for (int i = 0; i < b->nnode; i++) {
        bool busy = i >= body_nposition(b) || b->carry->triple[i] >= 0 || b->held[i] != 0 ||
                    b->mass[i] != 0 || b->weigh[i] != 0;
        for (int axis = 0; axis < 3; axis++)
            busy = busy || b->dead[3 * i + axis] != 0;
        for (int k = 0; k < b->nspell; k++)
            busy = busy || b->spell[k].weight[i] != 0;
        idle[i] = idle[i] && !busy;
    }
    for (int i = 0; i < b->nmass; i++)
        idle[b->coupled[i].node[0]] = idle[b->coupled[i].node[1]] = false;
    for (int k = 0; k < b->npressure; k++)
        mark_faces(&b->pressure[k].face, idle);
    for (int k = 0; k < b->nliquid; k++)
        mark_faces(&b->liquid[k].face, idle);
    for (int i = 0; i < b->carry->ntie; i++)
        idle[b->carry->tie[i].node] = idle[b->carry->tie[i].host] = false;
}

static void mark_node(const body *b, int node, bool *idle)
{
    if (node >= b->node_adr && node < b->node_adr + b->nnode)
        idle[node - b->node_adr] = false;
}

// What is measured, driven or in contact.
static void mark_rows(const lithe_model *m, const body *b, bool *idle)
{
    for (int r = 0; r < m->nrow; r++)
        for (int i = 0; i < m->row[r].nnode; i++)
            mark_node(b, m->row[r].node[i], idle);
    const proximity_world *world = &m->contact.world;
    for (int k = 0; k < (m->contact.on ? world->nsurface : 0); k++) {
        const contact_surface *surface = &world->surface[k];
        for (int i = 0; surface->frame < 0 && i < surface->entry_adr[surface->nvertex]; i++)
            mark_node(b, surface->entry[i].node, idle);
    }
}

lithe_status compile_idle(compiler *c)
{
    lithe_model *m = c->model;
    bool *idle = arena_new(&c->scratch, m->nnode + 1, bool);
    if (!idle)
        return compile_no_memory(c);
    for (int k = 0; k < m->nbody; k++) {
        body *b = &m->body[k];
        if (b->space != &space_carried)
            continue;
        memset(idle, true, (size_t)b->nnode * sizeof *idle);
        mark_body(b, idle);
        mark_rows(m, b, idle);
        body_idle(b, idle);
    }
    return LITHE_OK;
}
