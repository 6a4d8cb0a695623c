/* export_sqlite.c - a SQLite database: a table for each list of the JSON
   document. It is made in memory and written in one piece, so that it can go to
   a pipe.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "export/exporters.h"

#include <inttypes.h>
#include <sqlite3.h>

#include "base/failure.h"
#include "export/export_number.h"
#include "export/export_text.h"

/* Columns are named like the members of the document heapprof.score/1. */
static const char schema[] =
    "CREATE TABLE warnings(text TEXT);"
    "CREATE TABLE processes(process INTEGER PRIMARY KEY, dump TEXT,"
    " program TEXT, pid INTEGER, parent INTEGER, host TEXT, rank TEXT,"
    " window_ns INTEGER, ended TEXT, complete INTEGER, exit_status INTEGER,"
    " allocations INTEGER, frees INTEGER, failed_requests INTEGER,"
    " threads INTEGER, peak_bytes INTEGER, live_bytes_at_end INTEGER,"
    " dropped_points INTEGER, dropped_chunks INTEGER);"
    "CREATE TABLE points(id INTEGER PRIMARY KEY, process INTEGER, type TEXT,"
    " type_provenance TEXT, element_size INTEGER, elements INTEGER,"
    " function TEXT, file TEXT, line INTEGER, column INTEGER, module TEXT,"
    " chunks INTEGER, bytes INTEGER, peak_bytes INTEGER,"
    " bytes_at_global_peak INTEGER, live_chunks INTEGER, live_bytes INTEGER,"
    " size_min INTEGER, size_mean REAL, size_max INTEGER,"
    " lifetime_ns_min INTEGER, lifetime_ns_mean REAL, lifetime_ns_max INTEGER,"
    " reads INTEGER, writes INTEGER, counts_saturated INTEGER,"
    " bytes_accessed INTEGER, lifetime REAL, usage REAL, useful_lifetime REAL,"
    " useful_lifetime_error REAL, severity REAL, groups INTEGER,"
    " singleton_groups INTEGER, multithread_chunks INTEGER,"
    " freed_elsewhere INTEGER, estimated INTEGER, accesses_known INTEGER,"
    " accesses_shared INTEGER"
#define COLUMN(column, of, member) ", " #column " INTEGER"
    HP_PAGE_COLUMNS(COLUMN)
#undef COLUMN
#define COLUMN(column, member) ", " #column " INTEGER"
        HP_RESIZE_COLUMNS(COLUMN) HP_CONTENTS_COLUMNS(COLUMN)
            HP_INITIALISED_COLUMNS(COLUMN)
#undef COLUMN
#define INTEGER " INTEGER"
#define SCORE " REAL"
#define COLUMN(column, type, member) ", " #column type
                HP_TEARDOWN_COLUMNS(COLUMN)
#undef COLUMN
#undef SCORE
#undef INTEGER
                    ", pool TEXT"
#define COLUMN(column, member) ", " #column " INTEGER"
    HP_BLOCK_COLUMNS(COLUMN)
#undef COLUMN
        ");"
        "CREATE TABLE inferences(point INTEGER, name TEXT, chunks "
        "INTEGER,"
        " bytes INTEGER, flagged INTEGER, PRIMARY KEY(point, name)) "
        "WITHOUT "
        "ROWID;"
        "CREATE TABLE frames(point INTEGER, depth INTEGER, function "
        "TEXT,"
        " file TEXT, line INTEGER, column INTEGER, module TEXT, "
        "address "
        "TEXT,"
        " inlined INTEGER, PRIMARY KEY(point, depth)) WITHOUT ROWID;"
        "CREATE TABLE objects(object INTEGER PRIMARY KEY, size INTEGER,"
        " allocated_function TEXT, allocated_file TEXT,"
        " allocated_line INTEGER, allocated_column INTEGER,"
        " allocated_module TEXT, freed_function TEXT, freed_file TEXT,"
        " freed_line INTEGER, freed_column INTEGER, freed_module TEXT,"
        " freed_by_others_too INTEGER, reallocated INTEGER,"
        " frequency INTEGER, mean_lifetime_ns REAL, ratio REAL);"
        "CREATE TABLE object_points(object INTEGER, point INTEGER,"
        " PRIMARY KEY(object, point)) WITHOUT ROWID;"
        "CREATE TABLE object_frames(object INTEGER, freed INTEGER,"
        " depth INTEGER, function TEXT, file TEXT, line INTEGER,"
        " column INTEGER, module TEXT, address TEXT, inlined INTEGER,"
        " PRIMARY KEY(object, freed, depth)) WITHOUT ROWID;"
        "CREATE TABLE members(type TEXT, member TEXT, kind TEXT,"
        " base TEXT, member_type TEXT, offset INTEGER, size INTEGER,"
        " count INTEGER, stride INTEGER, bit INTEGER, bits INTEGER,"
        " overlaps INTEGER, reads INTEGER, writes INTEGER,"
        " whole_reads INTEGER, bytes_accessed INTEGER,"
        " side_writes INTEGER, first_use_ns INTEGER,"
        " last_use_ns INTEGER, share REAL,"
        " chunks INTEGER, chunks_most INTEGER, chunks_counted INTEGER,"
        " weight REAL);";

