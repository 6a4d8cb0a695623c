/* merge_write.c - writes a merged dump, the same bytes whatever came first.
   Processes, modules and points are sorted by what they are, then numbered.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "merge/merge_write.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/failure.h"
#include "merge/dump_writer.h"
#include "merge/merge_codes.h"

/* Modules lie above all addresses that a process can have. */
#define MODULES_BEGIN ((uint64_t)1 << 62)
#define PAGE ((uint64_t)4096)

/* ---- order --------------------------------------------------------------- */

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int compare_bytes(const void *a, size_t a_size, const void *b,
                         size_t b_size) {
  int order = memcmp(a, b, a_size < b_size ? a_size : b_size);
  return order ? order : compare_numbers(a_size, b_size);
}

static int by_key(const void *left, const void *right) {
  const struct hp_merge_module *a = *(struct hp_merge_module *const *)left;
  const struct hp_merge_module *b = *(struct hp_merge_module *const *)right;
  return compare_bytes(a->key, a->key_size, b->key, b->key_size);
}

/* Once the modules have their places. */
static uint64_t place_of(const struct hp_merge_frame *f) {
  return f->module ? f->module->start + (f->address - f->module->begin)
                   : f->address;
}

static int by_stack(const void *left, const void *right) {
  const struct hp_merge_point *a = *(struct hp_merge_point *const *)left;
  const struct hp_merge_point *b = *(struct hp_merge_point *const *)right;
  int order = compare_numbers(b->is_lost, a->is_lost);
  for (size_t i = 0; !order && i < a->frame_count && i < b->frame_count; i++)
    order = compare_numbers(place_of(&a->frames[i]), place_of(&b->frames[i]));
  if (!order)
    order = compare_numbers(a->frame_count, b->frame_count);
  return order ? order
               : compare_bytes(a->rest, a->rest_size, b->rest, b->rest_size);
}

/* Ranks as the numbers they are. */
static int by_identity(const void *left, const void *right) {
  const struct hp_merge_process *a = left, *b = right;
  const struct hp_dump_header *x = &a->identity.header,
                              *y = &b->identity.header;
  int order = strverscmp(x->rank, y->rank);
  if (!order)
    order = strcmp(x->host, y->host);
  if (!order)
    order = compare_numbers(x->start_unix_ns, y->start_unix_ns);
  if (!order)
    order = compare_numbers(x->pid, y->pid);
  if (!order)
    order = compare_bytes(a->header, a->header_size, b->header, b->header_size);
  return order ? order
               : compare_bytes(a->end, a->end_size, b->end, b->end_size);
}

/* A record of process PROCESS, to be written behind others of its point. */
struct placed {
  const struct hp_merge_record *record;
  uint64_t process;
};

static int by_point(const void *left, const void *right) {
  const struct placed *a = left, *b = right;
  int order = compare_numbers(a->record->kind, b->record->kind);
  if (!order)
    order = compare_numbers(a->record->point->id, b->record->point->id);
  if (!order)
    order = compare_numbers(a->process, b->process);
  /* Of one process, they lie side by side, in its own order. */
  return order ? order : (a->record > b->record) - (a->record < b->record);
}

/* What the kept processes do not use is left out, but modules that say whether
   they have hooks. */
static void mark_used(struct hp_merge *merge) {
  for (struct hp_merge_module *m = merge->modules; m; m = m->hh.next)
    m->start = m->says_hooks;
  for (size_t i = 0; i < merge->process_count; i++)
    for (size_t k = 0; k < merge->processes[i].record_count; k++) {
      const struct hp_merge_record *record = &merge->processes[i].records[k];
      struct hp_merge_point *point = record->point;
      for (size_t n = 0; n < record->frame_count; n++)
        if (record->frames[n].module)
          record->frames[n].module->start = 1;
      if (!point || point->is_used)
        continue;
      point->is_used = true;
      for (size_t n = 0; n < point->frame_count; n++)
        if (point->frames[n].module)
          point->frames[n].module->start = 1;
    }
}

