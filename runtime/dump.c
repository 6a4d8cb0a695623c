/* dump.c - see dump.h: makes the directory, writes all of it but the log.
   What grows is appended to, what changes is replaced as a whole.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump.h"

#include <errno.h>

#include "aggregate.h"
#include "block_writer.h"
#include "clock.h"
#include "dump_directory.h"
#include "dump_failure.h"
#include "hook_abi.h"
#include "log.h"
#include "marks.h"
#include "module.h"
#include "options.h"
#include "point.h"
#include "sanitizer_binding.h"
#include "stats.h"

#ifndef HEAPPROF_VERSION
#error "define HEAPPROF_VERSION, a string, as the build does"
#endif

#define PAYLOAD_MAX ((size_t)1 << 20)   /* bytes of a block being filled */
#define ARGUMENTS_MAX ((size_t)8 << 20) /* the kernel's limit is 6 MiB */
#define CHECKPOINT_LIVE_MAX ((uint64_t)1 << 20) /* chunks */
#define STRING_OF(x) #x
#define TEXT_OF(x) STRING_OF(x)

/* Everything a dump needs until it ends; mapped, since it is large. */
struct dump {
  struct hp_block_writer writer;
  struct hp_bytes payload;        /* of the block being filled */
  struct hp_bytes part;           /* record being encoded */
  size_t items;                   /* in `payload` */
  uint64_t window_start;          /* ticks */
  uint64_t modules;               /* items in the file */
  uint32_t points;                /* items in the file: ids 1 .. points */
  uint64_t points_size;           /* bytes of the file */
  uint64_t aggregates, intervals; /* items in the file */
  uint64_t short_ticks;           /* of those */
  char directory[HP_PATH_SIZE - HP_FILE_NAME_SIZE];
  char program[HP_PATH_SIZE];
};

static struct dump *current;
static bool refused; /* it cannot be had, which was said */
static int owner;    /* process id */

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

static bool is_sampled(void) {
  return hp_options.sample_every || hp_options.sample_bytes;
}

static bool write_header(struct dump *dump, uint32_t number) {
  char host[256];
  const char *rank = hp_mpi_rank();
  if (!hp_block_file_replace(&dump->writer, "header"))
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
  if (number)
    put_u64(dump, HP_HEADER_dump_number, number);
  if (hp_options.sample_every)
    put_u64(dump, HP_HEADER_sample_every, hp_options.sample_every);
  if (hp_options.sample_bytes)
    put_u64(dump, HP_HEADER_sample_bytes, hp_options.sample_bytes);
  if (is_sampled())
    put_u64(dump, HP_HEADER_sample_seed, hp_options.sample_seed);
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

/* HELD: the caller has the lock.  Else it may be left out: whoever has it may
   be waiting for a thread that waits for us. */
static bool write_modules(struct dump *dump, bool held) {
  if (!held && !hp_modules_try_lock())
    return true;
  bool lost = hp_modules_lost();
  if (!lost && hp_block_file_replace(&dump->writer, "modules")) {
    dump->modules = 0;
    hp_modules_each(put_module, dump);
    if (dump->items)
      flush(dump, HP_BLOCK_MODULES);
  }
  if (!held)
    hp_modules_unlock();
  return lost ? hp_block_writer_fail(&dump->writer, -ENOMEM)
              : hp_block_file_close(&dump->writer);
}

static void put_point(struct dump *dump, uint32_t id) {
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
      hp_put_u64_field(part, HP_POINT_element_size, point->type->element_size);
  }
  hp_put_u64_field(part, HP_POINT_function, point->entry);
  put_record(dump, HP_BLOCK_POINTS);
}

/* Those that came since the last time. */
static bool write_points(struct dump *dump) {
  uint32_t count = hp_point_count();
  if (dump->points_size && count == dump->points)
    return true;
  if (dump->points_size
          ? !hp_block_file_append(&dump->writer, "points", dump->points_size)
          : !hp_block_file_open(&dump->writer, "points"))
    return false;
  for (uint32_t id = dump->points + 1; id <= count; id++)
    put_point(dump, id);
  if (dump->items)
    flush(dump, HP_BLOCK_POINTS);
  if (!hp_block_file_close(&dump->writer))
    return false;
  dump->points = count;
  dump->points_size = dump->writer.file_size;
  return true;
}

