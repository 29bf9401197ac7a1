// Silicones that others have measured. docs/materials.md has the sources in full, and a test
// compares the laws with the measured curves.
#include "lithe/lithe.h"

#include <stddef.h>
#include <string.h>

typedef struct silicone {
    lithe_material_def def;
    const char *source;
} silicone;

#define YEOH(label, first, second, mass, from)                                                     \
    {                                                                                              \
        {.name = (label),                                                                          \
         .law = LITHE_YEOH,                                                                        \
         .poisson = 0.49,                                                                          \
         .density = (mass),                                                                        \
         .ncoefficient = 2,                                                                        \
         .coefficient = {(first), (second)}},                                                      \
            (from)                                                                                 \
    }

static const silicone table[] = {
    YEOH("ecoflex-00-30", 7540, 130, 1070, "fit to the tensile test of Marechal et al. 2021"),
    YEOH("ecoflex-00-50", 10410, 267, 1070, "fit to the tensile test of Marechal et al. 2021"),
    YEOH("dragon-skin-10", 22540, 2100, 1070, "fit to the tensile test of Marechal et al. 2021"),
    YEOH("dragon-skin-30", 94780, 6045, 1080, "fit to the tensile test of Marechal et al. 2021"),
    YEOH("elastosil-m4601", 110e3, 20e3, 1130, "in wide use; its test was not found"),
    YEOH("smooth-sil-950", 358e3, 45.4e3, 1240, "not confirmed; measure your own"),
};

enum { NSILICONE = sizeof table / sizeof table[0] };

int lithe_nsilicone(void)
{
    return NSILICONE;
}

const lithe_material_def *lithe_silicone(int i)
{
    return i >= 0 && i < NSILICONE ? &table[i].def : NULL;
}

const char *lithe_silicone_source(int i)
{
    return i >= 0 && i < NSILICONE ? table[i].source : NULL;
}

int lithe_find_silicone(const char *name)
{
    for (int i = 0; i < NSILICONE; i++)
        if (name && strcmp(table[i].def.name, name) == 0)
            return i;
    return -1;
}
