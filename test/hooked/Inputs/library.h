/* library.h - what library.c offers.
   A list that it makes and a sum over what its caller made.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
struct node {
  struct node *next;
  long value;
};
struct node *library_push(struct node *list, long value);
long library_drain(struct node *list);
long library_sum(const unsigned char *bytes, long count);
