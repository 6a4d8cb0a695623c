/* heapprof.h - reads heapprof dumps and turns them into points, scores and inferences.
   Never prints, never exits; every failure is a status and one line of text in struct hp_error.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_H
#define HEAPPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heapprof_blocks.h"
#include "heapprof_contents.h"
#include "heapprof_initialised.h"
#include "heapprof_pages.h"
#include "heapprof_teardown.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- status --------------------------------------------------------------- */

typedef enum hp_status {
  HP_OK = 0,
  HP_E_OPEN,      /* no such file or directory, no permission */
  HP_E_NOT_DUMP,  /* it exists but is no heapprof dump */
  HP_E_VERSION,   /* written by a newer heapprof */
  HP_E_TRUNCATED, /* a file ends inside a block, or blocks are missing */
  HP_E_CORRUPT,   /* a checksum, number or reference is wrong */
  HP_E_MEMORY,
  HP_E_ARGUMENT /* the caller's mistake, such as an unknown sort key */
} hp_status;

/* TEXT is one line without a full stop: file, offset, what is wrong, what to
   do.  Filled when a function returns other than HP_OK. */
struct hp_error {
  hp_status status;
  char text[512];
};

/* ---- reading --------------------------------------------------------------- */

typedef struct hp_profile hp_profile; /* everything read from the paths given */

/* Told now and then what a long call is at: DONE of TOTAL, or just WHAT if TOTAL
   is 0. */
typedef void hp_progress(const char *what, uint64_t done, uint64_t total);

/* Options grow at the end: `sz` is sizeof(struct hp_open_options) as the caller
   knew it; fields beyond it take their defaults (0). */
struct hp_open_options {
  size_t sz;
  bool no_symbols;       /* leave frames as module+offset */
  const char *debug_dir; /* more directories of debug files, colon-separated */
  const char *sysroot;   /* prefix of module paths that do not exist as such */
  bool no_cache; /* neither read nor write the symbol cache beside the dump */
  bool memoro_compat;    /* metrics.md section 2, last paragraph */
  bool exclude_live;     /* chunks live at the end take no part in the scores */
  double group_gap;      /* p of the lifetime score's tau; 0 = 0.001 */
  uint64_t short_ns;     /* short-lived below this; 0 = 1 ms */
  bool weight_by_bytes;  /* global means weigh each point by its bytes */
  bool from_log;         /* take every number from the chunk log */
  hp_progress *progress; /* NULL: nobody is told */
  uint64_t
      point; /* of the chunk log read this point's chunks alone, if all else
                     can be had from sums; 0: all of it */
};

/* Opens each of PATHS: a dump directory, or a directory that holds some.
   A process that was killed before its dump was complete is read as far as it
   goes (hp_process.complete = false).  On success *OUT is owned by the caller.
   O may be NULL. */
hp_status hp_profile_open(hp_profile **out, const char *const *paths,
                          size_t count, const struct hp_open_options *o,
                          struct hp_error *error);
void hp_profile_close(hp_profile *profile); /* NULL is allowed */

/* PATH is a file that begins as each of a dump does, or as the names that were kept
   of it: what a command must not write over. */
bool hp_is_file_of_dump(const char *path);

/* ---- what was read ---------------------------------------------------------- */

#define HP_NULL_SCORE (-1.0) /* an undefined score or mean: prints as null */

/* Requested bytes, profiled or not, begun before the window too, counted one by
   one in a sampled run. */
struct hp_counted_heap {
  uint64_t bytes;      /* live at the end */
  uint64_t peak;       /* the most in the window; 0: the dump does not say */
  uint64_t peak_error; /* by which that may be too many or too few */
};

/* Where the resident memory of a process is, in the order it is shown. */
#define HP_MEMORY_PARTS(X)                                                     \
  X(live, "live")                                                              \
  X(slack, "allocator slack")                                                  \
  X(retained, "freed, not returned")                                           \
  X(mapping, "mappings")                                                       \
  X(global, "globals")                                                         \
  X(stack, "stacks")                                                           \
  X(code, "code and files")                                                    \
  X(own, "heapprof")                                                           \
  X(other, "other")
