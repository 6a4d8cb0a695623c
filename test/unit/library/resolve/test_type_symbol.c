/* test_type_symbol.c - which functions tell what they allocate, which do not.
   Names are as the demangler writes them, innermost frame first.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "frame_list.h"
#include "resolve/type_symbol.h"

#define FRAMES_MAX 8

/* NULL ends FUNCTIONS; FILES may be NULL. */
static void expect(const char *type, enum hp_provenance provenance,
                   const char *const *functions, const char *const *files) {
  struct hp_frame frames[FRAMES_MAX] = {0};
  size_t count = 0;
  for (; functions[count]; count++) {
    assert_true(count < FRAMES_MAX);
    frames[count].function = functions[count];
    frames[count].file = files ? files[count] : NULL;
  }
  struct hp_store store = {0};
  struct hp_error error = {0};
  const char *found = "not set";
  enum hp_provenance how = HP_PROVENANCE_UNKNOWN;
  assert_int_equal(hp_type_by_symbol(&store, hp_frame_list(frames, count),
                                     count, &found, &how, &error),
                   HP_OK);
  if (type) {
    assert_non_null(found);
    assert_string_equal(found, type);
  } else {
    assert_null(found);
  }
  assert_int_equal(how, provenance);
  hp_store_free(&store);
}

#define EXPECT(type, provenance, ...)                                          \
  expect(type, HP_PROVENANCE_##provenance,                                     \
         (const char *const[]){__VA_ARGS__, NULL}, NULL)
#define EXPECT_NONE(...) EXPECT(NULL, UNKNOWN, __VA_ARGS__)

static void allocators_name_their_element(void **state) {
  (void)state;
  EXPECT("Q", INSTANTIATION,
         "std::__new_allocator<Q>::allocate(unsigned long, void const*)");
  EXPECT("std::pair<int const, std::vector<Q, std::allocator<Q> > >",
         INSTANTIATION,
         "std::allocator_traits<std::allocator<std::pair<int const, "
         "std::vector<Q, std::allocator<Q> > > > >::allocate()",
         "std::__new_allocator<std::pair<int const, std::vector<Q, "
         "std::allocator<Q> > > >::allocate(unsigned long, void const*)");
  EXPECT("Q", INSTANTIATION, "Q* my::Allocator<Q, 16>::allocate(int)");
  EXPECT("int (*)(int, char)", INSTANTIATION,
         "Alloc<int (*)(int, char), 3>::allocate(unsigned long)");
}

static void others_name_no_element(void **state) {
  (void)state;
  EXPECT_NONE("Buffer<Q>::allocate(unsigned long)"); /* no allocator */
  EXPECT_NONE("std::allocator<Q>::deallocate(Q*, unsigned long)");
  EXPECT_NONE("std::allocator<void>::allocate(unsigned long)");
  EXPECT_NONE("allocate(unsigned long)");
  EXPECT_NONE("xalloc(unsigned long)");
  /* Cut and torn names, as of a broken symbol table. */
  EXPECT_NONE(">::allocate(");
  EXPECT_NONE(">>>::allocate(unsigned long)");
  EXPECT_NONE("Alloc>::allocate(unsigned long)");
  EXPECT_NONE("Alloc<>::allocate(unsigned long)");
  EXPECT_NONE("");
}

static void libraries_are_known(void **state) {
  (void)state;
  EXPECT("char", SYMBOL,
         "std::__cxx11::basic_string<char, std::char_traits<char>, "
         "std::allocator<char> >::_M_create(unsigned long&, unsigned long)");
  EXPECT("wchar_t", SYMBOL,
         "std::__cxx11::basic_string<wchar_t, std::char_traits<wchar_t>, "
         "std::allocator<wchar_t> >::reserve(unsigned long)");
  EXPECT("FILE", SYMBOL, "fopen64", "main");
  EXPECT("FILE", SYMBOL, "__fopen_internal", "fopen", "main");
  EXPECT("stdio buffer", SYMBOL, "_IO_file_doallocate", "_IO_doallocbuf");
  EXPECT("DIR", SYMBOL, "__alloc_dir", "opendir");
  EXPECT("exception object", SYMBOL, "__cxa_allocate_exception", "f()");
  EXPECT("dependent exception", SYMBOL, "__cxa_rethrow_primary_exception",
         "std::rethrow_exception(std::exception_ptr)", "main");
  EXPECT("pmr block", SYMBOL,
         "std::pmr::monotonic_buffer_resource::_M_new_buffer(unsigned long, "
         "unsigned long)",
         "main");
  EXPECT("pmr block", SYMBOL,
         "std::__1::pmr::monotonic_buffer_resource::do_allocate(unsigned long, "
         "unsigned long)",
         "std::__1::pmr::unsynchronized_pool_resource::do_allocate(unsigned "
         "long, unsigned long)",
         "main");
  EXPECT("char", SYMBOL,
         "std::__1::basic_string<char, std::__1::char_traits<char>, "
         "std::__1::allocator<char> >::push_back(char)",
         "main");
  EXPECT("obstack block", SYMBOL, "_obstack_begin", "main");
  EXPECT("obstack block", SYMBOL, "_obstack_newchunk", "main");
  EXPECT("char", SYMBOL, "__GI__IO_str_overflow", "asprintf", "main");
}

