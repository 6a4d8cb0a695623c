/* dump.c - writes header, modules, points, chunks, and last the end.
   Absolute ticks become ticks since the window's start here, nowhere else.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump.h"

#include <errno.h>

#include "block_writer.h"
#include "chunk_columns.h"
#include "chunk_order.h"
#include "clock.h"
#include "dump_directory.h"
#include "dump_failure.h"
#include "hook_abi.h"
#include "log.h"
#include "module.h"
#include "options.h"
#include "point.h"
#include "sanitizer_binding.h"

#ifndef HEAPPROF_VERSION
#error "define HEAPPROF_VERSION, a string, as the build does"
#endif

#define PAYLOAD_MAX                                                            \
  ((size_t)1 << 20) /* bytes of a block before it is closed                    \
                     */
#define ARGUMENTS_MAX ((size_t)8 << 20) /* the kernel's limit is 6 MiB */
#define BLOCK_CHUNKS ((size_t)32 << 10)
#define STRING_OF(x) #x
#define TEXT_OF(x) STRING_OF(x)

_Static_assert(BLOCK_CHUNKS *(HP_CHUNK_ENCODED_MAX + HP_RUN_ENCODED_MAX) <
                   HP_BLOCK_RAW_MAX,
               "a block of chunks fits");
_Static_assert(sizeof "chunks/4294967295" <= HP_FILE_NAME_SIZE, "it fits");

/* Everything a dump needs while it is written; mapped, not on the stack of
   whichever thread calls exit. */
struct dump {
  struct hp_block_writer writer;
  struct hp_bytes payload; /* of the block being filled */
  struct hp_bytes part;    /* record or run being encoded */
  size_t items;            /* in `payload` */
  uint64_t window_start;   /* ticks */
  uint64_t modules, points, chunks, chunk_files; /* items written */
  struct hp_chunk_order order;
  size_t run_count; /* in `runs`; their chunks, `items` many, in `block` */
  struct hp_chunk_run runs[BLOCK_CHUNKS];
  struct hp_chunk_log block[BLOCK_CHUNKS];
  char directory[HP_PATH_SIZE - HP_FILE_NAME_SIZE];
  char program[HP_PATH_SIZE];
};

static uint64_t since_start(const struct dump *dump, uint64_t ticks) {
  return ticks > dump->window_start ? ticks - dump->window_start : 0;
}

/* ---- blocks of records ----------------------------------------------------
 */

static bool flush(struct dump *dump, enum hp_block_kind kind) {
  bool ok = hp_block_put(&dump->writer, kind, dump->items, &dump->payload);
  dump->payload.size = 0;
  dump->items = 0;
  return ok;
}

static void put_record(struct dump *dump, enum hp_block_kind kind) {
  hp_put_record(&dump->payload, &dump->part);
  dump->items++;
  if (dump->payload.size >= PAYLOAD_MAX)
    flush(dump, kind);
}

static void put_u64(struct dump *dump, unsigned tag, uint64_t value) {
  hp_put_u64_field(&dump->payload, tag, value);
  dump->items++;
}

static void put_text(struct dump *dump, unsigned tag, const char *text) {
  hp_put_text_field(&dump->payload, tag, text);
  dump->items++;
}

/* ---- header -----------------------------------------------------------------
 */

static void put_arguments(struct dump *dump) {
  char *arguments = hp_sys_map(ARGUMENTS_MAX);
  if (!arguments) {
    dump->payload.failed = true;
    return;
  }
  size_t size = hp_sys_cmdline(arguments, ARGUMENTS_MAX - 1);
  for (size_t at = 0; at < size; at += hp_text_size(arguments + at) + 1)
    put_text(dump, HP_HEADER_arg, arguments + at);
  hp_sys_unmap(arguments, ARGUMENTS_MAX);
}

