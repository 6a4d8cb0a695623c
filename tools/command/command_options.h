/* command_options.h - the options of a command, as a table of rows.
   What several commands have is a row here, and no command reads it itself.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_COMMAND_OPTIONS_H
#define HP_COMMAND_OPTIONS_H

#include "command.h"

#include <getopt.h>
#include <stddef.h>

struct hp_option;

/* Puts VALUE, NULL if none was given, into ARGUMENTS.  Returns NULL, or what the
   value must be. */
typedef const char *hp_option_reader(const struct hp_option *option,
                                     void *arguments, const char *value);

struct hp_option {
  const char *name;  /* without dashes */
  const char *alias; /* another name, or NULL */
  char letter;       /* the short option, or 0 */
  enum { HP_VALUE_NONE, HP_VALUE_MAY, HP_VALUE_MUST } value;
  hp_option_reader *read;
  size_t member;       /* offset of what READ sets */
  const char *must_be; /* what a value must be, if READ refuses some */
};

hp_option_reader hp_option_flag;  /* bool: is set */
hp_option_reader hp_option_text;  /* const char *: the value itself */
hp_option_reader hp_option_dir;   /* const char *: of a directory */
hp_option_reader hp_option_rows;  /* size_t: as hp_command_parse_rows */
hp_option_reader hp_option_color; /* enum hp_color */

/* Rows of these kinds, for MEMBER of struct TYPE; "output" has a letter. */
#define HP_FLAG_OPTION(name, type, member)                                     \
  {name, NULL, 0, HP_VALUE_NONE, hp_option_flag, offsetof(type, member), NULL}
#define HP_TEXT_OPTION(name, type, member)                                     \
  {name, NULL, 0, HP_VALUE_MUST, hp_option_text, offsetof(type, member), NULL}
#define HP_OUTPUT_OPTION(type, member)                                         \
  {"output", NULL, 'o', HP_VALUE_MUST, hp_option_text, offsetof(type, member), \
   NULL}
#define HP_ROWS_OPTION(name, type, member)                                     \
  {name,                                                                       \
   NULL,                                                                       \
   0,                                                                          \
   HP_VALUE_MUST,                                                              \
   hp_option_rows,                                                             \
   offsetof(type, member),                                                     \
   "a number of rows, 0 = all"}
#define HP_COLOR_OPTION(name, type, member)                                    \
  {name,                                                                       \
   NULL,                                                                       \
   0,                                                                          \
   HP_VALUE_MUST,                                                              \
   hp_option_color,                                                            \
   offsetof(type, member),                                                     \
   "auto, always or never"}
/* A row with a reader of the command's own. */
#define HP_OWN_OPTION(name, read, type, member, must_be)                       \
  {name, NULL, 0, HP_VALUE_MUST, read, offsetof(type, member), must_be}
#define HP_DIR_OPTION(name, type, member)                                      \
  HP_OWN_OPTION(name, hp_option_dir, type, member, "a directory")

/* Of struct hp_open_options, in every command that opens a profile: a row is
   X(name, kind of row, member, line of the help). */
#define HP_SYMBOL_OPTIONS(X)                                                   \
  X("no-symbols", FLAG, no_symbols,                                            \
    "  --no-symbols      leave frames as module+address\n")                    \
  X("debug-dir", DIRS, debug_dir,                                              \
    "  --debug-dir DIR   look there too for separate debug files; may "        \
    "repeat\n")                                                                \
  X("sysroot", DIR, sysroot,                                                   \
    "  --sysroot DIR     prefix of module paths that do not exist here\n")     \
  X("no-cache", FLAG, no_cache,                                                \
    "  --no-cache        neither read nor write the symbol cache in the "      \
    "dump\n")
#define HP_HELP_OF(name, kind, member, line) line
#define HP_SYMBOL_HELP "Symbols:\n" HP_SYMBOL_OPTIONS(HP_HELP_OF)

/* All that a command understands.  --help and --version come by themselves. */
struct hp_command_options {
  const struct hp_option *rows;
  size_t count;
  const char *help;
  void (*put_help)(FILE *out); /* in place of HELP, or NULL */
  bool
      of_program; /* what follows the first word that is no option is not ours */
};

/* Reads all options into ARGUMENTS, and HP_SYMBOL_OPTIONS into OPEN, unless it is
   NULL; what follows begins at argv[optind].  False: *EXIT_CODE is what to end
   with. */
bool hp_command_parse(const struct hp_command_options *options, void *arguments,
                      struct hp_open_options *open, int argc, char **argv,
                      int *exit_code);

#endif
