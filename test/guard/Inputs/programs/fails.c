/* fails.c - ends the same way, with a status that is not 0.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
int main(void) { return 3; }
