// Files that are files: no pipe that would be waited for, no device.
#ifndef BASE_PLAIN_FILE_H
#define BASE_PLAIN_FILE_H

#include <stdio.h>

// To read. NULL: errno says why; EINVAL: it is no regular file.
FILE *plain_file_read(const char *path);

// To write anew; what has the name, a link too, is removed first and not followed.
FILE *plain_file_write(const char *path);

// To read and write, made if it is not there; a link is not followed.
FILE *plain_file_update(const char *path);

#endif
