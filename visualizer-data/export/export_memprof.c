/* export_memprof.c - MemProf YAML: llvm-profdata makes compiler hints of it.
   A record per function: what is allocated in it, and which calls lead there.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define HASH_NONFATAL_OOM 1
#include "export/exporters.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/failure.h"
#include "base/saturate.h"
#include "export/export_number.h"
#include "export/export_text.h"

/* A call site: the frames of one address, kept once per function. */
struct call_site {
  UT_hash_handle hh;
  char yaml[];
};

/* Everything of one function.  A line with failed memory stays failed. */
struct memprof_record {
  UT_hash_handle hh;
  struct hp_line allocations; /* YAML of AllocSites */
  struct call_site *calls;
  char name[];
};

struct memprof {
  struct memprof_record *records; /* in the order of first use */
  struct hp_line line;
  bool failed;
};

static const char *symbol_of(const struct hp_frame *f) {
  return f->linkage_name ? f->linkage_name : f->function;
}

/* The compiler finds a call by function, line from its start, and column. */
static bool is_usable(const struct hp_frame *f) {
  return f->function && f->line && f->column && f->start_line;
}

/* The usable frames from the leaf on; what lies beyond a gap is of no use. */
static size_t usable_frames(const struct hp_point *p) {
  size_t n = 0;
  while (n < p->stack_count && is_usable(p->stack[n]))
    n++;
  while (n > 0 && p->stack[n - 1]->inlined)
    n--; /* what it is inlined into is not usable */
  return n;
}

static struct memprof_record *record_of(struct memprof *m, const char *name) {
  size_t length = strlen(name);
  struct memprof_record *r;
  HASH_FIND(hh, m->records, name, length, r);
  if (r)
    return r;
  r = calloc(1, sizeof *r + length + 1);
  if (r) {
    memcpy(r->name, name, length);
    HASH_ADD(hh, m->records, name, length, r);
  }
  if (r && r->hh.tbl)
    return r;
  free(r);
  m->failed = true;
  return NULL;
}

/* In single quotes every character stands for itself, but for the quote. */
static void put_name(struct hp_line *l, const char *name) {
  hp_line_print(l, "'");
  hp_line_name(l, name, "'");
  hp_line_print(l, "'");
}

/* LineOffset has 16 bits there, too; a line before the start comes of macros.
 */
static void put_frame(struct hp_line *l, const struct hp_frame *f) {
  hp_line_print(l, "          - { Function: ");
  put_name(l, symbol_of(f));
  hp_line_print(l,
                ", LineOffset: %" PRIu32 ", Column: %" PRIu32
                ", IsInlineFrame: %s }\n",
                (f->line - f->start_line) & 0xffff, f->column,
                f->inlined ? "true" : "false");
}

static uint64_t whole(double value) {
  return value < 0x1p63 ? (uint64_t)llround(value) : (uint64_t)INT64_MAX;
}

/* Times are milliseconds; densities, accesses per byte and second, times 100.
   The sum over chunks is that of chunks which are all like the mean one. */
static void put_info(struct hp_line *l, const struct hp_point *p) {
  double lifetime = hp_export_mean_life_ns(p);
  double accesses = (double)hp_add(p->reads, p->writes);
  double density = p->bytes ? accesses / (double)p->bytes : 0;
  double chunks = (double)p->chunks;
  hp_line_print(l, "        MemInfoBlock:\n");
  hp_line_print(l, "          AllocCount: %" PRIu64 "\n", p->chunks);
  hp_line_print(l, "          TotalAccessCount: %" PRIu64 "\n",
                whole(accesses));
  hp_line_print(l, "          TotalSize: %" PRIu64 "\n", p->bytes);
  if (p->size.defined)
    hp_line_print(
        l, "          MinSize: %" PRIu64 "\n          MaxSize: %" PRIu64 "\n",
        p->size.min, p->size.max);
  hp_line_print(l, "          TotalLifetime: %" PRIu64 "\n",
                whole(lifetime * chunks / 1e6));
  hp_line_print(l, "          TotalAccessDensity: %" PRIu64 "\n",
                whole(100 * density * chunks));
  hp_line_print(l, "          TotalLifetimeAccessDensity: %" PRIu64 "\n",
                lifetime > 0 ? whole(100 * density * chunks * 1e9 / lifetime)
                             : 0);
}

/* As the allocation stands in every function inlined at the leaf's address, it
   has a record in each. */
