/* dump.c - see dump.h: makes the directory, writes all of it but the log.
   What grows is appended to, what changes is replaced as a whole.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/dump.h"

#include <errno.h>

#include "chunk/overrun.h"
#include "dump/block_writer.h"
#include "dump/dump_directory.h"
#include "encode/dump_failure.h"
#include "hook_abi.h"
#include "leak/leak_record.h"
#include "origin/module.h"
#include "origin/point.h"
#include "profile/aggregate.h"
#include "profile/log.h"
#include "profile/marks.h"
#include "system/clock.h"
#include "system/options.h"
#include "system/real_libc.h"
#include "system/sanitizer_binding.h"
#include "thread/writer.h"

#ifndef HEAPPROF_VERSION
#error "define HEAPPROF_VERSION, a string, as the build does"
#endif

#define PAYLOAD_MAX ((size_t)1 << 20) /* bytes of a block being filled */
#define FIRST_ARGUMENTS ((size_t)64 << 10)
#define ARGUMENTS_MAX ((size_t)8 << 20) /* the kernel's limit is 6 MiB */
#define CHECKPOINT_LIVE_MAX ((uint64_t)1 << 20) /* chunks */
#define STRING_OF(x) #x
#define TEXT_OF(x) STRING_OF(x)

/* Everything a dump needs until it ends; mapped, since it is large. */
struct dump {
  struct hp_block_writer writer;
  struct hp_bytes payload; /* of the block being filled */
  struct hp_bytes part;    /* record being encoded */
  size_t items;            /* in `payload` */
  uint64_t modules;        /* items in the file */
  uint32_t points;         /* items in the file: ids 1 .. points */
  bool points_begun;       /* their file is there */
  uint64_t points_size;    /* its bytes */
  char directory[HP_PATH_SIZE - HP_FILE_NAME_SIZE];
  char program[HP_PATH_SIZE];
};

/* Records that wait to be written, cut into blocks. */
struct records {
  struct hp_bytes bytes;
  struct hp_bytes cuts; /* struct cut [] */
  size_t begin, items;  /* of the block that is being filled */
  uint64_t count;       /* of all */
};
struct cut {
  size_t size, items;
};

/* All that a dump says of a moment, taken while threads wait, and written when
   they do not. */
struct snapshot {
  struct hp_dump_totals totals;
  struct records modules, aggregates;
  struct hp_bytes timeline;
  uint64_t intervals;   /* of the timeline */
  uint64_t short_ticks; /* of the aggregates */
  struct hp_log_counts log;
  uint64_t log_end; /* what hp_log_write() is given */
  struct hp_log_live live;
  const char *log_failure; /* why not all live chunks were kept; NULL */
  uint32_t marks;
  uint64_t lost_marks;
  uint64_t unsettled; /* chunks */
  bool has_modules, has_aggregates;
  int error; /* a negative errno; 0: it was taken */
};

/* All these belong to who has the writer's lock. */
static struct dump *current;
static struct dump *copied; /* the dump of its own that is being written */
static struct snapshot snapshot;
static bool refused; /* it cannot be had, which was said */
static int owner;    /* process id */

