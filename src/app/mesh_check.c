#include "app/mesh_check.h"

#include "app/show.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    SHOWN = 8,     // numbers in a line of text
    WRITTEN = 100, // numbers in a list of the JSON
    LINE = 256,
};

// A share of the walls below which one element across is not worth a word.
#define FEW 0.05

static lithe_status examine(session *s, scene_care *care, int i)
{
    static const lithe_mesh_check empty;
    const lithe_body_def *def = &lithe_scene_def(s->scene)->body[i];
    body_care *body = &care->body[i];
    lithe_body_info info;
    LITHE_TRY(lithe_body_get(s->model, i, &info));
    *body = (body_care){.name = def->name,
                        .none = (!def->mesh_file && !def->solid) || def->shape != LITHE_SOFT,
                        .members = def->nmember > 0,
                        .check = &empty};
    if (body->none)
        return LITHE_OK;
    LITHE_TRY(lithe_body_mesh(def, &body->mesh, NULL)); // its notices were said before
    if (def->mesh_file &&
        lithe_mesh_get(body->mesh).nnode > info.nnode) // nodes of rods and shells come after these
        return LITHE_FAIL(&s->report, LITHE_IO,
                          "%s: changed while it was read; wait until it is written",
                          def->mesh_file);
    const double *x = lithe_rest(s->model) + 3 * (size_t)info.first_node;
    LITHE_TRY(lithe_mesh_examine(body->mesh, def->element, x, &body->found, NULL));
    body->none = body->found->ncell == 0; // triangles of shells
    if (body->none)
        return LITHE_OK;
    body->check = body->found;
    body->linear = def->element != LITHE_TET10 && body->check->linear;
    return LITHE_OK;
}

lithe_status care_open(session *s, scene_care *care)
{
    *care = (scene_care){.nbody = lithe_nbody(s->model)};
    care->body = arena_new(&care->memory, care->nbody, body_care);
    lithe_status status = care->body ? LITHE_OK : LITHE_NO_MEMORY;
    for (int i = 0; i < care->nbody && status == LITHE_OK; i++)
        status = examine(s, care, i);
    if (status == LITHE_NO_MEMORY)
        report_no_memory(&s->report, "looking at the meshes");
    else if (status != LITHE_OK && !s->report.error[0])
        LITHE_FAIL(&s->report, status, "a mesh changed while it was read; run again");
    return status;
}

void care_close(scene_care *care)
{
    for (int i = 0; care->body && i < care->nbody; i++) {
        lithe_mesh_check_free(care->body[i].found);
        lithe_mesh_free(care->body[i].mesh);
    }
    arena_free(&care->memory);
}

// "3, 17, 20, ...": the first numbers of those that have the problem.
static const char *first_numbers(const int *problem, int n, int which, char text[LINE])
{
    int count = 0;
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < n && count <= SHOWN; i++) {
        if (!(problem[i] & which))
            continue;
        used += (size_t)snprintf(text + used, LINE - used, count == 0 ? "%d" : ", %d", i);
        if (++count == SHOWN)
            snprintf(text + used, LINE - used, ", ...");
        if (count == SHOWN)
            break;
    }
    return text;
}

static double wall_share(const lithe_walls *w, int across)
{
    double sum = w->area[0] + w->area[1] + w->area[2];
    return sum > 0 ? w->area[across] / sum : 0;
}

static void notice_walls(session *s, const body_care *body)
{
    const lithe_walls *w = &body->check->walls;
    char thin[SHOW_TEXT];
    char half[SHOW_TEXT];
    if (!body->linear || wall_share(w, 0) < FEW)
        return;
    report_notice(
        &s->report,
        "body '%s': %.0f %% of its walls are one element thick, the thinnest %s (nodes "
        "%d and %d, the first is 0); linear tetrahedra bend too stiffly there: elements of "
        "%s would make it two",
        body->name, 100 * wall_share(w, 0), show_value(QUANTITY_LENGTH, w->thinnest[0], thin),
        w->node[0], w->node[1], show_value(QUANTITY_LENGTH, w->thinnest[0] / 2, half));
}

