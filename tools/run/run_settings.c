/* run_settings.c - see run_settings.h: strings joined and taken apart.
   Memory is kept until the process ends; without any it ends at once.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "run_settings.h"

#include "command.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((format(printf, 1, 2))) static char *joined(const char *format,
                                                          ...) {
  va_list arguments;
  char *text;
  va_start(arguments, format);
  int length = vasprintf(&text, format, arguments);
  va_end(arguments);
  if (length < 0)
    exit(hp_command_fail(HP_EXIT_INPUT_OUTPUT, "out of memory"));
  return text;
}

static char *working_directory(void);

/* The runtime takes a name from where its program starts, which for a child may
   be elsewhere. */
static const char *from_here(const char *directory) {
  const char *here = *directory == '/' || strncmp(directory, "%H", 2) == 0 ||
                             strncmp(directory, "%t", 2) == 0
                         ? NULL
                         : working_directory();
  return here ? joined("%s/%s", here, directory) : directory;
}

bool hp_run_add_option(struct hp_run_settings *settings, const char *name,
                       const char *value) {
  if (strcmp(name, "dump_dir") == 0)
    value = from_here(value);
  char quote = strchr(value, '\'') ? '"' : '\'';
  if (strchr(value, quote))
    return false;
  const char *before = settings->options ? settings->options : "";
  settings->options = joined("%s%s%s=%c%s%c", before, *before ? ":" : "", name,
                             quote, value, quote);
  return true;
}

bool hp_run_add_first(struct hp_run_settings *settings, const char *name,
                      const char *value) {
  struct hp_run_settings first = {0};
  if (!hp_run_add_option(&first, name, value))
    return false;
  settings->options = settings->options
                          ? joined("%s:%s", first.options, settings->options)
                          : first.options;
  return true;
}

/* A percent sign stands for something in dump_dir. */
static char *working_directory(void) {
  char path[PATH_MAX], *text = joined("%s", "");
  if (!getcwd(path, sizeof path) || path[0] != '/')
    return NULL;
  for (const char *c = path; *c; c++)
    text = joined("%s%s%c", text, *c == '%' ? "%" : "", *c);
  return text;
}

char *hp_run_join_options(const struct hp_run_settings *settings,
                          const char *failures, const char *inherited) {
  struct hp_run_settings first = {0};
  const char *own = settings->options ? settings->options : "";
  const char *directory = working_directory();
  if (!inherited)
    inherited = "";
  if (directory)
    hp_run_add_option(&first, "dump_dir", directory);
  if (failures)
    hp_run_add_option(&first, "failure_file", failures);
  const char *place = first.options ? first.options : "";
  return joined("%s%s%s%s%s", place, *place && *inherited ? ":" : "", inherited,
                (*place || *inherited) && *own ? ":" : "", own);
}

static bool is_separator(char c) { return c && strchr(" ,:\n\t\r", c) != NULL; }

bool hp_run_dump_dir(const char *options, char *directory, size_t size) {
  static const char name[] = "dump_dir=";
  bool found = false;
  while (*options) {
    options += is_separator(*options);
    size_t length = strcspn(options, "= ,:\n\t\r");
    bool ours = strncmp(options, name, sizeof name - 1) == 0;
    if (options[length] != '=') {
      options += length;
      continue;
    }
    const char *value = options + length + 1;
    char quote = *value == '\'' || *value == '"' ? *value++ : '\0';
    const char *end = value;
    while (*end && (quote ? *end != quote : !is_separator(*end)))
      end++;
    if (ours && (size_t)(end - value) < size) {
      memcpy(directory, value, (size_t)(end - value));
      directory[end - value] = '\0';
      found = true;
    }
    options = *end && quote ? end + 1 : end;
  }
  char *to = directory;
  for (const char *c = directory; found && *c; c++) {
    if (*c == '%' && *++c != '%')
      return false;
    *to++ = *c;
  }
  if (found)
    *to = '\0';
  return found;
}

char *hp_run_join_preload(const char *library, const char *inherited) {
  const char *found = inherited ? strstr(inherited, library) : NULL;
  size_t length = strlen(library);
  if (found && (found == inherited || strchr(": ", found[-1])) &&
      (!found[length] || strchr(": ", found[length])))
    return joined("%s", inherited);
  return inherited && *inherited ? joined("%s:%s", library, inherited)
                                 : joined("%s", library);
}
