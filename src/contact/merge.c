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

// Members near the alarm distance hardly count, so that rows change smoothly as members come and
// go.
static double share_of(const contact *c, double alarm)
{
    double fade = c->gap <= 0 ? 1 : fmax(1 - c->gap / alarm, 1e-3);
    return fmax(c->area, 1e-12) * fade * fade;
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

// Replaces the contacts from `first` on by one for each of their ncluster clusters.
static void merge_clusters(contact_list *list, int first, int ncluster,
                           double (*share)(const contact *c, double scale), double scale)
{
    int kept = 0, start = first < list->n ? list->contact[first].adr : list->nentry;
    list->nentry = start;
    for (int k = 0; k < ncluster; k++) {
        contact *row = &list->kept[kept];
        double sum = 0;
        int members = 0, pair = -1;
        for (int i = first; i < list->n; i++)
            if (list->cluster[i] == k) {
                sum += share(&list->contact[i], scale);
                pair = list->contact[i].pair;
                members++;
            }
        if (members == 0)
            continue;
        *row = (contact){.id = UINT64_MAX, .pair = pair, .adr = list->nentry, .least = INFINITY};
        for (int i = first; i < list->n; i++)
            if (list->cluster[i] == k)
                add_member(list, row, &list->contact[i], share(&list->contact[i], scale) / sum);
        double length = vec_norm(row->normal);
        for (int i = 0; i < 3; i++)
            row->normal[i] /= length;
        if (members > 1)
            row->id ^= (uint64_t)FIND_PATCH << 48;
        list->merged += members - 1;
        kept++;
    }
    memcpy(&list->entry[start], &list->pool[start],
           (size_t)(list->nentry - start) * sizeof *list->entry);
    memcpy(&list->contact[first], list->kept, (size_t)kept * sizeof *list->kept);
    list->n = first + kept;
}

// Takes the contact that is farthest from all chosen ones, again and again, until every one of the
// group is within `radius` of a chosen one or there are `most`; each then belongs to the nearest.
// It begins with the smallest id, and of those that are about as far or near the first one counts:
// so the choice stays from step to step.
// group: contacts i with order[i] == group, or all if it is negative.
static int choose_seeds(contact_list *list, int first, int group, double radius, int most,
                        int ncluster)
{
    int limit = ncluster + most, seed = -1;
    for (int i = first; i < list->n; i++) {
        if (group >= 0 && list->order[i] != group)
            continue;
        list->distance[i] = INFINITY;
        if (seed < 0 || list->contact[i].id < list->contact[seed].id)
            seed = i;
    }
    while (seed >= 0 && ncluster < limit) {
        int next = -1;
        for (int i = first; i < list->n; i++) {
            if (group >= 0 && list->order[i] != group)
                continue;
            double d = apart(&list->contact[i], &list->contact[seed]);
            if (i == seed)
                d = -1; // stays chosen, even where others lie at the same place
            if (d < 0.99 * list->distance[i]) {
                list->distance[i] = d;
                list->cluster[i] = ncluster;
            }
            if (list->distance[i] > radius &&
                (next < 0 || list->distance[i] > 1.01 * list->distance[next]))
                next = i;
        }
        ncluster++;
        seed = next;
    }
    return ncluster;
}

static int root_of(int *parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

// Regions: contacts are linked where the pieces of surface that they stand for touch.
static void find_regions(contact_list *list, int first)
{
    for (int i = first; i < list->n; i++)
        list->order[i] = i;
    for (int i = first; i < list->n; i++)
        for (int j = first; j < i; j++) {
            double reach = 1.5 * (sqrt(list->contact[i].area) + sqrt(list->contact[j].area));
            if (apart(&list->contact[i], &list->contact[j]) <= reach)
                list->order[root_of(list->order, i)] = root_of(list->order, j);
        }
    for (int i = first; i < list->n; i++)
        list->order[i] = root_of(list->order, i);
}

// Radius of the region about the mean of its contacts.
static double radius_of(const contact_list *list, int first, int group)
{
    double mean[3] = {0, 0, 0}, radius = 0;
    int n = 0;
    for (int i = first; i < list->n; i++)
        n += list->order[i] == group;
    for (int i = first; i < list->n; i++)
        if (list->order[i] == group)
            vec_axpy(mean, 1.0 / n, list->contact[i].at);
    for (int i = first; i < list->n; i++)
        if (list->order[i] == group)
            radius = fmax(radius, vec_distance(mean, list->contact[i].at));
    return radius;
}

void merge_regions(contact_list *list, const contact_pair *pair, int first)
{
    int ncluster = 0;
    find_regions(list, first);
    for (int i = first; i < list->n; i++)
        list->cluster[i] = -1;
    for (int i = first; i < list->n; i++)
        if (list->order[i] == i) {
            // less than the region's own radius, so that rows on all sides hold it against tilting
            double radius = pair->patch > 0 ? pair->patch : 0.8 * radius_of(list, first, i);
            ncluster = choose_seeds(list, first, i, radius, list->n, ncluster);
        }
    merge_clusters(list, first, ncluster, share_of, pair->alarm);
}

static double share_evenly(const contact *c, double scale)
{
    (void)scale;
    return fmax(c->area, 1e-12);
}

void merge_to(contact_list *list, int most)
{
    if (list->n <= most)
        return;
    for (int i = 0; i < list->n; i++)
        list->cluster[i] = -1;
    int ncluster = choose_seeds(list, 0, -1, -1, most, 0);
    for (int i = 0; i < list->n; i++)
        if (list->cluster[i] < 0) {
            list->lost++;
            find_leave(list, list->contact[i].gap, list->contact[i].pair);
        }
    merge_clusters(list, 0, ncluster, share_evenly, 0);
}
