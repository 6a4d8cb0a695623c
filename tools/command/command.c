/* command.c - what every command does alike: errors, output, exit codes.
   The library fails with a status and a text; here they meet the terminal.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "command.h"
#include "progress.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define HP_WIDTH_MIN 80u
#define HP_WIDTH_MAX 1000u

int hp_command_fail(int code, const char *format, ...) {
  va_list arguments;
  hp_command_end_progress();
  fprintf(stderr, "%s: ", hp_command_name);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  putc('\n', stderr);
  return code;
}

int hp_command_fail_status(const struct hp_error *error) {
  return hp_command_fail(error->status == HP_E_ARGUMENT ? HP_EXIT_USAGE
                                                        : HP_EXIT_INPUT_OUTPUT,
                         "%s", error->text);
}

int hp_command_fail_option(char **argv, int code) {
  char letter[3] = {'-', (char)optopt, '\0'};
  const char *word = optopt > 0 && optopt < 256 ? letter : argv[optind - 1];
  return hp_command_fail(HP_EXIT_USAGE, "%s '%s'; see %s --help",
                         code == ':'     ? "an argument is missing after"
                         : optopt >= 256 ? "no argument is allowed in"
                                         : "unknown or ambiguous option",
                         word, hp_command_name);
}

static const char *name_of(const char *output) {
  return output ? output : "standard output";
}

FILE *hp_command_open_output(const char *output) {
  hp_command_end_progress();
  FILE *out = output ? fopen(output, "w") : stdout;
  if (!out)
    hp_command_fail(HP_EXIT_INPUT_OUTPUT, "%s: %s", output, strerror(errno));
  return out;
}

int hp_command_close_output(FILE *out, const char *output, int code) {
  bool failed;
  errno = 0;
  failed = fflush(out) != 0 || ferror(out);
  if (fclose(out) != 0)
    failed = true;
  if (!failed)
    return code;
  return hp_command_fail(HP_EXIT_INPUT_OUTPUT, "%s: cannot be written%s%s",
                         name_of(output), errno ? ": " : "",
                         errno ? strerror(errno) : "");
}

size_t hp_command_width(FILE *out) {
  const char *columns = getenv("COLUMNS");
  unsigned long width = columns ? strtoul(columns, NULL, 10) : 0;
  struct winsize size;
  if (width == 0 && ioctl(fileno(out), TIOCGWINSZ, &size) == 0)
    width = size.ws_col;
  return width < HP_WIDTH_MIN   ? HP_WIDTH_MIN
         : width > HP_WIDTH_MAX ? HP_WIDTH_MAX
                                : width;
}

bool hp_command_parse_color(const char *text, enum hp_color *color) {
  static const char *const names[] = {"auto", "always", "never"};
  for (unsigned i = 0; i < 3; i++)
    if (strcmp(text, names[i]) == 0) {
      *color = (enum hp_color)i;
      return true;
    }
  return false;
}

bool hp_command_colored(enum hp_color color, FILE *out) {
  const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
  if (color != HP_COLOR_AUTO)
    return color == HP_COLOR_ALWAYS;
  return !(no_color && *no_color) && terminal &&
         strcmp(terminal, "dumb") != 0 && isatty(fileno(out));
}

bool hp_command_parse_rows(const char *text, size_t *rows) {
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || errno || value > SIZE_MAX)
    return false;
  *rows = value ? (size_t)value : SIZE_MAX;
  return true;
}

/* Lasts as long as the process, as the other arguments do. */
static void add_debug_dir(struct hp_open_options *open, const char *dir) {
  size_t old = open->debug_dir ? strlen(open->debug_dir) + 1 : 0;
  char *joined = malloc(old + strlen(dir) + 1);
  if (!joined)
    exit(hp_command_fail(HP_EXIT_INPUT_OUTPUT, "out of memory"));
  if (old) {
    memcpy(joined, open->debug_dir, old - 1);
    joined[old - 1] = ':';
  }
  strcpy(joined + old, dir);
  open->debug_dir = joined;
}

bool hp_command_take_symbols(struct hp_open_options *open, int code,
                             const char *value) {
  switch (code) {
  case HP_OPTION_NO_SYMBOLS:
    open->no_symbols = true;
    return true;
  case HP_OPTION_DEBUG_DIR:
    add_debug_dir(open, value);
    return true;
  case HP_OPTION_SYSROOT:
    open->sysroot = value;
    return true;
  case HP_OPTION_NO_CACHE:
    open->no_cache = true;
    return true;
  default:
    return false;
  }
}

bool hp_command_take_last(int code, const char *help, int *exit_code) {
  if (code != HP_OPTION_HELP && code != HP_OPTION_VERSION)
    return false;
  if (code == HP_OPTION_HELP)
    fputs(help, stdout);
  else
    printf("%s %s\n", hp_command_name, HEAPPROF_VERSION);
  *exit_code = hp_command_close_output(stdout, NULL, HP_EXIT_DONE);
  return true;
}

bool hp_command_parse(const struct hp_command_options *options, void *arguments,
                      struct hp_open_options *open, int argc, char **argv,
                      int *exit_code) {
  int code, number;
  opterr = 0;
  open->progress = hp_command_progress;
  while ((code = getopt_long(argc, argv, ":o:", options->list, &number)) !=
         -1) {
    if (code == '?' || code == ':') {
      *exit_code = hp_command_fail_option(argv, code);
      return false;
    }
    if (hp_command_take_last(code, options->help, exit_code))
      return false;
    if (hp_command_take_symbols(open, code, optarg))
      continue;
    const char *wanted = options->take(arguments, code, optarg);
    if (wanted) {
      *exit_code = hp_command_fail(HP_EXIT_USAGE, "--%s '%s': must be %s",
                                   options->list[number].name, optarg, wanted);
      return false;
    }
  }
  return true;
}
