/* test_site.c - patterns, the allocator's frames, and the choice of the site.
   Names are as the demangler writes them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/pattern.h"
#include "frame_list.h"
#include "resolve/site.h"

static void wildcards(void **state) {
  (void)state;
  assert_true(hp_pattern_matches("a*c", "abbc"));
  assert_true(hp_pattern_matches("a*c", "ac"));
  assert_false(hp_pattern_matches("a*c", "acd"));
  assert_true(hp_pattern_matches("?b", "ab"));
  assert_false(hp_pattern_matches("?b", "b"));
  assert_true(hp_pattern_matches("*", ""));
  assert_true(hp_pattern_matches("", ""));
  assert_false(hp_pattern_matches("", "a"));
  assert_true(hp_pattern_matches("*ab*ab", "abab"));
  assert_true(hp_pattern_matches("*aab", "aaaab"));
  assert_false(hp_pattern_matches("*", NULL));
}

static void wildcards_take_no_exponential_time(void **state) {
  (void)state;
  char text[2001], pattern[201];
  memset(text, 'a', 2000);
  text[2000] = 0;
  for (int i = 0; i < 200; i += 2)
    memcpy(pattern + i, "*a", 2);
  pattern[198] = '*';
  pattern[199] = 'b';
  pattern[200] = 0;
  assert_false(hp_pattern_matches(pattern, text));
}

static void pattern_without_wildcards_finds_substrings(void **state) {
  (void)state;
  assert_true(hp_pattern_finds("loc", "malloc"));
  assert_false(hp_pattern_finds("Loc", "malloc"));
  assert_false(hp_pattern_finds("?loc", "malloc"));
}

static void named(struct hp_frame *frames, const char *const *names,
                  size_t count) {
  for (size_t i = 0; i < count; i++)
    frames[i] = (struct hp_frame){.function = names[i]};
}

static void leaf_frames_of_the_allocator_are_left_out(void **state) {
  (void)state;
  static const char *const names[] = {"__interceptor_malloc",
                                      "operator new(unsigned long)", "make",
                                      "malloc", "main"};
  struct hp_frame frames[5];
  named(frames, names, 5);
  assert_int_equal(hp_site_skip(hp_frame_list(frames, 5), 5), 2);
  assert_string_equal(hp_site_of(hp_frame_list(frames + 2, 3), 3)->function,
                      "make");
}

static void names_that_only_look_alike_stay(void **state) {
  (void)state;
  static const char *const names[] = {"my_malloc",
                                      "xmalloc",
                                      "pool::malloc",
                                      "operator newline(int)",
                                      "Arena::operator new(unsigned long)",
                                      "std::allocator_like<int>::allocate()"};
  for (size_t i = 0; i < 6; i++) {
    struct hp_frame frame;
    named(&frame, &names[i], 1);
    assert_int_equal(hp_site_skip(hp_frame_list(&frame, 1), 1), 0);
    assert_ptr_equal(hp_site_of(hp_frame_list(&frame, 1), 1), &frame);
  }
}

static void site_is_behind_the_plumbing_which_stays_in_the_stack(void **state) {
  (void)state;
  static const char *const names[] = {
      "operator new(unsigned long, std::align_val_t)",
      "std::__new_allocator<int>::allocate(unsigned long, void const*)",
      "std::allocator<int>::allocate(unsigned long)",
      "std::allocator_traits<std::allocator<int> >::allocate("
      "std::allocator<int>&, unsigned long)",
      "std::_Vector_base<int, std::allocator<int> >::_M_allocate(unsigned "
      "long)",
      "main"};
  struct hp_frame frames[6];
  named(frames, names, 6);
  assert_int_equal(hp_site_skip(hp_frame_list(frames, 6), 6), 1);
  assert_ptr_equal(hp_site_of(hp_frame_list(frames + 1, 5), 5), &frames[5]);
  named(frames, names, 6); /* roles are kept */
  frames[4].file = "/home/me/vector.h";
  assert_ptr_equal(hp_site_of(hp_frame_list(frames + 1, 5), 5), &frames[4]);
  named(frames, names, 6);
  frames[4].file = "/usr/include/c++/12/bits/stl_vector.h";
  assert_ptr_equal(hp_site_of(hp_frame_list(frames + 1, 5), 5), &frames[5]);
}

