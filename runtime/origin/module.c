/* module.c - compares what is loaded now with the load map, notes changes.
   The same is what has the same path, place and build id.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "origin/module.h"

#include <errno.h>

#include "encode/encode.h"
#include "origin/call_stack.h"
#include "origin/stack_tree.h"
#include "system/clock.h"
#include "system/forbidden_calls.h"
#include "system/loaded_modules.h"
#include "system/process_facts.h"
#include "system/signal_mask.h"

bool hp_modules_stale;

static struct hp_lock lock;
static struct hp_bytes table; /* struct hp_module [module_count] */
static struct hp_bytes text;  /* paths and build ids */
/* uint32_t []: which entries are loaded, so that what was unloaded costs nothing. */
static struct hp_bytes present;
static size_t module_count;
static uint32_t update;      /* number of the update, from 1 */
static uint64_t last_update; /* ticks; 0 before the first */
static uint32_t asides;      /* numbers given out */
static bool moved;           /* this update set frames aside */

static struct hp_module *modules(void) {
  return (struct hp_module *)(void *)table.data;
}

static size_t present_count(void) { return present.size / sizeof(uint32_t); }

static struct hp_module *loaded(size_t i) {
  return &modules()[((const uint32_t *)(const void *)present.data)[i]];
}

static bool same_bytes(const uint8_t *a, const uint8_t *b, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (a[i] != b[i])
      return false;
  return true;
}

static bool is_same(const struct hp_module *known,
                    const struct hp_sys_module *found) {
  const char *path = (const char *)text.data + known->path;
  const size_t size = hp_text_size(found->path), all = hp_text_size(path);
  return known->bias == found->bias && known->start == found->start &&
         known->end == found->end &&
         known->build_id_size == found->build_id_size &&
         all >= size && /* it may have got its directory */
         same_bytes((const uint8_t *)path + all - size,
                    (const uint8_t *)found->path, size) &&
         same_bytes(text.data + known->build_id, found->build_id,
                    known->build_id_size);
}

/* FOUND as it was loaded before, if nothing else lay there since: a library that
   comes and goes a hundred thousand times is one entry.  Without a build id it
   may be another file of that name. */
static struct hp_module *back_again(const struct hp_sys_module *found) {
  for (size_t i = module_count; i-- > 0;) {
    struct hp_module *gone = &modules()[i];
    if (gone->start < found->end && found->start < gone->end)
      return gone->unloaded && gone->build_id_size && is_same(gone, found)
                 ? gone
                 : NULL;
  }
  return NULL;
}

/* Sets aside the frames of what lay where FOUND lies now, lest two libraries share
   points, and puts those of an earlier load of FOUND itself back, which is
   returned; NULL: there was none. */
static const struct hp_module *take_place(const struct hp_sys_module *found) {
  for (size_t i = module_count; i-- > 0;) {
    struct hp_module *gone = &modules()[i];
    if (gone->start >= found->end || found->start >= gone->end)
      continue;
    bool same = is_same(gone, found);
    if (!same && !gone->set_aside) {
      if (!gone->set_aside_as && asides < HP_STACK_ASIDES)
        gone->set_aside_as = ++asides;
      if (gone->set_aside_as)
        hp_stack_set_aside(gone->start, gone->end, gone->set_aside_as);
      moved = true;
    }
    gone->set_aside = true;
    if (!same)
      continue;
    if (gone->set_aside_as)
      hp_stack_put_back(gone->set_aside_as);
    return gone; /* which took the place of what is older */
  }
  return NULL;
}

static void note_present(size_t i) {
  const uint32_t number = (uint32_t)i;
  hp_put_bytes(&present, &number, sizeof number);
}

/* Ahead of a relative path, which the linker keeps as it found it in LD_LIBRARY_PATH, its
   bytes are in WORKING: the directory that the program is in by then. */
static char working[4096];
static size_t front_of(const char *path) {
  if (*path == '/' || *path == '[' ||
      !hp_sys_working_directory(working, sizeof working - 1))
    return 0;
  const size_t size = hp_text_size(working);
  working[size] = '/';
  return size + 1;
}

