// The page of the view: a whole HTML file, inside the program.
#ifndef APP_SERVER_PAGE_H
#define APP_SERVER_PAGE_H

#include <stddef.h>

extern const unsigned char server_page[]; // ended with 0
extern const size_t server_page_bytes;

#endif
