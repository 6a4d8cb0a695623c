/* export_csv.c - one line per point, group or object, as RFC 4180 has it.
   An undefined value is an empty field; names keep their line breaks, quoted.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heapprof_export.h"

#include "csv_text.h"
#include "export/export_number.h"

#include <inttypes.h>
#include <string.h>

static const char header[] =
    "id,key,dump,pid,type,type_provenance,function,file,line,column,module,"
    "chunks,bytes,peak_bytes,bytes_at_global_peak,live_chunks,live_bytes,"
    "size_min,size_mean,size_max,"
    "lifetime_ns_min,lifetime_ns_mean,lifetime_ns_max,"
    "reads,writes,counts_saturated,bytes_accessed,"
    "lifetime,usage,useful_lifetime,useful_lifetime_error,"
    "groups,singleton_groups,severity,flags,"
    "multithread_chunks,freed_elsewhere,element_size,elements,estimated,"
    "samples,chunks_error,bytes_error,usage_error,useful_lifetime_sampling_"
    "error,accesses_known,accesses_shared,unknown_chunks,peak_bytes_error,"
    "recycling,temporary_chunks,generations"
#define NAME(column, of, member) "," #column
    HP_PAGE_COLUMNS(NAME)
#undef NAME
#define NAME(column, member) "," #column
        HP_RESIZE_COLUMNS(NAME) HP_CONTENTS_COLUMNS(NAME)
            HP_INITIALISED_COLUMNS(NAME) ",pool" HP_BLOCK_COLUMNS(NAME)
#undef NAME
#define NAME(column, type, member) "," #column
                HP_TEARDOWN_COLUMNS(NAME);
#undef NAME

static void put_text(FILE *out, const char *s) {
  hp_csv_text(out, s);
  putc(',', out);
}

static void put_integer(FILE *out, uint64_t value) {
  fprintf(out, "%" PRIu64 ",", value);
}

static void put_score(FILE *out, double score) {
  if (score >= 0)
    fprintf(out, "%.6f", score);
  putc(',', out);
}

static void put_min_mean_max(FILE *out, const struct hp_min_mean_max *m) {
  if (m->defined)
    fprintf(out, "%" PRIu64 ",%.3f,%" PRIu64 ",", m->min, m->mean, m->max);
  else
    fputs(",,,", out);
}

static void put_site(FILE *out, const struct hp_frame *site) {
  static const struct hp_frame none;
  const struct hp_frame *f = site ? site : &none;
  put_text(out, f->function);
  put_text(out, f->file);
  for (int i = 0; i < 2; i++) {
    uint32_t number = i ? f->column : hp_sure_line(f);
    if (number)
      fprintf(out, "%" PRIu32, number);
    putc(',', out);
  }
  put_text(out, f->module);
}

/* Names of inferences hold nothing that would need quotes. */
static void put_flags(FILE *out, const struct hp_point *p) {
  const char *separator = "";
  for (int i = 0; i < HP_INF_COUNT; i++)
    if (p->inferences[i].flagged) {
      fprintf(out, "%s%s", separator, hp_inference_name((enum hp_inference)i));
      separator = " ";
    }
  putc(',', out);
}

/* Leaf first, a line a frame: FUNCTION FILE:LINE:COLUMN, or MODULE+ADDRESS.
   Before a line that is only near stands "~"; the site has none then. */
static void put_stack(FILE *out, const struct hp_frame *const *stack,
                      size_t count) {
  fputs(",\"", out);
  for (size_t i = 0; i < count; i++) {
    const struct hp_frame *f = stack[i];
    if (i)
      putc('\n', out);
    if (f->function) {
      hp_csv_inside(out, f->function);
    } else {
      hp_csv_inside(out, f->module ? f->module : "?");
      fprintf(out, "+0x%" PRIx64, f->address);
    }
    if (f->file) {
      putc(' ', out);
      hp_csv_inside(out, f->file);
      fprintf(out, ":%s%" PRIu32 ":%" PRIu32, f->line_is_near ? "~" : "",
              f->line, f->column);
    }
  }
  putc('"', out);
}

static void put_sampling(FILE *out, const struct hp_point *p) {
  if (!p->samples) {
    fputs(",,,,,", out);
    return;
  }
  fprintf(out, ",%" PRIu64 ",%.1f,%.1f,%.6f,%.6f", p->samples, p->errors.chunks,
          p->errors.bytes, p->errors.usage, p->errors.useful_lifetime);
}

static void put_pages(FILE *out, const struct hp_point *p) {
#define PUT(column, of, member)                                                \
  putc(',', out);                                                              \
  if (p->of.chunks)                                                            \
    fprintf(out, "%" PRIu64, p->of.member);
  HP_PAGE_COLUMNS(PUT)
#undef PUT
}

