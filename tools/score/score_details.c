/* score_details.c - what --stacks says below a point's row: all that is known of it, and its stack.
   What nobody measured has no line.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "score_details.h"

#include "site_text.h"

#include <inttypes.h>
#include <string.h>

struct hp_number_text hp_score_marked(const struct hp_point *p,
                                      struct hp_number_text number) {
  struct hp_number_text text = number;
  if (p->samples && strcmp(number.s, "-") != 0 && strcmp(number.s, "?") != 0)
    snprintf(text.s, sizeof text.s, "~%.30s", number.s);
  return text;
}

/* ---- the first line: accesses, type, what is never freed ----------------- */

/* Standard errors, of which two hold 19 of 20. */
static void put_errors(FILE *out, const struct hp_point *p) {
  fprintf(out,
          "    estimated from %s samples: chunks +-%s, bytes +-%s, peak +-%s, "
          "usage +-%.2f, useful +-%.2f\n",
          hp_count_text(p->samples).s,
          hp_count_text((uint64_t)(p->errors.chunks + 0.5)).s,
          hp_bytes_text((uint64_t)(p->errors.bytes + 0.5)).s,
          hp_bytes_text((uint64_t)(p->errors.peak + 0.5)).s, p->errors.usage,
          p->errors.useful_lifetime);
}

static void put_accesses(FILE *out, const struct hp_point *p) {
  const char *at_least = p->counts_saturated ? ">=" : p->samples ? "~" : "";
  if (p->accesses_known)
    fprintf(out, "    reads %s%" PRIu64 ", writes %s%" PRIu64 ", accessed %s",
            at_least, p->reads, at_least, p->writes,
            hp_score_marked(p, hp_bytes_text(p->bytes_accessed)).s);
  else if (p->blocks.chunks)
    fputs("    accesses are those of its objects", out);
  else
    fputs("    accesses not seen", out);
  if (p->accesses_known && p->unknown_chunks)
    fprintf(out, ", without %s chunks whose accesses were not seen",
            hp_score_marked(p, hp_count_text(p->unknown_chunks)).s);
}

static void put_type(FILE *out, const struct hp_point *p) {
  if (!p->type)
    return;
  fputs(", type by ", out);
  fputs(p->type_provenance ? p->type_provenance : "several ways", out);
  if (p->elements)
    fprintf(out, ", %s elements", hp_count_text(p->elements).s);
  if (p->element_size)
    fprintf(out, " of %s", hp_bytes_text(p->element_size).s);
}

static void put_owner(FILE *out, const struct hp_point *p) {
  if (p->pool)
    fprintf(out, ", of the pool %s", p->pool);
  if (p->live_chunks)
    fprintf(out, ", never freed %s (%s)",
            hp_score_marked(p, hp_count_text(p->live_chunks)).s,
            hp_score_marked(p, hp_bytes_text(p->live_bytes)).s);
}

/* ---- a line each --------------------------------------------------------- */

static void put_sizes(FILE *out, const struct hp_point *p) {
  if (p->size.defined)
    fprintf(out, "\n    size %s to %s, mean %s", hp_bytes_text(p->size.min).s,
            hp_bytes_text(p->size.max).s,
            hp_bytes_text((uint64_t)(p->size.mean + 0.5)).s);
}

static void put_lives(FILE *out, const struct hp_point *p) {
  if (p->lifetime_ns.defined)
    fprintf(out, "\n    lives %s to %s, mean %s",
            hp_duration_text((double)p->lifetime_ns.min).s,
            hp_duration_text((double)p->lifetime_ns.max).s,
            hp_duration_text(p->lifetime_ns.mean).s);
  if (p->peak_bytes)
    fprintf(out, "\n    recycled %.1f times", hp_recycling(p));
  if (p->peak_bytes && p->temporary_known && p->temporary_chunks)
    fprintf(out, ", %s freed before the next allocation of their thread",
            hp_count_text(p->temporary_chunks).s);
  if (p->generations > 1)
    fprintf(out, ", %s generations", hp_count_text(p->generations).s);
}

static void put_pages(FILE *out, const struct hp_point *p) {
  if (p->pages.chunks)
    fprintf(out,
            "\n    pages of %s %s: touched %s of %s, in memory at the end %s",
            hp_score_marked(p, hp_count_text(p->pages.chunks)).s,
            p->pages.chunks == 1 ? "chunk" : "chunks",
            hp_score_marked(p, hp_bytes_text(p->pages.touched)).s,
            hp_score_marked(p, hp_bytes_text(p->pages.bytes)).s,
            hp_score_marked(p, hp_bytes_text(p->pages.resident)).s);
  if (p->stale.chunks)
    fprintf(out, "\n    stale: %s of %s in memory, not written for long",
            hp_score_marked(p, hp_bytes_text(p->stale.stale)).s,
            hp_score_marked(p, hp_bytes_text(p->stale.resident)).s);
  if (p->sampled_pages.chunks)
    fprintf(out,
            "\n    pages of %s, chosen from %s smaller chunks: touched %s of "
            "%s, %s never",
            hp_count_text(p->sampled_pages.chunks).s,
            hp_score_marked(p, hp_count_text(p->chunks - p->pages.chunks)).s,
            hp_bytes_text(p->sampled_pages.touched).s,
            hp_bytes_text(p->sampled_pages.bytes).s,
            hp_count_text(p->sampled_pages.unused_chunks).s);
}

