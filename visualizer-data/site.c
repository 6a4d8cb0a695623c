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

/* Libraries between the program and the allocator: kept in the stack, never
   the site.  libstdc++, then libc++. */
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

static bool is_one_of(const char *function, const char *const *patterns,
                      size_t count) {
  for (size_t i = 0; i < count; i++)
    if (hp_pattern_matches(patterns[i], function))
      return true;
  return false;
}

#define IS_ONE_OF(function, patterns)                                          \
  is_one_of(function, patterns, sizeof patterns / sizeof *patterns)

size_t hp_site_skip(const struct hp_frame *frames, size_t count) {
  size_t skip = 0;
  while (skip < count && IS_ONE_OF(frames[skip].function, allocator_functions))
    skip++;
  return skip;
}

const struct hp_frame *hp_site_of(const struct hp_frame *frames, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!IS_ONE_OF(frames[i].function, allocator_functions) &&
        !IS_ONE_OF(frames[i].function, plumbing_functions))
      return &frames[i];
  return NULL;
}
