// What assembling costs, element by element: energy, force and stiffness of a block in every kind
// of element and law, summed into A.
//
//     bench_assembly [CELLS [POISSON]]
//
// Nanoseconds an element of time that the thread computed, best of many rounds in which all take
// turns, on one thread. `ratio` is against corotational tet4 in the same rounds. `kernel` leaves
// the summing into A out; `clamped` is the positive tangent of a block that is squeezed until the
// exact one is not positive. The table is Markdown.
#include "bar.h"
#include "mesh/mesh.h"
#include "robot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 60, WORKS = 4, MOST = 40 };

typedef enum work { FORCE, STIFFNESS, KERNEL_ALONE, CLAMPED } work;

typedef struct contender {
    const char *element, *law;
    lithe_mesh *mesh;
    lithe_model *model;
    lithe_state *state;
    double *x, *squeezed, *force, *stiff; // stiff: of a batch
    int n;                                // elements that are seen
    double best[WORKS];
} contender;

static lithe_material_def material_of(lithe_law law, double poisson)
{
    lithe_material_def m = lithe_material_def_default();
    m.name = "stuff";
    m.law = law;
    m.young = law == LITHE_ORTHOTROPIC ? 0 : 1e5;
    m.poisson = poisson;
    m.ncoefficient = law == LITHE_YEOH                                  ? 3
                     : law == LITHE_MOONEY_RIVLIN || law == LITHE_OGDEN ? 2
                                                                        : 0;
    memcpy(m.coefficient, (double[]){2, 0.7, 0.1}, sizeof m.coefficient);
    m.nexponent = law == LITHE_OGDEN ? 2 : 0;
    memcpy(m.exponent, (double[]){1.3, 4, 0}, sizeof m.exponent);
    for (int i = 0; i < 3 && law == LITHE_ORTHOTROPIC; i++) {
        m.moduli[i] = i ? 1e5 : 3e5;
        m.ratios[i] = 0.3;
        m.shears[i] = 4e4;
    }
    m.fibre[2] = m.across[0] = 1;
    return m;
}

