/* command.c - what every command does alike: errors, output, exit codes.
   The library fails with a status and a text; here they meet the terminal.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "command.h"
#include "output_file.h"
#include "progress.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define HP_WIDTH_MIN 80u
#define HP_WIDTH_MAX 1000u
#define HP_MESSAGE_MAX 16384u /* a path, and what is said of it */

int hp_command_fail(int code, const char *format, ...) {
  va_list arguments;
  hp_command_end_progress();
  char text[HP_MESSAGE_MAX];
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  for (char *c = text; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 0x7f) /* as hp_fail(): one line */
      *c = '?';
  fprintf(stderr, "%s: %s\n", hp_command_name, text);
  return code;
}

int hp_command_fail_status(const struct hp_error *error) {
  return hp_command_fail(error->status == HP_E_ARGUMENT ? HP_EXIT_USAGE
                                                        : HP_EXIT_INPUT_OUTPUT,
                         "%s", error->text);
}

hp_status hp_command_no_memory(struct hp_error *error) {
  snprintf(error->text, sizeof error->text, "out of memory");
  return error->status = HP_E_MEMORY;
}

static const char *name_of(const char *output) {
  return output ? output : "standard output";
}

FILE *hp_command_open_output(const char *output) {
  hp_command_end_progress();
  if (output && !*output) {
    hp_command_fail(HP_EXIT_INPUT_OUTPUT,
                    "the name of the output is empty; name a file");
    return NULL;
  }
  if (output && hp_is_file_of_dump(output)) {
    hp_command_fail(HP_EXIT_INPUT_OUTPUT,
                    "%s: is a file of a dump, which would be lost; name "
                    "another one",
                    output);
    return NULL;
  }
  FILE *out = output ? hp_output_file_open(output) : stdout;
  if (!out)
    hp_command_fail(HP_EXIT_INPUT_OUTPUT, "%s: %s", output, strerror(errno));
  return out;
}

/* Why OUT, of which a write failed, cannot be written; 0: not known.  The stream
   keeps no reason of a write that went past its buffer, so a file is asked for one
   byte more: what was written is of no use any more.  A pipe or a socket, whose
   reader would get the byte, fails as nobody reads it or as nothing may wait. */
static int reason_of(FILE *out) {
  struct stat status;
  struct pollfd asked = {.fd = fileno(out), .events = POLLOUT};
  errno = 0;
  if (fstat(asked.fd, &status) == 0 &&
      (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))) {
    const int flags = fcntl(asked.fd, F_GETFL);
    if (poll(&asked, 1, 0) == 1 && asked.revents & (POLLERR | POLLHUP))
      return EPIPE;
    return flags >= 0 && flags & O_NONBLOCK ? EAGAIN : 0;
  }
  return write(asked.fd, "\n", 1) < 0 ? errno : 0;
}

int hp_command_close_output(FILE *out, const char *output, int code) {
  errno = 0;
  bool failed = fflush(out) != 0 || ferror(out);
  int reason = errno; /* of the first failure; 0: an earlier write's */
  if (failed && !reason)
    reason = reason_of(out);
  if (!failed && output && code < HP_EXIT_USAGE) {
    reason = hp_output_file_name(out, output);
    failed = reason != 0;
  }
  errno = 0;
  if (fclose(out) != 0 && !failed) {
    failed = true;
    reason = errno;
  }
  if (!failed)
    return code;
  if (reason == EPIPE) /* the reader has enough, such as head: nothing to say */
    return HP_EXIT_INPUT_OUTPUT;
  return hp_command_fail(HP_EXIT_INPUT_OUTPUT, "%s: cannot be written%s%s",
                         name_of(output), reason ? ": " : "",
                         reason ? strerror(reason) : "");
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