static void library_code_is_told_by_its_place_not_its_name(void **state) {
  (void)state;
  struct hp_frame frames[] = {
      {.function = "std::string::_M_create(unsigned long&, unsigned long)",
       .module = "/usr/lib/x86_64-linux-gnu/libstdc++.so.6"},
      {.function = "std::vector<int> make_one<int>(int)",
       .file = "/home/me/make.cpp",
       .module = "/bin/app"}};
  assert_ptr_equal(hp_site_of(hp_frame_list(frames, 2), 2), &frames[1]);
  /* nothing better */
  assert_ptr_equal(hp_site_of(hp_frame_list(frames, 1), 1), &frames[0]);
}

/* Those of one machine lie apart, and have names that are not std's. */
static void headers_of_the_machine_are_library_code(void **state) {
  (void)state;
  struct hp_frame frames[] = {
      {.function = "__gthread_once(int*, void (*)())",
       .file = "/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/"
               "x86_64-linux-gnu/c++/12/bits/gthr-default.h",
       .module = "/bin/app"},
      {.function = "work()",
       .file = "/home/me/work.cpp",
       .module = "/bin/app"}};
  assert_ptr_equal(hp_site_of(hp_frame_list(frames, 2), 2), &frames[1]);
}

static void of_library_code_alone_the_outermost_is_told(void **state) {
  (void)state;
  static const char *const names[] = {
      "operator delete(void*)",
      "std::__new_allocator<int>::deallocate(int*, unsigned long)",
      "std::vector<int>::_M_realloc_append(int&&)"};
  struct hp_frame frames[3];
  named(frames, names, 3);
  frames[2].file = "/usr/include/c++/12/bits/vector.tcc";
  assert_ptr_equal(hp_site_of(hp_frame_list(frames, 3), 3), &frames[2]);
}

static void plumbing_of_other_libraries(void **state) {
  (void)state;
  static const char *const names[] = {
      "__gnu_cxx::new_allocator<char>::allocate(unsigned long, void const*)",
      "__gnu_cxx::__alloc_traits<std::allocator<int>, int>::allocate("
      "std::allocator<int>&, unsigned long)",
      "void* std::__1::__libcpp_allocate[abi:v160006](unsigned long, unsigned "
      "long)",
      "std::__1::allocator<int>::allocate[abi:v160006](unsigned long)",
      "void std::__1::__libcpp_deallocate[abi:v220108]<int>(std::__1::__type_"
      "identity<int>::type*, std::__1::__element_count, unsigned long)",
      "std::__1::allocator<int>::deallocate[abi:v220108](int*, unsigned long)",
      "user"};
  struct hp_frame frames[7];
  named(frames, names, 7);
  assert_ptr_equal(hp_site_of(hp_frame_list(frames, 7), 7), &frames[6]);
}