enum hp_memory_part {
#define X(name, text) HP_PART_##name,
  HP_MEMORY_PARTS(X)
#undef X
      HP_PART_COUNT
};
const char *hp_memory_part_name(enum hp_memory_part part); /* "live" */
const char *hp_memory_part_text(enum hp_memory_part part); /* as above */

/* At one moment, in bytes; parts add up to rss.  rss 0: it was not seen. */
struct hp_memory_use {
  uint64_t at_ns; /* since the window's start */
  uint64_t rss;
  uint64_t parts[HP_PART_COUNT];
};

/* What a thread did, or all beyond those that are told of one by one.  Estimates
   where the process was sampled, but the time. */
struct hp_thread_use {
  uint64_t number; /* 1 main, ...; 0: all others */
  uint64_t allocations, bytes;
  uint64_t frees, foreign_frees;   /* foreign: of chunks of other threads */
  uint64_t live_bytes, peak_bytes; /* of its own chunks, whoever frees them */
  uint64_t allocator_ns; /* estimated from the calls that were timed */
  uint64_t stack_bytes; /* size of its stack; 0: it was not seen, as the next */
  uint64_t stack_deepest;  /* bytes down to the deepest page seen in use */
  uint64_t stack_resident; /* bytes, at the end; 0: the thread had ended */
};

/* How often an allocation function was called, and how long that took. */
struct hp_call_use {
  const char *function;
  uint64_t calls, bytes; /* bytes asked for */
  uint64_t timed;        /* calls that were; 0: the rest is unknown */
  double mean_ns, median_ns, p99_ns; /* of these */
  double usual_ns;      /* mean of these but the longest hundredth */
  double mean_error_ns; /* standard error, of all calls; < 0: not known */
};

/* What one call stack mapped itself, by one function, in one way. */
struct hp_mapping_use {
  const char *function;                 /* "mmap" */
  bool is_file, is_shared, is_reserved; /* reserved: without access at first */
  const struct hp_frame *const *stack;  /* of the call, leaf first */
  size_t stack_count;
  const struct hp_frame *site; /* innermost frame; NULL: not known */
  uint64_t maps, bytes;        /* calls, and whole pages mapped by them */
  uint64_t live_bytes, peak_bytes;
  uint64_t at_peak_bytes;  /* when the process had mapped most */
  uint64_t resident_bytes; /* of live_bytes */
  bool resident_known;
};

/* All that the process mapped by calls that were seen; known is false in older
   dumps. */
struct hp_mapped_sum {
  bool known;
  uint64_t live_bytes, peak_bytes, peak_ns;
  uint64_t maps, unmaps, remaps, breaks, failed; /* calls */
  uint64_t lost_bytes;                           /* in no hp_mapping_use */
  uint64_t
      unseen_bytes; /* resident, of the part "mappings", in no hp_mapping_use */
};

