/* member_hooks.c - the hooks of modules that tell which accesses each call stands
   for: counted by place with members=1, and then as those of hooks.c and usual.c.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/access.h"
#include "chunk/members.h"
#include "heap/owner.h"
#include "hook_abi.h"

/* Registers stay as they are: the hook that goes on does as if it had been called.
   It has the program's return address, and its own arguments. */
#define AHEAD(name, hook)                                                      \
  ".pushsection .text.member_hooks,\"ax\",@progbits\n"                         \
  "  .p2align 4\n  .globl " name "\n  .type " name ", @function\n" name ":\n"  \
  "  .cfi_startproc\n"                                                         \
  "  cmpq $0, hp_members_of(%rip)\n"                                           \
  "  je " hook "\n"                                                            \
  "  pushq %rcx\n"                                                             \
  "  .cfi_adjust_cfa_offset 8\n"                                               \
  "  .cfi_rel_offset %rcx, 0\n"                                                \
  "  movq 8(%rsp), %rcx\n"                                                     \
  "  call hp_members_group\n"                                                  \
  "  popq %rcx\n"                                                              \
  "  .cfi_adjust_cfa_offset -8\n"                                              \
  "  .cfi_restore %rcx\n"                                                      \
  "  jmp " hook "\n"                                                           \
  "  .cfi_endproc\n  .size " name ", .-" name "\n.popsection\n"

__asm__(AHEAD(HP_HOOK_SLOW_MEMBERS, HP_HOOK_SLOW)
            AHEAD(HP_HOOK_USUAL_MEMBERS, HP_HOOK_USUAL));

HP_EXPORT void __heapprof_many_members(const void *p, size_t n, uint64_t reads,
                                       uint64_t writes, const uint32_t *group);
HP_EXPORT void __heapprof_loop_members(const void *p, size_t n, uint64_t reads,
                                       uint64_t writes, const uint32_t *group,
                                       const uint64_t *steps);

/* As __heapprof_many(). */
HP_INLINE void many(const void *p, size_t n, uint64_t reads, uint64_t writes) {
  struct hp_chunk *chunk = hp_owner_of(p).chunk;
  if (HP_LIKELY((reads | writes | n) <= HP_STEP_MAX) &&
      hp_access_is_usual(chunk, (uintptr_t)p, n))
    hp_access_count_many(chunk, (uint32_t)reads, (uint32_t)writes);
  else
    hp_access_many(chunk, (uintptr_t)p, n, reads, writes, HP_ACCESS_PC);
}

void __heapprof_many_members(const void *p, size_t n, uint64_t reads,
                             uint64_t writes, const uint32_t *group) {
  if (!n || !(reads | writes) || !hp_heap_holds(p))
    return;
  if (HP_UNLIKELY(hp_members_of))
    hp_members_many(p, reads, writes, group, HP_ACCESS_PC);
  many(p, n, reads, writes);
}

void __heapprof_loop_members(const void *p, size_t n, uint64_t reads,
                             uint64_t writes, const uint32_t *group,
                             const uint64_t *steps) {
  if (!n || !(reads | writes) || !hp_heap_holds(p))
    return;
  if (HP_UNLIKELY(hp_members_of))
    hp_members_loop(p, group, steps, HP_ACCESS_PC);
  many(p, n, reads, writes);
}
