// Messages in their three forms: what is written is read, and what is damaged is not.
#define _GNU_SOURCE // for pseudo-terminals
#include "io/wire_transport.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

static const wire_form *const FORMS[] = {&wire_line_form, &wire_json_form, &wire_osc_form};
enum { NFORM = 3 };

static wire_message order(void)
{
    return (wire_message){.number = 12,
                          .time = 345678,
                          .mode = LITHE_GATE_HOLD,
                          .echo = -1,
                          .echo_time = -1,
                          .n = 3,
                          .value = {0.1, -1e-300, 123456789.125}};
}

static wire_message reading(void)
{
    return (wire_message){.reading = true,
                          .number = INT32_MAX,
                          .time = INT64_MAX,
                          .echo = 7,
                          .echo_time = 0,
                          .n = 2,
                          .value = {NAN, 1.0 / 3}};
}

static void assert_same(const wire_message *a, const wire_message *b)
{
    assert_int_equal(a->reading, b->reading);
    assert_int_equal(a->number, b->number);
    assert_true(a->time == b->time && a->echo == b->echo && a->echo_time == b->echo_time);
    assert_int_equal(a->n, b->n);
    if (!a->reading)
        assert_int_equal(a->mode, b->mode);
    for (int i = 0; i < a->n; i++)
        assert_true(a->value[i] == b->value[i] || (isnan(a->value[i]) && isnan(b->value[i])));
}

static size_t chop(const char *bytes, size_t n)
{
    return n > 0 && bytes[n - 1] == '\n' ? n - 1 : n; // as a stream takes lines
}

static void what_is_written_is_read_to_the_bit(void **state)
{
    (void)state;
    for (int f = 0; f < NFORM; f++)
        for (int k = 0; k < 2; k++) {
            wire_message m = k ? reading() : order(), back;
            char bytes[WIRE_BYTES];
            size_t n = FORMS[f]->write(&m, bytes);
            assert_true(n > 0 && FORMS[f]->parse(bytes, chop(bytes, n), &back));
            assert_same(&m, &back);
        }
}

static void a_full_message_fits(void **state)
{
    (void)state;
    for (int f = 0; f < NFORM; f++) {
        wire_message m = reading(), back;
        char bytes[WIRE_BYTES];
        m.n = WIRE_NUMBERS;
        for (int i = 0; i < m.n; i++)
            m.value[i] = -1.2345678901234567e-300 * (i + 1);
        size_t n = FORMS[f]->write(&m, bytes);
        assert_true(n > 0 && n <= WIRE_BYTES && FORMS[f]->parse(bytes, chop(bytes, n), &back));
        assert_same(&m, &back);
    }
}

// Whatever is cut short is none; of a line, whatever is changed.
static void what_is_damaged_is_not_read(void **state)
{
    (void)state;
    for (int f = 0; f < NFORM; f++) {
        wire_message m = reading(), back;
        char bytes[WIRE_BYTES];
        size_t n = chop(bytes, FORMS[f]->write(&m, bytes));
        for (size_t cut = 0; cut < n - 1; cut++)
            assert_false(FORMS[f]->parse(bytes, cut, &back));
        for (size_t i = 0; i < n && FORMS[f] == &wire_line_form; i++) {
            bytes[i] ^= 4;
            assert_false(FORMS[f]->parse(bytes, n - 1, &back));
            bytes[i] ^= 4;
        }
    }
}

static bool reads(const wire_form *f, const char *text)
{
    wire_message m;
    return f->parse(text, strlen(text), &m);
}

