/* run_settings.h - what heapprof-run is asked for, and the environment that
   says it to the runtime: HEAPPROF_OPTIONS and LD_PRELOAD.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_RUN_SETTINGS_H
#define HP_RUN_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

struct hp_run_settings {
  bool report, quiet;
  char *options;    /* "name='value':..." of the command line, or NULL */
  const char *only; /* NAMES of --only, or NULL */
};

/* Adds NAME=VALUE to the options; false if VALUE cannot be written there, as it
   holds both kinds of quotes. */
bool hp_run_add_option(struct hp_run_settings *settings, const char *name,
                       const char *value);

/* The same, ahead of those of the command line. */
bool hp_run_add_first(struct hp_run_settings *settings, const char *name,
                      const char *value);

/* The whole HEAPPROF_OPTIONS: dumps in the working directory, whatever that of
   a child is, then INHERITED, which may be NULL, then the command line's.  FAILURES, the
   file of this run or NULL, stands ahead of what may be wrong in INHERITED. */
char *hp_run_join_options(const struct hp_run_settings *settings,
                          const char *failures, const char *inherited);

/* The value of dump_dir in OPTIONS, as the runtime reads them: the last one.
   False if there is none, or if it stands for a name that is not known yet. */
bool hp_run_dump_dir(const char *options, char *directory, size_t size);

/* LIBRARY ahead of INHERITED, which may be NULL or have it already. */
char *hp_run_join_preload(const char *library, const char *inherited);

#endif
