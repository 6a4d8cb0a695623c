/* merge.c - reads dumps into one: equal points are one point from here on.
   Sums stay as each process wrote them; whoever reads the dump adds them up.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define HASH_NONFATAL_OOM 1
#include "heapprof_merge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/failure.h"
#include "base/growing_array.h"
#include "merge/dump_writer.h"
#include "merge/merge_codes.h"
#include "merge/merge_write.h"
#include "rank_list.h"
#include "read/block.h"
#include "read/dump_list.h"
#include "read/dump_reader.h"
#include "resolve/stack.h"
#include "resolve/symbolcache.h"

/* A dump that is being read. */
struct input {
  struct hp_merge *merge;
  struct hp_dump *dump;
  size_t first;                     /* number of its first process in MERGE */
  struct hp_merge_module **modules; /* those of its modules, in their order */
};

static const void *keep(struct hp_merge *merge, const void *bytes,
                        size_t size) {
  void *kept = hp_store_take(&merge->store, size, 1);
  if (kept && size)
    memcpy(kept, bytes, size);
  return kept;
}

/* Gives what a buffer holds to the store. */
static const void *keep_buffer(struct hp_merge *merge, struct hp_buffer *buffer,
                               size_t *size) {
  const void *kept =
      buffer->failed ? NULL : keep(merge, buffer->data, buffer->size);
  *size = buffer->size;
  hp_buffer_free(buffer);
  return kept;
}

/* ---- raw blocks ---------------------------------------------------------- */

typedef hp_status consumer(struct input *in, const struct hp_block *block,
                           struct hp_error *error);

/* Again, after hp_dump_read has found no fault in it. */
static hp_status each_block(struct input *in, const char *name,
                            enum hp_block_kind kind, uint32_t also,
                            consumer *consume, struct hp_error *error) {
  char path[4096];
  bool found = true;
  hp_status status = HP_OK;
  snprintf(path, sizeof path, "%s/%s", in->dump->path, name);
  struct hp_block_reader reader = {.file = fopen(path, "rb"),
                                   .name = path,
                                   .kind = (uint16_t)kind,
                                   .also = also};
  if (!reader.file)
    return hp_fail(error, HP_E_OPEN, "%s: cannot open: %s", path,
                   strerror(errno));
  while (status == HP_OK && found) {
    struct hp_block block;
    status = hp_block_next(&reader, &block, &found, error);
    if (status == HP_OK && found)
      status = consume(in, &block, error);
  }
  hp_block_reader_free(&reader);
  fclose(reader.file);
  return status;
}

/* ---- modules and points -------------------------------------------------- */

static struct hp_merge_module *module_of(struct hp_merge *merge,
                                         const struct hp_dump_module *m) {
  struct hp_buffer key = {0};
  struct hp_merge_module *module;
  hp_buffer_field(&key, HP_MODULE_path, m->path, strlen(m->path));
  hp_buffer_field(&key, HP_MODULE_build_id, m->build_id, m->build_id_size);
  hp_buffer_varint(&key, m->start - m->bias);
  hp_buffer_varint(&key, m->end - m->start);
  if (m->says_hooks) {
    hp_buffer_number(&key, HP_MODULE_hooked_functions, m->hooked_functions);
    hp_buffer_field(&key, HP_MODULE_hooked, m->hooked_list,
                    m->hooked_list_size);
  }
  if (key.failed)
    return NULL;
  HASH_FIND(hh, merge->modules, key.data, key.size, module);
  if (module) {
    hp_buffer_free(&key);
    return module;
  }
  module = hp_store_take(&merge->store, 1, sizeof *module);
  if (!module) {
    hp_buffer_free(&key);
    return NULL;
  }
  module->key = keep_buffer(merge, &key, &module->key_size);
  module->path = hp_store_text(&merge->store, m->path, strlen(m->path));
  module->build_id = keep(merge, m->build_id, m->build_id_size);
  module->build_id_size = m->build_id_size;
  module->says_hooks = m->says_hooks;
  module->hooked_functions = m->hooked_functions;
  module->hooked_list = keep(merge, m->hooked_list, m->hooked_list_size);
  module->hooked_list_size = m->hooked_list_size;
  module->begin = m->start - m->bias;
  module->end = m->end - m->bias;
  if (!module->key || !module->path || !module->build_id ||
      !module->hooked_list)
    return NULL;
  HASH_ADD_KEYPTR(hh, merge->modules, module->key, module->key_size, module);
  return module->hh.tbl ? module : NULL;
}

