/* command.h - what every command does alike: errors, output, exit codes.
   One line on standard error, nothing on standard output when it failed.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_COMMAND_H
#define HP_COMMAND_H

#include "heapprof.h"

#include <stdio.h>

/* Each main defines its own. */
extern const char hp_command_name[];

enum {
  HP_EXIT_DONE = 0,
  HP_EXIT_FOUND = 1, /* done, and what was looked for is there */
  HP_EXIT_USAGE = 2,
  HP_EXIT_INPUT_OUTPUT = 3
};

/* Prints "NAME: text" and returns CODE. */
int hp_command_fail(int code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same for a failure of the library. */
int hp_command_fail_status(const struct hp_error *error);

/* As the library has it, of memory that the command asks for itself. */
hp_status hp_command_no_memory(struct hp_error *error);

/* OUTPUT for writing, or standard output if it is NULL; NULL after having said
   why not. */
FILE *hp_command_open_output(const char *output);

/* Closes OUT; an error of any earlier write shows here at the latest.  Returns
   CODE, or HP_EXIT_INPUT_OUTPUT after having said why. */
int hp_command_close_output(FILE *out, const char *output, int code);

/* ---- the terminal -------------------------------------------------------- */

/* Columns of OUT: COLUMNS, else the terminal's, else 80; never less. */
size_t hp_command_width(FILE *out);

enum hp_color { HP_COLOR_AUTO, HP_COLOR_ALWAYS, HP_COLOR_NEVER };
bool hp_command_parse_color(const char *text, enum hp_color *color);

/* AUTO is a terminal that can, unless NO_COLOR is set. */
bool hp_command_colored(enum hp_color color, FILE *out);

/* A number of rows: 0 stands for all, which is SIZE_MAX then. */
bool hp_command_parse_rows(const char *text, size_t *rows);

#endif