static uint64_t since_start(uint64_t ticks) {
  uint64_t start = hp_clock_window_start;
  return ticks > start ? ticks - start : 0;
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
  for (size_t at = 0; at < size; at += hp_text_size(arguments + at) + 1)
    put_text(dump, HP_HEADER_arg, arguments + at);
  hp_sys_unmap(arguments, room);
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
#include "system/options.def"
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

/* ---- records that wait
 * ------------------------------------------------------- */

static void end_block(struct records *records) {
  struct cut cut = {records->bytes.size - records->begin, records->items};
  if (records->items)
    hp_put_bytes(&records->cuts, &cut, sizeof cut);
  records->begin = records->bytes.size;
  records->items = 0;
}

static void add_record(struct records *records, struct hp_bytes *part) {
  hp_put_record(&records->bytes, part);
  records->items++;
  records->count++;
  if (records->bytes.size - records->begin >= PAYLOAD_MAX)
    end_block(records);
}

static bool is_lost(const struct records *records) {
  return records->bytes.failed || records->cuts.failed;
}

static void write_records(struct dump *dump, enum hp_block_kind kind,
                          const struct records *records) {
  const struct cut *cuts = (const void *)records->cuts.data;
  uint8_t *next = records->bytes.data;
  for (size_t i = 0; i < records->cuts.size / sizeof *cuts; i++) {
    struct hp_bytes payload = {.data = next, .size = cuts[i].size};
    hp_block_put(&dump->writer, kind, cuts[i].items, &payload);
    next += cuts[i].size;
  }
}

static void free_records(struct records *records) {
  hp_bytes_free(&records->bytes);
  hp_bytes_free(&records->cuts);
  *records = (struct records){0};
}

/* ---- modules and points
 * ------------------------------------------------------- */

static void put_module(const struct hp_module *module, const char *path,
                       const uint8_t *build_id, const uint8_t *hooked,
                       void *arg) {
  struct hp_bytes *part = arg;
  hp_put_text_field(part, HP_MODULE_path, path);
  hp_put_u64_field(part, HP_MODULE_bias, module->bias);
  hp_put_u64_field(part, HP_MODULE_start, module->start);
  hp_put_u64_field(part, HP_MODULE_end, module->end);
  if (module->build_id_size)
    hp_put_bytes_field(part, HP_MODULE_build_id, build_id,
                       module->build_id_size);
  hp_put_u64_field(part, HP_MODULE_loaded, since_start(module->loaded));
  if (module->unloaded)
    hp_put_u64_field(part, HP_MODULE_unloaded, since_start(module->unloaded));
  hp_put_u64_field(part, HP_MODULE_hooked_functions, module->hooked_functions);
  if (module->hooked_functions)
    hp_put_bytes_field(part, HP_MODULE_hooked, hooked, module->hooked_size);
  add_record(&snapshot.modules, part);
}

/* HELD: the caller has the lock.  Else they may be left out: whoever has it may
   be waiting for a thread that waits for us. */
static void take_modules(bool held) {
  struct hp_bytes part = {0};
  if (!held && !hp_modules_try_lock())
    return;
  hp_modules_each(put_module, &part);
  end_block(&snapshot.modules);
  if (hp_modules_lost() || part.failed || is_lost(&snapshot.modules))
    snapshot.error = -ENOMEM;
  snapshot.has_modules = true;
  if (!held)
    hp_modules_unlock();
  hp_bytes_free(&part);
}

static bool write_modules(struct dump *dump) {
  if (!snapshot.has_modules || !hp_block_file_replace(&dump->writer, "modules"))
    return !dump->writer.failed;
  write_records(dump, HP_BLOCK_MODULES, &snapshot.modules);
  if (!hp_block_file_close(&dump->writer))
    return false;
  dump->modules = snapshot.modules.count;
  return true;
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
  struct hp_chunk_reference *r = (void *)found->data;
  const size_t size = found->size + HP_CHUNK_ORDER_SPARE * sizeof *r;
  struct hp_chunk_reference *scratch = hp_sys_map(size);
  if (!scratch)
    return false;
  size_t count = found->size / sizeof *r, kept = 1;
  hp_chunk_order_sort(r, count, scratch);
  hp_sys_unmap(scratch, size);
  for (size_t i = 1; i < count; i++)
    if (r[i].t0 != r[kept - 1].t0 || r[i].thread != r[kept - 1].thread ||
        r[i].point != r[kept - 1].point)
      r[kept++] = r[i];
  found->size = kept * sizeof *r;
  return true;
}

/* ---- aggregates
 * ------------------------------------------------------------------ */

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
    chunk.flags |= hp_leak_flags(references[*next].chunk);
    hp_put_bytes(chunks, &chunk, sizeof chunk);
  }
}

static void put_overrun(struct hp_bytes *part, struct hp_overrun overrun) {
  const uint64_t numbers[] = {overrun.beyond, overrun.read_pc, overrun.write_pc,
                              overrun.flags};
  uint8_t list[4 * HP_VARINT_MAX], *end = list;
  for (size_t i = 0; i < 4; i++)
    end = hp_varint_at(end, numbers[i]);
  if (overrun.point)
    hp_put_bytes_field(part, HP_AGGREGATE_overrun, list, (size_t)(end - list));
}

/* The aggregates with FOUND, which is what is LIVE at END.  LOG: appends that
   to the log as well, of one look at each chunk: threads that do not allocate
   go on with their accesses. */
