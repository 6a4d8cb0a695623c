/* test_member_name.c - tests of member_name.c: names as demanglers write them.
   Each is a real one, shortened.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "text/member_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void check(const char *function, const char *scope, const char *member,
                  const char *parameters, bool constructs, bool copies) {
  struct hp_member_name name = hp_member_parse(function);
  assert_int_equal(name.scope.length, strlen(scope));
  assert_memory_equal(name.scope.begin, scope, strlen(scope));
  assert_int_equal(name.member.length, strlen(member));
  assert_memory_equal(name.member.begin, member, strlen(member));
  assert_int_equal(name.parameters.length, strlen(parameters));
  assert_memory_equal(name.parameters.begin, parameters, strlen(parameters));
  assert_int_equal(hp_member_is_constructor(&name), constructs);
  assert_int_equal(hp_member_copies(&name), copies);
}

static void test_constructors(void **state) {
  (void)state;
  check("Record::Record(int)", "Record", "Record", "int", true, false);
  check("Record::Record(Record const&)", "Record", "Record", "Record const&",
        true, true);
  check("std::vector<int, A<int> >::vector(std::vector<int, A<int> > const&, "
        "A<int> const&)",
        "std::vector<int, A<int> >", "vector",
        "std::vector<int, A<int> > const&, A<int> const&", true, true);
  /* libc++'s have the tag of its version. */
  check("std::__1::map<int, A<int> >::map[abi:ne200100](std::__1::map<int, "
        "A<int> > const&)",
        "std::__1::map<int, A<int> >", "map",
        "std::__1::map<int, A<int> > const&", true, true);
  check("std::__1::set<int>::operator=[abi:ne200100](std::__1::set<int> "
        "const&)",
        "std::__1::set<int>", "operator=", "std::__1::set<int> const&", false,
        true);
  check("std::stack<int>::stack<std::deque<int>, void>()", "std::stack<int>",
        "stack<std::deque<int>, void>", "", true, false);
  check("std::queue<int>::queue(std::queue<int>&&)", "std::queue<int>", "queue",
        "std::queue<int>&&", true, false);
  check("(anonymous namespace)::T::T((anonymous namespace)::T const&)",
        "(anonymous namespace)::T", "T", "(anonymous namespace)::T const&",
        true, true);
  /* Of a named module. */
  check("Config@conf.core::Config(Config@conf.core const&)", "Config@conf.core",
        "Config", "Config@conf.core const&", true, true);
  check("Box@shapes<int>::Box(int)", "Box@shapes<int>", "Box", "int", true,
        false);
}

/* Copies of what is declared in a function have that one's parameters in their scope. */
static void test_local_names(void **state) {
  (void)state;
  check("queues()::$_0::$_0($_0 const&)", "queues()::$_0", "$_0", "$_0 const&",
        true, true);
  check("a::f(int) const::T::T(T const&)", "a::f(int) const::T", "T",
        "T const&", true, true);
  const struct hp_member_name lambda =
      hp_member_parse("f()::$_0::$_0($_0 const&)");
  const struct hp_member_name inside =
      hp_member_parse("f()::$_0::operator()(int) const");
  assert_true(hp_member_is_of_lambda(&lambda));
  assert_false(hp_member_is_of_lambda(&inside));
  check("F<int ()> f<int>(int)::'lambda'(long)::('lambda'(long) const&)",
        "f<int>(int)::'lambda'(long)", "", "'lambda'(long) const&", true, true);
  check("f(int)::{lambda(long)#1}::basic_string({lambda(long)#1} const&)",
        "f(int)::{lambda(long)#1}", "basic_string", "{lambda(long)#1} const&",
        true, true);
  check("f(int)::'lambda'(long)::('lambda'(long)&&)", "f(int)::'lambda'(long)",
        "", "'lambda'(long)&&", true, false);
  check("main::$_0::$_0($_0 const&)", "main::$_0", "$_0", "$_0 const&", true,
        true);
  check("f(int)::A::B::B(A::B const&)", "f(int)::A::B", "B", "A::B const&",
        true, true);
  check("a::C::f(int)::'lambda'(long)::operator()(long) const", "a::C", "f",
        "int)::'lambda'(long)::operator()(long", false, false);
  check("f(int)::T::operator=(U const&)", "", "f",
        "int)::T::operator=(U const&", false, false);
}

