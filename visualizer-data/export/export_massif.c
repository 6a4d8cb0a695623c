/* export_massif.c - massif's snapshots, for ms_print and massif-visualizer.
   How much is known for each interval, who holds it at the peak and at the end.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "export/exporters.h"
#include "heapprof_set.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/numbered_text.h"
#include "base/saturate.h"
#include "export/export_number.h"
#include "export/export_text.h"

#define HP_THRESHOLD                                                           \
  0.01 /* share of the whole below which a node is folded                      \
        */

/* A point as the numbers of its frames, leaf first. */
struct path {
  const size_t *frames;
  size_t count;
  uint64_t bytes;
};

/* The paths [begin, end) have one frame in common. */
struct branch {
  size_t begin, end;
  uint64_t bytes;
};

struct massif {
  FILE *out;
  struct hp_numbered frames;
  const char **texts; /* by number */
  size_t *numbers;    /* of all paths */
  struct path *paths;
  size_t path_count, snapshot;
  uint64_t whole;
  bool failed;
};

static void put_snapshot(struct massif *m, uint64_t ns, uint64_t bytes,
                         const char *tree) {
  fprintf(m->out,
          "#-----------\nsnapshot=%zu\n#-----------\ntime=%" PRIu64
          "\nmem_heap_B=%" PRIu64
          "\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=%s\n",
          m->snapshot++, ns / 1000000, bytes, tree);
}

/* ---- the tree of callers ------------------------------------------------- */

static int by_frames(const void *a, const void *b) {
  const struct path *x = a, *y = b;
  for (size_t i = 0; i < x->count && i < y->count; i++)
    if (x->frames[i] != y->frames[i])
      return x->frames[i] < y->frames[i] ? -1 : 1;
  return (x->count > y->count) - (x->count < y->count);
}

static int by_bytes(const void *a, const void *b) {
  const struct branch *x = a, *y = b;
  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return (x->begin > y->begin) - (x->begin < y->begin);
}

/* The branches of paths [BEGIN, END) by their frame at DEPTH, greatest first;
   paths that end before are in none.  To be freed. */
static struct branch *branches_of(struct massif *m, size_t begin, size_t end,
                                  size_t depth, size_t *count) {
  struct branch *branches = calloc(end - begin + 1, sizeof *branches);
  size_t n = 0;
  *count = 0;
  if (!branches) {
    m->failed = true;
    return NULL;
  }
  for (size_t i = begin; i < end; i++) {
    const struct path *p = &m->paths[i];
    if (p->count <= depth)
      continue;
    if (n == 0 ||
        m->paths[branches[n - 1].begin].frames[depth] != p->frames[depth])
      branches[n++] = (struct branch){.begin = i};
    branches[n - 1].end = i + 1;
    branches[n - 1].bytes = hp_add(branches[n - 1].bytes, p->bytes);
  }
  qsort(branches, n, sizeof *branches, by_bytes);
  *count = n;
  return branches;
}

static void indent(FILE *out, size_t depth) {
  fprintf(out, "%*s", (int)depth, "");
}

/* Writes a node and all below it; TEXT is its own, paths [BEGIN, END) have
   DEPTH frames in common. */
static void put_node(struct massif *m, size_t begin, size_t end, size_t depth,
                     uint64_t bytes, const char *text) {
  size_t count, shown = 0;
  struct branch *branches = branches_of(m, begin, end, depth, &count);
  uint64_t rest = 0;
  while (shown < count &&
         (double)branches[shown].bytes >= HP_THRESHOLD * (double)m->whole)
    shown++;
  for (size_t i = shown; i < count; i++)
    rest = hp_add(rest, branches[i].bytes);
  indent(m->out, depth);
  fprintf(m->out, "n%zu: %" PRIu64 " %s\n", shown + (rest > 0), bytes, text);
  for (size_t i = 0; i < shown && !m->failed; i++) {
    const struct branch *b = &branches[i];
    put_node(m, b->begin, b->end, depth + 1, b->bytes,
             m->texts[m->paths[b->begin].frames[depth]]);
  }
  if (rest) {
    indent(m->out, depth + 1);
    fprintf(m->out,
            "n0: %" PRIu64
            " in %zu place%s below massif's threshold (%.2f%%)\n",
            rest, count - shown, count - shown == 1 ? "," : "s, all",
            HP_THRESHOLD * 100);
  }
  free(branches);
}

