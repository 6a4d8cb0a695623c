/* process_json.c - what processes have beside the heap, as documents have it: mappings,
   and variables by module.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile_json.h"

/* ---- mappings ------------------------------------------------------------ */

static void put_mapping(struct hp_json *j, const struct hp_process *p,
                        size_t process, const struct hp_mapping_use *m) {
  hp_json_begin_object(j, NULL);
  hp_json_integer(j, "process", process);
  hp_json_string(j, "function", m->function);
  hp_json_bool(j, "file", m->is_file);
  hp_json_bool(j, "shared", m->is_shared);
  hp_json_bool(j, "reserved", m->is_reserved);
  hp_json_integer(j, "maps", m->maps);
  hp_json_integer(j, "bytes", m->bytes);
  hp_json_integer(j, "live_bytes", m->live_bytes);
  hp_json_integer(j, "peak_bytes", m->peak_bytes);
  hp_json_integer(j, "at_peak_bytes", m->at_peak_bytes);
  if (m->resident_known && p->memory_at_end.rss)
    hp_json_integer(j, "resident_bytes", m->resident_bytes);
  else
    hp_json_null(j, "resident_bytes");
  hp_json_frame(j, "site", m->site, false);
  hp_json_begin_array(j, "stack");
  for (size_t k = 0; k < m->stack_count; k++)
    hp_json_frame(j, NULL, m->stack[k], true);
  hp_json_end_array(j);
  hp_json_end_object(j);
}

void hp_json_mappings(struct hp_json *j, const hp_profile *profile,
                      size_t limit) {
  uint64_t left_out = 0;
  hp_json_begin_array(j, "mappings");
  for (size_t i = 0; i < hp_process_count(profile); i++) {
    const struct hp_process *p = hp_process_at(profile, i);
    for (size_t k = 0; k < p->mapping_count; k++)
      if (k < limit)
        put_mapping(j, p, i, &p->mappings[k]);
      else
        left_out++;
  }
  hp_json_end_array(j);
  hp_json_integer(j, "mappings_not_shown", left_out);
}

/* ---- variables ----------------------------------------------------------- */

static void put_variable(struct hp_json *j, const struct hp_global_module *m,
                         const struct hp_variable *v) {
  hp_json_begin_object(j, NULL);
  hp_json_string(j, "name", v->name);
  hp_json_bool(j, "thread_local", v->is_thread_local);
  hp_json_integer(j, "bytes", v->bytes);
  if (m->pages_known && !v->is_thread_local)
    hp_json_integer(j, "resident_bytes", v->resident_bytes);
  else
    hp_json_null(j, "resident_bytes");
  hp_json_end_object(j);
}

static void put_module(struct hp_json *j, const struct hp_global_module *m,
                       size_t limit) {
  const size_t shown = m->variable_count < limit ? m->variable_count : limit;
  hp_json_begin_object(j, NULL);
  hp_json_integer(j, "process", m->process);
  hp_json_string(j, "module", m->module);
  hp_json_integer(j, "bytes", m->bytes);
  hp_json_integer(j, "resident_bytes", m->resident_bytes);
  if (m->file_known)
    hp_json_integer(j, "thread_local_bytes", m->thread_local_bytes);
  else
    hp_json_null(j, "thread_local_bytes");
  hp_json_begin_array(j, "variables");
  for (size_t i = 0; i < shown; i++)
    put_variable(j, m, &m->variables[i]);
  hp_json_end_array(j);
  hp_json_integer(j, "variables_not_shown", m->variable_count - shown);
  hp_json_end_object(j);
}

void hp_json_globals(struct hp_json *j, const hp_globals *globals,
                     size_t limit) {
  hp_json_begin_array(j, "globals");
  for (size_t i = 0; i < hp_globals_count(globals); i++)
    put_module(j, hp_globals_at(globals, i), limit);
  hp_json_end_array(j);
}