/* The used ones of both, in order. */
struct ordered {
  struct hp_merge_module **modules;
  struct hp_merge_point **points;
  struct placed *records;
  size_t module_count, point_count, record_count;
};

static bool take_ordered(struct hp_merge *merge, struct ordered *o) {
  size_t records = 0;
  for (size_t i = 0; i < merge->process_count; i++)
    records += merge->processes[i].record_count;
  o->modules = calloc(HASH_COUNT(merge->modules) + 1u, sizeof *o->modules);
  o->points = calloc(HASH_COUNT(merge->points) + 1u, sizeof *o->points);
  o->records = calloc(records + 1, sizeof *o->records);
  return o->modules && o->points && o->records;
}

static void put_in_order(struct hp_merge *merge, struct ordered *o) {
  mark_used(merge);
  for (struct hp_merge_module *m = merge->modules; m; m = m->hh.next)
    if (m->start)
      o->modules[o->module_count++] = m;
  qsort(o->modules, o->module_count, sizeof *o->modules, by_key);
  uint64_t start = MODULES_BEGIN;
  for (size_t i = 0; i < o->module_count; i++) {
    struct hp_merge_module *m = o->modules[i];
    m->start = start;
    start += (m->end - m->begin + 2 * PAGE - 1) / PAGE * PAGE;
  }
  for (struct hp_merge_point *p = merge->points; p; p = p->hh.next)
    if (p->is_used)
      o->points[o->point_count++] = p;
  qsort(o->points, o->point_count, sizeof *o->points, by_stack);
  uint64_t id = 0;
  for (size_t i = 0; i < o->point_count; i++)
    o->points[i]->id = o->points[i]->is_lost ? 0 : ++id;
  qsort(merge->processes, merge->process_count, sizeof *merge->processes,
        by_identity);
  for (size_t i = 0; i < merge->process_count; i++)
    for (size_t k = 0; k < merge->processes[i].record_count; k++)
      if (merge->processes[i].records[k].point)
        o->records[o->record_count++] =
            (struct placed){&merge->processes[i].records[k], i + 1};
  qsort(o->records, o->record_count, sizeof *o->records, by_point);
}

/* ---- files --------------------------------------------------------------- */

static void write_processes(struct hp_dump_writer *w,
                            const struct hp_merge *merge) {
  for (size_t i = 0; i < merge->process_count; i++) {
    const struct hp_merge_process *p = &merge->processes[i];
    struct hp_buffer record = {0};
    hp_buffer_field(&record, HP_PROCESS_header, p->header, p->header_size);
    hp_buffer_field(&record, HP_PROCESS_end, p->end, p->end_size);
    if (p->identity.complete)
      hp_buffer_number(&record, HP_PROCESS_complete, 1);
    hp_dump_writer_record(w, HP_BLOCK_PROCESSES, &record);
    hp_buffer_free(&record);
  }
}

static void write_modules(struct hp_dump_writer *w, const struct ordered *o) {
  for (size_t i = 0; i < o->module_count; i++) {
    const struct hp_merge_module *m = o->modules[i];
    struct hp_buffer record = {0};
    hp_buffer_field(&record, HP_MODULE_path, m->path, strlen(m->path));
    hp_buffer_number(&record, HP_MODULE_bias, m->start - m->begin);
    hp_buffer_number(&record, HP_MODULE_start, m->start);
    hp_buffer_number(&record, HP_MODULE_end, m->start + (m->end - m->begin));
    if (m->build_id_size)
      hp_buffer_field(&record, HP_MODULE_build_id, m->build_id,
                      m->build_id_size);
    hp_buffer_number(&record, HP_MODULE_loaded, 0);
    if (m->says_hooks && m->late)
      hp_buffer_number(&record, HP_MODULE_late, m->late);
    if (m->says_hooks)
      hp_buffer_number(&record, HP_MODULE_hooked_functions,
                       m->hooked_functions);
    if (m->hooked_list_size)
      hp_buffer_field(&record, HP_MODULE_hooked, m->hooked_list,
                      m->hooked_list_size);
    hp_dump_writer_record(w, HP_BLOCK_MODULES, &record);
    hp_buffer_free(&record);
  }
}

