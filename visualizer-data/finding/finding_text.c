/* finding_text.c - the two sentences of a finding: what it costs, what to do.
   Numbers are rounded here; the exact ones are members of hp_finding.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/finding_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/saturate.h"
#include "function_text.h"
#include "number_text.h"

static void put_function(FILE *out, const char *function) {
  char *brief = hp_function_short(function);
  fputs(brief ? brief : function, out);
  free(brief);
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash && slash[1] ? slash + 1 : path;
}

static void put_place(FILE *out, const struct hp_frame *f) {
  if (f->function)
    put_function(out, f->function);
  else
    fprintf(out, "%s+0x%" PRIx64, f->module ? base_name(f->module) : "unknown",
            f->address);
  if (f->file && f->line)
    fprintf(out, " (%s:%s%" PRIu32 ")", base_name(f->file),
            f->line_is_near ? "~" : "", f->line);
}

/* NUMBER as one of F: "~" stands before an estimate, a blank before a unit. */
static struct hp_number_text told(const struct hp_finding *f,
                                  struct hp_number_text number) {
  int digits = (int)strspn(number.s, "0123456789.");
  const char *unit = number.s + digits;
  struct hp_number_text text;
  snprintf(text.s, sizeof text.s, "%s%.*s%s%.8s", f->estimated ? "~" : "",
           digits, number.s, *unit ? " " : "", unit);
  return text;
}

static struct hp_number_text count_of(const struct hp_finding *f,
                                      uint64_t count) {
  return told(f, hp_count_text(count));
}

static struct hp_number_text bytes_of(const struct hp_finding *f,
                                      uint64_t bytes) {
  return told(f, hp_bytes_text(bytes));
}

static void put_percent(FILE *out, const struct hp_finding *f, double share,
                        const char *of) {
  if (share >= 0.005)
    fprintf(out, " (%s%.0f %%%s)", f->estimated ? "~" : "", 100 * share, of);
}

/* What a repair saves, as far as it saves something. */
static void put_cost(FILE *out, const struct hp_finding *f) {
  const char *separator = ": ";
  if (f->saved_chunks) {
    fprintf(out, "%s%s allocation%s", separator, count_of(f, f->saved_chunks).s,
            f->saved_chunks == 1 ? "" : "s");
    put_percent(out, f, f->share_of_allocations, " of all");
    separator = ", ";
  }
  if (f->saved_copied_bytes) {
    fprintf(out, "%s%s copied", separator,
            bytes_of(f, f->saved_copied_bytes).s);
    separator = ", ";
  }
  if (f->saved_peak_bytes) {
    fprintf(out, "%s%s of the peak", separator,
            bytes_of(f, f->saved_peak_bytes).s);
    put_percent(out, f, f->share_of_peak, "");
  }
  putc('.', out);
}

static const char *thing(const struct hp_finding *f, const char *otherwise) {
  return f->subject ? f->subject : otherwise;
}

static void put_chunks(FILE *out, const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  fprintf(out, "%s chunk%s", count_of(f, f->chunks).s,
          f->chunks == 1 ? "" : "s");
  if (v->size_min == v->size_max)
    fprintf(out, " of %s", bytes_of(f, v->size_max).s);
  if (f->subject)
    fprintf(out, " (%s)", f->subject);
  fputs(v->by_library ? " from a library called by " : " from ", out);
  put_place(out, f->place);
}

/* How far, and by whom. */
static void put_overrun(FILE *out, const struct hp_verdict *v) {
  const struct hp_overrun *o = &v->overrun;
  put_chunks(out, v);
  fprintf(out, " %s %s", v->finding.chunks == 1 ? "is" : "are",
          o->is_written && o->is_read ? "read and written"
          : o->is_written             ? "written"
          : o->is_read                ? "read"
                                      : "accessed");
  fputs(o->ahead && !o->beyond ? " ahead of the beginning" : " beyond the end",
        out);
  if (o->beyond)
    fprintf(out, ", by at least %s", bytes_of(&v->finding, o->beyond).s);
  const struct hp_frame *by = o->writer ? o->writer : o->reader;
  if (by) {
    fputs(o->writer ? ", first written by " : ", first read by ", out);
    put_place(out, by);
  } else {
    fputs("; the line that did it is not known", out);
  }
}

static void put_held(FILE *out, const struct hp_verdict *v) {
  if (v->held_chunks)
    fprintf(out, ", nor to %s more of %s that only hang from %s",
            count_of(&v->finding, v->held_chunks).s,
            bytes_of(&v->finding, v->held_bytes).s,
            v->finding.chunks == 1 ? "it" : "them");
}

/* Where code without hooks may have got a chunk, too. */
static const char *as_seen(const struct hp_finding *f) {
  return f->certain ? "" : "as far as was seen ";
}

