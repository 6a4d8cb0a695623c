// interceptors_step.cpp - a step of start-up (start.h): looks up libc's functions,
// of all files of interceptors in turn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/platform.h"

#include "sanitizer_common/sanitizer_common.h"

#include "entry/interceptors/interception.h"

extern "C" void hp_step_interceptors(void) {
  __interception::DoesNotSupportStaticLinking();
  hp_intercept_symbols(); // first: others may ask dlsym
  hp_intercept_memory();
  hp_intercept_often();
  hp_intercept_common();
  hp_intercept_strings();
  hp_intercept_ioctl();
  hp_intercept_libc();
  hp_intercept_calls();
  hp_intercept_formats();
  hp_intercept_scanners();
  hp_intercept_process();
  hp_intercept_limits();
  hp_intercept_mappings();
  hp_intercept_signals();
  hp_intercept_filters();
  hp_interceptors_ready = true;
}