struct hp_process {
  const char *dump; /* path it was read from */
  const char *program;
  const char *const *args;
  size_t arg_count;
  uint64_t pid, parent;
  const char *host; /* NULL if not recorded */
  const char *rank; /* NULL outside MPI */
  uint64_t window_ns;
  uint64_t cpu_ns;   /* of all threads, heapprof's too; 0: not known */
  uint64_t stale_ms; /* heapprof_pages.h; 0: not known */
  const char *ended; /* "exit", "signal 9", "killed" (no end record), ... */
  bool complete;     /* the end record is there and its totals agree */
  bool has_exit_status;
  uint64_t exit_status;
  uint64_t allocations, frees, failed_requests, failed_bytes;
  uint64_t inherited_frees, invalid_frees, threads;
  uint64_t peak_bytes, live_bytes_at_end;
  uint64_t peak_ns;     /* when the peak was first reached, in the window */
  uint64_t chunks_kept; /* chunks in the log */
  uint64_t dropped_points, dropped_chunks;
  double ticks_per_ns;
  uint64_t tick_max; /* ticks; worst error of a coarse last access */
  uint64_t allocator_ticks;
  bool has_aggregates;     /* numbers are of all chunks, logged or not */
  uint64_t thinned_chunks; /* left out of the log to stay within its budget */
  const char *log_failure; /* why the log stopped early; NULL: it did not */
  uint64_t back_pressure;  /* times that the log's writer was waited for or
                             passed over */
  uint64_t late_events; /* beginnings and ends out of order; peaks may be off by
                           these */
  const struct hp_interval *intervals; /* of equal length, from 0 to the
                                          window's end */
  size_t interval_count;               /* 0: not recorded */
  const struct hp_mark *marks;         /* as the program set them, in order */
  size_t mark_count;
  bool sampled;                        /* else all chunks were profiled */
  uint64_t sample_every, sample_bytes; /* one is 0: which chunks were */
  uint64_t sample_seed;
  uint64_t samples;                 /* chunks that were */
  uint64_t requests, request_bytes; /* chunks begun, counted one by one */
  struct hp_counted_heap heap;
  uint64_t lost_marks; /* of which there were too many */
  const char *
      allocator; /* path of the library whose chunks these are; NULL: heapprof's */
  const char *leak_check;    /* "done", or why it is not known which live chunks
                             are lost; NULL: nobody asked */
  const char *suppressions;  /* lines, as suppression.h has them; NULL: none */
  uint64_t unsettled_chunks; /* contradict themselves; their accesses are left
                                out */
  struct hp_memory_use memory_at_end;
  struct hp_memory_use memory_at_peak; /* when most of the heap was seen live */
  uint64_t peak_resident_bytes; /* then, without what heapprof takes; 0: it was
                                   not seen */
  const struct hp_thread_use *thread_uses; /* ascending by number, 0 last */
  size_t thread_use_count;                 /* 0: not known */
  const struct hp_call_use *call_uses;
  size_t call_use_count; /* 0: not known */
  unsigned timed_one_in; /* calls of which one is timed, on average */
  struct hp_mapped_sum mapped;
  const struct hp_mapping_use *mappings; /* those that had most at once first */
  size_t mapping_count;
  uint64_t unprofiled_chunks, unprofiled_bytes; /* for want of memory: in no
                                                   other number */
};

/* A moment to which the program gave a name. */
struct hp_mark {
  uint64_t at_ns; /* since the window's start */
  const char *name;
};

struct hp_frame {
  const char *function; /* demangled, the same pointer for the same text; NULL
                           if unknown */
  const char *file;     /* NULL if unknown */
  uint32_t line, column;
  const char *module; /* path; NULL outside every module */
  uint64_t address;   /* ELF virtual address in the module, of the call: return
                       address - 1 */
  bool inlined;       /* inlined into the next frame of the stack */
  const char *linkage_name; /* NULL if it is the function's name, or unknown */
  uint32_t start_line;      /* where the function begins; 0 if unknown */
  uint16_t roles;           /* for the library's own use */
  bool
      line_is_near; /* the compiler gave the call no line; this is the nearest before it in the function */
};

/* "libstdc++.so.6" of a frame of the C or C++ library, of OpenMP's, of the allocator or of
   start-up code, "the C++ library" of its code in the program; NULL of the
   program's own. */
const char *hp_frame_library(const struct hp_frame *frame);

/* The process in one interval of time: least and most live at once. */
struct hp_interval {
  uint64_t begin_ns, end_ns; /* since the window's start */
  uint64_t bytes_min, bytes_max, chunks_min, chunks_max;
  uint64_t allocations, bytes; /* begun in it; bytes saturate */
  uint64_t resident_min,
      resident_max; /* bytes of the whole process, as often as
                                          was looked; max 0: never */
};

