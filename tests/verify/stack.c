#include "stack.h"

#include <string.h>

bool stack_begin(stack *s, lithe_element element, int reach, int room)
{
    *s = (stack){.reach = reach, .corner = element == LITHE_HEX8 ? 4 : 3, .nslot = 1};
    size_t most = (size_t)(room * s->corner);
    while ((size_t)s->nslot < 2 * most)
        s->nslot *= 2;
    s->slot = malloc((size_t)s->nslot * sizeof *s->slot);
    s->key = malloc(3 * most * sizeof *s->key);
    s->facet = malloc(most * sizeof *s->facet);
    s->kind = malloc((size_t)room * sizeof *s->kind);
    if (s->slot)
        memset(s->slot, -1, (size_t)s->nslot * sizeof *s->slot);
    return s->slot && s->key && s->facet && s->kind;
}

static int column(stack *s, const int at[3])
{
    unsigned mix =
        (unsigned)at[0] * 73856093u ^ (unsigned)at[1] * 19349663u ^ (unsigned)at[2] * 83492791u;
    unsigned i = mix & (unsigned)(s->nslot - 1);
    while (s->slot[i] >= 0 && memcmp(&s->key[3 * s->slot[i]], at, 3 * sizeof *at) != 0)
        i = (i + 1) & (unsigned)(s->nslot - 1);
    if (s->slot[i] < 0) {
        memcpy(&s->key[3 * s->ncolumn], at, 3 * sizeof *at);
        s->slot[i] = s->ncolumn++;
    }
    return s->slot[i];
}

void stack_facet(stack *s, int kind, const int (*corner)[3])
{
    for (int k = 0; k < s->corner; k++)
        s->facet[s->corner * s->nfacet + k] = column(s, corner[k]);
    s->kind[s->nfacet++] = kind;
}

// Cut so that neighbours agree: diagonals rise with the column's number.
static void cut_prism(bar *b, const int *corner, int ncolumn, int layer)
{
    int order[3] = {corner[0], corner[1], corner[2]};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (order[j] > order[j + 1]) {
                int swap = order[j];
                order[j] = order[j + 1];
                order[j + 1] = swap;
            }
    for (int rise = 0; rise < 3; rise++) {
        int *tet = &b->tet[4 * b->ntet++];
        for (int k = 0; k < 4; k++)
            tet[k] = (layer + (k > rise)) * ncolumn + order[k > rise ? k - 1 : k];
    }
}

// Drops nodes that no cell has.
static void compact(bar *b, int ncell, int *cell)
{
    int *number = malloc((size_t)b->nnode * sizeof *number), n = 0;
    memset(number, -1, (size_t)b->nnode * sizeof *number);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < 4 * b->ntet; i++)
            number[b->tet[i]] = pass ? number[b->tet[i]] : 0;
        for (int i = 0; i < 8 * ncell; i++)
            number[cell[i]] = pass ? number[cell[i]] : 0;
        for (int i = 0; pass == 0 && i < b->nnode; i++)
            if (number[i] == 0) {
                memmove(&b->x[3 * n], &b->x[3 * i], 3 * sizeof *b->x);
                number[i] = n++;
            }
    }
    for (int i = 0; i < 4 * b->ntet; i++)
        b->tet[i] = number[b->tet[i]];
    for (int i = 0; i < 8 * ncell; i++)
        cell[i] = number[cell[i]];
    b->nnode = n;
    free(number);
}

void stack_finish(stack *s, piece *p, lithe_element element, int nlayer, stack_position *position,
                  stack_keep *keep)
{
    bool hex = element == LITHE_HEX8;
    size_t most = (size_t)(s->nfacet * nlayer);
    bar b = {.nnode = s->ncolumn * (nlayer + 1)};
    b.x = malloc(3 * (size_t)b.nnode * sizeof *b.x);
    b.tet = malloc(12 * most * sizeof *b.tet);
    int *cell = malloc(8 * most * sizeof *cell), ncell = 0;
    for (int i = 0; i < b.nnode; i++) {
        const int *key = &s->key[3 * (i % s->ncolumn)];
        double at[3] = {key[0] / s->reach, key[1] / s->reach, key[2] / s->reach};
        position(at, i / s->ncolumn, &b.x[3 * i]);
    }
    for (int layer = 0; layer < nlayer; layer++)
        for (int f = 0; f < s->nfacet; f++) {
            if (keep && !keep(s->kind[f], layer))
                continue;
            cut_prism(&b, &s->facet[s->corner * f], s->ncolumn, layer); // of a square: a corner
            for (int k = 0; hex && k < 8; k++)
                cell[8 * ncell + k] = (layer + k / 4) * s->ncolumn + s->facet[4 * f + k % 4];
            ncell += hex;
        }
    compact(&b, ncell, cell);
    free(s->slot);
    free(s->key);
    free(s->facet);
    free(s->kind);
    piece_begin(p, b, 1, 0);
    p->body.element = element;
    p->nhex = ncell;
    p->hex = cell;
}
