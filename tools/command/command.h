/* command.h - what every command does alike: errors, output, exit codes.
   One line on standard error, nothing on standard output when it failed.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_COMMAND_H
#define HP_COMMAND_H

#include "heapprof.h"

#include <getopt.h>
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

/* Tells what getopt_long, which returned CODE, did not understand. */
int hp_command_fail_option(char **argv, int code);

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

/* ---- options that several commands have ---------------------------------- */

enum {
  HP_OPTION_NO_SYMBOLS = 1000,
  HP_OPTION_DEBUG_DIR,
  HP_OPTION_SYSROOT,
  HP_OPTION_NO_CACHE,
  HP_OPTION_HELP,
  HP_OPTION_VERSION
};
#define HP_SYMBOL_OPTIONS                                                      \
  {"no-symbols", no_argument, NULL, HP_OPTION_NO_SYMBOLS},                     \
      {"debug-dir", required_argument, NULL, HP_OPTION_DEBUG_DIR},             \
      {"sysroot", required_argument, NULL, HP_OPTION_SYSROOT}, {               \
    "no-cache", no_argument, NULL, HP_OPTION_NO_CACHE                          \
  }
#define HP_LAST_OPTIONS                                                        \
  {"help", no_argument, NULL, HP_OPTION_HELP},                                 \
      {"version", no_argument, NULL, HP_OPTION_VERSION}, {NULL, 0, NULL, 0}
#define HP_SYMBOL_HELP                                                         \
  "Symbols:\n"                                                                 \
  "  --no-symbols      leave frames as module+address\n"                       \
  "  --debug-dir DIR   look there too for separate debug files; may repeat\n"  \
  "  --sysroot DIR     prefix of module paths that do not exist here\n"        \
  "  --no-cache        neither read nor write the symbol cache in the dump\n"

/* True if CODE is one of HP_SYMBOL_OPTIONS, which is then in *OPEN. */
bool hp_command_take_symbols(struct hp_open_options *open, int code,
                             const char *value);

/* A number of rows: 0 stands for all, which is SIZE_MAX then. */
bool hp_command_parse_rows(const char *text, size_t *rows);

/* If CODE asks for help or the version, prints it and sets *EXIT_CODE. */
bool hp_command_take_last(int code, const char *help, int *exit_code);

/* A command's own options.  TAKE puts one into ARGUMENTS, -o FILE among them,
   and returns NULL, or what its value must be. */
struct hp_command_options {
  const struct option *list; /* with HP_SYMBOL_OPTIONS and HP_LAST_OPTIONS */
  const char *help;
  const char *(*take)(void *arguments, int code, const char *value);
};

/* Reads all options; what follows begins at argv[optind].  False: *EXIT_CODE is
   what to end with. */
bool hp_command_parse(const struct hp_command_options *options, void *arguments,
                      struct hp_open_options *open, int argc, char **argv,
                      int *exit_code);

#endif