static void put_resizes(FILE *out, const struct hp_resizes *resizes) {
#define PUT(column, member)                                                    \
  putc(',', out);                                                              \
  if (resizes->calls)                                                          \
    fprintf(out, "%" PRIu64, resizes->member);
  HP_RESIZE_COLUMNS(PUT)
#undef PUT
}

static void put_teardown(FILE *out, const struct hp_teardown *teardown) {
#define INTEGER(member) fprintf(out, "%" PRIu64, member)
#define SCORE(member)                                                          \
  if (member >= 0)                                                             \
  fprintf(out, "%.6f", member)
#define PUT(column, type, member)                                              \
  putc(',', out);                                                              \
  if (teardown->watched)                                                       \
    type(teardown->member);
  HP_TEARDOWN_COLUMNS(PUT)
#undef PUT
#undef SCORE
#undef INTEGER
}

static void put_initialised(FILE *out, const struct hp_initialised *of) {
#define PUT(column, member)                                                    \
  putc(',', out);                                                              \
  if (of->chunks)                                                              \
    fprintf(out, "%" PRIu64, of->member);
  HP_INITIALISED_COLUMNS(PUT)
#undef PUT
}

static void put_contents(FILE *out, const struct hp_contents *contents) {
#define PUT(column, member)                                                    \
  putc(',', out);                                                              \
  if (contents->chunks)                                                        \
    fprintf(out, "%" PRIu64, contents->member);
  HP_CONTENTS_COLUMNS(PUT)
#undef PUT
}

static void put_blocks(FILE *out, const struct hp_point *p) {
  const char *gap = "";
  putc(',', out);
  put_text(out, p->pool);
#define PUT(column, member)                                                    \
  fputs(gap, out);                                                             \
  gap = ",";                                                                   \
  if (p->blocks.chunks)                                                        \
    fprintf(out, "%" PRIu64, p->blocks.member);
  HP_BLOCK_COLUMNS(PUT)
#undef PUT
}

static void put_point(FILE *out, const struct hp_point *p, bool stacks) {
  put_integer(out, p->id);
  put_text(out, p->key);
  put_text(out, p->process ? p->process->dump : NULL);
  if (p->process)
    fprintf(out, "%" PRIu64, p->process->pid);
  putc(',', out);
  put_text(out, p->type);
  put_text(out, p->type_provenance);
  put_site(out, p->site);
  put_integer(out, p->chunks);
  put_integer(out, p->bytes);
  put_integer(out, p->peak_bytes);
  put_integer(out, p->bytes_at_global_peak);
  put_integer(out, p->live_chunks);
  put_integer(out, p->live_bytes);
  put_min_mean_max(out, &p->size);
  put_min_mean_max(out, &p->lifetime_ns);
  put_integer(out, p->reads);
  put_integer(out, p->writes);
  put_text(out, p->counts_saturated ? "true" : "false");
  put_integer(out, p->bytes_accessed);
  put_score(out, p->scores.lifetime);
  put_score(out, p->scores.usage);
  put_score(out, p->scores.useful_lifetime);
  put_score(out, p->scores.useful_lifetime < 0 &&
                         p->scores.useful_lifetime_error <= 0
                     ? HP_NULL_SCORE
                     : p->scores.useful_lifetime_error);
  put_integer(out, p->groups);
  put_integer(out, p->singleton_groups);
  put_score(out, p->severity);
  put_flags(out, p);
  put_integer(out, p->multithread_chunks);
  put_integer(out, p->freed_elsewhere);
  if (p->element_size)
    fprintf(out, "%" PRIu64, p->element_size);
  putc(',', out);
  if (p->elements)
    fprintf(out, "%" PRIu64, p->elements);
  fputs(p->estimated ? ",true" : ",false", out);
  put_sampling(out, p);
  fprintf(out, ",%s,%s,%" PRIu64, p->accesses_known ? "true" : "false",
          p->accesses_shared ? "true" : "false", p->unknown_chunks);
  putc(',', out);
  if (p->samples)
    fprintf(out, "%.1f", p->errors.peak);
  putc(',', out);
  if (hp_recycling(p) >= 0)
    fprintf(out, "%.6f", hp_recycling(p));
  putc(',', out);
  if (p->temporary_known)
    fprintf(out, "%" PRIu64, p->temporary_chunks);
  putc(',', out);
  if (p->generations)
    fprintf(out, "%" PRIu64, p->generations);
  put_pages(out, p);
  put_resizes(out, &p->resizes);
  put_contents(out, &p->contents);
  put_initialised(out, &p->initialised);
  put_blocks(out, p);
  put_teardown(out, &p->teardown);
  if (stacks)
    put_stack(out, p->stack, p->stack_count);
  fputs("\r\n", out);
}

