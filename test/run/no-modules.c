// no-modules.c - a program without hooks that is killed before its first checkpoint, while chunks are in the log already: which modules it has is written as soon as
// the dump begins, so that functions have names; what was loaded since has none. Of no code it is known that it has hooks, so that no chunk is unused, as all would be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: gcc
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && gcc -O1 -g %s -o app && gcc -O1 -g -DPLUGIN -fPIC -shared %s -o plugin.so
// RUN: cd %t.d && (%heapprof_run --chunk-log=all --checkpoint-ms=3600000 -o $PWD/killed ./app $PWD/killed $PWD/plugin.so 2> err; test $? = 137) && ls killed/*/chunks | grep . && not ls killed/*/aggregates
// RUN: cd %t.d && %heapprof_score killed/* > table && FileCheck --check-prefix=NAMED %s < table && not grep -E 'which modules|made_by_plugin' table && %heapprof_score --findings killed/* > findings && not grep -E 'never (read|written)|unused|write_only|read_only' findings
// RUN: cd %t.d && %heapprof_score --json killed/* | %python -c "import json,sys; d=json.load(sys.stdin); points=[p for p in d['points'] if p['chunks']]; print(any(p['accesses_known'] for p in points), any(m.endswith('/app') for m in d['global']['accesses_unknown']['modules']))" | grep -x 'False True'
// A dump without the list, as older ones may be.
// RUN: cd %t.d && rm killed/*/modules && %heapprof_score killed/* > table && FileCheck %s < table && %heapprof_score --findings killed/* > findings && not grep -E 'never (read|written)|unused|write_only|read_only' findings
// RUN: cd %t.d && not grep -i 'with heapprof, too' table && %heapprof_report -o page.html killed/* 2> err
// RUN: cd %t.d && %heapprof_score --json killed/* | %python -c "import json,sys; points=[p for p in json.load(sys.stdin)['points'] if p['chunks']]; print(any(p['accesses_known'] for p in points), bool(points))" | grep -x 'False True'
// NAMED: not in usage, useful life: {{.*}} of unknown accesses
// NAMED: gram no-modules.c:
// NAMED: no usage or useful life, accesses not seen: allocated by code without hooks (
// CHECK: not in usage, useful life: {{.*}} of unknown accesses
// CHECK: which modules it had was not written, so
// CHECK: no usage or useful life, accesses not seen: allocated by code in no module that is known
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef PLUGIN
#define MADE made_by_plugin
#else
#define MADE made_by_program
#endif

__attribute__((noinline)) void MADE(size_t size) {
  char *volatile p = malloc(size);
  p[0] = 1;
  free(p);
}

#ifndef PLUGIN

/* Bytes of the log's files. */
static long long log_bytes(const char *directory) {
  char path[4096], name[4608];
  snprintf(path, sizeof path, "%s/heapprof.app.%d/chunks", directory,
           (int)getpid());
  DIR *list = opendir(path);
  long long bytes = 0;
  for (struct dirent *entry; list && (entry = readdir(list));) {
    struct stat status;
    snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
    if (stat(name, &status) == 0 && S_ISREG(status.st_mode))
      bytes += status.st_size;
  }
  if (list)
    closedir(list);
  return bytes;
}

/* Once it has grown again what was written first is whole. */
static void grow(const char *directory, void (*make)(size_t size)) {
  long long bytes = log_bytes(directory);
  for (unsigned i = 0, grown = 0; grown < 3; i++) {
    make(100 + i % 100);
    const long long now = i % 1000 ? bytes : log_bytes(directory);
    grown += now > bytes;
    bytes = now;
  }
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  grow(argv[1], made_by_program);
  void *plugin = dlopen(argv[2], RTLD_NOW);
  void *made = plugin ? dlsym(plugin, "made_by_plugin") : NULL;
  if (!made)
    return 2;
  grow(argv[1], (void (*)(size_t))made);
  kill(getpid(), SIGKILL);
  return 1;
}
#endif
