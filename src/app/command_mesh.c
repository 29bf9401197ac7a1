#include "app/gmsh.h"
#include "app/interrupt.h"
#include "app/options.h"
#include "app/program.h"
#include "app/say.h"
#include "app/show.h"
#include "base/clock.h"
#include "base/quote.h"
#include "base/status.h"
#include "io/file.h"
#include "io/json.h"
#include "io/unfinished.h"
#include "lithe/mesh.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const command_line LINE = {
    .name = "mesh",
    .usage = "FILE.geo|FILE.step|FILE.stl|FILE.obj [options]",
    .about =
        "Fills a geometry with elements: runs Gmsh on a .geo or STEP file, or fills a closed STL\n"
        "or OBJ surface with tetrahedra of a given size. The mesh is read back and judged before\n"
        "it gets its name, FILE.msh unless --out says otherwise.\n",
    .input = "a geometry file",
    .options = OPTION_FILE | OPTION_SIZE | OPTION_MESH_UNIT | OPTION_TIME_LIMIT | OPTION_JSON |
               OPTION_QUIET,
};

#define TIME_LIMIT 600.0 // s
#define MUCH       0.01  // of the volume

typedef enum geometry_kind { GEO, STEP, STL, OBJ, NO_GEOMETRY } geometry_kind;

typedef struct mesher {
    options options;
    lithe_report report;
    arena memory;
    geometry_kind kind;
    unit unit;       // of the file
    const char *out; // the mesh's path
    gmsh_job job;
    lithe_mesh *surface; // that is to be filled; NULL: none
    lithe_mesh *mesh;
    lithe_mesh_check *check;
    double *x;       // m
    double enclosed; // by the surface that was filled, m^3; 0: none
    double seconds;
} mesher;

static geometry_kind find_kind(const char *path)
{
    if (options_ends_with(path, ".step") || options_ends_with(path, ".stp"))
        return STEP;
    return options_ends_with(path, ".geo")   ? GEO
           : options_ends_with(path, ".stl") ? STL
           : options_ends_with(path, ".obj") ? OBJ
                                             : NO_GEOMETRY;
}

// A quantity of an option; bare numbers are in the given unit.
static lithe_status read_option(mesher *p, const char *option, const char *text,
                                quantity_dimension dimension, unit bare, double *value)
{
    char message[QUANTITY_MESSAGE_MAX];
    quantity_units units = {0};
    units.declared[dimension] = true;
    units.unit[dimension] = bare;
    lithe_status status = quantity_parse(text, dimension, &units, false, value, message);
    if (status != LITHE_OK)
        return LITHE_FAIL(&p->report, LITHE_INVALID, "%s: %s", option, message);
    if (!(*value > 0))
        return LITHE_FAIL(&p->report, LITHE_INVALID, "%s must be above 0, not '%s'", option,
                          QUOTE(text));
    return LITHE_OK;
}

static lithe_status read_options(mesher *p)
{
    const options *o = &p->options;
    char message[QUANTITY_MESSAGE_MAX];
    unit second;
    p->job.time_limit = TIME_LIMIT;
    if (quantity_parse_unit(o->mesh_unit ? o->mesh_unit : "mm", QUANTITY_LENGTH, &p->unit,
                            message) != LITHE_OK)
        return LITHE_FAIL(&p->report, LITHE_INVALID, "--mesh-unit: %s", message);
    if (o->time_limit) {
        LITHE_TRY(quantity_parse_unit("s", QUANTITY_TIME, &second, message));
        LITHE_TRY(read_option(p, "--time-limit", o->time_limit, QUANTITY_TIME, second,
                              &p->job.time_limit));
    }
    if (o->size) {
        LITHE_TRY(read_option(p, "--size", o->size, QUANTITY_LENGTH, p->unit, &p->job.size));
        p->job.size /= unit_to_si(&p->unit, 1);
    } else if (p->kind != GEO) {
        return LITHE_FAIL(&p->report, LITHE_INVALID,
                          "%s: says nothing about the size of elements; give one, such as --size "
                          "5mm",
                          o->scene);
    }
    return LITHE_OK;
}

