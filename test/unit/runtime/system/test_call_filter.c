/* test_call_filter.c - what a filter of system calls does to a call: allow-lists and deny-lists, arguments known or not,
   arithmetic, and filters that the kernel would refuse.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/call_filter.h"
#include "system/forbidden_calls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#define STATEMENT(code, k) {(uint16_t)(code), 0, 0, (k)}
#define JUMP(code, k, t, f) {(uint16_t)(code), (t), (f), (k)}
#define NUMBER                                                                 \
  STATEMENT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define ARGUMENT(n)                                                            \
  STATEMENT(BPF_LD | BPF_W | BPF_ABS,                                          \
            offsetof(struct seccomp_data, args) + 8 * (n))
#define IS(value, t, f) JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, t, f)
#define RETURN(action) STATEMENT(BPF_RET | BPF_K, action)
#define COUNT(steps) (sizeof(steps) / sizeof *(steps))

static bool is_harmed(const struct hp_filter_step *steps, size_t count,
                      struct hp_filtered_call call) {
  static struct hp_filter_state states[HP_FILTER_MOST];
  return hp_filter_harms(steps, (uint32_t)count, &call, states);
}

#define HARMS(steps, number)                                                   \
  is_harmed((steps), COUNT(steps), (struct hp_filtered_call){(number), 0, {0}})
/* With argument N known to be VALUE. */
#define HARMS_WITH(steps, number, n, value)                                    \
  is_harmed((steps), COUNT(steps), with((number), (n), (value)))

static struct hp_filtered_call with(uint32_t number, unsigned n,
                                    uint64_t value) {
  struct hp_filtered_call call = {number, 1u << n, {0}};
  call.argument[n] = value;
  return call;
}

static void each_action(void **unused) {
  (void)unused;
  static const struct {
    uint32_t action;
    bool harms;
  } all[] = {{SECCOMP_RET_ALLOW, false},     {SECCOMP_RET_LOG, false},
             {SECCOMP_RET_ERRNO | 1, false}, {SECCOMP_RET_KILL_PROCESS, true},
             {SECCOMP_RET_KILL, true},       {SECCOMP_RET_TRAP | 5, true},
             {SECCOMP_RET_TRACE, true},      {SECCOMP_RET_USER_NOTIF, true}};
  for (size_t i = 0; i < COUNT(all); i++) {
    const struct hp_filter_step steps[] = {RETURN(all[i].action)};
    assert_int_equal(HARMS(steps, SYS_read), all[i].harms);
    assert_int_equal(
        is_harmed(steps, COUNT(steps),
                  (struct hp_filtered_call){SYS_read, HP_MUST_PASS, {0}}),
        all[i].harms || all[i].action == (SECCOMP_RET_ERRNO | 1));
  }
}

static void numbers(void **unused) {
  (void)unused;
  const struct hp_filter_step steps[] = {
      STATEMENT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      IS(AUDIT_ARCH_X86_64, 1, 0),
      RETURN(SECCOMP_RET_KILL),
      NUMBER,
      JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 3, 0),
      IS(SYS_read, 1, 0),
      IS(SYS_write, 0, 1),
      RETURN(SECCOMP_RET_ALLOW),
      RETURN(SECCOMP_RET_KILL)};
  assert_false(HARMS(steps, SYS_read));
  assert_false(HARMS(steps, SYS_write));
  assert_true(HARMS(steps, SYS_mmap));
}