/* A STACK as it was at TIME.  The caller frees them. */
static struct hp_merge_frame *frames_of(struct input *in, const uint64_t *stack,
                                        size_t count, uint64_t time) {
  struct hp_merge_frame *frames = calloc(count + 1, sizeof *frames);
  for (size_t i = 0; frames && i < count; i++) {
    const struct hp_dump_module *m =
        hp_stack_module_at(in->dump, time, stack[i] - 1);
    frames[i].address = m ? stack[i] - m->bias : stack[i];
    frames[i].module = m ? in->modules[m - in->dump->modules] : NULL;
  }
  return frames;
}

static void put_rest(struct hp_buffer *rest, const struct hp_dump_point *raw) {
  if (raw->truncated)
    hp_buffer_number(rest, HP_POINT_truncated, raw->truncated);
  if (raw->type)
    hp_buffer_field(rest, HP_POINT_type, raw->type, strlen(raw->type));
  if (raw->type_provenance)
    hp_buffer_number(rest, HP_POINT_type_provenance, raw->type_provenance);
  if (raw->element_size)
    hp_buffer_number(rest, HP_POINT_element_size, raw->element_size);
  if (raw->function)
    hp_buffer_number(rest, HP_POINT_function, raw->function);
  if (raw->pool)
    hp_buffer_field(rest, HP_POINT_pool, raw->pool, strlen(raw->pool));
}

/* What tells one point from another. */
static bool put_key(struct hp_buffer *key, const struct hp_merge_frame *frames,
                    const struct hp_buffer *rest,
                    const struct hp_dump_point *raw) {
  hp_buffer_varint(key, raw->id != 0);
  hp_buffer_varint(key, raw->stack_count);
  for (size_t i = 0; i < raw->stack_count; i++) {
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): the pointer itself names it */
    hp_buffer_bytes(key, &frames[i].module, sizeof frames[i].module);
    hp_buffer_varint(key, frames[i].address);
  }
  hp_buffer_bytes(key, rest->data, rest->size);
  return !rest->failed && !key->failed;
}

static struct hp_merge_point *add_point(struct hp_merge *merge,
                                        const struct hp_merge_frame *frames,
                                        const struct hp_buffer *rest,
                                        const struct hp_buffer *key,
                                        const struct hp_dump_point *raw) {
  struct hp_merge_point *point = hp_store_take(&merge->store, 1, sizeof *point);
  if (!point)
    return NULL;
  point->is_lost = raw->id == 0;
  point->frame_count = raw->stack_count;
  point->frames = keep(merge, frames, raw->stack_count * sizeof *frames);
  point->rest_size = rest->size;
  point->rest = keep(merge, rest->data, rest->size);
  point->key_size = key->size;
  point->key = keep(merge, key->data, key->size);
  if (!point->frames || !point->rest || !point->key)
    return NULL;
  HASH_ADD_KEYPTR(hh, merge->points, point->key, point->key_size, point);
  return point->hh.tbl ? point : NULL;
}

/* NULL: no memory. */
static struct hp_merge_point *point_of(struct input *in,
                                       const struct hp_dump_point *raw) {
  struct hp_merge *merge = in->merge;
  struct hp_merge_frame *frames =
      frames_of(in, raw->stack, raw->stack_count, hp_stack_time(in->dump, raw));
  struct hp_buffer rest = {0}, key = {0};
  struct hp_merge_point *point = NULL;
  put_rest(&rest, raw);
  if (frames && put_key(&key, frames, &rest, raw)) {
    HASH_FIND(hh, merge->points, key.data, key.size, point);
    if (!point)
      point = add_point(merge, frames, &rest, &key, raw);
  }
  free(frames);
  hp_buffer_free(&rest);
  hp_buffer_free(&key);
  return point;
}

/* ---- sums ---------------------------------------------------------------- */

