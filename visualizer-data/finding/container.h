/* container.h - what a stack says of who allocates: place, container, copies.
   Names are those of libstdc++ and libc++, demangled.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CONTAINER_H
#define HP_CONTAINER_H

#include "base/store.h"
#include "finding/passage.h"
#include "heapprof.h"

/* The innermost frame that belongs neither to the allocator nor to the C or
   C++ library nor to start-up code, nor, of a text that libc made, to a library
   of the system that only calls libc; the stack's size if there is none. */
size_t hp_origin_depth(const struct hp_point *point);

/* Where a programmer can change something: that frame, or the one from which
   it is reached through PASSAGES; the stack's size if there is none. */
size_t hp_origin_place(const struct hp_point *point,
                       const struct hp_passages *passages);

/* What libc made for its caller, who can have it otherwise. */
enum hp_libc_text {
  HP_LIBC_NONE,
  HP_LIBC_FORMATTED, /* asprintf */
  HP_LIBC_LINE,      /* getline */
  HP_LIBC_PATH,      /* realpath */
  HP_LIBC_COPY       /* strdup, in a library that has no hooks */
};

struct hp_origin {
  const struct hp_frame *place; /* that; NULL: nowhere */
  bool by_library; /* allocated inside a library that is not instrumented */
  enum hp_libc_text libc; /* by libc, if so */
  bool is_node;           /* of a map, set or list */
  /* Of the container of the C++ library that PLACE called, if it did: */
  const char *container; /* short name; NULL: none */
  bool constructs;       /* by its constructor ... */
  bool copies;           /* ... from another of its kind, as PLACE asked */
  bool fills;            /* PLACE is given one by reference: it may be that */
  bool is_text;          /* std::string */
};
hp_status hp_origin_find(struct hp_origin *origin, const struct hp_point *point,
                         const struct hp_passages *passages,
                         struct hp_store *store, struct hp_error *error);

/* If POINT's chunks are copies that a sort made: who sorts, and what (short
   name).  Else NULL. */
hp_status hp_sort_find(const struct hp_frame **sorter, const char **subject,
                       const struct hp_point *point, struct hp_store *store,
                       struct hp_error *error);

#endif
