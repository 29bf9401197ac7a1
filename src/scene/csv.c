#include "scene/csv.h"

#include "base/memory.h"
#include "base/quote.h"
#include "base/spelling.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct parser {
    const char *path;
    const csv_columns *columns;
    lithe_report *report;
    int line; // from 1
    int ncolumn;
    int time_at; // which column is the time
    int *taken;  // (ncolumn) which of the values a column is; -1: none
    csv_table *table;
} parser;

__attribute__((format(printf, 3, 4))) static lithe_status fail(const parser *p, int column,
                                                               const char *format, ...)
{
    char text[LITHE_TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return LITHE_FAIL(p->report, LITHE_INVALID, "%.300s:%d:%d: %s", p->path, p->line, column + 1,
                      text);
}

char *csv_take_line(char **rest)
{
    char *line = *rest;
    if (!*line)
        return NULL;
    size_t n = strcspn(line, "\n");
    *rest = line + n + (line[n] == '\n');
    line[n] = 0;
    if (n > 0 && line[n - 1] == '\r')
        line[n - 1] = 0;
    return line;
}

char *csv_take_field(char **rest)
{
    char *field = *rest;
    if (!field)
        return NULL;
    char *comma = strchr(field, ',');
    *rest = comma ? comma + 1 : NULL;
    if (comma)
        *comma = 0;
    field += strspn(field, " \t");
    size_t n = strlen(field);
    while (n > 0 && strchr(" \t", field[n - 1]))
        n--;
    field[n] = 0;
    return field;
}

static int find_name(int n, const char *const *name, const char *wanted)
{
    for (int i = 0; i < n; i++)
        if (strcmp(name[i], wanted) == 0)
            return i;
    return -1;
}

static lithe_status fail_unknown(const parser *p, int column, const char *name)
{
    nearest near = nearest_start(name);
    for (int i = 0; i < p->columns->n; i++)
        nearest_offer(&near, p->columns->name[i]);
    for (int i = 0; i < p->columns->nknown; i++)
        nearest_offer(&near, p->columns->known[i]);
    const char *meant = nearest_found(&near);
    return fail(p, column, "unknown column '%s'%s%s%s", QUOTE(name),
                meant ? ": did you mean '" : "; columns are called as in series.csv of lithe track",
                meant ? meant : "", meant ? "'?" : "");
}

static lithe_status enter_column(parser *p, const char *name, bool *seen)
{
    int column = p->ncolumn, value = find_name(p->columns->n, p->columns->name, name);
    p->taken[p->ncolumn++] = value;
    if (strcmp(name, "time_s") == 0) {
        if (p->time_at >= 0)
            return fail(p, column, "the column 'time_s' is there twice");
        p->time_at = column;
        return LITHE_OK;
    }
    if (value >= 0 && seen[value])
        return fail(p, column, "the column '%s' is there twice", name);
    if (value >= 0)
        seen[value] = true;
    else if (!p->columns->any && find_name(p->columns->nknown, p->columns->known, name) < 0)
        return fail_unknown(p, column, name);
    return LITHE_OK;
}

static lithe_status read_head(parser *p, char *line, arena *memory)
{
    bool *seen = arena_new(memory, p->columns->n, bool);
    p->taken = arena_new(memory, CSV_COLUMNS_MAX, int);
    if (!seen || !p->taken)
        return report_no_memory(p->report, "a table");
    p->time_at = -1;
    for (char *rest = line, *field; (field = csv_take_field(&rest));) {
        if (p->ncolumn == CSV_COLUMNS_MAX)
            return fail(p, p->ncolumn, "there are more than %d columns", CSV_COLUMNS_MAX);
        LITHE_TRY(enter_column(p, field, seen));
    }
    if (p->time_at < 0)
        return fail(p, 0, "the column 'time_s' is missing");
    for (int i = 0; i < p->columns->n; i++)
        if (!seen[i])
            return fail(p, 0, "the column '%s' is missing", p->columns->name[i]);
    return LITHE_OK;
}

// strtod alone would take hex numbers, "inf" and "nan" as well.
bool csv_number(const char *field, double *value)
{
    char *end;
    *value = strtod(field, &end);
    return end > field && !*end && !field[strspn(field, "+-.0123456789eE")] && isfinite(*value);
}

static lithe_status read_number(const parser *p, int column, const char *field, double *value)
{
    if (!*field)
        return fail(p, column, "a value is missing; every line needs one in each column");
    if (!csv_number(field, value))
        return fail(p, column, "'%s' is not a finite number", QUOTE(field));
    return LITHE_OK;
}

static lithe_status read_field(const parser *p, int column, const char *field)
{
    csv_table *t = p->table;
    if (column == p->time_at)
        return read_number(p, column, field, &t->time[t->nline]);
    if (p->taken[column] < 0)
        return LITHE_OK;
    return read_number(
        p, column, field,
        &t->value[(size_t)t->nline * (size_t)p->columns->n + (size_t)p->taken[column]]);
}

static lithe_status read_line(const parser *p, char *line)
{
    csv_table *t = p->table;
    int column = 0;
    for (char *rest = line, *field; (field = csv_take_field(&rest)); column++)
        if (column < p->ncolumn)
            LITHE_TRY(read_field(p, column, field));
    if (column != p->ncolumn)
        return fail(p, column < p->ncolumn ? column : p->ncolumn,
                    "this line has %d values, but there are %d columns", column, p->ncolumn);
    if (t->time[t->nline] < 0)
        return fail(p, p->time_at, "times begin at 0 or later");
    if (t->nline > 0 && t->time[t->nline] <= t->time[t->nline - 1])
        return fail(p, p->time_at, "times must rise: %g s follows %g s", t->time[t->nline],
                    t->time[t->nline - 1]);
    t->nline++;
    return LITHE_OK;
}

static bool is_empty(const char *line)
{
    return !line[strspn(line, " \t")];
}

// Lines of values with something in them; an empty one is only allowed at the end.
static lithe_status read_lines(parser *p, char *rest)
{
    int empty = 0; // the first empty line
    for (char *line; (line = csv_take_line(&rest));) {
        p->line++;
        if (is_empty(line)) {
            empty = empty ? empty : p->line;
            continue;
        }
        if (empty) {
            p->line = empty;
            return fail(p, 0, "this line is empty, but more follow; remove it");
        }
        LITHE_TRY(read_line(p, line));
    }
    return p->table->nline > 0 ? LITHE_OK : fail(p, 0, "there is no line of values");
}

static lithe_status create_table(const parser *p, const char *text, arena *memory)
{
    size_t lines = 1;
    for (const char *c = text; (c = strchr(c, '\n')); c++)
        lines++;
    if (lines > CSV_LINES_MAX)
        return LITHE_FAIL(p->report, LITHE_INVALID, "%s: there are more than %d lines; thin it out",
                          p->path, CSV_LINES_MAX);
    p->table->nline = 0;
    p->table->time = arena_new(memory, lines, double);
    p->table->value = arena_new(memory, lines * (size_t)p->columns->n, double);
    if (!p->table->time || !p->table->value)
        return report_no_memory(p->report, "a table");
    return LITHE_OK;
}

static lithe_status parse(parser *p, char *text, arena *memory)
{
    static const char mark[] = "\xef\xbb\xbf"; // of UTF-8, which spreadsheets write
    char *rest = text + (strncmp(text, mark, 3) == 0 ? 3 : 0);
    p->line = 1;
    LITHE_TRY(create_table(p, text, memory));
    char *head = csv_take_line(&rest);
    if (!head || is_empty(head))
        return fail(p, 0, "the first line must name the columns, such as time_s,tip.x_m");
    LITHE_TRY(read_head(p, head, memory));
    return read_lines(p, rest);
}

lithe_status csv_parse(const char *path, char *text, const csv_columns *columns, arena *memory,
                       csv_table *table, lithe_report *report)
{
    parser p = {.path = path, .columns = columns, .report = report, .table = table};
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c)
        return report_no_memory(report, "a table");
    locale_t own = uselocale(c); // decimal points, whatever the program's own locale is
    lithe_status status = parse(&p, text, memory);
    uselocale(own);
    freelocale(c);
    return status;
}

