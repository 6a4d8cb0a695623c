/* rules_pools.c - findings of chunks that the program cuts up into objects of its
   own pools.  See finding_rule.h for what a row is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/finding_rule.h"
#include "finding/finding_words.h"
#include "measure/paged_peak.h"

#define PAGE 4096u   /* bytes: all of a smaller chunk is touched */
#define TIMES_KEPT 2 /* so many times what ever lived at once */

static bool has_blocks(const struct hp_suspect *s) {
  const struct hp_point *p = s->point;
  return !s->origin.by_library && p->blocks.chunks && p->size.defined;
}

static void begin(const struct hp_suspect *s, struct hp_verdict *v,
                  uint64_t chunks, uint64_t bytes) {
  *v = hp_verdict_of(s, false);
  v->finding.chunks = chunks;
  v->finding.bytes = bytes;
}

/* ---- pool_idle ----------------------------------------------------------- */

/* As freed_late: of chunks that live long. */
static bool is_pool_idle(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  const struct hp_blocks *b = &p->blocks;
  if (!has_blocks(s) || b->idle_bytes < b->bytes - b->idle_bytes ||
      b->bytes > p->bytes || !hp_point_lives_long(p))
    return false;
  begin(s, v, b->idle_chunks, b->idle_bytes);
  v->finding.saved_peak_bytes = hp_at_peak(p, b->idle_bytes);
  return true;
}

static void put_pool_idle(FILE *out, const struct hp_verdict *v) {
  hp_put_chunks(out, v);
  fprintf(out,
          " %s kept for more than half of their life after the last of the "
          "objects in them has ended",
          hp_are(&v->finding));
}

static void put_pool_idle_remedy(FILE *out, const struct hp_verdict *v) {
  (void)v;
  fputs("Give the memory of the pool back when it is empty.", out);
}

/* ---- pool_oversized ------------------------------------------------------ */

/* Whether it is known how much of the point's chunks has memory. */
static bool is_touched_known(const struct hp_point *p) {
  return p->pages.chunks >= p->chunks || p->size.max <= PAGE;
}

/* No more than most_bytes are in use at any time, so that the rest of what has
   memory at the peak is not needed then either. */
static bool is_pool_oversized(const struct hp_suspect *s,
                              struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  const struct hp_blocks *b = &p->blocks;
  if (!has_blocks(s) || b->chunks < p->chunks || !is_touched_known(p))
    return false;
  const uint64_t needed =
      hp_paged_share(p->bytes_at_global_peak, b->most_bytes, b->bytes);
  if (p->peak_touched_bytes / TIMES_KEPT < needed)
    return false;
  begin(s, v, b->chunks, b->bytes);
  v->held_bytes = b->most_bytes;
  v->finding.saved_peak_bytes = p->peak_touched_bytes - needed;
  return true;
}

static void put_pool_oversized(FILE *out, const struct hp_verdict *v) {
  const uint64_t bytes = v->finding.bytes, most = v->held_bytes;
  hp_put_chunks(out, v);
  fprintf(out, " %s cut up into objects, ", hp_are(&v->finding));
  if (most)
    fprintf(out, "but have %.1f times the bytes of what lives at once in them",
            (double)bytes / (double)most);
  else
    fputs("none of which has a byte", out);
}

static void put_pool_oversized_remedy(FILE *out, const struct hp_verdict *v) {
  (void)v;
  fputs("Take smaller chunks for the pool, or fill one before the next is "
        "begun.",
        out);
}

const struct hp_finding_rule hp_rules_pools[] = {
    {.name = "pool_idle",
     .verb = "give back",
     .least = 1,
     .judge = is_pool_idle,
     .text = put_pool_idle,
     .remedy = put_pool_idle_remedy},
    {.name = "pool_oversized",
     .verb = "shrink",
     .least = 1,
     .judge = is_pool_oversized,
     .text = put_pool_oversized,
     .remedy = put_pool_oversized_remedy},
    {0}};
