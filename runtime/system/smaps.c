/* smaps.c - see smaps.h: a line names a range, and those behind it, which begin
   with a capital, say something of it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/smaps.h"

#include "system/files.h"
#include "system/real_libc.h"

#define LINE_MAX ((size_t)8 << 10) /* what is longer is a path */

static char text[LINE_MAX];

static bool begins_with(const char *line, const char *what) {
  while (*what)
    if (*line++ != *what++)
      return false;
  return true;
}

static uintptr_t take_hex(const char **at) {
  uintptr_t value = 0;
  for (;; ++*at) {
    const char c = **at;
    if (c >= '0' && c <= '9')
      value = value * 16 + (uintptr_t)(c - '0');
    else if (c >= 'a' && c <= 'f')
      value = value * 16 + (uintptr_t)(c - 'a' + 10);
    else
      return value;
  }
}

/* "NAME:   NUMBER kB" */
static uint64_t bytes_of(const char *line) {
  uint64_t value = 0;
  while (*line && (*line < '0' || *line > '9'))
    line++;
  for (; *line >= '0' && *line <= '9'; line++)
    value = value * 10 + (uint64_t)(*line - '0');
  return value * 1024;
}

/* What is behind the fifth column. */
static const char *name_of(const char *line) {
  for (unsigned column = 0; column < 5; column++) {
    while (*line && *line != ' ')
      line++;
    while (*line == ' ')
      line++;
  }
  return line;
}

static enum hp_smaps_kind kind_of(const char *name) {
  static const struct {
    const char *begin;
    enum hp_smaps_kind kind;
  } kinds[] = {{"[stack", HP_SMAPS_STACK},
               {"[heap", HP_SMAPS_BREAK},
               {"[anon", HP_SMAPS_ANONYMOUS},
               {"[", HP_SMAPS_KERNEL},
               {"/dev/zero", HP_SMAPS_ANONYMOUS},
               {"/dev/shm/", HP_SMAPS_ANONYMOUS},
               {"/memfd:", HP_SMAPS_ANONYMOUS},
               {"/SYSV", HP_SMAPS_ANONYMOUS},
               {"/anon_hugepage", HP_SMAPS_ANONYMOUS}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (begins_with(name, kinds[i].begin))
      return kinds[i].kind;
  return *name ? HP_SMAPS_FILE : HP_SMAPS_ANONYMOUS;
}

/* "BEGIN-END rwxp OFFSET DEVICE INODE   NAME" */
static struct hp_smaps_range range_of(const char *line) {
  struct hp_smaps_range range = {.kind = kind_of(name_of(line))};
  range.begin = take_hex(&line);
  line += *line == '-';
  range.end = take_hex(&line);
  range.is_writable = line[0] == ' ' && line[1] && line[2] == 'w';
  return range;
}

static void take_line(const char *line, struct hp_smaps_range *range,
                      void (*each)(const struct hp_smaps_range *, void *),
                      void *arg) {
  if (*line < 'A' || *line > 'Z') {
    if (range->end)
      each(range, arg);
    *range = range_of(line);
  } else if (begins_with(line, "Rss:")) {
    range->resident = bytes_of(line);
  } else if (begins_with(line, "Shared_")) {
    range->shared += bytes_of(line);
  }
}

bool hp_smaps_each(void (*each)(const struct hp_smaps_range *range, void *arg),
                   void *arg) {
  const int fd = hp_sys_open("/proc/self/smaps");
  if (fd < 0)
    return false;
  struct hp_smaps_range range = {0};
  size_t filled = 0;
  bool is_rest = false; /* of a line that is longer */
  long n;
  while ((n = hp_sys_read(fd, text + filled, sizeof text - 1 - filled)) > 0) {
    size_t begin = 0;
    filled += (size_t)n;
    for (size_t i = 0; i < filled; i++) {
      if (text[i] != '\n')
        continue;
      text[i] = 0;
      if (!is_rest)
        take_line(text + begin, &range, each, arg);
      is_rest = false;
      begin = i + 1;
    }
    filled -= begin;
    hp_real_memmove(text, text + begin, filled);
    if (filled == sizeof text - 1) {
      text[filled] = 0;
      if (!is_rest)
        take_line(text, &range, each, arg);
      is_rest = true;
      filled = 0;
    }
  }
  hp_sys_close(fd);
  if (range.end)
    each(&range, arg);
  return n == 0 && range.end;
}
