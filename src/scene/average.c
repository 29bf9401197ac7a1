// Linear tetrahedra that share their changes of volume: clusters of them are patches, which carry
// what would make each tetrahedron lock.
#include "element/patch.h"
#include "element/solid_family.h"
#include "mesh/cluster.h"
#include "mesh/select.h"
#include "scene/actuator_kind.h"

#include <stdlib.h>
#include <string.h>

struct average {
    law_material *soft; // materials as tetrahedra have them (nmaterial)
    law_material *bulk; // … and as patches have them: nothing in them fades (nmaterial)
    double *excess;     // bulk modulus on patches, Pa (nmaterial)
    int *label;         // cells of one label may share a patch (ncell)
    int npatch;
    struct member {
        patch_def def;
        int material, cell; // of one of its tetrahedra
    } * patch;              // (npatch) in order of size
};

static lithe_status split_materials(compiler *c, const law_material *law, struct average *v)
{
    int n = c->def->nmaterial;
    v->soft = arena_new(&c->scratch, n, law_material);
    v->bulk = arena_new(&c->scratch, n, law_material);
    v->excess = arena_new(&c->scratch, n, double);
    if (!v->soft || !v->bulk || !v->excess)
        return compile_no_memory(c);
    for (int i = 0; i < n; i++) {
        v->soft[i] = v->bulk[i] = law[i];
        v->bulk[i].nprony = 0;
        solid_split(&law[i], 0, v->soft[i].parameter, &v->excess[i]);
    }
    return LITHE_OK;
}

// Labels anew, such that cells with a mark have other labels than those without.
static lithe_status divide(compiler *c, int ncell, const bool *mark, int *label)
{
    int most = 0, n = 0;
    for (int e = 0; e < ncell; e++)
        most = label[e] > most ? label[e] : most;
    int *name = arena_new(&c->scratch, 2 * (size_t)most + 2, int); // one more than the new label
    if (!name)
        return compile_no_memory(c);
    for (int e = 0; e < ncell; e++) {
        int *own = &name[2 * label[e] + mark[e]];
        *own = *own ? *own : ++n;
        label[e] = *own - 1;
    }
    return LITHE_OK;
}

// By material, and by the regions whose modulus is an actuator: a patch is in it or not.
static lithe_status label_cells(compiler *c, const compile_body *part, struct average *v)
{
    int n = part->skeleton.ncell, *pick = arena_new(&c->scratch, n, int);
    v->label = arena_new(&c->scratch, n, int);
    if (!pick || !v->label)
        return compile_no_memory(c);
    memcpy(v->label, part->material, (size_t)n * sizeof *v->label);
    for (int a = 0; a < c->def->nactuator; a++) {
        const lithe_actuator_def *d = &c->def->actuator[a];
        if (!actuator_kinds[d->kind]->parameter || !d->body ||
            strcmp(d->body, part->def->name) != 0)
            continue;
        bool *mark = arena_new(&c->scratch, n, bool);
        if (!mark)
            return compile_no_memory(c);
        for (int k = select_cells(&part->skeleton, part->X, &d->where, pick) - 1; k >= 0; k--)
            mark[pick[k]] = true;
        LITHE_TRY(divide(c, n, mark, v->label));
    }
    return LITHE_OK;
}

// Takes away the same triangle the other way round, if it is there.
static bool cancel(int (*tri)[3], int *n, const int face[3])
{
    for (int t = 0; t < *n; t++)
        for (int r = 0; r < 3; r++)
            if (tri[t][r] == face[0] && tri[t][(r + 1) % 3] == face[2] &&
                tri[t][(r + 2) % 3] == face[1]) {
                memmove(tri[t], tri[--*n], sizeof tri[t]);
                return true;
            }
    return false;
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// The surface of a cluster.
static void wrap(const mesh *m, const mesh_cluster *cluster, patch_def *out)
{
    int tri[4 * CLUSTER_MOST][3], corner[12 * CLUSTER_MOST], ntri = 0;
    for (int i = 0; i < 4 * cluster->n; i++) {
        int face[3];
        for (int c = 0; c < 3; c++)
            face[c] = m->tet[4 * cluster->tet[i / 4] + surface_face_node[i % 4][c]];
        if (!cancel(tri, &ntri, face))
            memcpy(tri[ntri++], face, sizeof face);
    }
    memcpy(corner, tri, 3 * (size_t)ntri * sizeof *corner);
    qsort(corner, 3 * (size_t)ntri, sizeof *corner, ascending);
    out->nnode = 0;
    out->ntri = ntri;
    for (int i = 0; i < 3 * ntri; i++)
        if (i == 0 || corner[i] != corner[i - 1])
            out->node[out->nnode++] = corner[i];
    for (int i = 0; i < 3 * ntri; i++) {
        const int *at = bsearch(&tri[i / 3][i % 3], out->node, (size_t)out->nnode,
                                sizeof *out->node, ascending);
        out->tri[i / 3][i % 3] = (int)(at - out->node);
    }
}

static int by_size(const void *a, const void *b)
{
    const struct member *p = a, *q = b;
    int difference = patch_class(&p->def) - patch_class(&q->def);
    return difference ? difference : p->cell - q->cell;
}

lithe_status average_collect(compiler *c, compile_body *part)
{
    int ncluster = 0;
    mesh_cluster *cluster;
    if (part->def->element != LITHE_TET4_AVERAGED || part->skeleton.ncell == 0)
        return LITHE_OK;
    struct average *v = part->average = arena_new(&c->scratch, 1, struct average);
    if (!v)
        return compile_no_memory(c);
    LITHE_TRY(split_materials(c, part->law, v));
    LITHE_TRY(label_cells(c, part, v));
    if (cluster_tets(part->mesh, v->label, &c->scratch, &ncluster, &cluster) != LITHE_OK)
        return compile_no_memory(c);
    v->patch = arena_new(&c->scratch, ncluster, struct member);
    if (!v->patch)
        return compile_no_memory(c);
    for (int k = 0; k < ncluster; k++) {
        int cell = cluster[k].tet[0], material = part->material[cell];
        struct member *p = &v->patch[v->npatch];
        if (v->excess[material] <= 0)
            continue;
        wrap(part->mesh, &cluster[k], &p->def);
        p->def.bulk = v->excess[material];
        p->material = material;
        p->cell = cell;
        v->npatch++;
    }
    qsort(v->patch, (size_t)v->npatch, sizeof *v->patch, by_size);
    return LITHE_OK;
}

int average_nelement(const compile_body *part)
{
    return part->average ? part->average->npatch : 0;
}

int average_material(const compile_body *part, int e)
{
    return part->average->patch[e].material;
}

int average_cell(const compile_body *part, int e)
{
    return part->average->patch[e].cell;
}

const law_material *average_stuff(const compile_body *part, int material, bool patch)
{
    if (!part->average)
        return &part->law[material];
    return &(patch ? part->average->bulk : part->average->soft)[material];
}

lithe_status average_families(compiler *c, const compile_body *part, element_family *family, int *n)
{
    const struct average *v = part->average;
    for (int first = 0, last; first < average_nelement(part); first = last) {
        int size = patch_class(&v->patch[first].def);
        for (last = first; last < v->npatch && patch_class(&v->patch[last].def) == size; last++)
            ;
        element_family *f = &family[(*n)++];
        if (family_create(f, patch_kind(size, element_best_variant()), last - first,
                          &c->model->memory) != LITHE_OK)
            return compile_no_memory(c);
        for (int e = first; e < last; e++)
            patch_set(f, e - first, &v->patch[e].def, part->X);
    }
    return LITHE_OK;
}