/* Of a chunk that two FRAMES allocated. */
static enum hp_provenance provenance_by(struct hp_frame *frames) {
  struct hp_store store = {0};
  struct hp_error error = {0};
  const char *found = NULL;
  enum hp_provenance how = HP_PROVENANCE_UNKNOWN;
  assert_int_equal(hp_type_by_symbol(&store, hp_frame_list(frames, 2), 2,
                                     &found, &how, &error),
                   HP_OK);
  hp_store_free(&store);
  return how;
}

/* What libstdc++ does not export has no name; its own callers have. */
static void nameless_frames_of_the_library_are_passed(void **state) {
  (void)state;
  for (int nameless_is_library = 0; nameless_is_library < 2;
       nameless_is_library++) {
    struct hp_frame frames[] = {
        {.module = nameless_is_library ? "/usr/lib/libstdc++.so.6.0.30"
                                       : "/usr/bin/program"},
        {.function = "std::pmr::unsynchronized_pool_resource::do_allocate("
                     "unsigned long, unsigned long)"}};
    assert_int_equal(provenance_by(frames), nameless_is_library
                                                ? HP_PROVENANCE_SYMBOL
                                                : HP_PROVENANCE_UNKNOWN);
  }
}

static void what_looks_alike_is_not_known(void **state) {
  (void)state;
  EXPECT_NONE("my_fopen", "main");
  EXPECT_NONE("getline_of(char const*)");
  EXPECT_NONE("std::__cxx11::basic_regex<char>::compile()");
}

static void only_inner_frames_tell(void **state) {
  (void)state;
  EXPECT("FILE", SYMBOL, "a", "b", "c", "fopen");
  EXPECT_NONE("a", "b", "c", "d", "fopen");
  EXPECT_NONE("main");
  expect(NULL, HP_PROVENANCE_UNKNOWN, (const char *const[]){NULL}, NULL);
}

static void unknown_functions_end_the_search(void **state) {
  (void)state;
  struct hp_frame frames[2] = {{0}};
  frames[1].function = "fopen";
  struct hp_store store = {0};
  struct hp_error error = {0};
  const char *found = "not set";
  enum hp_provenance how = HP_PROVENANCE_UNKNOWN;
  assert_int_equal(hp_type_by_symbol(&store, hp_frame_list(frames, 2), 2,
                                     &found, &how, &error),
                   HP_OK);
  assert_null(found);
  hp_store_free(&store);
}

/* A program that calls fopen is not told by it what it allocated before. */
static void own_code_ends_the_search(void **state) {
  (void)state;
  expect(NULL, HP_PROVENANCE_UNKNOWN,
         (const char *const[]){"callback", "fopencookie", NULL},
         (const char *const[]){"/home/me/callback.c", NULL});
  expect("FILE", HP_PROVENANCE_SYMBOL,
         (const char *const[]){"helper", "fopen", NULL},
         (const char *const[]){"/usr/src/libc/helper.c", NULL});
  /* Its own frame may tell nevertheless: a container in the program. */
  expect("Q", HP_PROVENANCE_INSTANTIATION,
         (const char *const[]){"Alloc<Q>::allocate(unsigned long)", NULL},
         (const char *const[]){"/home/me/alloc.h"});
}

/* Nor where its code has no lines, and its module says whose it is. */
static void code_without_lines_ends_the_search(void **state) {
  (void)state;
  static const char *const modules[] = {"/usr/bin/program",
                                        "/lib/x86_64-linux-gnu/libc.so.6"};
  for (size_t i = 0; i < 2; i++) {
    struct hp_frame frames[] = {{.function = "compare", .module = modules[i]},
                                {.function = "qsort", .module = modules[1]}};
    assert_int_equal(provenance_by(frames),
                     i == 0 ? HP_PROVENANCE_UNKNOWN : HP_PROVENANCE_SYMBOL);
  }
  EXPECT_NONE("std::thread::_State_impl<std::thread::_Invoker<std::tuple<void "
              "(*)()>>>::_M_run()");
}

static void numbers_and_pointers_have_no_members(void **state) {
  (void)state;
  assert_true(hp_type_is_scalar("unsigned long"));
  assert_true(hp_type_is_scalar("struct node *"));
  assert_true(hp_type_is_scalar("void (*)(int)"));
  assert_false(hp_type_is_scalar("node"));
  assert_false(hp_type_is_scalar("long node"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(allocators_name_their_element),
      cmocka_unit_test(others_name_no_element),
      cmocka_unit_test(libraries_are_known),
      cmocka_unit_test(nameless_frames_of_the_library_are_passed),
      cmocka_unit_test(what_looks_alike_is_not_known),
      cmocka_unit_test(only_inner_frames_tell),
      cmocka_unit_test(unknown_functions_end_the_search),
      cmocka_unit_test(own_code_ends_the_search),
      cmocka_unit_test(code_without_lines_ends_the_search),
      cmocka_unit_test(numbers_and_pointers_have_no_members),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
