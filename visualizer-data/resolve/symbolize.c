/* symbolize.c - from a module and an ELF virtual address to source frames.
   Asks the cache, then DWARF, then the ELF symbols; each address once.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define HASH_NONFATAL_OOM 1
#include "resolve/symbolize.h"

#include "base/numbered_text.h"
#include "resolve/demangle.h"
#include "resolve/dwarf_lines.h"
#include "resolve/frame_role.h"
#include "resolve/object_file.h"
#include "resolve/pool_calls.h"
#include "resolve/record_index.h"
#include "resolve/symbolcache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* Keyed by build id, then path: `key` holds both, `path` points into it. */
struct module {
  UT_hash_handle hh;
  size_t number;
  bool opened;
  bool lacks_lines;  /* which a note says */
  hp_object *object; /* NULL until opened */
  hp_dwarf *dwarf;   /* NULL if it has none */
  const char *path;
  char key[];
};

struct answer_key {
  uint64_t module, vaddr;
};

struct answer {
  bool lacks_inlined; /* the .dwo file is not there */
  UT_hash_handle hh;
  struct answer_key key;
  size_t count;
  struct hp_frame frames[];
};

struct hp_symbolizer {
  struct hp_numbered texts;
  struct module *modules;
  struct answer *answers;
  hp_symbolcache *cache; /* NULL: none */
  char *debug_dir, *sysroot;
  bool no_symbols;
  char **notes;
  size_t note_count;
  /* The module asked for last, which most are, by the texts it was given by. */
  struct module *last;
  const char *last_path;
  const uint8_t *last_build_id;
};

static hp_status no_memory(struct hp_error *error) {
  if (error) {
    error->status = HP_E_MEMORY;
    snprintf(error->text, sizeof error->text, "symbols: out of memory");
  }
  return HP_E_MEMORY;
}

static bool copy_option(char **to, const char *from) {
  if (!from || !*from)
    return true;
  *to = strdup(from);
  return *to != NULL;
}

hp_status hp_symbolizer_open(hp_symbolizer **out, const char *cache_path,
                             const struct hp_open_options *o,
                             struct hp_error *error) {
  struct hp_open_options options = {0};
  hp_symbolizer *s = calloc(1, sizeof *s);
  *out = NULL;
  if (!s)
    return no_memory(error);
  if (o)
    memcpy(&options, o, o->sz < sizeof options ? o->sz : sizeof options);
  s->no_symbols = options.no_symbols;
  if (!copy_option(&s->debug_dir, options.debug_dir) ||
      !copy_option(&s->sysroot, options.sysroot)) {
    hp_symbolizer_close(s);
    return no_memory(error);
  }
  if (cache_path && !options.no_cache && !options.no_symbols) {
    s->cache = hp_symbolcache_open(cache_path);
    if (!s->cache) {
      hp_symbolizer_close(s);
      return no_memory(error);
    }
  }
  *out = s;
  return HP_OK;
}

hp_status hp_symbolizer_read_cache(hp_symbolizer *s, const char *cache_path,
                                   struct hp_error *error) {
  return !s->cache || hp_symbolcache_read(s->cache, cache_path)
             ? HP_OK
             : no_memory(error);
}

size_t hp_symbolizer_note_count(const hp_symbolizer *s) {
  return s->note_count;
}

const char *hp_symbolizer_note(const hp_symbolizer *s, size_t i) {
  return i < s->note_count ? s->notes[i] : NULL;
}

void hp_symbolizer_close(hp_symbolizer *s) {
  struct module *m, *next_module;
  struct answer *a, *next_answer;
  if (!s)
    return;
  HASH_ITER(hh, s->answers, a, next_answer) {
    HASH_DEL(s->answers, a);
    free(a);
  }
  HASH_ITER(hh, s->modules, m, next_module) {
    HASH_DEL(s->modules, m);
    hp_dwarf_close(m->dwarf);
    hp_object_close(m->object);
    free(m);
  }
  hp_numbered_free(&s->texts);
  for (size_t i = 0; i < s->note_count; i++)
    free(s->notes[i]);
  free(s->notes);
  hp_symbolcache_close(s->cache);
  free(s->debug_dir);
  free(s->sysroot);
  free(s);
}

