/* set.h - sets of chunks: the tree that a question is parsed to, and what is asked of it.
   docs/sets.md is the grammar; what is said of a point is known before its chunks are read.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SET_H
#define HP_SET_H

#include "base/store.h"
#include "heapprof.h"
#include "query/set_fail.h"

#define HP_SET_DEPTH 64u /* of parentheses, ! and sets in sets together */

enum hp_set_kind {
  HP_SET_ALL_OF, /* of no part: everything */
  HP_SET_ANY_OF,
  HP_SET_NOT,
  HP_SET_NAMED,
  HP_SET_TERM
};

/* Those from SIZE on are of single chunks. */
enum hp_set_key {
  HP_KEY_ANY,
  HP_KEY_FUNCTION,
  HP_KEY_FILE,
  HP_KEY_MODULE,
  HP_KEY_TYPE,
  HP_KEY_FLAG,
  HP_KEY_RANK,
  HP_KEY_POINT,
  HP_KEY_ACCESSES,
  HP_KEY_POOL,
  HP_KEY_OLD, /* what is paired with the point has chunks of a set in this run */
  HP_KEY_NEW,
  HP_KEY_MEMBER_READ, /* a member of that name, in the counted chunks */
  HP_KEY_MEMBER_WRITTEN,
  HP_KEY_MEMBER_UNUSED,
  HP_KEY_SIZE,
  HP_KEY_LIFETIME,
  HP_KEY_THREAD,
  HP_KEY_FREE_THREAD,
  HP_KEY_READS,
  HP_KEY_WRITES,
  HP_KEY_INTERVAL,
  HP_KEY_BORN,
  HP_KEY_DIED,
  HP_KEY_LIVE_AT,
  HP_KEY_PEAK,
  HP_KEY_FREED_IN,
  HP_KEY_FREE_SITE
};

enum hp_set_compare {
  HP_IS,
  HP_IS_LESS,
  HP_IS_AT_MOST,
  HP_IS_MORE,
  HP_IS_AT_LEAST
};

enum hp_set_answer { HP_SET_NO, HP_SET_YES, HP_SET_DEPENDS /* on the chunk */ };

/* What code without a log asks of accesses. */
enum hp_set_accesses {
  HP_ACCESSES_KNOWN,
  HP_ACCESSES_SHARED,
  HP_ACCESSES_UNKNOWN
};

struct hp_set_instant {
  enum hp_instant_kind {
    HP_INSTANT_NONE, /* an end of a range that is open */
    HP_INSTANT_TIME,
    HP_INSTANT_END,
    HP_INSTANT_PEAK,
    HP_INSTANT_MARK
  } kind;
  uint64_t ns;
  const char *mark;
  uint64_t ticks; /* in the process that is asked of */
};

struct hp_set_node {
  enum hp_set_kind kind;
  size_t column; /* where it begins in its text, from 1 */
  unsigned depth;
  const struct hp_set_node *chunk_term; /* the first part that is of chunks;
                                           NULL: points say it all */
  bool asks_accesses, asks_ranks, asks_sides, asks_members;
  struct hp_set_node *first, *next; /* parts; the next of the whole's */
  struct hp_named_set *named;

  enum hp_set_key key;
  enum hp_set_compare compare;
  const char *pattern; /* what is behind the key, of those that are text */
  enum hp_inference flag;
  enum hp_set_accesses accesses;
  long double number; /* bytes, nanoseconds, a count, or percent */
  bool is_percent, is_range;
  bool is_negated; /* the term, by != */
  bool is_done;    /* it happened, whenever */
  struct hp_set_instant from, to;

  const bool *in_side; /* of OLD, NEW and members, by the number of the point */

  enum hp_set_answer of_point;      /* of the point that was last looked at */
  const struct hp_time_span *spans; /* of peak(p%), in the process, ascending */
  size_t span_count;
};

/* A line of a file of sets. */
struct hp_named_set {
  const char *name, *text;
  const char *file;
  size_t line, column; /* of the text */
  struct hp_set_node *root;
  bool is_open; /* it is being parsed */
  struct hp_named_set *next;
  uint64_t process_turn, point_turn, chunk_turn; /* when it was asked last */
  bool has_chunk;
};

/* Names that a text may use. */
struct hp_set_names {
  struct hp_named_set *first;
  /* Parses SET if that is still to be done. */
  hp_status (*open)(struct hp_set_names *names, struct hp_named_set *set,
                    struct hp_error *error);
  struct hp_store *store;
  unsigned depth; /* of what is being parsed now */
};

/* *ROOT is STORE's.  NAMES may be NULL. */
hp_status hp_set_parse(struct hp_set_node **root, const char *text,
                       const struct hp_set_place *place,
                       struct hp_set_names *names, struct hp_store *store,
                       struct hp_error *error);

/* Sets of_point of NODE and of all its parts.  TURN is another for each
   point. */
void hp_set_look_at(struct hp_set_node *node, const struct hp_point *point,
                    uint64_t turn);

const char *hp_set_key_name(enum hp_set_key key);

#endif