/* Which fields of a record say whose it is; 0: there is none. */
static uint64_t process_tag(enum hp_block_kind kind) {
  switch (kind) {
  case HP_BLOCK_TIMELINE:
    return HP_TIMELINE_process;
  case HP_BLOCK_FREES:
    return HP_FREE_FIELD_process;
  case HP_BLOCK_MAPPINGS:
    return HP_MAPPING_FIELD_process;
  case HP_BLOCK_GLOBALS:
    return HP_GLOBAL_FIELD_process;
  default:
    return HP_AGGREGATE_process;
  }
}

static uint64_t point_tag(enum hp_block_kind kind) {
  switch (kind) {
  case HP_BLOCK_TIMELINE:
  case HP_BLOCK_MAPPINGS:
  case HP_BLOCK_GLOBALS:
    return 0;
  case HP_BLOCK_FREES:
    return HP_FREE_FIELD_point;
  default:
    return HP_AGGREGATE_point;
  }
}

/* The fields with a stack of its own, and with the time when that was code of
   modules; 0: there is none. */
static uint64_t stack_tag(enum hp_block_kind kind) {
  return kind == HP_BLOCK_FREES      ? HP_FREE_FIELD_stack
         : kind == HP_BLOCK_MAPPINGS ? HP_MAPPING_FIELD_stack
                                     : 0u;
}

static uint64_t time_tag(enum hp_block_kind kind) {
  return kind == HP_BLOCK_FREES      ? HP_FREE_FIELD_first
         : kind == HP_BLOCK_MAPPINGS ? HP_MAPPING_FIELD_first
                                     : 0u;
}

/* Adds the frames of the STACK in FIELD to *RECORD, which is of TIME. */
static bool add_frames(struct input *in, struct hp_merge_record *record,
                       const struct hp_field *field, uint64_t time) {
  uint64_t *stack = calloc(hp_left(&field->contents) + 1, sizeof *stack);
  size_t count = 0;
  struct hp_merge_frame *frames = NULL;
  if (stack && hp_field_stack(field, stack, &count))
    frames = frames_of(in, stack, count, time);
  free(stack);
  if (!frames)
    return false;
  record->frames = keep(in->merge, frames, count * sizeof *frames);
  record->frame_count = count;
  free(frames);
  return record->frames != NULL;
}

/* CODED are fields of POINT, whose code lies where its stack does. */
static bool add_codes(struct input *in, struct hp_merge_record *record,
                      struct hp_buffer *coded,
                      const struct hp_dump_point *point) {
  const struct hp_cursor at = {coded->data, coded->data + coded->size};
  uint64_t *codes = calloc(coded->size + 1, sizeof *codes);
  record->frame_count = codes ? hp_merge_codes(at, codes) : 0;
  struct hp_merge_frame *frames =
      codes ? frames_of(in, codes, record->frame_count,
                        hp_stack_time(in->dump, point))
            : NULL;
  free(codes);
  record->coded = keep_buffer(in->merge, coded, &record->coded_size);
  record->frames =
      frames ? keep(in->merge, frames, record->frame_count * sizeof *frames)
             : NULL;
  free(frames);
  return record->coded && record->frames;
}

static hp_status add_record(struct input *in, enum hp_block_kind kind,
                            struct hp_cursor record, struct hp_error *error) {
  const bool has_point = point_tag(kind) != 0;
  struct hp_buffer fields = {0}, coded = {0};
  struct hp_merge_record kept = {.kind = kind};
  struct hp_field field, stack = {0};
  uint64_t point = 0, process = 1, time = 0;
  /* It was read whole before. */
  while (record.at != record.end && hp_take_field(&record, &field)) {
    if (field.tag && field.tag == time_tag(kind))
      hp_field_u64(&field, &time);
    if (field.tag == process_tag(kind))
      hp_field_u64(&field, &process);
    else if (field.tag && field.tag == point_tag(kind))
      hp_field_u64(&field, &point);
    else if (field.tag && field.tag == stack_tag(kind))
      stack = field;
    else
      hp_buffer_field(hp_merge_has_codes(kind, field.tag) ? &coded : &fields,
                      field.tag, field.contents.at, hp_left(&field.contents));
  }
  kept.fields = keep_buffer(in->merge, &fields, &kept.size);
  if (has_point)
    kept.point = point_of(in, hp_dump_point_of(in->dump, point));
  struct hp_merge_process *of =
      &in->merge->processes[in->first + (size_t)process - 1];
  if (!kept.fields || (has_point && !kept.point) ||
      (stack.tag && !add_frames(in, &kept, &stack, time)) ||
      ((coded.size || coded.failed) &&
       !add_codes(in, &kept, &coded, hp_dump_point_of(in->dump, point))) ||
      !hp_room_for_one((void **)&of->records, of->record_count,
                       &of->record_capacity, sizeof *of->records))
    return hp_fail_memory(error);
  of->records[of->record_count++] = kept;
  return HP_OK;
}

