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

/* What is declared with it is NULL in a program that was linked without the
   flag:  if (__heapprof_dump) __heapprof_dump(); */
#ifndef HEAPPROF_WEAK
#define HEAPPROF_WEAK __attribute__((weak))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Begins (ends) the profile: chunks allocated from now on are (are not) part
    of it.  One that is part of it is followed to its end, whenever that is.
    With HEAPPROF_OPTIONS=start=0 nothing is profiled before the first call. */
HEAPPROF_WEAK void __heapprof_start(void);
HEAPPROF_WEAK void __heapprof_stop(void);

/** Writes the profile from the beginning, or the last reset, until now into a
    directory of its own, heapprof.<program>.<pid>.<number>; the profile goes
    on.  Other threads that allocate wait meanwhile.  0: written; -1: not, for
    the reason given on stderr, or because the process is not profiled.  Not
    to be called by a handler of signals: use the option dump_signal. */
HEAPPROF_WEAK int __heapprof_dump(void);

/** Gives this moment a name, such as that of a phase which begins; it stands in
    the next dumps.  NAME is copied; the first 1024 marks of a profile are kept,
    and 119 bytes of a name. */
HEAPPROF_WEAK void __heapprof_mark(const char *name);

/** Forgets what was profiled: the profile begins now.  Chunks that are live
    are not part of it. */
HEAPPROF_WEAK void __heapprof_reset(void);

/** Counts one read (write) of the SIZE bytes at P, as if the program had made
    it in one access: for code that the compiler did not instrument, such as
    assembler.  P may be any address; SIZE 0 is no access. */
HEAPPROF_WEAK void __heapprof_record_read(const void *p, size_t size);
HEAPPROF_WEAK void __heapprof_record_write(const void *p, size_t size);

/** Says what the heap chunk that begins at P holds: any name, such as one of a
    pseudo type for a buffer ("parser text").  NAME is copied.  It takes the
    place of the type that the compiler found, for this chunk only, and a
    realloc keeps it. */
HEAPPROF_WEAK void __heapprof_set_type(const void *p, const char *name);

/** The same for a chunk of COUNT equal elements of that name. */
HEAPPROF_WEAK void __heapprof_set_array(const void *p, const char *name,
                                        size_t count);

/** Options of the program, in the syntax of HEAPPROF_OPTIONS, which overrides
    them.  A program may define it; the runtime calls it once, before any
    constructor, so it must only return a string literal. */
const char *__heapprof_default_options(void);

#ifdef __cplusplus
}
#endif
#endif
