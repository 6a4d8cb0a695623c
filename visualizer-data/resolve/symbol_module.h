/* symbol_module.h - the module whose symbols are asked for: file and build id.
   A module as object files, the cache and the symbolizer know it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SYMBOL_MODULE_H
#define HP_SYMBOL_MODULE_H

#include <stddef.h>
#include <stdint.h>

struct hp_symbol_module {
  const char *path; /* as long as the symbolizer does, both stay as they are */
  const uint8_t *build_id; /* NULL if the module has none */
  size_t build_id_size;
};

#endif
