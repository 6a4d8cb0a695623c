/* test_place.c - place.h: the place inside a library of the system whose allocator has a name, and who asks it has none.
   Stacks are written by hand, since no test can install a library there.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "frame_list.h"
#include "profile/place.h"
#include "profile/profile_inside.h"

#define CRYPTO "/usr/lib/x86_64-linux-gnu/libcrypto.so.3"
#define SSL "/usr/lib/x86_64-linux-gnu/libssl.so.3"
#define APP "/home/me/app"
#define FRAME(name, path) {.function = name, .module = path}

static const char *place_of(const struct hp_frame *frames, size_t count) {
  struct hp_profile_point point = {
      .view = {.chunks = 1,
               .stack = hp_frame_list(frames, count),
               .stack_count = count}};
  struct hp_profile profile = {.points = &point, .point_count = 1};
  struct hp_error error;
  assert_int_equal(hp_places_find(&profile, &error), HP_OK);
  assert_non_null(point.view.place);
  return point.view.place->function;
}
#define PLACE_OF(frames) place_of(frames, sizeof frames / sizeof *frames)

static void who_was_called_is_the_place(void **state) {
  (void)state;
  const struct hp_frame frames[] = {
      FRAME("CRYPTO_zalloc", CRYPTO), FRAME(NULL, CRYPTO), FRAME(NULL, CRYPTO),
      FRAME("ASN1_item_new", CRYPTO), FRAME("main", APP)};
  assert_string_equal(PLACE_OF(frames), "ASN1_item_new");
}

static void a_function_of_another_library_is_not(void **state) {
  (void)state;
  const struct hp_frame frames[] = {FRAME("CRYPTO_zalloc", CRYPTO),
                                    FRAME(NULL, CRYPTO), FRAME("SSL_new", SSL),
                                    FRAME("main", APP)};
  assert_null(PLACE_OF(frames));
}

static void
a_function_of_the_program_without_a_name_is_the_place(void **state) {
  (void)state;
  const struct hp_frame frames[] = {FRAME("xmalloc", APP), FRAME(NULL, APP),
                                    FRAME("main", APP)};
  assert_null(PLACE_OF(frames));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(who_was_called_is_the_place),
      cmocka_unit_test(a_function_of_another_library_is_not),
      cmocka_unit_test(a_function_of_the_program_without_a_name_is_the_place)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