static hp_status add_records(struct input *in, const struct hp_block *block,
                             struct hp_error *error) {
  struct hp_cursor at = block->payload, record;
  while (block->kind != HP_BLOCK_END && at.at != at.end &&
         hp_take_record(&at, &record))
    HP_TRY(add_record(in, (enum hp_block_kind)block->kind, record, error));
  return HP_OK;
}

/* ---- processes ----------------------------------------------------------- */

static hp_status take_header(struct input *in, const struct hp_block *block,
                             struct hp_error *error) {
  struct hp_merge_process *p = &in->merge->processes[in->first];
  p->header_size = hp_left(&block->payload);
  p->header = keep(in->merge, block->payload.at, p->header_size);
  return p->header ? HP_OK : hp_fail_memory(error);
}

static hp_status take_end(struct input *in, const struct hp_block *block,
                          struct hp_error *error) {
  struct hp_merge_process *p = &in->merge->processes[in->first];
  if (block->kind != HP_BLOCK_END)
    return HP_OK;
  p->end_size = hp_left(&block->payload);
  p->end = keep(in->merge, block->payload.at, p->end_size);
  return p->end ? HP_OK : hp_fail_memory(error);
}

static hp_status take_processes(struct input *in, const struct hp_block *block,
                                struct hp_error *error) {
  struct hp_cursor at = block->payload, record;
  struct hp_merge_process *p = &in->merge->processes[in->first];
  while (p->header)
    p++; /* of an earlier block */
  for (; at.at != at.end && hp_take_record(&at, &record); p++)
    while (record.at != record.end) {
      struct hp_field field;
      if (!hp_take_field(&record, &field))
        break;
      const void *bytes =
          keep(in->merge, field.contents.at, hp_left(&field.contents));
      if (!bytes)
        return hp_fail_memory(error);
      if (field.tag == HP_PROCESS_header) {
        p->header = bytes;
        p->header_size = hp_left(&field.contents);
      } else if (field.tag == HP_PROCESS_end) {
        p->end = bytes;
        p->end_size = hp_left(&field.contents);
      }
    }
  return HP_OK;
}

static const char *keep_text(struct hp_merge *merge, const char *text) {
  return hp_store_text(&merge->store, text ? text : "",
                       text ? strlen(text) : 0);
}

/* Sums of all chunks and sums that stand for more cannot be added. */
static hp_status require_one_choice(const struct input *in,
                                    const struct hp_dump_header *header,
                                    struct hp_error *error) {
  if (in->merge->process_count == 0)
    return HP_OK;
  const struct hp_dump_header *first = &in->merge->processes[0].identity.header;
  if (first->sample_every == header->sample_every &&
      first->sample_bytes == header->sample_bytes)
    return HP_OK;
  return hp_fail(error, HP_E_ARGUMENT,
                 "%s: made with sample_every=%" PRIu64 " and "
                 "sample_bytes=%" PRIu64 ", a dump before it with %" PRIu64
                 " and %" PRIu64 "; merge those of one choice only",
                 in->dump->path, header->sample_every, header->sample_bytes,
                 first->sample_every, first->sample_bytes);
}