static lithe_status find_input(mesher *p)
{
    const char *input = p->options.scene;
    p->job.name = input;
    p->kind = find_kind(input);
    if (p->kind == NO_GEOMETRY)
        return LITHE_FAIL(&p->report, LITHE_INVALID,
                          "%s: is no geometry that can be meshed (.geo, .step, .stp, .stl, .obj)%s",
                          input,
                          options_ends_with(input, ".yaml") ? "; did you mean 'lithe check'?" : "");
    char *path = realpath(input, NULL);
    if (!path)
        return LITHE_FAIL(&p->report, LITHE_INVALID, "%s: cannot be opened: %s; check the name",
                          input, strerror(errno));
    struct stat info;
    bool regular = stat(path, &info) == 0 && S_ISREG(info.st_mode);
    p->job.input = arena_strdup(&p->memory, path);
    free(path);
    if (!regular) // Gmsh would wait for what a pipe brings
        return LITHE_FAIL(&p->report, LITHE_INVALID,
                          "%s: is no regular file; save the geometry to disk first", input);
    return p->job.input ? LITHE_OK : report_no_memory(&p->report, input);
}

// Tells why a surface cannot be filled, rather than letting Gmsh stumble.
static lithe_status check_surface(mesher *p)
{
    bool closed = false;
    int edge[2];
    p->job.surface = p->kind == STL || p->kind == OBJ;
    if (!p->job.surface)
        return LITHE_OK;
    LITHE_TRY(lithe_mesh_read(p->job.input, &p->surface, &p->report));
    lithe_mesh_info surface = lithe_mesh_get(p->surface);
    double volume = 0;
    lithe_status status = lithe_mesh_closed(p->surface, &closed, edge, &volume);
    if (status != LITHE_OK)
        report_no_memory(&p->report, p->options.scene);
    else if (!closed) {
        const double *a = surface.x + 3 * (size_t)edge[0];
        const double *b = surface.x + 3 * (size_t)edge[1];
        status =
            LITHE_FAIL(&p->report, LITHE_INVALID,
                       "%s: is not closed: the edge from (%g, %g, %g) to (%g, %g, %g) does not "
                       "lie between two facets that agree about what is outside; close and "
                       "mend the surface first",
                       p->options.scene, a[0], a[1], a[2], b[0], b[1], b[2]);
    }
    double metre = unit_to_si(&p->unit, 1);
    p->enclosed = metre * metre * metre * fabs(volume);
    return status;
}

// Gmsh reads no OBJ: the triangles as STL, in its folder.
static lithe_status copy_surface(mesher *p)
{
    FILE *file;
    if (p->kind != OBJ)
        return LITHE_OK;
    lithe_mesh_info m = lithe_mesh_get(p->surface);
    p->job.input = arena_format(&p->memory, "%s/" GMSH_COPY, p->job.folder);
    if (!p->job.input)
        return report_no_memory(&p->report, p->options.scene);
    LITHE_TRY(file_create(p->job.input, &file, &p->report));
    fputs("solid\n", file);
    for (int t = 0; t < m.ntri; t++) {
        fputs("facet normal 0 0 0\nouter loop\n", file);
        for (int k = 0; k < 3; k++) {
            const double *x = m.x + 3 * (size_t)m.tri[3 * (size_t)t + k];
            fprintf(file, "vertex %.17g %.17g %.17g\n", x[0], x[1], x[2]);
        }
        fputs("endloop\nendfacet\n", file);
    }
    fputs("endsolid\n", file);
    return file_finish(file, p->job.input, &p->report);
}

static const char *default_out(mesher *p)
{
    const char *input = p->options.scene;
    int stem = (int)(strrchr(input, '.') - input);
    return arena_format(&p->memory, "%.*s.msh", stem, input);
}

static lithe_status find_out(mesher *p)
{
    struct stat info;
    p->out = p->options.out ? p->options.out : default_out(p);
    if (!p->out)
        return report_no_memory(&p->report, p->options.scene);
    if (!options_ends_with(p->out, ".msh"))
        return LITHE_FAIL(&p->report, LITHE_INVALID, "--out: '%s' must end in .msh", QUOTE(p->out));
    if (lstat(p->out, &info) != 0)
        return LITHE_OK;
    if (!p->options.out)
        return LITHE_FAIL(&p->report, LITHE_INVALID,
                          "'%s' is there already; to replace it, say --out %s", p->out, p->out);
    if (!S_ISREG(info.st_mode))
        return LITHE_FAIL(&p->report, LITHE_INVALID,
                          "--out: '%s' is no regular file; choose another name", p->out);
    return LITHE_OK;
}

