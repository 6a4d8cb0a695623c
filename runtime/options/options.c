/* options.c - parses HEAPPROF_OPTIONS by the rules that sanitizers share.
   name=value, separated by space , : tab newline; values may be quoted.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "options/options.h"

#include "options/option_path.h"
#include "sanitizer/heapprof_interface.h"
#include "system/error_text.h"
#include "system/files.h"
#include "system/memory.h"
#include "system/message.h"
#include "system/process_facts.h"

/* sanitizer_common's own parser is not used: its 21st unknown name is a failed
   check, a number too great is cut silently, and its messages name neither the
   option nor where it came from. */

#define HP_OPTIONS_FILE_MAX ((size_t)32 << 10) /* bytes of an included file */
#define HP_INCLUDE_DEPTH 8

struct hp_options hp_options = {
#define HP_OPTION(type, name, value, text) .name = value,
#include "options/options.def"
};

__attribute__((weak)) const char *__heapprof_default_options(void);

enum option_type { HP_TYPE_bool, HP_TYPE_int, HP_TYPE_uint64, HP_TYPE_string };

static const struct option {
  const char *name;
  enum option_type type;
  void *value; /* the field of hp_options */
  const char *text;
} options[] = {
#define HP_OPTION(type, name, value, text)                                     \
  {#name, HP_TYPE_##type, &hp_options.name, text},
#include "options/options.def"
};

static const struct range {
  const char *name;
  uint64_t least, greatest;
} ranges[] = {
#define HP_OPTION_RANGE(name, least, greatest) {#name, least, greatest},
#include "options/options.def"
};

/* Options whose text is one of a few words. */
static const struct words {
  const char *name;
  const char *words[4]; /* ended by NULL */
} word_lists[] = {
#define HP_OPTION_WORDS(name, ...) {#name, {__VA_ARGS__}},
#include "options/options.def"
};

#define HP_COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* Names that no option has, in the order they were met. */
static struct {
  int count;
  size_t size;
  char names[512]; /* the first ones, separated by commas */
} unknown;

static void parse_text(char *text, const char *source, int depth);

/* ---- text ---------------------------------------------------------------- */

static bool is_same(const char *a, const char *b) {
  while (*a && *a == *b)
    a++, b++;
  return *a == *b;
}

static size_t length_of(const char *text) {
  size_t n = 0;
  while (text[n])
    n++;
  return n;
}

static bool is_separator(char c) {
  return c == ' ' || c == ',' || c == ':' || c == '\n' || c == '\t' ||
         c == '\r';
}

/* ---- values -------------------------------------------------------------- */

static bool parse_bool(const char *text, bool *value) {
  static const struct {
    const char *word;
    bool value;
  } words[] = {{"0", false},  {"1", true},      {"no", false},
               {"yes", true}, {"false", false}, {"true", true}};
  for (size_t i = 0; i < HP_COUNT_OF(words); i++)
    if (is_same(text, words[i].word)) {
      *value = words[i].value;
      return true;
    }
  return false;
}

/* Decimal digits only; false if there are none or too many. */
static bool parse_number(const char *text, uint64_t *value) {
  uint64_t number = 0;
  if (!*text)
    return false;
  for (; *text; text++)
    if (*text < '0' || *text > '9' ||
        __builtin_mul_overflow(number, (uint64_t)10, &number) ||
        __builtin_add_overflow(number, (uint64_t)(*text - '0'), &number))
      return false;
  *value = number;
  return true;
}

static struct range range_of(const struct option *option) {
  for (size_t i = 0; i < HP_COUNT_OF(ranges); i++)
    if (is_same(ranges[i].name, option->name))
      return ranges[i];
  uint64_t most = option->type == HP_TYPE_int ? INT32_MAX : UINT64_MAX;
  return (struct range){option->name, 0, most};
}

static void set_number(const struct option *option, const char *text,
                       const char *source) {
  struct range range = range_of(option);
  uint64_t number;
  if (!parse_number(text, &number) || number < range.least ||
      number > range.greatest)
    hp_sys_die("%s: %s=%s: not a number from %llu to %llu", source,
               option->name, text, (unsigned long long)range.least,
               (unsigned long long)range.greatest);
  if (option->type == HP_TYPE_int)
    *(int *)option->value = (int)number;
  else
    *(uint64_t *)option->value = number;
}

static void set_string(const struct option *option, const char *text,
                       const char *source) {
  for (size_t i = 0; i < HP_COUNT_OF(word_lists); i++) {
    const char *const *words = word_lists[i].words;
    if (!is_same(word_lists[i].name, option->name))
      continue;
    while (*words && !is_same(*words, text))
      words++;
    if (!*words)
      hp_sys_die("%s: %s=%s: not one of %s, %s%s%s", source, option->name, text,
                 word_lists[i].words[0], word_lists[i].words[1],
                 word_lists[i].words[2] ? ", " : "",
                 word_lists[i].words[2] ? word_lists[i].words[2] : "");
  }
  *(const char **)option->value = text;
}

/* ---- included files ------------------------------------------------------ */

static void include_file(const char *path, bool must_exist, const char *source,
                         int depth) {
  if (depth >= HP_INCLUDE_DEPTH)
    hp_sys_die("%s: include=%s: files include each other more than %d deep",
               source, path, HP_INCLUDE_DEPTH);
  int fd = hp_sys_open(path);
  if (fd < 0 && !must_exist)
    return;
  if (fd < 0)
    hp_sys_die("%s: include=%s: cannot be opened: %s; give a file that "
               "can be read, or use include_if_exists",
               source, path, hp_sys_error_text(fd));
  char *text = hp_sys_map(HP_OPTIONS_FILE_MAX);
  size_t size = 0;
  long n = text ? 1 : -1;
  while (n > 0 && size < HP_OPTIONS_FILE_MAX) {
    n = hp_sys_read(fd, text + size, HP_OPTIONS_FILE_MAX - size);
    size += n > 0 ? (size_t)n : 0;
  }
  hp_sys_close(fd);
  if (n < 0)
    hp_sys_die("%s: include=%s: cannot be read: %s", source, path,
               hp_sys_error_text((int)n));
  if (size == HP_OPTIONS_FILE_MAX)
    hp_sys_die("%s: include=%s: has more than %d bytes; shorten it", source,
               path, (int)HP_OPTIONS_FILE_MAX - 1);
  parse_text(text, path, depth + 1);
}

/* ---- one option ---------------------------------------------------------- */

static void note_unknown(const char *name) {
  static const char separator[] = ", ";
  size_t size = length_of(name);
  unknown.count++;
  if (unknown.size + size + sizeof separator > sizeof unknown.names)
    return;
  if (unknown.size)
    for (size_t i = 0; separator[i]; i++)
      unknown.names[unknown.size++] = separator[i];
  for (size_t i = 0; i < size; i++)
    unknown.names[unknown.size++] = name[i];
}

struct hp_sys_flags hp_options_flags(void) {
  return (struct hp_sys_flags){
      .malloc_context_size = hp_options.malloc_context_size,
      .exitcode = hp_options.exitcode,
      .verbosity = hp_options.verbosity,
      .fast_unwind_on_malloc = hp_options.fast_unwind_on_malloc,
      .allocator_may_return_null = hp_options.allocator_may_return_null,
      .log_exe_name = hp_options.log_exe_name,
      .log_fallback_to_stderr = hp_options.log_fallback_to_stderr,
      .abort_on_error = hp_options.abort_on_error,
      .log_path = hp_options.log_path,
      .log_suffix = hp_options.log_suffix};
}

static void apply(void) {
  const struct hp_sys_flags flags = hp_options_flags();
  hp_sys_apply_flags(&flags);
}

static void set_option(const char *name, const char *text, const char *source,
                       int depth) {
  const struct option *option = NULL;
  for (size_t i = 0; i < HP_COUNT_OF(options); i++)
    if (is_same(options[i].name, name))
      option = &options[i];
  if (!option) {
    note_unknown(name);
    return;
  }
  switch (option->type) {
  case HP_TYPE_bool:
    if (!parse_bool(text, option->value))
      hp_sys_die("%s: %s=%s: not one of 0, 1, no, yes, false, true", source,
                 name, text);
    break;
  case HP_TYPE_int:
  case HP_TYPE_uint64:
    set_number(option, text, source);
    break;
  case HP_TYPE_string:
    set_string(option, text, source);
    break;
  }
  apply(); /* an exitcode given first holds for what follows */
  if (is_same(name, "include") || is_same(name, "include_if_exists"))
    include_file(text, is_same(name, "include"), source, depth);
}

/* Splits TEXT in place; values stay where they are for the life of the
   process. */
static void parse_text(char *text, const char *source, int depth) {
  for (;;) {
    while (is_separator(*text))
      text++;
    if (!*text)
      return;
    char *name = text;
    while (*text && *text != '=' && !is_separator(*text))
      text++;
    if (*text != '=') {
      *text = 0;
      hp_sys_die("%s: expected '=' after '%s'; options are name=value, "
                 "separated by ':'",
                 source, name);
    }
    if (text == name) {
      while (*text && !is_separator(*text))
        text++;
      *text = 0;
      hp_sys_die("%s: expected a name before '%s'; options are name=value, "
                 "separated by ':'",
                 source, name);
    }
    *text++ = 0;
    char quote = *text == '\'' || *text == '"' ? *text++ : 0;
    char *value = text;
    while (*text && (quote ? *text != quote : !is_separator(*text)))
      text++;
    if (quote && !*text)
      hp_sys_die("%s: %s=%c%s: the quote is not closed", source, name, quote,
                 value);
    bool last = !*text;
    *text = 0;
    if (quote && text[1] && !is_separator(text[1]))
      hp_sys_die("%s: %s=%c%s%c: expected ':' after the closing quote", source,
                 name, quote, value, quote);
    set_option(name, value, source, depth);
    if (last)
      return;
    text++;
  }
}

static void parse_constant(const char *text, const char *source) {
  size_t size = length_of(text) + 1;
  char *copy = hp_sys_map(size);
  if (!copy)
    hp_sys_die("%s: no memory for %zu bytes", source, size);
  for (size_t i = 0; i < size; i++)
    copy[i] = text[i];
  parse_text(copy, source, 0);
}

/* ---- help ---------------------------------------------------------------- */

static void print_help(void) {
  hp_sys_print("Available flags for heapprof:\n");
  for (size_t i = 0; i < HP_COUNT_OF(options); i++) {
    const struct option *option = &options[i];
    char number[24];
    const char *value = number;
    switch (option->type) {
    case HP_TYPE_bool:
      value = *(const bool *)option->value ? "true" : "false";
      break;
    case HP_TYPE_int:
      hp_sys_format(number, sizeof number, "%d", *(const int *)option->value);
      break;
    case HP_TYPE_uint64:
      hp_sys_format(number, sizeof number, "%llu",
                    *(const unsigned long long *)option->value);
      break;
    case HP_TYPE_string:
      value = *(const char *const *)option->value;
      break;
    }
    hp_sys_print("\t");
    hp_sys_print(option->name);
    hp_sys_print("\n\t\t- ");
    hp_sys_print(option->text);
    hp_sys_print(" (Current Value: ");
    hp_sys_print(value);
    hp_sys_print(")\n");
  }
}

/* ---- where messages go --------------------------------------------------- */

static void refuse_log(const char *why) {
  (hp_options.log_fallback_to_stderr ? hp_sys_warn : hp_sys_die)(
      "log_path=%s: %s", hp_options.log_path, why);
}

/* A directory that cannot be made is told where the file cannot be. */
static void open_log(void) {
  char text[HP_SYS_LOG_PATH];
  struct hp_option_path path = {.text = text, .size = sizeof text};
  text[0] = '\0';
  size_t parent = 0;
  for (const char *p = hp_options.log_path; *p; p++) {
    if (*p != '%')
      hp_option_path_add(&path, p, 1);
    else if (!hp_option_path_expand(&path, *++p)) {
      refuse_log("there is a % that stands for nothing here; use %p %H %t, or "
                 "%% for a percent sign");
      return;
    }
  }
  if (path.too_long) {
    refuse_log("too long");
    return;
  }
  for (size_t i = 1; i < path.length; i++)
    if (text[i] == '/')
      parent = i;
  if (parent)
    hp_option_path_make(text, parent);
  hp_sys_open_log(text);
}

void hp_options_parse(void) {
  if (__heapprof_default_options) {
    const char *text = __heapprof_default_options();
    if (text)
      parse_constant(text, "__heapprof_default_options()");
  }
  const char *text = hp_sys_getenv("HEAPPROF_OPTIONS");
  if (text)
    parse_constant(text, "HEAPPROF_OPTIONS");
  apply();
  open_log();
  if (unknown.count)
    hp_sys_warn("WARNING: found %d unrecognized flag(s): %s%s; help=1 lists "
                "all there are",
                unknown.count, unknown.names,
                unknown.size + 32 > sizeof unknown.names ? ", ..." : "");
  if (hp_options.help)
    print_help();
}
