// Fewer rows: contacts that lie together become one, which spreads its force over them. An even
// pressure keeps its wrench: forces and moments of the members add up to those of the row.
#include "contact/find.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

// How far apart two contacts are for the purpose of merging. Those that push differently stay
// apart.
static double apart(const contact *a, const contact *b)
{
    const double alike = 0.5; // cosine
    if (a->pair != b->pair || vec_dot(a->normal, b->normal) < alike)
        return INFINITY;
    return vec_distance(a->at, b->at);
}

static void add_entry(contact_list *list, contact *row, const contact_entry *e, double share)
{
    contact_entry *entry = &list->pool[row->adr];
    int k = 0;
    while (k < row->n && entry[k].node != e->node)
        k++;
    if (k == row->n) {
        entry[k] = (contact_entry){.node = e->node};
        row->n++;
        list->nentry++;
    }
    entry[k].weight += share * e->weight;
    vec_axpy(entry[k].H, share, e->H);
}

static void add_member(contact_list *list, contact *row, const contact *c, double share)
{
    row->id = c->id < row->id ? c->id : row->id;
    row->gap += share * c->gap;
    row->least = fmin(row->least, c->least);
    row->area += c->area;
    vec_axpy(row->normal, share, c->normal);
    vec_axpy(row->at, share, c->at);
    for (int i = 0; i < c->n; i++)
        add_entry(list, row, &list->entry[c->adr + i], share);
}

static double share_of(const contact *c)
{
    return fmax(c->area, 1e-12);
}

// Replaces the contacts by one for each of their ncluster clusters.
static void merge_clusters(contact_list *list, int ncluster)
{
    int kept = 0;
    list->nentry = 0;
    for (int k = 0; k < ncluster; k++) {
        contact *row = &list->kept[kept];
        double sum = 0;
        int members = 0, pair = -1;
        for (int i = 0; i < list->n; i++)
            if (list->cluster[i] == k) {
                sum += share_of(&list->contact[i]);
                pair = list->contact[i].pair;
                members++;
            }
        if (members == 0)
            continue;
        *row = (contact){
            .id = UINT64_MAX, .pair = pair, .adr = list->nentry, .least = INFINITY, .share = 1};
        for (int i = 0; i < list->n; i++)
            if (list->cluster[i] == k)
                add_member(list, row, &list->contact[i], share_of(&list->contact[i]) / sum);
        double length = vec_norm(row->normal);
        for (int i = 0; i < 3; i++)
            row->normal[i] /= length;
        if (members > 1)
            row->id ^= (uint64_t)FIND_PATCH << 48;
        list->merged += members - 1;
        kept++;
    }
    memcpy(list->entry, list->pool, (size_t)list->nentry * sizeof *list->entry);
    memcpy(list->contact, list->kept, (size_t)kept * sizeof *list->kept);
    list->n = kept;
}

// Takes the contact that is farthest from all chosen ones, again and again, until there are `most`;
// each then belongs to the nearest. It begins with the smallest id, and of those that are about as
// far or near the first one counts: so the choice stays from step to step.
static int choose_seeds(contact_list *list, int most)
{
    int ncluster = 0, seed = -1;
    for (int i = 0; i < list->n; i++) {
        list->distance[i] = INFINITY;
        if (seed < 0 || list->contact[i].id < list->contact[seed].id)
            seed = i;
    }
    while (seed >= 0 && ncluster < most) {
        int next = -1;
        for (int i = 0; i < list->n; i++) {
            double d = apart(&list->contact[i], &list->contact[seed]);
            if (i == seed)
                d = -1; // stays chosen, even where others lie at the same place
            if (d < 0.99 * list->distance[i]) {
                list->distance[i] = d;
                list->cluster[i] = ncluster;
            }
            if (list->distance[i] > -1 &&
                (next < 0 || list->distance[i] > 1.01 * list->distance[next]))
                next = i;
        }
        ncluster++;
        seed = next;
    }
    return ncluster;
}

void merge_to(contact_list *list, int most)
{
    if (list->n <= most)
        return;
    for (int i = 0; i < list->n; i++)
        list->cluster[i] = -1;
    int ncluster = choose_seeds(list, most);
    for (int i = 0; i < list->n; i++)
        if (list->cluster[i] < 0) {
            list->lost++;
            find_leave(list, list->contact[i].gap, list->contact[i].pair);
        }
    merge_clusters(list, ncluster);
}