/* ---- live chunks
 * ---------------------------------------------------------------- */

static void note_live(const struct hp_chunk_reference *live, void *arg) {
  hp_put_bytes(arg, live, sizeof *live);
}

/* Takes down what is live at END, by point and time; what ended meanwhile was
   perhaps seen twice.  False without memory. */
static bool find_live(const struct hp_live_chunks *live, uint64_t end,
                      struct hp_bytes *found) {
  live->each(end, note_live, found);
  if (!found->size || found->failed)
    return !found->failed;
  struct hp_chunk_reference *scratch = hp_sys_map(found->size);
  if (!scratch)
    return false;
  struct hp_chunk_reference *r = (void *)found->data;
  size_t count = found->size / sizeof *r, kept = 1;
  hp_chunk_order_sort(r, count, scratch);
  hp_sys_unmap(scratch, found->size);
  for (size_t i = 1; i < count; i++)
    if (r[i].t0 != r[kept - 1].t0 || r[i].thread != r[kept - 1].thread ||
        r[i].point != r[kept - 1].point)
      r[kept++] = r[i];
  found->size = kept * sizeof *r;
  return true;
}

/* ---- end
 * -------------------------------------------------------------------------- */

static void put_marks(struct dump *dump) {
  uint32_t count;
  uint64_t lost;
  const struct hp_program_mark *marks = hp_marks(&count, &lost);
  for (uint32_t i = 0; i < count; i++) {
    put_u64(dump, HP_END_mark_time, since_start(dump, marks[i].time));
    put_text(dump, HP_END_mark, marks[i].name);
  }
  if (lost)
    put_u64(dump, HP_END_lost_marks, lost);
}

static void put_end(struct dump *dump, const struct hp_dump_totals *totals) {
  struct hp_log_counts log = hp_log_counts();
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
  put_u64(dump, HP_END_chunks, log.chunks);
  put_u64(dump, HP_END_chunk_files, log.file_size != 0);
  put_u64(dump, HP_END_dropped_points, totals->dropped_points);
  put_u64(dump, HP_END_dropped_chunks, log.dropped);
  put_u64(dump, HP_END_allocator_ticks, totals->allocator_ticks);
  put_u64(dump, HP_END_thinned_chunks, log.thinned);
  if (log.failure)
    put_text(dump, HP_END_log_failure, log.failure);
  put_u64(dump, HP_END_back_pressure, totals->back_pressure);
  put_u64(dump, HP_END_late_events, totals->late_events);
  put_u64(dump, HP_END_aggregates, dump->aggregates);
  put_u64(dump, HP_END_intervals, dump->intervals);
  put_u64(dump, HP_END_short_ticks, dump->short_ticks);
  if (is_sampled()) {
    put_u64(dump, HP_END_samples, totals->samples);
    put_u64(dump, HP_END_requests, totals->requests);
    put_u64(dump, HP_END_request_bytes, totals->request_bytes);
  }
  put_marks(dump);
  flush(dump, HP_BLOCK_END);
}

static bool write_end(struct dump *dump, const struct hp_dump_totals *totals) {
  if (!hp_block_file_open(&dump->writer, "end"))
    return false;
  put_end(dump, totals);
  return hp_block_file_close(&dump->writer);
}

/* ---- aggregates
 * ------------------------------------------------------------------ */

/* Aggregates that wait to be written, compressed. */
struct records {
  struct hp_bytes last;   /* the block being filled */
  size_t items;           /* in it */
  struct hp_bytes blocks; /* that are whole */
  int error;              /* of making them */
};

static void end_block(struct dump *dump, struct records *records) {
  int error = hp_block_make(&dump->writer, HP_BLOCK_AGGREGATES, records->items,
                            &records->last, &records->blocks);
  if (error < 0)
    records->error = error;
  records->last.size = records->items = 0;
}

static void add_record(struct dump *dump, struct records *records) {
  hp_put_record(&records->last, &dump->part);
  records->items++;
  if (records->last.size >= PAYLOAD_MAX)
    end_block(dump, records);
}

