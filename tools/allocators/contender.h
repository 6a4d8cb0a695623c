/* contender.h - an allocator with a setting: what is put into the environment of a run.
   From --with and --sweep to a list of these; nothing is started here.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CONTENDER_H
#define HP_CONTENDER_H

#include <stdbool.h>
#include <stddef.h>

#define HP_CONTENDERS_MAX 64u
#define HP_MISSING_MAX 16u

struct hp_contender {
  char *name;     /* "glibc", "jemalloc", ... or the library's file name */
  char *library;  /* to be preloaded; NULL: what the program has */
  char *knob;     /* NULL: as it is; "top_pad", "MALLOC_CONF" */
  char *value;    /* of KNOB, as it was given */
  char *variable; /* to be set, or NULL */
  char *content;  /* of VARIABLE: all of it */
};

struct hp_missing {
  const char *name, *file, *package;
};

/* The first is what all others are compared with: the program as it is. */
struct hp_contenders {
  struct hp_contender list[HP_CONTENDERS_MAX];
  size_t count;
  struct hp_missing missing[HP_MISSING_MAX];
  size_t missing_count;
};

/* NAMES: separated by commas; NULL: all that are known.  NULL, or why not. */
const char *hp_contenders_with(struct hp_contenders *contenders,
                               const char *names);

/* SWEEP: "top_pad=65536,1M": one contender for each value. */
const char *hp_contenders_sweep(struct hp_contenders *contenders,
                                const char *sweep);

/* "glibc", "glibc top_pad=64K". */
void hp_contender_label(const struct hp_contender *contender, char *text,
                        size_t size);

/* The line for the environment, "" for the program as it is. */
void hp_contender_environment(const struct hp_contender *contender, char *text,
                              size_t size);

#endif
