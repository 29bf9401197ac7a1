// Messages of a machine from arbitrary bytes, in all forms; the first byte says in which.
#include "io/wire.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static const wire_form *const forms[] = {&wire_line_form, &wire_json_form, &wire_osc_form};
    static wire_message m, again;
    static char bytes[WIRE_BYTES];
    if (size < 1)
        return 0;
    const wire_form *f = forms[data[0] % 3];
    if (!f->parse((const char *)data + 1, size - 1, &m))
        return 0;
    if (m.n < 0 || m.n > WIRE_NUMBERS || m.number < 0 || m.mode < 0 || m.mode > LITHE_GATE_STOP)
        abort();
    for (int i = 0; i < m.n; i++)
        if (isinf(m.value[i]))
            abort();
    size_t n = f->write(&m, bytes);
    bool line = f != &wire_osc_form; // whose last byte is an end of a line, and no part of it
    if (n > WIRE_BYTES ||
        (n > 0 && !f->parse(bytes, line && bytes[n - 1] == '\n' ? n - 1 : n, &again)))
        abort();
    return 0;
}