static void put_option(struct dump *dump, const char *name, const char *value) {
  hp_put_bytes(&dump->part, name, hp_text_size(name));
  hp_put_bytes(&dump->part, "=", 1);
  hp_put_bytes(&dump->part, value, hp_text_size(value));
  hp_put_bytes_field(&dump->payload, HP_HEADER_option, dump->part.data,
                     dump->part.size);
  dump->payload.failed |= dump->part.failed;
  dump->part.size = 0;
  dump->items++;
}

static void put_option_string(struct dump *dump, const char *name,
                              const char *value) {
  put_option(dump, name, value ? value : "");
}

static void put_option_bool(struct dump *dump, const char *name, bool value) {
  put_option(dump, name, value ? "1" : "0");
}

static void put_option_int(struct dump *dump, const char *name, int value) {
  char digits[24];
  hp_sys_format(digits, sizeof digits, "%d", value);
  put_option(dump, name, digits);
}

static void put_option_uint64(struct dump *dump, const char *name,
                              uint64_t value) {
  char digits[24];
  hp_sys_format(digits, sizeof digits, "%llu", (unsigned long long)value);
  put_option(dump, name, digits);
}

static bool write_header(struct dump *dump) {
  char host[256];
  const char *rank = hp_mpi_rank();
  if (!hp_block_file_open(&dump->writer, "header"))
    return false;
  put_text(dump, HP_HEADER_program, dump->program);
  put_arguments(dump);
  put_u64(dump, HP_HEADER_pid, (uint64_t)hp_sys_pid());
  put_u64(dump, HP_HEADER_parent, (uint64_t)hp_sys_parent_pid());
  if (hp_sys_hostname(host, sizeof host))
    put_text(dump, HP_HEADER_host, host);
  if (rank)
    put_text(dump, HP_HEADER_rank, rank);
  put_text(dump, HP_HEADER_clock, hp_clock_is_tsc ? "tsc" : "monotonic");
  put_u64(dump, HP_HEADER_ticks_per_second, hp_clock_ticks_per_second());
  put_u64(dump, HP_HEADER_start_unix_ns, hp_clock_start_unix_ns());
#define HP_OPTION(type, name, value, text)                                     \
  put_option_##type(dump, #name, hp_options.name);
#include "options.def"
  put_text(dump, HP_HEADER_producer, "heapprof " HEAPPROF_VERSION);
  put_text(dump, HP_HEADER_pass, TEXT_OF(HP_ABI_VERSION));
  put_u64(dump, HP_HEADER_exact_time, hp_options.exact_time);
  put_u64(dump, HP_HEADER_tick_period, hp_clock_period);
  return flush(dump, HP_BLOCK_HEADER) && hp_block_file_close(&dump->writer);
}

/* ---- modules and points
 * ------------------------------------------------------- */

static void put_module(const struct hp_module *module, const char *path,
                       const uint8_t *build_id, void *arg) {
  struct dump *dump = arg;
  struct hp_bytes *part = &dump->part;
  hp_put_text_field(part, HP_MODULE_path, path);
  hp_put_u64_field(part, HP_MODULE_bias, module->bias);
  hp_put_u64_field(part, HP_MODULE_start, module->start);
  hp_put_u64_field(part, HP_MODULE_end, module->end);
  if (module->build_id_size)
    hp_put_bytes_field(part, HP_MODULE_build_id, build_id,
                       module->build_id_size);
  hp_put_u64_field(part, HP_MODULE_loaded, since_start(dump, module->loaded));
  if (module->unloaded)
    hp_put_u64_field(part, HP_MODULE_unloaded,
                     since_start(dump, module->unloaded));
  put_record(dump, HP_BLOCK_MODULES);
  dump->modules++;
}

static bool write_modules(struct dump *dump) {
  if (!hp_block_file_open(&dump->writer, "modules"))
    return false;
  if (hp_modules_lost())
    return hp_block_writer_fail(&dump->writer, -ENOMEM);
  hp_modules_each(put_module, dump);
  if (dump->items)
    flush(dump, HP_BLOCK_MODULES);
  return hp_block_file_close(&dump->writer);
}

