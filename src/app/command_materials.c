#include "app/program.h"
#include "app/say.h"
#include "base/quote.h"
#include "lithe/lithe.h"

#include <stdio.h>
#include <string.h>

int command_materials(int argc, char **argv)
{
    if (argc > 0 && strcmp(argv[0], "--help") != 0 && strcmp(argv[0], "-h") != 0) {
        say_error("'lithe materials' takes nothing, and '%s' is given", QUOTE(argv[0]));
        return EXIT_BAD_INPUT;
    }
    if (argc > 0) {
        printf("usage: lithe materials\n\nLists the silicones that a scene may name: "
               "materials: {skin: {from: NAME}}.\n");
        return say_flush_output(EXIT_DONE);
    }
    printf("%-16s %10s %10s %10s  %s\n", "name", "c1 (kPa)", "c2 (kPa)", "kg/m^3", "source");
    for (int i = 0; i < lithe_nsilicone(); i++) {
        const lithe_material_def *d = lithe_silicone(i);
        printf("%-16s %10.4g %10.4g %10.4g  %s\n", d->name, d->coefficient[0] / 1e3,
               d->coefficient[1] / 1e3, d->density, lithe_silicone_source(i));
    }
    printf("\nlaw yeoh, poisson 0.49; docs/materials.md says how good the numbers are\n");
    return say_flush_output(EXIT_DONE);
}
