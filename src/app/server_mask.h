// Whether a browser masks its frames. RFC 6455 (5.1) wants a server to close whoever does not, and
// libwebsockets neither does nor tells. It reads from its sockets by recv, which server_mask.c
// stands before, looking at the heads of frames and changing nothing.
#ifndef APP_SERVER_MASK_H
#define APP_SERVER_MASK_H

#include <stdbool.h>

// A new connection has this descriptor.
void mask_begin(int fd);

// A frame without a mask has come.
bool mask_missing(int fd);

#endif