/* Inferences of metrics.md section 4, in the order they are shown. */
#define HP_INFERENCES(X)                                                       \
  X(unused, "never read nor written")                                          \
  X(write_only, "written but never read")                                      \
  X(read_only, "read but never written")                                       \
  X(top_bytes, "among the points with the highest peak")                       \
  X(top_chunks, "among the points with the most chunks")                       \
  X(growing, "took over from a smaller chunk, again and again")                \
  X(short_lived, "lives less than the short-lived bound")                      \
  X(allocated_early, "allocated long before its first access")                 \
  X(freed_late, "freed long after its last access")                            \
  X(low_coverage, "less than half of its bytes accessed")                      \
  X(multithread, "accessed by a thread other than the allocating one")         \
  X(freed_elsewhere, "freed by a thread other than the allocating one")        \
  X(never_freed, "live at the end")                                            \
  X(zero_size, "requests of 0 bytes")                                          \
  X(overrun, "accessed beyond the requested size")                             \
  X(lost, "live at the end, and nothing points to it")                         \
  X(lost_indirectly, "live at the end, and only what is lost points to it")    \
  X(still_reachable, "live at the end, where the program can reach it")
enum hp_inference {
#define X(name, text) HP_INF_##name,
  HP_INFERENCES(X)
#undef X
      HP_INF_COUNT
};
const char *hp_inference_name(enum hp_inference i); /* "write_only" */
/* "written but never read" */
const char *hp_inference_text(enum hp_inference i);
/* else of lives and sizes */
bool hp_inference_is_of_accesses(enum hp_inference i);

struct hp_inference_value {
  bool flagged;    /* the point shows it, by the rule's own threshold */
  uint64_t chunks; /* chunks it holds for, and their bytes */
  uint64_t bytes;
};

struct hp_scores { /* each in [0, 1] or HP_NULL_SCORE */
  double lifetime, usage, useful_lifetime;
  double useful_lifetime_error; /* the true value lies within +- this; 0 if
                                   exact */
};

/* Standard errors of estimates from samples; all 0: nothing was left to chance.
   Those of scores leave out useful_lifetime_error. */
struct hp_sampling_errors {
  double chunks, bytes, usage, useful_lifetime, peak; /* peak: of peak_bytes */
};

struct hp_min_mean_max { /* defined = false: over no chunk at all */
  bool defined;
  uint64_t min, max;
  double mean;
};

/* Chunks of which each took over from a smaller one, which ended: a vector's
   storage, a text that realloc makes longer.  A chain has 4 at least. */
struct hp_growth { /* the longest chain; length 0 = none */
  uint64_t length, first_size, last_size, copied_bytes;
};
struct hp_chains { /* all of them */
  uint64_t chains, chunks, bytes, copied_bytes;
  uint64_t likely_chunks; /* in chains of which not each copy was seen */
};

/* Accesses beyond the requested size; all 0 if there are none. */
struct hp_overrun {
  uint64_t beyond;                        /* bytes, at most; 0: not known */
  bool ahead;                             /* also ahead of the chunk */
  bool is_read, is_written;               /* neither: not known */
  const struct hp_frame *reader, *writer; /* the first; NULL: not known */
};

/* counts[i] is of values with lowest + i binary digits: of 0 for 0 digits, of
   [2^(d-1), 2^d) for d. */
struct hp_histogram {
  unsigned lowest, count; /* count 0: not known */
  const uint64_t *counts;
};