static void put_aggregates(const struct hp_bytes *found,
                           const struct hp_live_chunks *live, uint64_t end,
                           bool log) {
  struct hp_bytes chunks = {0}, part = {0};
  size_t next = 0, size = sizeof(struct hp_chunk_reference);
  struct hp_aggregate_totals aggregates;
  hp_aggregate_totals(&aggregates);
  snapshot.short_ticks = aggregates.short_ticks;
  snapshot.unsettled = aggregates.orphans;
  for (uint32_t point = 0;
       point < aggregates.points || next < found->size / size; point++) {
    describe_point(found, &next, point, live, end, &chunks);
    const struct hp_chunk_log *of_point = (const void *)chunks.data;
    size_t count = chunks.size / sizeof *of_point;
    uint64_t doubt = hp_aggregate_doubt(point, of_point, count);
    if (HP_UNLIKELY(doubt != 0)) {
      snapshot.unsettled += doubt;
      count = 0;
    }
    for (size_t i = 0; log && i < count; i++)
      hp_log_append_live(&snapshot.live, &of_point[i]);
    if (hp_aggregate_put(&part, point, since_start(end), of_point, count)) {
      hp_leak_put_held(&part, point);
      put_overrun(&part, hp_overrun_of(point));
      add_record(&snapshot.aggregates, &part);
    }
  }
  end_block(&snapshot.aggregates);
  if (log)
    hp_log_end_live(&snapshot.live);
  if (chunks.failed || part.failed || aggregates.failed)
    snapshot.error = -ENOMEM;
  hp_bytes_free(&chunks);
  hp_bytes_free(&part);
}

static void take_aggregates(const struct hp_live_chunks *live, uint64_t end,
                            bool log) {
  struct hp_bytes found = {0};
  if (find_live(live, end, &found)) {
    put_aggregates(&found, live, end, log);
    snapshot.intervals =
        hp_aggregate_put_timeline(&snapshot.timeline, since_start(end));
    snapshot.has_aggregates = true;
  }
  if (!snapshot.has_aggregates || is_lost(&snapshot.aggregates) ||
      snapshot.timeline.failed)
    snapshot.error = -ENOMEM;
  hp_bytes_free(&found);
}

/* ---- end
 * -------------------------------------------------------------------------- */

static void put_marks(struct dump *dump) {
  uint32_t count;
  uint64_t lost;
  const struct hp_program_mark *marks = hp_marks(&count, &lost);
  for (uint32_t i = 0; i < snapshot.marks; i++) {
    put_u64(dump, HP_END_mark_time, since_start(marks[i].time));
    put_text(dump, HP_END_mark, marks[i].name);
  }
  if (snapshot.lost_marks)
    put_u64(dump, HP_END_lost_marks, snapshot.lost_marks);
}

static void put_end(struct dump *dump) {
  const struct hp_dump_totals *totals = &snapshot.totals;
  struct hp_log_counts log = hp_log_counts();
  const char *failure = log.failure ? log.failure : snapshot.log_failure;
  uint64_t dropped = log.failure ? log.dropped : snapshot.log.dropped;
  put_u64(dump, HP_END_end, since_start(totals->end));
  put_text(dump, HP_END_reason, totals->reason);
  if (totals->exit_status >= 0)
    put_u64(dump, HP_END_exit_status, (uint64_t)totals->exit_status);
  put_u64(dump, HP_END_tick_max, hp_clock_tick_max());
  put_u64(dump, HP_END_modules, dump->modules);
  put_u64(dump, HP_END_points, dump->points);
  put_u64(dump, HP_END_chunks, log.chunks + snapshot.live.chunks);
  put_u64(dump, HP_END_chunk_files, log.file_size || snapshot.live.chunks);
  put_u64(dump, HP_END_dropped_chunks, dropped + snapshot.live.dropped);
  put_u64(dump, HP_END_thinned_chunks,
          snapshot.log.thinned + snapshot.live.thinned);
  if (failure)
    put_text(dump, HP_END_log_failure, failure);
  put_u64(dump, HP_END_back_pressure,
          totals->back_pressure + snapshot.log.overruns);
  put_u64(dump, HP_END_aggregates, snapshot.aggregates.count);
  put_u64(dump, HP_END_intervals, snapshot.intervals);
  put_u64(dump, HP_END_short_ticks, snapshot.short_ticks);
  if (snapshot.unsettled)
    put_u64(dump, HP_END_unsettled_chunks, snapshot.unsettled);
#define HP_END_FIELD(tag, name, type, text)
#define HP_END_COUNTED(tag, name, type, text) put_u64(dump, tag, totals->name);
#define HP_END_SAMPLED(tag, name, type, text)                                  \
  if (is_sampled())                                                            \
    put_u64(dump, tag, totals->name);
#include "heapprof_format.def"
  put_marks(dump);
  dump->items += hp_leak_put_end(&dump->payload, totals->leak_check);
  flush(dump, HP_BLOCK_END);
}

