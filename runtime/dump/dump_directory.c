/* dump_directory.c - expands dump_dir, makes it, finds a free name in it.
   A pid used again gets -2, -3, ...: mkdir decides, so that none can clash.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/dump_directory.h"

#include <errno.h>

#include "encode/dump_failure.h"
#include "encode/encode.h"
#include "options/options.h"
#include "system/clock.h"
#include "system/files.h"
#include "system/message.h"
#include "system/process_facts.h"
#include "system/real_libc.h"

#define MAX_SUFFIX 9999
#define MAX_BASENAME 200 /* bytes; NAME_MAX less prefix, pid and suffix */

/* A path being put together; what does not fit is remembered. */
struct path {
  char *text;
  size_t length, size;
  bool too_long;
};

static void add(struct path *path, const char *text, size_t length) {
  if (length >= path->size - path->length) {
    path->too_long = true;
    length = path->size - path->length - 1;
  }
  hp_real_memcpy(path->text + path->length, text, length);
  path->length += length;
  path->text[path->length] = '\0';
}

static void add_text(struct path *path, const char *text) {
  add(path, text, hp_text_size(text));
}

static void add_number(struct path *path, uint64_t number) {
  char digits[24];
  hp_sys_format(digits, sizeof digits, "%llu", (unsigned long long)number);
  add_text(path, digits);
}

static void add_basename(struct path *path, const char *program) {
  const char *base = program;
  for (const char *p = program; *p; p++)
    if (*p == '/' && p[1])
      base = p + 1;
  size_t length = hp_text_size(base);
  add(path, base, length < MAX_BASENAME ? length : MAX_BASENAME);
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
static bool add_expansion(struct path *path, char letter, const char *program) {
  char host[256];
  const char *value;
  switch (letter) {
  case '%':
    add_text(path, "%");
    return true;
  case 'p':
    add_number(path, (uint64_t)hp_sys_pid());
    return true;
  case 's':
    add_number(path, hp_clock_start_unix_ns() / 1000000000u);
    return true;
  case 'b':
    add_basename(path, program);
    return true;
  case 'h':
    if (!hp_sys_hostname(host, sizeof host))
      return false;
    add_text(path, host);
    return true;
  case 'r':
    value = hp_mpi_rank();
    add_text(path, value ? value : "none");
    return true;
  case 'H':
    value = hp_sys_getenv("HOME");
    break;
  case 't':
    value = hp_sys_getenv("TMPDIR");
    value = value && *value ? value : "/tmp";
    break;
  default:
    return false;
  }
  if (!value)
    return false;
  add_text(path, value);
  return true;
}

static bool expand(struct path *path, const char *pattern,
                   const char *program) {
  bool absolute =
      pattern[0] == '/' ||
      (pattern[0] == '%' && (pattern[1] == 'H' || pattern[1] == 't'));
  if (!absolute && start_directory[0]) {
    add_text(path, start_directory);
    add_text(path, "/");
  }
  for (const char *p = pattern; *p; p++) {
    if (*p != '%') {
      add(path, p, 1);
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
    add_text(path, ".");
  return true;
}

/* Makes every missing directory on the way to PATH[0..LENGTH), which included.
   One that exists answers EEXIST whatever its permissions are; where the last
   cannot be made, the first other answer is the reason. */
static int make_parents(char *path, size_t length) {
  int error = 0, reason = 0;
  for (size_t i = 1; i <= length; i++) {
    if (i != length && path[i] != '/')
      continue;
    char cut = path[i];
    path[i] = '\0';
    error = hp_sys_mkdir(path, 0755);
    path[i] = cut;
    if (error != 0 && error != -EEXIST && reason == 0)
      reason = error;
  }
  return error == 0 || error == -EEXIST ? 0 : reason;
}

bool hp_dump_directory_make(char *text, size_t size, const char *pattern,
                            const char *program, uint32_t number) {
  struct path path = {.text = text, .size = size};
  if (!expand(&path, pattern, program))
    return false;
  size_t parent = path.length;
  add_text(&path, "/heapprof.");
  add_basename(&path, program);
  add_text(&path, ".");
  add_number(&path, (uint64_t)hp_sys_pid());
  if (number) {
    add_text(&path, ".");
    add_number(&path, number);
  }
  size_t stem = path.length;
  if (path.too_long) {
    hp_dump_say_failure(text, -ENAMETOOLONG);
    return false;
  }
  int error = hp_sys_mkdir(text, 0700);
  if (error == -ENOENT) {
    error = make_parents(text, parent);
    if (error == 0)
      error = hp_sys_mkdir(text, 0700);
  }
  for (unsigned suffix = 2; error == -EEXIST && suffix <= MAX_SUFFIX;
       suffix++) {
    path.length = stem;
    add_text(&path, "-");
    add_number(&path, suffix);
    if (path.too_long)
      error = -ENAMETOOLONG;
    else
      error = hp_sys_mkdir(text, 0700);
  }
  if (error < 0)
    hp_dump_say_failure(text, error);
  return error == 0;
}
