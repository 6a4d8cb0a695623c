/* short_name.c - see short_name.h.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/short_name.h"

#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "type_text.h"

hp_status hp_short_name(const char **out, struct hp_text_part name,
                        struct hp_store *store, struct hp_error *error) {
  char *whole = strndup(name.begin, name.length);
  char *brief = whole ? hp_type_short(whole) : NULL;
  *out = brief ? hp_store_text(store, brief, strlen(brief)) : NULL;
  free(whole);
  free(brief);
  return *out ? HP_OK : hp_fail_memory(error);
}