static void json_is_read_as_people_write_it(void **state)
{
    (void)state;
    const wire_form *f = &wire_json_form;
    wire_message m;
    const char *loose = " { \"value\" : [ 1 , null,2e1 ] ,\"note\": \"hello\", \"reading\" : 3 } ";
    assert_true(f->parse(loose, strlen(loose), &m));
    assert_true(m.reading && m.number == 3 && m.n == 3 && m.time == -1 && m.echo == -1);
    assert_true(m.value[0] == 1 && isnan(m.value[1]) && m.value[2] == 20);
    static const char *const wrong[] = {
        "",
        "{}",
        "[]",
        "{\"reading\":1}",
        "{\"value\":[1]}",
        "{\"reading\":-1,\"value\":[1]}",
        "{\"reading\":1.5,\"value\":[1]}",
        "{\"reading\":1,\"value\":[1}",
        "{\"reading\":1,\"value\":[1]",
        "{\"reading\":1,\"value\":[1],}",
        "{\"reading\":1,\"value\":[inf]}",
        "{\"reading\":1,\"value\":[0x10]}",
        "{\"reading\":1,\"value\":[1e999]}",
        "{\"reading\":1,\"reading\":2,\"value\":[1]}",
        "{\"reading\":1,\"value\":[1],\"value\":[2]}",
        "{\"reading\":1,\"value\":[1],\"x\":{}}",
        "{\"order\":1,\"mode\":\"fast\",\"value\":[1]}",
        "{\"reading\":1,\"value\":[1]} x",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (reads(f, wrong[i]))
            fail_msg("%s was read", wrong[i]);
}

static void osc_numbers_may_be_of_any_type(void **state)
{
    (void)state;
    static const char bytes[] = "/lithe/reading\0\0"
                                ",iiiifhNd\0\0\0"
                                "\0\0\0\5\0\0\0\6\0\0\0\7\0\0\0\10"
                                "\77\200\0\0" // 1.0f
                                "\0\0\0\0\0\0\0\11"
                                "\100\0\0\0\0\0\0\0"; // 2.0
    wire_message m;
    assert_true(wire_osc_form.parse(bytes, sizeof bytes - 1, &m));
    assert_true(m.number == 5 && m.time == 6 && m.echo == 7 && m.echo_time == 8 && m.n == 4);
    assert_true(m.value[0] == 1 && m.value[1] == 9 && isnan(m.value[2]) && m.value[3] == 2);
    char bundle[128] = "#bundle\0\0\0\0\0\0\0\0\1";
    bundle[19] = sizeof bytes - 1;
    memcpy(bundle + 20, bytes, sizeof bytes - 1);
    assert_true(wire_osc_form.parse(bundle, 20 + sizeof bytes - 1, &m));
    bundle[16] = 127; // longer than it is
    assert_false(wire_osc_form.parse(bundle, 20 + sizeof bytes - 1, &m));
}

static int open_port(const char *address, int *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = inet_addr(address)};
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    assert_true(fd >= 0 && bind(fd, (struct sockaddr *)&at, size) == 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
    *port = ntohs(at.sin_port);
    return fd;
}

// Whoever else sends to that port, the machine's own readings are heard in the same cycle.
static void strangers_do_not_come_between(void **state)
{
    (void)state;
    lithe_wire_def def = {.transport = LITHE_UDP, .address = "127.0.0.1"};
    lithe_report report = lithe_report_default();
    wire_message one = {
        .reading = true, .number = 7, .time = 1, .echo = -1, .echo_time = -1, .n = 1};
    wire_message found = {.n = 0};
    char bytes[WIRE_BYTES];
    wire *w;
    int port, machine = open_port("127.0.0.1", &def.port), stranger = open_port("127.0.0.2", &port);
    close(open_port("127.0.0.1", &def.reply));
    assert_int_equal(wire_open(&def, false, &w, &report), LITHE_OK);
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_addr.s_addr = inet_addr("127.0.0.1"),
                             .sin_port = htons((uint16_t)def.reply)};
    for (int k = 0; k < 11; k++) {
        one.value[0] = k == 10 ? 2 : 1;
        size_t n = wire_osc_form.write(&one, bytes);
        assert_true(sendto(k == 10 ? machine : stranger, bytes, n, 0, (struct sockaddr *)&to,
                           sizeof to) == (ssize_t)n);
    }
    int nonsense = 0;
    wire_event event;
    while ((event = wire_receive(w, &found)) == WIRE_NONSENSE)
        nonsense++;
    assert_int_equal(event, WIRE_MESSAGE);
    assert_true(nonsense == 10 && found.number == 7 && found.value[0] == 2);
    assert_int_equal(wire_receive(w, &found), WIRE_NOTHING);
    wire_close(w);
    close(machine);
    close(stranger);
}

// A pseudo-terminal, of which the program's side is opened as a serial port.
static wire *open_terminal(lithe_wire_def *def, int *machine)
{
    lithe_report report = lithe_report_default();
    wire *w;
    *machine = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(*machine >= 0 && grantpt(*machine) == 0 && unlockpt(*machine) == 0);
    *def = (lithe_wire_def){.transport = LITHE_SERIAL, .device = ptsname(*machine), .baud = 115200};
    if (wire_open(def, false, &w, &report) != LITHE_OK)
        fail_msg("%s", report.error);
    return w;
}

