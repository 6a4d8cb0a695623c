// interceptors_stubs.cpp - the functions of libc_calls.def as the program calls
// them: each hands its arguments and its number on. None needs its own types:
// what is passed in registers for integers is passed on as it came.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "entry/interceptors/libc_call.h"

// They are not what the compiler takes functions of these names for.
#pragma clang diagnostic ignored "-Wincompatible-library-redeclaration"

#define HP_CALL(name, ...)                                                     \
  extern "C" __attribute__((visibility("default"))) long                       \
  ___interceptor_##name(long a, long b, long c, long d, long e, long f) {      \
    return __interceptor_call(a, b, c, d, e, f, HP_CALL_##name,                \
                              __builtin_return_address(0));                    \
  }                                                                            \
  extern "C" long name(long, long, long, long, long, long) __attribute__((     \
      weak, visibility("default"), alias("___interceptor_" #name)));
#include "entry/interceptors/libc_calls.def"
#undef HP_CALL