/* Without source lines the class tells, whatever the result, and not what a name has inside. */
static void members_of_containers_are_plumbing(void **state) {
  (void)state;
  static const char *const plumbing[] = {
      "void std::vector<Line>::_M_realloc_insert<Line>(Line&&)",
      "std::vector<int>::vector(std::vector<int> const&)",
      "std::__cxx11::basic_string<char>::_M_create(unsigned long&, unsigned "
      "long)",
      "int* std::__do_uninit_copy<int const*, int*>(int const*, int const*, "
      "int*)",
      "std::__cxx11::_List_base<long, std::allocator<long> >::_M_get_node()",
      "std::_Bvector_base<std::allocator<bool> >::_M_allocate(unsigned long)",
      "std::map<int, long>::operator[](int const&)",
      "std::__detail::_Hashtable_alloc<std::allocator<int> >::_M_deallocate_"
      "buckets(std::__detail::_Hash_node_base**, unsigned long)",
      "std::priority_queue<int, std::vector<int> >::push(int const&)",
      "std::__1::__split_buffer<int, std::__1::allocator<int> >::__split_"
      "buffer(unsigned long, unsigned long, std::__1::allocator<int>&)",
      "void std::__1::__hash_table<int>::__do_rehash<true>(unsigned long)",
      "std::__1::vector<int>::__vallocate[abi:nqe220108](unsigned long)",
      "std::__1::unique_ptr<std::__1::__hash_node_base<int>*[], std::__1::__"
      "bucket_list_deallocator<int> >::reset[abi:nqe220108]()",
      "void std::__1::__uninitialized_allocator_relocate<int>(int*)",
      "void std::__1::__if_likely_else[abi:nqe220108]<std::__1::vector<int>::"
      "emplace_back<int const&>(int const&)::{lambda()#1}>(bool)",
      "_ZNSt3__125__try_key_extraction_implB9nqe220108IiTnNS_9enable_ifE"};
  static const char *const own[] = {
      "std::vector<int> make_one<int>(int)",
      "std::vector<int> Stack<int>::emplace_back<int>(int)",
      "Stack<std::vector<int> >::push_back(int)",
      "mystd::vector<int>::push_back(int)",
      "std::__1::function<void ()>::operator()() const",
      "_ZNSt3__2mineE",
      "std::__1mine::vector<int>::push_back(int)",
      "std::__1::unique_ptr<Line>::reset[abi:nqe220108](Line*)",
      "stdx::list<int>::push_back(int)",
      "std::_Function_handler<void (), run()::{lambda()#1}>::_M_invoke()",
      "std::hash<Line>::operator()(Line const&) const"};
  struct hp_frame frames[2];
  for (size_t i = 0; i < sizeof plumbing / sizeof *plumbing; i++) {
    named(frames, &(const char *[]){plumbing[i], "main"}[0], 2);
    assert_ptr_equal(hp_site_of(hp_frame_list(frames, 2), 2), &frames[1]);
  }
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
    named(frames, &(const char *[]){own[i], "main"}[0], 2);
    assert_ptr_equal(hp_site_of(hp_frame_list(frames, 2), 2), &frames[0]);
  }
}

static void stack_of_nothing_but_the_allocator_has_no_site(void **state) {
  (void)state;
  static const char *const names[] = {"malloc"};
  struct hp_frame frame;
  named(&frame, names, 1);
  assert_int_equal(hp_site_skip(hp_frame_list(&frame, 1), 1), 1);
  assert_null(hp_site_of(hp_frame_list(&frame, 1), 1));
  assert_null(hp_site_of(NULL, 0));
}

static void unknown_functions_can_be_the_site(void **state) {
  (void)state;
  const struct hp_frame frame = {.module = "/bin/app", .address = 16};
  assert_int_equal(hp_site_skip(hp_frame_list(&frame, 1), 1), 0);
  assert_ptr_equal(hp_site_of(hp_frame_list(&frame, 1), 1), &frame);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wildcards),
      cmocka_unit_test(wildcards_take_no_exponential_time),
      cmocka_unit_test(pattern_without_wildcards_finds_substrings),
      cmocka_unit_test(leaf_frames_of_the_allocator_are_left_out),
      cmocka_unit_test(names_that_only_look_alike_stay),
      cmocka_unit_test(site_is_behind_the_plumbing_which_stays_in_the_stack),
      cmocka_unit_test(members_of_containers_are_plumbing),
      cmocka_unit_test(library_code_is_told_by_its_place_not_its_name),
      cmocka_unit_test(headers_of_the_machine_are_library_code),
      cmocka_unit_test(of_library_code_alone_the_outermost_is_told),
      cmocka_unit_test(plumbing_of_other_libraries),
      cmocka_unit_test(stack_of_nothing_but_the_allocator_has_no_site),
      cmocka_unit_test(unknown_functions_can_be_the_site),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
