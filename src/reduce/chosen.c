#include "reduce/chosen.h"

int chosen_of(const lithe_reduction *r, const element_family *f, int *at, int *element)
{
    int n = 0;
    for (; *at < r->nelement && r->element[*at] < f->element_adr + f->n; ++*at)
        element[n++] = r->element[*at] - f->element_adr;
    return n;
}

lithe_status chosen_families(const lithe_reduction *r, const body *from, arena *memory,
                             arena *scratch, element_family *family, int *nfamily)
{
    int at = 0, *element = arena_new(scratch, r->nelement, int);
    for (int k = 0; element && k < from->nfamily; k++) {
        const element_family *f = &from->family[k];
        int n = chosen_of(r, f, &at, element), nnode = f->kind->nnode;
        int *node = arena_new(scratch, (size_t)n * (size_t)nnode, int);
        for (int i = 0; node && i < n * nnode; i++)
            node[i] = f->node[nnode * element[i / nnode] + i % nnode];
        if (!node)
            return LITHE_NO_MEMORY;
        if (n > 0)
            LITHE_TRY(family_pick(f, n, element, node, memory, &family[(*nfamily)++]));
    }
    return element ? LITHE_OK : LITHE_NO_MEMORY;
}

lithe_status chosen_region(const lithe_reduction *r, const body *from, arena *memory,
                           arena *scratch, row *of)
{
    int *member = arena_new(memory, of->region.n, int), n = 0;
    bool *in = arena_new(scratch, from->nelement, bool);
    if (!member || !in)
        return LITHE_NO_MEMORY;
    for (int i = 0; i < of->region.n; i++)
        in[of->region.member[i]] = true;
    for (int i = 0; i < r->nelement; i++)
        if (in[r->element[i]])
            member[n++] = i;
    of->region.member = member;
    of->region.n = n;
    return LITHE_OK;
}
