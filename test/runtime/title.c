/* title.c - a server that writes a title over its arguments leaves no empty words in the dump: the zeros behind a shorter title were told as arguments.
   Empty arguments that the program was given stay, in the middle and at the end.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   RUN: %clang_heapprof -O1 %s -o %t
   RUN: %run %t keep a "" b "" "" && %heapprof_score --json %dump | %python -c 'import json, sys; print(json.load(sys.stdin)["processes"][0]["args"][1:])' > %t.out
   RUN: %run %t title a b cc ddd && %heapprof_score --json %dump | %python -c 'import json, sys; print(json.load(sys.stdin)["processes"][0]["args"])' >> %t.out
   RUN: %run %t title a b cc "" && %heapprof_score --json %dump | %python -c 'import json, sys; print(json.load(sys.stdin)["processes"][0]["args"])' >> %t.out
   RUN: %run %t clear a b && %heapprof_score --json %dump | %python -c 'import json, sys; print(json.load(sys.stdin)["processes"][0]["args"])' >> %t.out
   RUN: FileCheck --match-full-lines %s < %t.out
   CHECK: ['keep', 'a', '', 'b', '', '']
   CHECK-NEXT: ['srv']
   CHECK-NEXT: ['srv', '']
   CHECK-NEXT: ['']
 */
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  char *last = argv[argc - 1];
  const size_t room = (size_t)(last - argv[0]) + strlen(last);
  const int writes = strcmp(argv[1], "title") == 0;
  free(malloc(10));
  if (writes || strcmp(argv[1], "clear") == 0) {
    memset(argv[0], 0, room);
    if (writes)
      strcpy(argv[0], "srv");
  }
  return 0;
}