/* One statement whose parameters are bound in order. */
struct row {
  sqlite3 *database;
  sqlite3_stmt *statement;
  struct hp_line line;
  int next;
  bool failed;
};

static void begin_table(struct row *r, sqlite3 *database, const char *table,
                        int columns) {
  char sql[256];
  int length = snprintf(sql, sizeof sql, "INSERT INTO %s VALUES(?", table);
  for (int i = 1; i < columns; i++)
    length += snprintf(sql + length, sizeof sql - (size_t)length, ",?");
  snprintf(sql + length, sizeof sql - (size_t)length, ")");
  *r = (struct row){.database = database, .next = 1};
  r->failed =
      sqlite3_prepare_v2(database, sql, -1, &r->statement, NULL) != SQLITE_OK;
}

static void end_row(struct row *r) {
  if (r->failed)
    return;
  r->failed = sqlite3_step(r->statement) != SQLITE_DONE ||
              sqlite3_reset(r->statement) != SQLITE_OK ||
              sqlite3_clear_bindings(r->statement) != SQLITE_OK;
  r->next = 1;
}

static bool end_table(struct row *r) {
  sqlite3_finalize(r->statement);
  hp_line_free(&r->line);
  return !r->failed;
}

static void put_null(struct row *r) { r->next++; }

static void put_integer(struct row *r, uint64_t value) {
  if (!r->failed)
    r->failed = sqlite3_bind_int64(r->statement, r->next++, hp_signed(value)) !=
                SQLITE_OK;
}

/* 0 stands for unknown. */
static void put_known(struct row *r, uint64_t value) {
  if (value)
    put_integer(r, value);
  else
    put_null(r);
}

static void put_real(struct row *r, double value) {
  if (value < 0)
    put_null(r);
  else if (!r->failed)
    r->failed =
        sqlite3_bind_double(r->statement, r->next++, value) != SQLITE_OK;
}

static void put_text(struct row *r, const char *text) {
  if (!text) {
    put_null(r);
    return;
  }
  hp_line_clear(&r->line);
  hp_line_name(&r->line, text, "");
  r->failed = r->failed || r->line.failed ||
              sqlite3_bind_text(r->statement, r->next++, r->line.text, -1,
                                SQLITE_TRANSIENT) != SQLITE_OK;
}

/* Text, as in the JSON document: an address may be above what SQLite counts. */
static void put_address(struct row *r, uint64_t address) {
  char text[20];
  snprintf(text, sizeof text, "0x%" PRIx64, address);
  put_text(r, text);
}

static void put_min_mean_max(struct row *r, const struct hp_min_mean_max *m) {
  if (!m->defined) {
    r->next += 3;
    return;
  }
  put_integer(r, m->min);
  put_real(r, m->mean);
  put_integer(r, m->max);
}

static void put_place(struct row *r, const struct hp_frame *f) {
  static const struct hp_frame none;
  if (!f)
    f = &none;
  put_text(r, f->function);
  put_text(r, f->file);
  put_known(r, hp_sure_line(f));
  put_known(r, f->column);
  put_text(r, f->module);
}

