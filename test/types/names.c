// Names of 64 KiB, with quotes, UTF-8 and control characters, in every output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof %s -o %t && %run %t
// RUN: %heapprof_score --json %dump > %t.json
// RUN: %heapprof_score --csv %dump > %t.csv
// RUN: env COLUMNS=200 %heapprof_score --by point %dump > %t.txt
// RUN: %heapprof_score --by type %dump > %t.by
// RUN: %python %S/check_names.py %t.json %t.csv %t.txt %t.by
#include <sanitizer/heapprof_interface.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  static char name[65537];
  memset(name, 'n', sizeof name - 1);
  memcpy(name, "box<", 4);
  memcpy(name + 65532, ">end", 4);
  __heapprof_set_type(malloc(101), name);
  __heapprof_set_type(malloc(102), "say \"hi\", \\ 'you'");
  __heapprof_set_type(malloc(103), "Gr\xc3\xb6\xc3\x9f"
                                   "e \xe2\x82\xac");
  __heapprof_set_type(malloc(104), "tab\tline\nbell\a end");
  __heapprof_set_type(malloc(105), "bad \xff utf");
  __heapprof_set_type(malloc(106), "<<<,<(,>)>,}>{");
  return 0;
}
