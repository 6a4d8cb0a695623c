// stack_mapping.cpp - where the stack of an address begins and ends.
// Asks /proc, which costs: the answers are kept by who asks (stack_bounds.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/stack_mapping.h"

#include "system/files.h"
#include "system/process_facts.h"
#include "system/system_call.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"

#include <sys/auxv.h>
#include <sys/syscall.h>

using namespace __sanitizer;

extern "C" {

// One line of /proc/self/maps: "start-end perms offset device inode path".
struct hp_mapping {
  uptr start, end;
  bool is_main_stack;
};

static const char *parse_hexadecimal(const char *text, uptr *value) {
  for (*value = 0;; text++) {
    if (*text >= '0' && *text <= '9')
      *value = *value << 4 | (uptr)(*text - '0');
    else if (*text >= 'a' && *text <= 'f')
      *value = *value << 4 | (uptr)(*text - 'a' + 10);
    else
      return text;
  }
}

static bool parse_mapping(const char *line, hp_mapping *mapping) {
  const char *at = parse_hexadecimal(line, &mapping->start);
  if (*at != '-')
    return false;
  at = parse_hexadecimal(at + 1, &mapping->end);
  mapping->is_main_stack = internal_strstr(at, "[stack]") != nullptr;
  return true;
}

// The main stack's mapping grows on demand up to the resource limit, but never
// into the mapping below it.
static uptr lowest_of_main_stack(uptr end, uptr below) {
  struct {
    uint64_t soft, hard;
  } limit = {};
  const uptr most = (uptr)1 << 30;
  if (system_call(SYS_prlimit64, 0, 3 /* RLIMIT_STACK */, 0, (uptr)&limit) <
          0 ||
      limit.soft > most)
    limit.soft = most;
  uptr lowest = end > limit.soft ? end - limit.soft : 0;
  return lowest > below ? lowest : below;
}

// The thread pointer lies at the top of every stack that libc made or was
// given; what the kernel put on the main stack lies above all frames.
uintptr_t hp_sys_stack_top(void) {
  if (hp_sys_gettid() == hp_sys_pid())
    return Max(getauxval(AT_EXECFN), getauxval(AT_RANDOM));
  uptr self;
  __asm__("movq %%fs:0, %0" : "=r"(self));
  return self;
}

void hp_sys_stack_bounds(uintptr_t sp, uintptr_t *bottom, uintptr_t *top) {
  const uptr here = sp;
  *bottom = *top = here; // nothing can be read if nothing is known
  int fd = hp_sys_open("/proc/self/maps");
  if (fd < 0)
    return;
  char buffer[1024]; // the stack may be small
  uptr filled = 0, below = 0;
  bool is_rest = false; // of a line that was too long
  for (;;) {
    long n = hp_sys_read(fd, buffer + filled, sizeof buffer - 1 - filled);
    if (n <= 0)
      break;
    filled += (uptr)n;
    buffer[filled] = 0;
    char *line = buffer;
    while (char *end = internal_strchr(line, '\n')) {
      *end = 0;
      hp_mapping mapping;
      if (!is_rest && parse_mapping(line, &mapping)) {
        if (mapping.start <= here && here < mapping.end) {
          *bottom = mapping.is_main_stack
                        ? lowest_of_main_stack(mapping.end, below)
                        : mapping.start;
          *top = mapping.end;
          hp_sys_close(fd);
          return;
        }
        below = mapping.end;
      }
      is_rest = false;
      line = end + 1;
    }
    filled = (uptr)(buffer + filled - line);
    internal_memmove(buffer, line, filled);
    if (filled == sizeof buffer - 1) { // only its path is so long
      hp_mapping mapping;
      if (!is_rest && parse_mapping(buffer, &mapping)) {
        if (mapping.start <= here && here < mapping.end) {
          *bottom = mapping.start;
          *top = mapping.end;
          break;
        }
        below = mapping.end;
      }
      filled = 0;
      is_rest = true;
    }
  }
  hp_sys_close(fd);
}

} // extern "C"
