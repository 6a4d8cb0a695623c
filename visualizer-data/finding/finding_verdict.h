/* finding_verdict.h - inside of the findings: a rule's verdict before it has words.
   finding.c judges and merges, finding_text.c writes the sentences.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FINDING_VERDICT_H
#define HP_FINDING_VERDICT_H

#include "finding/container.h"
#include "finding/life_span.h"
#include "heapprof_finding.h"

struct hp_finding_rule;

/* How often a function has made chunks anew, at least: the most of all points' OWN, or
   the sum of what they ADD, since of those of the same callers one adds for all. */
struct hp_turns {
  uint64_t adds, own;
};

/* Of the C++ library (library_object.h). */
enum hp_standard_object {
  HP_OBJECT_NONE,
  HP_OBJECT_REGEX,
  HP_OBJECT_MATCH, /* by a regex */
  HP_OBJECT_LOCALE,
  HP_OBJECT_STREAM, /* that reads a text */
  HP_OBJECT_NUMBER, /* read from a stream */
  HP_OBJECT_THREAD,
  HP_OBJECT_EXCEPTION
};

/* What the program does with a container of the C++ library. */
struct hp_container_use {
  bool is_adaptor;       /* of a deque: a stack, a queue */
  bool is_stream;        /* writes into a string of its own */
  bool is_passed;        /* elements pass through a deque, which takes blocks */
  bool in_vain;          /* nodes, of keys that are there already */
  bool is_copy;          /* by the program itself */
  bool is_result;        /* what its place makes its caller frees */
  bool is_outgrown;      /* grows by few steps, which it frees */
  bool by_reserve;       /* which is called for a little more each time */
  bool is_filled_unread; /* grows, and nobody reads it at the end */
  bool is_rebuilt;       /* one of nodes is made and filled, by some lines */
};

/* Of what is copied. */
struct hp_copied {
  const char *what;      /* class; NULL: none */
  bool is_pair;          /* std::pair or its like, as the origin has it */
  bool original_is_gone; /* and the copy stays */
  bool is_handed;        /* to who copies it, by value or */
  bool is_by_reference;  /* by && */
  bool some_stay;        /* of the copies */
  bool is_regrown;       /* the copies soon grow (regrown.h) */
  uint64_t grown;        /* chunks of them that a vector made as it grew */
  uint64_t
      by_operator;   /* chunks that an operator as + makes of what it copies */
  uint64_t compared; /* chunks of copies that a sort compares */
};

/* All chunks of the points, whatever part of them it is about. */
struct hp_whole {
  uint64_t size_min, size_max; /* bytes */
  uint64_t chunks, bytes, writes, accessed;
};

struct hp_lives {
  double lived_ns;            /* sum of the points' lifetimes */
  uint64_t lived_chunks;      /* over so many chunks */
  double overlapping_ns;      /* of lived_ns, where several live at once */
  uint64_t staying_chunks;    /* live at the end */
  struct hp_life_spans spans; /* of those that ended */
};

/* Of what grows. */
struct hp_growing {
  struct hp_growth longest; /* chain */
  uint64_t largest;         /* what a chain ends as, the longest or another */
  uint64_t chains;
  const struct hp_frame *begun; /* where these began; NULL: at its place */
  size_t places;                /* at so many they go on */
  bool by_realloc;   /* which copies only where it finds no room behind it */
  bool has_shorter;  /* others take fewer steps than a chain has */
  bool is_made_anew; /* each time, and grows again */
  uint64_t element;  /* bytes; of what grows by few steps */
};

/* Of a family of points (generation.h), and of what a collector frees. */
struct hp_family {
  const struct hp_frame *mostly; /* the place of the point with most chunks, the
                                    first such; NULL: it is none */
  uint64_t mostly_chunks, mostly_id; /* those, and the point */
  const struct hp_frame *collector;  /* frees it, as garbage; NULL: none */
  uint64_t generations;              /* the most of a point's */
  struct hp_turns turns;
  uint64_t live_most; /* the sum of all points' peaks, no more than the peak */
};

