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

/* What they do by libc's functions is counted. */
static const char *const of_characters[] = {
    "_ZSt10from_chars*", /* of floating-point numbers; of others it is inline */
    "_ZSt8to_chars*",
    "_ZSt9use_facetI*", /* whose members are virtual */
    "_ZN*collate*",
    "_ZN*codecvt*",
    "_ZT?*codecvt*",
    "_ZNSi3getEPcl*",
    "_ZSt17__istream_extract*",
    "_ZStrsIcSt11char_traitsIcEE*PS3_",
    /* Only one that is opened later may have been given its buffer. */
    "_ZNSt*basic_filebufI*E4openE*",
    "_ZNSt*fstreamI*E4openE*",
    /* of libc++ */
    "_ZNSt3__1*from_chars*",
    "_ZNSt3__1*to_chars*",
    "_ZNSt3__113__hash_memory*",
};

static const char *const of_numbers[] = {"_ZNSt3__16__sortI*"};

static bool is_any_of(const char *const *patterns, size_t count,
                      const char *symbol) {
  for (size_t i = 0; i < count; i++)
    if (hp_pattern_matches(patterns[i], symbol))
      return true;
  return false;
}

bool hp_cpp_touches_nothing(const char *symbol) {
  return is_any_of(harmless, sizeof harmless / sizeof *harmless, symbol);
}

bool hp_cpp_touches_characters(const char *symbol) {
  return is_any_of(of_characters, sizeof of_characters / sizeof *of_characters,
                   symbol);
}

bool hp_cpp_touches_numbers(const char *symbol) {
  return is_any_of(of_numbers, sizeof of_numbers / sizeof *of_numbers, symbol);
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

/* Also unsigned char, wchar_t and char16_t. */
bool hp_cpp_is_characters(const char *type) {
  return strstr(type, "char") && hp_cpp_is_plain(type);
}
