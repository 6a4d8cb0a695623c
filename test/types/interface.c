// The program names what it allocates; a mistake is one line and changes nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof %s -o %t && %run %t 2> %t.err
// RUN: %check_types
// RUN: FileCheck %s < %t.err
// RUN: %heapprof_score --csv --filter "type=parser*" %dump | FileCheck %s --check-prefix=CSV
// RUN: %heapprof_score --by type %dump | FileCheck %s --check-prefix=BY
#include <sanitizer/heapprof_interface.h>
#include <stdlib.h>

int main(void) {
  for (int i = 0; i < 2; i++) {
    char *text = malloc(100);
    // The second one only: points are split by type.
    if (i == 1)
      __heapprof_set_type(text, "parser text"); // TYPE 100 user parser text
    else
      __heapprof_set_type(text, "lexer text"); // TYPE 100 user lexer text
  }
  void *table = malloc(960); // TYPE 960 user entry = 40 of 24
  __heapprof_set_array(table, "entry", 40);
  // A realloc keeps it.
  void *grown = malloc(10);
  __heapprof_set_type(grown, "log");
  grown = realloc(grown, 3000); // TYPE 3000 user log

  char *p = malloc(20);
  __heapprof_set_type(p + 1, "inside");
  // CHECK: __heapprof_set_type: {{0x[0-9a-f]+}} is not the start of a live heap chunk; ignored
  __heapprof_set_type(&p, "stack");
  // CHECK: __heapprof_set_type: {{0x[0-9a-f]+}} is not the start of a live heap chunk; ignored
  __heapprof_set_type(p, "");
  // CHECK: __heapprof_set_type: no name given; ignored
  __heapprof_set_type(p, NULL);
  // CHECK: __heapprof_set_type: no name given; ignored
  __heapprof_set_array(p, "many", 21);
  // CHECK: __heapprof_set_array: 21 elements do not fit 20 bytes; ignored
  __heapprof_set_array(p, "none", 0);
  // CHECK: __heapprof_set_array: 0 elements do not fit 20 bytes; ignored
  return 0;
}
// CSV: parser text,user,
// CSV-NOT: lexer
// BY: {{^}}type
// BY-DAG: {{^}}parser text
// BY-DAG: {{^}}entry
