// refused-pointers.c - pointers that are none, given to functions for which the kernel answers EFAULT: so it is with us.
// Programs ask so whether an address is there, and tests of systems whether the answer is right.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %build
// RUN: %t.plain > %t.expected
// RUN: rm -rf %t.dump && env HEAPPROF_OPTIONS=dump_dir=%t.dump %t > %t.out && diff %t.expected %t.out
// RUN: FileCheck --check-prefix=SAID %s < %t.out
// Under heapprof run the file of what is executed is looked into, too.
// RUN: rm -rf %t.run && %heapprof_run -q -o %t.run %t.plain > %t.out && diff %t.expected %t.out
// RUN: %heapprof_score --json %t.dump/* | %python -c 'import json, sys; d = json.load(sys.stdin); \
// RUN:   assert d["processes"][0]["ended"] == "exit"; p, = [p for p in d["points"] if p["bytes"] == 110]; \
// RUN:   assert (p["reads"], p["writes"], p["bytes_accessed"]) == (1, 3, 2), p'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#define SAY(call)                                                              \
  do {                                                                         \
    errno = 0;                                                                 \
    const int result = (call) ? 1 : 0;                                         \
    printf("%s: %d, %s\n", #call, result, strerrorname_np(errno));             \
  } while (0)

int main(void) {
  void *volatile none = (void *)8;
  char *const text = none, **const texts = none;
  socklen_t *const length = none;
  struct sockaddr *const address = none;
  int ends[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  // SAID: readlink(text, text, 5) < 0: 1, EFAULT
  SAY(readlink(text, text, 5) < 0);
  SAY(readlinkat(AT_FDCWD, text, text, 5) < 0);
  SAY(fopen(text, "r"));
  SAY(statfs(text, none) < 0);
  SAY(getxattr(text, "a", text, 5) < 0);
  SAY(getxattr("/", text, text, 5) < 0);
  SAY(lgetxattr(text, text, text, 5) < 0);
  SAY(fgetxattr(0, text, text, 5) < 0);
  SAY(listxattr(text, text, 5) < 0);
  SAY(llistxattr(text, text, 5) < 0);
  SAY(getsockname(ends[0], address, length) < 0);
  SAY(getpeername(ends[0], address, length) < 0);
  SAY(accept(ends[0], address, length) < 0);
  SAY(accept4(ends[0], address, length, 0) < 0);
  SAY(sigaltstack(none, NULL) < 0);
  SAY(execve("/bin/true", texts, NULL) < 0);
  SAY(execve("/bin/true", NULL, texts) < 0);
  // SAID: execve("/bin/true", NULL, texts) < 0: 1, EFAULT
  SAY(execve(text, texts, texts) < 0);
  SAY(execveat(5, text, NULL, NULL, 0) < 0);
  char *arguments[] = {"none", NULL};
  SAY(execve(text, arguments, environ) < 0);

  // An array of texts that goes on where there is nothing.
  char **page = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(page + 512, 4096);
  for (int i = 0; i < 512; i++)
    page[i] = "text";
  SAY(execve("/bin/true", page, NULL) < 0);

  // What is right is counted; a name that is cut fills its room.
  struct sockaddr_un *name = malloc(sizeof *name);
  socklen_t *room = malloc(sizeof *room);
  *room = sizeof *name;
  name->sun_family = 0;
  SAY(getsockname(ends[0], (struct sockaddr *)name, room));
  printf("%d of %d\n", name->sun_family == AF_UNIX, (int)*room);
  *room = 1;
  SAY(getpeername(ends[0], (struct sockaddr *)name, room));
  printf("%d\n", (int)*room);
  free(name);
  free(room);

  // The same structure for what is asked and what was.
  stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
  SAY(sigaltstack(&stack, &stack));
  SAY(stack.ss_flags == SS_DISABLE);
  SAY(sigaltstack(&stack, &stack));
  SAY(stack.ss_size == 65536);
  free(stack.ss_sp);
}
