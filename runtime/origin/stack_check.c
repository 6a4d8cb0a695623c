/* stack_check.c - see stack_check.h: _Unwind_Backtrace reads the tables without
   any of our code, or of what it remembers.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "origin/stack_check.h"
#include "options/options.h"
#include "origin/stack_tree.h"
#include "system/message.h"
#include "unwind/unwind_table.h"

#include <unwind.h>

#define SHOWN 3u /* differences in full */

static uint64_t compared, differ;
static HP_THREAD_LOCAL bool is_comparing; /* the unwinder may allocate */

struct search {
  const struct hp_caller *caller;
  uint64_t *pc;
  size_t count, max;
  bool more;
};

static _Unwind_Reason_Code each_frame(struct _Unwind_Context *context,
                                      void *arg) {
  struct search *search = arg;
  int before = 0;
  uintptr_t pc = _Unwind_GetIPInfo(context, &before);
  uintptr_t sp = _Unwind_GetCFA(context);
  if (!search->count && (pc != search->caller->pc || sp != search->caller->sp))
    return _URC_NO_REASON; /* still inside the runtime */
  if (!pc)
    return _URC_NO_REASON; /* beyond the outermost frame */
  search->more = search->count == search->max;
  if (search->more)
    return _URC_END_OF_STACK;
  search->pc[search->count++] = pc;
  return _URC_NO_REASON;
}

static void print(const char *whose, const uint64_t *pc, size_t count) {
  for (size_t i = 0; i < count; i++)
    hp_sys_warn("check_stacks: %s #%d %p", whose, (int)i, (void *)pc[i]);
}

/* The unwinder would wait for a lock that who allocates has. */
static bool is_locked(const uint64_t *pc, size_t count) {
  struct hp_fde fde;
  bool stays;
  for (size_t i = 0; i < count; i++)
    if (hp_table_find(&fde, pc[i] - 1, HP_TABLE_OF_MODULES, &stays) ==
            HP_TABLE_FOUND &&
        hp_table_is_locked_by(&fde))
      return true;
  return false;
}

HP_COLD void hp_stack_check(uint32_t stack, const struct hp_caller *caller) {
  uint64_t ours[HP_STACK_MAX], theirs[HP_STACK_MAX];
  bool cut;
  if (is_comparing || !stack)
    return;
  size_t count = hp_stack_frames(stack, ours, &cut);
  if (is_locked(ours, count))
    return;
  is_comparing = true;
  struct search search = {.caller = caller,
                          .pc = theirs,
                          .max = (size_t)hp_options.malloc_context_size};
  _Unwind_Backtrace(each_frame, &search);
  const bool same = (cut || !search.more) &&
                    hp_stack_intern(theirs, search.count, cut) == stack;
  __atomic_fetch_add(&compared, 1, __ATOMIC_RELAXED);
  if (!same && __atomic_fetch_add(&differ, 1, __ATOMIC_RELAXED) < SHOWN) {
    print("captured", ours, count);
    print("unwinder", theirs, search.count);
  }
  is_comparing = false;
}

void hp_stack_check_print(void) {
  hp_sys_warn("check_stacks: %llu stacks compared, %llu differ",
              (unsigned long long)compared, (unsigned long long)differ);
}