static void take_cells_whole(const bar *b, lithe_mesh *m)
{
    static const int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                     {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    mesh_cells *cells = &m->other[MESH_HEX8];
    m->ntet = 0;
    cells->n = b->nx * b->ny * b->nz;
    cells->node = must(arena_new(&m->memory, 8 * (size_t)cells->n, int));
    for (int i = 0; i < 8 * cells->n; i++) {
        const int *at = corner[i % 8];
        int cell = i / 8;
        cells->node[i] = bar_node(b, cell % b->nx + at[0], cell / b->nx % b->ny + at[1],
                                  cell / b->nx / b->ny + at[2]);
    }
}

static contender open_block(lithe_element element, const char *name, lithe_law law,
                            const char *law_name, int cells, double poisson)
{
    contender c = {.element = name, .law = law_name};
    lithe_report report = lithe_report_default();
    bar b = bar_make(cells, cells, cells, (double[]){0, 0, 0}, (double[]){0.1, 0.1, 0.1});
    lithe_material_def material = material_of(law, poisson);
    lithe_fix_def fix = lithe_fix_def_default();
    fix.where = (lithe_selection){.kind = LITHE_PLANE, .b = {0, 0, -1}};
    lithe_body_def body_def = lithe_body_def_default();
    body_def.name = "block";
    body_def.material = "stuff";
    body_def.nfix = 1;
    body_def.fix = &fix;
    body_def.element = element;
    lithe_def def = lithe_def_default();
    def.nmaterial = def.nbody = 1;
    def.material = &material;
    def.body = &body_def;
    lithe_status status = lithe_mesh_create(b.nnode, b.x, b.ntet, b.tet, &c.mesh, &report);
    if (status == LITHE_OK && element == LITHE_HEX8)
        take_cells_whole(&b, c.mesh);
    body_def.mesh = c.mesh;
    if (status == LITHE_OK)
        status = lithe_compile(&def, &c.model, &report);
    if (status == LITHE_OK)
        status = lithe_state_create(c.model, 1, &c.state, &report);
    if (status != LITHE_OK) {
        fprintf(stderr, "%s\n", report.error);
        exit(1);
    }
    c.n = element == LITHE_HEX8 ? b.ntet / 6 : b.ntet;
    bar_free(&b);
    return c;
}

// Stretched, bent and uneven; or pushed together.
static void deform(contender *c)
{
    const body *b = &c->model->body[0];
    size_t n = 3 * (size_t)b->nnode;
    c->x = must(malloc(3 * n * sizeof *c->x));
    c->squeezed = c->x + n;
    c->force = c->x + 2 * n;
    size_t largest = 0;
    for (int k = 0; k < b->nfamily; k++)
        if (largest < 9 * LANES * (size_t)family_npair(&b->family[k]))
            largest = 9 * LANES * (size_t)family_npair(&b->family[k]);
    c->stiff = must(malloc(largest * sizeof *c->stiff));
    srand(1);
    for (size_t i = 0; i < n; i++) {
        double height = b->X[i - i % 3 + 2], noise = 2e-4 * (rand() / (double)RAND_MAX - 0.5);
        c->x[i] = b->X[i] * (1 + 0.1 * sin(30 * height)) + noise;
        c->squeezed[i] = (i % 3 == 2 ? 0.55 : 1.2) * b->X[i] + noise;
    }
    for (int k = 0; k < WORKS; k++)
        c->best[k] = INFINITY;
}

static void kernel_alone(const contender *c)
{
    const body *b = &c->model->body[0];
    for (int k = 0; k < b->nfamily; k++)
        for (int i = 0; i < b->family[k].nbatch; i++) {
            element_output out =
                body_output(&b->family[k], &c->state->tangent.work[0], (size_t)i * LANES);
            out.stiff = c->stiff; // a model that keeps none of it sums it at once
            b->family[k].kind->evaluate(family_batch(&b->family[k], i), c->x, ELEMENT_EXACT, out);
        }
}

static void run(contender *c, work what)
{
    const body *b = &c->model->body[0];
    double start = cpu_now();
    if (what == KERNEL_ALONE)
        kernel_alone(c);
    else
        body_elastic(b, &c->state->tangent.work[0], what == CLAMPED ? c->squeezed : c->x, NULL,
                     what == FORCE     ? ELEMENT_FORCE_ONLY
                     : what == CLAMPED ? ELEMENT_POSITIVE
                                       : ELEMENT_EXACT,
                     NULL, c->force, c->state->tangent.K[0]);
    c->best[what] = fmin(c->best[what], cpu_now() - start);
}

static void print_row(const contender *c, const contender *first)
{
    printf("| %s | %s", c->element, c->law);
    static const work order[] = {STIFFNESS, FORCE, KERNEL_ALONE, CLAMPED};
    for (int k = 0; k < WORKS; k++) {
        double own = c->best[order[k]] / c->n, least = first->best[order[k]] / first->n;
        printf(" | %.0f | %.2f", 1e9 * own, own / least);
    }
    printf(" |\n");
}

int main(int argc, char **argv)
{
    static const char *const laws[] = {
        "corotational", "st-venant-kirchhoff", "neo-hookean", "mooney-rivlin", "yeoh",
        "ogden",        "orthotropic"};
    static const struct {
        lithe_element element;
        const char *name;
    } kinds[] = {{LITHE_TET4, "tet4"},
                 {LITHE_TET4_AVERAGED, "tet4-averaged"},
                 {LITHE_TET10, "tet10"},
                 {LITHE_HEX8, "hex8"}};
    int cells = argc > 1 ? atoi(argv[1]) : 8, n = 0;
    double poisson = argc > 2 ? atof(argv[2]) : 0.45;
    contender c[MOST];
    for (int k = 0; k < 4; k++)
        for (int law = 0; law < 7; law++, n++) {
            c[n] = open_block(kinds[k].element, kinds[k].name, (lithe_law)law, laws[law], cells,
                              poisson);
            deform(&c[n]);
        }
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < n; i++)
            for (int what = 0; what < WORKS; what++)
                run(&c[i], (work)what);
    printf(
        "| element | law | force and stiffness ns | ratio | force ns | ratio | kernel ns | ratio | "
        "clamped ns | ratio |\n|---|---|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < n; i++)
        print_row(&c[i], &c[0]);
    for (int i = 0; i < n; i++) {
        free(c[i].x);
        free(c[i].stiff);
        lithe_state_free(c[i].state);
        lithe_model_free(c[i].model);
        lithe_mesh_free(c[i].mesh);
    }
    return 0;
}
