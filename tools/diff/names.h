/* names.h - names of functions and types, and those that only one of two runs has.
   What two builds of one program differ in is not compared.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_NAMES_H
#define HP_NAMES_H

#include "pairing.h"

/* As strcmp, NULL first, but that the numbers of lambdas, and what the compiler
   adds to the name of its copy of a function, may differ. */
int hp_compare_names(const char *a, const char *b);

/* Without its folders; NULL of NULL. */
const char *hp_file_name(const char *path);
/* Of the file that the frame's module is; NULL if unknown. */
const char *hp_module_name(const struct hp_frame *frame);

/* Sorted, each once. */
struct hp_names {
  const char **items;
  size_t count;
};

/* The names in stacks and types of POINTS.  False without memory; to be freed
   anyhow. */
bool hp_names_of(struct hp_names *names, struct hp_points points);
/* Of the modules that have a function of the program's own in a stack, likewise. */
bool hp_names_of_modules(struct hp_names *names, struct hp_points points);
/* Leaves in A and in B those that the other does not have. */
void hp_names_differ(struct hp_names *a, struct hp_names *b);
bool hp_names_have(const struct hp_names *names, const char *name);
void hp_names_free(struct hp_names *names);

#endif
