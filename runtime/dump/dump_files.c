/* dump_files.c - see dump_files.h: header, modules, points, aggregates and end.
   Fields are numbered in heapprof_format.def.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/dump_files.h"

#include <errno.h>

#include "chunk/pools.h"
#include "chunk/stale_pages.h"
#include "dump/callers.h"
#include "dump/dump_directory.h"
#include "dump/globals.h"
#include "dump/heap_regions.h"
#include "dump/mappings.h"
#include "dump/process_memory.h"
#include "hook_abi.h"
#include "leak/leak_record.h"
#include "options/options.h"
#include "origin/module.h"
#include "origin/point.h"
#include "profile/aggregate.h"
#include "profile/log.h"
#include "profile/marks.h"
#include "system/clock.h"
#include "system/memory.h"
#include "system/message.h"
#include "system/process_facts.h"
#include "system/real_libc.h"

#ifndef HEAPPROF_VERSION
#error "define HEAPPROF_VERSION, a string, as the build does"
#endif

#define FIRST_ARGUMENTS ((size_t)64 << 10)
#define ARGUMENTS_MAX ((size_t)8 << 20) /* the kernel's limit is 6 MiB */
#define STRING_OF(x) #x
#define TEXT_OF(x) STRING_OF(x)

static bool flush(struct hp_dump_files *dump, enum hp_block_kind kind) {
  bool ok = hp_block_put(&dump->writer, kind, dump->items, &dump->payload);
  dump->payload.size = 0;
  dump->items = 0;
  return ok;
}

static void put_record(struct hp_dump_files *dump, enum hp_block_kind kind) {
  hp_put_record(&dump->payload, &dump->part);
  dump->items++;
  if (dump->payload.size >= HP_PAYLOAD_MAX)
    flush(dump, kind);
}

static void put_number(struct hp_dump_files *dump, unsigned tag,
                       uint64_t value) {
  hp_put_u64_field(&dump->payload, tag, value);
  dump->items++;
}

static void put_text(struct hp_dump_files *dump, unsigned tag,
                     const char *text) {
  hp_put_text_field(&dump->payload, tag, text);
  dump->items++;
}

/* ---- header -------------------------------------------------------------- */

/* SIZE without the empty words that end them and are none the program was started
   with: the zeros that a title leaves which is shorter. */
static size_t without_padding(const char *arguments, size_t size) {
  size_t words = 0;
  while (size - words > 1 && !arguments[size - words - 1] &&
         !arguments[size - words - 2])
    words++;
  const size_t own = hp_sys_empty_arguments();
  return words > own ? size - (words - own) : size;
}

static void put_arguments(struct hp_dump_files *dump) {
  size_t room = FIRST_ARGUMENTS, size;
  char *arguments = hp_sys_map(room);
  while (arguments &&
         (size = hp_sys_cmdline(arguments, room - 1)) == room - 1 &&
         room < ARGUMENTS_MAX) {
    hp_sys_unmap(arguments, room);
    arguments = hp_sys_map(room *= 2);
  }
  if (!arguments) {
    dump->payload.failed = true;
    return;
  }
  size = size ? without_padding(arguments, size) : 0;
  for (size_t at = 0; at < size; at += hp_text_size(arguments + at) + 1)
    put_text(dump, HP_HEADER_arg, arguments + at);
  hp_sys_unmap(arguments, room);
}

static void put_option(struct hp_dump_files *dump, const char *name,
                       const char *value) {
  hp_put_bytes(&dump->part, name, hp_text_size(name));
  hp_put_bytes(&dump->part, "=", 1);
  hp_put_bytes(&dump->part, value, hp_text_size(value));
  hp_put_bytes_field(&dump->payload, HP_HEADER_option, dump->part.data,
                     dump->part.size);
  dump->payload.failed |= dump->part.failed;
  dump->part.size = 0;
  dump->items++;
}

static void put_option_string(struct hp_dump_files *dump, const char *name,
                              const char *value) {
  put_option(dump, name, value ? value : "");
}

