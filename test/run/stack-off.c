/* stack-off.c - calls the allocator, fork, open and the ends of a process with a stack that is 8 bytes off, as programs in assembly do: libc's
   functions do not notice, nor do ours.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -g %s -o app
// RUN: cd %t.d && for end in exit _exit quick_exit; do for how in "" --allocator=program --sample=1000 --free-stacks; do rm -rf heapprof.* && %heapprof_run $how ./app $end > out 2> err; test $? = 3 && echo done | cmp - out && ls -d heapprof.* | count 2 || exit 1; done; done
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* FUNCTION(A, B) with the stack off; a variadic one may think that vector registers
   hold arguments. */
void *off(const void *function, size_t a, size_t b);
__asm__(".globl off\n"
        "off:\n"
        " push %rbx\n"
        " mov %rsp, %rbx\n"
        " and $-16, %rsp\n"
        " push %rax\n"
        " mov %rdi, %r10\n"
        " mov %rsi, %rdi\n"
        " mov %rdx, %rsi\n"
        " mov $8, %eax\n"
        " call *%r10\n"
        " mov %rbx, %rsp\n"
        " pop %rbx\n"
        " ret\n");

static void all_of(size_t size) {
  char *p = off(malloc, size, 0);
  memset(p, 1, size);
  p = off(realloc, (size_t)p, size * 2);
  void *const others[] = {p, off(calloc, size, 2),
                          off(aligned_alloc, 64, size * 64),
                          off(strdup, (size_t)"text", 0)};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    off(free, (size_t)others[i], 0);
}

int main(int count, char **arguments) {
  const char *end = arguments[count - 1];
  int status = 0;
  for (size_t size = 1; size < 300000; size = size * 3 / 2 + 1)
    all_of(size);
  const size_t file = (size_t)off(open, (size_t)"/dev/null", O_RDONLY);
  if ((int)file < 0 || (int)(size_t)off(ioctl, file, FIOCLEX) != 0 ||
      close((int)file) != 0)
    return 1;
  if (off(fork, 0, 0) == NULL)
    off(_exit, 4, 0);
  if (wait(&status) < 0 || WEXITSTATUS(status) != 4 ||
      write(1, "done\n", 5) != 5)
    return 1;
  const void *function = quick_exit;
  if (strcmp(end, "exit") == 0)
    function = exit;
  else if (strcmp(end, "_exit") == 0)
    function = _exit;
  off(function, 3, 0);
  return 2;
}
