// Clouds of nodes, and the directions along which their means are measured.
#include "base/vec.h"
#include "scene/compile.h"

#include <string.h>

lithe_status compile_direction(const compiler *c, const char *location, const char *name,
                               const double v[3], double out[3])
{
    double length = vec_norm(v);
    if (!(length > 0) || !isfinite(length))
        return compile_fail(c, location, "'%s': its direction (%g, %g, %g) is none", name, v[0],
                            v[1], v[2]);
    for (int i = 0; i < 3; i++)
        out[i] = v[i] / length;
    return LITHE_OK;
}

lithe_status compile_directions(const compiler *c, const char *location, const char *name,
                                bool has_direction, const double direction[3], int axes,
                                double out[3][3], int *n)
{
    *n = 0;
    if (has_direction) {
        *n = 1;
        return compile_direction(c, location, name, direction, out[0]);
    }
    for (int axis = 0; axis < 3; axis++)
        if (axes & (1 << axis)) {
            memset(out[*n], 0, sizeof out[*n]);
            out[(*n)++][axis] = 1;
        }
    return *n > 0 ? LITHE_OK : compile_fail(c, location, "'%s' measures no axis", name);
}

static lithe_status cloud_create(const compiler *c, int n, row_cloud *cloud)
{
    cloud->n = n;
    cloud->node = arena_new(&c->model->memory, n, int);
    cloud->weight = arena_new(&c->model->memory, n, double);
    if (cloud->node && cloud->weight)
        return LITHE_OK;
    compile_no_memory(c);
    return LITHE_NO_MEMORY;
}

lithe_status compile_cloud_of_point(const compiler *c, const row_point *point, row_cloud *cloud)
{
    LITHE_TRY(cloud_create(c, point->nposition, cloud));
    for (int i = 0; i < point->nposition; i++) { // ascending, as rows list their nodes
        int k = i;
        for (; k > 0 && point->node[i] < cloud->node[k - 1]; k--) {
            cloud->node[k] = cloud->node[k - 1];
            cloud->weight[k] = cloud->weight[k - 1];
        }
        cloud->node[k] = point->node[i];
        cloud->weight[k] = point->weight[i];
    }
    cloud->body = point->body;
    cloud->nrotation = point->nrotation;
    memcpy(cloud->rotation, &point->node[point->nposition],
           (size_t)point->nrotation * sizeof *cloud->rotation);
    memcpy(cloud->rotation_arm, point->arm, sizeof point->arm);
    return LITHE_OK;
}

// Nodes with any weight, by body node; weights are brought to the sum 1.
static lithe_status cloud_of_weights(compiler *c, int body_id, const double *weight,
                                     row_cloud *cloud)
{
    const body *b = &c->model->body[body_id];
    int n = 0;
    double sum = 0;
    cloud->body = body_id;
    for (int i = 0; i < b->nnode; i++) {
        n += weight[i] != 0;
        sum += weight[i];
    }
    LITHE_TRY(cloud_create(c, n, cloud));
    n = 0;
    for (int i = 0; i < b->nnode; i++)
        if (weight[i] != 0) {
            cloud->node[n] = b->node_adr + i;
            cloud->weight[n++] = weight[i] / sum;
        }
    return LITHE_OK;
}

lithe_status compile_cloud_of_surface(compiler *c, const char *location, const char *body_name,
                                      const char *surface, row_cloud *cloud)
{
    int body_id;
    face_set face;
    LITHE_TRY(compile_find_body(c, location, body_name, &body_id));
    LITHE_TRY(compile_find_faces(c, body_id, location, surface, &face));
    double *weight = arena_new(&c->scratch, c->model->body[body_id].nnode, double);
    if (!weight)
        return compile_no_memory(c);
    face_areas(&face, c->body[body_id].X, weight);
    return cloud_of_weights(c, body_id, weight, cloud);
}

// A surface by its area, nodes by their number.
lithe_status compile_cloud_of_patch(compiler *c, const char *location, const char *body_name,
                                    const lithe_selection *where, row_cloud *cloud)
{
    int body_id;
    LITHE_TRY(compile_find_body(c, location, body_name, &body_id));
    if (where->kind == LITHE_GROUP && compile_has_surface(&c->body[body_id], where->group))
        return compile_cloud_of_surface(c, location, body_name, where->group, cloud);
    return compile_cloud_of_nodes(c, location, body_name, where, false, cloud);
}

lithe_status compile_cloud_of_nodes(compiler *c, const char *location, const char *body_name,
                                    const lithe_selection *where, bool by_mass, row_cloud *cloud)
{
    int body_id, n, *node;
    LITHE_TRY(compile_find_body(c, location, body_name, &body_id));
    LITHE_TRY(compile_find_nodes(c, body_id, location, where, &n, &node));
    const body *b = &c->model->body[body_id];
    double *weight = arena_new(&c->scratch, b->nnode, double);
    if (!weight)
        return compile_no_memory(c);
    for (int i = 0; i < n; i++)
        weight[node[i]] = by_mass ? b->weigh[node[i]] : 1;
    return cloud_of_weights(c, body_id, weight, cloud);
}