static bool write_end(struct dump *dump) {
  if (!hp_block_file_open(&dump->writer, "end"))
    return false;
  put_end(dump);
  return hp_block_file_close(&dump->writer);
}

/* Replaces the aggregates. */
static bool write_aggregates(struct dump *dump) {
  if (!hp_block_file_replace(&dump->writer, "aggregates"))
    return false;
  write_records(dump, HP_BLOCK_AGGREGATES, &snapshot.aggregates);
  hp_block_put(&dump->writer, HP_BLOCK_TIMELINE, snapshot.intervals,
               &snapshot.timeline);
  put_end(dump);
  return hp_block_file_close(&dump->writer);
}

/* ---- the dump
 * --------------------------------------------------------------------- */

/* NUMBER as in struct hp_dump_totals. */
static bool begin(struct dump *dump, uint32_t number) {
  dump->writer.fd = -1;
  dump->writer.at = HP_SYS_PATHS;
  if (!hp_sys_executable(dump->program, sizeof dump->program))
    hp_real_memcpy(dump->program, "unknown", sizeof "unknown");
  if (!hp_dump_directory_make(dump->directory, sizeof dump->directory,
                              hp_options.dump_dir, dump->program, number) ||
      !hp_block_writer_start(&dump->writer, dump->directory,
                             hp_options.dump_compression))
    return false;
  if (hp_writer_owns_files())
    hp_block_writer_hold(&dump->writer);
  return write_header(dump, number) &&
         hp_block_directory(&dump->writer, "chunks");
}

/* In a forked child, too: whatever the dump's thread was doing, nothing of it
   is lost but memory. */
static void forget(struct dump **at) {
  struct dump *dump = *at;
  if (!dump)
    return;
  __atomic_store_n(at, NULL, __ATOMIC_RELEASE);
  hp_block_writer_end(&dump->writer);
  hp_bytes_free(&dump->payload);
  hp_bytes_free(&dump->part);
  hp_sys_unmap(dump, sizeof *dump);
}

static void begin_dump(struct dump **at, uint32_t number) {
  *at = hp_sys_map(sizeof **at);
  if (!*at)
    hp_dump_say_failure(hp_options.dump_dir, -ENOMEM);
  else if (!begin(*at, number))
    forget(at);
}

