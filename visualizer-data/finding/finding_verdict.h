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

/* Verdicts of one rule at one place are one: numbers add up. */
struct hp_verdict {
  const struct hp_finding_rule *rule; /* it is of */
  struct hp_finding finding;
  bool is_cxx, is_text, is_adaptor; /* container of C++; string; stack, queue */
  bool of_chars;                    /* a string that is made of a char * */
  bool of_part;                     /* or by substr */
  bool in_vain;                     /* nodes, of keys that are there already */
  bool is_stream;                   /* writes into a string of its own */
  bool is_passed;        /* elements pass through a deque, which takes blocks */
  bool is_block;         /* of a std::pmr resource */
  bool fills;            /* a container that may be its caller's */
  bool is_copy;          /* of a container, by the program itself */
  bool is_result;        /* what its place makes its caller frees */
  bool is_outgrown;      /* a container grows by few steps, which it frees */
  bool by_reserve;       /* which is called for a little more each time */
  bool is_filled_unread; /* a container grows, and nobody reads it at the end */
  bool is_rebuilt; /* a container of nodes is made and filled, by some lines */
  const char *container; /* the outermost, short, of nodes, too; NULL: none */
  bool by_library;    /* allocated inside a library, for itself or the caller */
  bool by_header;     /* or by templates of one, which has hooks */
  const char *sorter; /* takes a buffer for itself (container.h); NULL: none */
  const char *copied; /* class that is copied; NULL: none */
  const char *pair;   /* which a pair is, or its like; NULL: none */
  bool pair_is_same;  /* into one of its own type */
  bool are_files;     /* streams of libc that stay open, or their buffers */
  uint64_t caller_chunks; /* of the point whose callers it has */
  bool original_is_gone;  /* and the copy stays */
  bool is_handed;         /* by value to who copies it */
  bool some_stay;         /* of the copies */
  uint64_t grown;         /* chunks of them that a vector made as it grew */
  uint64_t compared;      /* chunks of copies that a sort compares */
  enum hp_libc_text libc; /* by libc, as a text for its caller */
  bool called_libc;       /* that is the program, which may free it */
  uint64_t size_min, size_max; /* bytes */
  uint64_t freed_chunks;       /* that finding.freed_by freed */
  bool is_freer_of_some;       /* nobody knows that of all of them */
  double lived_ns;             /* sum of the points' lifetimes */
  uint64_t lived_chunks;       /* over so many chunks */
  double overlapping_ns;       /* of lived_ns, where several live at once */
  uint64_t staying_chunks;     /* live at the end */
  struct hp_life_spans lives;  /* of those that ended */
  uint64_t writes, of_chunks, of_bytes, accessed; /* of the whole points */
  struct hp_growth growth;                        /* longest chain */
  uint64_t chains;                                /* of growth */
  const struct hp_frame *begun; /* where these began; NULL: at its place */
  size_t places;                /* at so many they go on */
  size_t joined;     /* others of its function, each of one line (joining.c) */
  bool peak_at_most; /* of what it saves of the peak it is not known how much */
  bool by_realloc;   /* which copies only where it finds no room behind it */
  uint64_t held_chunks, held_bytes; /* by what is lost */
  uint64_t written_for_nobody;      /* bytes */
  enum hp_standard_object object;   /* that the place makes, */
  uint64_t objects;                 /* so often */
  uint64_t shared_writes;           /* to cache lines of other threads */
  bool is_too_cheap;                /* of the run and its peak */
  uint64_t peak_most;               /* saved_peak_bytes is no more; 0: any */
  struct hp_overrun overrun;
  uint64_t looked_at,
      looked_of; /* by pages, of chunks; 0: at all (suspect.h); or at contents */
  uint64_t torn, watched; /* by teardown, of chunks; 0: not by it (suspect.h) */
  uint64_t only, only_of; /* initialised only, of bytes looked at */
  bool is_record;         /* each chunk is one, of fixed size */
  const struct hp_frame *taker; /* takes them down; NULL: nobody reads them */
  bool takers_vary, some_are_torn;  /* each has its own; others are not torn */
  uint64_t contents, zero_bytes;    /* that are different; that they hold */
  const struct hp_frame *collector; /* frees a family, as garbage; NULL: none */
  const struct hp_frame *mostly; /* of a family (generation.h): the place of the
                                    point with most chunks, the first such */
  uint64_t mostly_chunks, mostly_id; /* those, and the point */
  uint64_t generations;              /* the most of a point's */
  struct hp_turns turns;
  uint64_t live_most; /* the sum of all points' peaks, no more than the peak */
  bool holds_unseen;  /* code without hooks may have written to them, too */
  /* Of rules about members: */
  char members[200]; /* their names */
  unsigned member_names;
  const char *order;    /* in which all of them take less; NULL: none */
  char narrow[300];     /* those that hold small numbers only */
  bool is_sparse_array; /* they are one array, most of which is zero */
  uint64_t member_bytes, record_bytes, less_bytes, uses;
  uint64_t counted, counted_of; /* chunks */
  double needed_share;          /* of them, with a use of the members */
  const char *declared_at;      /* the record; NULL: not known */
  uint32_t declared_line;
  const struct hp_false_line *line; /* shared inside a chunk; NULL: none */
  size_t lines;
  uint64_t *ids;
  size_t id_room;
};

#endif
