// The view's messages from arbitrary bytes.
#include "io/message.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    message m;
    if (!message_parse(data, size, &m))
        return 0;
    for (int i = 0; i < 3; i++)
        if (!isfinite(m.value[i]))
            abort();
    if (size != MESSAGE_BYTES || m.kind > 1 || m.type < MESSAGE_DRIVE || m.type > MESSAGE_BODY)
        abort();
    return 0;
}