static bool write_points(struct dump *dump) {
  if (!hp_block_file_open(&dump->writer, "points"))
    return false;
  for (uint32_t id = 1; id <= dump->order.points; id++) {
    const struct hp_alloc_point *point = hp_point_get(id);
    struct hp_bytes *part = &dump->part;
    hp_put_u64_field(part, HP_POINT_id, id);
    uint64_t pc[HP_STACK_MAX];
    bool truncated;
    size_t depth = hp_stack_frames(point->stack, pc, &truncated);
    hp_put_stack_field(part, HP_POINT_stack, pc, depth);
    if (truncated)
      hp_put_u64_field(part, HP_POINT_truncated, 1);
    if (point->type) {
      hp_put_text_field(part, HP_POINT_type, point->type->name);
      hp_put_u64_field(part, HP_POINT_type_provenance, point->type->provenance);
      if (point->type->element_size)
        hp_put_u64_field(part, HP_POINT_element_size,
                         point->type->element_size);
    }
    hp_put_u64_field(part, HP_POINT_function, point->entry);
    put_record(dump, HP_BLOCK_POINTS);
    dump->points++;
  }
  if (dump->items)
    flush(dump, HP_BLOCK_POINTS);
  return hp_block_file_close(&dump->writer);
}

/* ---- chunks
 * --------------------------------------------------------------------- */

/* The chunk with its times since the window's start. */
static struct hp_chunk_log in_window(const struct dump *dump,
                                     const struct hp_chunk_log *chunk) {
  struct hp_chunk_log relative = *chunk;
  relative.t0 = since_start(dump, chunk->t0);
  relative.t1 = since_start(dump, chunk->t1);
  relative.first = since_start(dump, chunk->first);
  relative.last = since_start(dump, chunk->last);
  return relative;
}

static void flush_chunks(struct dump *dump) {
  hp_put_chunk_columns(&dump->payload, dump->runs, dump->run_count,
                       dump->block);
  dump->chunks += dump->items;
  dump->run_count = 0;
  flush(dump, HP_BLOCK_CHUNKS);
}

/* Adds the chunks of POINT to the open file, in as many blocks as it takes. */
static void put_runs(struct dump *dump, uint32_t point) {
  const struct hp_chunk_reference *r = dump->order.references;
  size_t i = dump->order.starts[point], end = dump->order.starts[point + 1];
  while (i < end && !dump->writer.failed) {
    size_t room = BLOCK_CHUNKS - dump->items;
    size_t count = end - i < room ? end - i : room;
    dump->runs[dump->run_count++] =
        (struct hp_chunk_run){.point = point, .weight = 1, .count = count};
    for (; count; count--)
      dump->block[dump->items++] = in_window(dump, r[i++].chunk);
    if (dump->items == BLOCK_CHUNKS)
      flush_chunks(dump);
  }
}

static bool open_chunks(struct dump *dump, const char *name) {
  dump->chunk_files++;
  return hp_block_file_open(&dump->writer, name);
}

static bool close_chunks(struct dump *dump) {
  if (dump->items)
    flush_chunks(dump);
  return hp_block_file_close(&dump->writer);
}

static size_t chunks_of(const struct dump *dump, uint32_t point) {
  return dump->order.starts[point + 1] - dump->order.starts[point];
}

static bool write_shared_chunks(struct dump *dump) {
  bool open = false;
  for (uint32_t point = 0; point <= dump->order.points; point++) {
    size_t count = chunks_of(dump, point);
    if (count == 0 || count >= HP_CHUNKS_OWN_FILE)
      continue;
    if (!open && !open_chunks(dump, "chunks/shared"))
      return false;
    open = true;
    put_runs(dump, point);
  }
  return !open || close_chunks(dump);
}