/* ---- tables -------------------------------------------------------------- */

static bool fill_warnings(sqlite3 *database, const struct hp_export *e) {
  struct row r;
  begin_table(&r, database, "warnings", 1);
  for (size_t i = 0; i < hp_profile_note_count(e->profile); i++) {
    put_text(&r, hp_profile_note_at(e->profile, i));
    end_row(&r);
  }
  return end_table(&r);
}

static bool fill_processes(sqlite3 *database, const struct hp_export *e) {
  struct row r;
  begin_table(&r, database, "processes", 19);
  for (size_t i = 0; i < hp_process_count(e->profile); i++) {
    const struct hp_process *p = hp_process_at(e->profile, i);
    put_integer(&r, i + 1);
    put_text(&r, p->dump);
    put_text(&r, p->program);
    put_integer(&r, p->pid);
    put_integer(&r, p->parent);
    put_text(&r, p->host);
    put_text(&r, p->rank);
    put_integer(&r, p->window_ns);
    put_text(&r, p->ended);
    put_integer(&r, p->complete);
    if (p->has_exit_status)
      put_integer(&r, p->exit_status);
    else
      put_null(&r);
    put_integer(&r, p->allocations);
    put_integer(&r, p->frees);
    put_integer(&r, p->failed_requests);
    put_integer(&r, p->threads);
    put_integer(&r, p->peak_bytes);
    put_integer(&r, p->live_bytes_at_end);
    put_integer(&r, p->dropped_points);
    put_integer(&r, p->dropped_chunks);
    end_row(&r);
  }
  return end_table(&r);
}

static void put_process(struct row *r, const struct hp_export *e,
                        const struct hp_process *process) {
  for (size_t i = 0; i < hp_process_count(e->profile); i++)
    if (hp_process_at(e->profile, i) == process) {
      put_integer(r, i + 1);
      return;
    }
  put_null(r);
}

static void put_point(struct row *r, const struct hp_export *e,
                      const struct hp_point *p) {
  put_integer(r, p->id);
  put_process(r, e, p->process);
  put_text(r, p->type);
  put_text(r, p->type_provenance);
  put_known(r, p->element_size);
  put_known(r, p->elements);
  put_place(r, p->site);
  put_integer(r, p->chunks);
  put_integer(r, p->bytes);
  put_integer(r, p->peak_bytes);
  put_integer(r, p->bytes_at_global_peak);
  put_integer(r, p->live_chunks);
  put_integer(r, p->live_bytes);
  put_min_mean_max(r, &p->size);
  put_min_mean_max(r, &p->lifetime_ns);
  put_integer(r, p->reads);
  put_integer(r, p->writes);
  put_integer(r, p->counts_saturated);
  put_integer(r, p->bytes_accessed);
  put_real(r, p->scores.lifetime);
  put_real(r, p->scores.usage);
  put_real(r, p->scores.useful_lifetime);
  if (p->scores.useful_lifetime < 0 && p->scores.useful_lifetime_error <= 0)
    put_null(r);
  else
    put_real(r, p->scores.useful_lifetime_error);
  put_real(r, p->severity);
  put_integer(r, p->groups);
  put_integer(r, p->singleton_groups);
  put_integer(r, p->multithread_chunks);
  put_integer(r, p->freed_elsewhere);
  put_integer(r, p->estimated);
  put_integer(r, p->accesses_known);
  put_integer(r, p->accesses_shared);
#define PUT(column, of, member)                                                \
  if (p->of.chunks)                                                            \
    put_integer(r, p->of.member);                                              \
  else                                                                         \
    put_null(r);
  HP_PAGE_COLUMNS(PUT)
#undef PUT
#define PUT(column, member)                                                    \
  if (p->resizes.calls)                                                        \
    put_integer(r, p->resizes.member);                                         \
  else                                                                         \
    put_null(r);
  HP_RESIZE_COLUMNS(PUT)
#undef PUT
#define PUT(column, member)                                                    \
  if (p->contents.chunks)                                                      \
    put_integer(r, p->contents.member);                                        \
  else                                                                         \
    put_null(r);
  HP_CONTENTS_COLUMNS(PUT)
#undef PUT
#define PUT(column, member)                                                    \
  if (p->initialised.chunks)                                                   \
    put_integer(r, p->initialised.member);                                     \
  else                                                                         \
    put_null(r);
  HP_INITIALISED_COLUMNS(PUT)
#undef PUT
#define INTEGER put_integer
#define SCORE put_real
#define PUT(column, type, member)                                              \
  if (p->teardown.watched)                                                     \
    type(r, p->teardown.member);                                               \
  else                                                                         \
    put_null(r);
  HP_TEARDOWN_COLUMNS(PUT)
#undef PUT
#undef SCORE
#undef INTEGER
  put_text(r, p->pool);
#define PUT(column, member)                                                    \
  if (p->blocks.chunks)                                                        \
    put_integer(r, p->blocks.member);                                          \
  else                                                                         \
    put_null(r);
  HP_BLOCK_COLUMNS(PUT)
#undef PUT
  end_row(r);
}

