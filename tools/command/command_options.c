/* command_options.c - reads a command line by its table of options.
   getopt_long does the reading; an option's code there is the number of its row.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "command_options.h"
#include "progress.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Greater than all letters, which are codes, too. */
#define HP_FIRST_CODE 256

/* ---- readers ------------------------------------------------------------- */

static void *member_of(const struct hp_option *option, void *arguments) {
  return (char *)arguments + option->member;
}

const char *hp_option_flag(const struct hp_option *option, void *arguments,
                           const char *value) {
  (void)value;
  *(bool *)member_of(option, arguments) = true;
  return NULL;
}

const char *hp_option_text(const struct hp_option *option, void *arguments,
                           const char *value) {
  *(const char **)member_of(option, arguments) = value;
  return NULL;
}

const char *hp_option_rows(const struct hp_option *option, void *arguments,
                           const char *value) {
  return hp_command_parse_rows(value, member_of(option, arguments))
             ? NULL
             : option->must_be;
}

const char *hp_option_color(const struct hp_option *option, void *arguments,
                            const char *value) {
  return hp_command_parse_color(value, member_of(option, arguments))
             ? NULL
             : option->must_be;
}

static bool is_directory(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

const char *hp_option_dir(const struct hp_option *option, void *arguments,
                          const char *value) {
  return is_directory(value) ? hp_option_text(option, arguments, value)
                             : option->must_be;
}

/* Joins all that are given.  The text lasts as long as the process, as the other
   arguments do. */
static const char *read_dirs(const struct hp_option *option, void *arguments,
                             const char *value) {
  if (!is_directory(value))
    return option->must_be;
  char **dirs = member_of(option, arguments);
  size_t old = *dirs ? strlen(*dirs) + 1 : 0;
  char *joined = realloc(*dirs, old + strlen(value) + 1);
  if (!joined)
    exit(hp_command_fail(HP_EXIT_INPUT_OUTPUT, "out of memory"));
  if (old)
    joined[old - 1] = ':';
  strcpy(joined + old, value);
  *dirs = joined;
  return NULL;
}

/* ---- tables -------------------------------------------------------------- */

#define HP_DIRS_OPTION(name, type, member)                                     \
  HP_OWN_OPTION(name, read_dirs, type, member, "a directory")
#define ROW(name, kind, member, line)                                          \
  HP_##kind##_OPTION(name, struct hp_open_options, member),
static const struct hp_option symbol_rows[] = {HP_SYMBOL_OPTIONS(ROW)};
#undef ROW
#define SYMBOL_ROWS (sizeof symbol_rows / sizeof *symbol_rows)

enum { LAST_HELP, LAST_VERSION, LAST_ROWS };
static const struct hp_option last_rows[LAST_ROWS] = {{.name = "help"},
                                                      {.name = "version"}};

/* The rows of a command: its own, those of symbols, the last two; and the same
   as getopt_long wants them. */
struct table {
  const struct hp_option **rows;
  size_t count, last; /* LAST: number of the first of last_rows */
  struct option *list;
  size_t list_count;
  char *letters;
};

static int code_of(const struct table *table, size_t row) {
  char letter = table->rows[row]->letter;
  return letter ? letter : HP_FIRST_CODE + (int)row;
}

static size_t row_of(const struct table *table, int code) {
  size_t row = 0;
  while (row < table->count && code_of(table, row) != code)
    row++;
  return row;
}

static void add_name(struct table *table, const char *name, size_t row) {
  static const int arguments[] = {[HP_VALUE_NONE] = no_argument,
                                  [HP_VALUE_MAY] = optional_argument,
                                  [HP_VALUE_MUST] = required_argument};
  if (name)
    table->list[table->list_count++] = (struct option){
        name, arguments[table->rows[row]->value], NULL, code_of(table, row)};
}

static void add_rows(struct table *table, const struct hp_option *rows,
                     size_t count) {
  for (size_t i = 0; i < count; i++) {
    table->rows[table->count] = &rows[i];
    add_name(table, rows[i].name, table->count);
    add_name(table, rows[i].alias, table->count++);
  }
}

/* Before the letters: '+' stops at the first word that is no option, ':' tells a
   missing value from an unknown option. */
static void add_letters(struct table *table, bool of_program) {
  char *to = table->letters;
  if (of_program)
    *to++ = '+';
  *to++ = ':';
  for (size_t i = 0; i < table->count; i++)
    if (table->rows[i]->letter) {
      *to++ = table->rows[i]->letter;
      if (table->rows[i]->value == HP_VALUE_MUST)
        *to++ = ':';
    }
}

static void free_table(struct table *table) {
  free(table->rows);
  free(table->list);
  free(table->letters);
}

static bool make_table(struct table *table,
                       const struct hp_command_options *options, bool symbols) {
  size_t most = options->count + SYMBOL_ROWS + LAST_ROWS;
  *table = (struct table){.rows = calloc(most, sizeof *table->rows),
                          .list = calloc(2 * most + 1, sizeof *table->list),
                          .letters = calloc(2 * most + 3, 1)};
  if (!table->rows || !table->list || !table->letters)
    return false;
  add_rows(table, options->rows, options->count);
  if (symbols)
    add_rows(table, symbol_rows, SYMBOL_ROWS);
  table->last = table->count;
  add_rows(table, last_rows, LAST_ROWS);
  add_letters(table, options->of_program);
  return true;
}

/* ---- the command line ---------------------------------------------------- */

/* Tells what getopt_long, which returned CODE, did not understand.  It knows the
   option where that has an argument too many, be it one that has a letter. */
static int fail_option(const struct table *table, char **argv, int code) {
  char letter[3] = {'-', (char)optopt, '\0'};
  const bool too_many =
      code == '?' && optopt && row_of(table, optopt) < table->count;
  const bool has_letter = optopt > 0 && optopt < HP_FIRST_CODE;
  const char *word = has_letter && !too_many ? letter : argv[optind - 1];
  return hp_command_fail(HP_EXIT_USAGE, "%s '%s'; see %s --help",
                         code == ':' ? "an argument is missing after"
                         : too_many  ? "no argument is allowed in"
                                     : "unknown or ambiguous option",
                         word, hp_command_name);
}

static int put_last(const struct hp_command_options *options, size_t last) {
  if (last == LAST_VERSION)
    printf("%s %s\n", hp_command_name, HEAPPROF_VERSION);
  else if (options->put_help)
    options->put_help(stdout);
  else
    fputs(options->help, stdout);
  return hp_command_close_output(stdout, NULL, HP_EXIT_DONE);
}

/* False: *EXIT_CODE is what to end with. */
static bool take(const struct hp_command_options *options,
                 const struct table *table, void *arguments,
                 struct hp_open_options *open, size_t row, int *exit_code) {
  const struct hp_option *option = table->rows[row];
  bool own = row < options->count;
  if (row >= table->last) {
    *exit_code = put_last(options, row - table->last);
    return false;
  }
  const char *wanted = option->read(option, own ? arguments : open, optarg);
  if (!wanted)
    return true;
  *exit_code = hp_command_fail(HP_EXIT_USAGE, "--%s '%s': must be %s",
                               option->name, optarg, wanted);
  return false;
}

bool hp_command_parse(const struct hp_command_options *options, void *arguments,
                      struct hp_open_options *open, int argc, char **argv,
                      int *exit_code) {
  struct table table;
  bool good = make_table(&table, options, open != NULL);
  int code;
  opterr = 0;
  if (open)
    open->progress = hp_command_progress;
  if (!good)
    *exit_code = hp_command_fail(HP_EXIT_INPUT_OUTPUT, "out of memory");
  while (good && (code = getopt_long(argc, argv, table.letters, table.list,
                                     NULL)) != -1) {
    if (code == '?' || code == ':') {
      *exit_code = fail_option(&table, argv, code);
      good = false;
    } else {
      good = take(options, &table, arguments, open, row_of(&table, code),
                  exit_code);
    }
  }
  free_table(&table);
  return good;
}
