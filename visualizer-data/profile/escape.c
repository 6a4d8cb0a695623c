/* escape.c - see escape.h: a module is reached if code that holds chunks shares
   a dynamic symbol with it, or asks the linker for symbols by name; a function
   of libc if such code names it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define HASH_NONFATAL_OOM 1
#include "profile/escape.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/failure.h"
#include "base/growing_array.h"
#include "measure/metric.h"
#include "profile/notes.h"
#include "profile/other_code.h"
#include "profile/same_modules.h"
#include "read/hooked_ranges.h"
#include "resolve/cpp_symbols.h"
#include "resolve/frame_role.h"
#include "resolve/libc_symbols.h"
#include "resolve/object_file.h"

/* What a module is to the chunks of hooked code. */
enum module_part {
  PART_SYSTEM, /* libc and kin: what they access is counted, or by name not */
  PART_CPP,    /* the C++ library: some functions touch no chunk */
  PART_HOOKED, /* has hooks throughout */
  PART_OTHER,  /* without hooks, not known to get any chunk */
  PART_REACHED /* code without hooks that may get chunks */
};

struct member {
  const struct hp_dump_module *module;
  enum module_part part;
  bool asks;      /* the linker for symbols by name; the first module, which is
                   the program, has the runtime's own such questions */
  bool is_done;   /* its neighbours were looked at */
  bool is_unread; /* has hooks, and nobody can ask its file what has none */
  const char **names;
  size_t name_count, name_capacity;
};

/* Which members have a name in their tables of dynamic symbols. */
struct name {
  UT_hash_handle hh;
  bool of_system;           /* libc or the C++ library has it */
  bool of_cpp;              /* the C++ library has */
  bool is_wanted;           /* code with hooks has it from elsewhere */
  bool is_hooked;           /* or itself */
  const char *user, *owner; /* paths: of the first module that has it from
                               elsewhere, and of one that has it itself */
  size_t *members;
  size_t count, capacity;
  char text[];
};

struct search {
  struct hp_store store;
  struct member *members;
  size_t count;
  struct name *names;
};

/* What was found of the modules of a dump; of others with the same, too. */
struct verdict {
  const struct hp_dump *dump;
  bool hooked;        /* it has points of known accesses */
  bool shared, plain; /* whether others may have got chunks; see share */
  bool characters;
  const char *user, *owner; /* paths: who calls mallocx, and whose it is */
  struct verdict *next;
};

struct verdicts {
  struct hp_store store;
  struct verdict *first;
};

/* ---- what is there ------------------------------------------------------- */

/* Of each other library, too; they say nothing of who calls whom. */
static bool is_of_linker(const char *name) {
  static const char *const names[] = {"_init",         "_fini",       "_end",
                                      "_edata",        "__bss_start", "_ITM_*",
                                      "__gmon_start__"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t length = strcspn(names[i], "*");
    if (names[i][length] ? strncmp(name, names[i], length) == 0
                         : strcmp(name, names[i]) == 0)
      return true;
  }
  return false;
}

static bool add_name(struct search *s, size_t number, const char *text,
                     bool defined) {
  struct member *m = &s->members[number];
  struct name *name;
  size_t length = strlen(text);
  HASH_FIND(hh, s->names, text, length, name);
  if (!name) {
    name = hp_store_take(&s->store, 1, sizeof *name + length + 1);
    if (!name)
      return false;
    memcpy(name->text, text, length);
    HASH_ADD(hh, s->names, text[0], length, name);
    if (!name->hh.tbl)
      return false;
  }
  bool is_cpp = m->part == PART_CPP, is_hooked = m->module->hooked_functions;
  name->of_system |= m->part == PART_SYSTEM || is_cpp;
  name->of_cpp |= is_cpp;
  name->is_wanted |= is_hooked && !defined;
  name->is_hooked |= is_hooked && defined;
  const char **whose = defined ? &name->owner : &name->user;
  if (!*whose && m->part != PART_SYSTEM)
    *whose = m->module->path;
  if (!hp_room_for_one((void **)&name->members, name->count, &name->capacity,
                       sizeof *name->members) ||
      !hp_room_for_one((void **)&m->names, m->name_count, &m->name_capacity,
                       sizeof *m->names))
    return false;
  name->members[name->count++] = number;
  m->names[m->name_count++] = name->text;
  return true;
}

