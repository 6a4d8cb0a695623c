// libc_call.h - one function for all of libc's whose arguments are integers and
// pointers: it counts what the function's row says, before and after the call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HP_LIBC_CALL_H
#define HP_LIBC_CALL_H

enum hp_call {
#define HP_CALL(name, ...) HP_CALL_##name,
#include "entry/interceptors/libc_calls.def"
#undef HP_CALL
  HP_CALLS
};

// By its name the tools know it for no code of the program's.
extern "C" long __interceptor_call(long a, long b, long c, long d, long e,
                                   long f, hp_call which, void *pc);

#endif