static void notice_shapes(session *s, const body_care *body)
{
    const lithe_mesh_check *c = body->check;
    char text[LINE];
    if (c->nsliver)
        report_notice(&s->report,
                      "body '%s': %d of %d elements are slivers, of a quality below %g: %s (the "
                      "first is 0); they stiffen the body and slow convergence: optimize the mesh "
                      "(in Gmsh: Mesh.Optimize = 1, Mesh.OptimizeNetgen = 1)",
                      body->name, c->nsliver, body->check->ncell, LITHE_MESH_SLIVER_QUALITY,
                      first_numbers(c->cell_problem, body->check->ncell, LITHE_MESH_SLIVER, text));
    if (c->nstray)
        report_notice(&s->report,
                      "body '%s': %d of the %d triangles in its file are no faces of elements: "
                      "%s (the first is 0); a surface selected by their group lacks them",
                      body->name, c->nstray, body->check->ntri,
                      first_numbers(c->tri_problem, body->check->ntri, LITHE_MESH_STRAY, text));
}

static void notice_joints(session *s, const body_care *body)
{
    const lithe_mesh_check *c = body->check;
    char text[LINE];
    if (c->ncoincident)
        report_notice(
            &s->report,
            "body '%s': %d nodes lie where another one is: nodes %s (the first is 0); "
            "the body is cut open there unless that is meant: merge them (in Gmsh: "
            "Coherence Mesh)",
            body->name, c->ncoincident,
            first_numbers(c->node_problem, body->check->nnode, LITHE_MESH_COINCIDENT, text));
    if (c->npart > 1)
        report_notice(&s->report,
                      "body '%s': falls into %d parts that share no node; outside the largest are "
                      "%d elements: %s (the first is 0); join them, or make each a body",
                      body->name, c->npart, c->nloose,
                      first_numbers(c->cell_problem, body->check->ncell, LITHE_MESH_LOOSE, text));
}

void care_notice(session *s, const scene_care *care)
{
    for (int i = 0; i < care->nbody; i++) {
        notice_shapes(s, &care->body[i]);
        notice_joints(s, &care->body[i]);
        notice_walls(s, &care->body[i]);
    }
}

static void print_walls(const lithe_walls *w)
{
    static const char *const thick[] = {"one element", "two", "three or more"};
    char text[SHOW_TEXT];
    bool first = true;
    printf("  walls     ");
    for (int i = 0; i < 3; i++) {
        if (w->area[i] == 0)
            continue;
        printf("%s %.0f %% %s thick (thinnest %s)", first ? "" : ",", 100 * wall_share(w, i),
               thick[i], show_value(QUANTITY_LENGTH, w->thinnest[i], text));
        first = false;
    }
    printf("%s\n", first ? " none between opposite sides" : "");
}

static void print_problems(const body_care *body)
{
    const lithe_mesh_check *c = body->check;
    const struct {
        const char *name;
        int count;
        const int *problem;
        int n;
        int which;
    } lists[] = {
        {"slivers", c->nsliver, c->cell_problem, body->check->ncell, LITHE_MESH_SLIVER},
        {"loose", c->nloose, c->cell_problem, body->check->ncell, LITHE_MESH_LOOSE},
        {"folded", c->nfold, c->cell_problem, body->check->ncell, LITHE_MESH_FOLD},
        {"coincident", c->ncoincident, c->node_problem, body->check->nnode, LITHE_MESH_COINCIDENT},
        {"orphans", c->norphan, c->node_problem, body->check->nnode, LITHE_MESH_ORPHAN},
        {"stray", c->nstray, c->tri_problem, body->check->ntri, LITHE_MESH_STRAY},
    };
    char text[LINE];
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (lists[i].count)
            printf("  %-10s %d: %s\n", lists[i].name, lists[i].count,
                   first_numbers(lists[i].problem, lists[i].n, lists[i].which, text));
}