static void put_option_bool(struct hp_dump_files *dump, const char *name,
                            bool value) {
  put_option(dump, name, value ? "1" : "0");
}

static void put_option_int(struct hp_dump_files *dump, const char *name,
                           int value) {
  char digits[24];
  hp_sys_format(digits, sizeof digits, "%d", value);
  put_option(dump, name, digits);
}

static void put_option_uint64(struct hp_dump_files *dump, const char *name,
                              uint64_t value) {
  char digits[24];
  hp_sys_format(digits, sizeof digits, "%llu", (unsigned long long)value);
  put_option(dump, name, digits);
}

static bool is_sampled(void) {
  return hp_options.sample_every || hp_options.sample_bytes;
}

bool hp_files_write_header(struct hp_dump_files *dump, uint32_t number) {
  char host[256];
  const char *rank = hp_mpi_rank();
  if (!hp_block_file_replace(&dump->writer, "header"))
    return false;
  put_text(dump, HP_HEADER_program, dump->program);
  put_arguments(dump);
  put_number(dump, HP_HEADER_pid, (uint64_t)hp_sys_pid());
  put_number(dump, HP_HEADER_parent, (uint64_t)hp_sys_parent_pid());
  if (hp_sys_hostname(host, sizeof host))
    put_text(dump, HP_HEADER_host, host);
  if (rank)
    put_text(dump, HP_HEADER_rank, rank);
  put_text(dump, HP_HEADER_clock, hp_clock_is_tsc ? "tsc" : "monotonic");
  put_number(dump, HP_HEADER_ticks_per_second, hp_clock_ticks_per_second());
  put_number(dump, HP_HEADER_start_unix_ns, hp_clock_start_unix_ns());
#define HP_OPTION(type, name, value, text)                                     \
  put_option_##type(dump, #name, hp_options.name);
#include "options/options.def"
  put_text(dump, HP_HEADER_producer, "heapprof " HEAPPROF_VERSION);
  put_text(dump, HP_HEADER_pass, TEXT_OF(HP_ABI_VERSION));
  put_number(dump, HP_HEADER_exact_time, hp_options.exact_time);
  put_number(dump, HP_HEADER_tick_period, hp_clock_period);
  if (number)
    put_number(dump, HP_HEADER_dump_number, number);
  if (hp_options.sample_every)
    put_number(dump, HP_HEADER_sample_every, hp_options.sample_every);
  if (hp_options.sample_bytes)
    put_number(dump, HP_HEADER_sample_bytes, hp_options.sample_bytes);
  if (is_sampled())
    put_number(dump, HP_HEADER_sample_seed, hp_options.sample_seed);
  flush(dump, HP_BLOCK_HEADER);
  return hp_block_file_close(&dump->writer);
}

/* ---- modules and points --------------------------------------------------- */

bool hp_files_write_modules(struct hp_dump_files *dump) {
  if (!hp_snapshot.has_modules ||
      !hp_block_file_replace(&dump->writer, "modules"))
    return !dump->writer.failed;
  hp_records_write(&dump->writer, &hp_snapshot.modules);
  if (!hp_block_file_close(&dump->writer))
    return false;
  dump->modules = hp_snapshot.modules.count;
  return true;
}

static void put_point(struct hp_dump_files *dump, uint32_t id) {
  const struct hp_alloc_point *point = hp_point_get(id);
  struct hp_bytes *part = &dump->part;
  hp_put_u64_field(part, HP_POINT_id, id);
  uint64_t pc[HP_STACK_MAX];
  bool truncated;
  size_t depth = hp_stack_frames(point->stack, pc, &truncated);
  hp_put_stack_field(part, HP_POINT_stack, pc, depth);
  if (truncated)
    hp_put_u64_field(part, HP_POINT_truncated, 1);
  const struct hp_type *type = hp_point_type(point);
  if (type) {
    hp_put_text_field(part, HP_POINT_type, type->name);
    hp_put_u64_field(part, HP_POINT_type_provenance, type->provenance);
    if (type->element_size)
      hp_put_u64_field(part, HP_POINT_element_size, type->element_size);
  }
  hp_put_u64_field(part, HP_POINT_function, hp_point_entry(point));
  if (point->entry >> HP_POINT_POOL_SHIFT)
    hp_put_text_field(part, HP_POINT_pool,
                      hp_pool_name(point->entry >> HP_POINT_POOL_SHIFT));
  put_record(dump, HP_BLOCK_POINTS);
}