/* Ended chunks of a point, of one size, that were freed at one place. */
struct hp_freed {
  const struct hp_frame *const *stack; /* of the free, leaf first; frames of the
                                          allocator left out */
  size_t stack_count;
  const struct hp_frame *site; /* innermost frame outside allocator and operator
                                  delete; NULL if none */
  bool site_is_all;            /* of each of them; else of some */
  const struct hp_frame *place; /* who freed, past functions that only pass it
                                   on, such as an xfree; of some of them at
                                   least */
  bool place_is_all;
  bool has_stack; /* of some of them; else only its innermost call is known */
  bool stack_is_all; /* the same of the stack; else only its innermost call */
  bool sizes_vary;   /* of further sizes than those told apart */
  bool reallocated;  /* ended by realloc, some at least */
  bool by_allocator; /* by the function call that had allocated it, as far as
                        the stack says */
  bool
      in_its_function; /* the same, or by another call of that function from the
                           same place: in its code the free lies before */
  bool by_jump; /* a jump at its end led there, so that site is its caller */
  uint64_t size, chunks;
  double lived_ns; /* sum of their lives */
};

/* What realloc did to sizes at a point; calls is 0 if nothing, or if not all
   chunks were profiled.  Bytes but those of the jump are sums. */
struct hp_resizes {
  uint64_t calls, in_place; /* of chunks; that left them where they were */
  uint64_t moved_bytes;     /* copied by the other calls */
  uint64_t grown, grown_bytes, shrunk, shrunk_bytes;
  uint64_t jump_from, jump_to; /* the largest growth by one call */
};

/* Its columns: X(column, member). */
#define HP_RESIZE_COLUMNS(X)                                                   \
  X(reallocs, calls)                                                           \
  X(reallocs_in_place, in_place)                                               \
  X(realloc_moved_bytes, moved_bytes)                                          \
  X(realloc_grown_bytes, grown_bytes)                                          \
  X(realloc_shrunk_bytes, shrunk_bytes)                                        \
  X(realloc_jump_from, jump_from)                                              \
  X(realloc_jump_to, jump_to)

