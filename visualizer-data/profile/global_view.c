/* global_view.c - see heapprof_globals.h: pages from the dump, names from the files.
   A variable has the bytes of resident pages that it covers.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heapprof_globals.h"

#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "profile/profile_inside.h"
#include "resolve/demangle.h"
#include "resolve/global_symbols.h"

#define PAGE UINT64_C(4096)

struct hp_globals {
  struct hp_store store;
  struct hp_global_module *all;
  size_t count;
};

/* Bytes of [BEGIN, END) that RUNS cover. */
static uint64_t covered(const struct hp_page_run *runs, size_t count,
                        uint64_t begin, uint64_t end) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < count && runs[i].first * PAGE < end; i++) {
    const uint64_t from = runs[i].first * PAGE;
    const uint64_t to = from + runs[i].count * PAGE;
    const uint64_t least = from > begin ? from : begin;
    const uint64_t most = to < end ? to : end;
    bytes += least < most ? most - least : 0;
  }
  return bytes;
}

/* Without a version, and as a user wrote it. */
static const char *name_of(struct hp_store *store, const char *symbol) {
  char *readable = hp_demangle(symbol);
  const char *name = readable
                         ? hp_store_text(store, readable, strlen(readable))
                         : hp_store_text(store, symbol, strcspn(symbol, "@"));
  free(readable);
  return name;
}

static int by_size(const void *left, const void *right) {
  const struct hp_variable *a = left, *b = right;
  if (a->bytes != b->bytes)
    return a->bytes < b->bytes ? 1 : -1;
  return strcmp(a->name, b->name);
}

/* Names of the runtime, where it is linked into the module. */
static bool is_runtimes(const char *symbol) {
  static const char *const begins[] = {"hp_", "__heapprof_", "_ZN11__sanitizer",
                                       "_ZN14__interception"};
  for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
    if (strncmp(symbol, begins[i], strlen(begins[i])) == 0)
      return true;
  return false;
}

static bool has_runtime(const struct hp_global_symbols *symbols) {
  for (size_t i = 0; i < symbols->count; i++)
    if (strcmp(symbols->all[i].name, "hp_heap_masks") == 0)
      return true;
  return false;
}

/* Variables that cannot be written any more lie outside of all ranges. */
static hp_status describe_variables(struct hp_store *store,
                                    struct hp_global_module *to,
                                    const struct hp_global_sum *sum,
                                    const struct hp_global_symbols *symbols,
                                    struct hp_error *error) {
  struct hp_variable *all = hp_store_take(store, symbols->count, sizeof *all);
  const bool mixed = has_runtime(symbols);
  if (!all)
    return hp_fail_memory(error);
  for (size_t i = 0; i < symbols->count; i++) {
    const struct hp_global_symbol *s = &symbols->all[i];
    const uint64_t end = s->vaddr + s->size;
    if (end < s->vaddr || (mixed && is_runtimes(s->name)) ||
        (!s->is_thread_local &&
         !covered(sum->ranges, sum->range_count, s->vaddr, end)))
      continue;
    struct hp_variable *v = &all[to->variable_count++];
    *v = (struct hp_variable){.name = name_of(store, s->name),
                              .bytes = s->size,
                              .is_thread_local = s->is_thread_local};
    if (!s->is_thread_local)
      v->resident_bytes = covered(sum->pages, sum->page_count, s->vaddr, end);
    if (!v->name)
      return hp_fail_memory(error);
  }
  if (to->variable_count > 1)
    qsort(all, to->variable_count, sizeof *all, by_size);
  to->variables = all;
  return HP_OK;
}

static hp_status describe_module(struct hp_globals *globals,
                                 const struct hp_profile *profile,
                                 size_t process,
                                 const struct hp_global_sum *sum,
                                 struct hp_error *error) {
  struct hp_global_module *to = &globals->all[globals->count++];
  const struct hp_symbol_module module = {sum->path, sum->build_id,
                                          sum->build_id_size};
  struct hp_global_symbols symbols;
  struct hp_object *object;
  *to = (struct hp_global_module){.process = process,
                                  .module = sum->path,
                                  .resident_bytes = sum->resident_bytes,
                                  .pages_known = sum->has_pages};
  for (size_t i = 0; i < sum->range_count; i++)
    to->bytes += sum->ranges[i].count * PAGE;
  HP_TRY(hp_symbolizer_object(profile->symbolizer, &module, &object, error));
  if (!hp_global_symbols(object, &globals->store, &symbols))
    return hp_fail_memory(error);
  to->file_known = symbols.has_file;
  to->thread_local_bytes = symbols.thread_local_size;
  return describe_variables(&globals->store, to, sum, &symbols, error);
}

static int by_resident(const void *left, const void *right) {
  const struct hp_global_module *a = left, *b = right;
  if (a->process != b->process)
    return a->process < b->process ? -1 : 1;
  if (a->resident_bytes != b->resident_bytes)
    return a->resident_bytes < b->resident_bytes ? 1 : -1;
  return strcmp(a->module, b->module);
}

static hp_status describe_all(struct hp_globals *globals,
                              const struct hp_profile *profile,
                              struct hp_error *error) {
  size_t count = 0;
  for (size_t i = 0; i < profile->dump_count; i++)
    count += (size_t)profile->dumps[i]->global_count;
  globals->all = calloc(count + 1, sizeof *globals->all);
  if (!globals->all)
    return hp_fail_memory(error);
  for (size_t i = 0; i < profile->process_count; i++)
    for (const struct hp_global_sum *g = profile->processes[i].of->globals; g;
         g = g->next)
      HP_TRY(describe_module(globals, profile, i, g, error));
  if (globals->count > 1)
    qsort(globals->all, globals->count, sizeof *globals->all, by_resident);
  return HP_OK;
}

hp_status hp_globals_make(hp_globals **out, const hp_profile *profile,
                          struct hp_error *error) {
  struct hp_globals *globals = calloc(1, sizeof *globals);
  *out = NULL;
  if (!globals)
    return hp_fail_memory(error);
  const hp_status status = describe_all(globals, profile, error);
  if (status != HP_OK) {
    hp_globals_free(globals);
    return status;
  }
  *out = globals;
  return HP_OK;
}

size_t hp_globals_count(const hp_globals *globals) {
  return globals ? globals->count : 0;
}

const struct hp_global_module *hp_globals_at(const hp_globals *globals,
                                             size_t i) {
  return i < hp_globals_count(globals) ? &globals->all[i] : NULL;
}

void hp_globals_free(hp_globals *globals) {
  if (!globals)
    return;
  hp_store_free(&globals->store);
  free(globals->all);
  free(globals);
}