/* Those that came since the last time. */
bool hp_files_write_points(struct hp_dump_files *dump) {
  uint32_t count = hp_point_count();
  if (dump->points_begun && count == dump->points)
    return true;
  if (dump->points_begun
          ? !hp_block_file_append(&dump->writer, "points", dump->points_size)
          : !hp_block_file_open(&dump->writer, "points"))
    return false;
  for (uint32_t id = dump->points + 1; id <= count; id++)
    put_point(dump, id);
  if (dump->items)
    flush(dump, HP_BLOCK_POINTS);
  bool closed = hp_block_file_close(&dump->writer);
  dump->points_begun = closed || dump->writer.file_size != 0;
  if (!closed)
    return false;
  dump->points = count;
  dump->points_size = dump->writer.file_size;
  return true;
}

/* ---- end ------------------------------------------------------------------ */

static void put_marks(struct hp_dump_files *dump) {
  uint32_t count;
  uint64_t lost;
  const struct hp_program_mark *marks = hp_marks(&count, &lost);
  for (uint32_t i = 0; i < hp_snapshot.marks; i++) {
    put_number(dump, HP_END_mark_time, hp_clock_in_window(marks[i].time));
    put_text(dump, HP_END_mark, marks[i].name);
  }
  if (hp_snapshot.lost_marks)
    put_number(dump, HP_END_lost_marks, hp_snapshot.lost_marks);
}

static void put_end(struct hp_dump_files *dump) {
  const struct hp_dump_totals *totals = &hp_snapshot.totals;
  struct hp_log_counts log = hp_log_counts();
  const char *failure = log.failure ? log.failure : hp_snapshot.log_failure;
  uint64_t dropped = log.failure ? log.dropped : hp_snapshot.log.dropped;
  put_number(dump, HP_END_end, hp_clock_in_window(totals->end));
  put_number(dump, HP_END_start_unix_ns, hp_clock_start_unix_ns());
  put_text(dump, HP_END_reason, totals->reason);
  if (totals->exit_status >= 0)
    put_number(dump, HP_END_exit_status, (uint64_t)totals->exit_status);
  put_number(dump, HP_END_tick_max, hp_clock_tick_max());
  const uint64_t cpu = hp_clock_cpu_ns();
  if (cpu)
    put_number(dump, HP_END_cpu_ns, cpu);
  if (hp_stale_pages_ms())
    put_number(dump, HP_END_stale_ms, hp_stale_pages_ms());
  put_number(dump, HP_END_modules, dump->modules);
  put_number(dump, HP_END_points, dump->points);
  put_number(dump, HP_END_chunks, log.chunks + hp_snapshot.live.chunks);
  put_number(dump, HP_END_chunk_files, dump->chunk_files);
  put_number(dump, HP_END_dropped_chunks, dropped + hp_snapshot.live.dropped);
  put_number(dump, HP_END_thinned_chunks,
             hp_snapshot.log.thinned + hp_snapshot.live.thinned);
  if (failure)
    put_text(dump, HP_END_log_failure, failure);
  put_number(dump, HP_END_back_pressure,
             totals->back_pressure + hp_snapshot.log.overruns);
  if (hp_snapshot.has_aggregates) {
    put_number(dump, HP_END_aggregates, hp_snapshot.aggregates.count);
    put_number(dump, HP_END_intervals, hp_snapshot.intervals);
    put_number(dump, HP_END_free_records, hp_snapshot.frees.count);
    put_number(dump, HP_END_global_records, hp_globals_records()->count);
  }
  put_number(dump, HP_END_short_ticks, hp_snapshot.short_ticks);
  if (hp_snapshot.unsettled)
    put_number(dump, HP_END_unsettled_chunks, hp_snapshot.unsettled);
  if (hp_snapshot.undescribed)
    put_number(dump, HP_END_undescribed_chunks, hp_snapshot.undescribed);
#define HP_END_FIELD(tag, name, type, text)
#define HP_END_COUNTED(tag, name, type, text)                                  \
  put_number(dump, tag, totals->name);
#define HP_END_SAMPLED(tag, name, type, text)                                  \
  if (is_sampled())                                                            \
    put_number(dump, tag, totals->name);
#include "heapprof_format.def"
  put_marks(dump);
  dump->items += hp_process_memory_put(&dump->payload);
  dump->items += hp_callers_put(&dump->payload);
  if (hp_snapshot.has_aggregates)
    dump->items += hp_mappings_put(&dump->payload);
  dump->items += hp_heap_regions_put(&dump->payload);
  if (totals->allocator)
    put_text(dump, HP_END_allocator, totals->allocator);
  dump->items += hp_leak_put_end(&dump->payload, totals->leak_check);
  flush(dump, HP_BLOCK_END);
}

