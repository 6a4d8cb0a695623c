/* budget.c - reads a budget with jansson and refuses what it does not know.
   A misspelt member would otherwise be a limit that nobody checks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "budget.h"

#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define HP_BUDGET_SCHEMA "heapprof.budget/1"

static const char *const scopes[] = {"whole", "function", "type",
                                     "file",  "module",   "place"};
static const char *const metrics[] = {
    "chunks",     "bytes",    "peak_bytes", "live_chunks",
    "live_bytes", "reads",    "writes",     "lost_chunks",
    "lost_bytes", "lifetime", "usage",      "useful_lifetime"};
_Static_assert(sizeof scopes / sizeof *scopes == HP_SCOPE_COUNT, "names");
_Static_assert(sizeof metrics / sizeof *metrics == HP_BUDGET_METRIC_COUNT,
               "names");

const char *hp_scope_name(enum hp_scope scope) { return scopes[scope]; }

const char *hp_scope_grouping(enum hp_scope scope) {
  return scope == HP_SCOPE_PLACE      ? "place_function"
         : scope == HP_SCOPE_FUNCTION ? "site_function"
                                      : scopes[scope];
}

bool hp_scope_parse(const char *name, enum hp_scope *scope) {
  for (int i = 0; i < HP_SCOPE_COUNT; i++)
    if (strcmp(name, scopes[i]) == 0) {
      *scope = (enum hp_scope)i;
      return true;
    }
  return false;
}

const char *hp_budget_metric_name(enum hp_budget_metric metric) {
  return metrics[metric];
}

/* ---- reading ------------------------------------------------------------- */

struct reader {
  struct hp_budget *budget;
  const char *path;
  size_t entry; /* from 1 */
  struct hp_error *error;
};

static bool fail(const struct reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool fail(const struct reader *r, const char *format, ...) {
  va_list arguments;
  char *text = r->error->text;
  size_t size = sizeof r->error->text;
  int length =
      r->entry
          ? snprintf(text, size, "%s: entry %zu of budget: ", r->path, r->entry)
          : snprintf(text, size, "%s: ", r->path);
  r->error->status = HP_E_ARGUMENT;
  if (length < 0 || (size_t)length >= size)
    return false;
  va_start(arguments, format);
  vsnprintf(text + length, size - (size_t)length, format, arguments);
  va_end(arguments);
  for (char *c = text; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 0x7f)
      *c = '?';
  return false;
}

static bool find_metric(const char *name, enum hp_budget_metric *metric) {
  for (int i = 0; i < HP_BUDGET_METRIC_COUNT; i++)
    if (strcmp(name, metrics[i]) == 0) {
      *metric = (enum hp_budget_metric)i;
      return true;
    }
  return false;
}

static bool read_bound(const struct reader *r, const char *key,
                       const json_t *value, struct hp_limit *limit) {
  struct hp_amount *bound = &limit->bound;
  if (!find_metric(key, &limit->metric))
    return fail(r,
                "no metric is named \"%s\"; metrics are chunks, bytes, "
                "peak_bytes, live_chunks, live_bytes, reads, writes, "
                "lost_chunks, lost_bytes, "
                "lifetime, usage, useful_lifetime",
                key);
  bound->defined = true;
  if (hp_is_score(limit->metric)) {
    bound->score = json_number_value(value);
    return (json_is_number(value) && bound->score >= 0 && bound->score <= 1) ||
           fail(r, "\"%s\" must be a number from 0 to 1", key);
  }
  if (!json_is_integer(value) || json_integer_value(value) < 0)
    return fail(r, "\"%s\" must be a whole number, 0 or more", key);
  bound->count = (uint64_t)json_integer_value(value);
  return true;
}

static bool add_limits(struct reader *r, json_t *bounds, const char *which,
                       const struct hp_limit *common) {
  struct hp_budget *b = r->budget;
  const char *key;
  json_t *value;
  if (!bounds)
    return true;
  if (!json_is_object(bounds))
    return fail(r, "\"%s\" must be an object of metrics", which);
  json_object_foreach(bounds, key, value) {
    struct hp_limit *limits =
        reallocarray(b->limits, b->count + 1, sizeof *limits);
    if (!limits)
      return fail(r, "out of memory");
    b->limits = limits;
    limits[b->count] = *common;
    limits[b->count].is_min = strcmp(which, "min") == 0;
    if (!read_bound(r, key, value, &limits[b->count]))
      return false;
    b->count++;
  }
  return true;
}

static bool only_members(const struct reader *r, json_t *object,
                         const char *const *known) {
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value) {
    const char *const *k = known;
    while (*k && strcmp(*k, key) != 0)
      k++;
    if (!*k)
      return fail(r, "there is no member \"%s\"", key);
  }
  return true;
}

