/* rules_threads.c - findings of chunks that go from thread to thread.
   See finding_rule.h for what a row is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/finding_rule.h"
#include "finding/finding_words.h"

#define CACHE_LINE 64u      /* bytes */
#define WORTH_WRITES 10000u /* to memory that threads share */

static bool is_of(const struct hp_suspect *s, struct hp_verdict *v,
                  const struct hp_inference_value *shown) {
  *v = hp_verdict_of(s, false);
  v->finding.chunks = shown->chunks;
  v->finding.bytes = shown->bytes;
  return true;
}

/* ---- false_sharing ------------------------------------------------------- */

/* Small chunks lie side by side, and threads that write to one cache line wait
   for each other. */
static bool is_false_sharing(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  const struct hp_inference_value *shared = hp_shows(p, HP_INF_multithread);
  return shared && p->size.max < CACHE_LINE &&
         p->writes / p->chunks >= WORTH_WRITES / 10 && is_of(s, v, shared) &&
         (v->shared_writes = p->writes);
}

static void put_false_sharing(FILE *out, const struct hp_verdict *v) {
  hp_put_chunks(out, v);
  fprintf(out,
          " share cache lines, and other threads access them, "
          "with %s writes in all",
          hp_told_count(&v->finding, v->writes).s);
}

static void put_false_sharing_remedy(FILE *out, const struct hp_verdict *v) {
  (void)v;
  fputs("Align each to 64 bytes, or let each thread allocate its own.", out);
}

static bool has_many_writes(const struct hp_verdict *v) {
  return v->writes >= WORTH_WRITES;
}

/* ---- freed_elsewhere ----------------------------------------------------- */

static bool is_freed_elsewhere(const struct hp_suspect *s,
                               struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  const struct hp_inference_value *freed = hp_shows(p, HP_INF_freed_elsewhere);
  return freed && freed->chunks >= p->chunks - freed->chunks &&
         is_of(s, v, freed);
}

static void put_freed_elsewhere(FILE *out, const struct hp_verdict *v) {
  hp_put_chunks(out, v);
  fputs(" are freed by other threads than allocated them", out);
}

static void put_freed_elsewhere_remedy(FILE *out, const struct hp_verdict *v) {
  (void)v;
  fputs("Send them back and reuse them where they were allocated, or give "
        "each thread a pool.",
        out);
}

static bool has_share(const struct hp_verdict *v) {
  return v->finding.share_of_allocations >= HP_WORTH_SHARE;
}

const struct hp_finding_rule hp_rules_threads[] = {
    {.name = "false_sharing",
     .verb = "pad",
     .least = 2,
     .judge = is_false_sharing,
     .text = put_false_sharing,
     .remedy = put_false_sharing_remedy,
     .is_worth = has_many_writes},
    {.name = "freed_elsewhere",
     .verb = "split by thread",
     .least = 1000,
     .judge = is_freed_elsewhere,
     .text = put_freed_elsewhere,
     .remedy = put_freed_elsewhere_remedy,
     .is_of_lives = true,
     .saves_nothing = true,
     .is_worth = has_share},
    {0}};
