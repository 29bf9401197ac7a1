#include "mesh/read.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

// A bound on what is read into memory at once; meshes of this size are far beyond real time.
#define MAX_BYTES ((off_t)2 << 30)

typedef lithe_status (*reader)(const mesh_source *source, mesh *m, lithe_report *report);

static lithe_status fail_open(const char *path, lithe_report *report)
{
    bool machine = errno == EIO || errno == EMFILE || errno == ENFILE || errno == ENOMEM;
    return LITHE_FAIL(report, machine ? LITHE_IO : LITHE_INVALID,
                      "%s: cannot be opened: %s; check the name (it is relative to where the "
                      "program or the scene stands) and the permissions",
                      path, strerror(errno));
}

static lithe_status check_file(int file, const char *path, size_t *size, lithe_report *report)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return LITHE_FAIL(report, LITHE_IO, "%s: cannot be read: %s; check the disk", path,
                          strerror(errno));
    if (S_ISDIR(info.st_mode))
        return LITHE_FAIL(report, LITHE_INVALID, "%s: is a folder; name a mesh file in it", path);
    if (!S_ISREG(info.st_mode))
        return LITHE_FAIL(report, LITHE_INVALID,
                          "%s: is no regular file; save the mesh to disk first", path);
    if (info.st_size == 0)
        return LITHE_FAIL(report, LITHE_INVALID, "%s: is empty; write it again", path);
    if (info.st_size > MAX_BYTES)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "%s: has %lld bytes, more than the %lld that Lithe reads; use a coarser "
                          "mesh or a binary format",
                          path, (long long)info.st_size, (long long)MAX_BYTES);
    *size = (size_t)info.st_size;
    return LITHE_OK;
}

static lithe_status read_bytes(int file, const char *path, char *data, size_t size,
                               lithe_report *report)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = read(file, data + done, size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return LITHE_FAIL(report, LITHE_IO,
                              "%s: reading failed at byte %zu: %s; check the disk, or copy the "
                              "file to another one",
                              path, done, strerror(errno));
        if (n == 0)
            return LITHE_FAIL(report, LITHE_IO,
                              "%s: became shorter while it was read; wait until it is written",
                              path);
        done += (size_t)n;
    }
    return LITHE_OK;
}

static lithe_status load(const char *path, char **data, size_t *size, lithe_report *report)
{
    *data = NULL;
    // without O_NONBLOCK, opening a pipe would wait for its other end
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return fail_open(path, report);
    lithe_status status = check_file(file, path, size, report);
    if (status == LITHE_OK && !(*data = memory_alloc(*size)))
        status = LITHE_FAIL(report, LITHE_NO_MEMORY,
                            "%s: out of memory: the file alone has %.1f MiB; use a coarser mesh",
                            path, (double)*size / MEMORY_MIB);
    if (status == LITHE_OK)
        status = read_bytes(file, path, *data, *size, report);
    close(file);
    return status;
}

static bool starts_with(const mesh_source *s, const char *head)
{
    return s->size >= strlen(head) && memcmp(s->data, head, strlen(head)) == 0;
}

// What the file says it is counts more than its name.
static reader pick(const mesh_source *s)
{
    static const struct {
        const char *ending;
        reader read;
    } endings[] = {{".msh", read_msh},
                   {".vtk", read_vtk},
                   {".vtu", read_vtu},
                   {".stl", read_stl},
                   {".obj", read_obj}};
    if (starts_with(s, "$MeshFormat"))
        return read_msh;
    if (starts_with(s, "# vtk DataFile"))
        return read_vtk;
    if (starts_with(s, "<VTKFile"))
        return read_vtu;
    const char *ending = strrchr(s->path, '.');
    for (size_t i = 0; ending && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(ending, endings[i].ending) == 0)
            return endings[i].read;
    return NULL;
}

static lithe_status parse(const mesh_source *source, mesh *m, lithe_report *report)
{
    reader read = pick(source);
    if (!read)
        return LITHE_FAIL(
            report, LITHE_INVALID,
            "%s: is of no format that Lithe reads (.msh, .vtk, .vtu, and .stl or .obj "
            "for surfaces); convert it, e.g. with Gmsh: gmsh FILE -3 -o NEW.msh",
            source->path);
    // a decimal point is a point, whatever the user's language
    locale_t neutral = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (!neutral)
        return report_no_memory(report, source->path);
    locale_t before = uselocale(neutral);
    lithe_status status = read(source, m, report);
    uselocale(before);
    freelocale(neutral);
    return status;
}

