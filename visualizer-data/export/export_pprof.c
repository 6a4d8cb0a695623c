/* export_pprof.c - pprof's profile.proto, compressed by gzip as it must be.
   A sample per point; a location per address, with the lines inlined there.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "export/exporters.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST 1 /* next_in points to const bytes */
#include <zlib.h>

#include "base/failure.h"
#include "base/growing_array.h"
#include "base/numbered_text.h"
#include "base/saturate.h"
#include "export/export_number.h"
#include "export/export_text.h"
#include "export/protobuf.h"

/* The first four are the names every reader of heap profiles knows.  The
   lifetime comes behind all of these. */
static const struct {
  enum hp_export_metric metric;
  const char *name;
} sample_types[] = {{HP_EXPORT_chunks, "alloc_objects"},
                    {HP_EXPORT_bytes, "alloc_space"},
                    {HP_EXPORT_live_chunks, "inuse_objects"},
                    {HP_EXPORT_live_bytes, "inuse_space"},
                    {HP_EXPORT_bytes_at_global_peak, "peak_space"},
                    {HP_EXPORT_unused, "unused_space"},
                    {HP_EXPORT_write_only, "write_only_space"},
                    {HP_EXPORT_bytes_accessed, "accessed_space"},
                    {HP_EXPORT_reads, "reads"},
                    {HP_EXPORT_writes, "writes"}};
#define SAMPLE_TYPES (sizeof sample_types / sizeof *sample_types)

/* Fields of profile.proto, by message. */
enum {
  PROFILE_SAMPLE_TYPE = 1,
  PROFILE_SAMPLE,
  PROFILE_MAPPING,
  PROFILE_LOCATION,
  PROFILE_FUNCTION,
  PROFILE_STRING,
  PROFILE_DURATION = 10,
  PROFILE_PERIOD_TYPE,
  PROFILE_PERIOD,
  PROFILE_COMMENT,
  PROFILE_DEFAULT_TYPE
};
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STRING, LABEL_NUMBER };
enum {
  MAPPING_ID = 1,
  MAPPING_START,
  MAPPING_LIMIT,
  MAPPING_FILE = 5,
  MAPPING_FUNCTIONS = 7,
  MAPPING_FILES,
  MAPPING_LINES,
  MAPPING_INLINED
};
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_LINE, LINE_COLUMN };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE };

/* A module; addresses are those of its ELF file, so each begins at 0. */
struct mapping {
  uint64_t limit;
  size_t file; /* number of its string */
  bool symbols;
};

struct pprof {
  z_stream gzip;
  FILE *out;
  struct hp_numbered strings, functions, locations, modules;
  struct mapping *mappings; /* by number of the module */
  size_t mapping_capacity;
  uint64_t *ids; /* the locations of one stack */
  size_t id_capacity;
  struct hp_line line;
  struct hp_message outer, message, inner, label;
  bool failed;
};

/* ---- compressing --------------------------------------------------------- */

static void compress_bytes(struct pprof *p, const void *bytes, size_t size,
                           int flush) {
  unsigned char out[16384];
  p->gzip.next_in = bytes;
  do {
    p->gzip.avail_in = size > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uInt)size;
    size -= p->gzip.avail_in;
    do {
      p->gzip.next_out = out;
      p->gzip.avail_out = sizeof out;
      deflate(&p->gzip, size ? Z_NO_FLUSH : flush);
      fwrite(out, 1, sizeof out - p->gzip.avail_out, p->out);
    } while (p->gzip.avail_out == 0);
  } while (size);
}

/* Writes the finished field p->outer. */
static void put_outer(struct pprof *p) {
  if (p->outer.failed)
    p->failed = true;
  else
    compress_bytes(p, p->outer.bytes, p->outer.size, Z_NO_FLUSH);
  hp_message_clear(&p->outer);
}

/* Writes M as FIELD of the profile and empties it. */
static void put_field(struct pprof *p, unsigned field, struct hp_message *m) {
  hp_message_nested(&p->outer, field, m);
  hp_message_clear(m);
  put_outer(p);
}

static void put_number(struct pprof *p, unsigned field, uint64_t value) {
  hp_message_integer(&p->outer, field, value);
  put_outer(p);
}

/* ---- strings ------------------------------------------------------------- */

/* Numbers the text of p->line.  Without memory 0, the empty string. */
static size_t string_of_line(struct pprof *p) {
  size_t number =
      p->line.failed ? HP_NO_NUMBER : hp_number_of(&p->strings, p->line.text);
  if (number != HP_NO_NUMBER)
    return number;
  p->failed = true;
  return 0;
}

static size_t string_of(struct pprof *p, const char *text) {
  hp_line_clear(&p->line);
  hp_line_name(&p->line, text, "");
  return string_of_line(p);
}

static void put_string(void *context, const char *text) {
  struct pprof *p = context;
  hp_message_bytes(&p->outer, PROFILE_STRING, text, strlen(text));
  put_outer(p);
}

