// XML text into a tree of elements, for files that others define.
#ifndef SCENE_XML_H
#define SCENE_XML_H

#include "base/arena.h"

#include "lithe/lithe.h"

typedef struct xml_attribute {
    const char *name, *value;
    struct xml_attribute *next;
} xml_attribute;

typedef struct xml_node {
    const char *name;
    int line, column; // from 1
    xml_attribute *attribute;
    struct xml_node *parent, *child, *last_child, *next;
} xml_node;

enum { XML_BYTES_MAX = 1 << 24, XML_NODES_MAX = 100000, XML_DEPTH_MAX = 64 };

// path: of the file, also in messages. Text between elements is not kept; a document type, which
// could stand for a huge file, is refused.
lithe_status xml_read(const char *path, arena *a, xml_node **root, lithe_report *report);

const xml_node *xml_find(const xml_node *parent, const char *name);       // the first; NULL: none
const xml_node *xml_find_next(const xml_node *sibling, const char *name); // the next of that name
const char *xml_value(const xml_node *node, const char *name);            // NULL: none

#endif
