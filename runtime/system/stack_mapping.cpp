// stack_mapping.cpp - where the stack of an address begins and ends.
// Asks /proc, which costs: the answers are kept by who asks (stack_bounds.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/stack_mapping.h"

#include "system/mapping_lines.h"
#include "system/process_facts.h"
#include "system/system_call.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"

#include <sys/auxv.h>
#include <sys/syscall.h>

using namespace __sanitizer;

extern "C" {

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

struct hp_stack_search {
  uintptr_t here, *bottom, *top;
  uintptr_t below; // where the mapping before ends
};

// Whether the stack is to be looked for behind LINE.
static bool is_behind(const char *line, void *arg) {
  auto *search = static_cast<hp_stack_search *>(arg);
  uintptr_t start, end;
  const char *rest = hp_mapping_range(line, &start, &end);
  if (!rest)
    return true;
  if (search->here < start || search->here >= end) {
    search->below = end;
    return true;
  }
  *search->top = end;
  *search->bottom = internal_strstr(rest, "[stack]")
                        ? lowest_of_main_stack(end, search->below)
                        : start;
  return false;
}

void hp_sys_stack_bounds(uintptr_t sp, uintptr_t *bottom, uintptr_t *top) {
  char text[1024]; // the stack may be small
  hp_stack_search search = {sp, bottom, top, 0};
  *bottom = *top = sp; // nothing can be read if nothing is known
  hp_mapping_lines("/proc/self/maps", text, sizeof text, is_behind, &search);
}

} // extern "C"