// Beside the mesh, so that it can be moved to its name in one go.
static lithe_status make_folder(mesher *p)
{
    char *folder = arena_format(&p->memory, "%s.partial-XXXXXX", p->out);
    if (!folder)
        return report_no_memory(&p->report, p->out);
    if (!mkdtemp(folder)) {
        bool input = errno == ENOENT || errno == ENOTDIR || errno == EACCES;
        return LITHE_FAIL(&p->report, input ? LITHE_INVALID : LITHE_IO,
                          "'%s' cannot be written: %s; choose a folder that is there and that you "
                          "may write to",
                          p->out, strerror(errno));
    }
    char *path = realpath(folder, NULL);
    p->job.folder = path ? arena_strdup(&p->memory, path) : NULL;
    free(path);
    if (p->job.folder) {
        unfinished_add(p->job.folder);
        return LITHE_OK;
    }
    rmdir(folder);
    return report_no_memory(&p->report, p->out);
}

// What is said about the mesh under its temporary name, without the name.
static const char *without_folder(const char *text)
{
    const char *name = strstr(text, "/" GMSH_RESULT ": ");
    return name ? name + strlen("/" GMSH_RESULT ": ") : text;
}

// What a scene would refuse.
static lithe_status refuse_kinds(mesher *p)
{
    bool mixed;
    const char *odd = lithe_mesh_odd(p->mesh, &mixed);
    if (!odd)
        return LITHE_OK;
    return LITHE_FAIL(&p->report, LITHE_INVALID,
                      "%s: Gmsh's mesh of it has %s%s; a body has tetrahedra, linear or quadratic, "
                      "or hexahedra of eight nodes, of one kind: see Mesh.ElementOrder and "
                      "Recombine in the geometry",
                      p->options.scene, odd, mixed ? " beside other volumes" : "");
}

static lithe_status judge(mesher *p)
{
    const char *path = arena_format(&p->memory, "%s/" GMSH_RESULT, p->job.folder);
    if (!path)
        return report_no_memory(&p->report, p->out);
    if (lithe_mesh_read(path, &p->mesh, &p->report) != LITHE_OK) {
        char text[LITHE_TEXT_MAX];
        snprintf(text, sizeof text, "%s", without_folder(p->report.error));
        return LITHE_FAIL(&p->report, LITHE_INVALID, "%s: Gmsh's mesh of it cannot be used: %s",
                          p->options.scene, text);
    }
    lithe_mesh_info m = lithe_mesh_get(p->mesh);
    p->x = arena_new(&p->memory, 3 * (size_t)m.nnode, double);
    if (!p->x)
        return report_no_memory(&p->report, p->out);
    LITHE_TRY(refuse_kinds(p));
    for (size_t i = 0; i < 3 * (size_t)m.nnode; i++)
        p->x[i] = unit_to_si(&p->unit, m.x[i]);
    LITHE_TRY(lithe_mesh_examine(p->mesh, LITHE_AS_MESHED, p->x, &p->check, &p->report));
    if (p->check->ncell > 0)
        return LITHE_OK;
    return LITHE_FAIL(
        &p->report, LITHE_INVALID,
        "%s: Gmsh's mesh of it has %d triangles but no tetrahedra; the geometry needs "
        "a volume, and a Physical Volume of it where anything is physical",
        p->options.scene, m.ntri);
}

// New triangles cut corners.
static void compare_volume(mesher *p)
{
    double off = p->enclosed > 0 ? p->check->volume / p->enclosed - 1 : 0;
    if (fabs(off) > MUCH)
        report_notice(&p->report,
                      "%s: has %.1f %% %s volume than the surface, whose edges are cut or rounded; "
                      "smaller elements follow it better",
                      p->out, 100 * fabs(off), off < 0 ? "less" : "more");
}

static lithe_status keep(mesher *p)
{
    const char *path = arena_format(&p->memory, "%s/" GMSH_RESULT, p->job.folder);
    if (!path)
        return report_no_memory(&p->report, p->out);
    if (rename(path, p->out) != 0)
        return LITHE_FAIL(&p->report, LITHE_IO, "'%s' cannot be written: %s; %s", p->out,
                          strerror(errno), file_remedy(errno));
    return LITHE_OK;
}

static double worst_quality(const mesher *p)
{
    double worst = 1;
    for (int e = 0; e < p->check->ncell; e++)
        worst = fmin(worst, p->check->quality[e]);
    return worst;
}

