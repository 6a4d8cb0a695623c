// no-modules.c - a program without hooks that ends before the list of its modules is written, while chunks are in the log already: of no code it
// is known that it has hooks, so that no chunk is unused, as all would be. With the list or not, it says the same of accesses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: gcc
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && gcc -O1 -g %s -o app && (%heapprof_run --chunk-log=all --checkpoint-ms=3600000 -o $PWD/killed ./app $PWD/killed 2> err; test $? = 137) && ls killed/*/chunks | grep . && not ls killed/*/modules
// RUN: cd %t.d && %heapprof_score killed/* > table && FileCheck %s < table && %heapprof_score --findings killed/* > findings && not grep -E 'never (read|written)|unused|write_only|read_only' findings
// RUN: cd %t.d && %heapprof_score --json killed/* | %python -c "import json,sys; points=[p for p in json.load(sys.stdin)['points'] if p['chunks']]; print(any(p['accesses_known'] for p in points), bool(points))" | grep -x 'False True'
// CHECK: not in usage, useful life: {{.*}} of unknown accesses
// CHECK: which modules it had was not written, so
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A part of the log was written. */
static int is_logged(const char *directory) {
  char path[4096];
  snprintf(path, sizeof path, "%s/heapprof.app.%d/chunks", directory,
           (int)getpid());
  DIR *list = opendir(path);
  int entries = 0;
  while (list && readdir(list))
    entries++;
  if (list)
    closedir(list);
  return entries > 2;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  for (unsigned i = 1; i % 1000 || !is_logged(argv[1]); i++) {
    char *volatile p = malloc(100 + i % 100);
    p[0] = 1;
    free(p);
  }
  kill(getpid(), SIGKILL);
  return 1;
}