static bool read_names(struct search *s, size_t number, Elf *elf) {
  Elf_Scn *section = NULL;
  GElf_Shdr header;
  GElf_Sym symbol;
  const char *unused;
  while ((section = hp_object_section(elf, section, &header, &unused))) {
    Elf_Data *data =
        header.sh_type == SHT_DYNSYM ? elf_getdata(section, NULL) : NULL;
    for (int i = 1; data && gelf_getsym(data, i, &symbol); i++) {
      const char *text = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (!text || !*text || is_of_linker(text))
        continue;
      bool defined = symbol.st_shndx != SHN_UNDEF;
      enum module_part part = s->members[number].part;
      if ((part == PART_SYSTEM || part == PART_CPP) && !defined)
        continue; /* it is what they have that counts */
      if (number && strncmp(text, "dl", 2) == 0 && strstr(text, "sym"))
        s->members[number].asks = true;
      if (!add_name(s, number, text, defined))
        return false;
    }
  }
  return true;
}

static unsigned roles_of(const struct hp_dump_module *module) {
  const struct hp_frame of = {.module = module->path};
  return hp_frame_roles(&of);
}

/* Without its file nothing is known of a module but the worst, nor of what was
   opened at run time, by whomever. */
static bool look_at(struct search *s, size_t number,
                    const struct hp_open_options *o) {
  struct member *m = &s->members[number];
  const struct hp_dump_module *module = m->module;
  const struct hp_symbol_module wanted = {module->path, module->build_id,
                                          module->build_id_size};
  const struct hp_object_paths paths = {o->debug_dir, o->sysroot, false};
  char *note = NULL;
  unsigned roles = roles_of(module);
  m->part = roles & HP_ROLE_CPP_LIBRARY ? PART_CPP
            : roles & HP_ROLE_SYSTEM    ? PART_SYSTEM
            : module->hooked_functions  ? PART_HOOKED
            : module->late              ? PART_REACHED
                                        : PART_OTHER;
  hp_object *object = hp_object_open(&wanted, &paths, &note);
  Elf *elf = object ? hp_object_code(object) : NULL;
  free(note);
  bool good = object != NULL;
  if (elf && m->part == PART_HOOKED && hp_has_other_code(elf, module))
    m->part = PART_REACHED;
  if (elf)
    good = read_names(s, number, elf);
  else if (m->part != PART_SYSTEM && m->part != PART_CPP) {
    m->is_unread = m->part == PART_HOOKED;
    m->part = PART_REACHED;
  }
  hp_object_close(object);
  return good;
}

/* ---- who reaches whom ---------------------------------------------------- */

static void reach(struct member *m) {
  if (m->part == PART_OTHER)
    m->part = PART_REACHED;
}

static void reach_neighbours(struct search *s, struct member *m) {
  m->is_done = true;
  for (size_t i = 0; m->asks && i < s->count; i++)
    reach(&s->members[i]);
  for (size_t i = 0; i < m->name_count; i++) {
    struct name *name;
    HASH_FIND_STR(s->names, m->names[i], name);
    for (size_t k = 0; name && !name->of_system && k < name->count; k++)
      reach(&s->members[name->members[k]]);
  }
}

static void reach_all(struct search *s) {
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < s->count; i++) {
      struct member *m = &s->members[i];
      if (m->is_done || (m->part != PART_HOOKED && m->part != PART_REACHED))
        continue;
      reach_neighbours(s, m);
      more = true;
    }
  }
}

/* The C++ library gets what code with hooks calls it with. */
static bool cpp_is_reached(const struct search *s, struct verdict *v) {
  bool reached = false;
  for (const struct name *name = s->names; name; name = name->hh.next)
    if (name->of_cpp && name->is_wanted && !name->is_hooked &&
        !hp_cpp_touches_nothing(name->text)) {
      reached = true;
      v->characters |= hp_cpp_touches_characters(name->text);
      v->plain |= hp_cpp_touches_numbers(name->text);
    }
  return reached;
}

/* ---- what follows -------------------------------------------------------- */

/* TEXT, once, as the last of *TEXTS. */
static hp_status keep_text(const char ***texts, size_t *count, const char *text,
                           struct hp_error *error) {
  for (size_t i = 0; i < *count; i++)
    if (strcmp((*texts)[i], text) == 0)
      return HP_OK;
  const char **more = reallocarray(*texts, *count + 1, sizeof *more);
  if (!more)
    return hp_fail_memory(error);
  *texts = more;
  more[(*count)++] = text;
  return HP_OK;
}