/* The window's dump, begun if there is none yet; NULL if it cannot be had. */
static struct dump *get(void) {
  if (!current && !refused) {
    begin_dump(&current, 0);
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
  struct dump *dump = get();
  if (!dump)
    return NULL;
  retry(dump);
  return write_points(dump) ? &dump->writer : NULL;
}

const char *hp_dump_failure(void) {
  return current ? hp_dump_failure_text(current->writer.error)
                 : "there is no dump";
}

/* ---- a moment
 * --------------------------------------------------------------------- */

static void free_snapshot(void) {
  free_records(&snapshot.modules);
  free_records(&snapshot.aggregates);
  hp_bytes_free(&snapshot.timeline);
  hp_log_free_live(&snapshot.live);
  snapshot = (struct snapshot){0};
}

/* To sort what is live takes 48 bytes and 0.2 us a chunk, while the program
   waits. */
static bool is_affordable(void) {
  struct hp_aggregate_totals aggregates;
  hp_aggregate_totals(&aggregates);
  return aggregates.chunks <= CHECKPOINT_LIVE_MAX;
}

void hp_dump_take(enum hp_dump_kind kind, const struct hp_dump_totals *totals,
                  const struct hp_live_chunks *live) {
  free_snapshot();
  snapshot.totals = *totals;
  snapshot.log_end = hp_log_seal();
  snapshot.log = hp_log_counts();
  hp_marks(&snapshot.marks, &snapshot.lost_marks);
  take_modules(kind != HP_DUMP_CHECKPOINT);
  if (kind == HP_DUMP_COPY)
    hp_log_set_aside();
  if (kind != HP_DUMP_CHECKPOINT || is_affordable())
    take_aggregates(live, totals->end, kind != HP_DUMP_CHECKPOINT);
  if (kind == HP_DUMP_COPY)
    hp_log_put_back();
}

void hp_dump_write_checkpoint(void) {
  hp_log_write(snapshot.log_end);
  if (!snapshot.error && hp_dump_ready() && write_header(current, 0) &&
      write_modules(current) && snapshot.has_aggregates)
    write_aggregates(current);
  free_snapshot();
}

/* Adds the live chunks to the log, which has SIZE bytes, as far as they fit. */
static void write_live(struct dump *dump, uint64_t size) {
  struct hp_block_writer *writer = &dump->writer;
  struct hp_log_live *live = &snapshot.live;
  if (!live->chunks)
    return;
  uint64_t written = 0;
  bool opened = size ? hp_block_file_append(writer, HP_LOG_FILE, size)
                     : hp_block_file_open(writer, HP_LOG_FILE);
  for (size_t at = 0; opened && at < live->blocks.size;) {
    struct hp_bytes block = {.data = live->blocks.data + at,
                             .size = hp_block_size(live->blocks.data + at)};
    if (!hp_block_write(writer, &block))
      break;
    written += hp_block_head(block.data).items;
    at += block.size;
  }
  if (opened)
    hp_block_file_close(writer);
  if (!writer->failed)
    return;
  live->dropped += live->chunks - written;
  live->chunks = written;
  snapshot.log_failure = hp_dump_failure_text(writer->error);
  retry(dump);
}

/* All but the ended chunks, of which SIZE bytes are there. */
static void write_rest(struct dump *dump, uint64_t size) {
  retry(dump);
  if (snapshot.error < 0) {
    hp_block_writer_fail(&dump->writer, snapshot.error);
    return;
  }
  /* The header once more: its ticks per second are those of the whole run. */
  if (!write_header(dump, snapshot.totals.number) || !write_modules(dump) ||
      !write_points(dump))
    return;
  write_live(dump, size);
  if (write_aggregates(dump))
    write_end(dump);
}

void hp_dump_write_last(struct hp_dump_written *written) {
  hp_log_write(snapshot.log_end);
  if (get())
    write_rest(current, hp_log_counts().file_size);
  struct hp_log_counts log = hp_log_counts();
  *written =
      (struct hp_dump_written){.bytes = current ? current->writer.written : 0,
                               .chunks = log.chunks + snapshot.live.chunks,
                               .thinned = log.thinned + snapshot.live.thinned,
                               .dropped = log.dropped + snapshot.live.dropped};
  forget(&current);
  free_snapshot();
}

/* The log is copied as it is on disk; what lives is added to the copy. */
bool hp_dump_write_copy(void) {
  bool done = false;
  hp_log_write(snapshot.log_end);
  if (get())
    begin_dump(&copied, snapshot.totals.number);
  if (copied) {
    uint64_t size = hp_log_counts().file_size;
    if (!size || hp_block_file_copy(&copied->writer, &current->writer,
                                    HP_LOG_FILE, size))
      write_rest(copied, size);
    done = !copied->writer.failed;
  }
  forget(&copied);
  free_snapshot();
  return done;
}

void hp_dump_discard(void) {
  static const char *const names[] = {"header", "modules", "points",
                                      "aggregates", HP_LOG_FILE};
  if (!current)
    return;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    hp_block_unlink(&current->writer, names[i]);
  hp_block_rmdir(&current->writer, "chunks");
  hp_block_rmdir(&current->writer, "");
  forget(&current);
}

void hp_dump_let_go(void) {
  if (current)
    hp_block_writer_let_go(&current->writer);
}

static void disown(struct dump *dump) {
  if (!dump)
    return;
  dump->writer.fd = -1;
  dump->writer.at = HP_SYS_PATHS;
}

void hp_dump_after_fork(void) {
  disown(current);
  disown(copied);
}

void hp_dump_start(void) {
  forget(&current);
  forget(&copied);
  free_snapshot();
  refused = false;
  owner = hp_sys_pid();
  hp_log_reset();
}

bool hp_dump_is_ours(void) { return hp_sys_pid() == owner; }