/* One that asks for bits of an argument, and through the other register. */
static void arguments(void **unused) {
  (void)unused;
  const struct hp_filter_step steps[] = {
      NUMBER,
      IS(SYS_mmap, 0, 3),
      ARGUMENT(2),
      JUMP(BPF_JMP | BPF_JSET | BPF_K, 4, 0, 1),
      RETURN(SECCOMP_RET_KILL),
      RETURN(SECCOMP_RET_ALLOW)};
  assert_true(HARMS(steps, SYS_mmap));
  assert_true(HARMS_WITH(steps, SYS_mmap, 2, 4));
  assert_false(HARMS_WITH(steps, SYS_mmap, 2, 3));
  assert_false(HARMS(steps, SYS_read));
  const struct hp_filter_step register_x[] = {
      ARGUMENT(1),
      STATEMENT(BPF_ALU | BPF_AND | BPF_K, 0xf0),
      STATEMENT(BPF_ALU | BPF_RSH | BPF_K, 4),
      STATEMENT(BPF_MISC | BPF_TAX, 0),
      STATEMENT(BPF_LD | BPF_IMM, 7),
      JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 0, 1),
      RETURN(SECCOMP_RET_KILL),
      RETURN(SECCOMP_RET_ALLOW)};
  assert_true(HARMS_WITH(register_x, SYS_read, 1, 0x7a));
  assert_false(HARMS_WITH(register_x, SYS_read, 1, 0x8a));
  assert_true(HARMS(register_x, SYS_read));
}

/* What two ways agree on is known where they meet, and nothing else. */
static void ways_meet(void **unused) {
  (void)unused;
  struct hp_filter_step steps[] = {ARGUMENT(0),
                                   IS(1, 0, 2),
                                   STATEMENT(BPF_LD | BPF_IMM, 5),
                                   STATEMENT(BPF_JMP | BPF_JA, 1),
                                   STATEMENT(BPF_LD | BPF_IMM, 5),
                                   IS(5, 0, 1),
                                   RETURN(SECCOMP_RET_ALLOW),
                                   RETURN(SECCOMP_RET_KILL)};
  assert_false(HARMS(steps, SYS_read));
  steps[4].k = 6;
  assert_true(HARMS(steps, SYS_read));
}

static void refused_ones(void **unused) {
  (void)unused;
  const struct hp_filter_step beyond[] = {NUMBER, IS(SYS_read, 9, 9),
                                          RETURN(SECCOMP_RET_KILL)};
  const struct hp_filter_step no_end[] = {NUMBER};
  assert_false(HARMS(beyond, SYS_read));
  assert_false(HARMS(no_end, SYS_read));
  assert_false(is_harmed(no_end, 0, (struct hp_filtered_call){0, 0, {0}}));
}

static void sets(void **unused) {
  (void)unused;
  const struct hp_filter_step no_ptrace[] = {NUMBER, IS(SYS_ptrace, 0, 1),
                                             RETURN(SECCOMP_RET_KILL),
                                             RETURN(SECCOMP_RET_ALLOW)};
  const struct hp_filter_step only_read[] = {NUMBER, IS(SYS_read, 1, 0),
                                             RETURN(SECCOMP_RET_KILL),
                                             RETURN(SECCOMP_RET_ALLOW)};
  const struct hp_filter_step all[] = {RETURN(SECCOMP_RET_ERRNO | 1)};
  struct hp_forbidden set = {0};
  /* An error is for the runtime to bear, but where it would wait for ever. */
  assert_true(hp_forbidden_by(&set, all, COUNT(all)));
  assert_true(set.call[SYS_futex] && !set.call[SYS_mmap] &&
              !hp_forbidden_leaves_dump(&set));
  set = (struct hp_forbidden){0};
  assert_true(hp_forbidden_by(&set, no_ptrace, COUNT(no_ptrace)));
  assert_true(set.any && set.call[SYS_ptrace] && !set.call[SYS_mmap] &&
              hp_forbidden_leaves_dump(&set));
  assert_true(hp_forbidden_by(&set, only_read, COUNT(only_read)));
  assert_true(set.call[SYS_mmap] && !set.call[SYS_read] &&
              !hp_forbidden_leaves_dump(&set));
  set = (struct hp_forbidden){0};
  hp_forbidden_strictly(&set);
  assert_true(set.call[SYS_getpid] && set.call[SYS_exit_group] &&
              !set.call[SYS_write] && !set.call[SYS_exit]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_action),  cmocka_unit_test(numbers),
      cmocka_unit_test(arguments),    cmocka_unit_test(ways_meet),
      cmocka_unit_test(refused_ones), cmocka_unit_test(sets)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
