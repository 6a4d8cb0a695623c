/* driver_scan.h - what one call of the compiler asks for, as far as it decides
   what -fsanitize=heapprof adds to it.  Read-only apart from our own options.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DRIVER_SCAN_H
#define HP_DRIVER_SCAN_H

#include "driver_arguments.h"
#include "driver_linker.h"

/* How far the driver goes with the inputs. */
enum hp_phase {
  HP_PHASE_PREPROCESS, /* -E, -M, -MM */
  HP_PHASE_PARSE,      /* -fsyntax-only and other actions without code */
  HP_PHASE_COMPILE,    /* -c, -S */
  HP_PHASE_LINK
};

/* Options that bring an allocator or a runtime with the same interceptors, as
   written; bit i of hp_invocation.conflicts is option i. */
#define HP_CONFLICTING 20
extern const char *const hp_conflicting[HP_CONFLICTING];

struct hp_invocation {
  bool heapprof;  /* -fsanitize=heapprof is the last word on it */
  bool untouched; /* cc1, --version, -print-*: nothing is compiled */
  enum hp_phase phase;

  bool has_input;
  bool has_macros;     /* an input is preprocessed: C or .S */
  bool has_code;       /* an input goes through the optimiser */
  bool has_link_input; /* an input can reach the linker */

  bool shared, relocatable;
  bool no_default_libraries;  /* -nostdlib, -nodefaultlibs */
  bool other_cxx_library;     /* -stdlib=libc++, -nostdlib++ */
  bool link_runtime;          /* not -fno-sanitize-link-runtime */
  bool shared_runtime;        /* -shared-libsan */
  const char *static_option;  /* as written, or NULL */
  const char *foreign_target; /* as written, or NULL: x86-64 Linux */
  const char *foreign_width;  /* -m32 and the like, or NULL */
  bool emulated_tls;          /* -femulated-tls */

  bool chose_frame_pointer, chose_leaf_frame_pointer;
  const char *undefined_option; /* -z defs or the like: was taken out */
  bool members;                 /* -fsanitize-heapprof-members: was taken out */
  unsigned conflicts;           /* bits: what is on too */
  bool lld, mold;               /* is the linker, by -fuse-ld or --ld-path */
  bool split_stack;             /* with which the driver wraps pthread_create */
  struct hp_linker linker;      /* the words for it, of ARGUMENTS */
  struct hp_strings wrapped;    /* symbols of --wrap */
  struct hp_strings ignorelists;  /* -fsanitize-ignorelist=, in order */
  struct hp_strings pass_options; /* values of -mllvm that are the pass', in
                                     order: were taken out */
};

/* Reads ARGUMENTS into *OUT and takes what the real clang must not see out of
   them: our name and, with -shared, the demand that nothing be undefined. */
void hp_scan(struct hp_invocation *out, struct hp_arguments *arguments);

#endif
