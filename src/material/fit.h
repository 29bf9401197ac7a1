// From what a user says of a material to the numbers of its law.
#ifndef MATERIAL_FIT_H
#define MATERIAL_FIT_H

#include "lithe/lithe.h"
#include "material/kind.h"

typedef struct law_material {
    law_kind law;
    double parameter[LAW_PARAMETERS]; // as material/kind.h says
    double stiffest;                  // largest entry of its stiffness at small strain (Pa)
    double young;                     // at small strain; along the fibre (Pa)
    double poisson;                   // at small strain
    double density;                   // kg/m^3
    int nprony;                       // terms of its series
    double ratio[LITHE_PRONY];        // weight / (1 - sum of weights)
    double time[LITHE_PRONY];         // s
} law_material;

// What is wrong with a definition.
typedef struct material_fault {
    const char *key; // of the scene, where it is wrong
    char text[256];  // what is wrong and what to do; "" if nothing is
} material_fault;

// Whether the definition makes physical sense.
bool material_check(const lithe_material_def *d, material_fault *fault);

// The numbers of a definition that material_check has passed.
void material_fit(const lithe_material_def *d, law_material *out);

#endif
