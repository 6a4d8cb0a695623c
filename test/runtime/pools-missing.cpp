// pools-missing.cpp - names that -heapprof-pools was given and that are of no call are told, over all files of the program; objects of one size.
// An item that one file knows nothing of is right if another calls it.  What matches is not told, nor what
// matches an item ahead, too, as where several functions clear.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: cd %t.d && %clangxx_heapprof -O2 -g -c %s -o one.o -mllvm '-heapprof-pools=cell:uncell,tkae:give,Pool::virtual_take:-,counted:-' && %clangxx_heapprof -O2 -g -c -DOTHER %s -o other.o -mllvm '-heapprof-pools=cell:uncell,tkae:give'
// RUN: cd %t.d && %clangxx_heapprof one.o other.o -o missing && HEAPPROF_OPTIONS=leak_check=0 ./missing
// RUN: cd %t.d && %heapprof_score --limit 0 heapprof.missing.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: cd %t.d && for o in 0 2; do %clangxx_heapprof -O$o -g -DWHOLE %s -o sized -mllvm '-heapprof-pools=cell:uncell:=24,take:give:2,take:give:2:empty_all' -mllvm '-heapprof-pools=raw:-:=40' && HEAPPROF_OPTIONS=leak_check=0 ./sized && %heapprof_score --limit 0 --json heapprof.sized.* | %python %S/Inputs/pools.py > sized.out && rm -rf heapprof.sized.* && FileCheck --check-prefix=SIZED %s < sized.out || exit 1; done
// RUN: cd %t.d && not %clangxx_heapprof -DWHOLE %s -o none -mllvm '-heapprof-pools=cell:uncell:=0' 2>&1 | FileCheck --check-prefix=WRONG %s
// RUN: cd %t.d && %clangxx_heapprof -DWHOLE %s -o quoted -mllvm '-heapprof-pools=a"b:-' && ./quoted && %heapprof_score heapprof.quoted.* | FileCheck --check-prefix=QUOTED %s
// CHECK: note: {{[^ ]*}}missing: of -heapprof-pools nothing was found by 'cell:uncell' (it has no argument that is a size: =48 may stand for it), 'tkae:give' (no call by that name), 'Pool::virtual_take:-' (no call by that name), 'counted:-' (it returns no pointer); calls through pointers and of virtual functions are not seen
// SIZED-DAG: cell by cells(): 20 of 480,
// SIZED-DAG: raw by cells(): 3 of 120,
// SIZED-DAG: take by others(): 5 of 500,
// SIZED-NOT: note:
// WRONG: error: heapprof: -heapprof-pools: 'cell:uncell:=0' has '=0' for the size of each object, which is =bytes
// QUOTED-NOT: heapprof-pools
#include <cstdlib>

struct cell_data {
  long a, b, c;
};
struct Pool {
  virtual void *virtual_take(size_t size);
  virtual ~Pool() = default;
};
void *cell(), *raw(), *take(void *, size_t);
void uncell(void *), others();
int counted(long size);

#if defined OTHER || defined WHOLE
__attribute__((noinline)) void others() {
  static char pool;
  for (int i = 0; i < 5; i++)
    *(long *)take(&pool, 100) = i;
}
#endif
#ifndef OTHER
static char *block;
static size_t used;
__attribute__((noinline)) static void *cut(size_t size) {
  if (!block)
    block = static_cast<char *>(malloc(1 << 16));
  return block + (used += 128) - size / 128;
}
__attribute__((noinline)) void *cell() { return cut(24); }
__attribute__((noinline)) void *raw() { return cut(40); }
__attribute__((noinline)) void uncell(void *) { asm volatile(""); }
__attribute__((noinline)) void *take(void *, size_t size) { return cut(size); }
__attribute__((noinline)) int counted(long size) { return size > 3; }
void *Pool::virtual_take(size_t size) { return cut(size); }

__attribute__((noinline)) static void cells() {
  for (int i = 0; i < 20; i++) {
    auto *data = static_cast<cell_data *>(cell());
    data->a = i;
    uncell(data);
  }
  for (int i = 0; i < 3; i++)
    *static_cast<char *>(raw()) = 1;
}

int main(int argc, char **) {
  Pool *volatile pool = new Pool;
  cells();
  others();
  *static_cast<char *>(pool->virtual_take(8)) = 1;
  delete pool;
  return counted(argc) == 2;
}
#endif
