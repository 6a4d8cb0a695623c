/* demangle_d.c - see demangle_d.h: libiberty reads the names, but not those of thunks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/demangle_d.h"

#include <libiberty/demangle.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "_Dmain", and "_D" with the length of the first of the names that follow. */
static bool may_be_d(const char *symbol) {
  return strcmp(symbol, "_Dmain") == 0 ||
         (strncmp(symbol, "_D", 2) == 0 && symbol[2] >= '1' &&
          symbol[2] <= '9');
}

/* Of a function that an interface's table leads to, "_DThn16_4core..." by ldc and
   "_DTi16_D4core..." by gdc: its mangled name, in STORE where it is put together. */
static const char *behind_thunk(const char *symbol, char *store, size_t size) {
  static const char *const kinds[] = {"_DThn", "_DTi"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const size_t length = strlen(kinds[i]);
    if (strncmp(symbol, kinds[i], length) != 0)
      continue;
    const char *rest = symbol + length + strspn(symbol + length, "0123456789");
    if (strncmp(rest, "_D", 2) == 0)
      return rest;
    if (*rest != '_' || (size_t)snprintf(store, size, "_D%s", rest + 1) >= size)
      return NULL;
    return store;
  }
  return NULL;
}

char *hp_demangle_d(const char *symbol) {
  char store[4096], *name, *whole;
  if (may_be_d(symbol))
    return cplus_demangle(symbol, DMGL_DLANG | DMGL_PARAMS);
  const char *target = behind_thunk(symbol, store, sizeof store);
  if (!target || !may_be_d(target) ||
      !(name = cplus_demangle(target, DMGL_DLANG | DMGL_PARAMS)))
    return NULL;
  const int size = asprintf(&whole, "non-virtual thunk to %s", name);
  free(name);
  return size < 0 ? NULL : whole; /* as libiberty has it of C++ */
}
