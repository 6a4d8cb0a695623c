// Structs: fields, bit-fields, unions, nested arrays, lists, packed, copies.
// Volatile, so that each level makes the same accesses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: for level in -O0 -O1 -O2 -O3 -Os -Oz; do \
// RUN:   %clang_heapprof -g $level %s -o %t && %run %t && \
// RUN:   %check_counts || { echo "at $level"; exit 1; }; done
// OTHER chunks=0
#include <stddef.h>
#include <stdlib.h>

struct record {
  int x, y;
  char name[8];
  double z;
};

static void fields(void) {
  // POINT chunks=1 bytes=24 reads=2 writes=4 accessed=24
  volatile struct record *r = malloc(sizeof *r);
  r->x = 1;
  r->y = 2;
  r->name[3] = 'a';
  r->z = 3;
  (void)r->x;
  (void)r->z;
  free((void *)r);
  // Only name[1] to name[6]: bytes 9 to 15.
  // POINT chunks=1 bytes=24 reads=1 writes=1 accessed=15-9
  volatile struct record *inner = malloc(sizeof *inner);
  inner->name[1] = inner->name[6];
  free((void *)inner);
}

static void array_of_structs(void) {
  // Of each of 5 the y: first at 4, last ends at 4*24+8.
  // POINT chunks=1 bytes=5*24 reads=5 writes=5 accessed=4*24+8-4
  volatile struct record *r = malloc(5 * sizeof *r);
  for (int i = 0; i < 5; i++)
    r[i].y = i;
  for (int i = 0; i < 5; i++)
    (void)r[i].y;
  free((void *)r);
}

// A bit-field is written by reading its unit, which has 4 and 8 bytes here.
struct bits {
  unsigned a : 3, b : 5, c : 24;
};
struct wide_bits {
  unsigned long low : 40, high : 24;
};

static void bit_fields(void) {
  // POINT chunks=1 bytes=4 reads=3+1 writes=3 accessed=4
  volatile struct bits *f = malloc(sizeof *f);
  f->a = 1;
  f->b = 2;
  f->c = 3;
  (void)f->b;
  free((void *)f);
  // POINT chunks=1 bytes=8 reads=2 writes=2 accessed=8
  volatile struct wide_bits *w = malloc(sizeof *w);
  w->low = 1;
  w->high = 2;
  free((void *)w);
}

union word {
  int i;
  float f;
  char c[16];
};

static void unions(void) {
  // POINT chunks=1 bytes=16 reads=1 writes=2 accessed=16
  volatile union word *u = malloc(sizeof *u);
  u->i = 1;
  (void)u->f;
  u->c[15] = 1;
  free((void *)u);
}

static void nested_arrays(void) {
  // Column 2 of 4 rows of 5: first at 2*4, last ends at (3*5+2)*4+4.
  // POINT chunks=1 bytes=4*5*4 reads=0 writes=4 accessed=(3*5+2)*4+4-2*4
  volatile int (*grid)[5] = malloc(4 * sizeof *grid);
  for (int row = 0; row < 4; row++)
    grid[row][2] = row;
  free((void *)grid);
}

struct counted {
  int n;
  int v[];
};

static void flexible_array(void) {
  // n is written once and read 5 times, v[0] to v[3] are written.
  // POINT chunks=1 bytes=4+10*4 reads=5 writes=1+4 accessed=4+4*4
  volatile struct counted *p = malloc(sizeof *p + 10 * sizeof p->v[0]);
  p->n = 4;
  for (int i = 0; i < p->n; i++)
    p->v[i] = i;
  free((void *)p);
}

struct node {
  struct node *next;
  int value;
};

static void list(void) {
  volatile struct node *head = NULL;
  for (int i = 0; i < 5; i++) {
    // Written: next and value.  Read: both by the walk, next by the freeing.
    // POINT chunks=5 bytes=5*16 reads=5*3 writes=5*2 accessed=5*12
    volatile struct node *n = malloc(sizeof *n);
    n->next = (struct node *)head;
    n->value = i;
    head = n;
  }
  for (volatile struct node *n = head; n; n = n->next)
    (void)n->value;
  while (head) {
    volatile struct node *next = head->next;
    free((void *)head);
    head = next;
  }
}

struct __attribute__((packed)) packed {
  char c;
  long v;
};

static void unaligned(void) {
  // v of the second: bytes 9+1 to 18.
  // POINT chunks=1 bytes=18 reads=1 writes=1 accessed=8
  volatile struct packed *p = malloc(2 * sizeof *p);
  p[1].v = 1;
  (void)p[1].v;
  free((void *)p);
}

struct big {
  long v[8];
};
struct small {
  int a, b;
};

static void copies(void) {
  // A struct is copied by one access of its whole length, however long.
  // POINT chunks=1 bytes=64 reads=2 writes=1 accessed=64
  volatile struct big *from = malloc(sizeof *from);
  // POINT chunks=1 bytes=64 reads=0 writes=1 accessed=64
  volatile struct big *to = malloc(sizeof *to);
  struct big on_stack = {{0}};
  *from = on_stack;
  *to = *from;
  on_stack = *from;
  free((void *)from);
  free((void *)to);
  // POINT chunks=1 bytes=10*8 reads=1 writes=1 accessed=3*8+8-8
  volatile struct small *s = malloc(10 * sizeof *s);
  s[1] = s[3];
  free((void *)s);
}

int main(void) {
  fields();
  array_of_structs();
  bit_fields();
  unions();
  nested_arrays();
  flexible_array();
  list();
  unaligned();
  copies();
  return 0;
}
