/* driver_scan.c - one pass from left to right over the arguments, as the driver
   reads them: later options win, a value is never taken for an option.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver_scan.h"

#include <stdlib.h>
#include <string.h>

#include "driver_options.h"

const char *const hp_conflicting[HP_CONFLICTING] = {
    "-fmemory-profile", /* first: the one that is no sanitizer by name */
    "-fsanitize=address",
    "-fsanitize=kernel-address",
    "-fsanitize=hwaddress",
    "-fsanitize=kernel-hwaddress",
    "-fsanitize=memory",
    "-fsanitize=kernel-memory",
    "-fsanitize=memtag",
    "-fsanitize=memtag-stack",
    "-fsanitize=memtag-heap",
    "-fsanitize=memtag-globals",
    "-fsanitize=thread",
    "-fsanitize=leak",
    "-fsanitize=dataflow",
    "-fsanitize=scudo",
    "-fsanitize=type",
    "-fsanitize=numerical",
    "-fsanitize=realtime",
    "-fsanitize=pointer-compare",
    "-fsanitize=pointer-subtract",
};
_Static_assert(HP_CONFLICTING <= 8 * sizeof(unsigned), "one bit for each");

/* What is remembered while reading, and of no use afterwards. */
struct reader {
  struct hp_invocation *out;
  struct hp_arguments *arguments;
  bool language_set;      /* by -x, until -x none */
  enum hp_input language; /* of the inputs that follow */
  bool inputs_only;       /* after -- */
};

