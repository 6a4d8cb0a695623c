/* test_reachability.c - what a dump is told of a chunk while the process prepares its leak check.
   Where its globals are and how threads are stopped is a double of the test's own.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/allocator.h"
#include "heap/owner.h"
#include "leak/reachability.h"
#include "origin/module.h"
#include "system/files.h"
#include "system/loaded_modules.h"
#include "system/process_facts.h"
#include "system_double.h"

static unsigned asked;
static void (*amid)(void);

struct hp_sys_image hp_sys_globals(void (*each)(uintptr_t begin, uintptr_t end,
                                                void *arg),
                                   void *arg) {
  asked++;
  each((uintptr_t)&asked, (uintptr_t)(&asked + 1), arg);
  if (amid)
    amid();
  return (struct hp_sys_image){0};
}

enum hp_sys_stand
hp_sys_stand_still(const struct hp_sys_stopped *self,
                   void (*each)(const struct hp_sys_stopped *thread, void *arg),
                   void (*last)(void *arg), void *arg) {
  (void)self, (void)each, (void)last, (void)arg;
  return HP_SYS_NOT_STOPPED;
}

/* The walk, which nobody begins here, asks these. */
bool hp_sys_mappings(void (*each)(const struct hp_sys_mapping *mapping,
                                  void *arg),
                     void *arg) {
  (void)each, (void)arg;
  return true;
}
long hp_sys_read_directory(int fd, void *p, size_t n) {
  (void)fd, (void)p, (void)n;
  return 0;
}

void hp_sys_modules(void (*each)(const struct hp_sys_module *module, void *arg),
                    void *arg) {
  (void)each, (void)arg;
}
bool hp_sys_working_directory(char *path, size_t size) {
  (void)path, (void)size;
  return false;
}

static const struct hp_chunk *chunk(void) {
  struct hp_request request = {.size = 100};
  return hp_owner_of(hp_allocate(&request)).chunk;
}

/* As a checkpoint does that is taken when the program calls exit. */
static void nothing_is_known_before_the_walk(void **state) {
  (void)state;
  const struct hp_chunk *const asked_for = chunk();
  assert_int_equal(hp_reachability_flags(asked_for), 0);
  hp_reachability_prepare();
  assert_int_equal(hp_reachability_flags(asked_for), 0);
  assert_int_equal(hp_reachability_held(1).chunks, 0);
  hp_reachability_end();
  assert_int_equal(hp_reachability_flags(asked_for), 0);
}

/* libc has a lock meanwhile that stays taken in a child. */
static void look_whether_fork_waits(void) {
  amid = NULL;
  assert_false(hp_modules_try_lock());
}

static void fork_waits_for_the_preparation(void **state) {
  (void)state;
  amid = look_whether_fork_waits;
  hp_reachability_prepare();
  assert_null(amid);
  assert_true(hp_modules_try_lock());
  hp_modules_unlock();
  hp_reachability_end();
}

static void exit_elsewhere(void) {
  const struct hp_sys_stopped self = {.id = 1};
  amid = NULL;
  hp_modules_unlock(); /* as if it had come first */
  hp_reachability_prepare();
  assert_string_not_equal(hp_reachability_check(&self), HP_REACH_DONE);
  hp_modules_lock();
}

/* Another one's walk is over, or goes on, when this one has what it needs. */
static void threads_may_exit_at_the_same_time(void **state) {
  (void)state;
  asked = 0;
  amid = exit_elsewhere;
  hp_reachability_prepare();
  assert_int_equal(asked, 2);
  hp_reachability_prepare();
  hp_reachability_end();
  assert_int_equal(hp_reachability_flags(chunk()), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_known_before_the_walk),
      cmocka_unit_test(fork_waits_for_the_preparation),
      cmocka_unit_test(threads_may_exit_at_the_same_time)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