static void put_teardown(FILE *out, const struct hp_teardown *t) {
  if (!t->freed)
    return;
  fprintf(out,
          "\n    useful %.2f without teardown, %.2f with it (%s watched until "
          "freed); %s last used before",
          t->settled_lifetime, t->useful_lifetime, hp_count_text(t->freed).s,
          hp_count_text(t->torn).s);
  if (t->reader)
    fprintf(out, " %s", t->reader->function);
  fputs(t->reader ? " and its like took them down" : " they were taken down",
        out);
}

static void put_initialised(FILE *out, const struct hp_initialised *i) {
  if (!i->only)
    return;
  fprintf(out, "\n    %s of %s initialised only (%s chunk%s looked at)",
          hp_bytes_text(i->only).s, hp_bytes_text(i->bytes).s,
          hp_count_text(i->chunks).s, i->chunks == 1 ? "" : "s");
}

static void put_resizes(FILE *out, const struct hp_point *p) {
  if (p->resizes.calls)
    fprintf(out,
            "\n    resized %s times, %s of them in place: %s more, %s less, "
            "%s moved",
            hp_count_text(p->resizes.calls).s,
            hp_count_text(p->resizes.in_place).s,
            hp_bytes_text(p->resizes.grown_bytes).s,
            hp_bytes_text(p->resizes.shrunk_bytes).s,
            hp_bytes_text(p->resizes.moved_bytes).s);
  if (p->resizes.jump_to)
    fprintf(out, "; at most from %s to %s",
            hp_bytes_text(p->resizes.jump_from).s,
            hp_bytes_text(p->resizes.jump_to).s);
}

static void put_contents(FILE *out, const struct hp_contents *c) {
  if (!c->chunks)
    return;
  fprintf(
      out,
      "\n    contents of %s chunk%s: %s different, %s of one byte only; %s of "
      "%s are zero",
      hp_count_text(c->chunks).s, c->chunks == 1 ? "" : "s",
      hp_count_text(c->different).s, hp_count_text(c->uniform_chunks).s,
      hp_bytes_text(c->zero_bytes).s, hp_bytes_text(c->bytes).s);
}

static void put_blocks(FILE *out, const struct hp_blocks *b) {
  if (!b->chunks)
    return;
  fprintf(out,
          "\n    %s chunk%s of %s cut into %s object%s; of them live at most "
          "%s, on average %s; %s idle at the end",
          hp_count_text(b->chunks).s, b->chunks == 1 ? "" : "s",
          hp_bytes_text(b->bytes).s, hp_count_text(b->objects).s,
          b->objects == 1 ? "" : "s", hp_bytes_text(b->most_bytes).s,
          hp_bytes_text(b->mean_bytes).s, hp_bytes_text(b->idle_bytes).s);
}

static void put_growth(FILE *out, const struct hp_point *p) {
  const uint64_t chains = p->grown.chains;
  if (!p->growth.length)
    return;
  fprintf(out, "\n    %s %s up to %s times from %s to %s; %s copied",
          chains ? hp_count_text(chains).s : "chains of other points",
          chains == 1 ? "chain grows"
          : chains    ? "chains grow"
                      : "grow",
          hp_count_text(p->growth.length - 1).s,
          hp_bytes_text(p->growth.first_size).s,
          hp_bytes_text(p->growth.last_size).s,
          hp_bytes_text(p->grown.copied_bytes).s);
}

static void put_stack(FILE *out, const struct hp_point *p, bool all_frames) {
  for (size_t i = 0, run; i < p->stack_count; i += run) {
    run = all_frames ? 1 : hp_site_run(p->stack + i, p->stack_count - i);
    hp_site_put_run(out, p->stack, i, run, "");
  }
}

void hp_score_details(FILE *out, const struct hp_point *p, bool all_frames) {
  if (p->samples)
    put_errors(out, p);
  put_accesses(out, p);
  put_type(out, p);
  put_owner(out, p);
  put_sizes(out, p);
  put_lives(out, p);
  put_pages(out, p);
  put_teardown(out, &p->teardown);
  put_initialised(out, &p->initialised);
  put_resizes(out, p);
  put_contents(out, &p->contents);
  put_blocks(out, &p->blocks);
  put_growth(out, p);
  putc('\n', out);
  put_stack(out, p, all_frames);
}
