/* libc_symbols.c - see libc_symbols.h: the list's names, searched by halves.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/libc_symbols.h"

#include <stdlib.h>
#include <string.h>

#define HP_LIBC_FUNCTION(name, reason) HP_LIBC_##reason(name)
#define HP_LIBC_counted(name)
#define HP_LIBC_compiler(name)
#define HP_LIBC_parts(name)
#define HP_LIBC_file(name)
#define HP_LIBC_opaque(name)
#define HP_LIBC_address(name)
#define HP_LIBC_error(name)
#define HP_LIBC_jump(name) #name,
#define HP_LIBC_system(name) #name,
#define HP_LIBC_alias(name) #name,
#define HP_LIBC_open(name) #name,
static const char *const uncounted[] = {
#include "libc_list.def"
};

static int by_name(const void *symbol, const void *entry) {
  return strcmp(symbol, *(const char *const *)entry);
}

const char *hp_libc_uncounted(const char *symbol) {
  const char *const *found =
      bsearch(symbol, uncounted, sizeof uncounted / sizeof *uncounted,
              sizeof *uncounted, by_name);
  return found ? *found : NULL;
}