static void free_records(struct records *records) {
  hp_bytes_free(&records->last);
  hp_bytes_free(&records->blocks);
}

/* Describes the live chunks of POINT, from *NEXT on, into CHUNKS. */
static void describe_point(const struct hp_bytes *found, size_t *next,
                           uint32_t point, const struct hp_live_chunks *live,
                           uint64_t end, struct hp_bytes *chunks) {
  const struct hp_chunk_reference *references = (const void *)found->data;
  size_t count = found->size / sizeof *references;
  chunks->size = 0;
  for (; *next < count && references[*next].point == point; ++*next) {
    struct hp_chunk_log chunk;
    live->describe(&references[*next], end, &chunk);
    hp_put_bytes(chunks, &chunk, sizeof chunk);
  }
}

/* The aggregates with FOUND, which is what is LIVE at END.  LOG: appends that
   to the log as well, of one look at each chunk: threads that do not allocate
   go on with their accesses. */
static void encode_aggregates(struct dump *dump, const struct hp_bytes *found,
                              const struct hp_live_chunks *live, uint64_t end,
                              bool log, struct records *records) {
  struct hp_bytes chunks = {0};
  size_t next = 0, size = sizeof(struct hp_chunk_reference);
  struct hp_aggregate_totals aggregates;
  hp_aggregate_totals(&aggregates);
  dump->short_ticks = aggregates.short_ticks;
  dump->aggregates = 0;
  for (uint32_t point = 0;
       point < aggregates.points || next < found->size / size; point++) {
    describe_point(found, &next, point, live, end, &chunks);
    const struct hp_chunk_log *of_point = (const void *)chunks.data;
    size_t count = chunks.size / sizeof *of_point;
    for (size_t i = 0; log && i < count; i++)
      hp_log_append(&of_point[i]);
    if (!hp_aggregate_put(&dump->part, point, since_start(dump, end), of_point,
                          count))
      continue;
    add_record(dump, records);
    dump->aggregates++;
  }
  if (records->items)
    end_block(dump, records);
  if (chunks.failed || aggregates.failed)
    records->error = -ENOMEM;
  hp_bytes_free(&chunks);
}

/* Replaces the aggregates by those that were encoded. */
static bool write_aggregates(struct dump *dump,
                             const struct hp_dump_totals *totals,
                             const struct records *records) {
  if (records->error < 0)
    return hp_block_writer_fail(&dump->writer, records->error);
  if (!hp_block_file_replace(&dump->writer, "aggregates"))
    return false;
  hp_block_write(&dump->writer, &records->blocks);
  dump->intervals = dump->items =
      hp_aggregate_put_timeline(&dump->payload, since_start(dump, totals->end));
  flush(dump, HP_BLOCK_TIMELINE);
  put_end(dump, totals);
  return hp_block_file_close(&dump->writer);
}

/* ---- the dump
 * --------------------------------------------------------------------- */

/* NUMBER as in struct hp_dump_totals; HELD as for write_modules(). */
static bool begin(struct dump *dump, uint32_t number, bool held) {
  dump->window_start = hp_clock_window_start();
  dump->writer.fd = -1;
  if (!hp_sys_executable(dump->program, sizeof dump->program))
    hp_real_memcpy(dump->program, "unknown", sizeof "unknown");
  return hp_dump_directory_make(dump->directory, sizeof dump->directory,
                                hp_options.dump_dir, dump->program, number) &&
         hp_block_writer_start(&dump->writer, dump->directory,
                               hp_options.dump_compression) &&
         write_header(dump, number) &&
         hp_block_directory(&dump->writer, "chunks") &&
         write_modules(dump, held);
}

static void forget(struct dump *dump) {
  hp_block_writer_end(&dump->writer);
  hp_bytes_free(&dump->payload);
  hp_bytes_free(&dump->part);
  hp_sys_unmap(dump, sizeof *dump);
}

static struct dump *new_dump(uint32_t number, bool held) {
  struct dump *dump = hp_sys_map(sizeof *dump);
  if (!dump) {
    hp_dump_say_failure(hp_options.dump_dir, -ENOMEM);
    return NULL;
  }
  if (begin(dump, number, held))
    return dump;
  forget(dump);
  return NULL;
}

