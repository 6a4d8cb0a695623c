/* heapprof_members.h - which places of its chunks a program accesses: rows of a point, as
   they were counted, and the members of each type that they make.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_MEMBERS_H
#define HEAPPROF_MEMBERS_H

#include "heapprof.h"

struct hp_store;

#ifdef __cplusplus
extern "C" {
#endif

/* One place of the counted chunks of a point that the program accessed. */
struct hp_member_access {
  uint32_t offset, size;  /* bytes from the chunk's start; of an array of
                            records: modulo the record's size, if it is known */
  uint64_t reads, writes; /* accesses */
  uint64_t chunks;        /* counted ones that had one here; 0: not known */
  uint64_t code; /* address in the process, as frames have it: of the call, past
                    it; 0: not known */
  uint64_t first_use_ns,
      last_use_ns;   /* of the process's time; last 0: not known */
  uint32_t together; /* rows with the same, if not 0, were accessed by one hook:
                        one burst */
};

#define HP_LINE_BYTES 64u

/* A thread that writes to a line. */
struct hp_line_writer {
  uint32_t thread; /* its number */
  uint64_t times;  /* hooks that wrote */
  uint64_t
      common; /* hooks that read or wrote bytes other writers had written */
  uint64_t writes;
  uint64_t bytes; /* that it wrote: bits, the line's first byte the lowest */
};

/* Of one counted chunk, written by a thread that did not allocate it, and others:
   lines as if the chunk began with one. */
struct hp_shared_line {
  uint64_t offset;
  uint64_t turns; /* so often another thread wrote than the one before */
  const struct hp_line_writer *writers;
  size_t count;
};

/* Of a point.  chunks_counted 0: nothing was counted. */
struct hp_members {
  const struct hp_member_access *rows;
  size_t count;
  uint64_t chunks_counted; /* chunks whose accesses were counted by offset */
  double weight;           /* chunks of the point, of each of these */
  uint64_t
      lost; /* accesses that found no room in the bounded table: in no row */
  const struct hp_shared_line *lines;
  size_t line_count;
};

/* What was counted of POINT; NULL of a group, of a set of single chunks, and where
   nothing was. */
const struct hp_members *hp_point_members(const hp_profile *profile,
                                          const struct hp_point *point);

#define HP_CONTENT_BITS_WORDS 64u
/* Which bits of the first so many words are set in any of POINT's chunks whose contents
   were looked at, if none of these is larger; NULL: not known, and of several
   processes. */
const uint64_t *hp_point_content_bits(const hp_profile *profile,
                                      const struct hp_point *point);

/* ---- by type ---------------------------------------------------------------- */

enum hp_member_kind {
  HP_MEMBER_FIELD,
  HP_MEMBER_POINTER, /* to virtual functions */
  HP_MEMBER_HOLE,    /* padding */
  HP_MEMBER_PLACE, /* of a type whose layout is not known: where it was accessed */
  HP_MEMBER_BEHIND /* of a chunk that goes on behind the record */
};
const char *hp_member_kind_name(enum hp_member_kind kind); /* "field" */

/* A line of code that accesses a member. */
struct hp_member_code {
  const struct hp_frame *frame;
  uint64_t reads, writes;
};
#define HP_MEMBER_CODES 3u

/* Counts are of the counted chunks.  An access to several members counts for each. */
struct hp_member {
  enum hp_member_kind kind;
  const char
      *name; /* "head.key", "items[].key" of an array of records; NULL: none */
  const char *base; /* class that it is inherited from; NULL: none */
  const char *type; /* NULL: not known */
  uint64_t offset, size;
  uint64_t count, stride; /* 1: it is there once; else so many, so far apart */
  uint32_t bit, bits;     /* of a bit-field; bits 0: none */
  bool overlaps; /* others have bytes of it, too: what was accessed is likely */
  bool is_flexible; /* goes on to the chunk's end; size 0 */
  uint64_t reads, writes;
  uint64_t bytes_accessed; /* of it, by all these */
  uint64_t whole_reads;    /* of reads, those of the whole record: copies */
  double share;            /* of the type's accesses; HP_NULL_SCORE if none */
  uint64_t chunks;         /* with an access to it, but for writes of the whole
                           record: at least */
  uint64_t chunks_most; /* and at most, if no part of it is read in a chunk that
                           wrote none, or in all as many; UINT64_MAX: not known */
  uint64_t first_use_ns, last_use_ns; /* but for writes of the whole record, of
                                         the process's time; last 0: none */
  uint64_t side_writes; /* by threads in lines where others write other bytes */
  uint64_t
      chunks_written; /* sum over its places, such accesses to one of them */
  struct hp_member_code
      codes[HP_MEMBER_CODES]; /* most first; frame NULL: no more */
};

