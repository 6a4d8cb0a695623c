/* test_command.c - an output that cannot be written: a pipe's reader gets what was
   written and nothing that only asks for the reason.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "command.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

const char hp_command_name[] = "test-command";

static char said[1000];

/* Closes OUT; what is written to standard error meanwhile goes to SAID. */
static int close_output(FILE *out) {
  int ends[2], saved = dup(STDERR_FILENO);
  assert_true(saved >= 0);
  assert_int_equal(pipe(ends), 0);
  fflush(stderr);
  assert_true(dup2(ends[1], STDERR_FILENO) >= 0);
  close(ends[1]);
  int code = hp_command_close_output(out, "out", 0);
  fflush(stderr);
  assert_true(dup2(saved, STDERR_FILENO) >= 0);
  close(saved);
  ssize_t size = read(ends[0], said, sizeof said - 1);
  said[size > 0 ? size : 0] = '\0';
  close(ends[0]);
  return code;
}

/* An output that took no more, though all that its buffer held was written. */
static FILE *failed_output(int ends[2], bool waits) {
  char line[100];
  assert_int_equal(pipe(ends), 0);
  assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
  if (!waits)
    assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
  FILE *out = fdopen(ends[1], "w");
  assert_non_null(out);
  setvbuf(out, NULL, _IONBF, 0);
  memset(line, 'x', sizeof line);
  if (waits)
    close(ends[0]);
  while (fwrite(line, 1, sizeof line, out) == sizeof line)
    ;
  assert_true(ferror(out));
  return out;
}

static void test_reader_gets_no_more(void **state) {
  int ends[2];
  char text[4096];
  (void)state;
  FILE *out = failed_output(ends, false);
  while (read(ends[0], text, sizeof text) > 0)
    ; /* there is room again */
  assert_int_equal(close_output(out), HP_EXIT_INPUT_OUTPUT);
  assert_string_equal(said, "test-command: out: cannot be written: Resource "
                            "temporarily unavailable\n");
  assert_int_equal(read(ends[0], text, sizeof text), 0);
  close(ends[0]);
}

/* It knows that it has gone. */
static void test_no_reader(void **state) {
  int ends[2];
  (void)state;
  signal(SIGPIPE, SIG_IGN);
  assert_int_equal(close_output(failed_output(ends, true)),
                   HP_EXIT_INPUT_OUTPUT);
  assert_string_equal(said, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reader_gets_no_more),
      cmocka_unit_test(test_no_reader),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