/* The dump, begun if there is none yet; NULL if it cannot be had. */
static struct dump *get(bool held) {
  if (!current && !refused) {
    current = new_dump(0, held);
    refused = !current;
  }
  return current;
}

/* What could not be written may be another time, and something else now. */
static void retry(struct dump *dump) {
  dump->writer.failed = false;
  dump->payload.size = dump->part.size = dump->items = 0;
  dump->payload.failed = dump->part.failed = false;
}

struct hp_block_writer *hp_dump_ready(void) {
  struct dump *dump = get(false);
  if (!dump)
    return NULL;
  retry(dump);
  return write_points(dump) ? &dump->writer : NULL;
}

const char *hp_dump_failure(void) {
  return current ? hp_dump_failure_text(current->writer.error)
                 : "there is no dump";
}

/* To sort what is live takes 48 bytes and 0.2 us a chunk, while the program
   waits. */
static bool is_affordable(void) {
  struct hp_aggregate_totals aggregates;
  hp_aggregate_totals(&aggregates);
  return aggregates.chunks <= CHECKPOINT_LIVE_MAX;
}

void hp_dump_checkpoint(const struct hp_dump_totals *totals,
                        const struct hp_live_chunks *live) {
  struct hp_bytes found = {0};
  struct records aggregates = {0};
  hp_log_flush();
  if (hp_dump_ready() && write_header(current, 0) &&
      write_modules(current, false) && is_affordable() &&
      find_live(live, totals->end, &found)) {
    encode_aggregates(current, &found, live, totals->end, false, &aggregates);
    write_aggregates(current, totals, &aggregates);
  }
  free_records(&aggregates);
  hp_bytes_free(&found);
}

static void write_rest(struct dump *dump, const struct hp_dump_totals *totals,
                       const struct hp_live_chunks *live) {
  struct hp_bytes found = {0};
  struct records aggregates = {0};
  if (find_live(live, totals->end, &found)) {
    encode_aggregates(dump, &found, live, totals->end, true, &aggregates);
    hp_log_flush();
    retry(dump);
    /* The header once more: its ticks per second are those of the whole run. */
    if (write_header(dump, totals->number) && write_modules(dump, true) &&
        write_points(dump) && write_aggregates(dump, totals, &aggregates))
      write_end(dump, totals);
  } else {
    hp_block_writer_fail(&dump->writer, -ENOMEM);
  }
  free_records(&aggregates);
  hp_bytes_free(&found);
}

void hp_dump_finish(const struct hp_dump_totals *totals,
                    const struct hp_live_chunks *live) {
  if (get(true))
    write_rest(current, totals, live);
  if (hp_options.stats)
    hp_stats_print(totals, current ? current->writer.written : 0);
  hp_dump_start();
}

/* The log is copied as it is on disk; what lives is added to the copy. */
bool hp_dump_copy(const struct hp_dump_totals *totals,
                  const struct hp_live_chunks *live) {
  struct dump *window = get(true);
  struct dump *copy = window ? new_dump(totals->number, true) : NULL;
  if (!copy)
    return false;
  hp_log_flush();
  struct hp_log_counts log = hp_log_counts();
  bool copied =
      !log.file_size || hp_block_file_copy(&copy->writer, window->directory,
                                           HP_LOG_FILE, log.file_size);
  hp_log_set_aside();
  current = copy;
  if (copied)
    write_rest(copy, totals, live);
  current = window;
  hp_log_put_back();
  bool done = copied && !copy->writer.failed;
  forget(copy);
  return done;
}

void hp_dump_discard(void) {
  static const char *const names[] = {"header", "modules", "points",
                                      "aggregates", HP_LOG_FILE};
  if (!current)
    return;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    hp_block_unlink(&current->writer, names[i], false);
  hp_block_unlink(&current->writer, "chunks", true);
  hp_block_unlink(&current->writer, "", true);
  hp_dump_start();
}

void hp_dump_start(void) {
  if (current)
    forget(current);
  current = NULL;
  refused = false;
  owner = hp_sys_pid();
  hp_log_reset();
}

bool hp_dump_is_ours(void) { return hp_sys_pid() == owner; }