static void note_loaded(const struct hp_sys_module *found, void *arg) {
  (void)arg;
  for (size_t i = 0; i < present_count(); i++) {
    if (is_same(loaded(i), found)) {
      loaded(i)->seen = update;
      return;
    }
  }
  if (!hp_bytes_reserve(&present, sizeof(uint32_t)))
    return;
  struct hp_module *back = back_again(found);
  if (back) {
    back->unloaded = 0;
    back->seen = update;
    note_present((size_t)(back - modules()));
    return;
  }
  const size_t front = front_of(found->path);
  const struct hp_module *before = take_place(found);
  struct hp_module module = {
      .bias = found->bias,
      .start = found->start,
      .end = found->end,
      .loaded = last_update,
      .path = text.size,
      .build_id = text.size + front + hp_text_size(found->path) + 1,
      .build_id_size = (uint32_t)found->build_id_size,
      .seen = update,
      .set_aside_as = before ? before->set_aside_as : 0,
  };
  size_t needed = module.build_id - text.size + module.build_id_size;
  if (before) { /* its texts are there */
    module.path = before->path;
    module.build_id = before->build_id;
    needed = 0;
  }
  if (!hp_bytes_reserve(&text, needed) ||
      !hp_bytes_reserve(&table, sizeof module))
    return;
  if (!before) {
    hp_put_bytes(&text, working, front);
    hp_put_bytes(&text, found->path, module.build_id - text.size);
    hp_put_bytes(&text, found->build_id, module.build_id_size);
  }
  hp_put_bytes(&table, &module, sizeof module);
  note_present(module_count++);
}

/* Where a module went and another came to its place between two updates, their
   epochs may not overlap.  The update before is that of dlclose's beginning,
   so what ran since then is rather the new one's constructors. */
static uint64_t gone_since(const struct hp_module *gone, uint64_t now) {
  for (size_t i = present_count(); i-- > 0;) {
    const struct hp_module *other = loaded(i);
    if (other->seen == update && other->loaded == last_update &&
        other->start < gone->end && gone->start < other->end)
      return last_update;
  }
  return now;
}

bool hp_modules_update(void) {
  bool unloaded = false;
  if (hp_forbids_linker()) /* the load map is as it was last */
    return false;
  hp_lock_take(&lock);
  moved = false;
  update++;
  hp_sys_modules(note_loaded, NULL);
  uint64_t now = hp_clock_now();
  size_t stay = 0;
  uint32_t *numbers = (uint32_t *)(void *)present.data;
  for (size_t i = 0; i < present_count(); i++) {
    if (loaded(i)->seen != update) {
      loaded(i)->unloaded = gone_since(loaded(i), now);
      unloaded = true;
    } else {
      numbers[stay++] = numbers[i];
    }
  }
  present.size = stay * sizeof *numbers;
  last_update = now;
  unloaded |= moved;
  hp_lock_release(&lock);
  return unloaded;
}

void hp_modules_changed(void) {
  int saved_errno = errno;
  uint64_t saved_signals;
  hp_sys_block_signals(&saved_signals);
  if (hp_modules_update())
    hp_unwind_forget();
  hp_sys_restore_signals(&saved_signals);
  errno = saved_errno;
}

void hp_modules_each(void (*each)(const struct hp_module *module,
                                  const char *path, const uint8_t *build_id,
                                  const uint8_t *hooked, void *arg),
                     void *arg) {
  for (size_t i = 0; i < module_count; i++) {
    const struct hp_module *module = &modules()[i];
    each(module, (const char *)text.data + module->path,
         text.data + module->build_id, text.data + module->hooked, arg);
  }
}

struct hp_module *hp_modules_at(uintptr_t address) {
  for (size_t i = 0; i < present_count(); i++)
    if (loaded(i)->start <= address && address < loaded(i)->end)
      return loaded(i);
  return NULL;
}

const char *hp_module_path(const struct hp_module *module) {
  return (const char *)text.data + module->path;
}

const uint8_t *hp_module_build_id(const struct hp_module *module) {
  return text.data + module->build_id;
}

bool hp_modules_is_program(const struct hp_module *module) {
  return module == modules();
}

/* Without memory it stays one of which nothing is known. */
void hp_module_set_hooked(struct hp_module *module, const struct hp_bytes *list,
                          uint64_t functions) {
  if (list->failed || list->size > UINT32_MAX ||
      !hp_bytes_reserve(&text, list->size))
    return;
  module->hooked = text.size;
  module->hooked_size = (uint32_t)list->size;
  module->hooked_functions = functions;
  hp_put_bytes(&text, list->data, list->size);
}

size_t hp_modules_memory(void) {
  return table.capacity + text.capacity + present.capacity;
}

bool hp_modules_lost(void) {
  return table.failed || text.failed || present.failed;
}

void hp_modules_lock(void) { hp_lock_take(&lock); }
bool hp_modules_try_lock(void) { return hp_lock_try(&lock); }
void hp_modules_unlock(void) { hp_lock_release(&lock); }

void hp_modules_hold(uint64_t *signals) {
  hp_sys_block_signals(signals);
  hp_modules_lock();
}

void hp_modules_let(const uint64_t *signals) {
  hp_modules_unlock();
  hp_sys_restore_signals(signals);
}