static void print_text(const mesher *p)
{
    char a[SHOW_TEXT];
    char b[SHOW_TEXT];
    char c[SHOW_TEXT];
    const double *edge = p->check->edge;
    printf("%s: %d nodes, %d elements, made by Gmsh in %.1f s\n", p->out, p->check->nnode,
           p->check->ncell, p->seconds);
    printf("  volume     %s\n", show_value(QUANTITY_VOLUME, p->check->volume, a));
    printf("  edges      %s to %s, median %s\n", show_value(QUANTITY_LENGTH, edge[0], a),
           show_value(QUANTITY_LENGTH, edge[2], b), show_value(QUANTITY_LENGTH, edge[1], c));
    printf("  quality    worst %.3f, %d of %d below %g\n", worst_quality(p), p->check->nsliver,
           p->check->ncell, LITHE_MESH_SLIVER_QUALITY);
    printf("  cavities  ");
    for (int i = 0; i < p->check->ncavity; i++)
        printf("%s %d: %s", i ? "," : "", i + 1,
               show_value(QUANTITY_VOLUME, p->check->cavity_volume[i], a));
    printf("%s\n  groups    ", p->check->ncavity ? "" : " none");
    int ngroup = lithe_mesh_get(p->mesh).ngroup;
    for (int i = 0; i < ngroup; i++)
        printf("%s %s", i ? "," : "", lithe_mesh_group(p->mesh, i));
    printf("%s\n", ngroup ? "" : " none");
}

static void print_json(const mesher *p)
{
    json j = {.out = stdout};
    json_begin_object(&j, NULL);
    json_string(&j, "mesh", p->out);
    json_string(&j, "version", lithe_version());
    json_integer(&j, "nodes", p->check->nnode);
    json_integer(&j, "elements", p->check->ncell);
    json_number(&j, "seconds", p->seconds);
    json_number(&j, "volume", p->check->volume);
    json_numbers(&j, "edges", 3, p->check->edge);
    json_number(&j, "worst_quality", worst_quality(p));
    json_integer(&j, "slivers", p->check->nsliver);
    json_numbers(&j, "cavities", p->check->ncavity, p->check->cavity_volume);
    json_begin_array(&j, "groups");
    for (int i = 0; i < lithe_mesh_get(p->mesh).ngroup; i++)
        json_string(&j, NULL, lithe_mesh_group(p->mesh, i));
    json_end_array(&j);
    json_end_object(&j);
}

static int end_status(gmsh_end end, const mesher *p)
{
    if (end == GMSH_INTERRUPTED) {
        say_error("interrupted; nothing is left behind");
        return EXIT_INTERRUPTED;
    }
    return say_failure(end == GMSH_FAILED ? LITHE_INVALID : LITHE_IO, &p->report);
}

static int mesh_in_folder(mesher *p)
{
    double start = clock_now();
    interrupt_watch();
    say_passing("Gmsh is at work; Ctrl-C ends it");
    gmsh_end end = gmsh_run(&p->job, &p->report);
    say_passing("");
    p->seconds = clock_now() - start;
    if (end != GMSH_DONE)
        return end_status(end, p);
    lithe_status status = judge(p);
    if (status == LITHE_OK)
        status = keep(p);
    if (status != LITHE_OK)
        return say_failure(status, &p->report);
    compare_volume(p);
    if (p->options.json)
        print_json(p);
    else if (!p->options.quiet)
        print_text(p);
    return say_flush_output(EXIT_DONE);
}

static void end_folder(const mesher *p)
{
    gmsh_clean(&p->job);
    unfinished_drop(p->job.folder);
}

static lithe_status prepare(mesher *p)
{
    LITHE_TRY(find_input(p));
    LITHE_TRY(read_options(p));
    LITHE_TRY(check_surface(p));
    LITHE_TRY(find_out(p));
    LITHE_TRY(make_folder(p));
    return copy_surface(p);
}

static void on_notice(void *user, const char *text)
{
    const mesher *p = user;
    if (without_folder(text) != text)
        say_notice("%s: %s", p->out, without_folder(text));
    else
        say_notice("%s", text);
}

int command_mesh(int argc, char **argv)
{
    mesher p = {.report = lithe_report_default()};
    int exit_status;
    p.report.on_notice = on_notice;
    p.report.user = &p;
    if (options_parse(&LINE, argc, argv, &p.options, &exit_status)) {
        lithe_status status = prepare(&p);
        exit_status = status == LITHE_OK ? mesh_in_folder(&p) : say_failure(status, &p.report);
        if (p.job.folder)
            end_folder(&p);
    }
    lithe_mesh_check_free(p.check);
    lithe_mesh_free(p.mesh);
    lithe_mesh_free(p.surface);
    arena_free(&p.memory);
    options_free(&p.options);
    return exit_status;
}
