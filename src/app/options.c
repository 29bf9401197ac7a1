#include "app/options.h"

#include "app/program.h"
#include "app/say.h"
#include "base/quote.h"
#include "base/spelling.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_STEPS = 1000000, MAX_THREADS = 256, MAX_PORT = 65535 };

typedef struct option {
    enum option_id id;
    const char *name;
    const char *value; // what its value is called; NULL: it takes none
    const char *about;
} option;

static const option OPTIONS[] = {
    {OPTION_OUT, "--out", "DIR", "write results to this folder (whole or not at all)"},
    {OPTION_STEPS, "--steps", "N", "this many steps instead of the scene's"},
    {OPTION_THREADS, "--threads", "N", "compute on this many threads (default 1)"},
    {OPTION_SET, "--set", "PATH=VALUE", "override a key of the scene; may be repeated"},
    {OPTION_DATA, "--data", "FILE", "a table of what was observed"},
    {OPTION_FIND, "--find", "PATH...", "a key of the scene to find; may be repeated"},
    {OPTION_JACOBIAN, "--jacobian", NULL, "read out W and how effectors move with actuators"},
    {OPTION_OFFENDERS, "--offenders", "FILE",
     "write doubtful elements and nodes to this .vtu file"},
    {OPTION_FILE, "--out", "FILE", "write the mesh to this .msh file (whole or not at all)"},
    {OPTION_REPORT, "--out", "FILE", "write the page to this file (default report.html)"},
    {OPTION_PICTURE, "--out", "FILE", "draw into this SVG or PNG file (default landscape.svg)"},
    {OPTION_FRAMES, "--frames", "N", "show at most this many frames (default 300)"},
    {OPTION_SIZE, "--size", "LENGTH", "edge length of elements, such as 5mm"},
    {OPTION_MESH_UNIT, "--mesh-unit", "UNIT", "what one unit in the file is (default mm)"},
    {OPTION_TIME_LIMIT, "--time-limit", "TIME", "give up after so long (default 600s)"},
    {OPTION_RECORD, "--record", "FILE",
     "record every step in this HDF5 file (whole or not at all)"},
    {OPTION_SNAPSHOT, "--snapshot", "FILE", "draw the end in this PNG file"},
    {OPTION_CAMERA, "--camera", "AZ,EL", "draw it from there, in degrees (default -53,23)"},
    {OPTION_FROM, "--from", "FILE[@STEP]", "go on from this recording instead of a scene"},
    {OPTION_REPLAY, "--replay", "FILE",
     "run the controller again on what this recording heard, instead of a scene"},
    {OPTION_VIEW, "--view", NULL, "show it in a browser, with a button that stops it"},
    {OPTION_PORT, "--port", "N", "listen at this port (default: any that is free)"},
    {OPTION_ADDRESS, "--address", "IP",
     "listen at this address (default 127.0.0.1: this machine only)"},
    {OPTION_PLANT, "--plant", "SCENE", "a scene that stands for the robot"},
    {OPTION_AGAINST, "--against", "PATH=VALUE",
     "override a key of the scene that stands for the robot; may be repeated"},
    {OPTION_POSES, "--poses", "N", "measure at this many poses (default 64)"},
    {OPTION_GAMMA, "--gamma", "NUMBER", "the error of the Jacobian that shall be allowed"},
    {OPTION_SETTLE, "--settle", "N", "find gains that settle in this many steps"},
    {OPTION_JSON, "--json", NULL, "print one JSON object instead of text"},
    {OPTION_QUIET, "--quiet", NULL, "print errors only"},
    {OPTION_HELP, "--help", NULL, "print this and end"},
};
enum { NOPTION = sizeof OPTIONS / sizeof *OPTIONS };

static bool accepts(const command_line *line, const option *o)
{
    return o->id == OPTION_HELP || (line->options & (int)o->id) != 0;
}

static void print_help(const command_line *line)
{
    printf("usage: lithe %s %s\n\n%s\noptions:\n", line->name, line->usage, line->about);
    for (int i = 0; i < NOPTION; i++) {
        const option *o = &OPTIONS[i];
        char head[40];
        if (!accepts(line, o))
            continue;
        snprintf(head, sizeof head, "%s %s", o->name, o->value ? o->value : "");
        printf("  %-18s %s\n", head, o->about);
    }
}

static void say_unknown(const command_line *line, const char *name)
{
    nearest meant = nearest_start(name);
    for (int i = 0; i < NOPTION; i++)
        if (accepts(line, &OPTIONS[i]))
            nearest_offer(&meant, OPTIONS[i].name);
    const char *found = nearest_found(&meant);
    if (found)
        say_error("'lithe %s' has no option '%s'; did you mean '%s'?", line->name, QUOTE(name),
                  found);
    else
        say_error("'lithe %s' has no option '%s'; 'lithe %s --help' lists them", line->name,
                  QUOTE(name), line->name);
}

