/*===- sanitizer/heapprof_interface.h - the program's side of heapprof ----===//
   What a program may call when it is built with -fsanitize=heapprof.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef SANITIZER_HEAPPROF_INTERFACE_H
#define SANITIZER_HEAPPROF_INTERFACE_H

#include <stddef.h>

/* Put before a function whose heap accesses shall not be counted. */
#if defined(__clang__)
#define HEAPPROF_NO_INSTRUMENT                                                 \
  __attribute__((disable_sanitizer_instrumentation))
#else
#define HEAPPROF_NO_INSTRUMENT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Counts one read (write) of the SIZE bytes at P, as if the program had made
    it in one access: for code that the compiler did not instrument, such as
    assembler.  P may be any address; SIZE 0 is no access. */
void __heapprof_record_read(const void *p, size_t size);
void __heapprof_record_write(const void *p, size_t size);

/** Says what the heap chunk that begins at P holds: any name, such as one of a
    pseudo type for a buffer ("parser text").  NAME is copied.  It takes the
    place of the type that the compiler found, for this chunk only, and a
    realloc keeps it. */
void __heapprof_set_type(const void *p, const char *name);

/** The same for a chunk of COUNT equal elements of that name. */
void __heapprof_set_array(const void *p, const char *name, size_t count);

/** Options of the program, in the syntax of HEAPPROF_OPTIONS, which overrides
    them.  A program may define it; the runtime calls it once, before any
    constructor, so it must only return a string literal. */
const char *__heapprof_default_options(void);

#ifdef __cplusplus
}
#endif
#endif
