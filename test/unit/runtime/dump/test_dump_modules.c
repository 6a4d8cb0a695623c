/* test_dump_modules.c - the library reads what the runtime writes of modules.
   The table of modules is the process's: each test goes on from the one before.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "writer_fixture.h"

#include "origin/module.h"
#include "system/clock.h"
#include "system/loaded_modules.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const uint8_t build_id[] = {0xde, 0xad, 0, 0xbe, 0xef};
static const struct hp_sys_module program = {"/usr/bin/app",
                                             0x555500000000,
                                             0x555500000000,
                                             0x555500010000,
                                             build_id,
                                             sizeof build_id,
                                             true};
static const struct hp_sys_module library = {
    "/lib/x.so", 0x7f0000000000, 0x7f0000001000, 0x7f0000009000, NULL,
    0,           false};
static const struct hp_sys_module library_elsewhere = {
    "/lib/x.so", 0x7f1000000000, 0x7f1000001000, 0x7f1000009000, NULL,
    0,           false};
static const struct hp_sys_module other_in_its_place = {
    "/lib/y.so", 0x7f0000000000, 0x7f0000000000, 0x7f0000005000, NULL,
    0,           false};

static void update_modules(uint64_t now, const struct hp_sys_module *list,
                           size_t count) {
  hp_double.now = now;
  hp_double.modules = list;
  hp_double.module_count = count;
  hp_modules_update();
  hp_fixture_mapped = hp_double.mapped_bytes;
}

static void same_module(const struct hp_dump_module *read,
                        const struct hp_sys_module *module, uint64_t loaded,
                        uint64_t unloaded) {
  assert_string_equal(read->path, module->path);
  assert_int_equal(read->bias, module->bias);
  assert_int_equal(read->start, module->start);
  assert_int_equal(read->end, module->end);
  assert_int_equal(read->build_id_size, module->build_id_size);
  if (module->build_id_size)
    assert_memory_equal(read->build_id, module->build_id,
                        module->build_id_size);
  assert_int_equal(read->loaded, loaded);
  assert_int_equal(read->unloaded, unloaded);
}

/* The table is the process's: this test runs first, and each step sees what
   the steps before left. */
static void test_modules(void **state) {
  (void)state;
  hp_clock_window_start = 1000;
  update_modules(900, &program, 1);
  update_modules(1500, (const struct hp_sys_module[]){program, library}, 2);
  update_modules(2000, (const struct hp_sys_module[]){program, library}, 2);
  update_modules(3000, &program, 1);
  update_modules(4000,
                 (const struct hp_sys_module[]){program, library_elsewhere}, 2);
  update_modules(
      5000, (const struct hp_sys_module[]){program, library_elsewhere, library},
      3);
  update_modules(
      6000, (const struct hp_sys_module[]){program, other_in_its_place}, 2);

  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  assert_int_equal(dump->module_count, 5);
  same_module(&dump->modules[0], &program, 0, UINT64_MAX);
  /* Between the updates at 900 and 1500 it came, between 2000 and 3000 it
     went. */
  same_module(&dump->modules[1], &library, 0, 2000);
  same_module(&dump->modules[2], &library_elsewhere, 2000, 5000);
  /* It went, and another lies where it lay: their epochs do not overlap. */
  same_module(&dump->modules[3], &library, 3000, 4000);
  same_module(&dump->modules[4], &other_in_its_place, 4000, UINT64_MAX);
  hp_dump_close(dump);
}

static void test_module_with_other_build_id_is_another(void **state) {
  (void)state;
  static const uint8_t rebuilt[] = {1, 2, 3};
  struct hp_sys_module again = program;
  update_modules(7000, &program, 1);
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  size_t count = dump->module_count;
  hp_dump_close(dump);

  again.build_id = rebuilt;
  again.build_id_size = sizeof rebuilt;
  hp_double_process(43);
  update_modules(8000, &again, 1);
  hp_fixture_write(NULL);
  dump = hp_fixture_read("heapprof.app.43");
  assert_int_equal(dump->module_count, count + 1);
  same_module(&dump->modules[count], &again, 7000, UINT64_MAX);
  assert_int_equal(dump->modules[0].unloaded, 7000);
  hp_dump_close(dump);
}

/* A and B in turns at one place, C on part of it; 1 and 2 were given out by the
   tests before. */
static void test_frames_of_what_went_are_set_aside(void **state) {
  (void)state;
  struct hp_sys_module a = library, b = library, c = library;
  a.path = "/lib/a.so", b.path = "/lib/b.so", c.path = "/lib/c.so";
  a.start = b.start = 0x2000, a.end = b.end = 0x4000;
  c.start = 0x3000, c.end = 0x5000;
  const struct {
    const struct hp_sys_module *module; /* NULL: nothing */
    const char *expected;
  } steps[] = {
      {&a, ""},
      {NULL, ""},
      {&a, ""}, /* the same again */
      {NULL, ""},
      {&b, "2000-4000 as 3, "},
      {NULL, ""},
      {&a, "2000-4000 as 4, 3 back, "},
      {&b, "2000-4000 as 3, 4 back, "}, /* with no update between */
      {NULL, ""},
      {&b, "4 back, "}, /* which finds nothing */
      {NULL, ""},
      {&c, "2000-4000 as 4, "},
      {NULL, ""},
      {&a, "3000-5000 as 5, 3 back, "},
      {NULL, ""},
  };
  for (size_t i = 0; i < LENGTH(steps); i++) {
    hp_double.set_aside[0] = 0;
    update_modules(9000 + i, steps[i].module, steps[i].module != NULL);
    assert_string_equal(hp_double.set_aside, steps[i].expected);
  }
}

#define TEST(name)                                                             \
  cmocka_unit_test_setup_teardown(name, hp_fixture_begin, hp_fixture_end)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_modules),
      TEST(test_module_with_other_build_id_is_another),
      TEST(test_frames_of_what_went_are_set_aside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