void hp_export_csv(FILE *out, const struct hp_point *const *points,
                   size_t count, bool stacks) {
  fprintf(out, "%s%s\r\n", header, stacks ? ",stack" : "");
  for (size_t i = 0; i < count && !ferror(out); i++)
    put_point(out, points[i], stacks);
}

/* ---- objects ------------------------------------------------------------- */

static const char object_header[] =
    "size,allocated_function,allocated_file,allocated_line,allocated_column,"
    "allocated_module,freed_function,freed_file,freed_line,freed_column,"
    "freed_module,freed_by_others_too,reallocated,frequency,mean_lifetime_ns,"
    "ratio,points,excessive";

static void put_bool(FILE *out, bool value) {
  fputs(value ? "true," : "false,", out);
}

static void put_object(FILE *out, const struct hp_made_object *o, bool judged,
                       bool stacks) {
  if (!o->sizes_vary)
    fprintf(out, "%" PRIu64, o->size);
  putc(',', out);
  put_site(out, o->allocated_by);
  put_site(out, o->freed_by);
  put_bool(out, o->callers_vary);
  put_bool(out, o->reallocated);
  fprintf(out, "%" PRIu64 ",%.3f,%.6g,", o->frequency, o->mean_lifetime_ns,
          o->ratio);
  for (size_t i = 0; i < o->point_count; i++)
    fprintf(out, "%s%" PRIu64, i ? " " : "", o->points[i]);
  putc(',', out);
  if (judged)
    fputs(o->excessive ? "true" : "false", out);
  if (stacks) {
    put_stack(out, o->allocated, o->allocated_count);
    put_stack(out, o->freed, o->freed_count);
  }
  fputs("\r\n", out);
}

void hp_export_objects_csv(FILE *out, const hp_objects *objects, size_t limit,
                           bool judged, bool stacks) {
  fprintf(out, "%s%s\r\n", object_header,
          stacks ? ",allocated_stack,freed_stack" : "");
  for (size_t i = 0; i < hp_object_count(objects) && i < limit && !ferror(out);
       i++)
    put_object(out, hp_object_at(objects, i), judged, stacks);
}

/* Empty where nothing was counted. */
static void put_count(FILE *out, bool is_known, uint64_t value) {
  if (is_known)
    put_integer(out, value);
  else
    putc(',', out);
}

static void put_member(FILE *out, const struct hp_member_type *t,
                       const struct hp_member *m) {
  const bool is_known = t->chunks_counted > 0;
  put_text(out, t->type);
  put_text(out, m->name);
  put_text(out, hp_member_kind_name(m->kind));
  put_text(out, m->base);
  put_text(out, m->type);
  put_integer(out, m->offset);
  put_integer(out, m->size);
  put_integer(out, m->count);
  put_count(out, m->stride, m->stride);
  put_count(out, m->bits, m->bit);
  put_count(out, m->bits, m->bits);
  put_integer(out, m->overlaps);
  put_count(out, is_known, m->reads);
  put_count(out, is_known, m->writes);
  put_count(out, is_known, m->whole_reads);
  put_count(out, is_known, m->bytes_accessed);
  put_count(out, is_known, m->side_writes);
  put_count(out, m->last_use_ns, m->first_use_ns);
  put_count(out, m->last_use_ns, m->last_use_ns);
  put_score(out, m->share);
  put_count(out, is_known, m->chunks);
  put_count(out, is_known && m->chunks_most != UINT64_MAX, m->chunks_most);
  put_integer(out, t->chunks_counted);
  if (t->weight >= 0)
    fprintf(out, "%.6f", t->weight);
  fputs("\r\n", out);
}

void hp_export_members_csv(FILE *out, const hp_member_types *types,
                           size_t limit) {
  const size_t count = hp_member_types_count(types);
  fputs("type,member,kind,base,member_type,offset,size,count,stride,bit,bits,"
        "overlaps,reads,writes,whole_reads,bytes_accessed,side_writes,"
        "first_use_ns,last_use_ns,share,chunks,chunks_most,chunks_counted,"
        "weight\r\n",
        out);
  for (size_t i = 0; i < count && i < limit; i++) {
    const struct hp_member_type *t = hp_member_types_at(types, i);
    for (size_t k = 0; k < t->count && !ferror(out); k++)
      put_member(out, t, &t->members[k]);
  }
}