/* One allocation point, or a group of them (see hp_query.by). */
struct hp_point {
  uint64_t id;      /* stable within a profile, from 1 */
  const char *key;  /* of a group; NULL for a point */
  const char *type; /* NULL if unknown */
  const char *type_provenance;
  const struct hp_process *process; /* NULL if several: of a group, or of a
                                       merged dump */
  uint64_t window_ns; /* of a point: of its process, the longest if several */
  bool ended_by_exit; /* of a point: so did all of its processes */
  bool
      goes_on; /* of a point: one did behind what is told, with its live chunks */
  uint64_t first_ns, last_ns; /* of a point: its first chunk began, its last
                                 ended, since the window's start */
  uint64_t last_begun_ns; /* of a point of one process: its last chunk began */
  double lived_ns;        /* mean over its chunks, live ones too */
  const struct hp_frame *const *stack; /* leaf first; frames of the allocator
                                          left out */
  size_t stack_count;
  const struct hp_frame *site; /* innermost frame outside allocator and operator
                                  new; NULL if none */
  /* Where a person can change something, as docs/findings.md says: a frame of
     the stack; NULL: nowhere, all of it is a library's.  Of a group: of all. */
  const struct hp_frame *place;
  uint64_t members, largest; /* of a group: its points, and the id of the one
                                with most bytes */
  /* False: code without access hooks owns the chunks, so that nobody knows what
     was read or written: usage and useful life are null, inferences of accesses
     are of no chunk; reads, writes and bytes_accessed are what was seen.  Of a
     group: of all its points. */
  bool accesses_known;
  /* Such code may also have got them from their owner: what is said of their
     accesses is likely, not certain.  Of a group: of a point. */
  bool accesses_shared;
  bool line_written_unseen; /* and is seen to write other chunks of its place:
                               who is not accessed may be written by it */
  const struct hp_frame *unseen; /* of a point: the innermost such code that is
                                    their owner; NULL: none, or not known */
  uint64_t unknown_points, unknown_chunks; /* of which nobody knows it; what is
                                              said of accesses leaves them out */
  uint64_t chunks, bytes, peak_bytes, bytes_at_global_peak;
  uint64_t peak_touched_bytes; /* of bytes_at_global_peak, on pages that were
                                  touched */
  uint64_t chunks_at_global_peak;
  uint64_t peak_memory_bytes; /* that glibc's malloc takes for those touched */
  uint64_t live_chunks, live_bytes;
  struct hp_min_mean_max size;            /* bytes */
  struct hp_min_mean_max lifetime_ns;     /* ended chunks only */
  uint64_t reads, writes, bytes_accessed; /* bytes_accessed: sum of interval
                                             lengths */
  bool counts_saturated;
  struct hp_scores scores;
  uint64_t groups, singleton_groups; /* of the lifetime score */
  double severity; /* g of metrics.md section 2, floored at 0.01; HP_NULL_SCORE
                      if no score */
  int colour;      /* 0 (best) .. 11; -1 if no score */
  struct hp_inference_value inferences[HP_INF_COUNT];
  struct hp_growth growth;
  uint64_t multithread_chunks, freed_elsewhere;
  uint64_t element_size;  /* sizeof(type); 0 = unknown, or not one in a group */
  uint64_t elements;      /* whole ones that fit the chunks; 0 if unknown */
  uint64_t logged_chunks; /* that the chunk log has */
  /* Of a point: all numbers, of a group: peak_bytes, are estimates from the
     logged chunks, because not all chunks were logged; all numbers, because not
     all chunks were profiled (samples); of a point of several processes:
     peak_bytes is the sum of theirs. */
  bool estimated;
  uint64_t samples; /* chunks that were profiled, of which all numbers are
                       estimates; 0: all were */
  struct hp_sampling_errors errors;
  struct hp_inference_value zeroed; /* by calloc, and never accessed: these are
                                       not among the unused */
  uint64_t held_chunks, held_bytes; /* what hangs from its lost chunks */
  uint64_t temporary_chunks;        /* freed by their thread before it allocated
                                another one */
  bool temporary_known;
  uint64_t generations; /* begun when none was live; unknown, a group: 0 */
  bool is_part; /* it has other chunks, too, that are not in the set which is
                   asked of (heapprof_set.h); of a group: some point has */
  bool leak_suppressed; /* of a point: its leaks are not to be told of */
  struct hp_overrun overrun;
  struct hp_pages pages;
  struct hp_stale stale;
  struct hp_resizes resizes;
  struct hp_teardown teardown;
  struct hp_initialised initialised;
  struct hp_contents contents;
  const char *pool; /* whose objects these are, by name; NULL: of none, or of
                       several: a group */
  struct hp_blocks blocks;       /* if any: accesses_known is false of all */
  struct hp_pages sampled_pages; /* of smaller chunks that had pages of their
                                    own, chosen by number among all smaller
                                    ones; scaled to no others */
  struct hp_histogram sizes;     /* bytes */
  struct hp_histogram lives;     /* ticks, ended chunks; none for a group over
                                several processes */
  struct hp_chains grown;
  /* Of a point: where its ended chunks were freed, most first; of all of them
     if freed_chunks are as many as ended. */
  const struct hp_freed *freed;
  size_t freed_count;
  uint64_t freed_chunks;
};

/* A logged chunk; times in nanoseconds since the window's start. */
struct hp_chunk_view {
  uint64_t t0_ns, t1_ns;        /* allocated, freed or end of the window */
  uint64_t first_ns, last_ns;   /* accesses; nothing if reads = writes = 0 */
  uint64_t size, lo, hi;        /* accessed bytes are [lo, hi) */
  uint64_t reads, writes;       /* saturate */
  uint32_t thread, free_thread; /* free_thread 0: live */
  uint32_t weight; /* chunks it stands for; 1: none was left out here */
  bool live, zeroed, multithread, overrun, reallocated;
  bool exact; /* last_ns is; else it is the coarse clock's */
};

/* How often the bytes that P needs at most were used: bytes / peak_bytes;
   HP_NULL_SCORE if that is 0. */