static hp_status add_processes(struct input *in, struct hp_error *error) {
  struct hp_merge *merge = in->merge;
  in->first = merge->process_count;
  for (size_t i = 0; i < in->dump->process_count; i++) {
    const struct hp_dump_process *from = &in->dump->processes[i];
    HP_TRY(require_one_choice(in, &from->header, error));
    struct hp_merge_process p = {.identity.complete = from->complete};
    p.identity.header.sample_every = from->header.sample_every;
    p.identity.header.sample_bytes = from->header.sample_bytes;
    p.identity.header.host = keep_text(merge, from->header.host);
    p.identity.header.rank = keep_text(merge, from->header.rank);
    p.identity.header.pid = from->header.pid;
    p.identity.header.start_unix_ns = from->header.start_unix_ns;
    p.identity.header.dump_number = from->header.dump_number;
    p.identity.end.end = from->end.end;
    if (!p.identity.header.host || !p.identity.header.rank ||
        !hp_room_for_one((void **)&merge->processes, merge->process_count,
                         &merge->process_capacity, sizeof *merge->processes))
      return hp_fail_memory(error);
    merge->processes[merge->process_count++] = p;
  }
  merge->has_foreign_code =
      merge->has_foreign_code ||
      (in->dump->header.processes && !in->dump->header.own_code);
  if (in->dump->header.processes)
    return each_block(in, "processes", HP_BLOCK_PROCESSES, 0, take_processes,
                      error);
  HP_TRY(each_block(in, "header", HP_BLOCK_HEADER, 0, take_header, error));
  if (in->dump->complete)
    return each_block(in, "end", HP_BLOCK_END, 0, take_end, error);
  return each_block(in, "aggregates", HP_BLOCK_AGGREGATES,
                    1u << HP_BLOCK_TIMELINE | 1u << HP_BLOCK_FREES |
                        1u << HP_BLOCK_MAPPINGS | 1u << HP_BLOCK_GLOBALS |
                        1u << HP_BLOCK_END,
                    take_end, error);
}

/* Also those in no stack: they may have accessed what others allocated. */
static hp_status add_modules(struct input *in, struct hp_error *error) {
  if (!(in->modules = calloc(in->dump->module_count + 1, sizeof(void *))))
    return hp_fail_memory(error);
  for (size_t i = 0; i < in->dump->module_count; i++) {
    const struct hp_dump_module *m = &in->dump->modules[i];
    in->modules[i] = module_of(in->merge, m);
    if (!in->modules[i])
      return hp_fail_memory(error);
    in->modules[i]->late = in->modules[i]->late || m->late;
  }
  return HP_OK;
}

/* Sums of a merged dump are of all of its processes. */
static hp_status find_wanted(struct hp_merge *merge, const struct hp_dump *dump,
                             bool *is_wanted, struct hp_error *error) {
  size_t wanted = 0;
  for (size_t i = 0; i < dump->process_count; i++)
    wanted += !merge->ranks ||
              hp_rank_is_in(merge->ranks, dump->processes[i].header.rank);
  *is_wanted = wanted == dump->process_count;
  merge->other_ranks += wanted == 0;
  if (wanted && !*is_wanted)
    return hp_fail(error, HP_E_ARGUMENT,
                   "%s: holds other ranks than %s, too; merge the dumps that "
                   "it was made of",
                   dump->path, merge->ranks);
  return HP_OK;
}

static hp_status add_dump(struct hp_merge *merge, const char *path,
                          struct hp_error *error) {
  struct input in = {.merge = merge};
  HP_TRY(hp_dump_read(&in.dump, path, error));
  bool is_wanted;
  hp_status status = find_wanted(merge, in.dump, &is_wanted, error);
  if (status != HP_OK || !is_wanted) {
    hp_dump_close(in.dump);
    return status;
  }
  if (!in.dump->has_checkpoint)
    status = hp_fail(error, HP_E_ARGUMENT,
                     "%s: has no sums over its chunks (file aggregates), as "
                     "after an early kill; leave it out",
                     path);
  else
    status = add_processes(&in, error);
  if (status == HP_OK)
    status = add_modules(&in, error);
  if (status == HP_OK)
    status = each_block(&in, "aggregates", HP_BLOCK_AGGREGATES,
                        1u << HP_BLOCK_TIMELINE | 1u << HP_BLOCK_FREES |
                            1u << HP_BLOCK_MAPPINGS | 1u << HP_BLOCK_GLOBALS |
                            1u << HP_BLOCK_END,
                        add_records, error);
  free(in.modules);
  hp_dump_close(in.dump);
  return status;
}