static hp_status keep_reached(struct hp_profile *profile,
                              const struct search *s, struct hp_error *error) {
  for (size_t i = 0; i < s->count; i++)
    if (s->members[i].is_unread)
      HP_TRY(keep_text(&profile->unread, &profile->unread_count,
                       s->members[i].module->path, error));
    else if (s->members[i].part == PART_REACHED &&
             s->members[i].module->hooked_functions)
      HP_TRY(keep_text(&profile->mixed, &profile->mixed_count,
                       s->members[i].module->path, error));
    else if (s->members[i].part == PART_REACHED)
      HP_TRY(keep_text(&profile->reached, &profile->reached_count,
                       s->members[i].module->path, error));
  return HP_OK;
}

/* libc's functions that code with hooks calls and nobody counts. */
static hp_status keep_uncounted(struct hp_profile *profile,
                                const struct search *s, size_t *count,
                                struct hp_error *error) {
  for (struct name *name = s->names; name; name = name->hh.next) {
    const char *function = name->is_wanted && !name->is_hooked
                               ? hp_libc_uncounted(name->text)
                               : NULL;
    if (!function)
      continue;
    ++*count;
    HP_TRY(keep_text(&profile->uncounted, &profile->uncounted_count, function,
                     error));
  }
  return HP_OK;
}

static void share_point(struct hp_profile *profile,
                        struct hp_profile_point *point) {
  profile->global.shared_points += !point->view.accesses_shared;
  point->tally->shared = true;
  point->view.accesses_shared = true;
}

/* Not those of types that the C++ library has no functions for, but where V says that it
   was called with such. */
static void share(struct hp_profile *profile,
                  const struct hp_profile_process *process,
                  const struct verdict *v) {
  for (size_t i = 0; i < process->point_count; i++) {
    struct hp_profile_point *point = &profile->points[process->first_point + i];
    const char *type = point->view.type;
    if (point->view.accesses_known &&
        (v->plain || !type || !hp_cpp_is_plain(type) ||
         (v->characters && hp_cpp_is_characters(type))))
      share_point(profile, point);
  }
}

/* A child that was forked has a copy of what lived then; what it does there is
   in its own dump, if it has one, and not told there either.  Of a merged dump
   each process was asked of its part. */
static void share_with_children(struct hp_profile *profile) {
  for (size_t i = 0; i < profile->point_count; i++) {
    struct hp_profile_point *point = &profile->points[i];
    const struct hp_profile_process *process = point->process;
    const uint64_t last = process->of->end.last_fork;
    const bool lived =
        hp_is_merged(process)
            ? point->lived_at_fork
            : last && point->view.first_ns <=
                          hp_ticks_to_ns(last, process->rules.ticks_per_second);
    if (lived && point->view.accesses_known)
      share_point(profile, point);
  }
}

static bool has_hooked_point(const struct hp_profile *profile,
                             const struct hp_profile_process *process) {
  for (size_t i = 0; i < process->point_count; i++)
    if (profile->points[process->first_point + i].view.accesses_known)
      return true;
  return false;
}

/* The runtime was loaded ahead of a program without it. */
static bool is_preloaded(const struct hp_dump *dump) {
  static const char library[] = "/libheapprof_preload.so";
  for (size_t i = 0; i < dump->module_count; i++) {
    const char *path = dump->modules[i].path;
    const size_t size = strlen(path);
    if (size >= sizeof library &&
        strcmp(path + size - (sizeof library - 1), library) == 0)
      return !dump->modules[0].hooked_functions;
  }
  return false;
}

/* What is linked into a program leaves jemalloc its own functions
   (runtime/entry/mallocx_family.c). */
static hp_status note_jemalloc(struct hp_profile *profile,
                               const struct hp_profile_process *process,
                               const struct verdict *v,
                               struct hp_error *error) {
  if (!v->user || !v->owner || is_preloaded(process->dump))
    return HP_OK;
  return hp_profile_note(
      profile, error,
      "%s: what %s gets by mallocx and its kin, functions of %s, is not "
      "profiled; heapprof run profiles it, where neither was built with "
      "heapprof",
      process->view.dump, v->user, v->owner);
}

/* Reads the modules of V's dump. */
static hp_status look_at_dump(struct search *s, struct verdict *v,
                              const struct hp_open_options *o,
                              struct hp_error *error) {
  const struct hp_dump *dump = v->dump;
  struct name *name;
  s->members = hp_store_take(&s->store, dump->module_count, sizeof *s->members);
  if (!s->members)
    return hp_fail_memory(error);
  for (size_t i = 0; i < dump->module_count; i++) {
    const struct hp_dump_module *module = &dump->modules[i];
    if (!module->says_hooks)
      continue;
    s->members[s->count].module = module;
    if (!look_at(s, s->count++, o))
      return hp_fail_memory(error);
  }
  HASH_FIND_STR(s->names, "mallocx", name);
  v->user = name ? name->user : NULL;
  v->owner = name ? name->owner : NULL;
  return HP_OK;
}

