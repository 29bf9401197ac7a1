#include "scene/yaml.h"

#include "base/quote.h"
#include "base/status.h"

#include <string.h>
#include <yaml.h>

typedef struct builder {
    yaml_parser_t *parser;
    const char *text;
    size_t bytes;
    tree_mark first;
    arena *arena;
    lithe_report *report;
    int nnode;
    int depth;
} builder;

static tree_mark mark_at(const builder *b, size_t line, size_t column)
{
    tree_mark mark = b->first;
    if (mark.line > 0) {
        mark.line += (int)line;
        mark.column = (int)column + 1;
    }
    return mark;
}

static tree_mark event_mark(const builder *b, const yaml_event_t *event)
{
    return mark_at(b, event->start_mark.line, event->start_mark.column);
}

// The reader below libyaml's scanner knows a byte offset only.
static lithe_status fail_encoding(const builder *b)
{
    size_t line = 0, column = 0;
    for (size_t i = 0; i < b->parser->problem_offset && i < b->bytes; i++) {
        if (b->text[i] == '\n') {
            line++;
            column = 0;
        } else if (((unsigned char)b->text[i] & 0xc0) != 0x80) {
            column++;
        }
    }
    return tree_fail(b->report, mark_at(b, line, column),
                     "not UTF-8 text (%s); save the file as UTF-8", b->parser->problem);
}

static char char_at(const builder *b, size_t line, size_t column)
{
    size_t i = 0;
    for (; i < b->bytes && line > 0; i++)
        line -= b->text[i] == '\n';
    return i + column < b->bytes ? b->text[i + column] : 0;
}

static lithe_status fail_parser(const builder *b)
{
    const yaml_parser_t *p = b->parser;
    if (p->error == YAML_MEMORY_ERROR)
        return report_no_memory(b->report, "reading the scene");
    if (p->error == YAML_READER_ERROR)
        return fail_encoding(b);
    tree_mark at = mark_at(b, p->problem_mark.line, p->problem_mark.column);
    if (char_at(b, p->problem_mark.line, p->problem_mark.column) == '\t')
        return tree_fail(b->report, at, "a tab; YAML is indented with spaces");
    return tree_fail(b->report, at,
                     "not YAML: %s%s%s; check the indentation, brackets and quotes here",
                     p->problem ? p->problem : "cannot be read", p->context ? ", " : "",
                     p->context ? p->context : "");
}

static lithe_status next_event(const builder *b, yaml_event_t *event)
{
    return yaml_parser_parse(b->parser, event) ? LITHE_OK : fail_parser(b);
}

static lithe_status no_memory(const builder *b)
{
    return report_no_memory(b->report, "the scene");
}

// Messages and result files quote texts, so they stay on one line and are whole C strings.
static bool has_control(const unsigned char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (text[i] < 0x20 || text[i] == 0x7f ||
            (text[i] == 0xc2 && i + 1 < n && text[i + 1] < 0xa0))
            return true;
    return false;
}

static lithe_status copy_text(const builder *b, const yaml_event_t *event, const char **copy)
{
    const unsigned char *text = event->data.scalar.value;
    size_t n = event->data.scalar.length;
    if (has_control(text, n))
        return tree_fail(
            b->report, event_mark(b, event),
            "this text holds a line break or a control character; write it on one line");
    char *chars = arena_new(b->arena, n + 1, char);
    if (!chars)
        return no_memory(b);
    memcpy(chars, text, n);
    *copy = chars;
    return LITHE_OK;
}

static lithe_status refuse_decoration(const builder *b, const yaml_event_t *event)
{
    const yaml_char_t *anchor = NULL, *tag = NULL;
    if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
    } else if (event->type == YAML_ALIAS_EVENT) {
        return tree_fail(b->report, event_mark(b, event),
                         "aliases such as *%s are not allowed in a scene; repeat the value",
                         QUOTE((const char *)event->data.alias.anchor));
    }
    if (anchor)
        return tree_fail(b->report, event_mark(b, event),
                         "anchors such as &%s are not allowed in a scene; remove it",
                         QUOTE((const char *)anchor));
    if (tag)
        return tree_fail(b->report, event_mark(b, event),
                         "tags such as %s are not allowed in a scene; remove it",
                         QUOTE((const char *)tag));
    return LITHE_OK;
}

static lithe_status build(builder *b, const yaml_event_t *event, tree_node **node);

static lithe_status build_next(builder *b, tree_node **node)
{
    yaml_event_t event;
    LITHE_TRY(next_event(b, &event));
    lithe_status status = build(b, &event, node);
    yaml_event_delete(&event);
    return status;
}

static lithe_status build_list(builder *b, tree_node *list)
{
    for (;;) {
        yaml_event_t event;
        LITHE_TRY(next_event(b, &event));
        bool end = event.type == YAML_SEQUENCE_END_EVENT;
        tree_node *item = NULL;
        lithe_status status = end ? LITHE_OK : build(b, &event, &item);
        yaml_event_delete(&event);
        if (end || status != LITHE_OK)
            return status;
        tree_append(list, item);
    }
}