static size_t add_allocation(struct memprof *m, const struct hp_point *p,
                             size_t frames) {
  size_t leaf = 0;
  hp_line_clear(&m->line);
  hp_line_print(&m->line, "      - Callstack:\n");
  for (size_t i = 0; i < frames; i++)
    put_frame(&m->line, p->stack[i]);
  put_info(&m->line, p);
  do {
    struct memprof_record *r = record_of(m, symbol_of(p->stack[leaf]));
    if (r && !m->line.failed) {
      hp_line_print(&r->allocations, "%s", m->line.text);
      m->failed = m->failed || r->allocations.failed;
    }
  } while (p->stack[leaf++]->inlined);
  m->failed = m->failed || m->line.failed;
  return leaf;
}

static void add_call_site(struct memprof *m, struct memprof_record *r) {
  struct call_site *c;
  HASH_FIND(hh, r->calls, m->line.text, m->line.length, c);
  if (c)
    return;
  c = calloc(1, sizeof *c + m->line.length + 1);
  if (c) {
    memcpy(c->yaml, m->line.text, m->line.length);
    HASH_ADD(hh, r->calls, yaml, m->line.length, c);
  }
  if (!c || !c->hh.tbl) {
    free(c);
    m->failed = true;
  }
}

/* The calls that lead to an allocation: the compiler copies them per context.
 */
static void add_call_sites(struct memprof *m, const struct hp_point *p,
                           size_t begin, size_t frames) {
  while (begin < frames && !m->failed) {
    size_t end = begin;
    hp_line_clear(&m->line);
    hp_line_print(&m->line, "      - Frames:\n");
    do
      put_frame(&m->line, p->stack[end]);
    while (p->stack[end++]->inlined);
    m->failed = m->failed || m->line.failed;
    for (size_t i = begin; i < end && !m->failed; i++) {
      struct memprof_record *r = record_of(m, symbol_of(p->stack[i]));
      if (r)
        add_call_site(m, r);
    }
    begin = end;
  }
}

static void put_records(FILE *out, const struct memprof *m,
                        const char *caveat) {
  struct hp_line name = {0};
  fputs("---\n", out);
  if (caveat)
    fprintf(out, "# %s\n", caveat);
  fputs("HeapProfileRecords:\n", out);
  for (const struct memprof_record *r = m->records; r; r = r->hh.next) {
    hp_line_clear(&name);
    put_name(&name, r->name);
    fprintf(out, "  - GUID: %s\n    AllocSites:%s", name.text ? name.text : "",
            r->allocations.length ? "\n" : " []\n");
    if (r->allocations.length)
      fputs(r->allocations.text, out);
    fprintf(out, "    CallSites:%s", r->calls ? "\n" : " []\n");
    for (const struct call_site *c = r->calls; c; c = c->hh.next)
      fputs(c->yaml, out);
  }
  fputs("...\n", out);
  hp_line_free(&name);
}

static void free_records(struct memprof *m) {
  struct memprof_record *r = m->records, *next_record;
  HASH_CLEAR(hh, m->records);
  for (; r; r = next_record) {
    struct call_site *c = r->calls, *next_call;
    HASH_CLEAR(hh, r->calls);
    for (; c; c = next_call) {
      next_call = c->hh.next;
      free(c);
    }
    next_record = r->hh.next;
    hp_line_free(&r->allocations);
    free(r);
  }
  hp_line_free(&m->line);
}

hp_status hp_export_memprof(FILE *out, const struct hp_export *e,
                            struct hp_error *error) {
  struct memprof m = {0};
  bool empty;
  for (size_t i = 0; i < e->count && !m.failed; i++) {
    const struct hp_point *p = e->points[i];
    /* Chunks would seem cold whose accesses nobody saw. */
    size_t frames = p->chunks && p->accesses_known ? usable_frames(p) : 0;
    if (frames)
      add_call_sites(&m, p, add_allocation(&m, p, frames), frames);
  }
  empty = !m.records;
  if (!m.failed && !empty)
    put_records(out, &m, hp_export_caveat(e));
  free_records(&m);
  if (m.failed)
    return hp_fail_memory(error);
  return empty ? hp_fail(error, HP_E_ARGUMENT,
                         "no point with known accesses has lines and columns; "
                         "compile with -g -fdebug-info-for-profiling")
               : HP_OK;
}
