/* hook_abi.h - every symbol that the pass refers to and the runtime has.
   Hooks keep errno, take no lock and may be called from a signal handler.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_HOOK_ABI_H
#define HP_HOOK_ABI_H

/* Bumped when a hook changes its meaning.  Each instrumented module refers to
   HP_ABI_SYMBOL from its constructor, so that a runtime of another ABI fails
   at link time instead of counting wrongly. */
#define HP_ABI_VERSION 15
#define HP_ABI_SYMBOL "__heapprof_abi_version_15"

/* Called by each instrumented module's constructor; may be called any number
   of times and before anything else: starts the runtime if it is not.  Takes
   the module's mark among its records of functions. */
#define HP_HOOK_INIT "__heapprof_init" /* void (ptr mark) */

/* Each function with hooks, or without accesses that could need one, has a
   record; what code has none makes accesses that nobody sees.  All records of a
   module lie side by side and without alignment; the mark is one of no function,
   from which the others are found, up and down, by their last word.  Symbols for
   the section's bounds would keep alive what --gc-sections is to drop.
     near  +0 i32 distance from the record to the function
           +4 u32 bytes of the function  +8 u32 HP_HOOKED_NEAR_WORD
     far   +0 i64 distance  +8 u32 bytes  +12 u32 HP_HOOKED_FAR_WORD
   Far ones are of the medium and the large code model, whose objects may be linked
   with others; the mark is a near one. */
#define HP_HOOKED_SECTION "heapprof_hooked"
#define HP_HOOKED_MARK "heapprof.hooked_mark"
#define HP_HOOKED_NEAR_WORD 0xb7e15163
#define HP_HOOKED_FAR_WORD 0xb7e15164
#define HP_HOOKED_NEAR_SIZE 12
#define HP_HOOKED_FAR_SIZE 16

/* What an access does; a hook with a `kind` argument takes one of these. */
#define HP_ACCESS_READ 1  /* one read */
#define HP_ACCESS_WRITE 2 /* one write */
#define HP_ACCESS_BOTH 3  /* one read and one write, as an atomic update does */

/* One access of n bytes at p.  n = 0 is no access. */
#define HP_HOOK_READ "__heapprof_read"             /* void (ptr p, i64 n) */
#define HP_HOOK_WRITE "__heapprof_write"           /* void (ptr p, i64 n) */
#define HP_HOOK_READ_WRITE "__heapprof_read_write" /* void (ptr p, i64 n) */

/* Several accesses at once, as the pass merges them: reads read accesses and
   writes write accesses, all of one chunk, whose hull is the n bytes at p.
   n = 0 or reads = writes = 0 is no access.
   void (ptr p, i64 n, i64 reads, i64 writes) */
#define HP_HOOK_MANY "__heapprof_many"

/* The same for several ranges whose hull is the n bytes at p, in place of a hook for
   each: 0 if nothing was counted, since not all of it is usual; then each is to be
   counted by itself.
   i32 (ptr p, i64 n, i64 reads, i64 writes) */
#define HP_HOOK_HULL "__heapprof_hull"

/* The last of the accesses counted before, of bytes at p, is now: behind a
   long loop whose accesses were counted ahead of it. */
#define HP_HOOK_TOUCH "__heapprof_touch" /* void (ptr p) */

/* Instrumented code writes a chunk's record itself, as hp_access() does, where the
   access is usual: by the thread that allocated the chunk, within the bytes
   accessed before, of a chunk that is not exact.  It calls this hook for any other
   access, which is counted as by HP_HOOK_MANY.  The hook returns a record for the
   accesses that follow:
     the chunk's own  if usual accesses of it may be counted in line; then they
                      may be as long as the chunk lives
     NULL             if p is not in the heap: nothing is counted
     HP_NOT_KNOWN     else; so the next access calls again
   Bytes and counts come in one word, so that a call is short; accesses that do not
   fit are not counted in line.
   Calling convention: preserve_most. */
#define HP_HOOK_SLOW "__heapprof_slow" /* ptr (ptr p, i32 accesses) */
#define HP_SLOW_ACCESSES(bytes, reads, writes)                                 \
  ((bytes) | (writes) << 16 | (reads) << 24)
#define HP_SLOW_BYTES(accesses) ((accesses) & 0xffff)
#define HP_SLOW_WRITES(accesses) ((accesses) >> 16 & 0xff)
#define HP_SLOW_READS(accesses) ((accesses) >> 24)
#define HP_SLOW_BYTES_MAX 0xffff
#define HP_SLOW_COUNT_MAX 0xff