/* It holds by what is without the teardown, of chunks (suspect.h). */
struct hp_torn {
  uint64_t torn, watched;       /* no chunk watched: it does not */
  const struct hp_frame *taker; /* takes them down; NULL: nobody reads them */
  bool takers_vary;             /* each has its own */
  bool some_are_torn;           /* others are not */
};

/* Rules about members: a record, its place in the source, and what it could do without. */
struct hp_record_use {
  char members[200]; /* their names */
  unsigned member_names;
  const char *order;    /* in which all of them take less; NULL: none */
  char narrow[300];     /* those that hold small numbers only */
  bool is_sparse_array; /* they are one array, most of which is zero */
  uint64_t member_bytes, record_bytes, less_bytes, uses;
  uint64_t counted, counted_of; /* chunks */
  double needed_share;          /* of them, with a use of the members */
  const char *type;             /* the record's; NULL: not known */
  const char *declared_at;      /* the record; NULL: not known */
  uint32_t declared_line;
};

/* Threads that write to one cache line. */
struct hp_sharing {
  const struct hp_false_line *line; /* inside a chunk; NULL: none */
  size_t lines;
  uint64_t writes; /* to lines of other threads */
};

/* SOME of what was looked at, which was so many OF it. */
struct hp_some_of {
  uint64_t some, of;
};

/* Verdicts of one rule at one place are one. */
struct hp_verdict {
  const struct hp_finding_rule *rule; /* it is of */
  struct hp_finding finding;
  struct hp_origin origin;   /* of its first point, as far as all have that */
  bool is_cxx;               /* a container of the C++ library, not a buffer */
  bool is_record;            /* each chunk is one, of fixed size */
  struct hp_text_part owner; /* class that has them; of no length: none has */
  bool are_files;    /* streams of libc that stay open, or their buffers */
  bool holds_unseen; /* code without hooks may have accessed them, too */
  bool is_too_cheap; /* of the run and its peak */
  struct hp_container_use use;
  struct hp_copied copied;
  struct hp_whole whole;
  struct hp_lives lives;
  struct hp_growing growing;
  struct hp_family family;
  struct hp_torn teardown;
  struct hp_record_use record;
  struct hp_sharing sharing;
  struct hp_overrun overrun;
  struct hp_some_of looked; /* at chunks, for their pages or contents; 0: all */
  struct hp_some_of initialised;    /* only, of bytes */
  uint64_t contents, zero_bytes;    /* that are different; that they hold */
  uint64_t held_chunks, held_bytes; /* by what is lost */
  uint64_t written_for_nobody;      /* bytes */
  enum hp_standard_object object;   /* that the place makes, */
  uint64_t objects;                 /* so often */
  uint64_t peak_most;               /* saved_peak_bytes is no more; 0: any */
  bool peak_at_most; /* of what it saves of the peak it is not known how much */
  uint64_t caller_chunks;  /* of the point whose callers it has */
  uint64_t through_chunks; /* of the point whose way through it has */
  const struct hp_frame
      *freer;            /* finding.freed_by, also where that is not told */
  uint64_t freed_chunks; /* that it freed */
  bool is_freer_of_some; /* nobody knows that of all of them */
  size_t joined; /* others of its function, each of one line (joining.c) */
  uint64_t *ids;
  size_t id_room;
};

/* Columns do not matter; names of files are not one pointer each, as those of
   functions are. */
bool hp_is_same_place(const struct hp_frame *a, const struct hp_frame *b);

/* The place is in a library of the system, which the program can only call otherwise. */
bool hp_verdict_is_of_system(const struct hp_verdict *v);

/* All of its chunks are what an operator as + makes of what it copies. */
bool hp_is_by_operator(const struct hp_verdict *v);

/* MORE is of the rule and place of TO: its numbers are added, not its points. */
void hp_verdict_add(struct hp_verdict *to, const struct hp_verdict *more);
bool hp_verdict_add_point(struct hp_verdict *to, uint64_t id);

#endif
