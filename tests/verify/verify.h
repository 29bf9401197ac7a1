// Published truth against what we compute: cases fill a table, the program judges it.
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include <stdbool.h>

typedef struct verify_table verify_table;

// Meshes of about more degrees of freedom than this are left out, with their rows; 0: none is.
extern int verify_limit;

// Which case, and on how fine a mesh, the next rows are about.
void verify_case(verify_table *table, int number, const char *name);
__attribute__((format(printf, 2, 3))) void verify_mesh(verify_table *table, const char *format,
                                                       ...);

// A coarser mesh on the way to the one that is judged.
void verify_show(verify_table *table, const char *quantity, double computed, double expected);

// The error must be under the gate.
void verify_gate(verify_table *table, const char *quantity, double computed, double expected,
                 double gate);

// Judged or only shown.
void verify_row(verify_table *table, bool judged, const char *quantity, double computed,
                double expected, double gate);

// A gate that linear tetrahedra may miss on this mesh; the error must still be under the bound,
// which is what refinement has brought it to so far, with a tenth to spare.
void verify_bound(verify_table *table, const char *quantity, double computed, double expected,
                  double gate, double bound);

// What a reader must know of how the case was computed; one paragraph.
void verify_note(verify_table *table, const char *text);

// What a mesh that is left out says when it is compiled.
#define VERIFY_LEFT_OUT "left out: too fine"

// A case that could not be computed. Of a mesh that was left out, rows without a number are not
// taken.
void verify_broken(verify_table *table, const char *why);

// A picture of errors under refinement, docs/plots/NAME.svg; x: what grows or shrinks from mesh to
// mesh; gate: drawn as a line, NAN for none. Texts live as long as the table.
typedef struct verify_plot {
    const char *name, *title, *x, *y;
    double gate;
} verify_plot;

// One point of one curve of it, of the case at hand.
void verify_point(verify_table *table, const verify_plot *plot, const char *curve, double x,
                  double error);

void verify_patch(verify_table *table);           // 1
void verify_rotation(verify_table *table);        // 2
void verify_manufactured(verify_table *table);    // 3
void verify_cantilever(verify_table *table);      // 4
void verify_frequency(verify_table *table);       // 5
void verify_buckling(verify_table *table);        // 6
void verify_elastica(verify_table *table);        // 7
void verify_sphere(verify_table *table);          // 9
void verify_rubber_sphere(verify_table *table);   // 11
void verify_rubber_cylinder(verify_table *table); // 12
void verify_balloon(verify_table *table);         // 13
void verify_roll_up(verify_table *table);         // 8
void verify_balances(verify_table *table);        // 23
void verify_points(verify_table *table);          // 14
void verify_torsion(verify_table *table);         // 15
void verify_nafems(verify_table *table);          // 17
void verify_cook(verify_table *table);            // 16
void verify_gravity(verify_table *table);         // 25
void verify_cylinder(verify_table *table);        // 10
void verify_derivatives(verify_table *table);     // 21
void verify_optimizers(verify_table *table);      // 22
void verify_threads(verify_table *table);         // 24

// Contact and friction.
void verify_hertz(verify_table *table);         // 18
void verify_incline(verify_table *table);       // 19
void verify_capstan(verify_table *table);       // 20
void verify_collision(verify_table *table);     // 23
void verify_soft_balls(verify_table *table);    // 18
void verify_contact_patch(verify_table *table); // 26
void verify_knife(verify_table *table);         // 27
void verify_overhang(verify_table *table);      // 28
void verify_rolling(verify_table *table);       // 33
void verify_energy(verify_table *table);        // 34
void verify_rigid_rolling(verify_table *table); // 33
void verify_rigid(verify_table *table);         // 35
void verify_attached(verify_table *table);      // 36
void verify_ring(verify_table *table);          // 38

// Rods and shells.
void verify_rod_cantilever(verify_table *table);   // 4
void verify_rod_buckling(verify_table *table);     // 6
void verify_rod_elastica(verify_table *table);     // 7
void verify_rod_roll_up(verify_table *table);      // 8
void verify_shell_cantilever(verify_table *table); // 7
void verify_rod_bow(verify_table *table);          // 31
void verify_shells(verify_table *table);           // 32

void verify_prony(verify_table *table);  // 29
void verify_liquid(verify_table *table); // 30

#endif
