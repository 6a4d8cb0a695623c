/* test_demangle.c - names of C++, of Rust and of D, and what is none.
   A name that cannot be demangled stays as it is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "resolve/demangle.h"

static void check_name(const char *symbol, const char *expected) {
  char *name = hp_demangle(symbol);
  if (expected) {
    assert_non_null(name);
    assert_string_equal(name, expected);
  } else {
    assert_null(name);
  }
  free(name);
}

static void test_demangle(void **state) {
  (void)state;
  check_name("_ZN4shop5Store4sellEi", "shop::Store::sell(int)");
  check_name("_ZNSt6vectorIiSaIiEE9push_backERKi",
             "std::vector<int, std::allocator<int> >::push_back(int const&)");
  check_name("_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar");
  check_name("_ZN7mycrate3foo17h0123456789abcdefE", "mycrate::foo");
  check_name("_D4core6memory2GC6mallocFNbmkxC8TypeInfoZPv",
             "core.memory.GC.malloc(ulong, uint, const(TypeInfo))");
  check_name("_D3app__T4growTiZQiFNbKAiiZv",
             "app.grow!(int).grow(ref int[], int)");
  check_name("_Dmain", "D main");
  check_name("_DThn16_4core6memory2GC5queryFZv",
             "non-virtual thunk to core.memory.GC.query()");
  check_name("_DTi16_D4core6memory2GC5queryFZv",
             "non-virtual thunk to core.memory.GC.query()");
  check_name("_DThn16_", NULL);
  check_name("_DTi", NULL);
  check_name("_D4core", NULL);
  check_name("_Done", NULL);
  check_name("_D", NULL);
  check_name("work.omp_outlined_debug__", "work [clone .omp_outlined_debug__]");
  check_name("work._omp_fn.0", "work [clone ._omp_fn.0]");
  check_name("grow.part.0.constprop.0", "grow [clone .part.0.constprop.0]");
  check_name("main.main", NULL);
  check_name(".omp_outlined.", NULL);
  check_name("main", NULL);
  check_name("_d", NULL);
  check_name("_Z", NULL);
  check_name("_ZN", NULL);
  check_name("", NULL);
}

/* As clang 18 and later have it. */
static void what_declares_a_parameter_is_left_out(void **state) {
  (void)state;
#define ENABLED "TnPN9enable_ifIXsr3std10is_trivialIT_EE5valueEvE4typeELPv0EE"
  check_name("_ZN6vectorIcLb0EE4growIc" ENABLED "EPcj",
             "vector<char, false>::grow()");
  check_name("_ZNK6vectorIN2OT4LinkELb1EE4growIS2_" ENABLED "EPS2_j",
             "vector<OT::Link, true>::grow() const");
  check_name("_ZN6vectorIiEC2IcJ" ENABLED "EEEPT_", "vector<int>::vector()");
  check_name("_ZN6vectorIiEC2Ic" ENABLED "EPT_", "vector<int>::vector()");
  /* Among the arguments of the function is a closure of another one. */
  check_name("_ZN4sinkIiEclI4iterIZNK4cmap6subsetEPiEUljE_" ENABLED "EvT_",
             "sink<int>::operator()()");
  check_name("_Z4growIc" ENABLED "PT_", "grow()");
  /* And templates: parse<discard, std::map>(char). */
  check_name("_ZN4toml5parseINS_7discardETtTpTyESt3mapEEvc", "toml::parse()");
  check_name("_Z5parseITtTyE4ListEvc", "parse()");
  check_name("_ZN6vectorIiE2TnIcXsr3std2isIT_EE5valueEEEvv", NULL);
  check_name("_ZNSt4pairIiiEC2Ic" ENABLED "EPT_", NULL);
}

/* As clang 18 and later have it, too: libiberty knows no such levels. */
static void levels_of_parameters_are_left_out(void **state) {
  (void)state;
  check_name(
      "_ZZN4Pool6submitIZ4mainE3$_0EESt6futureIDTclfL0p_EEET_ENKUlvE_clEv",
      "Pool::submit<main::$_0>(main::$_0)::{lambda()#1}::operator()() const");
  check_name("_ZNSt17_Function_handlerIFvvEZN4Pool6submitIZ4mainE3$_"
             "0EESt6futureIDTclfL0p_EEET_EUlvE_E9_M_invokeERKSt9_Any_data",
             "std::_Function_handler<void (), "
             "Pool::submit<main::$_0>(main::$_0)::{lambda()#1}>"
             "::_M_invoke(std::_Any_data const&)");
  check_name("_ZN4fL0p4growEi", "fL0p::grow(int)");
  check_name("_ZN4fL0p4growE", "fL0p::grow");
  check_name("_ZN4fL0p4", NULL);
}

/* As clang 18 and later have it of C++20: a clause behind the parameters. */
static void what_is_required_is_left_out(void **state) {
  (void)state;
  check_name("_ZNK3BoxIiE3mapIZ4mainE3$_3EEDaT_"
             "Qsr3stdE9invocableIDtfp_ES3_E",
             "auto Box<int>::map<main::$_3>(main::$_3) const");
  check_name("_Z4growIiEvT_Qsr3stdE8integralIS0_E", "void grow<int>(int)");
  check_name("_ZNSt3BoxIiE4growIiEEvT_Qsr3stdE8integralIS1_E",
             "void std::Box<int>::grow<int>(int)");
  check_name("_Z5Queuei", "Queue(int)");
  check_name("_Z4growQ", "grow");
  check_name("_ZNKSt6ranges9__sort_fnclITkSt22random_access_"
             "iteratorP6RecordEET_S5_S5_",
             "std::ranges::__sort_fn::operator()() const");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_required_is_left_out),
      cmocka_unit_test(levels_of_parameters_are_left_out),
      cmocka_unit_test(test_demangle),
      cmocka_unit_test(what_declares_a_parameter_is_left_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