// A plain file only: a pipe or a device may never end.
static lithe_status open_plain(const char *path, FILE **file, size_t *bytes, lithe_report *report)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool machine = fd < 0 && (errno == EIO || errno == EMFILE || errno == ENFILE);
    if (fd < 0)
        return LITHE_FAIL(report, machine ? LITHE_IO : LITHE_INVALID,
                          "%s: cannot open the table: %s; check the %s", path, strerror(errno),
                          machine ? "disk" : "path");
    bool plain = fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    if (!plain || info.st_size > CSV_BYTES_MAX) {
        close(fd);
        return LITHE_FAIL(report, LITHE_INVALID,
                          "%s: a table must be a plain file of at most %d MiB", path,
                          CSV_BYTES_MAX >> 20);
    }
    *bytes = (size_t)info.st_size;
    *file = fdopen(fd, "rb");
    if (*file)
        return LITHE_OK;
    close(fd);
    return report_no_memory(report, "reading a table");
}

static lithe_status load(FILE *file, const char *path, size_t bytes, char *text,
                         lithe_report *report)
{
    size_t got = fread(text, 1, bytes, file);
    if (ferror(file))
        return LITHE_FAIL(report, LITHE_IO, "%s: cannot read the table: %s", path, strerror(errno));
    text[got] = 0;
    if (memchr(text, 0, got))
        return LITHE_FAIL(report, LITHE_INVALID, "%s: this is not a text", path);
    return LITHE_OK;
}

lithe_status csv_load(const char *path, char **text, lithe_report *report)
{
    FILE *file = NULL;
    size_t bytes = 0;
    LITHE_TRY(open_plain(path, &file, &bytes, report));
    *text = memory_alloc(bytes + 1);
    lithe_status status = *text ? load(file, path, bytes, *text, report)
                                : report_no_memory(report, "reading a table");
    fclose(file);
    if (status != LITHE_OK)
        memory_free(*text);
    return status;
}

lithe_status csv_read(const char *path, const csv_columns *columns, arena *memory, csv_table *table,
                      lithe_report *report)
{
    char *text;
    LITHE_TRY(csv_load(path, &text, report));
    lithe_status status = csv_parse(path, text, columns, memory, table, report);
    memory_free(text);
    return status;
}
