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
#include <sys/stat.h>
#include <unistd.h>

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

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  /* Once it has grown again what was written first is whole. */
  long long bytes = 0;
  for (unsigned i = 0, grown = 0; grown < 3; i++) {
    char *volatile p = malloc(100 + i % 100);
    p[0] = 1;
    free(p);
    const long long now = i % 1000 ? bytes : log_bytes(argv[1]);
    grown += now > bytes;
    bytes = now;
  }
  kill(getpid(), SIGKILL);
  return 1;
}
