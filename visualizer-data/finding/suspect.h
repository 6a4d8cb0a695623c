/* suspect.h - an allocation point while rules are asked about it, and what
   several of them ask.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SUSPECT_H
#define HP_SUSPECT_H

#include "finding/container.h"
#include "finding/deep_copy.h"
#include "finding/finding_verdict.h"
#include "finding/handed_over.h"
#include "heapprof_members.h"

struct hp_relay;

/* An object that the place of a point makes: how often, by the chunk of it that lives
   longest. */
struct hp_object_use {
  uint64_t made, times; /* chunks; when none of them was there */
};

/* A point and what its stack says. */
struct hp_suspect {
  const struct hp_point *point;
  struct hp_origin origin;
  uint64_t chunks;                /* that are not empty */
  const char *type;               /* short; NULL: unknown */
  const struct hp_frame *sorter;  /* NULL: its chunks are no copies of a sort */
  const char *sorted;             /* of what; NULL: of what it compares by */
  bool compares;                  /* the copy is an argument of a comparison */
  enum hp_standard_object object; /* its place makes, and how often */
  struct hp_object_use object_use;
  struct hp_deep_copy copy; /* no place: its chunks are of no copy */
  struct hp_handed handed;  /* its chunks are copies of that */
  bool is_handed;        /* its chunks are dropped with what was handed over */
  bool original_is_gone; /* what was copied lived for a short time */
  bool others_are_short; /* copies that its line makes elsewhere */
  const struct hp_frame *turn; /* NULL: it is of no family (generation.h) */
  struct hp_turns turns;       /* of that */
  bool turn_is_inside;         /* of a library that it calls */
  const struct hp_frame
      *shrinker; /* NULL: its container is not (shrinking.h) */
  const struct hp_frame
      *regrown;                 /* NULL: it is no copy that grows (regrown.h) */
  const struct hp_relay *relay; /* NULL: it grows at one place (relay.h) */
  const struct hp_point *longest; /* where its chains are, or NULL (relay.h) */
  bool has_sisters;               /* that have the same chains (relay.h) */
  bool takes_over;                /* what grew elsewhere (relay.h) */
  const struct hp_member_type *members; /* NULL: nothing is known of them */
  const uint64_t *content_bits;         /* hp_point_content_bits() */
  const struct hp_false_line *lines; /* that threads share inside its chunks */
  size_t line_count;
};

#define HP_LOW_LIFETIME 0.5 /* lifetime score: one after the other */

/* What every verdict says of the point, whatever the rule. */
struct hp_verdict hp_verdict_of(const struct hp_suspect *s, bool certain);

/* At another place than the point's, and who leads there, as far as its stack says. */
void hp_verdict_put_at(struct hp_verdict *v, const struct hp_suspect *s,
                       const struct hp_frame *place);

/* Of a rule by which all of the point's chunks need not be made. */
struct hp_verdict hp_verdict_of_all(const struct hp_suspect *s);

/* What the pages say of a point whose accesses nobody saw.  A page that never had
   memory was never touched, whoever might have. */
struct hp_page_evidence {
  struct hp_pages pages; /* of all chunks that it speaks for */
  uint64_t looked_at; /* 0: at each of them; else at so many, and the rest is */
  uint64_t of;        /* taken to be like these: so many in all */
};

/* False: they say nothing.  Of the large ones each is known; SAMPLED: those that
   stand for the smaller ones, which takes eight. */
bool hp_suspect_pages(const struct hp_suspect *s, bool sampled,
                      struct hp_page_evidence *evidence);

/* V holds by EVIDENCE. */
void hp_verdict_by_pages(struct hp_verdict *v,
                         const struct hp_page_evidence *evidence);

/* Of PART of the chunks that were watched until they were freed, S's, as many of
   all; false: too few, or not for half of them, or they live short.  What takes them down does not
   count as use. */
bool hp_suspect_is_torn(const struct hp_suspect *s, uint64_t part,
                        struct hp_inference_value *shown);

/* V holds by what is without its teardown. */
void hp_verdict_by_teardown(struct hp_verdict *v, const struct hp_suspect *s,
                            uint64_t part);

/* The container whose own memory the chunks are; NULL: none. */
const char *hp_suspect_container(const struct hp_suspect *s);

/* Elements pass through a deque, which takes blocks for them. */
bool hp_suspect_is_passed(const struct hp_suspect *s);

