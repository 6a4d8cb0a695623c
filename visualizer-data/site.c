/* site.c - the functions that pass an allocation on, by name.
   A name here is a demangled function; patterns as in pattern.h.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "site.h"

#include <stdbool.h>

#include "pattern.h"

/* The allocator itself: left out of the stack's leaf end. */
static const char *const allocator_functions[] = {
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "free",
    "memalign",
    "aligned_alloc",
    "posix_memalign",
    "valloc",
    "pvalloc",
    "strdup",
    "strndup",
    "__strdup",
    "__strndup",
    "wcsdup",
    "cfree",
    "__libc_malloc",
    "__libc_calloc",
    "__libc_realloc",
    "__libc_memalign",
    "__libc_free",
    "operator new(*",
    "operator new[](*",
    "operator delete(*",
    "operator delete[](*",
    "operator new",
    "operator new[]",
    "operator delete",
    "operator delete[]",
    "__heapprof_*",
    "__interceptor_*",
    "___interceptor_*",
    "__interceptor_trampoline_*",
};

/* The C++ standard library, between the program and the allocator: kept in the
   stack, not the site.  A program's own functions are told by neither name,
   since they too may be called std::..., or begin with a type of std. */
static const char *const plumbing_files[] = {"*/include/c++/*",
                                             "*/libstdc++-v3/*"};
static const char *const plumbing_modules[] = {"*/libstdc++.so*",
                                               "*/libc++.so*"};
/* For code without source lines. */
static const char *const plumbing_functions[] = {
    "std::__new_allocator<*",
    "__gnu_cxx::new_allocator<*",
    "__gnu_cxx::__alloc_traits<*",
    "__gnu_cxx::malloc_allocator<*",
    "std::allocator<*>::allocate(*",
    "std::allocator<*>::allocate",
    "std::allocator_traits<*",
    "*std::__allocate_guarded<*",
    "std::pmr::*new_delete_resource*",
    "std::__1::allocator<*>::allocate*",
    "std::__1::allocator_traits<*",
    "*std::__1::__libcpp_allocate*",
    "*std::__1::__libcpp_operator_new*",
    "*std::__1::__allocate_at_least*",
};

static bool is_one_of(const char *text, const char *const *patterns,
                      size_t count) {
  for (size_t i = 0; text && i < count; i++)
    if (hp_pattern_matches(patterns[i], text))
      return true;
  return false;
}

#define IS_ONE_OF(text, patterns)                                              \
  is_one_of(text, patterns, sizeof patterns / sizeof *patterns)

static bool is_allocator(const struct hp_frame *frame) {
  return IS_ONE_OF(frame->function, allocator_functions);
}

static bool is_plumbing(const struct hp_frame *frame) {
  return IS_ONE_OF(frame->file, plumbing_files) ||
         IS_ONE_OF(frame->module, plumbing_modules) ||
         IS_ONE_OF(frame->function, plumbing_functions);
}

bool hp_site_is_library(const struct hp_frame *frame) {
  return is_allocator(frame) || is_plumbing(frame);
}

size_t hp_site_skip(const struct hp_frame *frames, size_t count) {
  size_t skip = 0;
  while (skip < count && is_allocator(&frames[skip]))
    skip++;
  return skip;
}

const struct hp_frame *hp_site_of(const struct hp_frame *frames, size_t count) {
  const struct hp_frame *innermost = NULL;
  for (size_t i = 0; i < count; i++) {
    if (is_allocator(&frames[i]))
      continue;
    if (!is_plumbing(&frames[i]))
      return &frames[i];
    innermost = innermost ? innermost : &frames[i];
  }
  return innermost;
}
