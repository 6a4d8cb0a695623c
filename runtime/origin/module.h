/* module.h - the load map: what lay where, from when to when.
   Append-only: stacks of its time point into what was unloaded since.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MODULE_H
#define HP_MODULE_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One load of one module, or several if nothing else lay there meanwhile.  Loads
   and unloads are only noticed at updates, so its epoch is as long as it can have
   been: `loaded` is the time of the last update that did not find it yet,
   `unloaded` that of the first one that no longer did, or, where another module
   took its place meanwhile, of the one before. */
struct hp_module {
  uintptr_t bias, start, end; /* as in heapprof_format.def */
  uint64_t loaded;            /* ticks, absolute; 0 = before the first update */
  uint64_t unloaded;          /* ticks, absolute; 0 = still loaded */
  size_t path;                /* offset in the table's text; ends by NUL */
  size_t build_id;            /* offset in the table's text */
  uint32_t build_id_size;     /* bytes; 0 = none */
  uint32_t seen;              /* number of the last update that found it */
  /* Under which number its frames are set aside (stack_tree.h) while another
     module lies there; all loads of one library at one place share it.  0: they
     never were. */
  uint32_t set_aside_as;
  uint32_t hooked_size;      /* bytes of the list of its functions with hooks */
  size_t hooked;             /* offset of that list in the table's text */
  uint64_t hooked_functions; /* how many it lists; 0: none is known */
  bool set_aside; /* its frames were set aside, or belong to a later load */
};

/* Notes what was loaded and unloaded since the last call: at start, after
   dlopen, around dlclose and before the dump ends.  True: other code may come, or
   came, where code was unloaded, so that its frames are to be forgotten. */
bool hp_modules_update(void);

/* hp_modules_update() that keeps errno, with signals blocked: a handler might end
   the process, which needs the map's lock. */
void hp_modules_changed(void);

/* dlopen was called since the load map was last brought up to date. */
extern bool hp_modules_stale;

/* Calls EACH for every entry, the main program first.  The caller has the lock.
 */
void hp_modules_each(void (*each)(const struct hp_module *module,
                                  const char *path, const uint8_t *build_id,
                                  const uint8_t *hooked, void *arg),
                     void *arg);

/* What is loaded at ADDRESS; NULL: nothing.  The caller has the lock. */
struct hp_module *hp_modules_at(uintptr_t address);

/* Where its file is, and its build id.  The caller has the lock. */
const char *hp_module_path(const struct hp_module *module);
const uint8_t *hp_module_build_id(const struct hp_module *module);

bool hp_modules_is_program(const struct hp_module *module);

/* Keeps the LIST of the FUNCTIONS of MODULE that have hooks. */
struct hp_bytes;
void hp_module_set_hooked(struct hp_module *module, const struct hp_bytes *list,
                          uint64_t functions);

void hp_modules_lock(void);
void hp_modules_unlock(void);

/* The same for a thread of the program, with signals as they were in SIGNALS: a
   handler that calls dlopen would wait for its own thread. */
void hp_modules_hold(uint64_t *signals);
void hp_modules_let(const uint64_t *signals);

/* Whoever has the lock may be waiting for the loader. */
bool hp_modules_try_lock(void);

size_t hp_modules_memory(void); /* bytes mapped */

/* True if an entry was lost for want of memory. */
bool hp_modules_lost(void);

#ifdef __cplusplus
}
#endif
#endif