static struct module *find_module(hp_symbolizer *s,
                                  const struct hp_symbol_module *wanted) {
  if (s->last && s->last_path == wanted->path &&
      s->last_build_id == wanted->build_id)
    return s->last;
  size_t path_size = strlen(wanted->path) + 1;
  size_t size = wanted->build_id_size + path_size;
  struct module *m = calloc(1, sizeof *m + size), *found;
  if (!m)
    return NULL;
  s->last_path = wanted->path;
  s->last_build_id = wanted->build_id;
  s->last = NULL;
  if (wanted->build_id_size)
    memcpy(m->key, wanted->build_id, wanted->build_id_size);
  memcpy(m->key + wanted->build_id_size, wanted->path, path_size);
  HASH_FIND(hh, s->modules, m->key, size, found);
  if (found) {
    free(m);
    return s->last = found;
  }
  m->path = m->key + wanted->build_id_size;
  m->number = HASH_COUNT(s->modules);
  HASH_ADD(hh, s->modules, key[0], size, m);
  if (!m->hh.tbl) {
    free(m);
    return NULL;
  }
  return s->last = m;
}

static bool add_note(hp_symbolizer *s, char *note) {
  char **notes;
  if (!note)
    return true;
  notes = realloc(s->notes, (s->note_count + 1) * sizeof *notes);
  if (!notes) {
    free(note);
    return false;
  }
  s->notes = notes;
  s->notes[s->note_count++] = note;
  return true;
}

static char *lost_units(const hp_dwarf *dwarf, const char *path) {
  size_t all, lost = dwarf ? hp_dwarf_lost_units(dwarf, &all) : 0;
  char *note = NULL;
  if (lost && asprintf(&note,
                       "%s: the .dwo files of %zu of %zu units are not there: "
                       "which calls were inlined is not known",
                       path, lost, all) < 0)
    return NULL;
  return note;
}

static bool open_module(hp_symbolizer *s, struct module *m,
                        const struct hp_symbol_module *wanted) {
  const struct hp_object_paths paths = {
      s->debug_dir, s->sysroot,
      s->cache && hp_symbolcache_knows(s->cache, wanted)};
  char *note;
  Elf *debug;
  if (m->opened)
    return true;
  m->object = hp_object_open(wanted, &paths, &note);
  if (!m->object || !add_note(s, note))
    return false;
  m->opened = true;
  if (!add_note(s,
                hp_pool_calls_missing(hp_object_code(m->object), wanted->path)))
    return false;
  debug = hp_object_debug(m->object);
  if (debug)
    m->dwarf = hp_dwarf_open(debug);
  if (!debug || (m->dwarf && hp_dwarf_has_code(m->dwarf)))
    return add_note(s, lost_units(m->dwarf, wanted->path));
  return add_note(s, hp_object_compressed(m->object, wanted));
}

static struct answer *new_answer(size_t count) {
  struct answer *a = calloc(1, sizeof *a + count * sizeof a->frames[0]);
  if (a)
    a->count = count;
  return a;
}

/* ---- the three sources --------------------------------------------------- */

static struct answer *
from_cache(hp_symbolizer *s, const struct hp_symbol_module *m, uint64_t vaddr) {
  size_t count = 0;
  const struct hp_frame *kept =
      s->cache ? hp_symbolcache_find(s->cache, m, vaddr, &count) : NULL;
  struct answer *a = kept ? new_answer(count) : NULL;
  for (size_t i = 0; a && i < count; i++) {
    struct hp_frame *f = &a->frames[i];
    *f = kept[i];
    f->function = f->function ? hp_numbered_copy(&s->texts, f->function) : NULL;
    if (kept[i].function && !f->function) {
      free(a);
      return NULL;
    }
  }
  return a;
}

