/* export_callgrind.c - the call graph of callgrind: costs per function and
   line. Each function of a stack passes its cost on once, at its innermost
   call.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define HASH_NONFATAL_OOM 1
#include "export/exporters.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/failure.h"
#include "base/numbered_text.h"
#include "base/saturate.h"
#include "export/export_number.h"
#include "export/export_text.h"

/* In the order of the events line. */
static const enum hp_export_metric events[] = {
    HP_EXPORT_bytes,      HP_EXPORT_chunks, HP_EXPORT_bytes_at_global_peak,
    HP_EXPORT_live_bytes, HP_EXPORT_reads,  HP_EXPORT_writes,
    HP_EXPORT_unused};
static const char *const event_names[] = {
    "Bytes", "Blocks", "BytesAtPeak", "LiveBytes", "Reads", "Writes", "Unused"};
#define EVENTS (sizeof events / sizeof *events)
_Static_assert(EVENTS == sizeof event_names / sizeof *event_names,
               "a name for each event");

struct function {
  UT_hash_handle hh;
  size_t number;
  const struct hp_frame *frame; /* one of it, for its names */
  size_t step;                  /* in the path it was last part of */
  char key[];                   /* module, file and function */
};

/* What a function spends at a line: itself (callee = HP_NO_NUMBER), or in a
   callee that goes on at line target. */
struct cost_key {
  size_t function, callee;
  uint32_t line, target;
};
struct cost {
  UT_hash_handle hh;
  struct cost_key key;
  uint64_t values[EVENTS];
};

struct graph {
  struct function *functions;
  size_t function_count;
  struct cost *costs;
  struct hp_line line;
};

static struct function *function_of(struct graph *g, const struct hp_frame *f) {
  struct function *found;
  hp_line_clear(&g->line);
  hp_line_print(&g->line, "%s\n%s\n", f->module ? f->module : "",
                f->file ? f->file : "");
  hp_line_function(&g->line, f, "");
  if (g->line.failed)
    return NULL;
  HASH_FIND(hh, g->functions, g->line.text, g->line.length, found);
  if (found)
    return found;
  found = calloc(1, sizeof *found + g->line.length + 1);
  if (!found)
    return NULL;
  memcpy(found->key, g->line.text, g->line.length);
  found->number = g->function_count;
  found->frame = f;
  HASH_ADD(hh, g->functions, key, g->line.length, found);
  if (!found->hh.tbl) {
    free(found);
    return NULL;
  }
  g->function_count++;
  return found;
}

static bool add_cost(struct graph *g, size_t function, uint32_t line,
                     size_t callee, uint32_t target, const struct hp_point *p) {
  struct cost_key key;
  struct cost *c;
  memset(&key, 0, sizeof key); /* its padding is part of the key */
  key.function = function;
  key.callee = callee;
  key.line = line;
  key.target = target;
  HASH_FIND(hh, g->costs, &key, sizeof key, c);
  if (!c) {
    c = calloc(1, sizeof *c);
    if (!c)
      return false;
    c->key = key;
    HASH_ADD(hh, g->costs, key, sizeof key, c);
    if (!c->hh.tbl) {
      free(c);
      return false;
    }
  }
  for (size_t i = 0; i < EVENTS; i++)
    c->values[i] = hp_add(c->values[i], hp_export_metric_of(events[i], p));
  return true;
}

/* One frame of a stack whose recursions have been taken out. */
struct step {
  const struct function *function;
  uint32_t line;   /* where it calls the next, or allocates */
  uint32_t target; /* where it was entered first */
};

/* Adds a frame to the PATH of *COUNT steps.  When a function is active already,
   the path goes on there: a recursion counts as a part of what began it.  Else
   its costs would be counted again at each level. */
static void add_step(struct step *path, size_t *count, struct function *f,
                     uint32_t line) {
  if (f->step < *count && path[f->step].function == f) {
    *count = f->step + 1;
    path[f->step].line = line;
    return;
  }
  f->step = *count;
  path[(*count)++] = (struct step){f, line, line};
}

static bool add_path(struct graph *g, const struct step *path, size_t count,
                     const struct hp_point *p) {
  for (size_t i = 0; i < count; i++) {
    const struct step *next = i + 1 < count ? &path[i + 1] : NULL;
    if (!add_cost(g, path[i].function->number, path[i].line,
                  next ? next->function->number : HP_NO_NUMBER,
                  next ? next->target : 0, p))
      return false;
  }
  return true;
}

static bool add_point(struct graph *g, const struct hp_point *p) {
  static const struct hp_frame no_stack = {.function = "(no stack)"};
  size_t frames = p->stack_count ? p->stack_count : 1, count = 0;
  struct step *path = calloc(frames, sizeof *path);
  bool ok = path != NULL;
  for (size_t i = frames; i-- > 0 && ok;) {
    const struct hp_frame *f = p->stack_count ? p->stack[i] : &no_stack;
    struct function *function = function_of(g, f);
    if (function)
      add_step(path, &count, function, hp_sure_line(f));
    else
      ok = false;
  }
  ok = ok && add_path(g, path, count, p);
  free(path);
  return ok;
}

/* ---- writing ------------------------------------------------------------- */

static int by_function(const struct cost *a, const struct cost *b) {
  const struct cost_key *x = &a->key, *y = &b->key;
  if (x->function != y->function)
    return x->function < y->function ? -1 : 1;
  if (x->line != y->line)
    return x->line < y->line ? -1 : 1;
  /* HP_NO_NUMBER becomes 0: own cost comes first. */
  if (x->callee != y->callee)
    return x->callee + 1 < y->callee + 1 ? -1 : 1;
  return x->target < y->target ? -1 : x->target > y->target;
}

