/* fork.c - parent and child each leave a dump: the child's holds its own chunks only, the parent's no child's.
   Both forked from several threads' worth of heap use; profile_children=0 leaves the child out.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t -pthread && %run %t > %t.out
// RUN: %expect --process=parent --prefix=PARENT %dump
// RUN: %expect --process=child --prefix=CHILD %dump
// RUN: %heapprof_score --json %dump > %t.json
// RUN: %python -c "import json,sys; d=json.load(open(sys.argv[1])); sys.exit(len(d['processes']) != 2)" %t.json
// RUN: %env_heapprof_opts=profile_children=0 %run %t > %t.out
// RUN: ls %dump | count 1
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *shared(void) { return malloc(100); }
static void *in_parent(void) { return malloc(200); }
static void *in_child(void) { return malloc(300); }

static void *thread(void *arg) {
  for (int i = 0; i < 50; i++)
    free(malloc(64));
  return arg;
}

int main(void) {
  pthread_t t;
  if (pthread_create(&t, NULL, thread, NULL) || pthread_join(t, NULL))
    return 1;
  char *p = shared();
  p[0] = 1;
  pid_t child = fork();
  if (child < 0)
    return 2;
  if (child == 0) {
    char *q = in_child();
    for (int i = 0; i < 7; i++)
      q[i] = p[0]; /* reads of the parent's chunk count nowhere */
    if (pthread_create(&t, NULL, thread, NULL) || pthread_join(t, NULL))
      _exit(1);
    exit(3);
  }
  char *r = in_parent();
  r[0] = 1;
  int status;
  if (waitpid(child, &status, 0) != child)
    return 4;
  free(r);
  free(p);
  return WEXITSTATUS(status) == 3 ? 0 : 5;
}
// PARENT: point("shared").chunks == 1 and point("in_parent").chunks == 1
// PARENT: point("shared").writes == 1 and point("shared").reads == 0
// PARENT: not points("in_child") and process.exit_status == 0
// PARENT: len(chunks(size=64)) == 50 and process.inherited_frees == 0
// CHILD: point("in_child").chunks == 1 and point("in_child").writes == 7
// CHILD: sum(p.chunks for p in points("in_parent") + points("shared")) == 0
// CHILD: process.exit_status == 3 and len(chunks(size=64)) == 50
// CHILD: process.pid != process.parent and process.peak_bytes < 1000
