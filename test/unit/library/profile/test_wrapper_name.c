/* test_wrapper_name.c - wrapper_name.h: names of functions that pass memory on.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "profile/wrapper_name.h"

static bool wraps(const char *function) {
  return hp_is_wrapper_name(hp_bare_name(function));
}

static void a_wrapper_is_called_as_libc_is(void **state) {
  (void)state;
  assert_true(wraps("xmalloc"));
  assert_true(wraps("emalloc_real"));
  assert_true(wraps("exif_mem_realloc_func"));
  assert_true(wraps("xmlStrndup"));
  assert_true(wraps("xvasprintf"));
  assert_true(wraps("Jim_StrDupLen"));
  assert_true(wraps("xstrdup_len"));
  assert_true(wraps("xcharalloc"));
  assert_true(wraps("xalignalloc"));
  assert_true(wraps("xpalloc"));
  assert_true(wraps("uv__reallocf"));
  assert_true(wraps("xstrdup_or_null"));
  assert_true(wraps("xmallocz_gently"));
  assert_true(wraps("xrealloc [clone .part.0]"));
  assert_true(wraps("util::xcalloc(unsigned long, unsigned long)"));
  assert_true(wraps("FLAC__memory_alloc_aligned_int64_array"));
  assert_true(wraps("allocateArray"));
  assert_false(wraps("read_array"));
  assert_false(wraps("alloc_array_of_rooms"));
  assert_false(wraps("malloc_table"));
  assert_false(wraps("xpalloc_nodes"));
  assert_false(wraps("name_of"));
  assert_false(wraps("free_all"));
}

static void arrays_are_made_by_who_says_so_or_what(void **state) {
  (void)state;
  assert_true(hp_is_array_maker_name("AllocateFloatMtx"));
  assert_true(hp_is_array_maker_name("vector"));
  assert_true(hp_is_array_maker_name("dvector"));
  assert_true(hp_is_array_maker_name("imatrix(long, long, long, long)"));
  assert_true(hp_is_array_maker_name("f3tensor"));
  assert_false(hp_is_array_maker_name("read_matrix"));
  assert_false(hp_is_array_maker_name("free_vector"));
  assert_false(hp_is_array_maker_name("dvector_copy"));
  assert_false(hp_is_array_maker_name("std::vector<int>::push_back(int)"));
  assert_false(hp_is_array_maker_name("tor"));
  assert_true(hp_is_array_name("dmatrix"));
  assert_false(hp_is_array_name("alloc_ints"));
}

static void room_is_made_by_a_function_of_c_that_says_so(void **state) {
  (void)state;
  assert_true(hp_says_it_makes_room("strbuf_grow"));
  assert_true(hp_says_it_makes_room("AcquireQuantumMemory"));
  assert_true(hp_says_it_makes_room("ResizeMagickMemory"));
  assert_false(hp_says_it_makes_room("QuantumMemory::table(int)"));
  assert_false(hp_says_it_makes_room("load_into_memory"));
}

static bool holds(const char *class) {
  return hp_is_container_name(
      (struct hp_text_part){.begin = class, .length = strlen(class)});
}

static void a_container_is_a_template_that_says_so(void **state) {
  (void)state;
  assert_true(holds("SafeVector<int>"));
  assert_true(holds("a::SmallVector<a::Map<int>, 4>"));
  assert_true(holds("x::RefVectorOf<x::ValueStackOf<unsigned long>>"));
  assert_true(holds("x::RefHashTableOf<x::Store, x::PtrHasher>"));
  assert_false(holds("SafeVector"));
  assert_false(holds("ListOf"));
  assert_false(holds("Of<int>"));
  assert_false(holds("ProofOf<int>"));
  assert_false(holds("x::RefHashTableOfEnumerator<int>"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_wrapper_is_called_as_libc_is),
      cmocka_unit_test(arrays_are_made_by_who_says_so_or_what),
      cmocka_unit_test(room_is_made_by_a_function_of_c_that_says_so),
      cmocka_unit_test(a_container_is_a_template_that_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
