/* test_module.c - what the load map keeps of modules that come, go and take each other's place.
   The map is never emptied, so that each test has addresses of its own.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/dump.h"
#include "encode/encode.h"
#include "origin/module.h"
#include "runtime_double.h"
#include "system/loaded_modules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const uint8_t one_id[] = {1, 2, 3}, other_id[] = {1, 2, 4};

static struct hp_sys_module module(const char *path, uintptr_t start,
                                   const uint8_t *id) {
  return (struct hp_sys_module){path, start, start, start + 0x1000,
                                id,   3,     false};
}

/* Whether an update at NOW, where these are all that is loaded, has the rules of
   unwinding forgotten. */
static bool update(uint64_t now, const struct hp_sys_module *loaded,
                   size_t count) {
  hp_double.modules = loaded;
  hp_double.module_count = count;
  hp_double.now = now;
  const unsigned before = hp_double.forgotten;
  hp_modules_changed();
  return hp_double.forgotten != before;
}

static int begin(void **state) {
  (void)state;
  hp_double_reset();
  update(1, NULL, 0); /* what an earlier test loaded is gone */
  return 0;
}

static struct entry {
  uint64_t loaded, unloaded;
  char path[16];
  uint8_t id[3];
} entries[8];
static const char *paths[8]; /* of each, where it lies */
static size_t entry_count;
static uintptr_t wanted;

static void keep(const struct hp_module *module, const char *path,
                 const uint8_t *build_id, const uint8_t *hooked, void *arg) {
  (void)hooked, (void)arg;
  if (module->start != wanted)
    return;
  struct entry *entry = &entries[entry_count++];
  paths[entry - entries] = path;
  entry->loaded = module->loaded;
  entry->unloaded = module->unloaded;
  strcpy(entry->path, path);
  memcpy(entry->id, build_id, module->build_id_size);
}

/* Fills entries with what the map has of modules that begin at START. */
static void look_at(uintptr_t start) {
  wanted = start;
  entry_count = 0;
  memset(entries, 0, sizeof entries);
  hp_modules_each(keep, NULL);
}

static void a_module_has_its_epoch(void **state) {
  (void)state;
  enum { AT = 0x10000 };
  struct hp_sys_module a = module("/a", AT, one_id);
  update(10, NULL, 0);
  assert_false(update(20, &a, 1)); /* nothing went */
  assert_non_null(hp_modules_at(AT + 0xfff));
  assert_null(hp_modules_at(AT + 0x1000));
  assert_null(hp_modules_at(AT - 1));
  assert_false(update(30, &a, 1));
  assert_true(update(40, NULL, 0));
  assert_null(hp_modules_at(AT));
  look_at(AT);
  assert_int_equal(entry_count, 1);
  assert_int_equal(entries[0].loaded, 10); /* after that, at 20 at the latest */
  assert_int_equal(entries[0].unloaded, 40);
  assert_string_equal(entries[0].path, "/a");
  assert_memory_equal(entries[0].id, one_id, sizeof one_id);
}

static void another_build_is_another_module(void **state) {
  (void)state;
  enum { AT = 0x20000 };
  struct hp_sys_module a = module("/a", AT, one_id);
  struct hp_sys_module b = module("/a", AT, other_id);
  update(10, &a, 1);
  assert_true(update(20, &b, 1));
  look_at(AT);
  assert_int_equal(entry_count, 2);
  /* Epochs do not overlap, though nobody saw the place empty. */
  assert_int_equal(entries[0].unloaded, 10);
  assert_int_equal(entries[1].loaded, 10);
  assert_int_equal(entries[1].unloaded, 0);
  assert_memory_equal(entries[1].id, other_id, sizeof other_id);
}

static void frames_are_set_aside_and_met_again(void **state) {
  (void)state;
  enum { AT = 0x30000 };
  struct hp_sys_module a = module("/a", AT, one_id);
  struct hp_sys_module b = module("/b", AT, one_id);
  update(10, &a, 1);
  update(20, NULL, 0);
  assert_string_equal(hp_double.set_aside, ""); /* nobody has its place yet */
  assert_true(update(30, &b, 1));
  assert_non_null(strstr(hp_double.set_aside, "30000-31000 as "));
  unsigned first = 0;
  assert_int_equal(sscanf(hp_double.set_aside, "30000-31000 as %u", &first), 1);
  hp_double.set_aside[0] = 0;
  update(40, &a, 1);
  char wanted_text[64];
  snprintf(wanted_text, sizeof wanted_text, "30000-31000 as %u, %u back, ",
           first + 1, first);
  assert_string_equal(hp_double.set_aside, wanted_text);
}