static mesh *new_mesh(void)
{
    mesh *m = memory_alloc(sizeof *m);
    if (m)
        memset(m, 0, sizeof *m);
    return m;
}

void lithe_mesh_free(lithe_mesh *m)
{
    if (!m)
        return;
    arena_free(&m->memory);
    memory_free(m);
}

// Hands the mesh to the caller, or frees it.
static lithe_status deliver(lithe_status status, mesh *m, lithe_mesh **out)
{
    if (status != LITHE_OK) {
        lithe_mesh_free(m);
        m = NULL;
    }
    *out = m;
    return status;
}

lithe_status lithe_mesh_read(const char *path, lithe_mesh **out, lithe_report *report)
{
    char *data;
    size_t size = 0;
    *out = NULL;
    lithe_status status = load(path, &data, &size, report);
    mesh *m = status == LITHE_OK ? new_mesh() : NULL;
    if (status == LITHE_OK && !m)
        status = report_no_memory(report, path);
    if (status == LITHE_OK)
        status = parse(&(mesh_source){path, data, size}, m, report);
    memory_free(data);
    return deliver(status, m, out);
}

static lithe_status copy_arrays(mesh *m, int nnode, const double *x, int ntet, const int *tet)
{
    m->nnode = nnode;
    m->ntet = ntet;
    m->x = arena_new(&m->memory, 3 * (size_t)nnode, double);
    m->tet = arena_new(&m->memory, 4 * (size_t)ntet, int);
    if (!m->x || !m->tet)
        return LITHE_NO_MEMORY;
    memcpy(m->x, x, 3 * (size_t)nnode * sizeof *x);
    memcpy(m->tet, tet, 4 * (size_t)ntet * sizeof *tet);
    return LITHE_OK;
}

static lithe_status copy_surface(mesh *m, int nnode, const double *x, int ntri, const int *tri)
{
    m->nnode = nnode;
    m->ntri = ntri;
    m->x = arena_new(&m->memory, 3 * (size_t)nnode, double);
    m->tri = arena_new(&m->memory, 3 * (size_t)ntri, int);
    if (!m->x || !m->tri)
        return LITHE_NO_MEMORY;
    memcpy(m->x, x, 3 * (size_t)nnode * sizeof *x);
    memcpy(m->tri, tri, 3 * (size_t)ntri * sizeof *tri);
    return LITHE_OK;
}

// What arrays make: m, or why it is none.
static lithe_status finish_arrays(lithe_status copied, mesh *m, const char *who, lithe_mesh **out,
                                  lithe_report *report)
{
    if (copied != LITHE_OK)
        report_no_memory(report, "a mesh");
    return deliver(copied == LITHE_OK ? mesh_finish(m, who, report) : copied, m, out);
}

lithe_status lithe_mesh_create_surface(int nnode, const double *x, int ntri, const int *tri,
                                       lithe_mesh **out, lithe_report *report)
{
    *out = NULL;
    if (nnode < 1 || ntri < 1 || !x || !tri || nnode > MESH_MAX_COUNT || ntri > MESH_MAX_COUNT)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "lithe_mesh_create_surface: %d nodes and %d triangles; both must be from "
                          "1 to %d, with their arrays",
                          nnode, ntri, MESH_MAX_COUNT);
    mesh *m = new_mesh();
    lithe_status status = m ? copy_surface(m, nnode, x, ntri, tri) : LITHE_NO_MEMORY;
    return finish_arrays(status, m, "lithe_mesh_create_surface", out, report);
}

lithe_status lithe_mesh_create(int nnode, const double *x, int ntet, const int *tet,
                               lithe_mesh **out, lithe_report *report)
{
    *out = NULL;
    if (nnode < 1 || ntet < 1 || !x || !tet || nnode > MESH_MAX_COUNT || ntet > MESH_MAX_COUNT)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "lithe_mesh_create: %d nodes and %d tetrahedra; both must be from 1 to "
                          "%d, with their arrays",
                          nnode, ntet, MESH_MAX_COUNT);
    mesh *m = new_mesh();
    lithe_status status = m ? copy_arrays(m, nnode, x, ntet, tet) : LITHE_NO_MEMORY;
    return finish_arrays(status, m, "lithe_mesh_create", out, report);
}
