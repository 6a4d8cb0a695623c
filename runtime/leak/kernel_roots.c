/* kernel_roots.c - see kernel_roots.h: /proc tells of epoll, io_uring and timers; of stacks only the
   thread itself could ask, so what it said when it set one is kept.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "leak/kernel_roots.h"

#include "system/files.h"
#include "system/mapping_lines.h"
#include "thread/thread_state.h"

#define DESCRIPTORS "/proc/thread-self/fdinfo/"
#define NUMBER_MAX                                                             \
  24u /* of a descriptor or a process, in decimal, and what follows */

struct visit {
  void (*reach)(uint64_t word);
  uintptr_t ring_room, ring_begun, ring_ended; /* requests of an io_uring */
  bool is_all;                                 /* that was given to it */
};

/* The number behind the first KEY of LINE, which has blanks in front. */
static bool take_word(const char *line, const char *key, uint64_t *word) {
  for (; *line; line++) {
    size_t i = 0;
    while (key[i] && line[i] == key[i])
      i++;
    if (key[i])
      continue;
    for (line += i; *line == ' ';)
      line++;
    uintptr_t value;
    *word = hp_mapping_hexadecimal(line, &value) > line ? value : 0;
    return *word;
  }
  return false;
}

/* "KEY:" and a blank, then the number, by BASE. */
static void take_count(const char *line, const char *key, uintptr_t base,
                       uintptr_t *count) {
  for (; *key; key++)
    if (*line++ != *key)
      return;
  *count = 0;
  for (line += *line != 0; *line; line++) {
    const unsigned digit =
        (unsigned)*line - (*line >= 'a' ? (unsigned)'a' - 10u : (unsigned)'0');
    if (digit < base)
      *count = *count * base + digit;
    else if (*line != 'x')
      return;
  }
}

static bool take_data(const char *line, void *arg) {
  struct visit *visit = arg;
  uint64_t word;
  if (line[0] == 't' && line[1] == 'f' && take_word(line, "data:", &word))
    visit->reach(word);
  take_count(line, "SqMask:", 16, &visit->ring_room);
  take_count(line, "SqHead:", 10, &visit->ring_begun);
  take_count(line, "CqTail:", 10, &visit->ring_ended);
  return true;
}

/* "signal: 60/00007ffd5a2c". */
static bool take_value(const char *line, void *arg) {
  const struct visit *visit = arg;
  uint64_t word;
  if (line[0] == 's' && line[1] == 'i' && take_word(line, "/", &word))
    visit->reach(word);
  return true;
}

static char *put(char *to, const char *text) {
  while (*text)
    *to++ = *text++;
  *to = 0;
  return to;
}

static void look_at_descriptor(const char *name, struct visit *visit) {
  char path[sizeof DESCRIPTORS + NUMBER_MAX], text[1024];
  size_t length = 0;
  while (name[length] >= '0' && name[length] <= '9' && length < NUMBER_MAX)
    length++;
  if (!length || name[length])
    return;
  put(put(path, DESCRIPTORS), name);
  visit->ring_room = visit->ring_begun = visit->ring_ended = 0;
  hp_mapping_lines(path, text, sizeof text, take_data, visit);
  /* A request lies in the ring until another one takes its place there. */
  visit->is_all &= visit->ring_begun <= visit->ring_room + 1 ||
                   visit->ring_begun == visit->ring_ended;
}

/* Entries of getdents64: inode, offset, their length, type, name. */
#define LENGTH_AT 16u
#define NAME_AT 19u

static void look_at_descriptors(struct visit *visit) {
  _Alignas(uint64_t) char entries[2048];
  const int directory = hp_sys_open(DESCRIPTORS);
  long n;
  if (directory < 0)
    return;
  while ((n = hp_sys_read_directory(directory, entries, sizeof entries)) > 0)
    for (long at = 0; at < n;) {
      const char *entry = entries + at;
      look_at_descriptor(entry + NAME_AT, visit);
      at += *(const uint16_t *)(const void *)(entry + LENGTH_AT);
    }
  hp_sys_close(directory);
}

static void look_at_timers(int pid, struct visit *visit) {
  char path[sizeof "/proc//timers" + NUMBER_MAX], digits[NUMBER_MAX];
  char *digit = digits + sizeof digits, text[1024];
  *--digit = 0;
  for (unsigned rest = (unsigned)pid; rest; rest /= 10)
    *--digit = (char)('0' + rest % 10);
  put(put(put(path, "/proc/"), digit), "/timers");
  hp_mapping_lines(path, text, sizeof text, take_value, visit);
}

void hp_kernel_has_stack(const void *stack) {
  struct hp_thread *self = hp_thread_get();
  if (self)
    __atomic_store_n(&self->signal_stack, (uintptr_t)stack, __ATOMIC_RELAXED);
}

bool hp_kernel_roots_each(int pid, void (*reach)(uint64_t word)) {
  struct visit visit = {.reach = reach, .is_all = true};
  look_at_descriptors(&visit);
  look_at_timers(pid, &visit);
  for (const struct hp_thread *t = hp_threads_all(); t; t = t->next)
    if (__atomic_load_n(&t->id, __ATOMIC_RELAXED))
      reach(__atomic_load_n(&t->signal_stack, __ATOMIC_RELAXED));
  return visit.is_all;
}