/* The form of a function for samples is that function
   (llvm-pass/emit/SampledForm.h). SYMBOL without the name's ending that tells it;
   owned by the caller. */
static char *without_form(const char *symbol) {
  static const char ending[] = ".sampled";
  size_t length = strlen(symbol), cut = sizeof ending - 1;
  if (length > cut && strcmp(symbol + length - cut, ending) == 0)
    length -= cut;
  return strndup(symbol, length);
}

/* "name@VERSION" and "name@@VERSION" are one function. */
static bool set_function(hp_symbolizer *s, struct hp_frame *f,
                         const char *symbol) {
  char *linkage = without_form(symbol);
  char *readable = linkage ? hp_demangle(linkage) : NULL;
  if (!linkage)
    return false;
  if (!readable && linkage[0] != '@')
    linkage[strcspn(linkage, "@")] = '\0';
  f->function = hp_numbered_copy(&s->texts, readable ? readable : linkage);
  f->linkage_name = readable ? hp_numbered_copy(&s->texts, linkage) : NULL;
  bool is_whole = f->function && (f->linkage_name || !readable);
  free(readable);
  free(linkage);
  return is_whole;
}

/* Whether a function of the program has a line of a library's header, which was
   inlined into it by calls that nobody can tell any more: the line would make of
   all code of the function the library's. */
static bool is_line_of_other(const struct hp_location *l, const char *symbol) {
  static const char *const library[] = {"_ZSt", "_ZNSt", "_ZNKSt",
                                        "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx"};
  const struct hp_frame header = {.file = l->file};
  if (!l->may_be_inlined || !symbol ||
      !(hp_frame_roles(&header) & (HP_ROLE_PLUMBING | HP_ROLE_HEADER)))
    return false;
  for (size_t i = 0; i < sizeof library / sizeof *library; i++)
    if (strncmp(symbol, library[i], strlen(library[i])) == 0)
      return false;
  return true;
}

/* DWARF without linkage names (-gline-tables-only) still has the ELF symbol
   of the outermost function, which tells the whole C++ name. */
static bool set_frame(hp_symbolizer *s, struct hp_frame *f,
                      const struct hp_location *l, const char *symbol) {
  const char *name = l->function;
  if (symbol && !l->linkage &&
      (!name || strncmp(symbol, "_Z", 2) == 0 || strncmp(symbol, "_R", 2) == 0))
    name = symbol;
  if (is_line_of_other(l, symbol))
    return set_function(s, f, symbol);
  f->line = l->line;
  f->line_is_near = l->line_is_near;
  f->column = l->column;
  f->start_line = l->start_line;
  if (l->file) {
    f->file = hp_numbered_copy(&s->texts, l->file);
    if (!f->file)
      return false;
  }
  return !name || set_function(s, f, name);
}

static bool note_lines(hp_symbolizer *s, struct module *m) {
  char *note;
  if (m->lacks_lines || !m->dwarf || !hp_dwarf_lacks_lines(m->dwarf))
    return true;
  m->lacks_lines = true;
  return asprintf(&note,
                  "%s: libdw cannot read the lines of all its code; if it was "
                  "built with -fpseudo-probe-for-profiling, leave that out",
                  m->path) >= 0 &&
         add_note(s, note);
}

