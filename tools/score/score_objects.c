/* score_objects.c - see score_objects.h: members with the call tree above each.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "score_objects.h"

#include "number_text.h"
#include "score_summary.h"
#include "site_text.h"

#include <inttypes.h>
#include <stdlib.h>

/* "size frequency lifetime R" and the blanks between. */
#define NUMBER_COLUMNS 37u

static void put_site(FILE *out, const struct hp_frame *f, bool vary,
                     size_t width) {
  if (f && vary && width > 1) {
    putc('~', out);
    width--;
  }
  if (f)
    hp_site_fit(out, f, width);
  else
    fprintf(out, "%-*s", (int)width, "-");
}

static void put_row(FILE *out, const struct hp_made_object *o, size_t site) {
  char ratio[32];
  snprintf(ratio, sizeof ratio, "%.3g", o->ratio);
  put_site(out, o->allocated_by, false, site);
  putc(' ', out);
  put_site(out, o->freed_by, o->callers_vary, site);
  fprintf(out, " %8s %9" PRIu64 " %8s %8s\n",
          o->sizes_vary ? "other" : hp_bytes_text(o->size).s, o->frequency,
          hp_duration_text(o->mean_lifetime_ns).s, ratio);
}

static void put_stack(FILE *out, const char *what,
                      const struct hp_frame *const *stack, size_t count) {
  fprintf(out, "    %s\n", what);
  for (size_t i = 0; i < count; i++) {
    fputs("      ", out);
    hp_site_put(out, stack[i]);
    putc('\n', out);
  }
}

static void put_stacks(FILE *out, const struct hp_made_object *o) {
  put_stack(out, "allocated by", o->allocated, o->allocated_count);
  put_stack(out, "freed by", o->freed, o->freed_count);
}

static void put_words(FILE *out, const struct hp_score_options *o,
                      const struct hp_excess_verdict *v) {
  fprintf(out, "\nexcessive allocation: %s",
          hp_verdict_of_excess_name(v->verdict));
  if (o->excess.method == HP_EXCESS_IQR) {
    if (v->verdict == HP_VERDICT_UNDETERMINED)
      fprintf(out, ", of %" PRIu64 " objects: quartiles need 4\n", v->objects);
    else
      fprintf(out,
              ", %" PRIu64 " of %" PRIu64 " objects have R above %.3g = Q3 + "
              "%g IQR (Q1 %.3g, Q3 %.3g)\n",
              v->members, v->objects, v->bound, o->excess.mu, v->q1, v->q3);
  } else if (v->verdict == HP_VERDICT_UNDETERMINED) {
    fprintf(out,
            v->clusters < 2 ? ", of %" PRIu64
                              " objects: they make no two clusters\n"
                            : ", of %" PRIu64
                              " objects: two clusters are equally extreme\n",
            v->objects);
  } else if (v->verdict == HP_VERDICT_NOT_FOUND) {
    fprintf(out,
            ", of %" PRIu64 " objects in %u clusters: the most frequent one is "
            "not the one that lives shortest\n",
            v->objects, v->clusters);
  } else {
    fprintf(out,
            ", %" PRIu64 " of %" PRIu64 " objects, one of %u clusters, are the "
            "most frequent and live shortest\n",
            v->members, v->objects, v->clusters);
  }
}

static void put_members(FILE *out, const hp_objects *objects, size_t limit,
                        size_t site) {
  size_t shown = 0;
  for (size_t i = 0; i < hp_object_count(objects) && shown < limit; i++) {
    const struct hp_made_object *o = hp_object_at(objects, i);
    if (!o->excessive)
      continue;
    putc('\n', out);
    put_row(out, o, site);
    put_stacks(out, o);
    shown++;
  }
}

void hp_score_objects(FILE *out, const struct hp_score_options *o,
                      const hp_profile *profile, const hp_objects *objects,
                      const struct hp_excess_verdict *verdict, size_t width) {
  const size_t count = hp_object_count(objects);
  const size_t shown = count < o->limit ? count : o->limit;
  const size_t rest = width > NUMBER_COLUMNS + 22 ? width - NUMBER_COLUMNS : 22;
  const size_t site = (rest - 1) / 2;
  bool vary = false;
  hp_score_summary(out, profile, width);
  if (count == 0)
    fputs("no allocation objects: no chunk was freed, or the dump does not say "
          "where\n",
          out);
  else
    fprintf(out, "%-*s %-*s %8s %9s %8s %8s\n", (int)site, "allocated by",
            (int)site, "freed by", "size", "frequency", "lifetime", "R");
  for (size_t i = 0; i < shown; i++) {
    const struct hp_made_object *object = hp_object_at(objects, i);
    put_row(out, object, site);
    vary = vary || object->callers_vary;
    if (o->stacks)
      put_stacks(out, object);
  }
  if (shown < count)
    fprintf(out, "%zu more; --limit=0 shows all\n", count - shown);
  if (count)
    fputs("\nR: frequency per millisecond of mean lifetime\n", out);
  if (vary)
    fputs("~: the caller of some of its chunks; free_stacks=1 tells all\n",
          out);
  if (hp_objects_unknown(objects))
    fprintf(out, "%" PRIu64 " chunks more were freed, nobody knows where\n",
            hp_objects_unknown(objects));
  if (verdict) {
    put_words(out, o, verdict);
    put_members(out, objects, o->limit, site);
  }
}