double hp_recycling(const struct hp_point *p);

struct hp_global_score {
  double geomean, mean, variance; /* HP_NULL_SCORE over no point */
  uint64_t points;                /* with a non-null score */
};
struct hp_global {
  bool sampled; /* of a process not all chunks were profiled */
  struct hp_global_score lifetime, usage, useful_lifetime;
  uint64_t points, chunks, bytes, peak_bytes, time_in_allocator_ns;
  uint64_t peak_touched_bytes, peak_memory_bytes; /* sums over the points */
  /* Of points whose accesses are not known; those are in no mean of usage or
     useful life. */
  uint64_t unknown_points, unknown_chunks, unknown_bytes;
  /* Points of shared accesses; their usage and useful life, which the means
     have, may be greater. */
  uint64_t shared_points;
};

size_t hp_process_count(const hp_profile *profile);
const struct hp_process *hp_process_at(const hp_profile *profile, size_t i);
const struct hp_global *hp_profile_global(const hp_profile *profile);

/* What the reader of the numbers should know: modules without symbols because
   they are gone or were rebuilt, and the like.  One line each; NULL past the
   last. */
size_t hp_profile_note_count(const hp_profile *profile);
const char *hp_profile_note_at(const hp_profile *profile, size_t i);

/* Modules with code without hooks that owns chunks, those with most points
   first; NULL past the last. */
size_t hp_profile_unseen_count(const hp_profile *profile);
const char *hp_profile_unseen_at(const hp_profile *profile, size_t i);
/* Whether one of them is a module, not all code in none that is known. */
bool hp_profile_unseen_has_module(const hp_profile *profile);

/* What may have accessed what others own: modules without hooks; those with, of
   which a part has none, as assembly; those with, whose files are not there as
   they were loaded, so that nobody can tell; functions of libc that code with
   hooks calls, and of which nobody counts what they access. */
size_t hp_profile_reached_count(const hp_profile *profile);
const char *hp_profile_reached_at(const hp_profile *profile, size_t i);
size_t hp_profile_mixed_count(const hp_profile *profile);
const char *hp_profile_mixed_at(const hp_profile *profile, size_t i);
size_t hp_profile_unread_count(const hp_profile *profile);
const char *hp_profile_unread_at(const hp_profile *profile, size_t i);
size_t hp_profile_uncounted_count(const hp_profile *profile);
const char *hp_profile_uncounted_at(const hp_profile *profile, size_t i);

/* ---- asking ------------------------------------------------------------------ */

/* Which points, in which order.  FILTER: a set as docs/sets.md has it, of
   conditions that points can answer; hp_profile_keep() asks chunks, too.
   SORT: severity (default, worst first; ties by bytes), worth (how bad, times
   what share of all it has), bytes, chunks, peak, live, lifetime, usage,
   useful_lifetime (scores: worst first), reads, writes, site.  BY: point
   (default), place, site, function, file, module, type; place_function and
   site_function, of which what has no name is one group, "unknown". */
struct hp_query {
  size_t sz;
  const char *filter, *sort, *by; /* NULL: the default */
  bool reverse;
};

/* The point that FILTER asks for, if it asks for nothing else; 0: it does not.  For
   hp_open_options.point. */
uint64_t hp_filter_only_point(const char *filter);

/* *POINTS is an array of pointers into PROFILE, valid until the next query of
   that profile or its close. */
hp_status hp_profile_query(hp_profile *profile, const struct hp_query *query,
                           const struct hp_point *const **points, size_t *count,
                           struct hp_error *error);

/* Copies to CHUNKS up to COUNT of the logged chunks of POINT, from the one with
   the number BEGIN on, in the order of t0; how many.  0 for a group. */
size_t hp_point_chunks(const hp_profile *profile, const struct hp_point *point,
                       size_t begin, struct hp_chunk_view *chunks,
                       size_t count);

#ifdef __cplusplus
}
#endif
#endif