static void a_serial_port_that_is_full_is_not_lost(void **state)
{
    (void)state;
    lithe_wire_def def;
    int machine;
    wire *w = open_terminal(&def, &machine);
    wire_message one = order(), found;
    int sent = 0;
    while (wire_send(w, &one) && sent < 100000)
        sent++;
    assert_true(sent > 10 && sent < 100000); // whoever is there does not read
    for (int k = 0; k < 10; k++) {
        assert_false(wire_send(w, &one));
        assert_int_equal(wire_receive(w, &found), WIRE_NOTHING);
    }
    wire_close(w);
    close(machine);
}

static void a_serial_port_is_opened_once(void **state)
{
    (void)state;
    lithe_wire_def def;
    lithe_report report = lithe_report_default();
    int machine;
    wire *w = open_terminal(&def, &machine), *second;
    assert_int_equal(wire_open(&def, false, &second, &report), LITHE_INVALID);
    assert_non_null(strstr(report.error, "cannot open the serial port"));
    assert_non_null(strstr(report.error, "busy"));
    wire_close(w);
    assert_int_equal(wire_open(&def, false, &w, &report), LITHE_OK);
    wire_close(w);
    close(machine);
}

// It has nothing to read, as one to which nobody speaks, but its other end is gone for good.
static void a_serial_port_that_was_unplugged_is_lost(void **state)
{
    (void)state;
    static wire w;
    lithe_wire_def def = {.transport = LITHE_SERIAL};
    wire_message found;
    int end[2];
    assert_int_equal(pipe(end), 0);
    w = (wire){.def = &def, .transport = &wire_serial, .fd = end[0], .listener = -1};
    assert_int_equal(fcntl(end[0], F_SETFL, O_NONBLOCK), 0);
    assert_int_equal(wire_receive(&w, &found), WIRE_NOTHING);
    close(end[1]);
    assert_int_equal(wire_receive(&w, &found), WIRE_GONE);
    close(end[0]);
}

// As bytes come at another speed than they were sent: seldom with the end of a line among them.
static void bytes_without_an_end_are_told_once(void **state)
{
    (void)state;
    lithe_wire_def def;
    int machine, nonsense = 0, messages = 0;
    wire *w = open_terminal(&def, &machine);
    wire_message one = reading(), found;
    char noise[1000], bytes[WIRE_BYTES];
    memset(noise, 'x', sizeof noise);
    for (int k = 0; k < 21; k++) {
        size_t n = wire_line_form.write(&one, bytes);
        if (k < 20)
            assert_int_equal(write(machine, noise, sizeof noise), sizeof noise);
        else // the end of that line, and a good one
            assert_true(write(machine, "\n", 1) == 1 && write(machine, bytes, n) == (ssize_t)n);
        for (int i = 0; i < 10; i++) {
            wire_event event = wire_receive(w, &found);
            nonsense += event == WIRE_NONSENSE;
            messages += event == WIRE_MESSAGE;
        }
    }
    assert_true(nonsense == 1 && messages == 1);
    wire_close(w);
    close(machine);
}

// A serial port brings bytes as they come.
static void lines_may_come_in_pieces(void **state)
{
    (void)state;
    lithe_wire_def def;
    int machine;
    wire *w = open_terminal(&def, &machine);
    wire_message one = reading(), found;
    char bytes[WIRE_BYTES];
    size_t n = wire_line_form.write(&one, bytes);
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(write(machine, bytes + i, 1), 1);
            wire_event event = wire_receive(w, &found);
            assert_int_equal(event, i + 1 == n ? WIRE_MESSAGE : WIRE_NOTHING);
        }
    assert_same(&one, &found);
    wire_close(w);
    close(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_to_the_bit),
        cmocka_unit_test(a_full_message_fits),
        cmocka_unit_test(what_is_damaged_is_not_read),
        cmocka_unit_test(json_is_read_as_people_write_it),
        cmocka_unit_test(osc_numbers_may_be_of_any_type),
        cmocka_unit_test(strangers_do_not_come_between),
        cmocka_unit_test(a_serial_port_that_is_full_is_not_lost),
        cmocka_unit_test(a_serial_port_is_opened_once),
        cmocka_unit_test(a_serial_port_that_was_unplugged_is_lost),
        cmocka_unit_test(bytes_without_an_end_are_told_once),
        cmocka_unit_test(lines_may_come_in_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
