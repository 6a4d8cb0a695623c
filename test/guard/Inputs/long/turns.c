/* turns.c - accesses that no hook may be shared by: no machine makes so many in a hundredth of a second.
   The count is that of a loop with a volatile variable.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
static volatile long turns;

int main(void) {
  for (long i = 0; i < 200000000; i++)
    turns = i;
  return 0;
}
