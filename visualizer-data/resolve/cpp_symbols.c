/* cpp_symbols.c - see cpp_symbols.h: one table, by mangled name.
   Who has a function of the library counted links it into the program, hooks
   and all; then it is none of the library's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/cpp_symbols.h"

#include <stddef.h>
#include <string.h>

#include "base/pattern.h"

static const char *const harmless[] = {
    "_Znw*",
    "_Zna*",
    "_Zdl*",
    "_Zda*",
    "__cxa_*",
    "__gxx_personality_*",
    "_ZT?*",
    "_ZSt*__throw_*",
    "_ZSt9terminatev",
    "_ZNSt*exceptionD?Ev",
    "_ZNKSt*exception4whatEv",
    "_ZNSt*_errorC?EPKc",
    "_ZNSt*_errorD?Ev",
    "_ZNSt9bad_allocD?Ev",
    "_ZNSt8ios_base4Init*",
    "_ZSt4c???",
    "_ZSt3cin",
    "_ZNSo*",
    "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_*",
    "_ZSt16__ostream_insertI*",
    "_ZSt4endlI*",
    "_ZSt5flushI*",
    "_ZNKSt5ctypeIcE*",
    "_ZNSt6chrono3_V2*",
    "_ZNKSt8__detail20_Prime_rehash_policy*",
    "_ZNSaIcEC*", /* std::allocator of characters: they do nothing */
    "_ZNSaIcED*",
    "_ZNSaIwEC*",
    "_ZNSaIwED*",
    "_ZNSt6thread*",
    "_ZSt15get_new_handlerv",
};

bool hp_cpp_touches_nothing(const char *symbol) {
  for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
    if (hp_pattern_matches(harmless[i], symbol))
      return true;
  return false;
}

bool hp_cpp_is_plain(const char *type) {
  static const char *const words[] = {"char",     "int",    "long",    "short",
                                      "unsigned", "signed", "float",   "double",
                                      "bool",     "const",  "wchar_t", "_Bool"};
  size_t length = strlen(type);
  if (length && type[length - 1] == '*')
    return true;
  for (const char *at = type; *at;) {
    size_t word = strcspn(at, " ");
    bool known = false;
    for (size_t i = 0; i < sizeof words / sizeof *words && !known; i++)
      known = strlen(words[i]) == word && strncmp(words[i], at, word) == 0;
    if (!known)
      return false;
    at += word;
    at += strspn(at, " ");
  }
  return length > 0;
}
