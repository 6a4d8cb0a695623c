/* bare_modules.c - see bare_modules.h: one line is enough for a module.
   There are as few as libraries with hooks, so that a list will do.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/bare_modules.h"

#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/growing_array.h"
#include "base/same_text.h"
#include "profile/notes.h"
#include "read/hooked_ranges.h"
#include "resolve/frame_role.h"

struct module {
  const char *path;
  bool has_names, has_lines;
};

struct modules {
  struct module *items;
  size_t count, capacity;
};

static struct module *module_of(struct modules *modules, const char *path) {
  for (size_t i = 0; i < modules->count; i++)
    if (hp_is_same_text(modules->items[i].path, path))
      return &modules->items[i];
  if (!hp_room_for_one((void **)&modules->items, modules->count,
                       &modules->capacity, sizeof *modules->items))
    return NULL;
  modules->items[modules->count] = (struct module){.path = path};
  return &modules->items[modules->count++];
}

/* Another file of the module may have lines, such as that of main. */
static bool has_line(const struct hp_point *view, const char *path) {
  for (size_t i = 0; i < view->stack_count; i++)
    if (view->stack[i]->file && hp_is_same_text(view->stack[i]->module, path))
      return true;
  return false;
}

/* Whose allocations are at a line of its own, or could be. */
static hp_status look_at(struct modules *modules,
                         const struct hp_profile_point *point,
                         struct hp_error *error) {
  const struct hp_frame *site = point->view.site;
  if (!site || !site->module || !point->view.accesses_known ||
      (hp_frame_roles(site) & HP_ROLE_SYSTEM) ||
      !hp_says_hooks(point->process->dump))
    return HP_OK;
  struct module *m = module_of(modules, site->module);
  if (!m)
    return hp_fail_memory(error);
  m->has_names = m->has_names || site->function;
  m->has_lines = m->has_lines || has_line(&point->view, m->path);
  return HP_OK;
}

static bool is_told(const struct hp_profile *profile, const char *path) {
  const size_t size = strlen(path);
  for (size_t i = 0; i < hp_symbolizer_note_count(profile->symbolizer); i++) {
    const char *note = hp_symbolizer_note(profile->symbolizer, i);
    if (strncmp(note, path, size) == 0 && note[size] == ':')
      return true;
  }
  return false;
}

static hp_status note_bare(struct hp_profile *profile, const struct module *m,
                           struct hp_error *error) {
  if (m->has_lines || is_told(profile, m->path))
    return HP_OK;
  return hp_profile_note(
      profile, error,
      m->has_names
          ? "%s: what allocates there has no debug information: places have no "
            "lines; build it with -g, or give --debug-dir"
          : "%s: is stripped: its code has no names and no lines; keep them, "
            "and build it with -g, or give --debug-dir",
      m->path);
}

hp_status hp_note_bare_modules(struct hp_profile *profile,
                               struct hp_error *error) {
  struct modules modules = {0};
  hp_status status = HP_OK;
  for (size_t i = 0; i < profile->point_count && status == HP_OK; i++)
    status = look_at(&modules, &profile->points[i], error);
  for (size_t i = 0; i < modules.count && status == HP_OK; i++)
    status = note_bare(profile, &modules.items[i], error);
  free(modules.items);
  return status;
}