static bool starts(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

static const char *after(const char *text, const char *prefix) {
  return starts(text, prefix) ? text + strlen(prefix) : NULL;
}

static bool any(const char *text, const char *const *words) {
  for (; *words != NULL; words++)
    if (strcmp(text, *words) == 0)
      return true;
  return false;
}

static void conflict(struct hp_invocation *out, unsigned bit, bool on) {
  out->conflicts =
      on ? out->conflicts | 1U << bit : out->conflicts & ~(1U << bit);
}

static void sanitizer(struct hp_invocation *out, const char *name,
                      size_t length, bool on) {
  if (length == 8 && strncmp(name, "heapprof", 8) == 0)
    out->heapprof = on;
  if (length == 3 && strncmp(name, "all", 3) == 0 && !on) {
    out->heapprof = false;
    out->conflicts &= 1;
  }
  for (unsigned i = 1; i < HP_CONFLICTING; i++) {
    const char *other = after(hp_conflicting[i], "-fsanitize=");
    if (strlen(other) == length && strncmp(name, other, length) == 0)
      conflict(out, i, on);
  }
}

/* Reads the comma list VALUE of -f[no-]sanitize= and, if our name is in it,
   leaves the others. */
static void sanitizer_list(struct hp_invocation *out,
                           struct hp_argument *argument, const char *option,
                           const char *value) {
  const char *rest = "";
  bool ours = false;
  for (const char *name = value;;) {
    size_t length = strcspn(name, ",");
    sanitizer(out, name, length, option[2] != 'n');
    if (length == 8 && strncmp(name, "heapprof", 8) == 0)
      ours = true;
    else
      rest = hp_format("%s%s%.*s", rest, *rest != '\0' ? "," : "", (int)length,
                       name);
    if (name[length] == '\0')
      break;
    name += length + 1;
  }
  if (!ours)
    return;
  hp_argument_change(argument,
                     *rest != '\0' ? hp_format("%s%s", option, rest) : NULL);
}

static void target(struct hp_invocation *out, const char *value,
                   const char *option) {
  bool x86_64 = starts(value, "x86_64-") || starts(value, "amd64-");
  bool ours = x86_64 && strstr(value, "linux") != NULL &&
              strstr(value, "android") == NULL &&
              strstr(value, "gnux32") == NULL && strstr(value, "musl") == NULL;
  out->foreign_target = ours ? NULL : option;
}

static void input(struct reader *reader, enum hp_input kind) {
  struct hp_invocation *out = reader->out;
  out->has_input = true;
  out->has_macros |= kind == HP_INPUT_SOURCE || kind == HP_INPUT_HEADER ||
                     kind == HP_INPUT_CPP_ASSEMBLER;
  out->has_code |= kind == HP_INPUT_SOURCE || kind == HP_INPUT_HEADER ||
                   kind == HP_INPUT_PREPROCESSED;
  out->has_link_input |= kind != HP_INPUT_HEADER;
}

/* The word at INDEX is the value of OPTION, the word before it. */
static void value(struct reader *reader, const char *option, size_t index) {
  const char *text = reader->arguments->item[index].text;
  if (strcmp(option, "-x") == 0) {
    reader->language_set = strcmp(text, "none") != 0;
    reader->language = hp_input_of_language(text);
  } else if (strcmp(option, "-target") == 0) {
    target(reader->out, text, text);
  } else if (strcmp(option, "-l") == 0) {
    input(reader, HP_INPUT_LINKER);
  } else if (strcmp(option, "-Xlinker") == 0) {
    input(reader, HP_INPUT_LINKER);
    hp_linker_add(&reader->out->linker, text, index, index - 1);
  } else if (strcmp(option, "-z") == 0) {
    hp_linker_add(&reader->out->linker, "-z", index - 1, index - 1);
    hp_linker_add(&reader->out->linker, text, index, index);
  }
}

static void phase(struct hp_invocation *out, const char *option) {
  static const char *const preprocess[] = {"-E", "-M", "-MM", NULL};
  static const char *const parse[] = {
      "-fsyntax-only", "--syntax-only", "-emit-ast",     "--analyze",
      "-verify-pch",   "-extract-api",  "-rewrite-objc", NULL};
  static const char *const compile[] = {"-c", "-S", "--precompile",
                                        "-emit-interface-stubs", NULL};
  enum hp_phase asked = HP_PHASE_LINK;
  if (any(option, preprocess))
    asked = HP_PHASE_PREPROCESS;
  else if (any(option, parse))
    asked = HP_PHASE_PARSE;
  else if (any(option, compile))
    asked = HP_PHASE_COMPILE;
  if (asked < out->phase)
    out->phase = asked;
}

static void link_option(struct hp_invocation *out, const char *option) {
  if (strcmp(option, "-shared") == 0)
    out->shared = true;
  else if (strcmp(option, "-r") == 0)
    out->relocatable = true;
  else if (strcmp(option, "-static") == 0 || strcmp(option, "-static-pie") == 0)
    out->static_option = option;
  else if (strcmp(option, "-nostdlib") == 0 ||
           strcmp(option, "-nodefaultlibs") == 0)
    out->no_default_libraries = true;
  else if (strcmp(option, "-shared-libsan") == 0 ||
           strcmp(option, "-shared-libasan") == 0)
    out->shared_runtime = true;
  else if (strcmp(option, "-static-libsan") == 0)
    out->shared_runtime = false;
  else if (starts(option, "-stdlib="))
    out->other_cxx_library = strcmp(option, "-stdlib=libc++") == 0;
  else if (strcmp(option, "-nostdlib++") == 0)
    out->other_cxx_library = true;
  else if (strcmp(option, "-fsplit-stack") == 0)
    out->split_stack = true;
  else if (strcmp(option, "-fno-split-stack") == 0)
    out->split_stack = false;
  else if (starts(option, "-fuse-ld=") || starts(option, "--ld-path=")) {
    out->lld = strstr(option, "lld") != NULL;
    out->mold = strstr(option, "mold") != NULL;
  }
}

static void code_option(struct hp_invocation *out, const char *option) {
  static const char *const frame[] = {"-fomit-frame-pointer",
                                      "-fno-omit-frame-pointer", NULL};
  static const char *const leaf[] = {"-momit-leaf-frame-pointer",
                                     "-mno-omit-leaf-frame-pointer", NULL};
  static const char *const no_code[] = {
      "--version",    "--help",       "-help", "--help-hidden",
      "-dumpmachine", "-dumpversion", NULL};
  out->chose_frame_pointer |= any(option, frame);
  out->chose_leaf_frame_pointer |= any(option, leaf);
  if (any(option, no_code) || starts(option, "-print-") ||
      starts(option, "--print-") || starts(option, "--autocomplete="))
    out->untouched = true;
  if (strcmp(option, "-m32") == 0 || strcmp(option, "-m16") == 0 ||
      strcmp(option, "-mx32") == 0)
    out->foreign_width = option;
  else if (strcmp(option, "-m64") == 0)
    out->foreign_width = NULL;
  else if (strcmp(option, "-femulated-tls") == 0)
    out->emulated_tls = true;
  else if (strcmp(option, "-fno-emulated-tls") == 0)
    out->emulated_tls = false;
  else if (strcmp(option, "--driver-mode=cpp") == 0)
    out->phase = HP_PHASE_PREPROCESS;
}

static void sanitizer_option(struct hp_invocation *out,
                             struct hp_argument *argument) {
  static const char *const with_list[] = {
      "-fsanitize-ignorelist=", "-fsanitize-blacklist=", NULL};
  const char *text = argument->text, *rest;
  if ((rest = after(text, "-fsanitize=")) != NULL)
    sanitizer_list(out, argument, "-fsanitize=", rest);
  else if ((rest = after(text, "-fno-sanitize=")) != NULL)
    sanitizer_list(out, argument, "-fno-sanitize=", rest);
  else if (strcmp(text, "-fno-sanitize-ignorelist") == 0 ||
           strcmp(text, "-fno-sanitize-blacklist") == 0)
    out->ignorelists.count = 0;
  else if (strcmp(text, "-fno-sanitize-link-runtime") == 0)
    out->link_runtime = false;
  else if (strcmp(text, "-fsanitize-link-runtime") == 0)
    out->link_runtime = true;
  else if (strcmp(text, "-fno-memory-profile") == 0)
    conflict(out, 0, false);
  else if (strcmp(text, "-fmemory-profile") == 0 ||
           starts(text, "-fmemory-profile="))
    conflict(out, 0, true);
  for (unsigned i = 0; with_list[i] != NULL; i++)
    if ((rest = after(text, with_list[i])) != NULL)
      hp_strings_push(&out->ignorelists, rest);
}

static void option(struct reader *reader, struct hp_argument *argument,
                   const char *text) {
  struct hp_invocation *out = reader->out;
  const char *rest;
  sanitizer_option(out, argument);
  phase(out, text);
  link_option(out, text);
  code_option(out, text);
  if ((rest = after(text, "-x")) != NULL || /* joined, as -xc */
      (rest = after(text, "--language=")) != NULL) {
    reader->language_set = strcmp(rest, "none") != 0;
    reader->language = hp_input_of_language(rest);
  } else if ((rest = after(text, "--target=")) != NULL) {
    target(out, rest, text);
  } else if (starts(text, "-Wl,")) {
    input(reader, HP_INPUT_LINKER);
    hp_linker_add_list(&reader->out->linker, text,
                       (size_t)(argument - reader->arguments->item));
  } else if (starts(text, "-l")) {
    input(reader, HP_INPUT_LINKER);
  }
}

static void read_all(struct reader *reader) {
  struct hp_arguments *arguments = reader->arguments;
  for (size_t i = 0; i < arguments->count; i++) {
    struct hp_argument *argument = &arguments->item[i];
    if (argument->text == NULL)
      continue;
    const char *text = hp_option_short(argument->text);
    if (reader->inputs_only || text[0] != '-' || text[1] == '\0')
      input(reader,
            reader->language_set ? reader->language : hp_input_of_file(text));
    else if (strcmp(text, "--") == 0)
      reader->inputs_only = true;
    else if (!hp_option_takes_next(argument->text))
      option(reader, argument, text);
    else if (i + 1 < arguments->count)
      value(reader, text, ++i);
  }
}

/* Only with our name: else it is clang's to say that it knows no such option.  The
   last one counts. */
static void members_options(struct hp_invocation *out,
                            struct hp_arguments *arguments) {
  for (size_t i = 0; i < arguments->count; i++) {
    struct hp_argument *argument = &arguments->item[i];
    if (argument->text == NULL)
      continue;
    const bool on = strcmp(argument->text, "-fsanitize-heapprof-members") == 0;
    if (!on && strcmp(argument->text, "-fno-sanitize-heapprof-members") != 0)
      continue;
    out->members = on;
    hp_argument_change(argument, NULL);
  }
}

/* Functions stay in one piece, as the runtime knows one range of code of each: what a part
   that lies elsewhere allocates would have unknown accesses.  And they keep the tables by
   which stacks are unwound: without, each stack would end where the first lacks them. */
static bool is_against_runtime(const char *option) {
  return strcmp(option, "-fsplit-machine-functions") == 0 ||
         starts(option, "-fbasic-block-sections=") ||
         strcmp(option, "-fno-unwind-tables") == 0 ||
         strcmp(option, "-fno-asynchronous-unwind-tables") == 0;
}

static void code_options(struct hp_arguments *arguments) {
  for (size_t i = 0; i < arguments->count; i++) {
    struct hp_argument *argument = &arguments->item[i];
    if (argument->text != NULL && is_against_runtime(argument->text))
      hp_argument_change(argument, NULL);
  }
}

static bool is_pass_option(const char *value) {
  return value != NULL &&
         (starts(value, "-heapprof-") || starts(value, "--heapprof-"));
}

/* The driver hands -mllvm to the assembler, too, which does not load the pass: with
   -save-temps, and where the input is assembly. */
static void pass_options(struct hp_invocation *out,
                         struct hp_arguments *arguments) {
  for (size_t i = 0; i < arguments->count; i++) {
    struct hp_argument *argument = &arguments->item[i];
    if (argument->text == NULL)
      continue;
    if (strcmp(argument->text, "--") == 0)
      return;
    const char *joined = after(argument->text, "-mllvm=");
    if (is_pass_option(joined)) {
      hp_strings_push(&out->pass_options, joined);
      hp_argument_change(argument, NULL);
    } else if (hp_option_takes_next(argument->text) && ++i < arguments->count) {
      struct hp_argument *value = &arguments->item[i];
      if (strcmp(argument->text, "-mllvm") != 0 || !is_pass_option(value->text))
        continue;
      hp_strings_push(&out->pass_options, value->text);
      hp_argument_change(argument, NULL);
      hp_argument_change(value, NULL);
    }
  }
}

void hp_scan(struct hp_invocation *out, struct hp_arguments *arguments) {
  memset(out, 0, sizeof(*out));
  out->phase = HP_PHASE_LINK;
  out->link_runtime = true;
  if (arguments->count > 0 && arguments->item[0].text != NULL &&
      starts(arguments->item[0].text, "-cc1")) {
    out->untouched = true; /* the compiler calling itself */
    return;
  }
  struct reader reader = {.out = out, .arguments = arguments};
  read_all(&reader);
  if (out->heapprof) {
    members_options(out, arguments);
    code_options(arguments);
    pass_options(out, arguments);
  }
  hp_linker_wrapped(&out->linker, &out->wrapped);
  if (out->split_stack)
    hp_strings_push(&out->wrapped, "pthread_create");
  out->relocatable |= hp_linker_relocatable(&out->linker);
  if (out->heapprof && out->shared && out->phase == HP_PHASE_LINK)
    out->undefined_option = hp_linker_allow_undefined(&out->linker, arguments);
}
