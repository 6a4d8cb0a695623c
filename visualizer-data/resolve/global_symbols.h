/* global_symbols.h - the variables of a module, from its symbol table.
   Of aliases one is kept, and none that lies in another.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_GLOBAL_SYMBOLS_H
#define HP_GLOBAL_SYMBOLS_H

#include "base/store.h"
#include "resolve/object_file.h"

struct hp_global_symbol {
  const char *name;     /* as it is linked; the object's */
  uint64_t vaddr, size; /* of thread-local ones: in the block of its module */
  bool is_thread_local;
};

struct hp_global_symbols {
  struct hp_global_symbol *all; /* those with an address first, ascending */
  size_t count;
  uint64_t thread_local_size; /* bytes of the module's, for each thread */
  bool has_file;              /* else nothing is known */
};

/* OBJECT may be NULL.  False: no memory. */
bool hp_global_symbols(hp_object *object, struct hp_store *store,
                       struct hp_global_symbols *symbols);

#endif
