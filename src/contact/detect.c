#include "contact/find.h"

#include "base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

lithe_status contact_list_create(int max, arena *memory, contact_list *out)
{
    enum { ENTRIES = 6 }; // a vertex and a triangle, or two edges, with room for larger regions
    *out = (contact_list){.max = max, .max_entry = ENTRIES * max};
    size_t n = max > 0 ? (size_t)max : 1;
    out->contact = arena_new(memory, n, contact);
    out->entry = arena_new(memory, ENTRIES * n, contact_entry);
    out->cluster = arena_new(memory, n, int);
    out->distance = arena_new(memory, n, double);
    out->kept = arena_new(memory, n, contact);
    out->pool = arena_new(memory, ENTRIES * n, contact_entry);
    return out->contact && out->entry && out->cluster && out->distance && out->kept && out->pool
               ? LITHE_OK
               : LITHE_NO_MEMORY;
}

void find_leave(contact_list *list, double gap, int pair)
{
    if (gap >= list->rowless)
        return;
    list->rowless = gap;
    list->rowless_pair = pair;
}

contact *find_open(find *f, uint64_t id, double gap, const double normal[3], const double at[3],
                   double area)
{
    contact_list *list = f->list;
    if (list->n >= list->max) {
        list->lost++;
        find_leave(list, gap, f->pair_id);
        return NULL;
    }
    contact *c = &list->contact[list->n++];
    *c = (contact){.id = id,
                   .pair = f->pair_id,
                   .adr = list->nentry,
                   .gap = gap,
                   .least = gap,
                   .area = area,
                   .share = 1};
    memcpy(c->normal, normal, sizeof c->normal);
    memcpy(c->at, at, sizeof c->at);
    return c;
}

void find_entry(find *f, contact *c, const contact_skin *s, int vertex, double weight)
{
    if (s->node[vertex] < 0)
        return;
    contact_entry *e = &f->list->entry[f->list->nentry++];
    e->node = s->node[vertex];
    e->weight = weight;
    for (int i = 0; i < 3; i++)
        e->H[i] = weight * c->normal[i];
    c->n++;
}

bool find_faces(const double own[3], const double normal[3])
{
    const double shallow = -0.2;     // cosine: what leans by less than 12 degrees does not face
    return vec_dot(own, own) == 0 || // a point of a beam faces everywhere
           vec_dot(own, normal) < shallow;
}

static void detect_pair(find *f)
{
    if (f->shape) {
        find_vertices_of_shape(f);
        find_faces_of_shape(f);
        find_segments_of_shape(f);
    } else {
        find_vertices_of_skin(f);
        find_edges_of_skin(f);
        find_segments_of_skin(f);
    }
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double share_of_alarm(const contact_world *world, const contact *c)
{
    return c->gap / world->pair[c->pair].alarm;
}

void contact_leave_far(const contact_world *world, contact_list *list, int most)
{
    const double far = 0.125;
    int near = 0, kept = 0;
    for (int i = 0; i < list->n; i++) {
        list->distance[i] = share_of_alarm(world, &list->contact[i]);
        near += list->distance[i] <= far;
    }
    if (list->n <= most || near > most || most <= 0)
        return;
    qsort(list->distance, (size_t)list->n, sizeof *list->distance, by_size);
    double limit = list->distance[most - 1];
    for (int i = 0; i < list->n; i++)
        if (share_of_alarm(world, &list->contact[i]) <= limit && kept < most)
            list->contact[kept++] = list->contact[i];
    list->n = kept;
}

void contact_detect(const contact_world *world, const contact_poses *poses, int most,
                    contact_list *list)
{
    list->n = list->nentry = list->lost = list->merged = 0;
    list->rowless = INFINITY;
    for (int k = 0; k < world->npair; k++) {
        const contact_pair *pair = &world->pair[k];
        if (poses->off && poses->off[k])
            continue;
        bool shaped = pair->second < 0;
        find f = {.pair = pair, .pair_id = k, .list = list};
        f.far = world->one_sided ? -world->slack : CONTACT_CLOSE * pair->alarm;
        f.a = &world->skin[pair->first];
        f.pa = &poses->skin[pair->first];
        f.pa_before = poses->before ? &poses->before[pair->first] : NULL;
        if (shaped) {
            f.shape = &world->shape[pair->shape];
            f.at = &poses->shape[pair->shape];
            f.at_before = poses->shape_before ? &poses->shape_before[pair->shape] : NULL;
        } else {
            f.b = &world->skin[pair->second];
            f.pb = &poses->skin[pair->second];
            f.pb_before = poses->before ? &poses->before[pair->second] : NULL;
        }
        if (pair->patches)
            find_volumes(&f, world, poses);
        else
            detect_pair(&f);
    }
    contact_leave_far(world, list, most);
    merge_to(list, most);
}
