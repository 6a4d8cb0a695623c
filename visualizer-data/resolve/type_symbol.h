/* type_symbol.h - the type of a chunk that no compiler named, by the functions
   that allocated it: code in libraries that were not instrumented.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_TYPE_SYMBOL_H
#define HP_TYPE_SYMBOL_H

#include <stdbool.h>

#include "base/store.h"
#include "heapprof_format.h"
#include "resolve/site.h"

/* What a std::pmr resource of the C++ library takes to cut it up: of its own size and
   for its own reasons, whatever container happened to ask it. */
#define HP_TYPE_RESOURCE_BLOCK "pmr block"
bool hp_type_is_resource_block(const char *type);

/* A number, or a pointer: it has no members. */
bool hp_type_is_scalar(const char *type);

/* The type that the innermost of FRAMES allocate, in *TYPE, which lives as long
   as STORE; NULL if they do not tell.  *HOW is then INSTANTIATION or SYMBOL. */
hp_status hp_type_by_symbol(struct hp_store *store,
                            const struct hp_frame *const *frames, size_t count,
                            const char **type, enum hp_provenance *how,
                            struct hp_error *error);

#endif
