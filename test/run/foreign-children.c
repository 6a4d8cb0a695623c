/* foreign-children.c - what a profiled process executes that could not run with our library ahead of its own runs without it, by whatever call: here what
   has another tool's function. The rest of LD_PRELOAD stays, and so does the environment of the parent, also behind vfork.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -g %s -o app && %clang -O1 -g -DCHILD -rdynamic %s -o child && %clang -O1 -g -shared -fPIC -DOTHER %s -o other.so
// RUN: cd %t.d && printf '#! %%s/child\n' $PWD > script && chmod +x script && ./app > plain && %heapprof_run ./app > out 2> err && diff plain out && count 1 < err && FileCheck --check-prefix=ONE %s < err
// RUN: cd %t.d && env LD_PRELOAD=$PWD/other.so ./app > plain && env LD_PRELOAD=$PWD/other.so %heapprof_run ./app > out 2> err && diff plain out && FileCheck %s < out
// Programs of a sanitizer that a shell starts, and Valgrind.
// RUN: cd %t.d && %clang -g -fsanitize=address %S/Inputs/plain.c -o asan || true
// RUN: cd %t.d && if test -x asan; then %heapprof_run sh -c './asan return 3; echo $?' > out 2> err && (echo done; echo 3) | diff - out && count 1 < err; fi
// RUN: cd %t.d && %if valgrind %{ %clang -O1 %s -o unread && %heapprof_run sh -c 'valgrind -q ./unread none' > out 2> err && echo none | diff - out && count 1 < err %}
// What ldd lists of a program, and of the rest of LD_PRELOAD.
// RUN: cd %t.d && ldd ./child | sed 's/ (0x.*//' > plain && %heapprof_run ldd ./child 2> err | sed 's/ (0x.*//' | diff plain - && env LD_PRELOAD=$PWD/other.so %heapprof_run ldd ./child 2> err | grep -c other.so | grep -x 1
// Of musl, and of 32 bits, where such compilers are; test_foreign_program.c makes such files.
// RUN: cd %t.d && for compiler in "musl-gcc" "gcc -m32"; do rm -f other; $compiler -O1 %S/Inputs/plain.c -o other 2> /dev/null || true; if test -x other; then %heapprof_run sh -c './other return 3; echo $?' > out 2> err && (echo done; echo 3) | diff - out && count 1 < err || exit 1; fi; done
// ONE: heapprof-run: 11 profiles, the program's in
// CHECK: execve: other.so
// CHECK: execv: other.so
// CHECK: execvp: other.so
// CHECK: execvpe: other.so
// CHECK: execl: other.so
// CHECK: execlp: other.so
// CHECK: execle: other.so
// CHECK: fexecve: other.so
// CHECK: script: other.so
// CHECK: posix_spawn: other.so
// CHECK: posix_spawnp: other.so
// CHECK: system: other.so
// CHECK: vfork: other.so
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined OTHER
int other;
#elif defined CHILD
void __tsan_init(void);
void __tsan_init(void) {}

int main(int argc, char **argv) {
  const char *list = getenv("LD_PRELOAD"), *how = getenv("HOW");
  const char *slash = list ? strrchr(list, '/') : NULL;
  printf("%s: %s%s, %d arguments\n", how ? how : argv[1],
         slash ? slash + 1 : "none",
         list && strchr(list, ':') ? " and others" : "", argc);
  return 0;
}
#else
static char list_before[4096];

static void run(const char *how) {
  char *arguments[] = {"child", (char *)how, NULL};
  setenv("HOW", how, 1);
  if (strcmp(how, "execve") == 0)
    execve("./child", arguments, environ);
  else if (strcmp(how, "execv") == 0)
    execv("./child", arguments);
  else if (strcmp(how, "execvp") == 0)
    execvp("child", arguments);
  else if (strcmp(how, "execvpe") == 0)
    execvpe("child", arguments, environ);
  else if (strcmp(how, "execl") == 0)
    execl("./child", "child", how, NULL);
  else if (strcmp(how, "execlp") == 0)
    execlp("child", "child", how, NULL);
  else if (strcmp(how, "execle") == 0)
    execle("./child", "child", how, NULL, environ);
  else if (strcmp(how, "fexecve") == 0)
    fexecve(open("./child", O_RDONLY | O_CLOEXEC), arguments, environ);
  else if (strcmp(how, "script") == 0)
    execv("./script", arguments);
}

static void spawn(const char *how) {
  char *arguments[] = {"child", (char *)how, NULL};
  pid_t pid;
  int status = 1;
  setenv("HOW", how, 1);
  if (strcmp(how, "posix_spawn") == 0
          ? posix_spawn(&pid, "./child", NULL, NULL, arguments, environ)
          : posix_spawnp(&pid, "child", NULL, NULL, arguments, environ))
    puts("not spawned");
  else if (waitpid(pid, &status, 0) != pid || status != 0)
    puts("failed");
}

int main(int argc, char **argv) {
  static const char *const calls[] = {"execve",  "execv",   "execvp",
                                      "execvpe", "execl",   "execlp",
                                      "execle",  "fexecve", "script"};
  if (argc > 1) {
    puts(argv[1]);
    return 0;
  }
  setenv("PATH", ".:/usr/bin:/bin", 1);
  const char *list = getenv("LD_PRELOAD");
  snprintf(list_before, sizeof list_before, "%s", list ? list : "");
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    int status = 1;
    const pid_t pid = fork();
    if (pid == 0) {
      run(calls[i]);
      _exit(9);
    }
    if (waitpid(pid, &status, 0) != pid || status != 0)
      puts("failed");
  }
  spawn("posix_spawn");
  spawn("posix_spawnp");
  setenv("HOW", "system", 1);
  if (system("./child x") != 0)
    puts("failed");
  setenv("HOW", "vfork", 1);
  int status = 1;
  const pid_t pid = vfork();
  if (pid == 0) {
    execl("./child", "child", "x", NULL);
    _exit(9);
  }
  if (waitpid(pid, &status, 0) != pid || status != 0)
    puts("failed");
  list = getenv("LD_PRELOAD");
  printf("then: %s\n",
         strcmp(list_before, list ? list : "") == 0 ? "as before" : "changed");
  return 0;
}
#endif
