// A soft bar, held at one end, bends as a cable that runs along its upper side is pulled.
//
// The C library alone: the mesh is made in arrays, the robot is described by definition structs,
// and nothing is read from files. With the library built in build/:
//
//     cc -Iinclude examples/c/bend.c -Lbuild -llithe -Wl,-rpath,build -o bend && ./bend
#include <lithe/lithe.h>

#include <stdio.h>

enum { NX = 20, NY = 2, NZ = 2 }; // cells along each axis
enum { NNODE = (NX + 1) * (NY + 1) * (NZ + 1), NTET = 6 * NX * NY * NZ };
enum { NGUIDE = 5 }; // points that the cable runs through

static const double LENGTH = 0.1, SIDE = 0.01; // m

static int node_at(int i, int j, int k)
{
    return (i * (NY + 1) + j) * (NZ + 1) + k;
}

// Every cell is cut into the six tetrahedra around its diagonal: each walks from corner (0,0,0) to
// corner (1,1,1) along the axes in one of the six orders. In the three odd orders two corners
// change places, so that every volume is positive.
static void make_mesh(double *x, int *tet)
{
    static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                    {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    for (int i = 0; i <= NX; i++)
        for (int j = 0; j <= NY; j++)
            for (int k = 0; k <= NZ; k++) {
                double *p = &x[3 * node_at(i, j, k)];
                p[0] = LENGTH * i / NX;
                p[1] = SIDE * ((double)j / NY - 0.5);
                p[2] = SIDE * ((double)k / NZ - 0.5);
            }
    for (int cell = 0; cell < NX * NY * NZ; cell++)
        for (int walk = 0; walk < 6; walk++, tet += 4) {
            int at[3] = {cell / (NY * NZ), cell / NZ % NY, cell % NZ};
            tet[0] = node_at(at[0], at[1], at[2]);
            for (int corner = 1; corner < 4; corner++) {
                at[order[walk][corner - 1]]++;
                int mirrored = walk > 2 && corner < 3 ? 3 - corner : corner;
                tet[mirrored] = node_at(at[0], at[1], at[2]);
            }
        }
}

// Turns the mesh into a model: silicone, one end held, one cable, the tip watched.
static lithe_status make_model(const lithe_mesh *mesh, lithe_model **model, lithe_report *report)
{
    lithe_material_def material = lithe_material_def_default();
    material.name = "silicone";
    material.young = 200e3; // Pa
    material.poisson = 0.45;
    material.density = 1080; // kg/m^3

    lithe_fix_def root = lithe_fix_def_default(); // whole nodes, where they are
    root.where = (lithe_selection){.kind = LITHE_BOX, .a = {-1e-6, -1, -1}, .b = {1e-6, 1, 1}};

    lithe_body_def bar = lithe_body_def_default();
    bar.name = "bar";
    bar.mesh = mesh;
    bar.material = "silicone";
    bar.nfix = 1;
    bar.fix = &root;

    lithe_point_def guide[NGUIDE]; // from the pulled end to the tied end
    for (int i = 0; i < NGUIDE; i++)
        guide[i] = (lithe_point_def){"bar", {LENGTH * (i + 1) / NGUIDE, 0, 0.4 * SIDE}};
    lithe_actuator_def cable = lithe_actuator_def_default(LITHE_CABLE);
    cable.name = "upper";
    cable.npoint = NGUIDE;
    cable.point = guide;
    cable.has_pulled_from = true;
    cable.pulled_from[2] = 0.4 * SIDE;

    lithe_effector_def tip = lithe_effector_def_default(LITHE_POINTS);
    tip.name = "tip";
    tip.npoint = 1;
    tip.point = &(lithe_point_def){"bar", {LENGTH, 0, 0}};

    lithe_def def = lithe_def_default();
    def.gravity[2] = -9.81; // m/s^2
    def.nmaterial = def.nbody = def.nactuator = def.neffector = 1;
    def.material = &material;
    def.body = &bar;
    def.actuator = &cable;
    def.effector = &tip;
    return lithe_compile(&def, model, report); // nothing above is needed after this
}

// Pulls 2 mm more with every step. The state is the robot's only memory: the model never changes.
static lithe_status bend(const lithe_model *model, lithe_state *state)
{
    puts("pull mm   tension N   tip x mm   tip z mm   residual");
    for (int step = 0; step <= 8; step++) {
        double pull = 2e-3 * step, tension, tip[3];
        lithe_status status = lithe_command(model, state, 0, LITHE_DISPLACEMENT, &pull);
        if (status == LITHE_OK)
            status = lithe_step(model, state); // to the next equilibrium
        if (status != LITHE_OK)
            return status;
        lithe_effector_value(model, state, 0, tip);
        lithe_effort(model, state, 0, &tension);
        printf("%7.1f %11.3f %10.2f %10.2f   %.0e\n", 1e3 * pull, tension, 1e3 * tip[0],
               1e3 * tip[2], lithe_last_residual(state).force);
    }
    return LITHE_OK;
}

int main(void)
{
    static double x[3 * NNODE];
    static int tet[4 * NTET];
    lithe_report report = lithe_report_default();
    lithe_mesh *mesh = NULL;
    lithe_model *model = NULL;
    lithe_state *state = NULL;

    make_mesh(x, tet);
    lithe_status status = lithe_mesh_create(NNODE, x, NTET, tet, &mesh, &report);
    if (status == LITHE_OK)
        status = make_model(mesh, &model, &report);
    if (status == LITHE_OK)
        status = lithe_state_create(model, 1, &state, &report);
    const char *why = report.error;
    if (status == LITHE_OK) {
        status = bend(model, state);
        why = lithe_state_error(state);
    }
    if (status != LITHE_OK)
        fprintf(stderr, "bend: %s: %s\n", lithe_status_name(status), why);

    lithe_state_free(state); // each of the three may be NULL
    lithe_model_free(model);
    lithe_mesh_free(mesh);
    return status == LITHE_OK ? 0 : 1;
}
