// The page, as viewer/build makes it, inside the program.
#include "app/server_page.h"

__asm__(".section .rodata\n"
        ".global server_page\n"
        ".balign 16\n"
        "server_page:\n"
        ".incbin \"" VIEWER_PAGE "\"\n"
        "server_page_end:\n"
        ".byte 0\n"
        ".balign 8\n"
        ".global server_page_bytes\n"
        "server_page_bytes:\n"
        ".quad server_page_end - server_page\n"
        ".previous\n");
