/* replay.c - see replay.h: reads all logged chunks of a dump, writes events for the driver.
   A log that has left chunks out is refused: it would be another program.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "replay.h"

#include "command.h"
#include "installed.h"
#include "progress.h"
#include "replay_plan.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CHUNKS_AT_ONCE 4096u

struct lives {
  struct hp_replay_life *list;
  size_t count, room;
};

static bool add(struct lives *lives, const struct hp_chunk_view *chunk) {
  if (lives->count == lives->room) {
    size_t room = lives->room ? 2 * lives->room : CHUNKS_AT_ONCE;
    struct hp_replay_life *list = realloc(lives->list, room * sizeof *list);
    if (!list)
      return false;
    lives->list = list;
    lives->room = room;
  }
  /* Of what nobody saw accesses to all of it counts as touched. */
  bool seen = chunk->reads || chunk->writes;
  lives->list[lives->count++] =
      (struct hp_replay_life){.begin = chunk->t0_ns,
                              .end = chunk->t1_ns,
                              .size = chunk->size,
                              .lo = seen ? chunk->lo : 0,
                              .hi = seen ? chunk->hi : chunk->size,
                              .thread = chunk->thread,
                              .free_thread = chunk->free_thread,
                              .ends = !chunk->live};
  return true;
}

static bool add_point(struct lives *lives, const hp_profile *profile,
                      const struct hp_point *point) {
  static struct hp_chunk_view chunks[CHUNKS_AT_ONCE];
  size_t begin = 0, n;
  while ((n = hp_point_chunks(profile, point, begin, chunks, CHUNKS_AT_ONCE)) >
         0) {
    for (size_t i = 0; i < n; i++)
      if (!add(lives, &chunks[i]))
        return false;
    begin += n;
  }
  return true;
}

static int fail_memory(void) {
  return hp_command_fail(HP_EXIT_INPUT_OUTPUT, "out of memory");
}

static int read_lives(struct lives *lives, hp_profile *profile,
                      const char *dump) {
  const struct hp_global *global = hp_profile_global(profile);
  const struct hp_query query = {.sz = sizeof query};
  const struct hp_point *const *points;
  struct hp_error error;
  size_t count;
  if (hp_process_count(profile) != 1)
    return hp_command_fail(HP_EXIT_USAGE, "%s: has %zu processes; replay one",
                           dump, hp_process_count(profile));
  if (hp_profile_query(profile, &query, &points, &count, &error) != HP_OK)
    return hp_command_fail_status(&error);
  for (size_t i = 0; i < count; i++)
    if (!add_point(lives, profile, points[i]))
      return fail_memory();
  if (global->sampled || lives->count != global->chunks)
    return hp_command_fail(HP_EXIT_USAGE,
                           "%s: its log has %zu of %llu chunks; profile the "
                           "program with chunk_log=all",
                           dump, lives->count,
                           (unsigned long long)global->chunks);
  if (!lives->count)
    return hp_command_fail(HP_EXIT_USAGE, "%s: has no chunk to replay", dump);
  return 0;
}

static bool write_all(int fd, const char *bytes, size_t size) {
  while (size) {
    ssize_t n = write(fd, bytes, size);
    if (n < 0 && errno != EINTR)
      return false;
    bytes += n > 0 ? n : 0;
    size -= n > 0 ? (size_t)n : 0;
  }
  return true;
}

static int prepare(struct hp_replay *replay, const struct lives *lives,
                   const char *dump) {
  struct hp_replay_plan plan;
  int fd = memfd_create("heapprof-replay", MFD_CLOEXEC);
  bool good = hp_replay_make(&plan, lives->list, lives->count);
  if (good)
    good = fd >= 0 && write_all(fd, (const char *)plan.events,
                                plan.count * sizeof *plan.events);
  free(plan.events);
  if (!good)
    return hp_command_fail(HP_EXIT_INPUT_OUTPUT, "%s: no memory for its events",
                           dump);
  snprintf(replay->path, sizeof replay->path, "/proc/%ld/fd/%d", (long)getpid(),
           fd);
  snprintf(replay->slots, sizeof replay->slots, "%u", plan.slots);
  snprintf(replay->threads, sizeof replay->threads, "%u", plan.threads);
  snprintf(replay->name, sizeof replay->name, "replay of %s", dump);
  replay->arguments[0] = replay->driver;
  replay->arguments[1] = replay->path;
  replay->arguments[2] = replay->slots;
  replay->arguments[3] = replay->threads;
  return 0;
}

int hp_replay_open(struct hp_replay *replay, const char *dump) {
  const struct hp_open_options options = {.sz = sizeof options,
                                          .no_symbols = true,
                                          .progress = hp_command_progress};
  struct lives lives = {0};
  struct hp_error error;
  hp_profile *profile = NULL;
  if (!hp_command_beside(replay->driver, sizeof replay->driver, 2,
                         "lib/heapprof/heapprof-replay") ||
      access(replay->driver, X_OK) != 0)
    return hp_command_fail(HP_EXIT_INPUT_OUTPUT,
                           "%s: cannot be executed; install heapprof again",
                           replay->driver);
  if (hp_profile_open(&profile, &dump, 1, &options, &error) != HP_OK)
    return hp_command_fail_status(&error);
  int code = read_lives(&lives, profile, dump);
  hp_profile_close(profile);
  if (!code)
    code = prepare(replay, &lives, dump);
  free(lives.list);
  /* What this process holds when it forks is counted as the program's. */
  malloc_trim(0);
  hp_command_end_progress();
  return code;
}