/* ---- modules, functions, locations --------------------------------------- */

static size_t mapping_of(struct pprof *p, const char *module) {
  size_t number = hp_number_of(&p->modules, module);
  if (number == HP_NO_NUMBER) {
    p->failed = true;
    return number;
  }
  if (number >= p->mapping_capacity) {
    size_t capacity = 2 * number + 16;
    struct mapping *mappings =
        reallocarray(p->mappings, capacity, sizeof *mappings);
    if (!mappings) {
      p->failed = true;
      return HP_NO_NUMBER;
    }
    memset(mappings + p->mapping_capacity, 0,
           (capacity - p->mapping_capacity) * sizeof *mappings);
    p->mappings = mappings;
    p->mapping_capacity = capacity;
  }
  p->mappings[number].file = string_of(p, module);
  return number;
}

static void put_mappings(struct pprof *p) {
  for (size_t i = 0; i < p->modules.count; i++) {
    const struct mapping *m = &p->mappings[i];
    hp_message_integer(&p->message, MAPPING_ID, i + 1);
    hp_message_integer(&p->message, MAPPING_START, 0);
    hp_message_integer(&p->message, MAPPING_LIMIT, m->limit);
    hp_message_integer(&p->message, MAPPING_FILE, m->file);
    for (unsigned has = MAPPING_FUNCTIONS; has <= MAPPING_INLINED; has++)
      hp_message_integer(&p->message, has, m->symbols);
    put_field(p, PROFILE_MAPPING, &p->message);
  }
}

/* The id of F's function, which is written when it is new. */
static uint64_t function_of(struct pprof *p, const struct hp_frame *f) {
  size_t before = p->functions.count, number, name, file;
  hp_line_clear(&p->line);
  hp_line_function(&p->line, f, "");
  name = string_of_line(p);
  file = string_of(p, f->file ? f->file : "");
  hp_line_clear(&p->line);
  hp_line_print(&p->line, "%zu %zu", name, file);
  number =
      p->line.failed ? HP_NO_NUMBER : hp_number_of(&p->functions, p->line.text);
  if (number == HP_NO_NUMBER) {
    p->failed = true;
    return 0;
  }
  if (p->functions.count > before) {
    struct hp_message *m = &p->label; /* p->message holds the location */
    hp_message_integer(m, FUNCTION_ID, number + 1);
    hp_message_integer(m, FUNCTION_NAME, name);
    hp_message_integer(m, FUNCTION_SYSTEM_NAME, name);
    hp_message_integer(m, FUNCTION_FILE, file);
    put_field(p, PROFILE_FUNCTION, m);
  }
  return number + 1;
}

static void put_location(struct pprof *p, uint64_t id,
                         const struct hp_frame *const *frames, size_t count) {
  const struct hp_frame *f = frames[count - 1];
  size_t mapping = f->module ? mapping_of(p, f->module) : HP_NO_NUMBER;
  hp_message_integer(&p->message, LOCATION_ID, id);
  if (mapping != HP_NO_NUMBER) {
    struct mapping *m = &p->mappings[mapping];
    hp_message_integer(&p->message, LOCATION_MAPPING, mapping + 1);
    if (f->address >= m->limit)
      m->limit = hp_add(f->address, 1);
    m->symbols = m->symbols || f->function;
  }
  hp_message_integer(&p->message, LOCATION_ADDRESS, f->address);
  for (size_t i = 0; i < count && frames[i]->function; i++) {
    hp_message_integer(&p->inner, LINE_FUNCTION, function_of(p, frames[i]));
    hp_message_integer(&p->inner, LINE_LINE, hp_sure_line(frames[i]));
    hp_message_integer(&p->inner, LINE_COLUMN, frames[i]->column);
    hp_message_nested(&p->message, LOCATION_LINE, &p->inner);
    hp_message_clear(&p->inner);
  }
  put_field(p, PROFILE_LOCATION, &p->message);
}

/* The key has the number of frames, too: a stack begins within what is inlined
   at an address if the rest is the allocator's. */
static uint64_t location_of(struct pprof *p,
                            const struct hp_frame *const *frames,
                            size_t count) {
  const struct hp_frame *f = frames[count - 1];
  size_t before = p->locations.count, number;
  hp_line_clear(&p->line);
  hp_line_print(&p->line, "%zu %" PRIx64 " %s", count, f->address,
                f->module ? f->module : "");
  number =
      p->line.failed ? HP_NO_NUMBER : hp_number_of(&p->locations, p->line.text);
  if (number == HP_NO_NUMBER) {
    p->failed = true;
    return 0;
  }
  if (p->locations.count > before)
    put_location(p, number + 1, frames, count);
  return number + 1;
}

/* ---- samples ------------------------------------------------------------- */