/* Where the frames lie in the merged dump. */
static void put_stack(struct hp_buffer *record, uint64_t tag,
                      const struct hp_merge_frame *frames, size_t count) {
  uint64_t *stack = calloc(count + 1, sizeof *stack);
  for (size_t i = 0; stack && i < count; i++)
    stack[i] = place_of(&frames[i]);
  if (stack)
    hp_buffer_stack(record, tag, stack, count);
  else
    record->failed = true;
  free(stack);
}

static void write_points(struct hp_dump_writer *w, const struct ordered *o) {
  for (size_t i = 0; i < o->point_count; i++) {
    const struct hp_merge_point *p = o->points[i];
    struct hp_buffer record = {0};
    hp_buffer_number(&record, HP_POINT_id, p->id);
    put_stack(&record, HP_POINT_stack, p->frames, p->frame_count);
    hp_buffer_bytes(&record, p->rest, p->rest_size);
    if (!p->is_lost)
      hp_dump_writer_record(w, HP_BLOCK_POINTS, &record);
    hp_buffer_free(&record);
  }
}

/* Records of the file aggregates that are of no point. */
struct written {
  uint64_t intervals, mappings, globals;
};

static void write_end(struct hp_dump_writer *w, const struct ordered *o,
                      const struct written *counts) {
  uint64_t lost = o->point_count && o->points[0]->is_lost, frees = 0;
  for (size_t i = 0; i < o->record_count; i++)
    frees += o->records[i].record->kind == HP_BLOCK_FREES;
  struct hp_buffer fields = {0};
  hp_buffer_number(&fields, HP_END_end, 0);
  hp_buffer_number(&fields, HP_END_modules, o->module_count);
  hp_buffer_number(&fields, HP_END_points, o->point_count - lost);
  hp_buffer_number(&fields, HP_END_aggregates, o->record_count - frees);
  hp_buffer_number(&fields, HP_END_intervals, counts->intervals);
  hp_buffer_number(&fields, HP_END_free_records, frees);
  hp_buffer_number(&fields, HP_END_mapping_records, counts->mappings);
  hp_buffer_number(&fields, HP_END_global_records, counts->globals);
  hp_dump_writer_fields(w, HP_BLOCK_END, &fields, 8);
  hp_buffer_free(&fields);
}

/* Those of KIND, which are of no point, by process; how many. */
static uint64_t write_others(struct hp_dump_writer *w,
                             const struct hp_merge *merge,
                             enum hp_block_kind kind, uint64_t process_tag,
                             uint64_t stack_tag) {
  uint64_t count = 0;
  for (size_t i = 0; i < merge->process_count; i++)
    for (size_t k = 0; k < merge->processes[i].record_count; k++) {
      const struct hp_merge_record *r = &merge->processes[i].records[k];
      struct hp_buffer record = {0};
      if (r->kind != kind)
        continue;
      hp_buffer_number(&record, process_tag, i + 1);
      if (r->frame_count)
        put_stack(&record, stack_tag, r->frames, r->frame_count);
      hp_buffer_bytes(&record, r->fields, r->size);
      hp_dump_writer_record(w, kind, &record);
      hp_buffer_free(&record);
      count++;
    }
  return count;
}

/* Code that nobody knows stays so. */
static void put_codes(struct hp_buffer *record,
                      const struct hp_merge_record *r) {
  const uint8_t *coded = r->coded;
  uint64_t *codes = calloc(r->frame_count + 1, sizeof *codes);
  for (size_t i = 0; codes && i < r->frame_count; i++)
    codes[i] = place_of(&r->frames[i]);
  if (codes)
    hp_merge_codes_put(record, (struct hp_cursor){coded, coded + r->coded_size},
                       codes);
  else
    record->failed = true;
  free(codes);
}