static hp_status judge(struct hp_profile *profile, struct search *s,
                       struct verdict *v, struct hp_error *error) {
  reach_all(s);
  size_t uncounted = 0;
  HP_TRY(keep_uncounted(profile, s, &uncounted, error));
  v->plain = uncounted != 0;
  bool reached = cpp_is_reached(s, v);
  for (size_t i = 0; i < s->count; i++) {
    struct member *m = &s->members[i];
    v->plain = v->plain || m->part == PART_REACHED;
    if (reached && m->part == PART_CPP)
      m->part = PART_REACHED;
  }
  v->shared = reached || v->plain;
  return v->shared ? keep_reached(profile, s, error) : HP_OK;
}

static void free_search(struct search *s) {
  struct name *name, *next;
  HASH_ITER(hh, s->names, name, next) {
    HASH_DEL(s->names, name);
    free(name->members);
  }
  for (size_t i = 0; i < s->count; i++)
    free(s->members[i].names);
  hp_store_free(&s->store);
}

/* Of many processes of few programs the files are read once. */
static hp_status find_verdict(struct hp_profile *profile,
                              struct verdicts *verdicts, struct verdict **out,
                              const struct verdict *asked,
                              const struct hp_open_options *o,
                              struct hp_error *error) {
  for (struct verdict *v = verdicts->first; v; v = v->next)
    if (v->hooked == asked->hooked &&
        hp_has_same_modules(v->dump, asked->dump)) {
      *out = v;
      return HP_OK;
    }
  struct verdict *v = hp_store_take(&verdicts->store, 1, sizeof *v);
  if (!v)
    return hp_fail_memory(error);
  *v = *asked;
  v->next = verdicts->first;
  *out = verdicts->first = v;
  struct search s = {0};
  hp_status status = look_at_dump(&s, v, o, error);
  if (status == HP_OK && v->hooked)
    status = judge(profile, &s, v, error);
  free_search(&s);
  return status;
}

static hp_status look_at_process(struct hp_profile *profile,
                                 const struct hp_profile_process *process,
                                 struct verdicts *verdicts,
                                 const struct hp_open_options *o,
                                 struct hp_error *error) {
  const struct verdict asked = {.dump = process->dump,
                                .hooked = has_hooked_point(profile, process)};
  struct verdict *v = NULL;
  if (!hp_says_hooks(asked.dump) || (!asked.hooked && is_preloaded(asked.dump)))
    return HP_OK;
  HP_TRY(find_verdict(profile, verdicts, &v, &asked, o, error));
  HP_TRY(note_jemalloc(profile, process, v, error));
  if (v->shared)
    share(profile, process, v);
  return HP_OK;
}

hp_status hp_escape_find(struct hp_profile *profile,
                         const struct hp_open_options *o,
                         struct hp_error *error) {
  struct verdicts verdicts = {0};
  hp_status status = HP_OK;
  share_with_children(profile);
  for (size_t i = 0; i < profile->process_count && status == HP_OK; i++) {
    const struct hp_profile_process *process = &profile->processes[i];
    if (process->of == process->dump->processes) /* else its dump was seen */
      status = look_at_process(profile, process, &verdicts, o, error);
  }
  hp_store_free(&verdicts.store);
  return status;
}

void hp_escape_free(struct hp_profile *profile) {
  free(profile->reached);
  free(profile->mixed);
  free(profile->unread);
  free(profile->uncounted);
}

size_t hp_profile_reached_count(const hp_profile *profile) {
  return profile->reached_count;
}

const char *hp_profile_reached_at(const hp_profile *profile, size_t i) {
  return i < profile->reached_count ? profile->reached[i] : NULL;
}

size_t hp_profile_mixed_count(const hp_profile *profile) {
  return profile->mixed_count;
}

const char *hp_profile_mixed_at(const hp_profile *profile, size_t i) {
  return i < profile->mixed_count ? profile->mixed[i] : NULL;
}

size_t hp_profile_unread_count(const hp_profile *profile) {
  return profile->unread_count;
}

const char *hp_profile_unread_at(const hp_profile *profile, size_t i) {
  return i < profile->unread_count ? profile->unread[i] : NULL;
}

size_t hp_profile_uncounted_count(const hp_profile *profile) {
  return profile->uncounted_count;
}

const char *hp_profile_uncounted_at(const hp_profile *profile, size_t i) {
  return i < profile->uncounted_count ? profile->uncounted[i] : NULL;
}
