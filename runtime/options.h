/* options.h - the parsed HEAPPROF_OPTIONS, one field per line of options.def.
   Filled once by hp_sys_parse_options() before the first allocation; constant after that.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_OPTIONS_H
#define HP_OPTIONS_H

#include "platform.h"

typedef const char *hp_option_string;
typedef bool hp_option_bool;
typedef int hp_option_int;
typedef uint64_t hp_option_uint64;

struct hp_options {
#define HP_OPTION(type, name, value, text) hp_option_##type name;
#include "options.def"
};

#ifdef __cplusplus
extern "C"
#endif
    extern struct hp_options hp_options;

#endif