/* A chain over several places counts where it began to be one. */
static void put_growth(FILE *out, const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  const struct hp_growth *longest = &v->growth;
  const bool many = v->chains > 1;
  const bool alike =
      many && f->chunks == hp_multiply(v->chains, longest->length);
  if (many)
    fprintf(out, "%s %s in ", count_of(f, v->chains).s,
            v->is_cxx ? thing(f, "containers") : "buffers");
  else
    fprintf(out, "%s in ", v->is_cxx ? thing(f, "A container") : "A buffer");
  put_place(out, f->place);
  fprintf(out, " %s%s %s times%s, from %s to %s", many ? "grow" : "grows",
          many && !alike ? " up to" : "", count_of(f, longest->length - 1).s,
          alike ? " each" : "", bytes_of(f, longest->first_size).s,
          bytes_of(f, longest->last_size).s);
  if (f->saved_copied_bytes)
    fprintf(out, ", and %s copied each time", many ? "are" : "is");
}

static void put_text(FILE *out, const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  double lived = v->lived_chunks ? v->lived_ns / (double)v->lived_chunks : 0;
  const char *are = f->chunks == 1 ? "is" : "are";
  switch (f->rule) {
  case HP_RULE_overrun:
    put_overrun(out, v);
    break;
  case HP_RULE_lost:
    put_chunks(out, v);
    fprintf(out, " %s lost: nothing points to %s at the end", are,
            f->chunks == 1 ? "it" : "them");
    put_held(out, v);
    break;
  case HP_RULE_zero_size:
    put_place(out, f->place);
    fputs(" asks for 0 bytes again and again", out);
    break;
  case HP_RULE_sort_copies:
    fputs("The sort in ", out);
    put_place(out, f->place);
    fprintf(out, " copies %s deeply", thing(f, "its elements"));
    break;
  case HP_RULE_copied_to_read:
    put_place(out, f->place);
    fprintf(out, " copies its %s again and again, %s in all, only to read it",
            thing(f, "container"), bytes_of(f, f->bytes).s);
    break;
  case HP_RULE_growing:
    put_growth(out, v);
    break;
  case HP_RULE_made_per_call:
    put_place(out, f->place);
    fprintf(out,
            v->fills ? " fills %s made anew each time, for %s on average"
                     : " makes its %s anew each time, for %s on average",
            thing(f, "container"), told(f, hp_duration_text(lived)).s);
    break;
  case HP_RULE_short_lived:
    put_place(out, f->place);
    if (v->is_passed) {
      fprintf(out,
              " passes elements through its %s, which takes a new block of %s "
              "again and again, each for %s on average",
              f->subject, bytes_of(f, v->size_max).s,
              told(f, hp_duration_text(lived)).s);
      break;
    }
    fprintf(out, " %s %s%s",
            v->by_library ? "calls a library, which allocates" : "allocates",
            thing(f, "chunks"),
            v->size_min == v->size_max ? " of " : " of up to ");
    fprintf(out, "%s one after the other, each for %s on average",
            bytes_of(f, v->size_max).s, told(f, hp_duration_text(lived)).s);
    break;
  case HP_RULE_unused:
    put_chunks(out, v);
    fprintf(out, " %s %snever read nor written", are, as_seen(f));
    break;
  case HP_RULE_write_only:
    put_chunks(out, v);
    fprintf(out, " %s written and%s never read", are,
            f->certain ? "" : ", as far as was seen,");
    break;
  case HP_RULE_never_freed:
    put_chunks(out, v);
    fprintf(out, " %s still allocated at the end", are);
    break;
  case HP_RULE_still_reachable:
    put_chunks(out, v);
    fprintf(out,
            " %s kept until the end, long after the last use; the program can "
            "still reach %s",
            are, f->chunks == 1 ? "it" : "them");
    break;
  case HP_RULE_low_coverage:
    put_chunks(out, v);
    fprintf(out, " %s too large: %s%.0f %% of the bytes are ever touched", are,
            f->estimated ? "~" : "",
            v->of_bytes ? 100 * (double)v->accessed / (double)v->of_bytes : 0);
    break;
  case HP_RULE_freed_late:
    put_chunks(out, v);
    fprintf(out, " %s kept long after the last use", are);
    break;
  case HP_RULE_allocated_early:
    put_chunks(out, v);
    fprintf(out, " %s allocated long before the first use", are);
    break;
  case HP_RULE_false_sharing:
    put_chunks(out, v);
    fprintf(out,
            " share cache lines, and other threads access them, "
            "with %s writes in all",
            count_of(f, v->writes).s);
    break;
  case HP_RULE_freed_elsewhere:
    put_chunks(out, v);
    fputs(" are freed by other threads than allocated them", out);
    break;
  case HP_RULE_COUNT:
    break;
  }
  if (f->saved_chunks || f->saved_copied_bytes || f->saved_peak_bytes)
    put_cost(out, f);
  else
    putc('.', out);
}