static bool read_entry(struct reader *r, json_t *entry) {
  static const char *const known[] = {"of", "name", "max", "min", NULL};
  struct hp_limit common = {.scope = HP_SCOPE_WHOLE};
  json_t *of, *name;
  size_t before = r->budget->count;
  if (!json_is_object(entry))
    return fail(r, "must be an object");
  if (!only_members(r, entry, known))
    return false;
  of = json_object_get(entry, "of");
  name = json_object_get(entry, "name");
  if (!json_is_string(of) ||
      !hp_scope_parse(json_string_value(of), &common.scope))
    return fail(r,
                "\"of\" must be whole, place, function, type, file or module");
  if (common.scope == HP_SCOPE_WHOLE && name)
    return fail(r, "\"name\" has no meaning for the whole");
  if (common.scope != HP_SCOPE_WHOLE && !json_is_string(name))
    return fail(r, "\"name\" must say which %s", hp_scope_name(common.scope));
  common.name = json_string_value(name);
  if (!add_limits(r, json_object_get(entry, "max"), "max", &common) ||
      !add_limits(r, json_object_get(entry, "min"), "min", &common))
    return false;
  return r->budget->count > before ||
         fail(r, "limits nothing; give \"max\" or \"min\"");
}

static bool read_document(struct reader *r, json_t *document) {
  static const char *const known[] = {"schema", "budget", NULL};
  json_t *entries, *entry;
  const char *schema;
  size_t i;
  if (!json_is_object(document))
    return fail(r, "must be an object");
  schema = json_string_value(json_object_get(document, "schema"));
  if (!schema || strcmp(schema, HP_BUDGET_SCHEMA) != 0)
    return fail(r, "\"schema\" must be \"" HP_BUDGET_SCHEMA "\"");
  if (!only_members(r, document, known))
    return false;
  entries = json_object_get(document, "budget");
  if (!json_is_array(entries))
    return fail(r, "\"budget\" must be an array");
  json_array_foreach(entries, i, entry) {
    r->entry = i + 1;
    if (!read_entry(r, entry))
      return false;
  }
  r->entry = 0;
  return r->budget->count || fail(r, "limits nothing at all");
}

bool hp_budget_read(struct hp_budget *budget, const char *path,
                    struct hp_error *error) {
  struct reader r = {.budget = budget, .path = path, .error = error};
  json_error_t wrong;
  json_t *document = NULL;
  bool readable;
  FILE *file = fopen(path, "r");
  if (file)
    document = json_loadf(file, JSON_REJECT_DUPLICATES, &wrong);
  readable = file && !ferror(file);
  *budget = (struct hp_budget){.document = document};
  if (!readable) {
    fail(&r, "%s", strerror(errno));
    error->status = HP_E_OPEN;
  }
  if (file)
    fclose(file);
  if (readable && !document)
    return fail(&r, "line %d, column %d: %s", wrong.line, wrong.column,
                wrong.text);
  return readable && read_document(&r, document);
}

void hp_budget_free(struct hp_budget *budget) {
  free(budget->limits);
  json_decref(budget->document);
  *budget = (struct hp_budget){0};
}
