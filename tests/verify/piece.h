// One body of one material under dead loads or pressure, from shape to equilibrium.
#ifndef VERIFY_PIECE_H
#define VERIFY_PIECE_H

#include "bar.h"
#include "step/state.h"

// Nodes by where they are before the piece is curved.
typedef struct piece_group {
    const char *name; // NULL: none
    bool (*has)(const double in[3]);
} piece_group;

enum { PIECE_GROUPS = 2, PIECE_FIXES = 6, PIECE_LOADS = 32, PIECE_LAWS = 8 };

typedef struct piece {
    bar shape;
    void (*curve)(const double in[3], double out[3]); // where the shape's points lie; NULL: there
    piece_group group[PIECE_GROUPS];                  // to hold
    int nhex;                                         // hexahedra; 0: the bar's cells
    int *hex;                                         // (nhex x 8)
    lithe_mesh *mesh;
    lithe_material_def material;
    lithe_fix_def fix[PIECE_FIXES];
    lithe_surface_def surface[PIECE_LOADS];
    lithe_body_def body;
    lithe_load_def load[PIECE_LOADS];
    char load_name[PIECE_LOADS][16];
    lithe_obstacle_def plane;
    lithe_def def;
    lithe_report report;
    lithe_model *model;
    lithe_state *state;
} piece;

// Takes the shape over. Afterwards, body.element may be set: with hexahedra, the bar's cells are
// taken whole, or `hex` in their place.
void piece_begin(piece *p, bar shape, double young, double poisson);

// Solids that cases run over, and their names.
extern const lithe_element piece_solid[];
extern const int piece_nsolid;
static inline bool piece_is_linear(lithe_element element) // of tetrahedra
{
    return element == LITHE_TET4 || element == LITHE_TET4_AVERAGED;
}

const char *piece_element_name(lithe_element element);

// A material of some law that has Young's modulus and Poisson's ratio at small strain. rough: the
// orthotropic one is not isotropic.
lithe_material_def piece_law(lithe_law law, double young, double poisson, bool rough);
const char *piece_law_name(lithe_law law);

// Holds the nodes on the plane through `point` along some axes; normal: which side to look from.
void piece_hold(piece *p, const double point[3], const double normal[3], int axes);

// A load on the boundary triangles that `where` selects.
void piece_traction(piece *p, lithe_selection where, const double total[3]);
void piece_pressure(piece *p, lithe_selection where, double pressure);

// The mesh alone, for a body among others; or the model, too.
bool piece_mesh(piece *p);
bool piece_compile(piece *p);

// On a plane with friction that leans by an angle, in the plane's own frame, under weight g.
void piece_lean(piece *p, double mu, double angle, double g);

// What prescribe says, on every held coordinate; after piece_compile.
void piece_prescribe(piece *p, void (*displacement)(const double X[3], double u[3]));

// Failures leave their words in the report.
bool piece_settle(piece *p);

void piece_end(piece *p);

// Mean displacement of the nodes at rest within `near` of a point.
void piece_displacement(const piece *p, const double at[3], double near, double u[3]);

// What an element is like at some point in it: barycentric (s, t, u) of a tetrahedron, (s, t, u) in
// [-1, 1]^3 of a hexahedron.
typedef struct piece_spot {
    double X[3], x[3]; // m
    double F[9];
    double volume; // at rest, per volume of the reference cell
    int nnode;
    const int *node;
    double N[10];
} piece_spot;

int piece_ncell(const piece *p); // elements of the mesh
void piece_look(const piece *p, int e, const double at[3], piece_spot *out);

// Points in element e to integrate at, exactly for polynomials of degree 5 and more, and those at
// which its stress is best: how many, and the point with its weight, m^3.
int piece_integrate(const piece *p, int e, int q, piece_spot *out, double *weight);
int piece_sample(const piece *p, int e, int q, piece_spot *out, double *weight);

// Hooke's stress at a spot.
void piece_stress(const piece *p, const piece_spot *spot, double stress[9]);

// The parabola (in x, y and z with 10 terms, in x and y with 6) nearest to some values: its value
// at 0.
enum { PIECE_TERMS = 10 };

typedef struct piece_fit {
    int nterm;
    double A[PIECE_TERMS][PIECE_TERMS + 1];
} piece_fit;

void piece_fit_add(piece_fit *fit, const double off[3], double value);
double piece_fit_solve(piece_fit *fit);

#endif
