/* structs.c - structs used, written only, read only and not at all.
   Totals: 16 blocks, 696 bytes in 7 stacks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>

struct point {
  double x, y, z;
  char name[16];
}; /* 40 bytes */

struct node {
  struct node *next;
  int value;
}; /* 16 bytes */

static struct point *new_point(double x) {
  struct point *p = malloc(sizeof *p);
  p->x = x; /* never y, z, name */
  return p;
}

static struct node *push(struct node *list, int value) {
  struct node *n = malloc(sizeof *n);
  n->next = list;
  n->value = value;
  return n;
}

int main(void) {
  int sum = 0;
  struct node *list = NULL;
  for (int i = 0; i < 10; i++) /* 10 blocks, 160 bytes */
    list = push(list, i);
  while (list) {
    struct node *next = list->next;
    sum += list->value;
    free(list);
    list = next;
  }
  struct point *written = new_point(1); /* written only */
  struct point *read = new_point(2);    /* written and read */
  sum += (int)read->x;
  struct point *unused = malloc(sizeof *unused);    /* 40 */
  struct point *zeroed = calloc(4, sizeof *zeroed); /* 160; read only */
  sum += (int)zeroed[3].z;
  struct point *copies = malloc(2 * sizeof *copies); /* 80; by struct copy */
  copies[0] = copies[1] = *read;
  struct point *unread = calloc(4, 44); /* 176; leaks, unused */
  (void)unread;
  free(copies);
  free(zeroed);
  free(unused);
  free(read);
  free(written);
  return sum == 47 ? 0 : 1;
}
