/* symbolize_fixture.h - programs compiled here and now, and questions about them.
   Probes are assembler labels, so that the address of a line is known exactly.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SYMBOLIZE_FIXTURE_H
#define HP_SYMBOLIZE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "resolve/symbolize.h"

/* Runs TESTS in a directory of their own that holds shop.cpp; with HP_TEST_CLANG,
   HP_TEST_CLANGXX and HP_TEST_OBJCOPY, which come from CMake. */
#define RUN_SYMBOLIZE_TESTS(tests)                                             \
  run_symbolize_tests(tests, sizeof tests / sizeof *tests)
int run_symbolize_tests(const struct CMUnitTest *tests, size_t count);

/* A shell's command in that directory, which must succeed. */
void run(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A path in it, in a buffer used again by the next call but three. */
char *in_directory(const char *name);
void write_text(const char *name, const char *text);

/* shop.cpp to the program OUTPUT. */
void compile(const char *flags, const char *output);

uint64_t address_of(const char *file, const char *symbol_name);

/* Path and build id as a dump would hold them. */
struct hp_symbol_module module_of(const char *file);

struct asked {
  hp_symbolizer *s;
  const struct hp_frame *frames;
  size_t count;
};
struct asked ask(const struct hp_symbol_module *m, uint64_t vaddr,
                 const char *cache, const struct hp_open_options *o);

void check_frame(const struct hp_frame *f, const char *function,
                 const char *file, uint32_t line, bool inlined);

/* LINKAGE is NULL for a function of C. */
void check_function(const struct hp_frame *f, const char *linkage,
                    uint32_t start_line);

/* All frames of both probes of shop.cpp in FILE, at the ADDRESSES of a file that
   has symbols. */
void check_shop(const char *file, const struct hp_open_options *o,
                const char *addresses);

/* Nothing is found; NOTE, if any, says why. */
void check_nothing(const struct hp_symbol_module *m, uint64_t vaddr,
                   const struct hp_open_options *o, const char *note);

extern const struct hp_open_options plain;

#endif