struct names {
  struct hp_numbered objects, files;
  const struct function **functions; /* by number */
  bool *named;                       /* functions whose name was written */
};

/* KEY=(N) NAME the first time, then KEY=(N). */
static bool put_name(FILE *out, struct hp_line *l, const char *key,
                     struct hp_numbered *names, const char *name) {
  size_t before = names->count, number;
  hp_line_clear(l);
  hp_line_name(l, name, "");
  number = l->failed ? HP_NO_NUMBER : hp_number_of(names, l->text);
  if (number == HP_NO_NUMBER)
    return false;
  fprintf(out, "%s=(%zu)%s%s\n", key, number + 1,
          names->count > before ? " " : "",
          names->count > before ? l->text : "");
  return true;
}

/* PREFIX is "" for the function itself and "c" for one that is called. */
static bool put_function(FILE *out, struct hp_line *l, struct names *names,
                         const char *prefix, size_t number) {
  const struct hp_frame *f = names->functions[number]->frame;
  char key[8];
  snprintf(key, sizeof key, "%sob", prefix);
  if (!put_name(out, l, key, &names->objects, f->module ? f->module : "???"))
    return false;
  snprintf(key, sizeof key, "%s", *prefix ? "cfi" : "fl");
  if (!put_name(out, l, key, &names->files, f->file ? f->file : "???"))
    return false;
  hp_line_clear(l);
  hp_line_function(l, f, "");
  if (l->failed)
    return false;
  fprintf(out, "%sfn=(%zu)%s%s\n", prefix, number + 1,
          names->named[number] ? "" : " ", names->named[number] ? "" : l->text);
  names->named[number] = true;
  return true;
}

static void put_values(FILE *out, const uint64_t *values) {
  for (size_t i = 0; i < EVENTS; i++)
    fprintf(out, " %" PRIu64, values[i]);
  putc('\n', out);
}

static bool put_costs(FILE *out, struct graph *g, struct names *names) {
  size_t current = HP_NO_NUMBER;
  HASH_SRT(hh, g->costs, by_function);
  for (const struct cost *c = g->costs; c && !ferror(out); c = c->hh.next) {
    if (c->key.function != current) {
      putc('\n', out);
      if (!put_function(out, &g->line, names, "", c->key.function))
        return false;
      current = c->key.function;
    }
    if (c->key.callee != HP_NO_NUMBER) {
      if (!put_function(out, &g->line, names, "c", c->key.callee))
        return false;
      fprintf(out, "calls=%" PRIu64 " %" PRIu32 "\n", c->values[1],
              c->key.target);
    }
    fprintf(out, "%" PRIu32, c->key.line);
    put_values(out, c->values);
  }
  return true;
}

static bool put_header(FILE *out, const struct hp_export *e,
                       struct hp_line *l) {
  uint64_t sums[EVENTS] = {0};
  fprintf(out, "# callgrind format\nversion: 1\ncreator: heapprof-export %s\n",
          e->version);
  if (hp_export_caveat(e))
    fprintf(out, "desc: %s\n", hp_export_caveat(e));
  for (size_t i = 0; i < hp_process_count(e->profile); i++) {
    const struct hp_process *p = hp_process_at(e->profile, i);
    hp_line_clear(l);
    hp_line_command(l, p);
    if (l->failed)
      return false;
    if (i == 0)
      fprintf(out, "cmd: %s\npid: %" PRIu64 "\n", l->text, p->pid);
    else
      fprintf(out, "desc: also: %s, pid %" PRIu64 "\n", l->text, p->pid);
  }
  fputs("positions: line\n", out);
  for (size_t i = 0; i < EVENTS; i++)
    fprintf(out, "event: %s : %s\n", event_names[i],
            hp_export_metric_text(events[i]));
  fputs("events:", out);
  for (size_t i = 0; i < EVENTS; i++)
    fprintf(out, " %s", event_names[i]);
  for (size_t i = 0; i < e->count; i++)
    for (size_t k = 0; k < EVENTS; k++)
      sums[k] = hp_add(sums[k], hp_export_metric_of(events[k], e->points[i]));
  fputs("\nsummary:", out);
  put_values(out, sums);
  return true;
}

static bool put_graph(FILE *out, const struct hp_export *e, struct graph *g) {
  struct names names = {
      .functions = calloc(g->function_count + 1, sizeof *names.functions),
      .named = calloc(g->function_count + 1, sizeof *names.named)};
  bool ok = names.functions && names.named;
  if (ok)
    for (const struct function *f = g->functions; f; f = f->hh.next)
      names.functions[f->number] = f;
  ok = ok && put_header(out, e, &g->line) && put_costs(out, g, &names);
  hp_numbered_free(&names.objects);
  hp_numbered_free(&names.files);
  free(names.functions);
  free(names.named);
  return ok;
}

static void free_graph(struct graph *g) {
  struct function *f = g->functions, *next_function;
  struct cost *c = g->costs, *next_cost;
  HASH_CLEAR(hh, g->functions);
  for (; f; f = next_function) {
    next_function = f->hh.next;
    free(f);
  }
  HASH_CLEAR(hh, g->costs);
  for (; c; c = next_cost) {
    next_cost = c->hh.next;
    free(c);
  }
  hp_line_free(&g->line);
}

hp_status hp_export_callgrind(FILE *out, const struct hp_export *e,
                              struct hp_error *error) {
  struct graph g = {0};
  bool ok = true;
  for (size_t i = 0; i < e->count && ok; i++)
    ok = add_point(&g, e->points[i]);
  ok = ok && put_graph(out, e, &g);
  free_graph(&g);
  return ok ? HP_OK : hp_fail_memory(error);
}
