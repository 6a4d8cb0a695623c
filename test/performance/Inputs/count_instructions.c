/* count_instructions.c - count_instructions [-a] PROGRAM: executes each window of the program between two int3 step by step.
   Prints the smallest number of instructions and of locked ones that any window took; -a: the addresses of that one.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT_MAX 50000u /* a window that takes more is left at full speed */
#define CODE_LENGTH 3    /* bytes looked at: prefix, opcode, operands */

static pid_t program;
/* Of the window that goes on, with its end, and of the shortest one. */
static unsigned long long addresses[COUNT_MAX + 1], fewest[COUNT_MAX];

static void fail(const char *what) {
  perror(what);
  if (program > 0)
    kill(program, SIGKILL);
  exit(2);
}

/* Lets the program run until it traps; false if it ended. */
static bool go_on(int how) {
  int status, signal = 0;
  do {
    if (ptrace(how, program, NULL, (void *)(long)signal) < 0 ||
        waitpid(program, &status, 0) < 0)
      fail("ptrace");
    if (!WIFSTOPPED(status))
      return false;
    signal = WSTOPSIG(status);
  } while (signal != SIGTRAP);
  return true;
}

static const unsigned char *next_code(unsigned long long *address) {
  static unsigned char code[CODE_LENGTH];
  struct user_regs_struct registers;
  if (ptrace(PTRACE_GETREGS, program, NULL, &registers) < 0)
    fail("ptrace");
  *address = registers.rip;
  long word = ptrace(PTRACE_PEEKTEXT, program, (void *)registers.rip, NULL);
  for (int i = 0; i < CODE_LENGTH; i++)
    code[i] = (unsigned char)(word >> 8 * i);
  return code;
}

/* LOCK, and xchg with memory, which locks without it. */
static bool is_locked(const unsigned char *code) {
  bool rex = (code[0] & 0xf0) == 0x40;
  bool exchange = code[rex] == 0x86 || code[rex] == 0x87;
  return code[0] == 0xf0 || (exchange && code[rex + 1] < 0xc0);
}

int main(int argc, char **argv) {
  const bool is_list = argc > 1 && strcmp(argv[1], "-a") == 0;
  argv += is_list;
  program = fork();
  if (program == 0) {
    /* Where two return addresses meet in a table is no chance of the run. */
    personality(ADDR_NO_RANDOMIZE);
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    execv(argv[1], argv + 1);
    _exit(127);
  }
  int status;
  if (program < 0 || waitpid(program, &status, 0) < 0 || !WIFSTOPPED(status))
    fail(argv[1]);
  unsigned windows = 0, least = -1u, least_locked = -1u;
  while (go_on(PTRACE_CONT)) {
    unsigned count = 0, locked = 0;
    for (const unsigned char *code = next_code(&addresses[0]);
         code[0] != 0xcc && count < COUNT_MAX;
         code = next_code(&addresses[count])) {
      count++;
      locked += is_locked(code);
      if (!go_on(PTRACE_SINGLESTEP))
        fail("the program ended in a window");
    }
    go_on(PTRACE_CONT); /* over the end of the window */
    windows++;
    if (count == COUNT_MAX)
      continue;
    if (count < least)
      memcpy(fewest, addresses, count * sizeof *addresses);
    least = count < least ? count : least;
    least_locked = locked < least_locked ? locked : least_locked;
  }
  for (unsigned i = 0; is_list && least <= COUNT_MAX && i < least; i++)
    printf("0x%llx\n", fewest[i]);
  if (!is_list)
    printf("%u windows: at least %u instructions, %u locked\n", windows, least,
           least_locked);
  return 0;
}