static void put_tree(struct massif *m, const struct hp_export *e, uint64_t ns,
                     const char *kind, enum hp_export_metric metric) {
  m->whole = 0;
  for (size_t i = 0; i < e->count; i++)
    m->whole = hp_add(m->whole, hp_export_metric_of(metric, e->points[i]));
  if (m->whole == 0) {
    put_snapshot(m, ns, 0, "empty");
    return;
  }
  for (size_t i = 0, n = 0; i < e->count; i++) {
    const struct hp_point *p = e->points[i];
    m->paths[i] = (struct path){m->numbers + n, p->stack_count,
                                hp_export_metric_of(metric, p)};
    n += p->stack_count;
  }
  /* What was not there at that time has no node. */
  m->path_count = 0;
  for (size_t i = 0; i < e->count; i++)
    if (m->paths[i].bytes)
      m->paths[m->path_count++] = m->paths[i];
  qsort(m->paths, m->path_count, sizeof *m->paths, by_frames);
  put_snapshot(m, ns, m->whole, kind);
  put_node(m, 0, m->path_count, 0, m->whole,
           "(heap allocation functions) malloc/new/new[], --alloc-fns, etc.");
}

/* ---- frames -------------------------------------------------------------- */

static void keep_text(void *context, const char *text) {
  const char ***next = context;
  *(*next)++ = text;
}

static bool number_frames(struct massif *m, const struct hp_export *e) {
  struct hp_line line = {0};
  size_t frames = 0, n = 0;
  const char **next;
  bool ok = true;
  for (size_t i = 0; i < e->count; i++)
    frames += e->points[i]->stack_count;
  m->numbers = calloc(frames + 1, sizeof *m->numbers);
  m->paths = calloc(e->count + 1, sizeof *m->paths);
  if (!m->numbers || !m->paths)
    return false;
  for (size_t i = 0; i < e->count && ok; i++)
    for (size_t k = 0; k < e->points[i]->stack_count && ok; k++) {
      const struct hp_frame *f = e->points[i]->stack[k];
      hp_line_clear(&line);
      hp_line_frame(&line, f, "");
      m->numbers[n] =
          line.failed ? HP_NO_NUMBER : hp_number_of(&m->frames, line.text);
      ok = m->numbers[n++] != HP_NO_NUMBER;
    }
  hp_line_free(&line);
  m->texts = next = calloc(m->frames.count + 1, sizeof *m->texts);
  if (next)
    hp_numbered_each(&m->frames, keep_text, &next);
  return ok && m->texts;
}

/* The most bytes of each interval that begins in [FROM, TO) and does not hold
   the peak, which has a snapshot of its own.  They are of all points, or of the
   set, if the log has all of it. */
static void put_intervals(struct massif *m, const struct hp_export *e,
                          uint64_t from, uint64_t to) {
  const struct hp_process *p = hp_process_at(e->profile, 0);
  size_t count = p->interval_count;
  const struct hp_interval *intervals = p->intervals;
  if (e->is_filtered)
    intervals = hp_set_intervals(e->profile, 0, &count);
  for (size_t i = 0; i < count; i++) {
    const struct hp_interval *in = &intervals[i];
    bool has_peak = in->begin_ns <= p->peak_ns && p->peak_ns < in->end_ns;
    if (from <= in->begin_ns && in->begin_ns < to && !has_peak)
      put_snapshot(m, in->begin_ns, in->bytes_max, "empty");
  }
}

static void put_document(struct massif *m, const struct hp_export *e) {
  const struct hp_process *p = hp_process_at(e->profile, 0);
  const char *caveat = hp_export_caveat(e);
  struct hp_line line = {0};
  hp_line_command(&line, p);
  m->failed = line.failed;
  if (!m->failed)
    fprintf(m->out, "desc: heapprof-export %s%s%s\ncmd: %s\ntime_unit: ms\n",
            e->version, caveat ? ", " : "", caveat ? caveat : "", line.text);
  hp_line_free(&line);
  put_snapshot(m, 0, 0, "empty");
  put_intervals(m, e, 0, p->peak_ns);
  put_tree(m, e, p->peak_ns, "peak", HP_EXPORT_bytes_at_global_peak);
  put_intervals(m, e, p->peak_ns + 1, UINT64_MAX);
  put_tree(m, e, p->window_ns, "detailed", HP_EXPORT_live_bytes);
}

hp_status hp_export_massif(FILE *out, const struct hp_export *e,
                           struct hp_error *error) {
  struct massif m = {.out = out};
  bool ok;
  HP_TRY(hp_export_one_process(e, "massif", error));
  ok = number_frames(&m, e);
  if (ok)
    put_document(&m, e);
  hp_numbered_free(&m.frames);
  free(m.texts);
  free(m.numbers);
  free(m.paths);
  return ok && !m.failed ? HP_OK : hp_fail_memory(error);
}
