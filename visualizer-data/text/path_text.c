/* path_text.c - see path_text.h.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "path_text.h"

#include <string.h>

const char *hp_base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash && slash[1] ? slash + 1 : path;
}
