/* layout_of.h - where the members of a record type lie: what record_layout.h finds and
   member_order.h adds to.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LAYOUT_OF_H
#define HP_LAYOUT_OF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hp_layout_kind {
  HP_LAYOUT_MEMBER,
  HP_LAYOUT_HOLE,   /* padding */
  HP_LAYOUT_POINTER /* to the virtual functions, or virtual bases */
};

/* Texts are the store's. */
struct hp_layout_member {
  const char *name; /* "head.key"; "items[].key" of an array of records; "" of a
                       hole */
  const char *base; /* class it is inherited from; NULL: none */
  const char *type; /* "unsigned int", "char [12]"; NULL: not known */
  uint64_t offset, size;  /* bytes; of an array of records: in the first */
  uint64_t count, stride; /* 1: it is there once; else so many, so far apart */
  uint64_t element; /* of an array of no records: bytes of one; 0: no array */
  uint32_t bit,
      bits; /* of a bit-field: where in the bytes, how many; 0: none */
  enum hp_layout_kind kind;
  bool overlaps;    /* with others: of a union, or bit-fields of one byte */
  bool is_integer;  /* a number without fractions: could be a narrower one */
  bool is_empty;    /* of a class without members */
  bool is_flexible; /* goes on to the end of the chunk; size 0 */
};

/* A member of the record itself, or bit-fields side by side. */
struct hp_layout_item {
  const char *name;
  uint64_t offset, size, align;
  bool is_bits;
};

struct hp_layout {
  const char *type;
  const char *file; /* it is declared in; NULL: not known */
  uint32_t line;
  uint64_t size, align;
  const struct hp_layout_member *members; /* by offset, holes too */
  size_t count;
  uint64_t hole_bytes;
  uint64_t reordered_size; /* of its own members sorted by alignment; size: no
                              better, or not known */
  const char *order;       /* "a, b, c": so sorted; NULL: no better */
  const struct hp_layout_item *items; /* in their order; none: it cannot be laid
                                         out otherwise, or not known how */
  size_t item_count;
  bool is_union, has_virtual_bases, is_incomplete; /* not all of it is known */
};

#endif
