/* broken.c - no compiler takes it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
int main(void) { return undeclared; }
