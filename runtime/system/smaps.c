/* smaps.c - see smaps.h: a line names a range, and those behind it, which begin
   with a capital, say something of it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/smaps.h"

#include "system/mapping_lines.h"

#define LINE_MAX ((size_t)8 << 10) /* what is longer is a path */

static char text[LINE_MAX];

static bool begins_with(const char *line, const char *what) {
  while (*what)
    if (*line++ != *what++)
      return false;
  return true;
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

enum hp_smaps_kind hp_smaps_kind(const char *line) {
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
               {"anon_inode:[io_uring]", HP_SMAPS_ANONYMOUS},
               {"/anon_hugepage", HP_SMAPS_ANONYMOUS}};
  const char *name = name_of(line);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (begins_with(name, kinds[i].begin))
      return kinds[i].kind;
  return *name ? HP_SMAPS_FILE : HP_SMAPS_ANONYMOUS;
}

/* "BEGIN-END rwxp OFFSET DEVICE INODE   NAME" */
static struct hp_smaps_range range_of(const char *line) {
  struct hp_smaps_range range = {.kind = hp_smaps_kind(line)};
  const char *rest = hp_mapping_range(line, &range.begin, &range.end);
  range.is_writable = rest && rest[0] == ' ' && rest[1] && rest[2] == 'w';
  return range;
}

struct visit {
  struct hp_smaps_range range; /* whose lines are being read; end 0: none */
  void (*each)(const struct hp_smaps_range *range, void *arg);
  void *arg;
};

static bool take_line(const char *line, void *arg) {
  struct visit *visit = arg;
  struct hp_smaps_range *range = &visit->range;
  if (*line < 'A' || *line > 'Z') {
    if (range->end)
      visit->each(range, visit->arg);
    *range = range_of(line);
  } else if (begins_with(line, "Rss:")) {
    range->resident = bytes_of(line);
  } else if (begins_with(line, "Shared_")) {
    range->shared += bytes_of(line);
  }
  return true;
}

bool hp_smaps_each(void (*each)(const struct hp_smaps_range *range, void *arg),
                   void *arg) {
  struct visit visit = {.each = each, .arg = arg};
  const bool whole = hp_mapping_lines("/proc/self/smaps", text, sizeof text,
                                      take_line, &visit);
  if (visit.range.end)
    each(&visit.range, arg);
  return whole && visit.range.end;
}