bool hp_files_write_end(struct hp_dump_files *dump) {
  if (!hp_block_file_open(&dump->writer, "end"))
    return false;
  put_end(dump);
  return hp_block_file_close(&dump->writer);
}

/* Replaces the aggregates. */
#define AGGREGATES "aggregates"

/* The file that takes the place of the aggregates, with what was written ahead. */
static bool open_aggregates(struct hp_dump_files *dump) {
  struct hp_block_writer *writer = &dump->writer;
  if (!dump->ahead)
    return hp_block_file_replace(writer, AGGREGATES);
  hp_block_file_resume(writer, AGGREGATES, dump->ahead - 1, dump->ahead_size);
  dump->ahead = 0;
  return true;
}

/* What fails here is tried again at the end, with all else: as much as was written
   before stays. */
bool hp_files_write_ahead(struct hp_dump_files *dump,
                          const struct hp_bytes *blocks) {
  struct hp_block_writer *writer = &dump->writer;
  if (writer->fd >= 0 || writer->failed || dump->ahead_ended)
    return false;
  if (!dump->ahead)
    dump->ahead_size = 0;
  if (!open_aggregates(dump))
    return false;
  const bool done = hp_block_write(writer, blocks);
  dump->ahead_ended = !done;
  dump->ahead_lost = writer->file_size < dump->ahead_size;
  dump->ahead_size = writer->file_size;
  dump->ahead = hp_block_file_leave(writer) + 1;
  return done;
}

void hp_files_drop_ahead(struct hp_dump_files *dump) {
  if (dump->ahead)
    hp_block_file_drop(&dump->writer, AGGREGATES, dump->ahead - 1);
  dump->ahead = 0;
  dump->ahead_ended = dump->ahead_lost = false;
}

bool hp_files_write_aggregates(struct hp_dump_files *dump) {
  if (dump->ahead_lost)
    return hp_block_writer_fail(&dump->writer, -EIO);
  if (!open_aggregates(dump))
    return false;
  hp_records_write(&dump->writer, &hp_snapshot.aggregates);
  hp_records_write(&dump->writer, &hp_snapshot.frees);
  hp_records_write(&dump->writer, &hp_snapshot.mappings);
  hp_records_write(&dump->writer, hp_globals_records());
  hp_block_put(&dump->writer, HP_BLOCK_TIMELINE, hp_snapshot.intervals,
               &hp_snapshot.timeline);
  put_end(dump);
  return hp_block_file_close(&dump->writer);
}

void hp_files_retry(struct hp_dump_files *dump) {
  dump->writer.failed = false;
  dump->payload.size = dump->part.size = dump->items = 0;
  dump->payload.failed = dump->part.failed = false;
}