static void the_same_module_again_keeps_its_frames(void **state) {
  (void)state;
  enum { AT = 0x40000 };
  struct hp_sys_module a = module("/a", AT, one_id);
  update(10, &a, 1);
  update(20, NULL, 0);
  update(30, &a, 1);
  assert_string_equal(hp_double.set_aside, "");
  look_at(AT);
  assert_int_equal(entry_count, 1); /* nothing else lay there */
  assert_int_equal(entries[0].unloaded, 0);
  update(40, NULL, 0);
  look_at(AT);
  assert_int_equal(entries[0].unloaded, 40);
}

static void what_has_no_build_id_may_be_another_file(void **state) {
  (void)state;
  enum { AT = 0x60000 };
  struct hp_sys_module a = module("/a", AT, one_id);
  a.build_id_size = 0;
  update(10, &a, 1);
  update(20, NULL, 0);
  update(30, &a, 1);
  look_at(AT);
  assert_int_equal(entry_count, 2);
}

static void two_in_turns_are_loads_that_share_their_texts(void **state) {
  (void)state;
  enum { AT = 0x70000 };
  struct hp_sys_module in_turns[] = {module("/a", AT, one_id),
                                     module("/b", AT, other_id)};
  for (unsigned i = 0; i < 6; i++) {
    update(10 + 2 * i, &in_turns[i % 2], 1);
    update(11 + 2 * i, NULL, 0);
  }
  look_at(AT);
  assert_int_equal(entry_count, 6);
  for (unsigned i = 0; i < 6; i++) {
    assert_string_equal(entries[i].path, i % 2 ? "/b" : "/a");
    assert_memory_equal(entries[i].id, i % 2 ? other_id : one_id, 3);
    assert_int_equal(entries[i].unloaded, 11 + 2 * i);
    assert_ptr_equal(paths[i], paths[i % 2]);
  }
}

static void hooked_lists_stay_with_their_module(void **state) {
  (void)state;
  enum { AT = 0x50000 };
  struct hp_sys_module pair[] = {module("/a", AT, one_id),
                                 module("/b", AT + 0x1000, one_id)};
  update(10, pair, 2);
  struct hp_bytes list = {0};
  hp_put_bytes(&list, "abc", 3);
  assert_int_equal(hp_modules_at(AT)->hooked_functions, 0);
  hp_module_set_hooked(hp_modules_at(AT), &list, 7);
  assert_int_equal(hp_modules_at(AT)->hooked_functions, 7);
  assert_int_equal(hp_modules_at(AT)->hooked_size, 3);
  assert_int_equal(hp_modules_at(AT + 0x1000)->hooked_functions, 0);
  list.failed = true;
  hp_module_set_hooked(hp_modules_at(AT + 0x1000), &list, 7);
  assert_int_equal(hp_modules_at(AT + 0x1000)->hooked_functions, 0);
  list.failed = false;
  hp_bytes_free(&list);
}

static void what_no_memory_was_for_is_said_to_be_lost(void **state) {
  (void)state;
  enum { AT = 0x100000, COUNT = 4096 };
  static struct hp_sys_module many[COUNT];
  for (size_t i = 0; i < COUNT; i++)
    many[i] = module("/many", AT + i * 0x1000, one_id);
  assert_false(hp_modules_lost());
  hp_double.maps_left = 0;
  update(10, many, COUNT);
  hp_double.maps_left = UINT64_MAX;
  assert_true(hp_modules_lost());
  assert_non_null(hp_modules_at(AT)); /* as many as there was room for */
  assert_null(hp_modules_at(AT + (COUNT - 1) * 0x1000));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(a_module_has_its_epoch, begin),
      cmocka_unit_test_setup(another_build_is_another_module, begin),
      cmocka_unit_test_setup(frames_are_set_aside_and_met_again, begin),
      cmocka_unit_test_setup(the_same_module_again_keeps_its_frames, begin),
      cmocka_unit_test_setup(what_has_no_build_id_may_be_another_file, begin),
      cmocka_unit_test_setup(two_in_turns_are_loads_that_share_their_texts,
                             begin),
      cmocka_unit_test_setup(hooked_lists_stay_with_their_module, begin),
      cmocka_unit_test_setup(what_no_memory_was_for_is_said_to_be_lost, begin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
