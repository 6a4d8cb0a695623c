/* driver_options.c - tables of clang's options and file types, in the driver's
   own order: a test asks the driver whether each line is still true.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver_options.h"

#include <stddef.h>
#include <string.h>

/* Kinds Separate and JoinedOrSeparate of clang/Options/Options.td, as far as
   they mean something on Linux. */
static const char *const takes_next[] = {
    "--CLASSPATH",
    "--analyzer-output",
    "--assert",
    "--config",
    "--define-macro",
    "--dyld-prefix",
    "--encoding",
    "--for-linker",
    "--force-link",
    "--include-directory",
    "--include-directory-after",
    "--include-prefix",
    "--include-with-prefix",
    "--include-with-prefix-after",
    "--include-with-prefix-before",
    "--language",
    "--library-directory",
    "--no-system-header-prefix",
    "--output",
    "--param",
    "--prefix",
    "--print-file-name",
    "--print-prog-name",
    "--rtlib",
    "--std",
    "--stdlib",
    "--sysroot",
    "--system-header-prefix",
    "--undefine-macro",
    "-A",
    "-B",
    "-D",
    "-F",
    "-G",
    "-I",
    "-L",
    "-MF",
    "-MJ",
    "-MQ",
    "-MT",
    "-T",
    "-U",
    "-V",
    "-Xanalyzer",
    "-Xarch_device",
    "-Xarch_host",
    "-Xassembler",
    "-Xclang",
    "-Xclangas",
    "-Xlinker",
    "-Xopenmp-target",
    "-Xpreprocessor",
    "-Zlinker-input",
    "-arch",
    "-b",
    "-ccc-gcc-name",
    "-ccc-install-dir",
    "-cxx-isystem",
    "-dependency-dot",
    "-dependency-file",
    "-dumpdir",
    "-e",
    "-fdebug-compilation-dir",
    "-fmodule-implementation-of",
    "-fmodules-user-build-path",
    "-fnew-alignment",
    "-ftrapv-handler",
    "-gen-cdb-fragment-path",
    "-idirafter",
    "-imacros",
    "-imultilib",
    "-include",
    "-include-pch",
    "-init",
    "-iprefix",
    "-iquote",
    "-isysroot",
    "-isystem",
    "-isystem-after",
    "-ivfsoverlay",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-iwithsysroot",
    "-l",
    "-mllvm",
    "-mmlir",
    "-module-dependency-dir",
    "-mthread-model",
    "-o",
    "-object-file-name",
    "-resource-dir",
    "-rpath",
    "-serialize-diagnostics",
    "-specs",
    "-stdlib++-isystem",
    "-target",
    "-u",
    "-undefined",
    "-working-directory",
    "-x",
    "-z",
};

bool hp_option_takes_next(const char *option) {
  for (size_t i = 0; i < sizeof(takes_next) / sizeof(takes_next[0]); i++)
    if (strcmp(option, takes_next[i]) == 0)
      return true;
  return strncmp(option, "-Xarch_", 7) == 0 ||
         strncmp(option, "-Xopenmp-target=", 16) == 0 ||
         strncmp(option, "-Xoffload-linker", 16) == 0;
}

/* What the pass and the plugin beside it take, behind -heapprof-. */
static const char *const of_pass[] = {
    "ask-first",
    "assembly",
    "carry",
    "drop-bodies",
    "expect-samples",
    "follow-calls",
    "follow-reads",
    "ignorelist",
    "inline",
    "inline-above",
    "inline-few",
    "inline-most",
    "instrument-atomics",
    "instrument-memintrinsics",
    "instrument-reads",
    "instrument-writes",
    "keep-frames",
    "loop-counts",
    "loop-exits",
    "loop-ranges",
    "members",
    "merge",
    "naive",
    "optimise",
    "pools",
    "reuse",
    "sampled-forms",
    "short-copies",
    "sink",
    "stats",
    "word-hooks",
};

bool hp_option_is_of_pass(const char *option) {
  const char *name = option + strspn(option, "-") + strlen("heapprof-");
  const size_t length = strcspn(name, "=");
  for (size_t i = 0; i < sizeof(of_pass) / sizeof(of_pass[0]); i++)
    if (strlen(of_pass[i]) == length && memcmp(name, of_pass[i], length) == 0)
      return true;
  return false;
}