// Length of the name in "--name=value".
static size_t name_length(const char *word)
{
    return strcspn(word, "=");
}

static const option *find_option(const command_line *line, const char *word)
{
    if (strcmp(word, "-h") == 0)
        return &OPTIONS[NOPTION - 1];
    if (strcmp(word, "-o") == 0)
        word = "--out";
    for (int i = 0; i < NOPTION; i++)
        if (accepts(line, &OPTIONS[i]) && strlen(OPTIONS[i].name) == name_length(word) &&
            strncmp(OPTIONS[i].name, word, name_length(word)) == 0)
            return &OPTIONS[i];
    return NULL;
}

static bool parse_count(const option *o, const char *text, int max, int *count)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < 1 || value > max) {
        say_error("%s takes a whole number from 1 to %d, not '%s'", o->name, max, QUOTE(text));
        return false;
    }
    *count = (int)value;
    return true;
}

// "run.h5" or "run.h5@12"; the last @ counts, and only before a number.
static bool parse_from(const option *o, const char *value, options *out)
{
    const char *at = strrchr(value, '@');
    size_t length = at ? (size_t)(at - value) : strlen(value);
    out->from_step = -1;
    if (at && strspn(at + 1, "0123456789") == strlen(at + 1) && at[1]) {
        if (strcmp(at + 1, "0") == 0)
            out->from_step = 0;
        else if (!parse_count(o, at + 1, MAX_STEPS, &out->from_step))
            return false;
    } else {
        length = strlen(value);
    }
    free(out->from_path);
    out->from_path = strndup(value, length);
    out->from = out->from_path;
    return out->from != NULL;
}

bool options_ends_with(const char *path, const char *ending)
{
    size_t n = strlen(path);
    return n > strlen(ending) && strcasecmp(path + n - strlen(ending), ending) == 0;
}

// A picture of one kind under the name of another would open nowhere.
static bool parse_picture(const option *o, const char *value, const char *other, const char **out)
{
    *out = value;
    if (options_ends_with(value, ".png") || options_ends_with(value, other))
        return true;
    bool two = strcmp(other, ".png") != 0;
    say_error("%s takes a name that ends in %s%s.png, not '%s'", o->name, two ? other : "",
              two ? " or " : "", QUOTE(value));
    return false;
}

// Two angles, "-53,23".
static bool parse_camera(const option *o, const char *text, options *out)
{
    char *middle;
    double azimuth = strtod(text, &middle);
    char *end = middle;
    double elevation = *middle == ',' ? strtod(middle + 1, &end) : NAN;
    if (middle == text || !(fabs(azimuth) <= 360) || !(fabs(elevation) < 90) || end == middle + 1 ||
        *end) {
        say_error("%s takes an azimuth and an elevation (less than 90) in degrees, such as -53,23, "
                  "not '%s'",
                  o->name, QUOTE(text));
        return false;
    }
    out->camera[0] = azimuth;
    out->camera[1] = elevation;
    return true;
}

static bool parse_gamma(const option *o, const char *text, double *gamma)
{
    char *end;
    *gamma = strtod(text, &end);
    if (end != text && !*end && *gamma > 0 && *gamma < 1)
        return true;
    say_error("%s takes a number between 0 and 1, such as 0.9, not '%s'", o->name, QUOTE(text));
    return false;
}

static bool take(const option *o, const char *value, options *out)
{
    switch (o->id) {
    case OPTION_OUT: out->out = value; return true;
    case OPTION_STEPS: return parse_count(o, value, MAX_STEPS, &out->steps);
    case OPTION_THREADS: return parse_count(o, value, MAX_THREADS, &out->threads);
    case OPTION_SET: out->set[out->nset++] = value; return true;
    case OPTION_DATA: out->data = value; return true;
    case OPTION_FIND: out->find[out->nfind++] = value; return true;
    case OPTION_JACOBIAN: out->jacobian = true; return true;
    case OPTION_OFFENDERS: out->offenders = value; return true;
    case OPTION_FILE: out->out = value; return true;
    case OPTION_REPORT: out->out = value; return true;
    case OPTION_PICTURE: return parse_picture(o, value, ".svg", &out->out);
    case OPTION_FRAMES: return parse_count(o, value, MAX_STEPS, &out->frames);
    case OPTION_SIZE: out->size = value; return true;
    case OPTION_MESH_UNIT: out->mesh_unit = value; return true;
    case OPTION_TIME_LIMIT: out->time_limit = value; return true;
    case OPTION_RECORD: out->record = value; return true;
    case OPTION_SNAPSHOT: return parse_picture(o, value, ".png", &out->snapshot);
    case OPTION_CAMERA: return parse_camera(o, value, out);
    case OPTION_FROM: return parse_from(o, value, out);
    case OPTION_REPLAY: out->replay = true; return parse_from(o, value, out);
    case OPTION_VIEW: out->view = true; return true;
    case OPTION_PORT: return parse_count(o, value, MAX_PORT, &out->port);
    case OPTION_ADDRESS: out->address = value; return true;
    case OPTION_PLANT: out->plant = value; return true;
    case OPTION_AGAINST: out->against[out->nagainst++] = value; return true;
    case OPTION_POSES: return parse_count(o, value, MAX_STEPS, &out->poses);
    case OPTION_GAMMA: return parse_gamma(o, value, &out->gamma);
    case OPTION_SETTLE: return parse_count(o, value, MAX_STEPS, &out->settle);
    case OPTION_JSON: out->json = true; return true;
    case OPTION_QUIET: out->quiet = true; return true;
    case OPTION_HELP: break;
    }
    return true;
}

