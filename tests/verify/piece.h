// One body of one material under dead loads or pressure, from shape to equilibrium.
#ifndef VERIFY_PIECE_H
#define VERIFY_PIECE_H

#include "bar.h"
#include "step/model.h"

enum { PIECE_FIXES = 6 };

typedef struct piece {
    bar shape;
    lithe_mesh *mesh;
    lithe_material_def material;
    lithe_fix_def fix[PIECE_FIXES];
    lithe_surface_def surface;
    lithe_body_def body;
    lithe_load_def load;
    lithe_def def;
    lithe_report report;
    lithe_model *model;
    lithe_state *state;
} piece;

// Takes the shape over. Afterwards, body.element may be set: with hexahedra, the bar's cells are
// taken whole.
void piece_begin(piece *p, bar shape, double young, double poisson);

// Holds the nodes on the plane through `point` along some axes; normal: which side to look from.
void piece_hold(piece *p, const double point[3], const double normal[3], int axes);

// A load on the boundary triangles that `where` selects.
void piece_traction(piece *p, lithe_selection where, const double total[3]);
void piece_pressure(piece *p, lithe_selection where, double pressure);

bool piece_compile(piece *p);

// What prescribe says, on every held coordinate; after piece_compile.
void piece_prescribe(piece *p, void (*displacement)(const double X[3], double u[3]));

// Failures leave their words in the report.
bool piece_settle(piece *p);

void piece_end(piece *p);

// The one body's element e: deformation gradient, and the small-strain stress that goes with it.
void piece_gradient(const piece *p, int e, double F[9]);
void piece_stress(const piece *p, int e, double stress[9]);
void piece_centroid(const piece *p, int e, double at[3]);
double piece_volume(const piece *p, int e);

#endif
