/* contender.c - see contender.h: names, libraries, knobs.
   The lists live as long as the command.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "contender.h"

#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- allocators -------------------------------------------------------------- */

struct known {
  const char *name, *package;
  const char *files[4];
  const char *variable_prefix; /* of its knobs */
};

static const struct known known[] = {
    {"glibc", "libc6", {NULL}, "GLIBC_TUNABLES"},
    {"jemalloc", "libjemalloc2", {"libjemalloc.so.2"}, "MALLOC_CONF"},
    {"tcmalloc",
     "libtcmalloc-minimal4",
     {"libtcmalloc_minimal.so.4", "libtcmalloc.so.4"},
     "TCMALLOC_"},
    {"mimalloc",
     "libmimalloc2.0",
     {"libmimalloc.so.2", "libmimalloc.so.2.0", "libmimalloc.so"},
     "MIMALLOC_"}};
#define KNOWN (sizeof known / sizeof *known)

static const char *const directories[] = {"/usr/local/lib",
#if defined(__x86_64__)
                                          "/usr/lib/x86_64-linux-gnu",
                                          "/lib/x86_64-linux-gnu",
#elif defined(__aarch64__)
                                          "/usr/lib/aarch64-linux-gnu",
                                          "/lib/aarch64-linux-gnu",
#endif
                                          "/usr/lib64", "/usr/lib"};

static char *copy(const char *text, size_t length) {
  char *made = strndup(text, length);
  if (!made)
    abort();
  return made;
}

static char *copy_all(const char *text) { return copy(text, strlen(text)); }

static bool readable_in(const char *directory, size_t length, const char *file,
                        char *path) {
  return length &&
         snprintf(path, PATH_MAX, "%.*s/%s", (int)length, directory, file) <
             PATH_MAX &&
         access(path, R_OK) == 0;
}

/* HEAPPROF_ALLOCATOR_PATH stands for all other directories. */
static bool find_file(const char *file, char *path) {
  const char *only = getenv("HEAPPROF_ALLOCATOR_PATH");
  const char *list = only ? only : getenv("LD_LIBRARY_PATH");
  while (list && *list) {
    size_t length = strcspn(list, ":");
    if (readable_in(list, length, file, path))
      return true;
    list += length + (list[length] == ':');
  }
  for (size_t i = 0; !only && i < sizeof directories / sizeof *directories; i++)
    if (readable_in(directories[i], strlen(directories[i]), file, path))
      return true;
  return false;
}

static bool find_library(const struct known *allocator, char *path) {
  for (size_t i = 0; i < 4 && allocator->files[i]; i++)
    if (find_file(allocator->files[i], path))
      return true;
  return false;
}

static const struct known *find_known(const char *name, size_t length) {
  for (size_t i = 0; i < KNOWN; i++)
    if (strlen(known[i].name) == length &&
        strncmp(known[i].name, name, length) == 0)
      return &known[i];
  return NULL;
}

/* ---- the list ------------------------------------------------------------------ */

static struct hp_contender *add(struct hp_contenders *contenders) {
  return contenders->count < HP_CONTENDERS_MAX
             ? &contenders->list[contenders->count++]
             : NULL;
}

static const char too_many[] = "more allocators and settings than 64";

static const char *add_known(struct hp_contenders *contenders,
                             const struct known *allocator) {
  char path[PATH_MAX];
  bool own = allocator->files[0] == NULL;
  for (size_t i = 0; i < contenders->count; i++)
    if (!contenders->list[i].knob &&
        strcmp(contenders->list[i].name, allocator->name) == 0)
      return NULL;
  if (!own && !find_library(allocator, path)) {
    if (contenders->missing_count < HP_MISSING_MAX)
      contenders->missing[contenders->missing_count++] = (struct hp_missing){
          allocator->name, allocator->files[0], allocator->package};
    return NULL;
  }
  struct hp_contender *contender = add(contenders);
  if (!contender)
    return too_many;
  contender->name = copy_all(allocator->name);
  contender->library = own ? NULL : copy_all(path);
  return NULL;
}

/* A path: any library that has malloc. */
static const char *add_library(struct hp_contenders *contenders,
                               const char *path, size_t length) {
  char name[PATH_MAX], absolute[PATH_MAX];
  if (snprintf(name, sizeof name, "%.*s", (int)length, path) >= PATH_MAX ||
      !realpath(name, absolute) || access(absolute, R_OK) != 0)
    return "its library cannot be read";
  if (strpbrk(absolute, ": "))
    return "LD_PRELOAD takes no path with a space or a colon";
  struct hp_contender *contender = add(contenders);
  if (!contender)
    return too_many;
  contender->name = copy_all(strrchr(name, '/') + 1);
  contender->library = copy_all(absolute);
  return NULL;
}

const char *hp_contenders_with(struct hp_contenders *contenders,
                               const char *names) {
  static char why[256];
  const char *problem = NULL;
  if (contenders->count == 0)
    problem = add_known(contenders, &known[0]);
  for (size_t i = 0; !names && !problem && i < KNOWN; i++)
    problem = add_known(contenders, &known[i]);
  while (names && *names && !problem) {
    size_t length = strcspn(names, ",");
    const struct known *allocator = find_known(names, length);
    if (allocator)
      problem = add_known(contenders, allocator);
    else if (memchr(names, '/', length))
      problem = add_library(contenders, names, length);
    else
      problem = "there is no such allocator: glibc, jemalloc, tcmalloc, "
                "mimalloc, or the path of a library";
    if (problem)
      snprintf(why, sizeof why, "'%.*s': %s", (int)length, names, problem);
    names += length + (names[length] == ',');
  }
  return problem ? why : NULL;
}

