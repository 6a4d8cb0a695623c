/* run_values.h - whether the runtime takes a value that the command line gives an option.
   Else it is refused here, by one line, before there is a program.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_RUN_VALUES_H
#define HP_RUN_VALUES_H

enum hp_run_type { HP_RUN_bool, HP_RUN_int, HP_RUN_uint64, HP_RUN_string };

/* NULL, or what VALUE of the option NAME must be; the text stays until the next
   call. */
const char *hp_run_value_must_be(enum hp_run_type type, const char *name,
                                 const char *value);

#endif
