/* driver_options.h - the little that must be known of clang's options to read
   a command line: which of them take the next word, and which words are inputs.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DRIVER_OPTIONS_H
#define HP_DRIVER_OPTIONS_H

#include <stdbool.h>

/* What an input file asks of the driver. */
enum hp_input {
  HP_INPUT_LINKER,        /* objects, archives, unknown: for the linker */
  HP_INPUT_SOURCE,        /* through the optimiser: C, C++, IR, ... */
  HP_INPUT_HEADER,        /* precompiled: never reaches the linker */
  HP_INPUT_PREPROCESSED,  /* as source, but macros are over */
  HP_INPUT_CPP_ASSEMBLER, /* .S: preprocessed, then assembled */
  HP_INPUT_ASSEMBLER      /* .s: assembled only */
};

/* True if OPTION, spelled exactly so, takes the next word as its value. */
bool hp_option_takes_next(const char *option);

/* Whether the pass has OPTION, which begins with -heapprof- or --heapprof- and may have a
   value behind =.  LLVM takes one that nobody has for -h, and prints its help. */
bool hp_option_is_of_pass(const char *option);

/* The short spelling of a long option that has one (--compile is -c), else
   OPTION itself. */
const char *hp_option_short(const char *option);

/* By file name; by -x LANGUAGE ("none" must not be asked). */
enum hp_input hp_input_of_file(const char *name);
enum hp_input hp_input_of_language(const char *language);

#endif
