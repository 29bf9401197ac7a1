// Materials: their laws, by name and as they lie in a body.
#include "base/spelling.h"
#include "base/vec.h"
#include "material/law_definition.h"
#include "scene/compile.h"

#include <string.h>

lithe_status compile_find_material(const compiler *c, const char *at, const char *name, int *id)
{
    nearest near = nearest_start(name ? name : "");
    for (int i = 0; i < c->def->nmaterial; i++) {
        if (name && strcmp(c->def->material[i].name, name) == 0) {
            *id = i;
            return LITHE_OK;
        }
        nearest_offer(&near, c->def->material[i].name);
    }
    const char *meant = nearest_found(&near);
    return compile_fail(c, at, "there is no material '%s'%s%s%s", name ? name : "",
                        meant ? "; did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
}

lithe_status compile_materials(compiler *c)
{
    lithe_model *m = c->model;
    c->material = arena_new(&c->scratch, c->def->nmaterial, law_material);
    if (!c->material)
        return compile_no_memory(c);
    for (int i = 0; i < c->def->nmaterial; i++)
        material_fit(&c->def->material[i], &c->material[i]);
    m->nmaterial = c->def->nmaterial;
    m->material_name = arena_new(&m->memory, m->nmaterial, const char *);
    m->young = arena_new(&m->memory, m->nmaterial, double);
    for (int i = 0; m->material_name && m->young && i < m->nmaterial; i++) {
        bool many = law_definitions[c->def->material[i].law]->along_axes;
        m->young[i] = many ? NAN : c->material[i].young;
        if (!(m->material_name[i] = arena_strdup(&m->memory, c->def->material[i].name)))
            return compile_no_memory(c);
    }
    return m->material_name && m->young ? LITHE_OK : compile_no_memory(c);
}

lithe_status compile_fibres(compiler *c, compile_body *part)
{
    part->law = c->material;
    if (!part->def->own_fibres)
        return LITHE_OK;
    law_material *law = arena_new(&c->scratch, c->def->nmaterial, law_material);
    double R[9];
    if (!law)
        return compile_no_memory(c);
    mat_from_angles(R, part->def->rotate);
    for (int i = 0; i < c->def->nmaterial; i++) {
        lithe_material_def rotated = c->def->material[i];
        mat_apply(rotated.fibre, R, rotated.fibre);
        mat_apply(rotated.across, R, rotated.across);
        material_fit(&rotated, &law[i]);
    }
    part->law = law;
    return LITHE_OK;
}