static bool fill_points(sqlite3 *database, const struct hp_export *e) {
  struct row r;
#define ONE(column, of, member) +1
#define ALSO(column, member) +1
#define AND(column, type, member) +1
  begin_table(&r, database, "points",
              40 HP_PAGE_COLUMNS(ONE) HP_RESIZE_COLUMNS(ALSO)
                  HP_TEARDOWN_COLUMNS(AND) HP_CONTENTS_COLUMNS(ALSO)
                      HP_INITIALISED_COLUMNS(ALSO) HP_BLOCK_COLUMNS(ALSO));
#undef ONE
#undef ALSO
#undef AND
  for (size_t i = 0; i < e->count && !r.failed; i++)
    put_point(&r, e, e->points[i]);
  return end_table(&r);
}

static bool fill_inferences(sqlite3 *database, const struct hp_export *e) {
  struct row r;
  begin_table(&r, database, "inferences", 5);
  for (size_t i = 0; i < e->count; i++)
    for (int k = 0; k < HP_INF_COUNT && !r.failed; k++) {
      const struct hp_inference_value *v = &e->points[i]->inferences[k];
      put_integer(&r, e->points[i]->id);
      put_text(&r, hp_inference_name((enum hp_inference)k));
      put_integer(&r, v->chunks);
      put_integer(&r, v->bytes);
      put_integer(&r, v->flagged);
      end_row(&r);
    }
  return end_table(&r);
}

static void put_frame(struct row *r, const struct hp_frame *f) {
  put_place(r, f);
  put_address(r, f->address);
  put_integer(r, f->inlined);
  end_row(r);
}

static bool fill_frames(sqlite3 *database, const struct hp_export *e) {
  struct row r;
  begin_table(&r, database, "frames", 9);
  for (size_t i = 0; i < e->count; i++)
    for (size_t k = 0; k < e->points[i]->stack_count && !r.failed; k++) {
      put_integer(&r, e->points[i]->id);
      put_integer(&r, k);
      put_frame(&r, e->points[i]->stack[k]);
    }
  return end_table(&r);
}

static void put_object(struct row *r, size_t number,
                       const struct hp_made_object *o) {
  put_integer(r, number);
  if (o->sizes_vary)
    put_null(r);
  else
    put_integer(r, o->size);
  put_place(r, o->allocated_by);
  put_place(r, o->freed_by);
  put_integer(r, o->callers_vary);
  put_integer(r, o->reallocated);
  put_integer(r, o->frequency);
  put_real(r, o->mean_lifetime_ns);
  put_real(r, o->ratio);
  end_row(r);
}

static void put_object_stack(struct row *r, size_t number, bool is_freed,
                             const struct hp_frame *const *stack,
                             size_t count) {
  for (size_t k = 0; k < count && !r->failed; k++) {
    put_integer(r, number);
    put_integer(r, is_freed);
    put_integer(r, k);
    put_frame(r, stack[k]);
  }
}

