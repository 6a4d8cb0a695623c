/* tight-slots.c - small chunks of a program without hooks take little memory, and are chunks like all others: lost or not, resized,
   given to a library with hooks that is loaded later, which may use, resize and free them, where nothing is known of accesses.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang_heapprof -O1 -g -DPLUGIN -shared -fPIC %s -o plugin.so && %clang -O1 -g -fno-builtin %s -o tight -ldl
// RUN: cd %t.d && %heapprof_run ./tight memory > out && FileCheck --check-prefix=MEMORY %s < out
// MEMORY: 300000 chunks of 56 bytes: at most 112 bytes each
// MEMORY: 4000 chunks of 4368 bytes: at most 5300 bytes each
//
// So it is where the runtime's library has another name, and is preloaded by hand.
// RUN: cd %t.d && cp %heapprof_lib_dir/libheapprof_preload.so ours.so && env LD_PRELOAD=./ours.so ./tight memory > out && FileCheck --check-prefix=MEMORY %s < out
//
// As many as there are, also the first one of each class, and those whose pointer has an address right behind another chunk.
// RUN: cd %t.d && rm -rf heapprof.* && %heapprof_run ./tight lose && %heapprof_score --json --limit 0 heapprof.tight.* | %python %S/Inputs/lost.py lose keep_ends | FileCheck --check-prefix=LOST %s
// LOST: lose: 40 chunks, at least 36 lost
// LOST: keep_ends: 3 chunks, 0 lost
//
// RUN: cd %t.d && rm -rf heapprof.* && %heapprof_run --chunk-log=all ./tight share > out && echo "200 300" | cmp - out && %heapprof_score --json --limit 0 heapprof.tight.* > json
// RUN: cd %t.d && (%python %S/Inputs/points.py host_work < json && %python %S/Inputs/points.py plugin_work < json) | FileCheck --check-prefix=SHARED %s
// SHARED: host_work: 1 chunks, 40 bytes, 0 live, accesses unknown, usage None
// SHARED-NEXT: host_work: 1 chunks, 100 bytes, 0 live, accesses unknown, usage None
// SHARED: plugin_work: 1 chunks, 300 bytes, 0 live, accesses known
//
// A few pages are resident that no chunk is on; all bytes of live chunks are where the process has memory.
// RUN: cd %t.d && rm -rf heapprof.* && %heapprof_run ./tight memory > out && %heapprof_score --json --limit 0 heapprof.tight.* | %python -c "import json, sys; m = json.load(sys.stdin)['processes'][0]['process_memory']['end']; print('live', m['live_bytes'] >= 300000 * 56, 'slack', m['slack_bytes'] < 300000 * 20)" | FileCheck --check-prefix=PROCESS %s
// PROCESS: live True slack True
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef PLUGIN
/* Uses a chunk of the host's, which is not counted, makes one of its own of it, which is, and ends another one. */
int plugin_work(char *host, char *other) {
  int sum = 0;
  for (int i = 0; i < 100; i++)
    sum += host[i];
  char *volatile own = realloc(host, 300);
  for (int i = 100; i < 300; i++)
    own[i] = 1;
  for (int i = 100; i < 300; i++)
    sum += own[i];
  free(own);
  free(other);
  return sum;
}
#else
#include <dlfcn.h>

enum { CHUNKS = 300000 };
static char *all[CHUNKS];

/* KiB of memory that the process has now. */
static long resident(void) {
  static char text[4096]; /* the heap stays as it is */
  long kib = 0;
  FILE *status = fopen("/proc/self/status", "r");
  setvbuf(status, text, _IOFBF, sizeof text);
  for (char line[256]; fgets(line, sizeof line, status);)
    sscanf(line, "VmRSS: %ld", &kib);
  fclose(status);
  return kib;
}

static void memory(int chunks, size_t size, int most) {
  memset(all, 1, sizeof all);
  const long before = resident();
  for (int i = 0; i < chunks; i++)
    memset(all[i] = malloc(size), 1, size);
  const long each = (resident() - before) * 1024 / chunks;
  printf("%d chunks of %zu bytes: %s %d bytes each\n", chunks, size,
         each <= most ? "at most" : "more than", most);
}

/* Two of each size, the first ones that there are. */
__attribute__((noinline)) static void lose(void) {
  for (size_t size = 100, i = 0; i < 20; size += 1 + size / 4, i++)
    for (int k = 0; k < 2; k++) {
      char *volatile chunk = malloc(size < 8000 ? size : 8000);
      chunk[0] = 1;
      chunk = NULL;
    }
}

static char *ends[3];
__attribute__((noinline)) static void keep_ends(void) {
  for (size_t i = 0; i < 3; i++) {
    const size_t size = 24 + 16 * i; /* would fill a slot without a rest */
    ends[i] = (char *)malloc(size) + size;
  }
}

/* Writes over what calls left on the stack. */
__attribute__((noinline)) static void wipe(void) {
  char volatile room[16384];
  for (size_t i = 0; i < sizeof room; i++)
    room[i] = 0;
}

__attribute__((noinline)) static char *host_work(size_t size) {
  char *chunk = malloc(size);
  memset(chunk, 1, size);
  return chunk;
}

static void share(void) {
  char *host = host_work(100), *other = host_work(40);
  void *plugin = dlopen("./plugin.so", RTLD_NOW);
  int (*work)(char *, char *) =
      (int (*)(char *, char *))dlsym(plugin, "plugin_work");
  const int sum = work(host, other);
  printf("%d %d\n", sum - 100, sum);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "memory") == 0) {
    memory(CHUNKS, 56, 112);
    memory(4000, 4368,
           5300); /* a page of a data base, and what is told of it */
  }
  if (argc > 1 && strcmp(argv[1], "lose") == 0) {
    lose();
    keep_ends();
  }
  wipe();
  if (argc > 1 && strcmp(argv[1], "share") == 0)
    share();
  return 0;
}
#endif
