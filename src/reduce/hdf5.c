#include "reduce/hdf5.h"

#include <string.h>

enum {
    SUPERBLOCK = 48,
    PREFIX = 10, // of an object header: signature, version, flags, size of its messages
    SUM = 4,
    MESSAGE = 4, // head of a message: type, size, flags
    LINK_INFO = 18,
    GROUP_INFO = 2,
    FILL = 2,
    LAYOUT = 18,
    NAME = 31,
};

typedef enum message_type {
    TYPE_SPACE = 1,
    TYPE_LINK_INFO = 2,
    TYPE_DATATYPE = 3,
    TYPE_FILL = 5,
    TYPE_LINK = 6,
    TYPE_LAYOUT = 8,
    TYPE_GROUP_INFO = 10,
} message_type;

static const unsigned char SIGNATURE[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

// Class and version, bits, size, properties.
static const unsigned char DOUBLE[] = {0x11, 0x20, 0x3f, 0,  8, 0,  0,    0, 0, 0,
                                       64,   0,    52,   11, 0, 52, 0xff, 3, 0, 0};
static const unsigned char INT32[] = {0x10, 8, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0};
static const unsigned char UINT64[] = {0x10, 0, 0, 0, 8, 0, 0, 0, 0, 0, 64, 0};

typedef struct datatype {
    const unsigned char *code;
    size_t size;  // of the code
    size_t bytes; // of a number
} datatype;

static datatype datatype_of(hdf5_kind kind)
{
    static const datatype all[] = {[HDF5_DOUBLE] = {DOUBLE, sizeof DOUBLE, 8},
                                   [HDF5_INT32] = {INT32, sizeof INT32, 4},
                                   [HDF5_UINT64] = {UINT64, sizeof UINT64, 8}};
    return all[kind];
}

size_t hdf5_bytes(hdf5_kind kind)
{
    return datatype_of(kind).bytes;
}

// The checksum of HDF5's metadata: Jenkins' lookup3.
static uint32_t rotated(uint32_t x, int by)
{
    return x << by | x >> (32 - by);
}

static void mix(uint32_t v[3])
{
    static const int by[6] = {4, 6, 8, 16, 19, 4};
    for (int i = 0; i < 6; i++) {
        uint32_t *a = &v[i % 3], *b = &v[(i + 1) % 3], *c = &v[(i + 2) % 3];
        *a -= *c;
        *a ^= rotated(*c, by[i]);
        *c += *b;
    }
}

static void finish(uint32_t v[3])
{
    static const int by[7] = {14, 11, 25, 16, 4, 14, 24};
    for (int i = 0; i < 7; i++) {
        uint32_t *a = &v[(i + 2) % 3], *b = &v[(i + 1) % 3];
        *a ^= *b;
        *a -= rotated(*b, by[i]);
    }
}

static uint32_t checksum(const unsigned char *data, size_t n)
{
    uint32_t v[3];
    v[0] = v[1] = v[2] = 0xdeadbeef + (uint32_t)n;
    for (; n > 12; n -= 12, data += 12) {
        for (int i = 0; i < 12; i++)
            v[i / 4] += (uint32_t)data[i] << 8 * (i % 4);
        mix(v);
    }
    if (n == 0)
        return v[2];
    for (size_t i = 0; i < n; i++)
        v[i / 4] += (uint32_t)data[i] << 8 * (i % 4);
    finish(v);
    return v[2];
}

// ## writing

static unsigned char *put(unsigned char *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        *at++ = (unsigned char)(value >> 8 * i);
    return at;
}

static unsigned char *put_bytes(unsigned char *at, const void *data, size_t n)
{
    memcpy(at, data, n);
    return at + n;
}

static unsigned char *put_message(unsigned char *at, message_type type, size_t size, int flags)
{
    at = put(at, (uint64_t)type, 1);
    at = put(at, size, 2);
    return put(at, (uint64_t)flags, 1);
}

static unsigned char *begin_header(unsigned char *at, size_t messages)
{
    at = put_bytes(at, "OHDR\2\2", 6);
    return put(at, messages, 4);
}

static unsigned char *end_header(unsigned char *start, unsigned char *at)
{
    return put(at, checksum(start, (size_t)(at - start)), 4);
}

static int rank_of(const hdf5_set *set)
{
    return set->width > 0 ? 2 : 1;
}

static size_t space_size(int rank)
{
    return 4 + 8 * (size_t)rank;
}

static size_t set_messages(const hdf5_set *set)
{
    return 4 * MESSAGE + space_size(rank_of(set)) + datatype_of(set->kind).size + FILL + LAYOUT;
}

static size_t root_messages(int n, const hdf5_set *set)
{
    size_t size = 2 * MESSAGE + LINK_INFO + GROUP_INFO;
    for (int i = 0; i < n; i++)
        size += MESSAGE + 3 + strlen(set[i].name) + 8;
    return size;
}

static uint64_t data_bytes(const hdf5_set *set)
{
    return set->lines * (set->width > 0 ? set->width : 1) * hdf5_bytes(set->kind);
}

static uint64_t aligned(uint64_t at)
{
    return (at + 7) / 8 * 8;
}

// Where headers and data of sets stand, one after the other.
typedef struct layout_table {
    uint64_t header[HDF5_SETS], data[HDF5_SETS], end;
} layout_table;

static layout_table lay_out(int n, const hdf5_set *set)
{
    layout_table p = {.end = SUPERBLOCK + PREFIX + root_messages(n, set) + SUM};
    for (int i = 0; i < n; i++) {
        p.header[i] = aligned(p.end);
        p.end = p.header[i] + PREFIX + set_messages(&set[i]) + SUM;
    }
    for (int i = 0; i < n; i++) {
        p.data[i] = aligned(p.end);
        p.end = p.data[i] + data_bytes(&set[i]);
    }
    return p;
}

size_t hdf5_size(int n, const hdf5_set *set)
{
    return (size_t)lay_out(n, set).end;
}

static void write_superblock(unsigned char *out, uint64_t end)
{
    unsigned char *at = put_bytes(out, SIGNATURE, sizeof SIGNATURE);
    at = put_bytes(at, "\2\10\10\0", 4); // version, bytes of addresses and of sizes
    at = put(at, 0, 8);
    at = put(at, UINT64_MAX, 8);
    at = put(at, end, 8);
    at = put(at, SUPERBLOCK, 8);
    put(at, checksum(out, (size_t)(at - out)), 4);
}

static void write_root(unsigned char *out, int n, const hdf5_set *set, const layout_table *p)
{
    unsigned char *start = out + SUPERBLOCK, *at = begin_header(start, root_messages(n, set));
    at = put_message(at, TYPE_LINK_INFO, LINK_INFO, 0);
    at = put(at, 0, 2);
    at = put(at, UINT64_MAX, 8);
    at = put(at, UINT64_MAX, 8);
    at = put_message(at, TYPE_GROUP_INFO, GROUP_INFO, 0);
    at = put(at, 0, 2);
    for (int i = 0; i < n; i++) {
        size_t length = strlen(set[i].name);
        at = put_message(at, TYPE_LINK, 3 + length + 8, 0);
        at = put(at, 1, 2);
        at = put(at, length, 1);
        at = put_bytes(at, set[i].name, length);
        at = put(at, p->header[i], 8);
    }
    end_header(start, at);
}

static void write_set(unsigned char *out, const hdf5_set *set, uint64_t header, uint64_t data)
{
    datatype type = datatype_of(set->kind);
    unsigned char *start = out + header, *at = begin_header(start, set_messages(set));
    at = put_message(at, TYPE_SPACE, space_size(rank_of(set)), 0);
    at = put(at, 2, 1);
    at = put(at, (uint64_t)rank_of(set), 1);
    at = put(at, 0x100, 2); // no largest size; of simple extent
    at = put(at, set->lines, 8);
    if (set->width > 0)
        at = put(at, set->width, 8);
    at = put_message(at, TYPE_DATATYPE, type.size, 1);
    at = put_bytes(at, type.code, type.size);
    at = put_message(at, TYPE_FILL, FILL, 1);
    at = put_bytes(at, "\3\12", 2);
    at = put_message(at, TYPE_LAYOUT, LAYOUT, 0);
    at = put_bytes(at, "\3\1", 2);
    at = put(at, data, 8);
    at = put(at, data_bytes(set), 8);
    end_header(start, at);
    memcpy(out + data, set->data, (size_t)data_bytes(set));
}

void hdf5_write(int n, const hdf5_set *set, unsigned char *out)
{
    layout_table p = lay_out(n, set);
    memset(out, 0, (size_t)p.end);
    write_superblock(out, p.end);
    write_root(out, n, set, &p);
    for (int i = 0; i < n; i++)
        write_set(out, &set[i], p.header[i], p.data[i]);
}

// ## reading

static uint64_t get(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

// Messages of an object header, one after the other.
typedef struct header {
    const unsigned char *at, *end;
} header;

static bool open_header(const unsigned char *file, size_t bytes, uint64_t where, header *out)
{
    if (where > bytes || bytes - where < PREFIX + SUM || memcmp(file + where, "OHDR\2\2", 6) != 0)
        return false;
    uint64_t size = get(file + where + 6, 4);
    if (size > bytes - where - PREFIX - SUM)
        return false;
    out->at = file + where + PREFIX;
    out->end = out->at + size;
    return get(out->end, 4) == checksum(file + where, (size_t)(PREFIX + size));
}

typedef struct message {
    message_type type;
    size_t size;
    const unsigned char *data;
} message;

static bool next_message(header *h, message *out)
{
    if (h->end - h->at < MESSAGE)
        return false;
    *out = (message){(message_type)h->at[0], (size_t)get(h->at + 1, 2), h->at + MESSAGE};
    if ((size_t)(h->end - out->data) < out->size)
        return false;
    h->at = out->data + out->size;
    return true;
}

static bool find_link(const unsigned char *file, size_t bytes, const char *name, uint64_t *where)
{
    header root;
    message m;
    size_t length = strlen(name);
    if (bytes < SUPERBLOCK || memcmp(file, SIGNATURE, sizeof SIGNATURE) != 0 ||
        memcmp(file + 8, "\2\10\10", 3) != 0 || get(file + 12, 8) != 0 ||
        get(file + 44, 4) != checksum(file, 44) ||
        !open_header(file, bytes, get(file + 36, 8), &root))
        return false;
    while (next_message(&root, &m))
        if (m.type == TYPE_LINK && m.size == 3 + length + 8 && m.data[0] == 1 && m.data[1] == 0 &&
            m.data[2] == length && memcmp(m.data + 3, name, length) == 0) {
            *where = get(m.data + 3 + length, 8);
            return true;
        }
    return false;
}

static bool read_space(const message *m, hdf5_set *out)
{
    if (m->size < 4 || m->data[0] != 2 || m->data[2] != 0 || m->data[3] != 1)
        return false;
    int rank = m->data[1];
    if (rank < 1 || rank > 2 || m->size != space_size(rank))
        return false;
    out->lines = get(m->data + 4, 8);
    out->width = rank == 2 ? get(m->data + 12, 8) : 0;
    return rank == 1 || out->width > 0;
}

static bool is_product(uint64_t a, uint64_t b, uint64_t c, uint64_t whole)
{
    return c != 0 && whole % c == 0 &&
           (a == 0 || b == 0 ? whole == 0 : whole / c % a == 0 && whole / c / a == b);
}

static bool read_layout(const message *m, const unsigned char *file, size_t bytes, hdf5_set *out)
{
    if (m->size != LAYOUT || m->data[0] != 3 || m->data[1] != 1)
        return false;
    uint64_t at = get(m->data + 2, 8), size = get(m->data + 10, 8);
    if (at % 8 != 0 || at > bytes || size > bytes - at ||
        !is_product(out->lines, out->width > 0 ? out->width : 1, hdf5_bytes(out->kind), size))
        return false;
    out->data = file + at;
    return true;
}

bool hdf5_find(const unsigned char *file, size_t bytes, const char *name, hdf5_kind kind,
               hdf5_set *out)
{
    uint64_t where;
    header h;
    message m;
    datatype type = datatype_of(kind);
    bool space = false, same = false, layout = false;
    *out = (hdf5_set){.name = name, .kind = kind};
    if (!find_link(file, bytes, name, &where) || !open_header(file, bytes, where, &h))
        return false;
    while (next_message(&h, &m)) {
        if (m.type == TYPE_SPACE && !space)
            space = read_space(&m, out);
        if (m.type == TYPE_DATATYPE)
            same = m.size == type.size && memcmp(m.data, type.code, type.size) == 0;
        if (m.type == TYPE_LAYOUT && space && same)
            layout = read_layout(&m, file, bytes, out);
    }
    return space && same && layout;
}