/* The same of any access, also of a usual one: for code that is rarely executed,
   where a record written inline would only be long.
   Calling convention: preserve_most. */
#define HP_HOOK_USUAL "__heapprof_usual" /* ptr (ptr p, i32 accesses) */

/* The same for calls that say that r10, rax and rdx change, and no other register,
   those of vectors included: where a function begins, most of its arguments stay
   where they are.  One read, or one write, of 1, 2, 4, 8 or 16 bytes has a hook of
   its own, whose name ends in that number and which asks for no accesses.  p is in
   r10, where it stays, accesses in edx, the record in rax. */
#define HP_HOOK_KEEPING "__heapprof_keeping"
#define HP_HOOK_KEEPING_READ "__heapprof_keeping_r"
#define HP_HOOK_KEEPING_WRITE "__heapprof_keeping_w"

/* What a module often counts by the accesses of HP_HOOK_KEEPING it may have a
   function of its own for, which goes on here, with them in edx, if the access is
   not usual. */
#define HP_WORD_HOOK_PREFIX "__heapprof_word_"
#define HP_HOOK_SLOW_KEPT "__heapprof_slow_kept"

/* HP_HOOK_SLOW for calls that say that r10 and rax change, and no other register:
   p is in r10, where it stays, the record in rax.  The accesses are the last word on
   the stack, below the return address: a function of the module's own pushes them. */
#define HP_SLOW_HOOK_PREFIX "__heapprof_slow_word_"
#define HP_HOOK_SLOW_PUSHED "__heapprof_slow_pushed"

/* The same three, of modules that are to tell which accesses each call stands for:
   one more argument, the group of them, a constant of the module.  A run with
   members=1 counts them by their place in the chunk (members.h).
     slow, usual  ptr (ptr p, i32 accesses, ptr group), preserve_most
     many         void (ptr p, i64 n, i64 reads, i64 writes, ptr group)
     loop         void (ptr p, i64 n, i64 reads, i64 writes, ptr group, ptr steps):
                  the accesses of a range; steps are as many pairs of i64 as the
                  group says: bytes from one to the next, and how many there are,
                  innermost first, so that they are at p plus a multiple of each
   A group is u32 words:
     +0   places in it       +4   step: the accesses are there once more so many
     +8   pairs of steps          bytes further, as often as the counts say
     +12  reads of all places +16  writes
     +20  the places, of four words each: bytes from p, bytes, reads, writes
          (HP_GROUP_MANY_BYTES or more: so many at least)                       */
#define HP_HOOK_SLOW_MEMBERS "__heapprof_slow_members"
#define HP_HOOK_USUAL_MEMBERS "__heapprof_usual_members"
#define HP_HOOK_MANY_MEMBERS "__heapprof_many_members"
#define HP_HOOK_LOOP_MEMBERS "__heapprof_loop_members"
#define HP_GROUP_PLACES 0
#define HP_GROUP_STEP 1
#define HP_GROUP_STEPS 2
#define HP_GROUP_READS 3
#define HP_GROUP_WRITES 4
#define HP_GROUP_HEAD 5
#define HP_GROUP_PLACE 4 /* words each */
#define HP_GROUP_MANY_BYTES 0xffffffffu

/* What instrumented code holds in place of a record while it knows none, or must
   not write to the one it knows.  It is below NULL as no record is, so that one
   comparison tells a record from it and from what is not in the heap. */
#define HP_NOT_KNOWN (-8)

/* Not 0 from the runtime's start on if not all allocations are profiled.  A
   function that is there twice then goes on in the one whose name has the
   suffix: the same, with hooks for samples. */
#define HP_SAMPLING_SYMBOL "__heapprof_sampling" /* u8 */
#define HP_SAMPLED_SUFFIX ".sampled"

/* The most that may be added to a record's counter at once, unless it was counted
   one by one: so it takes days to fill a counter. */
#define HP_STEP_MAX 0x7fff