static struct answer *from_object(hp_symbolizer *s, struct module *m,
                                  uint64_t vaddr) {
  const struct hp_location *locations = NULL;
  const struct hp_location nothing = {0};
  const char *symbol = hp_object_symbol(m->object, vaddr);
  size_t count = m->dwarf ? hp_dwarf_find(m->dwarf, vaddr, &locations) : 0;
  struct answer *a = note_lines(s, m) ? new_answer(count ? count : 1) : NULL;
  if (!a)
    return NULL;
  a->lacks_inlined = count && locations[0].may_be_inlined;
  for (size_t i = 0; i < a->count; i++) {
    bool outermost = i + 1 == a->count;
    a->frames[i].inlined = !outermost;
    if (!set_frame(s, &a->frames[i], count ? &locations[i] : &nothing,
                   outermost ? symbol : NULL)) {
      free(a);
      return NULL;
    }
  }
  return a;
}

static bool is_to_be_kept(const struct answer *a) {
  for (size_t i = 0; i < a->count; i++)
    if (!a->frames[i].function)
      return false;
  return !a->lacks_inlined;
}

/* Names that are kept without lines, such as that of _start, only stand in for a
   file that is not there any more: installing debug files must take effect. */
static struct answer *best_answer(hp_symbolizer *s, struct module *m,
                                  const struct hp_symbol_module *wanted,
                                  uint64_t vaddr) {
  struct answer *kept = from_cache(s, wanted, vaddr);
  if (kept && hp_frames_have_lines(kept->frames, kept->count))
    return kept;
  struct answer *a =
      open_module(s, m, wanted) ? from_object(s, m, vaddr) : NULL;
  if (a && s->cache && is_to_be_kept(a))
    hp_symbolcache_add(s->cache, wanted, vaddr, a->frames, a->count);
  if (a && kept && !a->frames[0].function) {
    free(a);
    return kept;
  }
  free(kept);
  return a;
}

static struct answer *answer(hp_symbolizer *s, struct module *m,
                             const struct hp_symbol_module *wanted,
                             uint64_t vaddr) {
  struct answer *a =
      s->no_symbols ? new_answer(1) : best_answer(s, m, wanted, vaddr);
  for (size_t i = 0; a && i < a->count; i++) {
    a->frames[i].module = m->path;
    a->frames[i].address = vaddr;
    a->frames[i].roles = (uint16_t)hp_frame_roles(&a->frames[i]);
  }
  return a;
}

hp_status hp_symbolizer_object(hp_symbolizer *s,
                               const struct hp_symbol_module *module,
                               struct hp_object **object,
                               struct hp_error *error) {
  struct module *m = s->no_symbols ? NULL : find_module(s, module);
  *object = NULL;
  if (s->no_symbols)
    return HP_OK;
  if (!m || !open_module(s, m, module))
    return no_memory(error);
  *object = m->object;
  return HP_OK;
}

hp_status hp_symbolizer_layouts(hp_symbolizer *s,
                                const struct hp_symbol_module *module,
                                struct hp_store *store,
                                struct hp_layout_request *requests,
                                size_t count, struct hp_error *error) {
  struct module *m = s->no_symbols ? NULL : find_module(s, module);
  if (s->no_symbols)
    return HP_OK;
  if (!m || !open_module(s, m, module) ||
      (m->dwarf &&
       !hp_records_find(hp_dwarf_of(m->dwarf), store, requests, count)))
    return no_memory(error);
  return HP_OK;
}

hp_status hp_symbolizer_frames(hp_symbolizer *s,
                               const struct hp_symbol_module *module,
                               uint64_t vaddr, const struct hp_frame **frames,
                               size_t *count, struct hp_error *error) {
  struct module *m = find_module(s, module);
  struct answer_key key = {0, vaddr};
  struct answer *a;
  if (!m)
    return no_memory(error);
  key.module = m->number;
  /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the key has no padding */
  HASH_FIND(hh, s->answers, &key, sizeof key, a);
  if (!a) {
    a = answer(s, m, module, vaddr);
    if (!a)
      return no_memory(error);
    a->key = key;
    HASH_ADD(hh, s->answers, key, sizeof key, a);
    if (!a->hh.tbl) {
      free(a);
      return no_memory(error);
    }
  }
  *frames = a->frames;
  *count = a->count;
  return HP_OK;
}
