/* type.h - types of chunks: each (name, element size, provenance) stored once.
   Append-only; a descriptor remembers its answer: asking twice takes no lock.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_TYPE_H
#define HP_TYPE_H

#include "heapprof_format.h"
#include "hook_abi.h"
#include "system/platform.h"

/* One stored type, in an arena; two of them are never equal.
     +0   ptr name          NUL-terminated copy: modules may be unloaded
     +8   u64 element_size  bytes; 0 = unknown
     +16  u64 hash
     +24  u32 provenance    enum hp_provenance
     +28  u32 length        of the name
     +32  ptr next          of the same bucket
     +40  ptr as_wrapper    the same with provenance WRAPPER; NULL until asked
 */
struct hp_type {
  const char *name;
  uint64_t element_size;
  uint64_t hash;
  uint32_t provenance;
  uint32_t length;
  struct hp_type *next;
  struct hp_type *as_wrapper;
};
_Static_assert(sizeof(struct hp_type) == 48, "layout");

/* A type in 32 bits: these are the low halves of addresses, all unlike in an arena of
   2^32 bytes.  0: none. */
HP_INLINE uint32_t hp_type_low(const struct hp_type *type) {
  return (uint32_t)(uintptr_t)type;
}
#define HP_TYPES_ARENA ((size_t)1 << 32)

/* Longer names are cut: a point must fit into a block of the dump. */
#define HP_TYPE_NAME_MAX ((size_t)1 << 20)

#ifdef __cplusplus
extern "C" {
#endif

/* The stored type; NULL if NAME is empty or it cannot be kept. */
struct hp_type *hp_type_intern(const char *name, uint64_t element_size,
                               enum hp_provenance provenance);

/* The same as hp_type_of_chunk(), whatever there is. */
const struct hp_type *hp_type_choose(struct hp_type_descriptor *argument,
                                     size_t size, uintptr_t pc);

/* Code from START to END allocates for itself: it takes no type of a scope.
   Called while there is one thread; what is too many is left out. */
void hp_type_add_library(uintptr_t start, uintptr_t end);

/* What strdup and its kin allocate. */
extern struct hp_type_descriptor hp_type_char;

/* The type whose low half is LOW; NULL: none. */
const struct hp_type *hp_type_of_low(uint32_t low);

size_t hp_type_memory(void); /* bytes in use */
void hp_type_lock(void);     /* around fork */
void hp_type_unlock(void);

#ifdef __cplusplus
}
#else
/* The type of a new chunk of SIZE bytes: ARGUMENT's, or that of the scope the
   caller is in (hook_abi.h), which ends with it.  PC is the caller's. */
HP_INLINE const struct hp_type *
hp_type_of_chunk(struct hp_type_descriptor *argument, size_t size,
                 uintptr_t pc) {
  const struct hp_type *type = NULL;
  if (HP_LIKELY(__heapprof_scoped_type == NULL)) {
    if (argument)
      type = __atomic_load_n(&argument->interned, __ATOMIC_ACQUIRE);
    if (HP_LIKELY(type || !argument))
      return type;
  }
  return hp_type_choose(argument, size, pc);
}
#endif
#endif
