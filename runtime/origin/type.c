/* type.c - see type.h: a hash table of chains over an arena of names, and the
   choice between the type a call names and the one its scope names.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "origin/type.h"
#include "system/arena.h"

#define HP_TYPE_BUCKETS 4096u

static struct hp_lock lock;
static struct hp_arena types;
static struct hp_type *buckets[HP_TYPE_BUCKETS];

#define HP_LIBRARIES_MAX 4u
static struct {
  uintptr_t start, end;
} libraries[HP_LIBRARIES_MAX];
static size_t library_count;

HP_EXPORT HP_THREAD_LOCAL struct hp_type_descriptor *__heapprof_scoped_type;
HP_EXPORT HP_THREAD_LOCAL uint64_t __heapprof_scoped_size;

struct hp_type_descriptor hp_type_char = {.name = "char",
                                          .element_size = 1,
                                          .alignment = 1,
                                          .provenance = HP_PROVENANCE_ARGUMENT};

size_t hp_type_memory(void) { return types.used; }

const struct hp_type *hp_type_of_low(uint32_t low) {
  if (!low)
    return NULL;
  const uint32_t offset = low - (uint32_t)(uintptr_t)types.base;
  return (const struct hp_type *)(const void *)(types.base + offset);
}

void hp_type_lock(void) { hp_lock_take(&lock); }
void hp_type_unlock(void) { hp_lock_release(&lock); }

static size_t name_length(const char *name) {
  size_t length = 0;
  while (length < HP_TYPE_NAME_MAX && name[length])
    length++;
  return length;
}

static uint64_t hash_name(const char *name, size_t length, uint64_t seed) {
  uint64_t hash = seed * 0x9fb21c651e98df25u + length;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)name[i]) * 0x100000001b3u;
  return hash ^ hash >> 32;
}

static bool is(const struct hp_type *type, const char *name, size_t length,
               uint64_t element_size, uint32_t provenance) {
  if (type->length != length || type->element_size != element_size ||
      type->provenance != provenance)
    return false;
  for (size_t i = 0; i < length; i++)
    if (type->name[i] != name[i])
      return false;
  return true;
}

static struct hp_type *add(struct hp_type **bucket, const char *name,
                           size_t length, uint64_t element_size,
                           uint32_t provenance) {
  if (!types.base && !hp_arena_reserve(&types, HP_TYPES_ARENA, (size_t)1 << 20))
    return NULL;
  size_t text = (length + 1 + 7) & ~(size_t)7;
  struct hp_type *type = hp_arena_take(&types, sizeof *type + text);
  if (type && !hp_type_low(type)) /* that names none */
    type = hp_arena_take(&types, sizeof *type + text);
  if (!type)
    return NULL;
  char *copy = (char *)(type + 1);
  for (size_t i = 0; i < length; i++)
    copy[i] = name[i];
  type->name = copy;
  type->element_size = element_size;
  type->provenance = provenance;
  type->length = (uint32_t)length;
  type->next = *bucket;
  *bucket = type;
  return type;
}

struct hp_type *hp_type_intern(const char *name, uint64_t element_size,
                               enum hp_provenance provenance) {
  size_t length = name_length(name);
  if (length == 0)
    return NULL;
  uint64_t hash = hash_name(name, length, element_size << 8 | provenance);
  uint64_t mask = hp_lock_take_held(&lock);
  struct hp_type **bucket = &buckets[hash % HP_TYPE_BUCKETS];
  struct hp_type *type = *bucket;
  while (type && (type->hash != hash ||
                  !is(type, name, length, element_size, provenance)))
    type = type->next;
  if (!type && (type = add(bucket, name, length, element_size, provenance)))
    type->hash = hash;
  hp_lock_release_held(&lock, mask);
  return type;
}

static struct hp_type *type_of(struct hp_type_descriptor *descriptor) {
  struct hp_type *type =
      __atomic_load_n(&descriptor->interned, __ATOMIC_ACQUIRE);
  if (HP_LIKELY(type != NULL))
    return type;
  const bool is_open = descriptor->flags & HP_TYPE_OPEN;
  type =
      hp_type_intern(descriptor->name, is_open ? 0 : descriptor->element_size,
                     (enum hp_provenance)descriptor->provenance);
  __atomic_store_n(&descriptor->interned, type, __ATOMIC_RELEASE);
  return type;
}

static struct hp_type *type_by_scope(struct hp_type_descriptor *descriptor) {
  struct hp_type *type = type_of(descriptor);
  if (!type)
    return NULL;
  struct hp_type *wrapper =
      __atomic_load_n(&type->as_wrapper, __ATOMIC_ACQUIRE);
  if (HP_LIKELY(wrapper != NULL))
    return wrapper;
  wrapper =
      hp_type_intern(type->name, type->element_size, HP_PROVENANCE_WRAPPER);
  __atomic_store_n(&type->as_wrapper, wrapper, __ATOMIC_RELEASE);
  return wrapper;
}

/* A wrapper allocates on behalf of a caller who may know better: of bytes, or
   of the header that all its objects have, which they may be. */
static bool gives_way(const struct hp_type_descriptor *argument,
                      const struct hp_type_descriptor *scope, size_t size) {
  bool better =
      argument->flags & HP_TYPE_WEAK ||
      (argument->flags & HP_TYPE_HEADER && scope->flags & HP_TYPE_SIZED);
  return better && size >= scope->element_size;
}

void hp_type_add_library(uintptr_t start, uintptr_t end) {
  if (library_count == HP_LIBRARIES_MAX)
    return;
  libraries[library_count].start = start;
  libraries[library_count].end = end;
  library_count++;
}

static bool in_library(uintptr_t pc) {
  for (size_t i = 0; i < library_count; i++)
    if (pc >= libraries[i].start && pc < libraries[i].end)
      return true;
  return false;
}

/* A record in fewer bytes than it has is another thing that was made on the way, unless
   the size is said by what it has: offsetof and a text. */
static bool has_room(const struct hp_type_descriptor *scope, size_t size) {
  return size >= scope->element_size || scope->flags & HP_TYPE_SIZED;
}

/* Whether what is allocated is for who set the scope. */
static bool is_asked_for(const struct hp_type_descriptor *scope,
                         const struct hp_type_descriptor *argument, size_t size,
                         uintptr_t pc) {
  if (scope->flags & HP_TYPE_EXACT)
    return size == __heapprof_scoped_size;
  return argument || scope->flags & HP_TYPE_OF_LIBC || !in_library(pc);
}

const struct hp_type *hp_type_choose(struct hp_type_descriptor *argument,
                                     size_t size, uintptr_t pc) {
  struct hp_type_descriptor *scope = __heapprof_scoped_type;
  if (argument && argument->flags & HP_TYPE_OF_CONTAINER)
    return type_of(argument);
  if (HP_UNLIKELY(scope != NULL) && is_asked_for(scope, argument, size, pc)) {
    __heapprof_scoped_type = NULL;
    if (argument ? gives_way(argument, scope, size) : has_room(scope, size))
      return type_by_scope(scope);
  }
  return argument ? type_of(argument) : NULL;
}
