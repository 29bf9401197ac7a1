// Base64, as VTK's XML files hold binary numbers.
#ifndef MESH_BASE64_H
#define MESH_BASE64_H

#include <stddef.h>

// Decodes text until `want` bytes are there, the text ends or a character is none of base64 (blanks
// are passed over). Padding in the middle is legal: VTK may encode a header by itself. Gives the
// number of bytes written to out, which has room for `want`.
size_t base64_decode(const char *text, size_t size, unsigned char *out, size_t want);

#endif