static lithe_status check_key(const builder *b, const yaml_event_t *event, const char **key)
{
    if (event->type != YAML_SCALAR_EVENT)
        return tree_fail(b->report, event_mark(b, event), "a key must be a plain name");
    LITHE_TRY(refuse_decoration(b, event));
    return copy_text(b, event, key);
}

static lithe_status check_duplicates(const builder *b, const tree_node *map)
{
    const tree_node **entry = arena_new(b->arena, map->nchild, const tree_node *);
    if (!entry)
        return no_memory(b);
    int n = 0;
    for (const tree_node *c = map->child; c; c = c->next)
        entry[n++] = c;
    tree_pair pair;
    if (!tree_find_duplicate(entry, n, &pair))
        return LITHE_OK;
    if (b->first.line == 0)
        return tree_fail(b->report, b->first, "the key '%s' is given twice; remove one",
                         QUOTE(pair.second->key));
    return tree_fail(b->report, pair.second->key_at,
                     "the key '%s' is given twice (first in line %d); remove one",
                     QUOTE(pair.second->key), pair.first->key_at.line);
}

static lithe_status build_map(builder *b, tree_node *map)
{
    for (;;) {
        yaml_event_t event;
        LITHE_TRY(next_event(b, &event));
        bool end = event.type == YAML_MAPPING_END_EVENT;
        const char *key = NULL;
        tree_mark key_at = event_mark(b, &event);
        lithe_status status = end ? check_duplicates(b, map) : check_key(b, &event, &key);
        yaml_event_delete(&event);
        if (end || status != LITHE_OK)
            return status;
        tree_node *value = NULL;
        LITHE_TRY(build_next(b, &value));
        value->key = key;
        value->key_at = key_at;
        tree_append(map, value);
    }
}

static lithe_status build_children(builder *b, const yaml_event_t *event, tree_node *node)
{
    if (b->depth == YAML_DEPTH_MAX)
        return tree_fail(b->report, event_mark(b, event), "nested deeper than %d levels",
                         YAML_DEPTH_MAX);
    b->depth++;
    LITHE_TRY(node->kind == TREE_MAP ? build_map(b, node) : build_list(b, node));
    b->depth--;
    return LITHE_OK;
}

static lithe_status build(builder *b, const yaml_event_t *event, tree_node **node)
{
    LITHE_TRY(refuse_decoration(b, event));
    if (b->nnode++ == YAML_NODES_MAX)
        return tree_fail(b->report, event_mark(b, event), "more than %d values in one scene",
                         YAML_NODES_MAX);
    tree_kind kind = event->type == YAML_MAPPING_START_EVENT    ? TREE_MAP
                     : event->type == YAML_SEQUENCE_START_EVENT ? TREE_LIST
                                                                : TREE_TEXT;
    *node = tree_add(b->arena, kind, event_mark(b, event));
    if (!*node)
        return no_memory(b);
    if (kind == TREE_TEXT)
        return copy_text(b, event, &(*node)->text);
    return build_children(b, event, *node);
}

// Reads events up to and with the wanted one, of the kinds that carry no content.
static lithe_status pass_event(const builder *b, yaml_event_type_t wanted, bool *found,
                               tree_mark *at)
{
    yaml_event_t event;
    LITHE_TRY(next_event(b, &event));
    *found = event.type == wanted;
    *at = event_mark(b, &event);
    yaml_event_delete(&event);
    return LITHE_OK;
}

static lithe_status build_document(builder *b, tree_node **root)
{
    bool found;
    tree_mark at;
    LITHE_TRY(pass_event(b, YAML_STREAM_START_EVENT, &found, &at));
    LITHE_TRY(pass_event(b, YAML_DOCUMENT_START_EVENT, &found, &at));
    if (!found)
        return tree_fail(b->report, b->first,
                         "there is nothing here; see docs/scene.md for what a scene holds");
    LITHE_TRY(build_next(b, root));
    LITHE_TRY(pass_event(b, YAML_DOCUMENT_END_EVENT, &found, &at));
    LITHE_TRY(pass_event(b, YAML_STREAM_END_EVENT, &found, &at));
    if (!found)
        return tree_fail(b->report, at, "a second document starts here; a scene is one document");
    return LITHE_OK;
}

lithe_status yaml_read(const char *text, size_t bytes, tree_mark first, arena *a, tree_node **root,
                       lithe_report *report)
{
    if (bytes > YAML_BYTES_MAX)
        return tree_fail(report, first, "larger than %d bytes; a scene is a short text",
                         YAML_BYTES_MAX);
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return report_no_memory(report, "reading the scene");
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, bytes);
    builder b = {&parser, text, bytes, first, a, report, 0, 0};
    lithe_status status = build_document(&b, root);
    yaml_parser_delete(&parser);
    return status;
}