struct spelling {
  const char *word, *meaning;
};

static const struct spelling long_spelling[] = {
    {"--assemble", "-S"},           {"--compile", "-c"},
    {"--dependencies", "-M"},       {"--for-linker", "-Xlinker"},
    {"--language", "-x"},           {"--no-standard-libraries", "-nostdlib"},
    {"--preprocess", "-E"},         {"--shared", "-shared"},
    {"--static", "-static"},        {"--static-pie", "-static-pie"},
    {"--user-dependencies", "-MM"},
};

const char *hp_option_short(const char *option) {
  size_t count = sizeof(long_spelling) / sizeof(long_spelling[0]);
  for (size_t i = 0; i < count; i++)
    if (strcmp(option, long_spelling[i].word) == 0)
      return long_spelling[i].meaning;
  return option;
}

struct file_type {
  const char *suffix;
  enum hp_input input;
};

static const struct file_type file_types[] = {
    {"c", HP_INPUT_SOURCE},         {"C", HP_INPUT_SOURCE},
    {"cc", HP_INPUT_SOURCE},        {"CC", HP_INPUT_SOURCE},
    {"cp", HP_INPUT_SOURCE},        {"cpp", HP_INPUT_SOURCE},
    {"CPP", HP_INPUT_SOURCE},       {"cxx", HP_INPUT_SOURCE},
    {"CXX", HP_INPUT_SOURCE},       {"c++", HP_INPUT_SOURCE},
    {"C++", HP_INPUT_SOURCE},       {"cppm", HP_INPUT_SOURCE},
    {"ccm", HP_INPUT_SOURCE},       {"cxxm", HP_INPUT_SOURCE},
    {"c++m", HP_INPUT_SOURCE},      {"m", HP_INPUT_SOURCE},
    {"M", HP_INPUT_SOURCE},         {"mm", HP_INPUT_SOURCE},
    {"pcm", HP_INPUT_PREPROCESSED}, {"pch", HP_INPUT_PREPROCESSED},
    {"gch", HP_INPUT_PREPROCESSED}, {"i", HP_INPUT_PREPROCESSED},
    {"ii", HP_INPUT_PREPROCESSED},  {"iim", HP_INPUT_PREPROCESSED},
    {"mi", HP_INPUT_PREPROCESSED},  {"mii", HP_INPUT_PREPROCESSED},
    {"bc", HP_INPUT_PREPROCESSED},  {"ll", HP_INPUT_PREPROCESSED},
    {"ast", HP_INPUT_PREPROCESSED}, {"h", HP_INPUT_HEADER},
    {"H", HP_INPUT_HEADER},         {"hh", HP_INPUT_HEADER},
    {"hpp", HP_INPUT_HEADER},       {"hxx", HP_INPUT_HEADER},
    {"h++", HP_INPUT_HEADER},       {"s", HP_INPUT_ASSEMBLER},
    {"asm", HP_INPUT_ASSEMBLER},    {"S", HP_INPUT_CPP_ASSEMBLER},
};

enum hp_input hp_input_of_file(const char *name) {
  const char *dot = strrchr(name, '.');
  if (strcmp(name, "-") == 0)
    return HP_INPUT_SOURCE;
  if (dot != NULL && strchr(dot, '/') == NULL)
    for (size_t i = 0; i < sizeof(file_types) / sizeof(file_types[0]); i++)
      if (strcmp(dot + 1, file_types[i].suffix) == 0)
        return file_types[i].input;
  return HP_INPUT_LINKER;
}

enum hp_input hp_input_of_language(const char *language) {
  size_t length = strlen(language);
  if (strcmp(language, "assembler") == 0)
    return HP_INPUT_ASSEMBLER;
  if (strcmp(language, "assembler-with-cpp") == 0)
    return HP_INPUT_CPP_ASSEMBLER;
  if (strcmp(language, "ir") == 0 || strstr(language, "cpp-output") != NULL)
    return HP_INPUT_PREPROCESSED;
  if (length > 7 && strcmp(language + length - 7, "-header") == 0)
    return HP_INPUT_HEADER;
  return HP_INPUT_SOURCE;
}
