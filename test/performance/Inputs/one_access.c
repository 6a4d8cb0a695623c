/* one_access.c - functions of one access each, whose hook is written inline.
   For inlined-sequence.test.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
int get(const int *p) { return *p; }
void put(int *p) { *p = 1; }