/* Few live at one time of the many there were. */
bool hp_suspect_follows_itself(const struct hp_suspect *s);
bool hp_point_follows_itself(const struct hp_point *p);
/* Of P's chunks those that a container left for larger ones. */
uint64_t hp_outgrown_of(const struct hp_point *p);

/* Half of P's chunks or more, and one at least. */
bool hp_are_mostly_outgrown(const struct hp_point *p);

/* None of P's chunks goes with its container: each is left for a larger one. */
bool hp_are_all_outgrown(const struct hp_point *p);

/* Chunks that follow each other mostly; some of them live while others do. */
bool hp_point_overlaps(const struct hp_point *p);
/* At its peak more of them were there than one, the largest, of each thread. */
bool hp_point_has_several(const struct hp_point *p);

/* The call that allocates each frees it, as far as the stacks say, and no other thread
   has anything to do with it. */
bool hp_point_is_freed_by_its_calls(const struct hp_point *p);

/* So it is, and its place, which is not in the stack twice, is whose calls these are:
   when one ends nothing is left, however many chunks it made. */
bool hp_point_is_gone_with_its_calls(const struct hp_point *p);

/* So it is, for a short time, and each call makes one.  A line that is reached by many
   stacks has few chunks at each, which may lie far apart: they follow each other all
   the same. */
bool hp_point_is_made_per_call(const struct hp_point *p);

/* So long, on average, that it was not the program's waiting for a processor. */
bool hp_point_lives_long(const struct hp_point *p);

/* False: P has chunks that are no array of numbers or pointers as its type says, such
   as the int of a wrapper that returns int * for text. */
bool hp_point_fits_type(const struct hp_point *p);

/* Of the point's touched bytes at the global peak what BYTES of all have. */
uint64_t hp_at_peak(const struct hp_point *p, uint64_t bytes);

/* The HELD chunks of P were last used, or if EARLY first used, on the other side of the
   global peak: nobody could have given them back ahead of it, or allocated them behind it.
   By means, so that it is false where that is not known. */
bool hp_is_needed_at_peak(const struct hp_point *p,
                          const struct hp_inference_value *held, bool early);

/* So many bytes the global peak lies above the most that was live while the HELD chunks of
   P, all of them there at the peak, were used: no more is saved by them, as the process
   would peak there.  EARLY: from their first use on. */
uint64_t hp_peak_above_held(const struct hp_point *p,
                            const struct hp_inference_value *held, bool early);

/* Of the same those that were never accessed: on pages with others that were. */
uint64_t hp_unused_at_peak(const struct hp_point *p);

/* The memory that malloc takes for BYTES of P's touched ones at the global peak, in
   whole chunks. */
uint64_t hp_memory_of(const struct hp_point *p, uint64_t bytes);

/* Of what V saves by chunks of S that get smaller: each still takes the least. */
uint64_t hp_memory_of_smaller(const struct hp_suspect *s,
                              const struct hp_verdict *v);

/* That nobody did something, which code without hooks may have done. */
static inline bool hp_is_of_absence(enum hp_inference i) {
  return i == HP_INF_unused || i == HP_INF_write_only ||
         i == HP_INF_low_coverage || i == HP_INF_freed_late ||
         i == HP_INF_allocated_early;
}

/* NULL if P does not show I, or that is doubtful. */
static inline const struct hp_inference_value *
hp_shows(const struct hp_point *p, enum hp_inference i) {
  return p->inferences[i].flagged &&
                 !(p->line_written_unseen && hp_is_of_absence(i))
             ? &p->inferences[i]
             : NULL;
}

/* I holds for half of the chunks or more. */
static inline bool hp_is_mostly(const struct hp_point *p, enum hp_inference i) {
  const uint64_t chunks = p->inferences[i].chunks;
  return chunks && chunks >= p->chunks - chunks;
}

/* Chunks that nobody accessed, zeroed or not; flagged as HP_INF_unused is shown. */
static inline struct hp_inference_value hp_untouched(const struct hp_point *p) {
  const struct hp_inference_value *unused = &p->inferences[HP_INF_unused];
  struct hp_inference_value all = {.chunks = unused->chunks + p->zeroed.chunks,
                                   .bytes = unused->bytes + p->zeroed.bytes};
  all.flagged = all.chunks && !p->line_written_unseen &&
                all.chunks >= p->chunks - p->unknown_chunks - all.chunks;
  return all;
}

#endif