static void test_others(void **state) {
  (void)state;
  check("main", "", "", "", false, false);
  check("f(int)", "", "f", "int", false, false);
  check("Record::operator=(Record const&)", "Record",
        "operator=", "Record const&", false, true);
  check("bool operator<(A<int> const&, A<int> const&)", "", "operator<",
        "A<int> const&, A<int> const&", false, false);
  check("P& std::vector<P>::emplace_back<P>(P&&)", "std::vector<P>",
        "emplace_back<P>", "P&&", false, false);
  check("Functor::operator()(Functor const&) const", "Functor", "operator()",
        "Functor const&", false, false);
  check("decltype (f((g<V<int> >)())) M<A, V<int> >::operator[]<long, M<int> >"
        "(long const&)",
        "M<A, V<int> >", "operator[]<long, M<int> >", "long const&", false,
        false);
  check("bool a::operator==<int>(a::B<int> const&)", "a", "operator==<int>",
        "a::B<int> const&", false, false);
  check("std::ostream& a::operator<< <int>(std::ostream&, a::B<int> const&)",
        "a", "operator<< <int>", "std::ostream&, a::B<int> const&", false,
        false);
  check("Record::operator new(unsigned long)", "Record", "operator new",
        "unsigned long", false, false);
  check("a::V<int>::operator delete[](void*)", "a::V<int>", "operator delete[]",
        "void*", false, false);
  check("operator new(unsigned long, Pool&)", "", "operator new",
        "unsigned long, Pool&", false, false);
  check("Record::operator std::function<void (int)> const&() const", "Record",
        "operator std::function<void (int)> const&", "", false, false);
  check("Record::merge(Record const&)", "Record", "merge", "Record const&",
        false, false);
}

static void test_arithmetic(void **state) {
  static const char *const makes_new[] = {
      "operator+(Matrix const&, Matrix const&)",
      "Parser::operator|(Parser const&) const",
      "V<int> operator-<int>(V<int> const&, V<int> const&)",
      "a::Number::operator%(long) const"};
  static const char *const does_not[] = {
      "Matrix::operator+=(Matrix const&)",
      "Matrix::operator=(Matrix const&)",
      "Handle::operator->() const",
      "Counter::operator++()",
      "operator<<(std::ostream&, Matrix const&)",
      "operator&&(Flag const&, Flag const&)",
      "Record::operator bool() const",
      "operator new(unsigned long)",
      "add(Matrix const&, Matrix const&)"};
  (void)state;
  for (size_t i = 0; i < sizeof makes_new / sizeof *makes_new; i++) {
    const struct hp_member_name name = hp_member_parse(makes_new[i]);
    assert_true(hp_member_is_arithmetic(&name));
  }
  for (size_t i = 0; i < sizeof does_not / sizeof *does_not; i++) {
    const struct hp_member_name name = hp_member_parse(does_not[i]);
    assert_false(hp_member_is_arithmetic(&name));
  }
}

/* Nothing is asked of the text: it comes out of a file. */
static void test_assignments(void **state) {
  (void)state;
  static const char *const assign[] = {
      "Text& Text::operator=(std::string const&)",
      "std::string::operator=(std::string const&)",
      "std::vector<int>::assign(int*, int*)"};
  static const char *const others[] = {
      "Text::Text(Text const&)", "bool operator==(Text, Text)",
      "Text::operator+=(Text const&)", "Text::reassign(int)"};
  for (size_t i = 0; i < sizeof assign / sizeof *assign; i++) {
    const struct hp_member_name name = hp_member_parse(assign[i]);
    assert_true(hp_member_is_assignment(&name));
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    const struct hp_member_name name = hp_member_parse(others[i]);
    assert_false(hp_member_is_assignment(&name));
  }
}

static void test_broken_names(void **state) {
  static const char *const names[] = {
      "",    "(",     ")",        "<",       ">",           "::",       "a::",
      "::(", "a<b(",  "operator", "a::b<(",  "operator()(", "{lambda(", ">>>>(",
      "x (", "f()::", "f()::(",   "f()::()", "f()::g()::("};
  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct hp_member_name name = hp_member_parse(names[i]);
    assert_false(hp_member_copies(&name));
    assert_false(hp_member_is_constructor(&name));
    assert_false(hp_member_is_arithmetic(&name));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_constructors), cmocka_unit_test(test_local_names),
      cmocka_unit_test(test_others),       cmocka_unit_test(test_arithmetic),
      cmocka_unit_test(test_assignments),  cmocka_unit_test(test_broken_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
