// Comes before every *.kernel.c file, by the build: KERNEL(name) is the name with the instruction
// set behind it, so that the copies compiled for different instruction sets can be linked together.
#ifndef BASE_KERNEL_H
#define BASE_KERNEL_H

#define KERNEL_JOIN(name, isa)   name##_##isa
#define KERNEL_EXPAND(name, isa) KERNEL_JOIN(name, isa)
#define KERNEL(name)             KERNEL_EXPAND(name, KERNEL_ISA)

#endif