void care_print(const body_care *body)
{
    const lithe_mesh_check *c = body->check;
    char a[SHOW_TEXT];
    char b[SHOW_TEXT];
    char d[SHOW_TEXT];
    printf("  histogram  0 |");
    for (int i = 0; i < LITHE_MESH_BINS; i++)
        printf(" %d", c->histogram[i]);
    printf(" | 1\n");
    printf("  edges      %s to %s, median %s\n", show_value(QUANTITY_LENGTH, c->edge[0], a),
           show_value(QUANTITY_LENGTH, c->edge[2], b), show_value(QUANTITY_LENGTH, c->edge[1], d));
    print_walls(&c->walls);
    printf("  surface    %d triangles in %d piece%s", body->check->nboundary, body->check->npiece,
           body->check->npiece == 1 ? "" : "s");
    if (body->check->ntri)
        printf("; of %d in the file %d look inwards", body->check->ntri, c->ninward);
    printf("\n  parts      %d\n", c->npart);
    print_problems(body);
}

// At most WRITTEN numbers; the count says how many there are.
static void write_list(json *j, const char *key, int count, const int *problem, int n, int which)
{
    int written = 0;
    json_begin_object(j, key);
    json_integer(j, "count", count);
    json_begin_array(j, "first");
    for (int i = 0; i < n && written < WRITTEN; i++)
        if (problem[i] & which) {
            json_integer(j, NULL, i);
            written++;
        }
    json_end_array(j);
    json_end_object(j);
}

static void write_pairs(json *j, const body_care *body)
{
    int written = 0;
    json_begin_array(j, "coincident_pairs");
    for (int i = 0; i < body->check->nnode && written < WRITTEN; i++) {
        if (body->check->twin[i] == i)
            continue;
        json_begin_array(j, NULL);
        json_integer(j, NULL, body->check->twin[i]);
        json_integer(j, NULL, i);
        json_end_array(j);
        written++;
    }
    json_end_array(j);
}

static void write_walls(json *j, const lithe_walls *w)
{
    static const char *const across[] = {"one", "two", "more"};
    json_begin_object(j, "walls");
    for (int i = 0; i < 3; i++) {
        json_begin_object(j, across[i]);
        json_number(j, "area", w->area[i]);
        json_number(j, "thinnest", w->thinnest[i]);
        json_end_object(j);
    }
    json_begin_array(j, "nodes");
    for (int i = 0; i < 2 && w->node[0] >= 0; i++)
        json_integer(j, NULL, w->node[i]);
    json_end_array(j);
    json_end_object(j);
}

void care_write(json *j, const body_care *body)
{
    const lithe_mesh_check *c = body->check;
    json_begin_object(j, "mesh");
    json_begin_array(j, "histogram");
    for (int i = 0; i < LITHE_MESH_BINS; i++)
        json_integer(j, NULL, c->histogram[i]);
    json_end_array(j);
    json_numbers(j, "edges", 3, c->edge);
    write_walls(j, &c->walls);
    json_integer(j, "parts", c->npart);
    json_integer(j, "boundary_triangles", body->check->nboundary);
    json_integer(j, "boundary_pieces", body->check->npiece);
    json_integer(j, "file_triangles", c->ntri);
    json_integer(j, "inward_triangles", c->ninward);
    write_list(j, "slivers", c->nsliver, c->cell_problem, body->check->ncell, LITHE_MESH_SLIVER);
    write_list(j, "loose", c->nloose, c->cell_problem, body->check->ncell, LITHE_MESH_LOOSE);
    write_list(j, "folded", c->nfold, c->cell_problem, body->check->ncell, LITHE_MESH_FOLD);
    write_list(j, "coincident", c->ncoincident, c->node_problem, c->nnode, LITHE_MESH_COINCIDENT);
    write_pairs(j, body);
    write_list(j, "orphans", c->norphan, c->node_problem, c->nnode, LITHE_MESH_ORPHAN);
    write_list(j, "stray", c->nstray, c->tri_problem, c->ntri, LITHE_MESH_STRAY);
    json_end_object(j);
}
