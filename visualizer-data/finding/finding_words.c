/* finding_words.c - places, chunks and numbers as findings tell them.
   Whoever writes to OUT looks for its errors at the end.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/finding_words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "function_text.h"
#include "path_text.h"

#define ARGUMENTS_SHOWN 60u /* characters, with both brackets */
#define TYPE_ARGUMENTS_SHOWN 120u

/* What is between TEXT and END, without long arguments. */
static void put_outlined(FILE *out, const char *text, const char *end) {
  const size_t size = (size_t)(end - text);
  char *outline = hp_template_outline(text, size, ARGUMENTS_SHOWN);
  fprintf(out, "%.*s", (int)size, outline ? outline : text);
  free(outline);
}

/* Whoever reads which function it is does not need what its templates are of. */
static void put_function(FILE *out, const char *function) {
  char *brief = hp_function_short(function);
  const char *text = brief ? brief : function;
  put_outlined(out, text, text + strlen(text));
  free(brief);
}

void hp_put_type(FILE *out, const char *type) {
  const char *open = strchr(type, '<');
  const size_t length = open ? hp_template_arguments(type, open) : 0;
  if (length <= TYPE_ARGUMENTS_SHOWN) {
    fputs(type, out);
    return;
  }
  fprintf(out, "%.*s", (int)(open + 1 - type), type);
  put_outlined(out, open + 1, open + length - 1);
  fputs(open + length - 1, out);
}

void hp_put_place(FILE *out, const struct hp_frame *f) {
  if (f->function)
    put_function(out, f->function);
  else if (f->module)
    fprintf(out, "%s+0x%" PRIx64, hp_base_name(f->module), f->address);
  else /* made as the program runs */
    fputs("code outside every module", out);
  if (f->file && f->line)
    fprintf(out, " (%s:%s%" PRIu32 ")", hp_base_name(f->file),
            f->line_is_near ? "~" : "", f->line);
}

struct hp_number_text hp_told(const struct hp_finding *f,
                              struct hp_number_text number) {
  int digits = (int)strspn(number.s, "0123456789.");
  const char *unit = number.s + digits;
  struct hp_number_text text;
  snprintf(text.s, sizeof text.s, "%s%.*s%s%.8s", f->estimated ? "~" : "",
           digits, number.s, *unit ? " " : "", unit);
  return text;
}

struct hp_number_text hp_told_count(const struct hp_finding *f,
                                    uint64_t count) {
  return hp_told(f, hp_count_text(count));
}

struct hp_number_text hp_told_bytes(const struct hp_finding *f,
                                    uint64_t bytes) {
  return hp_told(f, hp_bytes_text(bytes));
}

struct hp_number_text hp_told_life(const struct hp_verdict *v) {
  double lived = v->lives.lived_chunks
                     ? v->lives.lived_ns / (double)v->lives.lived_chunks
                     : 0;
  return hp_told(&v->finding, hp_duration_text(lived));
}

#define MEAN_MISLEADS 4 /* half of them lived for less than a part of it */

void hp_put_lives(FILE *out, const struct hp_verdict *v) {
  const double half = hp_life_spans_half(&v->lives.spans);
  const double mean = v->lives.lived_chunks
                          ? v->lives.lived_ns / (double)v->lives.lived_chunks
                          : 0;
  if (half > 0 && half * MEAN_MISLEADS < mean)
    fprintf(out, "half of them for less than %s, though %s on average",
            hp_told(&v->finding, hp_duration_text(half)).s, hp_told_life(v).s);
  else
    fprintf(out, "each for %s on average", hp_told_life(v).s);
}

void hp_put_staying(FILE *out, const struct hp_verdict *v) {
  if (v->lives.staying_chunks)
    fprintf(out, ", but for %s that %s to the end",
            hp_told_count(&v->finding, v->lives.staying_chunks).s,
            v->lives.staying_chunks == 1 ? "stays" : "stay");
}

void hp_put_chunks(FILE *out, const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  fprintf(out, "%s chunk%s", hp_told_count(f, f->chunks).s,
          f->chunks == 1 ? "" : "s");
  if (v->whole.size_min == v->whole.size_max)
    fprintf(out, " of %s", hp_told_bytes(f, v->whole.size_max).s);
  if (f->subject)
    fprintf(out, " (%s)", f->subject);
  fputs(v->origin.by_library || v->origin.by_header
            ? " from a library called by "
            : " from ",
        out);
  hp_put_place(out, f->place);
}

void hp_put_by_pages(FILE *out, const struct hp_verdict *v, const char *what) {
  if (!v->finding.by_pages)
    return;
  fputs(" (by pages", out);
  if (v->looked.some)
    fprintf(out, " of %s of %s chunks", hp_count_text(v->looked.some).s,
            hp_count_text(v->looked.of).s);
  fprintf(out, "%s)", what);
}

/* Names of C++ have their parameters. */
static bool is_cxx_name(const char *function) {
  return function && strchr(function, '(');
}

void hp_put_free_remedy(FILE *out, const struct hp_verdict *v) {
  if (hp_verdict_is_of_system(v) ||
      (v->origin.by_library && !v->origin.called_libc)) {
    fputs("Call the library's function that gives them back, if it has one.",
          out);
    return;
  }
  fputs("Free each when it is no longer needed", out);
  if (v->held_chunks)
    fputs(", and first what hangs from it", out);
  fputs(is_cxx_name(v->finding.place->function)
            ? ", or say whose it is with a smart pointer."
            : ".",
        out);
}

void hp_put_teardown(FILE *out, const struct hp_verdict *v) {
  if (!v->teardown.watched)
    return;
  const struct hp_frame *taker =
      v->teardown.takers_vary ? NULL : v->teardown.taker;
  fprintf(out, ",%s but for %s",
          v->teardown.some_are_torn ? " some of them" : "",
          taker ? "" : "what takes");
  if (taker)
    hp_put_place(out, taker);
  fprintf(out, "%s %s down (%s of %s chunks watched)",
          taker ? ", which takes" : "", hp_them(&v->finding),
          hp_count_text(v->teardown.torn).s,
          hp_count_text(v->teardown.watched).s);
}
