/* test_type_text.c - names of types as the table shows them.
   Rows of name and what it becomes.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "type_text.h"

static void becomes(const char *name, const char *expected) {
  char *text = hp_type_short(name);
  assert_string_equal(text, expected);
  free(text);
}

static void names_without_templates(void **state) {
  (void)state;
  becomes("", "");
  becomes("int", "int");
  becomes("Q *", "Q *");
  becomes("(lambda at a.cpp:3:5)", "(lambda at a.cpp:3:5)");
}

static void default_arguments_go(void **state) {
  (void)state;
  becomes("std::vector<int, std::allocator<int> >", "std::vector<int>");
  becomes("std::vector<std::vector<Q, std::allocator<Q>>, "
          "std::allocator<std::vector<Q, std::allocator<Q>>>> *",
          "std::vector<std::vector<Q>> *");
  becomes("std::map<int, Q, std::less<int>, std::allocator<Q> >::iterator",
          "std::map<int, Q>::iterator");
  becomes("std::__cxx11::list<int, std::allocator<int> >", "std::list<int>");
  becomes("std::mersenne_twister_engine<unsigned long, 32, 624, 397, 31, 7>",
          "std::mt19937");
  becomes("std::mersenne_twister_engine<unsigned long, 64ul, 312ul, 156ul>",
          "std::mt19937_64");
  becomes("std::allocator<int>", "std::allocator<int>");
  becomes("pool<std::allocator<int>>", "pool<std::allocator<int>>");
}

static void strings(void **state) {
  (void)state;
  becomes("std::basic_string<char>", "std::string");
  becomes("std::__cxx11::basic_string<char, std::char_traits<char>, "
          "std::allocator<char> > *",
          "std::string *");
  becomes("std::__cxx11::basic_stringbuf<char, std::char_traits<char>, "
          "std::allocator<char> >",
          "std::stringbuf");
  becomes("std::basic_string<char16_t>", "std::basic_string<char16_t>");
  becomes("join(char const*, std::__cxx11::basic_string<char, "
          "std::char_traits<char>, std::allocator<char> > const&)",
          "join(char const*, std::string const&)");
}

static void nodes(void **state) {
  (void)state;
  becomes("std::_Rb_tree_node<std::pair<const int, Q>>",
          "std::map<int, Q> node");
  becomes("std::_Rb_tree_node<std::pair<const std::basic_string<char>, "
          "std::vector<Q, std::allocator<Q> > > >",
          "std::map<std::string, std::vector<Q>> node");
  becomes("std::_Rb_tree_node<Q>", "std::set<Q> node");
  becomes("std::_List_node<Q>", "std::list<Q> node");
  becomes("std::__detail::_Hash_node<std::pair<const int, Q>, false>",
          "std::unordered_map<int, Q> node");
  becomes("std::__detail::_Hash_node<Q, true>", "std::unordered_set<Q> node");
  becomes("std::__detail::_Hash_node_base *", "std::unordered_map buckets");
  becomes("std::_Sp_counted_ptr_inplace<Q, std::allocator<void>, "
          "__gnu_cxx::_S_atomic>",
          "std::make_shared<Q>");
}

static void checked_library(void **state) {
  (void)state;
  becomes("std::__debug::vector<int, std::allocator<int> >",
          "std::vector<int>");
  becomes("std::__debug::map<int, std::__debug::vector<Q, std::allocator<Q> >, "
          "std::less<int>, std::allocator<std::pair<int const, "
          "std::__debug::vector<Q, std::allocator<Q> > > > >",
          "std::map<int, std::vector<Q>>");
  becomes("std::__cxx1998::vector<Q, std::allocator<Q> >", "std::vector<Q>");
}

static void libcpp(void **state) {
  (void)state;
  becomes("std::__1::basic_string<char, std::__1::char_traits<char>, "
          "std::__1::allocator<char> > *",
          "std::string *");
  becomes("std::__1::vector<Q, std::__1::allocator<Q> >", "std::vector<Q>");
  becomes("std::__1::map<int, Q, std::__1::less<int>, "
          "std::__1::allocator<std::__1::pair<const int, Q> > >",
          "std::map<int, Q>");
  becomes("std::__1::__tree_node<std::__1::__value_type<int, Q>, void *>",
          "std::map<int, Q> node");
  becomes("std::__1::__tree_node<int, void *>", "std::set<int> node");
  becomes("std::__1::__list_node<Q, void *>", "std::list<Q> node");
  becomes("std::__1::__forward_list_node<Q, void *>",
          "std::forward_list<Q> node");
  becomes("std::__1::__hash_node<std::__1::__hash_value_type<std::__1::basic_"
          "string<char>, Q>, void *>",
          "std::unordered_map<std::string, Q> node");
  becomes("std::__1::__hash_node<Q, void *>", "std::unordered_set<Q> node");
  becomes("std::__1::__shared_ptr_emplace<Q, std::__1::allocator<Q> >",
          "std::make_shared<Q>");
  becomes("std::__1::__shared_ptr_pointer<Q *, std::__1::default_delete<Q>, "
          "std::__1::allocator<Q> >",
          "std::shared_ptr<Q> count");
  becomes("my::std::__1::x", "my::std::x");
  becomes("std::__1::", "std::");
  becomes("std::__10::x", "std::__10::x");
}

/* Any bytes whatever give some text, and nested nodes fit their room. */
static void strange_names(void **state) {
  (void)state;
  becomes("a<b", "a<b");
  becomes("a>b<", "a>b<");
  becomes("<<<>>>", "<<<>>>");
  becomes("std::_Rb_tree_node<>", "std::set<> node");
  char deep[20000] = "";
  for (int i = 0; i < 900; i++)
    strcat(deep, "std::_List_node<");
  for (int i = 0; i < 900; i++)
    strcat(deep, ">");
  char *text = hp_type_short(deep);
  assert_non_null(text);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_without_templates),
      cmocka_unit_test(default_arguments_go),
      cmocka_unit_test(strings),
      cmocka_unit_test(nodes),
      cmocka_unit_test(checked_library),
      cmocka_unit_test(libcpp),
      cmocka_unit_test(strange_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
