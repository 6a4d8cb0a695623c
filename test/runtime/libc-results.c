// libc-results.c - intercepted functions return what libc's return, call back
// as often, and print the same, in the worst cases too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang -w -fno-builtin %s -o %t.plain && \
// RUN:   %t.plain > %t.expected 2> %t.expected_errors
// RUN: %clang_heapprof -w -fno-builtin %s -o %t && \
// RUN:   %run %t > %t.actual 2> %t.errors && \
// RUN:   diff %t.expected %t.actual && diff %t.expected_errors %t.errors
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <limits.h>
#include <link.h>
#include <locale.h>
#include <math.h>
#include <printf.h>
#include <regex.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#define SHOW(...) printf("%s = %ld\n", #__VA_ARGS__, (long)(__VA_ARGS__))
#define SHOW_ERRNO(...)                                                        \
  do {                                                                         \
    errno = 0;                                                                 \
    long value = (long)(__VA_ARGS__);                                          \
    int reason = errno;                                                        \
    printf("%s = %ld, errno %d\n", #__VA_ARGS__, value, reason);               \
  } while (0)

static int compared;
static int by_int(const void *a, const void *b) {
  compared++;
  return *(const int *)a - *(const int *)b;
}
static int by_int_arg(const void *a, const void *b, void *arg) {
  ++*(int *)arg;
  return *(const int *)a - *(const int *)b;
}

static int print_point(FILE *file, const struct printf_info *info,
                       const void *const *arguments) {
  return fprintf(file, "point %d", **(const int *const *)arguments[0]);
}
static int point_type(const struct printf_info *info, size_t n, int *types) {
  types[0] = PA_POINTER;
  return 1;
}

static jmp_buf back;
static int jumps(const void *a, const void *b) { longjmp(back, 1); }

// A text that ends exactly where unreadable memory begins.
static char *at_the_edge(const char *text, int terminated) {
  size_t page = 4096, n = strlen(text) + (size_t)terminated;
  char *p = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(p + page, page, PROT_NONE);
  return memcpy(p + page - n, text, n);
}

static void sorting(void) {
  int numbers[] = {5, 3, 9, 1, 7, 7, 2}, many = 0, key = 7;
  qsort(numbers, 7, sizeof *numbers, by_int);
  SHOW(compared);
  for (int i = 0; i < 7; i++)
    SHOW(numbers[i]);
  compared = 0;
  SHOW(*(int *)bsearch(&key, numbers, 7, sizeof *numbers, by_int));
  SHOW(compared);
  qsort_r(numbers, 7, sizeof *numbers, by_int_arg, &many);
  SHOW(many);
  if (!setjmp(back))
    qsort(numbers, 7, sizeof *numbers, jumps);
  SHOW(strlen("still works"));
}

static void edges(void) {
  char to[100], *unterminated = at_the_edge("abc", 0),
                *text = at_the_edge("abc", 1);
  SHOW(strnlen(unterminated, 3));
  SHOW(strlen(text));
  SHOW(strncmp(unterminated, "abc", 3));
  SHOW(strcmp(strdup("a\xff"), "a!"));
  SHOW(strcmp("a!", "a\xff"));
  SHOW(strncmp("ab", strdup("az"), 9));
  SHOW(strncmp("ab", "az", 2));
  SHOW(memcmp(strncpy(to, unterminated, 3), "abc", 3));
  SHOW(strncat(strcpy(to, "x"), unterminated, 3) == to && !strcmp(to, "xabc"));
  SHOW(strcmp(strndup(unterminated, 3), "abc"));
  SHOW(memcmp(unterminated, "abc", 3));
  SHOW((char *)memchr(unterminated, 'c', 1000) - unterminated);
  SHOW(snprintf(to, sizeof to, "%.3s|%.*s", unterminated, 2, unterminated));
  SHOW(strcmp(stpcpy(to, text) - 3, "abc"));
  SHOW(index(text, 'b') - text);
  SHOW(strcoll(text, "abd") < 0);
  regex_t regex;
  regmatch_t match = {0, 3};
  regcomp(&regex, "b.", 0);
  SHOW(regexec(&regex, unterminated, 1, &match, REG_STARTEND));
  SHOW(match.rm_so);
}

static void numbers(void) {
  char *end = NULL;
  SHOW_ERRNO(strtol("  -12x", &end, 10));
  SHOW(*end);
  SHOW_ERRNO(strtol("", &end, 10));
  SHOW_ERRNO(strtol("99999999999999999999", &end, 10));
  SHOW_ERRNO(strtoul("-1", NULL, 0) == ULONG_MAX);
  SHOW_ERRNO(strtoll("0x7f", NULL, 0));
  SHOW_ERRNO(strtol("7", NULL, 1));
  SHOW_ERRNO(atoi("12abc"));
  SHOW_ERRNO(atoi("99999999999"));
  SHOW_ERRNO(atol("-99999999999999999999") == LONG_MIN);
  SHOW_ERRNO(strtod("1e999", &end) == HUGE_VAL);
  SHOW_ERRNO(atof("2.5") * 2);
}

static void printing(void) {
  // Directives that only this program knows.
  register_printf_function('P', print_point, point_type);
  int seven = 7, *point = &seven;
  printf("%P and %d\n", point, 5);
  printf("%1$s %2$d %1$s\n", "again", 3);
  errno = ENOENT;
  printf("%m %n\n", &seven);
  printf("%ls %lc %.2Lf %'d %a\n", L"wide", L'w', 1.5L, 12345, 1.0);
  printf("%s\n", (char *)NULL);
  int a = 0;
  char word[10], *allocated;
  SHOW(sscanf("12 words more", "%d %9s %ms", &a, word, &allocated));
  printf("%d %s %s\n", a, word, allocated);
  char *text;
  SHOW(asprintf(&text, "%05d", 42));
  puts(text);
  fprintf(stderr, "to stderr\n");
}

static void system_calls(void) {
  struct stat status;
  SHOW_ERRNO(stat("/nonexistent/file", &status));
  SHOW_ERRNO(read(0, NULL, 0));
  SHOW_ERRNO(write(1, (void *)8, 10));
  SHOW_ERRNO(ioctl(-1, 0xdeadbeef, NULL));
  SHOW_ERRNO(ioctl(1, 0x5401 ^ 0x7000, &status));
  SHOW_ERRNO(mlock(&status, sizeof status));
  SHOW_ERRNO(munlock((void *)8, 4096));
  SHOW_ERRNO(getcwd(NULL, 1) != NULL);
  SHOW_ERRNO(readlink("/", (char *)&status, sizeof status));
  void *frames[10];
  SHOW(backtrace(frames, 10) >= 2);
  struct timespec now;
  SHOW(clock_gettime(CLOCK_MONOTONIC, &now));
  SHOW(strcmp(realpath("/usr/../usr", NULL), "/usr"));
  SHOW(sigaction(SIGSEGV, NULL, NULL));
  struct sigaction action;
  sigaction(SIGSEGV, NULL, &action);
  SHOW(action.sa_handler == SIG_DFL);
}

int main(void) {
  sorting();
  edges();
  numbers();
  printing();
  system_calls();
  return 0;
}
