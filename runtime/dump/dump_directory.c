/* dump_directory.c - expands dump_dir, makes it, finds a free name in it.
   A pid used again gets -2, -3, ...: mkdir decides, so that none can clash.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/dump_directory.h"

#include <errno.h>

#include "encode/dump_failure.h"
#include "encode/encode.h"
#include "options/option_path.h"
#include "options/options.h"
#include "system/clock.h"
#include "system/files.h"
#include "system/message.h"
#include "system/process_facts.h"

#define MAX_SUFFIX 9999
#define MAX_BASENAME 200 /* bytes; NAME_MAX less prefix, pid and suffix */

static void add_basename(struct hp_option_path *path, const char *program) {
  const char *base = program;
  for (const char *p = program; *p; p++)
    if (*p == '/' && p[1])
      base = p + 1;
  size_t length = hp_text_size(base);
  hp_option_path_add(path, base, length < MAX_BASENAME ? length : MAX_BASENAME);
}

/* Empty if it was gone already, or its name is too long. */
static char start_directory[4096];

void hp_dump_directory_start(void) {
  if (!hp_sys_working_directory(start_directory, sizeof start_directory))
    start_directory[0] = '\0';
}

const char *hp_mpi_rank(void) {
  static const char *const variables[] = {
      "OMPI_COMM_WORLD_RANK", "PMIX_RANK",    "PMI_RANK",       "PMI_ID",
      "MV2_COMM_WORLD_RANK",  "SLURM_PROCID", "FLUX_TASK_RANK", "PALS_RANKID",
      "ALPS_APP_PE",
  };
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *rank = hp_sys_getenv(variables[i]);
    if (rank && *rank)
      return rank;
  }
  return NULL;
}

/* What "%LETTER" stands for; false if nothing. */
static bool add_expansion(struct hp_option_path *path, char letter,
                          const char *program) {
  char host[256];
  const char *value;
  switch (letter) {
  case 's':
    hp_option_path_add_number(path, hp_clock_start_unix_ns() / 1000000000u);
    return true;
  case 'b':
    add_basename(path, program);
    return true;
  case 'h':
    if (!hp_sys_hostname(host, sizeof host))
      return false;
    hp_option_path_add_text(path, host);
    return true;
  case 'r':
    value = hp_mpi_rank();
    hp_option_path_add_text(path, value ? value : "none");
    return true;
  default:
    return hp_option_path_expand(path, letter);
  }
}

static bool expand(struct hp_option_path *path, const char *pattern,
                   const char *program) {
  bool absolute =
      pattern[0] == '/' ||
      (pattern[0] == '%' && (pattern[1] == 'H' || pattern[1] == 't'));
  if (!absolute && start_directory[0]) {
    hp_option_path_add_text(path, start_directory);
    hp_option_path_add_text(path, "/");
  }
  for (const char *p = pattern; *p; p++) {
    if (*p != '%') {
      hp_option_path_add(path, p, 1);
    } else if (!add_expansion(path, *++p, program)) {
      const char letter[] = {*p, '\0'};
      hp_sys_warn("cannot write the dump: %s%s: %%%s stands for nothing "
                  "here; use %%p %%b %%h %%r %%H %%t %%s, or %%%% for a "
                  "percent sign",
                  hp_options.dump_dir_setting, pattern, letter);
      return false;
    }
  }
  while (path->length > 1 && path->text[path->length - 1] == '/')
    path->text[--path->length] = '\0';
  if (path->length == 0)
    hp_option_path_add_text(path, ".");
  return true;
}

bool hp_dump_directory_make(char *text, size_t size, const char *pattern,
                            const char *program, uint32_t number) {
  struct hp_option_path path = {.text = text, .size = size};
  if (!expand(&path, pattern, program))
    return false;
  size_t parent = path.length;
  hp_option_path_add_text(&path, "/heapprof.");
  add_basename(&path, program);
  hp_option_path_add_text(&path, ".");
  hp_option_path_add_number(&path, (uint64_t)hp_sys_pid());
  if (number) {
    hp_option_path_add_text(&path, ".");
    hp_option_path_add_number(&path, number);
  }
  size_t stem = path.length;
  if (path.too_long) {
    hp_dump_say_failure(text, -ENAMETOOLONG);
    return false;
  }
  int error = hp_sys_mkdir(text, 0700);
  if (error == -ENOENT) {
    error = hp_option_path_make(text, parent);
    if (error == 0)
      error = hp_sys_mkdir(text, 0700);
  }
  for (unsigned suffix = 2; error == -EEXIST && suffix <= MAX_SUFFIX;
       suffix++) {
    path.length = stem;
    hp_option_path_add_text(&path, "-");
    hp_option_path_add_number(&path, suffix);
    if (path.too_long)
      error = -ENAMETOOLONG;
    else
      error = hp_sys_mkdir(text, 0700);
  }
  if (error < 0)
    hp_dump_say_failure(text, error);
  return error == 0;
}