/* Names of C++ have their parameters. */
static bool is_cxx_name(const char *function) {
  return function && strchr(function, '(');
}

static void put_remedy(FILE *out, const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  switch (f->rule) {
  case HP_RULE_overrun:
    fputs("Allocate what is accessed, or stop at the end of what was "
          "allocated.",
          out);
    break;
  case HP_RULE_zero_size:
    fputs("Return early when there is nothing to store.", out);
    break;
  case HP_RULE_sort_copies:
    fprintf(out,
            "Give %s a move constructor and a move assignment, or sort "
            "pointers or indices instead.",
            thing(f, "the type"));
    break;
  case HP_RULE_copied_to_read:
    fputs(v->is_text
              ? "Pass it as std::string_view or const reference."
              : "Read the original through a const reference; where a queue "
                "or stack allows no iteration, use its container directly.",
          out);
    break;
  case HP_RULE_growing:
    if (v->is_stream) {
      fputs("Append to a std::string that was reserved: a stream cannot "
            "reserve.",
            out);
      break;
    }
    fprintf(out,
            v->is_cxx ? "Call reserve before it is filled; the last size was "
                        "%s."
                      : "Allocate the final size at once, here %s, or grow in "
                        "larger steps.",
            bytes_of(f, v->growth.last_size).s);
    break;
  case HP_RULE_made_per_call:
    fputs(v->fills ? "Keep it from call to call where it is made, and clear it "
                     "instead"
                   : "Keep it from call to call, as a member or a "
                     "thread_local, and clear it instead",
          out);
    fputs(v->is_adaptor ? "; or base it on std::vector, which takes no memory "
                          "while it is empty."
                        : ".",
          out);
    break;
  case HP_RULE_short_lived:
    fputs(v->is_passed
              ? "Use a ring buffer, which keeps its memory; if the container "
                "is made anew each time, keep it from call to call."
          : v->by_library
              ? "Call it less often, or let it keep its memory from call to "
                "call, if it can."
          : v->size_min == v->size_max
              ? "Keep freed ones in a free list or a pool, or use a variable "
                "on the stack if it leaves no function."
              : "Reuse one buffer, or take them from an arena that is freed "
                "as a whole.",
          out);
    break;
  case HP_RULE_unused:
    fputs("Remove the allocation, or make it at the first use.", out);
    break;
  case HP_RULE_write_only:
    fputs(v->is_copy ? "Pass it by const reference: nobody reads the copy."
                     : "Do not build what nobody reads: switch it off where "
                       "it is not needed.",
          out);
    break;
  case HP_RULE_still_reachable:
    fputs("Free what is no longer needed, or keep it on purpose.", out);
    break;
  case HP_RULE_lost:
  case HP_RULE_never_freed:
    fputs(v->by_library ? "Call the library's function that gives them back, "
                          "if it has one."
                        : "Free each when it is no longer needed",
          out);
    if (!v->by_library && f->rule == HP_RULE_lost && v->held_chunks)
      fputs(", and first what hangs from it", out);
    if (!v->by_library)
      fputs(is_cxx_name(f->place->function)
                ? ", or say whose it is with a smart pointer."
                : ".",
            out);
    break;
  case HP_RULE_low_coverage:
    fprintf(out, "Allocate less: %s per chunk were enough on average.",
            bytes_of(f, v->of_chunks ? v->accessed / v->of_chunks : 0).s);
    break;
  case HP_RULE_freed_late:
    fputs(v->is_cxx ? "Give the memory back: clear keeps it, so swap with an "
                      "empty one or call shrink_to_fit."
                    : "Free it after the last use.",
          out);
    break;
  case HP_RULE_allocated_early:
    fputs("Allocate it where it is first used.", out);
    break;
  case HP_RULE_false_sharing:
    fputs("Align each to 64 bytes, or let each thread allocate its own.", out);
    break;
  case HP_RULE_freed_elsewhere:
    fputs("Send them back and reuse them where they were allocated, or give "
          "each thread a pool.",
          out);
    break;
  case HP_RULE_COUNT:
    break;
  }
}

static const char *write_out(void (*put)(FILE *, const struct hp_verdict *),
                             const struct hp_verdict *v,
                             struct hp_store *store) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  put(out, v);
  const char *kept = fclose(out) == 0 ? hp_store_text(store, text, size) : NULL;
  free(text);
  return kept;
}

bool hp_finding_describe(struct hp_verdict *verdict, struct hp_store *store) {
  verdict->finding.text = write_out(put_text, verdict, store);
  verdict->finding.remedy = write_out(put_remedy, verdict, store);
  return verdict->finding.text && verdict->finding.remedy;
}
