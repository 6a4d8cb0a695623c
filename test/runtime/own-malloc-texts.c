// own-malloc-texts.c - what libc's functions allocate for a program with a malloc of its own is from that malloc:
// the program's free would not know another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang -w -fno-builtin -O1 %s -o %t.plain && %t.plain > %t.expected
// RUN: for flags in -fno-builtin ""; do %clang_heapprof -w $flags -O1 %s -o %t && %run %t > %t.out 2> %t.err && \
// RUN:   diff %t.expected %t.out && count 1 < %t.err && grep -q 'has a malloc of its own' %t.err || exit 1; done
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

static char memory[8 << 20] __attribute__((aligned(16)));
static size_t used, live;
static const char *what = "start";
char *__strdup(const char *);
struct head {
  size_t size, magic;
};

void *malloc(size_t n) {
  struct head *head = (struct head *)(memory + used);
  used += sizeof *head + ((n + 15) & ~(size_t)15);
  head->size = n;
  head->magic = 0x600d;
  live++;
  return head + 1;
}

void free(void *p) {
  if (!p)
    return;
  if (((struct head *)p)[-1].magic != 0x600d)
    fprintf(stderr, "%s: not mine\n", what);
  ((struct head *)p)[-1].magic = 0;
  live--;
}

void *calloc(size_t a, size_t b) { return memset(malloc(a * b), 0, a * b); }

void *realloc(void *p, size_t n) {
  void *q = malloc(n);
  if (p) {
    size_t size = ((struct head *)p)[-1].size;
    memcpy(q, p, n < size ? n : size);
    free(p);
  }
  return q;
}

static void text(const char *name, char *p) {
  what = name;
  printf("%s: %d\n", name, p && strlen(p) > 0);
  free(p);
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  size_t before = live;
  text("strdup", strdup("hello"));
  text("strndup", strndup("hello", 3));
  text("__strdup", __strdup("hello"));
  text("wcsdup", (char *)wcsdup(L"hello"));
  char *p = NULL;
  asprintf(&p, "%d", 5);
  text("asprintf", p);
  text("realpath", realpath("/", NULL));
  text("getcwd", getcwd(NULL, 0));
  text("get_current_dir_name", get_current_dir_name());
  size_t n = 0;
  FILE *f = fopen("/proc/self/maps", "r");
  p = NULL;
  getline(&p, &n, f);
  text("getline", p);
  p = NULL;
  n = 0;
  getdelim(&p, &n, ' ', f);
  text("getdelim", p);
  fclose(f);
  what = "scandir";
  struct dirent **entries;
  int count = scandir("/proc/self/fd", &entries, NULL, alphasort);
  while (count-- > 0)
    free(entries[count]);
  free(entries);
  f = open_memstream(&p, &n);
  fputs("hello", f);
  fclose(f);
  text("open_memstream", p);
  what = "end";
  printf("live: %zu\n", live - before);
  return 0;
}