/* ---- the whole ----------------------------------------------------------- */

static bool is_same(const struct hp_merge_process *a,
                    const struct hp_merge_process *b) {
  return a->header_size == b->header_size && a->end_size == b->end_size &&
         memcmp(a->header, b->header, a->header_size) == 0 &&
         memcmp(a->end, b->end, a->end_size) == 0;
}

/* Of each process what holds most, once. */
static size_t leave_out(struct hp_merge *merge) {
  struct hp_merge_process *all = merge->processes;
  size_t count = merge->process_count, kept = 0;
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < count && !all[i].left_out; j++)
      all[i].left_out =
          i != j &&
          hp_dump_is_same_process(&all[i].identity, &all[j].identity) &&
          (hp_dump_is_continued_by(&all[i].identity, &all[j].identity) ||
           (i > j && is_same(&all[i], &all[j])));
  }
  for (size_t i = 0; i < count; i++)
    if (all[i].left_out)
      free(all[i].records);
    else
      all[kept++] = all[i];
  merge->process_count = kept;
  return count - kept;
}

static hp_status read_all(struct hp_merge *merge, hp_symbolcache *symbols,
                          const char *const *paths, size_t count,
                          struct hp_error *error) {
  for (size_t i = 0; i < count; i++) {
    const char **dumps;
    size_t found;
    HP_TRY(hp_dump_list(&merge->store, paths[i], &dumps, &found, error));
    for (size_t k = 0; k < found; k++) {
      char cache[4096];
      HP_TRY(add_dump(merge, dumps[k], error));
      snprintf(cache, sizeof cache, "%s/symbols", dumps[k]);
      if (!hp_symbolcache_adopt(symbols, cache))
        return hp_fail_memory(error);
    }
  }
  return HP_OK;
}

static void free_all(struct hp_merge *merge) {
  for (size_t i = 0; i < merge->process_count; i++)
    free(merge->processes[i].records);
  free(merge->processes);
  HASH_CLEAR(hh, merge->modules);
  HASH_CLEAR(hh, merge->points);
  hp_store_free(&merge->store);
}

hp_status hp_merge(const char *out, const char *ranks, const char *const *paths,
                   size_t count, struct hp_merge_totals *totals,
                   struct hp_error *error) {
  struct hp_merge merge = {.ranks = ranks};
  char cache[4096];
  *totals = (struct hp_merge_totals){0};
  if (count == 0)
    return hp_fail(error, HP_E_ARGUMENT, "no dump given; name a directory");
  if (ranks && !hp_rank_list_is_good(ranks))
    return hp_fail(error, HP_E_ARGUMENT,
                   "%s: not a list of ranks such as 0,3-5", ranks);
  if (snprintf(cache, sizeof cache, "%s/symbols", out) >= (int)sizeof cache)
    return hp_fail(error, HP_E_ARGUMENT, "%s: the name is too long", out);
  if (access(out, F_OK) == 0)
    return hp_fail(error, HP_E_ARGUMENT,
                   "%s: exists; a merged dump goes into a new directory", out);
  hp_symbolcache *symbols = hp_symbolcache_open(cache);
  if (!symbols)
    return hp_fail_memory(error);
  hp_status status = read_all(&merge, symbols, paths, count, error);
  if (status == HP_OK) {
    totals->left_out = leave_out(&merge);
    totals->processes = merge.process_count;
    totals->other_ranks = merge.other_ranks;
    if (merge.process_count == 0)
      status =
          hp_fail(error, HP_E_ARGUMENT, "no dump is of the ranks %s", ranks);
    else if (mkdir(out, 0777) != 0)
      status = hp_fail(error, HP_E_OPEN, "%s: cannot be made: %s", out,
                       strerror(errno));
    else
      status = hp_merge_write(&merge, out, &totals->points, error);
  }
  hp_symbolcache_close(symbols);
  free_all(&merge);
  return status;
}