static size_t find_locations(struct pprof *p, const struct hp_point *point) {
  size_t n = 0, first = 0;
  if (!hp_room_for((void **)&p->ids, 0, point->stack_count, &p->id_capacity,
                   sizeof *p->ids)) {
    p->failed = true;
    return 0;
  }
  for (size_t i = 0; i < point->stack_count; i++)
    if (!point->stack[i]->inlined || i + 1 == point->stack_count) {
      p->ids[n++] = location_of(p, &point->stack[first], i + 1 - first);
      first = i + 1;
    }
  return n;
}

static void add_label(struct pprof *p, const char *key, const char *text,
                      uint64_t number) {
  hp_message_integer(&p->label, LABEL_KEY, string_of(p, key));
  if (text)
    hp_message_integer(&p->label, LABEL_STRING, string_of(p, text));
  else
    hp_message_integer(&p->label, LABEL_NUMBER, number);
  hp_message_nested(&p->message, SAMPLE_LABEL, &p->label);
  hp_message_clear(&p->label);
}

static void put_sample(struct pprof *p, const struct hp_point *point) {
  uint64_t values[SAMPLE_TYPES + 1];
  size_t locations = find_locations(p, point);
  for (size_t i = 0; i < SAMPLE_TYPES; i++)
    values[i] =
        (uint64_t)hp_signed(hp_export_metric_of(sample_types[i].metric, point));
  values[SAMPLE_TYPES] = (uint64_t)hp_signed(hp_export_lifetime_ns(point));
  hp_message_packed(&p->message, SAMPLE_LOCATION, p->ids, locations);
  hp_message_packed(&p->message, SAMPLE_VALUE, values, SAMPLE_TYPES + 1);
  add_label(p, "point", NULL, point->id);
  if (point->type)
    add_label(p, "type", point->type, 0);
  if (point->process) {
    add_label(p, "pid", NULL, point->process->pid);
    if (point->process->host)
      add_label(p, "host", point->process->host, 0);
    if (point->process->rank)
      add_label(p, "rank", point->process->rank, 0);
  }
  put_field(p, PROFILE_SAMPLE, &p->message);
}

/* ---- the profile --------------------------------------------------------- */

static void put_value_type(struct pprof *p, unsigned field, const char *type,
                           const char *unit) {
  hp_message_integer(&p->message, TYPE_TYPE, string_of(p, type));
  hp_message_integer(&p->message, TYPE_UNIT, string_of(p, unit));
  put_field(p, field, &p->message);
}

static void put_profile(struct pprof *p, const struct hp_export *e) {
  uint64_t duration = 0;
  string_of(p, ""); /* number 0 must be the empty string */
  for (size_t i = 0; i < SAMPLE_TYPES; i++)
    put_value_type(p, PROFILE_SAMPLE_TYPE, sample_types[i].name,
                   hp_export_metric_unit(sample_types[i].metric));
  put_value_type(p, PROFILE_SAMPLE_TYPE, "lifetime", "nanoseconds");
  put_value_type(p, PROFILE_PERIOD_TYPE, "space", "bytes");
  put_number(p, PROFILE_PERIOD, 1);
  put_number(p, PROFILE_DEFAULT_TYPE, string_of(p, "peak_space"));
  for (size_t i = 0; i < hp_process_count(e->profile); i++) {
    const struct hp_process *process = hp_process_at(e->profile, i);
    if (i == 0)
      mapping_of(p, process->program); /* the first is the main program */
    if (process->window_ns > duration)
      duration = process->window_ns;
  }
  put_number(p, PROFILE_DURATION, (uint64_t)hp_signed(duration));
  for (size_t i = 0; i < hp_profile_note_count(e->profile); i++)
    put_number(p, PROFILE_COMMENT,
               string_of(p, hp_profile_note_at(e->profile, i)));
  for (size_t i = 0; i < e->count && !p->failed && !ferror(p->out); i++)
    put_sample(p, e->points[i]);
  put_mappings(p);
  hp_numbered_each(&p->strings, put_string, p);
}

hp_status hp_export_pprof(FILE *out, const struct hp_export *e,
                          struct hp_error *error) {
  enum { GZIP = 16 }; /* added to the bits of the window: a gzip header */
  struct pprof p = {.out = out};
  if (deflateInit2(&p.gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP,
                   8, Z_DEFAULT_STRATEGY) != Z_OK)
    return hp_fail_memory(error);
  put_profile(&p, e);
  compress_bytes(&p, NULL, 0, Z_FINISH);
  deflateEnd(&p.gzip);
  hp_numbered_free(&p.strings);
  hp_numbered_free(&p.functions);
  hp_numbered_free(&p.locations);
  hp_numbered_free(&p.modules);
  hp_line_free(&p.line);
  hp_message_free(&p.outer);
  hp_message_free(&p.message);
  hp_message_free(&p.inner);
  hp_message_free(&p.label);
  free(p.mappings);
  free(p.ids);
  return p.failed ? hp_fail_memory(error) : HP_OK;
}