static bool write_own_chunks(struct dump *dump) {
  for (uint32_t point = 0; point <= dump->order.points; point++) {
    char name[HP_FILE_NAME_SIZE];
    if (chunks_of(dump, point) < HP_CHUNKS_OWN_FILE)
      continue;
    hp_sys_format(name, sizeof name, "chunks/%u", point);
    if (!open_chunks(dump, name))
      return false;
    put_runs(dump, point);
    if (!close_chunks(dump))
      return false;
  }
  return true;
}

/* ---- end
 * -------------------------------------------------------------------------- */

static bool write_end(struct dump *dump, const struct hp_dump_totals *totals) {
  if (!hp_block_file_open(&dump->writer, "end"))
    return false;
  put_u64(dump, HP_END_end, since_start(dump, totals->end));
  put_text(dump, HP_END_reason, totals->reason);
  if (totals->exit_status >= 0)
    put_u64(dump, HP_END_exit_status, (uint64_t)totals->exit_status);
  put_u64(dump, HP_END_allocations, totals->allocations);
  put_u64(dump, HP_END_frees, totals->frees);
  put_u64(dump, HP_END_failed_requests, totals->failed_requests);
  put_u64(dump, HP_END_failed_bytes, totals->failed_bytes);
  put_u64(dump, HP_END_inherited_frees, totals->inherited_frees);
  put_u64(dump, HP_END_invalid_frees, totals->invalid_frees);
  put_u64(dump, HP_END_threads, totals->threads);
  put_u64(dump, HP_END_peak_bytes, totals->peak_bytes);
  put_u64(dump, HP_END_peak_chunks, totals->peak_chunks);
  put_u64(dump, HP_END_peak_time, totals->peak_time);
  put_u64(dump, HP_END_tick_max, hp_clock_tick_max());
  put_u64(dump, HP_END_modules, dump->modules);
  put_u64(dump, HP_END_points, dump->points);
  put_u64(dump, HP_END_chunks, dump->chunks);
  put_u64(dump, HP_END_chunk_files, dump->chunk_files);
  put_u64(dump, HP_END_dropped_points, totals->dropped_points);
  put_u64(dump, HP_END_dropped_chunks,
          hp_log_dropped() + dump->order.lost_live);
  put_u64(dump, HP_END_allocator_ticks, totals->allocator_ticks);
  return flush(dump, HP_BLOCK_END) && hp_block_file_close(&dump->writer);
}

static void write_files(struct dump *dump, const struct hp_dump_totals *totals,
                        hp_live_iterator *each_live) {
  if (!hp_block_writer_start(&dump->writer, dump->directory,
                             hp_options.dump_compression) ||
      !write_header(dump) || !write_modules(dump))
    return;
  if (!hp_chunk_order_make(&dump->order, totals->end, each_live)) {
    hp_block_writer_fail(&dump->writer, -ENOMEM);
    return;
  }
  if (write_points(dump) && hp_block_directory(&dump->writer, "chunks") &&
      write_shared_chunks(dump) && write_own_chunks(dump))
    write_end(dump, totals);
}

void hp_dump_write(const struct hp_dump_totals *totals,
                   hp_live_iterator *each_live) {
  struct dump *dump = hp_sys_map(sizeof *dump);
  if (!dump) {
    hp_dump_say_failure(hp_options.dump_dir, -ENOMEM);
    return;
  }
  dump->window_start = hp_clock_window_start();
  if (!hp_sys_executable(dump->program, sizeof dump->program))
    hp_real_memcpy(dump->program, "unknown", sizeof "unknown");
  if (hp_dump_directory_make(dump->directory, sizeof dump->directory,
                             hp_options.dump_dir, dump->program)) {
    write_files(dump, totals, each_live);
    hp_block_writer_end(&dump->writer);
    hp_chunk_order_free(&dump->order);
    hp_bytes_free(&dump->payload);
    hp_bytes_free(&dump->part);
  }
  hp_sys_unmap(dump, sizeof *dump);
}
