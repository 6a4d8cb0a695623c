/* set_names.h - sets that have names: files with a line for each.
   A set may use others, also those of later lines, but not itself.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SET_NAMES_H
#define HP_SET_NAMES_H

#include <stdio.h>

#include "query/set.h"

/* {0} with its store and open set; what it holds is STORE's. */
void hp_set_names_begin(struct hp_set_names *names, struct hp_store *store);

/* Adds the sets of the file PATH.  Names that are there already stay as they
   are, unless the same file has them twice, which is an error. */
hp_status hp_set_names_read(struct hp_set_names *names, const char *path,
                            struct hp_error *error);

/* The same of IN, which stays open; PATH is for messages. */
hp_status hp_set_names_take(struct hp_set_names *names, const char *path,
                            FILE *in, struct hp_error *error);

/* Parses what nobody has used yet, too. */
hp_status hp_set_names_check(struct hp_set_names *names,
                             struct hp_error *error);

#endif
