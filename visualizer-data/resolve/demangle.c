/* demangle.c - readable names from linkage names, by libiberty.
   Only names with a known prefix are tried: a C function may be called "_d".
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/demangle.h"

#include <libiberty/demangle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resolve/demangle_d.h"
#include "resolve/demangle_declaring.h"

/* What compilers add to the name of a function of which they make another: the body of
   a parallel region of OpenMP by clang and by gcc, and gcc's copies and parts. */
static const char *const clones[] = {
    ".omp_outlined", "._omp_fn.", ".constprop.", ".isra.", ".part.", ".cold"};

/* As libiberty has it of C++: "work [clone .omp_outlined]". */
static char *name_of_clone(const char *symbol) {
  const char *first = NULL;
  for (size_t i = 0; i < sizeof clones / sizeof *clones; i++) {
    const char *at = strstr(symbol, clones[i]);
    if (at && at > symbol && (!first || at < first))
      first = at;
  }
  char *name;
  if (!first || strpbrk(symbol, " (") ||
      asprintf(&name, "%.*s [clone %s]", (int)(first - symbol), symbol, first) <
          0)
    return NULL;
  return name;
}

/* Clang 18 and later say of a parameter in the type of a result, as of what submits a
   task, how many functions it is inside of: "fL0p_".  libiberty reads "fp_" only. */
static char *name_without_levels(const char *symbol) {
  char *plain = strdup(symbol);
  char *end = plain;
  for (const char *at = symbol; plain && *at;) {
    const size_t digits =
        at[0] == 'f' && at[1] == 'L' ? strspn(at + 2, "0123456789") : 0;
    *end++ = *at++;
    if (digits && at[1 + digits] == 'p')
      at += 1 + digits;
  }
  if (!plain)
    return NULL;
  *end = '\0';
  char *name = strcmp(plain, symbol) == 0
                   ? NULL
                   : cplus_demangle(plain, HP_DEMANGLE_OPTIONS);
  free(plain);
  return name;
}

char *hp_demangle(const char *symbol) {
  if (strncmp(symbol, "_D", 2) == 0)
    return hp_demangle_d(symbol);
  if (strncmp(symbol, "_Z", 2) != 0 && strncmp(symbol, "_R", 2) != 0)
    return name_of_clone(symbol);
  char *name = cplus_demangle(symbol, HP_DEMANGLE_OPTIONS);
  if (name || symbol[1] != 'Z')
    return name;
  name = name_without_levels(symbol);
  return name ? name : hp_demangle_declaring(symbol);
}