/* From an address to its record.  The heap lies at the same place in every
   process, so that all of it is constants (heap.h draws the place):

     region = address >> HP_REGION_SHIFT    slots are of 2^region bytes
              < HP_REGION_FIRST or >= HP_REGION_COUNT: not in the heap
     record = address & (-1 << region)      where the slot begins

   Code that needs the record looks -1 << region up, since on many processors a
   shift by a variable is as long as three other instructions.  HP_MASKS_SYMBOL
   is the middle of HP_MASK_COUNT masks, 0 for what is not in the heap: number
   address >> HP_REGION_SHIFT counted from there, with the address's sign, so
   that there is one for each address that a processor can have.

   An access of n bytes is usual if all of these hold; address and address +
   n - 1 are cut to 32 bits, which differ within a slot:

     record.lo <= address  and  address + n - 1 <= record.hi
     record.thread == the thread's tag

   chunk record, offsets in bytes, asserted in hooks.c
     +0   u16 thread                          +16  u32 lo
     +0   u64 writes << HP_CHUNK_WRITES_SHIFT +20  u32 hi
     +8   u64 reads << HP_CHUNK_READS_SHIFT   +24  u64 last
   thread's tag    (HP_THREAD_SYMBOL) u16
   coarse clock    (HP_CLOCK_SYMBOL)  u64                                  */
#define HP_REGION_SHIFT 38
#define HP_REGION_FIRST 6
#define HP_REGION_COUNT 39
/* No address of the heap has this bit, but those have it that programs mostly
   access otherwise: of stacks, of libraries, of position-independent executables
   and of chunks that are not sampled. */
#define HP_ELSEWHERE_BIT 46
#define HP_MASKS_SYMBOL "__heapprof_masks" /* u64 */
#define HP_MASK_COUNT (1 << 19)            /* addresses have 57 bits at most */
#define HP_THREAD_SYMBOL "__heapprof_thread_tag"
#define HP_CLOCK_SYMBOL "__heapprof_clock_coarse"
#define HP_CHUNK_THREAD 0
#define HP_CHUNK_WRITES 0
#define HP_CHUNK_WRITES_SHIFT 16
#define HP_CHUNK_READS 8
#define HP_CHUNK_READS_SHIFT 0
#define HP_CHUNK_LO 16
#define HP_CHUNK_HI 20
#define HP_CHUNK_LAST 24

/* Vector accesses.  A lane is `lane` bytes; bit i of `mask` says that lane i
   is accessed; no bit set is no access.
   masked:  lane i is at p + i * lane
   strided: lane i is at p + i * stride (stride is signed, in bytes)
   lanes:   lane i is at pointers[i]; the array holds `count` pointers
   Each is one access per chunk touched, over the span of its enabled lanes.
   masked:  void (ptr p, i64 lane, i64 mask, i32 kind)
   strided: void (ptr p, i64 stride, i64 lane, i64 mask, i32 kind)
   lanes:   void (ptr pointers, i32 count, i64 lane, i64 mask, i32 kind) */
#define HP_HOOK_MASKED "__heapprof_masked"
#define HP_HOOK_STRIDED "__heapprof_strided"
#define HP_HOOK_LANES "__heapprof_lanes"

/* Memory intrinsics: do what the libc function does, and count one read of the
   source range and one write of the target range (per chunk touched). */
#define HP_HOOK_MEMCPY "__heapprof_memcpy"   /* ptr (ptr, ptr, i64) */
#define HP_HOOK_MEMMOVE "__heapprof_memmove" /* ptr (ptr, ptr, i64) */
#define HP_HOOK_MEMSET "__heapprof_memset"   /* ptr (ptr, i32, i64) */

/* ---- types ------------------------------------------------------------------

   A typed entry point is an allocation function with one more argument at the
   end, its name HP_TYPED_PREFIX and the function's own (linkage) name:

     malloc(n)   ->  __heapprof_malloc(n, descriptor)
     _Znwm(n)    ->  __heapprof__Znwm(n, descriptor)

   for malloc calloc realloc reallocarray aligned_alloc memalign posix_memalign
   valloc pvalloc and the eight replaceable forms of operator new.  It does what
   the function does, and calls the program's own if there is one.  The
   descriptor is never NULL. */
#define HP_TYPED_PREFIX "__heapprof_"

/* A type as the pass writes it: writable data, one per type and module.
     +0   ptr name          UTF-8 as the compiler has it, NUL-terminated
     +8   u64 element_size  sizeof(type); 0 = unknown
     +16  u32 alignment     alignof(type); 0 = unknown
     +20  u16 provenance    an HP_PROVENANCE number
     +22  u16 flags         HP_TYPE_*
     +24  ptr interned      NULL; the runtime keeps its own answer here        */
/* How an argument's type stands against the scope's.  Flags of a chunk whose
   size the function's caller gave: */
