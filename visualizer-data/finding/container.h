/* container.h - what a stack says of who allocates: place, container, copies.
   Names are those of libstdc++ and libc++, demangled.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CONTAINER_H
#define HP_CONTAINER_H

#include "base/store.h"
#include "heapprof.h"
#include "profile/place.h"

struct hp_origin {
  const struct hp_frame *place; /* of the point; NULL: nowhere */
  bool by_library; /* allocated inside a library that is not instrumented */
  enum hp_libc_text libc; /* by libc, if so */
  bool called_libc;       /* ... which PLACE called, or a wrapper of it */
  bool by_header; /* ... or in an installed header, of templates, with hooks */
  bool is_block;  /* of a std::pmr resource, and of nobody who asks that */
  bool is_node;   /* of a map, set or list */
  const char *sorter; /* of the C++ library, which takes a buffer for itself as
                         PLACE calls it, "std::stable_sort"; NULL: none */
  const char *flat;   /* which has the container, "std::flat_map"; NULL: none */
  bool is_deque_block; /* for elements of a std::deque, whatever holds that */
  /* Of the container of the C++ library that PLACE called, if it did: */
  const char *container; /* short name; NULL: none */
  const char *holder; /* the one inside that, or itself, whose memory it is */
  bool constructs;    /* by its constructor ... */
  bool copies;        /* ... from another of its kind, as PLACE asked */
  bool copies_held;   /* ... and a class of the program that it holds by that */
  bool fills;         /* PLACE is given one by reference: it may be that */
  bool joins_texts;   /* PLACE joined texts by +, which makes a new one */
  bool is_text;       /* std::string ... */
  bool of_chars;      /* ... that is made of a char * */
  bool of_part;       /* ... by substr */
  bool of_view;       /* ... of a std::string_view, by its constructor or as an
                         element that is put into a container */
  bool has_nodes;     /* std::map and its kin, lists */
  /* The class of the program that PLACE copies so, short; NULL: it does not. */
  const char *copied;
  /* PLACE makes a std::pair, or what else holds a few objects inside itself, of another
     one: "std::tuple"; NULL: it does not. */
  const char *pair;
  bool pair_is_same; /* of the same type */
  bool is_argument;  /* the copy is one, of what the library calls for PLACE */
};
hp_status hp_origin_find(struct hp_origin *origin, const struct hp_point *point,
                         struct hp_store *store, struct hp_error *error);

/* Whether a container of the C++ library that the place of POINT copied has its chunks. */
bool hp_origin_is_copy(const struct hp_point *point);

/* Whether its place calls what copies an object, whatever that holds: not what stores a copy
   of it, as push_back does. */
bool hp_place_copies(const struct hp_point *point);

/* Whether it assigns to an object that is there, which it does not make to return it. */
bool hp_place_assigns(const struct hp_point *point);

/* Whether most of POINT's chunks whose stacks of frees are known went with a container of
   the C++ library, by its destructor, not by its members one by one. */
bool hp_origin_is_dropped(const struct hp_point *point);

/* Whether as many, which the place itself copied, went with an object of a class of the
   program, which had them. */
bool hp_origin_is_member(const struct hp_point *point);

/* Whether as many are nodes that emplace made, and dropped, as their keys were there. */
bool hp_origin_is_emplaced_in_vain(const struct hp_point *point);

/* If POINT's chunks are copies that a sort made: who sorts, and what (short
   name; NULL: what the program compares by), and whether to compare it.  Else NULL. */
hp_status hp_sort_find(const struct hp_frame **sorter, const char **subject,
                       bool *compares, const struct hp_point *point,
                       struct hp_store *store, struct hp_error *error);

#endif