/* Bytes of a line that one thread writes, and no other. */
struct hp_line_part {
  uint32_t thread; /* in the first of the chunks */
  uint64_t writes;
  uint64_t offset,
      size;         /* from the chunk's start, from the first to the last */
  const char *name; /* "hits", "counts[2]", "[2].hits" of a chunk of several,
                            "a, b and 2 more"; NULL: not known */
};

/* A line of 64 bytes whose parts different threads write in turns: false sharing. */
struct hp_false_line {
  uint64_t offset; /* from the chunk's start */
  uint64_t turns;  /* so often another thread wrote than the one before */
  uint64_t chunks; /* counted ones where it was so; the numbers are theirs */
  struct hp_line_part *parts; /* two at least, by offset */
  size_t count;
};

/* Members that one hook accessed at once. */
struct hp_member_burst {
  uint64_t accesses;
  const uint32_t *members; /* numbers, ascending */
  size_t count;
};

struct hp_layout;
struct hp_member_type {
  const char *type;
  const char *file; /* that declares it; NULL: not known */
  uint32_t line;
  bool has_layout;    /* else members are places */
  bool is_ambiguous;  /* there are several of that name and size */
  bool is_incomplete; /* of some member the size is not known */
  bool
      by_library; /* declared by a library of the system, such as a node of std::map */
  uint64_t size, align; /* of one; 0: not known */
  uint64_t hole_bytes;
  uint64_t
      reordered_size; /* with its members sorted; size: no better, or not known */
  const char *order;                  /* so; NULL: no better */
  uint64_t chunks, bytes, peak_bytes; /* of its points; at the global peak */
  uint64_t elements;                  /* whole ones in them; 0: not known */
  uint64_t chunks_counted;
  double weight; /* chunks of each that was counted; HP_NULL_SCORE if none */
  uint64_t reads, writes, lost; /* of counted ones; lost: at no known place */
  bool is_everywhere_known; /* no code without hooks may have accessed them */
  const struct hp_member *members; /* by offset */
  size_t count;
  const struct hp_member_burst *bursts; /* of several members, most first */
  size_t burst_count;
  const struct hp_false_line *false_lines; /* most turns first */
  size_t false_line_count;
  const struct hp_point *const *points; /* most bytes at the peak first */
  size_t point_count;
  const struct hp_layout *layout; /* for the library's own use */
};

/* Record types of POINTS, points of PROFILE, no groups: those of which something was
   counted, or LEAST of the bytes at the peak; most at the peak first. */
typedef struct hp_member_types hp_member_types;

hp_status hp_member_types_make(hp_member_types **out, const hp_profile *profile,
                               const struct hp_point *const *points,
                               size_t count, uint64_t least,
                               struct hp_error *error);
void hp_member_types_free(hp_member_types *types); /* NULL is allowed */
size_t hp_member_types_count(const hp_member_types *types); /* NULL: 0 */
const struct hp_member_type *hp_member_types_at(const hp_member_types *types,
                                                size_t i);
/* The type that POINT is of; NULL: none of them. */
const struct hp_member_type *hp_member_types_of(const hp_member_types *types,
                                                const struct hp_point *point);

/* Lines of POINT's counted chunks that threads share falsely, most turns first; of any
   point, of a record or not.  *COUNT is 0 if there is none. */
const struct hp_false_line *hp_member_types_lines(const hp_member_types *types,
                                                  const struct hp_point *point,
                                                  size_t *count);

/* What was done to a member in the counted chunks of a point, by bits. */
#define HP_MEMBER_IS_READ 1u
#define HP_MEMBER_IS_WRITTEN 2u
/* No chunk had it read, and nobody else may have: all accesses are known, and each
   is at a known place. */
#define HP_MEMBER_IS_UNUSED 4u

/* Sets USES[i] of member i of the type that POINT is of.  Not known, NULL: its type has no
   layout, or nothing was counted. */
hp_status hp_member_uses_of(const hp_member_types *types,
                            const hp_profile *profile,
                            const struct hp_point *point,
                            struct hp_store *store, const uint8_t **uses,
                            struct hp_error *error);

/* How large TYPE would be without those of its members that LEAVE[i] names, the others
   in their order. */
uint64_t hp_member_size_without(const struct hp_member_type *type,
                                const bool *leave);

#ifdef __cplusplus
}
#endif
#endif
