// The C programs of this folder, at every level, with -g and without, by LTO.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22, lld
// RUN: %each_build; do \
// RUN:   %clang_heapprof $flags %s -o %t && %run %t && %check_all_types \
// RUN:     $(sed -n 's|^#include "\(.*\.c\)"$|%S/\1|p' %s) || \
// RUN:     { echo "with $flags"; exit 1; }; done
#define _GNU_SOURCE
#define main row_malloc_forms
#include "malloc-forms.c"
#undef main
#define main row_other_allocators
#include "other-allocators.c"
#undef main
#define main row_places
#include "places.c"
#undef main
#define main row_flexible_array
#include "flexible-array.c"
#undef main
#define main row_posix_memalign
#include "posix-memalign.c"
#undef main
#define main row_strdup
#include "strdup.c"
#undef main
#define main row_no_type
#include "no-type.c"
#undef main
#define main row_wrapper
#include "wrapper.c"
#undef main
#define main row_nested_wrappers
#include "nested-wrappers.c"
#undef main
#define main row_caching_wrapper
#include "caching-wrapper.c"
#undef main

int main(void) {
  return row_malloc_forms() || row_other_allocators() || row_places() ||
         row_flexible_array() || row_posix_memalign() || row_strdup() ||
         row_no_type() || row_wrapper() || row_nested_wrappers() ||
         row_caching_wrapper();
}
