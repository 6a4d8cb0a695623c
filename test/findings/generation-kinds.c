// generation-kinds.c - a function that loads files of three kinds, each by parts of its own: how many turns it had is not what
// the points of one kind had, nor are their peaks at one time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' > %t.text
// RUN: FileCheck %s < %t.text
// CHECK: peak 4.09KiB
// CHECK: Each turn of load (generation-kinds.c:[[#]]) makes anew what is gone by the next: chunks of 6 points, such as
// CHECK-SAME: in read_page (generation-kinds.c:[[#]]), at least 120 turns of it, at most 4.09 KiB at a time
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))
enum { FILES = 40, PARTS = 8 };

struct file {
  char *name, *parts[PARTS];
  size_t count;
};

APART static void put(struct file *file, size_t size) {
  char *part = malloc(size);
  memset(part, 'p', size - 1);
  part[size - 1] = 0;
  file->parts[file->count++] = part;
}

APART static char *make_name(void) {
  char *name = malloc(160);
  memset(name, 'n', 159);
  name[159] = 0;
  return name;
}

APART static void drop_all(struct file *file) {
  while (file->count)
    free(file->parts[--file->count]);
  free(file->name);
}

APART static void read_song(struct file *file) {
  put(file, 4000);
  put(file, 30);
}
APART static void read_film(struct file *file) {
  put(file, 2000);
  put(file, 1000);
}
APART static void read_page(struct file *file) {
  for (int i = 0; i < PARTS; i++)
    put(file, 100);
}

APART static long load(int kind) {
  struct file file = {.name = make_name()};
  long sum = (long)strlen(file.name);
  if (kind == 0)
    read_song(&file);
  else if (kind == 1)
    read_film(&file);
  else
    read_page(&file);
  for (size_t i = 0; i < file.count; i++)
    sum += (long)strlen(file.parts[i]);
  drop_all(&file);
  return sum;
}

int main(void) {
  long sum = 0;
  for (int i = 0; i < 3 * FILES; i++)
    sum += load(i / FILES);
  return sum == 0;
}