static bool fill_object_tables(sqlite3 *database, const hp_objects *objects) {
  struct row rows, points, frames;
  begin_table(&rows, database, "objects", 17);
  begin_table(&points, database, "object_points", 2);
  begin_table(&frames, database, "object_frames", 10);
  for (size_t i = 0; i < hp_object_count(objects) && !rows.failed; i++) {
    const struct hp_made_object *o = hp_object_at(objects, i);
    put_object(&rows, i + 1, o);
    for (size_t k = 0; k < o->point_count && !points.failed; k++) {
      put_integer(&points, i + 1);
      put_integer(&points, o->points[k]);
      end_row(&points);
    }
    put_object_stack(&frames, i + 1, false, o->allocated, o->allocated_count);
    put_object_stack(&frames, i + 1, true, o->freed, o->freed_count);
  }
  const bool filled = end_table(&rows);
  const bool linked = end_table(&points);
  return end_table(&frames) && filled && linked;
}

/* Most frequent first, by caller. */
static bool fill_objects(sqlite3 *database, const struct hp_export *e) {
  hp_objects *objects;
  struct hp_error error;
  if (hp_objects_make(&objects, e->points, e->count, false, &error) != HP_OK)
    return false;
  const bool filled = fill_object_tables(database, objects);
  hp_objects_free(objects);
  return filled;
}

static void put_if(struct row *r, bool is_known, uint64_t value) {
  if (is_known)
    put_integer(r, value);
  else
    put_null(r);
}

static void put_member(struct row *r, const struct hp_member_type *t,
                       const struct hp_member *m) {
  put_text(r, t->type);
  put_text(r, m->name);
  put_text(r, hp_member_kind_name(m->kind));
  put_text(r, m->base);
  put_text(r, m->type);
  put_integer(r, m->offset);
  put_integer(r, m->size);
  put_integer(r, m->count);
  put_known(r, m->stride);
  put_if(r, m->bits, m->bit);
  put_known(r, m->bits);
  put_integer(r, m->overlaps);
  put_integer(r, m->reads);
  put_integer(r, m->writes);
  put_integer(r, m->whole_reads);
  put_integer(r, m->bytes_accessed);
  put_integer(r, m->side_writes);
  put_if(r, m->last_use_ns, m->first_use_ns);
  put_known(r, m->last_use_ns);
  put_real(r, m->share);
  put_integer(r, m->chunks);
  put_if(r, m->chunks_most != UINT64_MAX, m->chunks_most);
  put_integer(r, t->chunks_counted);
  put_real(r, t->weight);
  end_row(r);
}

/* Of types of which something was counted. */
static bool fill_members(sqlite3 *database, const struct hp_export *e) {
  hp_member_types *types;
  struct hp_error error;
  struct row rows;
  if (hp_member_types_make(&types, e->profile, e->points, e->count, UINT64_MAX,
                           &error) != HP_OK)
    return false;
  begin_table(&rows, database, "members", 24);
  for (size_t i = 0; i < hp_member_types_count(types); i++) {
    const struct hp_member_type *t = hp_member_types_at(types, i);
    for (size_t k = 0; k < t->count && !rows.failed; k++)
      put_member(&rows, t, &t->members[k]);
  }
  hp_member_types_free(types);
  return end_table(&rows);
}

static bool run(sqlite3 *database, const char *sql) {
  return sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static bool fill(sqlite3 *database, const struct hp_export *e) {
  return run(database, schema) && run(database, "BEGIN") &&
         fill_warnings(database, e) && fill_processes(database, e) &&
         fill_points(database, e) && fill_inferences(database, e) &&
         fill_frames(database, e) && fill_objects(database, e) &&
         fill_members(database, e) && run(database, "COMMIT");
}

hp_status hp_export_sqlite(FILE *out, const struct hp_export *e,
                           struct hp_error *error) {
  sqlite3 *database = NULL;
  unsigned char *bytes = NULL;
  sqlite3_int64 size = 0;
  hp_status status = HP_OK;
  if (sqlite3_open(":memory:", &database) == SQLITE_OK && fill(database, e))
    bytes = sqlite3_serialize(database, "main", &size, 0);
  if (bytes)
    fwrite(bytes, 1, (size_t)size, out);
  else
    status = hp_fail(error, HP_E_MEMORY, "sqlite: %s",
                     database ? sqlite3_errmsg(database) : "out of memory");
  sqlite3_free(bytes);
  sqlite3_close(database);
  return status;
}
