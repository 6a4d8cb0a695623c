// Input and output: one access of the bytes that were transferred, not of the
// room there was for them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -g -O0 %s -o %t && %run %t && %check_counts
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static int descriptors(void) {
  int ends[2];
  if (pipe(ends) != 0)
    return 1;
  // memset writes all, write reads 20.
  // POINT chunks=1 bytes=100 reads=1 writes=1 accessed=100
  char *out = malloc(100);
  // Room for 50, got 20; then nothing.
  // POINT chunks=1 bytes=100 reads=0 writes=1 accessed=20
  char *in = malloc(100);
  memset(out, 1, 100);
  int right = write(ends[1], out, 20) == 20;
  right &= read(ends[0], in, 50) == 20;
  close(ends[1]);
  right &= read(ends[0], in + 50, 50) == 0;
  close(ends[0]);
  free(in);
  free(out);
  return !right;
}

static int scattered(void) {
  int ends[2];
  if (pipe(ends) != 0)
    return 1;
  // POINT chunks=1 bytes=16 reads=1 writes=0 accessed=8
  char *first = calloc(16, 1);
  // POINT chunks=1 bytes=16 reads=1 writes=1 accessed=16
  char *second = calloc(16, 1);
  struct iovec out[2] = {{first, 8}, {second, 16}};
  struct iovec in[1] = {{second, 10}};
  int right = writev(ends[1], out, 2) == 24;
  right &= readv(ends[0], in, 1) == 10;
  close(ends[0]);
  close(ends[1]);
  free(first);
  free(second);
  return !right;
}

static int streams(void) {
  FILE *file = tmpfile();
  if (!file)
    return 1;
  // memset, then fwrite of 5 times 4.
  // POINT chunks=1 bytes=40 reads=1 writes=1 accessed=40
  char *out = malloc(40);
  // fread of 20 though 40 are asked for; one byte looked at.
  // POINT chunks=1 bytes=40 reads=1 writes=1 accessed=20
  char *in = malloc(40);
  // "abc", newline and 0.
  // POINT chunks=1 bytes=40 reads=0 writes=1 accessed=5
  char *line = malloc(40);
  memset(out, 'x', 40);
  int right = fwrite(out, 4, 5, file) == 5;
  rewind(file);
  right &= fread(in, 1, 40, file) == 20;
  right &= in[19] == 'x';
  rewind(file);
  fputs("abc\n", file);
  rewind(file);
  right &= fgets(line, 40, file) == line;
  fclose(file);
  free(line);
  free(in);
  free(out);
  return !right;
}

int main(void) { return descriptors() | scattered() << 1 | streams() << 2; }
