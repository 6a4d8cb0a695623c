/* meter_new.c - operators new and delete, which allocators define themselves beside malloc.
   An exception of the next one passes through; the call is over then.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "allocator_meter/meter_count.h"
#include "allocator_meter/meter_next.h"

#define OVER __attribute__((cleanup(hp_count_leave)))

/* Compiled without a program that has operators, nobody calls these; with one, there is a next.  ARRAY is 0 or 1. */
#define NEW_FORM(name, member, array, parameters, arguments)                   \
  __attribute__((visibility("default"))) void *name parameters;                \
  __attribute__((visibility("default"))) void *name parameters {               \
    hp_next_ready();                                                           \
    struct hp_count count OVER = hp_count_begin(HP_METER_NEW, NULL);           \
    void *chunk = hp_next.member[array] arguments;                             \
    hp_count_made(&count, chunk, size, NULL);                                  \
    return chunk;                                                              \
  }
#define DELETE_FORM(name, member, array, parameters, arguments)                \
  __attribute__((visibility("default"))) void name parameters;                 \
  __attribute__((visibility("default"))) void name parameters {                \
    hp_next_ready();                                                           \
    struct hp_count count OVER = hp_count_begin(HP_METER_DELETE, chunk);       \
    hp_next.member[array] arguments;                                           \
    hp_count_gone(&count, chunk);                                              \
  }

NEW_FORM(_Znwm, new_plain, 0, (size_t size), (size))
NEW_FORM(_Znam, new_plain, 1, (size_t size), (size))
NEW_FORM(_ZnwmRKSt9nothrow_t, new_nothrow, 0,
         (size_t size, const void *nothrow), (size, nothrow))
NEW_FORM(_ZnamRKSt9nothrow_t, new_nothrow, 1,
         (size_t size, const void *nothrow), (size, nothrow))
NEW_FORM(_ZnwmSt11align_val_t, new_aligned, 0, (size_t size, size_t alignment),
         (size, alignment))
NEW_FORM(_ZnamSt11align_val_t, new_aligned, 1, (size_t size, size_t alignment),
         (size, alignment))
NEW_FORM(_ZnwmSt11align_val_tRKSt9nothrow_t, new_aligned_nothrow, 0,
         (size_t size, size_t alignment, const void *nothrow),
         (size, alignment, nothrow))
NEW_FORM(_ZnamSt11align_val_tRKSt9nothrow_t, new_aligned_nothrow, 1,
         (size_t size, size_t alignment, const void *nothrow),
         (size, alignment, nothrow))

DELETE_FORM(_ZdlPv, delete_plain, 0, (void *chunk), (chunk))
DELETE_FORM(_ZdaPv, delete_plain, 1, (void *chunk), (chunk))
DELETE_FORM(_ZdlPvm, delete_sized, 0, (void *chunk, size_t size), (chunk, size))
DELETE_FORM(_ZdaPvm, delete_sized, 1, (void *chunk, size_t size), (chunk, size))
DELETE_FORM(_ZdlPvRKSt9nothrow_t, delete_nothrow, 0,
            (void *chunk, const void *nothrow), (chunk, nothrow))
DELETE_FORM(_ZdaPvRKSt9nothrow_t, delete_nothrow, 1,
            (void *chunk, const void *nothrow), (chunk, nothrow))
DELETE_FORM(_ZdlPvSt11align_val_t, delete_aligned, 0,
            (void *chunk, size_t alignment), (chunk, alignment))
DELETE_FORM(_ZdaPvSt11align_val_t, delete_aligned, 1,
            (void *chunk, size_t alignment), (chunk, alignment))
DELETE_FORM(_ZdlPvmSt11align_val_t, delete_sized_aligned, 0,
            (void *chunk, size_t size, size_t alignment),
            (chunk, size, alignment))
DELETE_FORM(_ZdaPvmSt11align_val_t, delete_sized_aligned, 1,
            (void *chunk, size_t size, size_t alignment),
            (chunk, size, alignment))
DELETE_FORM(_ZdlPvSt11align_val_tRKSt9nothrow_t, delete_aligned_nothrow, 0,
            (void *chunk, size_t alignment, const void *nothrow),
            (chunk, alignment, nothrow))
DELETE_FORM(_ZdaPvSt11align_val_tRKSt9nothrow_t, delete_aligned_nothrow, 1,
            (void *chunk, size_t alignment, const void *nothrow),
            (chunk, alignment, nothrow))
