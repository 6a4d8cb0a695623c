// The C++ programs of this folder, at every level, with -g and without, by LTO.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22, lld
// RUN: %each_build; do \
// RUN:   %clangxx_heapprof $flags %s -o %t && %run %t && %check_all_types \
// RUN:     $(sed -n 's|^#include "\(.*\.cpp\)"$|%S/\1|p' %s) || \
// RUN:     { echo "with $flags"; exit 1; }; done
#define main row_new_expressions
#include "new-expressions.cpp"
#undef main
#define main row_casts
#include "casts.cpp"
#undef main
#define main row_containers
#include "containers.cpp"
#undef main
#define main row_make_unique
#include "make-unique.cpp"
#undef main
#define main row_allocator_templates
#include "allocator-templates.cpp"
#undef main
#define main row_class_operator_new
#include "class-operator-new.cpp"
#undef main
#define main row_member_functions
#include "member-functions.cpp"
#undef main
#define main row_std_string
#include "std-string.cpp"
#undef main

int main() {
  return row_new_expressions() || row_casts() || row_containers() ||
         row_make_unique() || row_allocator_templates() ||
         row_class_operator_new() || row_member_functions() || row_std_string();
}