static void write_sums(struct hp_dump_writer *w, const struct hp_merge *merge,
                       const struct ordered *o, struct written *counts) {
  for (size_t i = 0; i < o->record_count; i++) {
    const struct placed *p = &o->records[i];
    const struct hp_merge_record *r = p->record;
    const bool is_free = r->kind == HP_BLOCK_FREES;
    struct hp_buffer record = {0};
    if (is_free) {
      hp_buffer_number(&record, HP_FREE_FIELD_point, r->point->id);
      hp_buffer_number(&record, HP_FREE_FIELD_process, p->process);
    } else {
      hp_buffer_number(&record, HP_AGGREGATE_point, r->point->id);
      hp_buffer_number(&record, HP_AGGREGATE_process, p->process);
    }
    if (is_free && r->frame_count)
      put_stack(&record, HP_FREE_FIELD_stack, r->frames, r->frame_count);
    hp_buffer_bytes(&record, r->fields, r->size);
    if (r->coded)
      put_codes(&record, r);
    hp_dump_writer_record(w, r->kind, &record);
    hp_buffer_free(&record);
  }
  counts->mappings =
      write_others(w, merge, HP_BLOCK_MAPPINGS, HP_MAPPING_FIELD_process,
                   HP_MAPPING_FIELD_stack);
  counts->globals =
      write_others(w, merge, HP_BLOCK_GLOBALS, HP_GLOBAL_FIELD_process, 0);
  counts->intervals =
      write_others(w, merge, HP_BLOCK_TIMELINE, HP_TIMELINE_process, 0);
  write_end(w, o, counts);
}

/* Ticks are those of the processes; a reader wants some number here. */
static void write_header(struct hp_dump_writer *w,
                         const struct hp_merge *merge) {
  struct hp_buffer fields = {0};
  hp_buffer_number(&fields, HP_HEADER_ticks_per_second, 1000000000);
  hp_buffer_number(&fields, HP_HEADER_processes, merge->process_count);
  hp_buffer_number(&fields, HP_HEADER_own_code, !merge->has_foreign_code);
  hp_dump_writer_fields(w, HP_BLOCK_HEADER, &fields, 3);
  hp_buffer_free(&fields);
}

/* The header last: what was not finished is no dump. */
static const char *const files[] = {"processes",  "modules", "points",
                                    "aggregates", "end",     "header"};
enum { FILE_COUNT = sizeof files / sizeof *files };

static hp_status write_file(size_t number, const struct hp_merge *merge,
                            const struct ordered *o, const char *path,
                            struct written *counts, struct hp_error *error) {
  struct hp_dump_writer w;
  HP_TRY(hp_dump_writer_open(&w, path, error));
  switch (number) {
  case 0:
    write_processes(&w, merge);
    break;
  case 1:
    write_modules(&w, o);
    break;
  case 2:
    write_points(&w, o);
    break;
  case 3:
    write_sums(&w, merge, o, counts);
    break;
  case 4:
    write_end(&w, o, counts);
    break;
  default:
    write_header(&w, merge);
  }
  return hp_dump_writer_close(&w, error);
}

hp_status hp_merge_write(struct hp_merge *merge, const char *out,
                         size_t *points, struct hp_error *error) {
  struct ordered o = {0};
  struct written counts = {0};
  char path[4096];
  hp_status status = HP_OK;
  if (take_ordered(merge, &o))
    put_in_order(merge, &o);
  else
    status = hp_fail_memory(error);
  for (size_t i = 0; i < FILE_COUNT && status == HP_OK; i++) {
    snprintf(path, sizeof path, "%s/%s", out, files[i]);
    status = write_file(i, merge, &o, path, &counts, error);
  }
  for (size_t i = 0; i < FILE_COUNT && status != HP_OK; i++) {
    snprintf(path, sizeof path, "%s/%s", out, files[i]);
    unlink(path);
  }
  if (status != HP_OK)
    rmdir(out);
  *points = o.point_count;
  free(o.modules);
  free(o.points);
  free(o.records);
  return status;
}
