/* fuzz_options.c - libFuzzer target: any text as HEAPPROF_OPTIONS.
   What is behind a zero byte is the file that include= names.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file itself, for what it keeps from one call to the next. */
#include "options/option_path.c"
#include "options/options.c"
#include "system/error_text.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FILE_NUMBER = 7, MAPPINGS = 64 };

static jmp_buf refused;
static const char *environment;
static struct {
  const uint8_t *data;
  size_t size, at;
} file;

/* Of the exact size, so that a step beyond the end is seen. */
static void *mappings[MAPPINGS];
static size_t mapping_count;

static void require(bool good) {
  if (!good)
    abort();
}

/* ---- the system ---------------------------------------------------------- */

void *hp_sys_map(size_t size) {
  if (mapping_count == MAPPINGS)
    return NULL;
  return mappings[mapping_count++] = calloc(1, size);
}
int hp_sys_open(const char *path) {
  (void)path;
  file.at = 0;
  return file.data ? FILE_NUMBER : -2;
}
/* Not all at once, as a pipe gives it. */
long hp_sys_read(int fd, void *p, size_t n) {
  size_t left = file.size - file.at;
  require(fd == FILE_NUMBER);
  n = n < left ? n : left;
  n = n < 1000 ? n : 1000;
  if (n > 0)
    memcpy(p, file.data + file.at, n);
  file.at += n;
  return (long)n;
}
int hp_sys_close(int fd) {
  require(fd == FILE_NUMBER);
  return 0;
}
const char *hp_sys_getenv(const char *name) {
  if (strcmp(name, "HOME") == 0)
    return NULL;
  if (strcmp(name, "TMPDIR") == 0)
    return environment; /* any text, also a long one */
  require(strcmp(name, "HEAPPROF_OPTIONS") == 0);
  return environment;
}
int hp_sys_pid(void) { return 4194304; }
int hp_sys_mkdir(const char *path, unsigned mode) {
  require(*path && strlen(path) < HP_SYS_LOG_PATH && mode == 0755);
  return -EEXIST;
}
void *hp_real_memcpy(void *to, const void *from, size_t n) {
  return memcpy(to, from, n);
}
void hp_sys_apply_flags(const struct hp_sys_flags *flags) {
  require(flags != NULL);
}
void hp_sys_open_log(const char *path) {
  require(strlen(path) < HP_SYS_LOG_PATH);
}
void hp_sys_print(const char *text) { require(strlen(text) < SIZE_MAX); }

int hp_sys_format(char *buffer, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(buffer, size, format, arguments);
  va_end(arguments);
  return n;
}

/* A message is formatted whole, so that all it names is read. */
static void format_all(const char *format, va_list arguments) {
  char *text;
  require(vasprintf(&text, format, arguments) > 0);
  free(text);
}
void hp_sys_warn(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  format_all(format, arguments);
  va_end(arguments);
}
void hp_sys_die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  format_all(format, arguments);
  va_end(arguments);
  longjmp(refused, 1);
}

/* ---- the test ------------------------------------------------------------ */

static void require_within(struct range range, uint64_t value) {
  require(value >= range.least && value <= range.greatest);
}

static void require_ranges(void) {
  for (size_t i = 0; i < HP_COUNT_OF(options); i++) {
    const struct option *o = &options[i];
    struct range range = range_of(o);
    if (o->type == HP_TYPE_bool)
      require(*(const unsigned char *)o->value <= 1);
    if (o->type == HP_TYPE_int)
      require_within(range, (uint64_t)(int64_t)*(const int *)o->value);
    if (o->type == HP_TYPE_uint64)
      require_within(range, *(const uint64_t *)o->value);
    if (o->type == HP_TYPE_string)
      require(strlen(*(const char *const *)o->value) < SIZE_MAX);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct hp_options defaults;
  static bool begun;
  if (!begun)
    defaults = hp_options;
  begun = true;
  hp_options = defaults;
  memset(&unknown, 0, sizeof unknown);

  char *text = calloc(1, size + 1);
  require(text);
  if (size > 0)
    memcpy(text, data, size);
  const size_t length = strlen(text);
  file.data = length < size ? data + length + 1 : NULL;
  file.size = length < size ? size - length - 1 : 0;
  environment = text;
  if (!setjmp(refused)) {
    hp_options_parse();
    require_ranges();
  }
  while (mapping_count > 0)
    free(mappings[--mapping_count]);
  free(text);
  return 0;
}
