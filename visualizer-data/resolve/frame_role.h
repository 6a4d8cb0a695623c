/* frame_role.h - what a frame's names say of its code: allocator, library, ...
   Asked once for each place in the code; every point that passes it has it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FRAME_ROLE_H
#define HP_FRAME_ROLE_H

#include "heapprof.h"

enum hp_frame_role {
  HP_ROLE_KNOWN = 1,        /* the others were found out */
  HP_ROLE_ALLOCATOR = 2,    /* left out of the stack's leaf end */
  HP_ROLE_PLUMBING = 4,     /* the C++ standard library */
  HP_ROLE_SYSTEM = 8,       /* the C library and the dynamic linker */
  HP_ROLE_START = 16,       /* before main, or around it */
  HP_ROLE_CPP_LIBRARY = 32, /* the C++ library as a shared object */
  HP_ROLE_SORT = 64,        /* inside a sort of the C++ library */
  HP_ROLE_COUNTED = 128,    /* has no hooks, but what it accesses is counted */
  HP_ROLE_HEADER = 256,     /* libc's, in a header, inlined into its caller */
  HP_ROLE_INSTALLED = 512,  /* a library of the system, which others build */
  HP_ROLE_OPENMP =
      1024, /* what runs parallel regions, between these and who has them */
  HP_ROLE_RUNTIME = 2048, /* ours, between the program and the C library */
  HP_ROLE_INCLUDED =
      4096 /* of a header of another library, which is compiled with it */
};

/* FRAME's own, or else by its names. */
unsigned hp_frame_roles(const struct hp_frame *frame);

/* Neither the allocator's nor a library's nor start-up code. */
static inline bool hp_frame_is_of_program(const struct hp_frame *frame) {
  return !(hp_frame_roles(frame) &
           ~(unsigned)(HP_ROLE_KNOWN | HP_ROLE_SORT | HP_ROLE_INSTALLED |
                       HP_ROLE_INCLUDED));
}

/* In a header of a library that is compiled with the program. */
static inline bool hp_frame_is_included(const struct hp_frame *frame) {
  return hp_frame_roles(frame) & HP_ROLE_INCLUDED;
}

#endif
