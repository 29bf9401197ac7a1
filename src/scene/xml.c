#include "scene/xml.h"

#include "base/memory.h"
#include "base/plain_file.h"
#include "base/status.h"

#include <errno.h>
#include <expat.h>
#include <string.h>

typedef struct xml_reader {
    XML_Parser parser;
    arena *memory;
    const char *path;
    lithe_report *report;
    lithe_status status;
    xml_node *root, *open;
    int depth, n;
} xml_reader;

static void stop(xml_reader *x, const char *why)
{
    if (x->status == LITHE_OK)
        x->status = LITHE_FAIL(x->report, LITHE_INVALID, "%s:%lu:%lu: %s", x->path,
                               (unsigned long)XML_GetCurrentLineNumber(x->parser),
                               (unsigned long)XML_GetCurrentColumnNumber(x->parser) + 1, why);
    XML_StopParser(x->parser, XML_FALSE);
}

static void no_memory(xml_reader *x)
{
    x->status = report_no_memory(x->report, x->path);
    XML_StopParser(x->parser, XML_FALSE);
}

static bool take_attributes(xml_reader *x, xml_node *node, const XML_Char **attribute)
{
    for (; attribute[0]; attribute += 2) {
        xml_attribute *a = arena_new(x->memory, 1, xml_attribute);
        if (!a)
            return false;
        a->name = arena_strdup(x->memory, attribute[0]);
        a->value = arena_strdup(x->memory, attribute[1]);
        a->next = node->attribute;
        node->attribute = a;
        if (!a->name || !a->value)
            return false;
    }
    return true;
}

static void XMLCALL on_start(void *user, const XML_Char *name, const XML_Char **attribute)
{
    xml_reader *x = user;
    if (++x->depth > XML_DEPTH_MAX || ++x->n > XML_NODES_MAX) {
        stop(x, "elements are too many, or too deep within each other");
        return;
    }
    xml_node *node = arena_new(x->memory, 1, xml_node);
    if (!node || !(node->name = arena_strdup(x->memory, name)) ||
        !take_attributes(x, node, attribute)) {
        no_memory(x);
        return;
    }
    node->line = (int)XML_GetCurrentLineNumber(x->parser);
    node->column = (int)XML_GetCurrentColumnNumber(x->parser) + 1;
    node->parent = x->open;
    if (!x->open)
        x->root = node;
    else if (x->open->last_child)
        x->open->last_child->next = node;
    else
        x->open->child = node;
    if (x->open)
        x->open->last_child = node;
    x->open = node;
}

static void XMLCALL on_end(void *user, const XML_Char *name)
{
    xml_reader *x = user;
    (void)name;
    x->depth--;
    x->open = x->open ? x->open->parent : NULL;
}

static void XMLCALL on_doctype(void *user, const XML_Char *name, const XML_Char *system,
                               const XML_Char *pub, int internal)
{
    (void)name, (void)system, (void)pub, (void)internal;
    stop(user, "a document type is not read; remove the line with <!DOCTYPE");
}

// All of it into the arena.
static lithe_status slurp(const char *path, arena *a, char **text, size_t *bytes,
                          lithe_report *report)
{
    FILE *file = plain_file_read(path);
    if (!file)
        return LITHE_FAIL(report, LITHE_INVALID, "%s: %s", path,
                          errno == EINVAL ? "it is no file" : strerror(errno));
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    lithe_status status = LITHE_OK;
    if (size < 0 || size > XML_BYTES_MAX)
        status = LITHE_FAIL(report, LITHE_INVALID, "%s: it is longer than %d bytes", path,
                            XML_BYTES_MAX);
    rewind(file);
    if (status == LITHE_OK && !(*text = arena_alloc(a, (size_t)size + 1, 1)))
        status = report_no_memory(report, path);
    *bytes = status == LITHE_OK ? fread(*text, 1, (size_t)size, file) : 0;
    fclose(file);
    return status;
}

lithe_status xml_read(const char *path, arena *a, xml_node **root, lithe_report *report)
{
    char *text = NULL;
    size_t bytes = 0;
    LITHE_TRY(slurp(path, a, &text, &bytes, report));
    xml_reader x = {.memory = a, .path = path, .report = report};
    x.parser = XML_ParserCreate(NULL);
    if (!x.parser)
        return report_no_memory(report, path);
    XML_SetUserData(x.parser, &x);
    XML_SetElementHandler(x.parser, on_start, on_end);
    XML_SetStartDoctypeDeclHandler(x.parser, on_doctype);
    enum XML_Status parsed = XML_Parse(x.parser, text, (int)bytes, 1);
    if (parsed != XML_STATUS_OK && x.status == LITHE_OK)
        stop(&x, XML_ErrorString(XML_GetErrorCode(x.parser)));
    XML_ParserFree(x.parser);
    *root = x.root;
    return x.status;
}

const xml_node *xml_find_next(const xml_node *sibling, const char *name)
{
    while (sibling && strcmp(sibling->name, name) != 0)
        sibling = sibling->next;
    return sibling;
}

const xml_node *xml_find(const xml_node *parent, const char *name)
{
    return parent ? xml_find_next(parent->child, name) : NULL;
}

const char *xml_value(const xml_node *node, const char *name)
{
    for (const xml_attribute *a = node ? node->attribute : NULL; a; a = a->next)
        if (strcmp(a->name, name) == 0)
            return a->value;
    return NULL;
}
