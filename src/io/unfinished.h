// Files and folders in the making. A signal that ends the program removes them on its way out.
#ifndef IO_UNFINISHED_H
#define IO_UNFINISHED_H

// Known by the name they were made with, until they are done or removed. What finds no room in the
// list is not removed.
void unfinished_add(const char *path);
void unfinished_drop(const char *path);

// Removes files, and folders with the files in them. Safe in a handler of signals.
void unfinished_remove_all(void);

#endif
