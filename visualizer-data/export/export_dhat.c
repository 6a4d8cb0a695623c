/* export_dhat.c - DHAT's JSON, version 2, for dh_view.html and Firefox.
   DHAT tells points apart by their stacks, so a type stands at the leaf.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "export/exporters.h"

#include "base/failure.h"
#include "base/numbered_text.h"
#include "export/export_number.h"
#include "export/export_text.h"
#include "json_writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct dhat {
  struct hp_json json;
  struct hp_numbered frames; /* number 0 is DHAT's root */
  struct hp_numbered stacks; /* those written, to tell equal ones apart */
  struct hp_line line, after, stack;
  size_t *indices;
  size_t index_capacity;
  bool is_estimate; /* some number below had to be derived */
  bool failed;
};

/* COPY above 1 is a number that makes the text another one. */
static size_t frame_of(struct dhat *d, const struct hp_frame *f,
                       const char *type, unsigned copy) {
  size_t number;
  hp_line_clear(&d->after);
  if (type)
    hp_line_print(&d->after, " [%s]", type);
  if (copy > 1)
    hp_line_print(&d->after, " #%u", copy);
  hp_line_clear(&d->line);
  hp_line_frame(&d->line, f, d->after.length ? d->after.text : "");
  number = d->line.failed || d->after.failed
               ? HP_NO_NUMBER
               : hp_number_of(&d->frames, d->line.text);
  if (number == HP_NO_NUMBER)
    d->failed = true;
  return number;
}

static bool reserve(struct dhat *d, size_t count) {
  size_t *indices;
  if (count <= d->index_capacity)
    return true;
  indices = reallocarray(d->indices, 2 * count, sizeof *indices);
  if (!indices) {
    d->failed = true;
    return false;
  }
  d->indices = indices;
  d->index_capacity = 2 * count;
  return true;
}

/* Numbers the frames of P, leaf first, in a way no point had before. */
static size_t find_stack(struct dhat *d, const struct hp_point *p) {
  static const struct hp_frame none = {.function = "(no stack)"};
  size_t count = p->stack_count ? p->stack_count : 1, before;
  unsigned copy = 1;
  if (!reserve(d, count))
    return 0;
  do {
    hp_line_clear(&d->stack);
    for (size_t i = 0; i < count && !d->failed; i++) {
      const struct hp_frame *f = p->stack_count ? p->stack[i] : &none;
      d->indices[i] =
          frame_of(d, f, i == 0 ? p->type : NULL, i == 0 ? copy : 1);
      hp_line_print(&d->stack, "%zu ", d->indices[i]);
    }
    before = d->stacks.count;
    if (d->failed || d->stack.failed ||
        hp_number_of(&d->stacks, d->stack.text) == HP_NO_NUMBER) {
      d->failed = true;
      return 0;
    }
    copy++;
  } while (d->stacks.count == before);
  return count;
}

/* How many chunks BYTES of P are: exact if all have one size. */
static uint64_t chunks_in(struct dhat *d, const struct hp_point *p,
                          uint64_t bytes) {
  uint64_t chunks;
  if (bytes == 0 || !p->size.defined || p->size.mean <= 0)
    return 0;
  if (bytes == p->bytes)
    return p->chunks;
  if (p->size.min != p->size.max)
    d->is_estimate = true;
  chunks = (uint64_t)llround((double)bytes / p->size.mean);
  return chunks ? chunks : 1;
}

static uint64_t all_lives_ns(const struct hp_point *p) {
  double sum = hp_export_mean_life_ns(p) * (double)p->chunks;
  return sum < 0x1p62 ? (uint64_t)llround(sum) : (uint64_t)1 << 62;
}

static void put_point(struct dhat *d, const struct hp_point *p) {
  struct hp_json *j = &d->json;
  size_t frames = find_stack(d, p);
  if (p->live_chunks)
    d->is_estimate = true; /* of how long they lived */
  hp_json_begin_object(j, NULL);
  hp_json_integer(j, "tb", p->bytes);
  hp_json_integer(j, "tbk", p->chunks);
  hp_json_integer(j, "tl", all_lives_ns(p));
  hp_json_integer(j, "mb", p->peak_bytes);
  hp_json_integer(j, "mbk", chunks_in(d, p, p->peak_bytes));
  hp_json_integer(j, "gb", p->bytes_at_global_peak);
  hp_json_integer(j, "gbk", chunks_in(d, p, p->bytes_at_global_peak));
  hp_json_integer(j, "eb", p->live_bytes);
  hp_json_integer(j, "ebk", p->live_chunks);
  hp_json_begin_array(j, "fs");
  for (size_t i = 0; i < frames; i++)
    hp_json_integer(j, NULL, d->indices[i]);
  hp_json_end_array(j);
  hp_json_end_object(j);
}

/* The viewer shows it at the top. */
static void put_command(struct dhat *d, const struct hp_export *e,
                        const struct hp_process *p) {
  hp_line_clear(&d->line);
  hp_line_command(&d->line, p);
  if (hp_export_caveat(e))
    hp_line_print(&d->line, " [heapprof: %s]", hp_export_caveat(e));
  if (d->is_estimate)
    hp_line_print(&d->line, "%s",
                  " [heapprof: blocks at a maximum are estimates from mean "
                  "sizes, lifetimes of blocks never freed from the others']");
  d->failed = d->failed || d->line.failed;
  hp_json_string(&d->json, "cmd", d->line.text);
}

static void put_frame_text(void *context, const char *text) {
  hp_json_string(context, NULL, text);
}

static void put_document(struct dhat *d, const struct hp_export *e) {
  const struct hp_process *p = hp_process_at(e->profile, 0);
  struct hp_json *j = &d->json;
  if (hp_number_of(&d->frames, "[root]") == HP_NO_NUMBER)
    d->failed = true;
  hp_json_begin_object(j, NULL);
  hp_json_integer(j, "dhatFileVersion", 2);
  hp_json_string(j, "mode", "heap");
  hp_json_string(j, "verb", "Allocated");
  hp_json_bool(j, "bklt", true);
  hp_json_bool(j, "bkacc", false);
  hp_json_string(j, "tu", "ns");
  hp_json_string(j, "Mtu", "ms");
  hp_json_integer(j, "tuth", 1000000);
  hp_json_integer(j, "pid", p->pid);
  hp_json_integer(j, "te", p->window_ns);
  hp_json_integer(j, "tg", p->peak_ns);
  hp_json_begin_array(j, "pps");
  for (size_t i = 0; i < e->count && !d->failed && !ferror(j->out); i++)
    put_point(d, e->points[i]);
  hp_json_end_array(j);
  put_command(d, e, p);
  hp_json_begin_array(j, "ftbl");
  hp_numbered_each(&d->frames, put_frame_text, j);
  hp_json_end_array(j);
  hp_json_end_object(j);
}

hp_status hp_export_dhat(FILE *out, const struct hp_export *e,
                         struct hp_error *error) {
  struct dhat d = {.json = {.out = out, .first = true}};
  HP_TRY(hp_export_one_process(e, "dhat", error));
  put_document(&d, e);
  hp_numbered_free(&d.frames);
  hp_numbered_free(&d.stacks);
  hp_line_free(&d.line);
  hp_line_free(&d.after);
  hp_line_free(&d.stack);
  free(d.indices);
  return d.failed ? hp_fail_memory(error) : HP_OK;
}