// The value of an option: after '=', or the next word; "" for one that takes none. False, said,
// when it is missing or too much.
static bool find_value(const option *o, int argc, char **argv, int *i, const char **value)
{
    const char *equals = strchr(argv[*i], '=');
    *value = equals ? equals + 1 : "";
    if (!o->value && equals) {
        say_error("%s takes no value, but got '%s'", o->name, QUOTE(*value));
        return false;
    }
    if (!o->value || equals)
        return true;
    if (*i + 1 == argc) {
        say_error("%s needs a value: %s %s", o->name, o->name, o->value);
        return false;
    }
    *value = argv[++*i];
    return true;
}

static bool take_word(const command_line *line, const char *word, options *out)
{
    if (!out->scene && !out->from) {
        out->scene = word;
    } else if (line->takes_commands) {
        out->command[out->ncommand++] = word;
    } else {
        say_error("'lithe %s' takes one %s; '%s' is too much", line->name,
                  line->input ? "file" : "scene", QUOTE(word));
        return false;
    }
    return true;
}

typedef enum parse_end { PARSE_DONE, PARSE_HELP, PARSE_WRONG } parse_end;

static parse_end parse_words(const command_line *line, int argc, char **argv, options *out)
{
    bool only_words = false;
    for (int i = 0; i < argc; i++) {
        if (only_words || argv[i][0] != '-' || argv[i][1] == '\0') {
            if (!take_word(line, argv[i], out))
                return PARSE_WRONG;
            continue;
        }
        if (strcmp(argv[i], "--") == 0) {
            only_words = true;
            continue;
        }
        const option *o = find_option(line, argv[i]);
        const char *value;
        if (!o) {
            say_unknown(line, argv[i]);
            return PARSE_WRONG;
        }
        if (o->id == OPTION_HELP)
            return PARSE_HELP;
        if (!find_value(o, argc, argv, &i, &value) || !take(o, value, out))
            return PARSE_WRONG;
    }
    if (out->scene && out->from) {
        say_error("--%s takes the scene from the recording; leave '%s' out",
                  out->replay ? "replay" : "from", QUOTE(out->scene));
        return PARSE_WRONG;
    }
    if (out->from)
        out->scene = out->from;
    if (out->scene)
        return PARSE_DONE;
    say_error("'lithe %s' needs %s: lithe %s %s", line->name,
              line->input ? line->input : "a scene file", line->name, line->usage);
    return PARSE_WRONG;
}

bool options_parse(const command_line *line, int argc, char **argv, options *o, int *exit_status)
{
    size_t room = (size_t)argc + 1;
    *o = (options){.threads = 1, .camera = {-53, 23}};
    o->set = malloc(room * sizeof *o->set);
    o->find = malloc(room * sizeof *o->find);
    o->against = malloc(room * sizeof *o->against);
    o->command = malloc(room * sizeof *o->command);
    *exit_status = EXIT_MACHINE_FAILED;
    if (!o->set || !o->find || !o->command || !o->against) {
        say_error("out of memory for the command line");
        return false;
    }
    if (line->preset)
        o->set[o->nset++] = line->preset;
    parse_end end = parse_words(line, argc, argv, o);
    if (end == PARSE_HELP)
        print_help(line);
    if (o->quiet)
        say_quiet();
    *exit_status = end == PARSE_HELP ? say_flush_output(EXIT_DONE) : EXIT_BAD_INPUT;
    return end == PARSE_DONE;
}

void options_free(options *o)
{
    free(o->set);
    free(o->find);
    free(o->against);
    free(o->command);
    free(o->from_path);
}
