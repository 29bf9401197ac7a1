// How families of solid elements are filled, whatever their shape.
#ifndef ELEMENT_SOLID_FAMILY_H
#define ELEMENT_SOLID_FAMILY_H

#include "element/family.h"
#include "material/fit.h"

// Poisson's ratio up to which an element's points carry the bulk modulus. What is beyond acts on a
// mean dilatation, where it cannot lock.
#define SOLID_POISSON 0.45

// The law's numbers with the lambda that points carry, that of a Poisson's ratio, and the excess of
// it (Pa). Laws without a lambda of their own keep everything.
void solid_split(const law_material *stuff, double poisson, double parameter[LAW_PARAMETERS],
                 double *excess);

// The kind of an instruction set from a table by variant and law; NULL if it cannot run.
typedef const element_kind *solid_table; // (LAW_KINDS)
const element_kind *solid_choose(const solid_table table[3], int variant, law_kind law);

#endif
