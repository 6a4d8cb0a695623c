/* options.h - the parsed HEAPPROF_OPTIONS: one field per line of options.def.
   Filled once, before the first allocation; exact_time may be set later.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_OPTIONS_H
#define HP_OPTIONS_H

#include "system/message.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef const char *hp_option_string;
typedef bool hp_option_bool;
typedef int hp_option_int;
typedef uint64_t hp_option_uint64;

struct hp_options {
#define HP_OPTION(type, name, value, text) hp_option_##type name;
#include "options/options.def"
};

extern HP_HIDDEN struct hp_options hp_options;

/* What sanitizer_common is told of them. */
struct hp_sys_flags hp_options_flags(void);

/* Defaults, then the program's __heapprof_default_options(), then the
   environment's HEAPPROF_OPTIONS; the later one wins.  A value or a syntax
   that means nothing ends the process; a name that means nothing is one
   warning for all such names. */
void hp_options_parse(void);

#ifdef __cplusplus
}
#endif
#endif
