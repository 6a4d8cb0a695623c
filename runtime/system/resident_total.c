/* resident_total.c - see resident_total.h: a number of a file of /proc.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/resident_total.h"

#include "system/files.h"

#define PAGE 4096u
#define MORE_SHARE 16u
#define MORE_BYTES ((uint64_t)256 << 10)

/* 0: there is none. */
static uint64_t number_at(const char *at) {
  uint64_t number = 0;
  while (*at == ' ')
    at++;
  for (; *at >= '0' && *at <= '9'; at++)
    number = number * 10 + (uint64_t)(*at - '0');
  return number;
}

/* The second number of one line of pages. */
static uint64_t of_statm(const char *at) {
  while (*at && *at != ' ')
    at++;
  return number_at(at) * PAGE;
}

/* "Rss:    4712 kB", behind a line of the range. */
static uint64_t of_rollup(const char *at) {
  static const char name[] = "\nRss:";
  for (; *at; at++) {
    unsigned i = 0;
    while (name[i] && at[i] == name[i])
      i++;
    if (!name[i])
      return number_at(at + i) << 10;
  }
  return 0;
}

uint64_t hp_resident_total(enum hp_resident_way way) {
  char text[256];
  if (way == HP_RESIDENT_QUICK)
    return hp_sys_read_text("/proc/self/statm", text, sizeof text)
               ? of_statm(text)
               : 0;
  return hp_sys_read_text("/proc/self/smaps_rollup", text, sizeof text)
             ? of_rollup(text)
             : 0;
}

uint64_t hp_resident_much_more(uint64_t bytes) {
  return bytes + bytes / MORE_SHARE + MORE_BYTES;
}

bool hp_resident_may_differ(const struct hp_resident_seen *seen, uint64_t now,
                            uint64_t by_system, uint64_t step) {
  return by_system != seen->by_system ||
         by_system > hp_resident_much_more(seen->most) ||
         now - seen->time >= step;
}

void hp_resident_see(struct hp_resident_seen *seen, uint64_t now,
                     uint64_t by_system, uint64_t resident) {
  seen->time = now;
  seen->by_system = by_system;
  seen->resident = resident;
  seen->most = resident > seen->most ? resident : seen->most;
}

bool hp_resident_may_be(uint64_t seen, uint64_t before, uint64_t after) {
  if (!before || !after)
    return true;
  const uint64_t least = before < after ? before : after;
  const uint64_t most = before < after ? after : before;
  return seen <= hp_resident_much_more(most) &&
         hp_resident_much_more(seen) >= least;
}