/* ---- knobs ---------------------------------------------------------------------- */

/* Of glibc.malloc.* those with one value that make a difference. */
static const char *const tunables[] = {
    "arena_max",      "arena_test",           "hugetlb",
    "mmap_max",       "mmap_threshold",       "mxfast",
    "tcache_count",   "tcache_max",           "top_pad",
    "trim_threshold", "tcache_unsorted_limit"};

static bool is_tunable(const char *name) {
  for (size_t i = 0; i < sizeof tunables / sizeof *tunables; i++)
    if (strcmp(tunables[i], name) == 0)
      return true;
  return false;
}

/* "64K" is 65536 where glibc wants a number. */
static bool plain_number(const char *text, char *number, size_t size) {
  static const char units[] = "KMG";
  char *end;
  unsigned long long value = strtoull(text, &end, 10);
  const char *unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
  unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
  if (!isdigit((unsigned char)*text) || end[unit != NULL] ||
      value > UINT64_MAX >> shift)
    return false;
  snprintf(number, size, "%llu", value << shift);
  return true;
}

/* What the environment has of VARIABLE stays, and ours comes behind it. */
static char *tunable_content(const char *name, const char *number) {
  const char *before = getenv("GLIBC_TUNABLES");
  char *text;
  if (asprintf(&text, "%s%sglibc.malloc.%s=%s", before ? before : "",
               before && *before ? ":" : "", name, number) < 0)
    abort();
  return text;
}

static bool is_variable(const char *name) {
  for (const char *c = name; *c; c++)
    if (!isupper((unsigned char)*c) && *c != '_' &&
        !(isdigit((unsigned char)*c) && c > name))
      return false;
  return *name != '\0';
}

/* Whose knob an environment variable is; of glibc if of no other. */
static const struct known *owner_of(const char *variable) {
  for (size_t i = 1; i < KNOWN; i++)
    if (strncmp(variable, known[i].variable_prefix,
                strlen(known[i].variable_prefix)) == 0)
      return &known[i];
  return &known[0];
}

static const char *add_setting(struct hp_contenders *contenders,
                               const struct known *owner, const char *knob,
                               const char *value) {
  char path[PATH_MAX], number[32];
  bool tunable = !is_variable(knob);
  if (tunable && !plain_number(value, number, sizeof number))
    return "its values must be numbers, such as 65536 or 64K";
  if (owner->files[0] && !find_library(owner, path))
    return NULL; /* it is among the missing */
  struct hp_contender *contender = add(contenders);
  if (!contender)
    return too_many;
  contender->name = copy_all(owner->name);
  contender->library = owner->files[0] ? copy_all(path) : NULL;
  contender->knob = copy_all(knob);
  contender->value = copy_all(value);
  contender->variable = copy_all(tunable ? "GLIBC_TUNABLES" : knob);
  contender->content =
      tunable ? tunable_content(knob, number) : copy_all(value);
  return NULL;
}

/* The next value of *LIST, up to a comma; "\," is a comma of the value. */
static bool next_value(const char **list, char *value, size_t size) {
  size_t used = 0;
  if (!**list)
    return false;
  while (**list && **list != ',') {
    if (**list == '\\' && (*list)[1] == ',')
      ++*list;
    if (used < size - 1)
      value[used++] = **list;
    ++*list;
  }
  value[used] = '\0';
  *list += **list == ',';
  return true;
}

const char *hp_contenders_sweep(struct hp_contenders *contenders,
                                const char *sweep) {
  static char why[256];
  char value[1024];
  size_t length = strcspn(sweep, "=");
  char *knob = copy(sweep, length);
  const char *prefix = "glibc.malloc.", *problem = NULL;
  const char *name =
      strncmp(knob, prefix, strlen(prefix)) == 0 ? knob + strlen(prefix) : knob;
  const struct known *owner = is_variable(name) ? owner_of(name) : &known[0];
  if (!sweep[length] || !sweep[length + 1])
    problem = "must be NAME=VALUE,VALUE...";
  else if (!is_variable(name) && !is_tunable(name))
    problem =
        "is neither a tunable of glibc.malloc nor an environment variable";
  if (!problem)
    problem = add_known(contenders, owner);
  const char *values = sweep + length + (sweep[length] == '=');
  while (!problem && next_value(&values, value, sizeof value))
    problem = add_setting(contenders, owner, name, value);
  if (problem)
    snprintf(why, sizeof why, "%s: %s", knob, problem);
  free(knob);
  return problem ? why : NULL;
}

/* ---- in words --------------------------------------------------------------------- */

void hp_contender_label(const struct hp_contender *contender, char *text,
                        size_t size) {
  snprintf(text, size, "%s%s%s%s%s", contender->name,
           contender->knob ? " " : "", contender->knob ? contender->knob : "",
           contender->knob ? "=" : "", contender->knob ? contender->value : "");
}

void hp_contender_environment(const struct hp_contender *contender, char *text,
                              size_t size) {
  snprintf(text, size, "%s%s%s%s%s%s", contender->library ? "LD_PRELOAD=" : "",
           contender->library ? contender->library : "",
           contender->library && contender->variable ? " " : "",
           contender->variable ? contender->variable : "",
           contender->variable ? "=" : "",
           contender->variable ? contender->content : "");
}