#define HP_TYPE_WEAK 1   /* bytes or so: gives way to any type of the scope */
#define HP_TYPE_HEADER 2 /* what objects begin with: gives way to a SIZED one */
/* and of any: */
#define HP_TYPE_SIZED 4   /* said by a sizeof, not only by the result's use */
#define HP_TYPE_OF_LIBC 8 /* asked of the C library itself, as of wcsdup */
/* by a container of the C++ library for itself: no scope's */
#define HP_TYPE_OF_CONTAINER 16
#define HP_TYPE_EXACT 32 /* for memory of HP_SCOPED_SIZE bytes only */
#define HP_TYPE_OPEN                                                           \
  64 /* ends with a flexible array: no chunk is many of them */
#define HP_TYPE_FLAGS_OFFSET 22
#define HP_TYPE_DESCRIPTOR_PREFIX "__heapprof_type."

/* Thread-local, initial-exec: the type that the call in progress asks a wrapper
   for, or NULL.  Set before the call, put back after it on each way out.  The
   first allocation inside that names no better type takes it and sets NULL; not
   one that the C or C++ library makes, or a container, which is for itself. */
#define HP_SCOPED_TYPE "__heapprof_scoped_type" /* thread_local ptr */

/* Thread-local, initial-exec: how much is asked for, set before the scope of an
   EXACT type, that of an object which a memory resource is asked for: blocks of
   which it cuts such objects are larger. */
#define HP_SCOPED_SIZE "__heapprof_scoped_size" /* thread_local u64 */

#ifndef __cplusplus
#include <stdint.h>
struct hp_type_descriptor {
  const char *name;
  uint64_t element_size;
  uint32_t alignment;
  uint16_t provenance;
  uint16_t flags;
  struct hp_type *interned;
};
_Static_assert(sizeof(struct hp_type_descriptor) == 32, "written by the pass");
extern __thread struct hp_type_descriptor *__heapprof_scoped_type
    __attribute__((tls_model("initial-exec"), visibility("default")));
extern __thread uint64_t __heapprof_scoped_size
    __attribute__((tls_model("initial-exec"), visibility("default")));

static inline void hp_end_scope(struct hp_type_descriptor **before) {
  __heapprof_scoped_type = *before;
}

/* Returns CALL within the scope of TYPE, which ends on every way out of here. */
#define HP_IN_SCOPE(type, call)                                                \
  do {                                                                         \
    __attribute__((cleanup(hp_end_scope))) struct hp_type_descriptor *before = \
        __heapprof_scoped_type;                                                \
    __heapprof_scoped_type = (type);                                           \
    return call;                                                               \
  } while (0)
#endif

/* ---- pools ------------------------------------------------------------------

   Behind a call of a function that the program's builder named as an allocator of
   a pool; ahead of one of the function that frees.  p may be NULL.  The pool is
   any address of its own, or NULL: that of the name, a text.  The descriptor may
   be NULL.
   pooled:   void (ptr pool, ptr p, i64 size, ptr name, ptr descriptor)
   unpooled: void (ptr p)
   cleared:  void (ptr pool) */
#define HP_HOOK_POOLED "__heapprof_pooled"
#define HP_HOOK_UNPOOLED "__heapprof_unpooled"
#define HP_HOOK_POOL_CLEAR "__heapprof_pool_clear"
/* What was found of each item of -heapprof-pools in a module stays in this section of
   the file, which is never loaded: one of these letters and the item, as texts.
   visualizer-data/resolve/pool_calls.c reads them. */
#define HP_POOLS_SECTION ".heapprof_pools"
#define HP_POOLS_NO_CALL '0'    /* of a function of that name */
#define HP_POOLS_NO_POINTER 'p' /* it returns none */
#define HP_POOLS_NO_SIZE 's'    /* it has no argument that is one */
#define HP_POOLS_TOLD 't'
#define HP_POOLS_STATES "0pst" /* the more is told, the later */

/* ---- call stacks -----------------------------------------------------------

   A function that ends by a call which may allocate keeps its frame, where the
   compiler would jump.  If what it calls may jump back to it, which is another
   module's to say, it keeps the frame only HP_KEPT_MAX + 1 times in a row, so
   that a program which goes in circles by jumps alone never fills its stack.
   Thread-local, initial-exec: the frame pointer that was kept last, and how many
   were kept above it in a row added to it: two frames are 16 bytes apart. */
#define HP_KEPT_SYMBOL "__heapprof_kept_frame" /* thread_local u64 */
#define HP_KEPT_MAX 15ull

/* Module flag that marks a module the pass has been through. */
#define HP_MODULE_FLAG "heapprof.instrumented"

#endif
