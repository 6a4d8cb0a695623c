/* stack.c - resolves call stacks.
   A return address lies behind its call, hence 1 is taken off before lookup.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/pattern.h"
#include "read/hooked_ranges.h"
#include "resolve/chunk_owner.h"
#include "resolve/frame_role.h"
#include "resolve/site.h"

static const struct hp_dump_module *module_at(const struct hp_dump *dump,
                                              uint64_t address, uint64_t time) {
  for (size_t i = 0; i < dump->module_count; i++) {
    const struct hp_dump_module *m = &dump->modules[i];
    if (m->start <= address && address < m->end && m->loaded <= time &&
        time < m->unloaded)
      return m;
  }
  return NULL;
}

/* Its first chunk that is known began then. */
uint64_t hp_stack_time(const struct hp_dump *dump,
                       const struct hp_dump_point *point) {
  if (point->chunks.count)
    return point->chunks.first_t0;
  if (point->summary && point->summary->group_count)
    return point->summary->groups[0].first;
  return dump->end.end;
}

/* A module noticed only later is better than none. */
const struct hp_dump_module *hp_stack_module_at(const struct hp_dump *dump,
                                                uint64_t time, uint64_t call) {
  const struct hp_dump_module *found = module_at(dump, call, time);
  for (size_t i = 0; !found && i < dump->module_count; i++) {
    const struct hp_dump_module *m = &dump->modules[i];
    if (m->start <= call && call < m->end && m->loaded > time)
      found = m;
  }
  return found;
}

const struct hp_dump_module *hp_stack_module(const struct hp_dump *dump,
                                             const struct hp_dump_point *point,
                                             uint64_t call) {
  return hp_stack_module_at(dump, hp_stack_time(dump, point), call);
}

struct frames {
  const struct hp_frame **items;
  bool *hooked; /* of each, that its code has hooks */
  size_t count, capacity;
  const char *maker;   /* of a text, which libc made; NULL: none */
  size_t inside_maker; /* the innermost of them, that it called */
};

static bool make_room(struct frames *frames, size_t more) {
  if (more <= frames->capacity - frames->count)
    return true;
  size_t capacity = 2 * frames->capacity + more + 16;
  const struct hp_frame **items =
      reallocarray(frames->items, capacity, sizeof *items);
  if (!items)
    return false;
  frames->items = items;
  bool *hooked = reallocarray(frames->hooked, capacity, sizeof *hooked);
  if (!hooked)
    return false;
  frames->hooked = hooked;
  frames->capacity = capacity;
  return true;
}

static bool append(struct frames *to, const struct hp_frame *from, size_t count,
                   bool hooked) {
  if (!make_room(to, count))
    return false;
  for (size_t i = 0; i < count; i++) {
    to->hooked[to->count] = hooked;
    to->items[to->count++] = &from[i];
  }
  return true;
}

/* Outside all modules there is no more to say than the address. */
static const struct hp_frame *bare_frame(struct hp_store *store,
                                         uint64_t address) {
  struct hp_frame *frame = hp_store_take(store, 1, sizeof *frame);
  if (frame)
    frame->address = address;
  return frame;
}

/* The program called libc there: so would it have without us. */
static bool is_of_runtime(const struct hp_frame *found, size_t count) {
  return count && hp_frame_roles(&found[count - 1]) & HP_ROLE_RUNTIME;
}

/* Of the runtime's function INTERCEPTOR, libc's that it stands for, if that makes a text for
   who calls it, and what is written to the text is counted; else NULL. */
static const char *text_maker(const char *interceptor) {
  static const char *const makers[] = {"*asprintf*", "*getline", "*getdelim",
                                       "*realpath*", "*getcwd*"};
  static const char prefix[] = "interceptor_";
  const char *at = interceptor ? strstr(interceptor, prefix) : NULL;
  for (size_t i = 0; at && i < sizeof makers / sizeof *makers; i++)
    if (hp_pattern_matches(makers[i], at + sizeof prefix - 1))
      return at + sizeof prefix - 1;
  return NULL;
}

static void note_runtime(struct frames *frames,
                         const struct hp_frame *outermost) {
  if (!frames->maker && (frames->maker = text_maker(outermost->function)))
    frames->inside_maker = frames->count;
}

/* All of KEPT, COUNT frames, in which libc works. */
static bool are_of_libc(const struct hp_frame *const *kept, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!(hp_frame_roles(kept[i]) & (HP_ROLE_SYSTEM | HP_ROLE_ALLOCATOR)))
      return false;
  return count > 0;
}

static hp_status resolve_all(struct frames *frames, struct hp_store *store,
                             hp_symbolizer *symbolizer,
                             const struct hp_dump *dump, const uint64_t *stack,
                             size_t stack_count, uint64_t time,
                             struct hp_error *error) {
  const bool says_hooks = hp_says_hooks(dump);
  for (size_t i = 0; i < stack_count; i++) {
    uint64_t call = stack[i] - 1;
    const struct hp_dump_module *m = hp_stack_module_at(dump, time, call);
    const struct hp_frame *found;
    size_t count = 1;
    bool hooked = m ? hp_is_hooked(m, call) : !says_hooks;
    if (m) {
      const struct hp_symbol_module module = {m->path, m->build_id,
                                              m->build_id_size};
      HP_TRY(hp_symbolizer_frames(symbolizer, &module, call - m->bias, &found,
                                  &count, error));
    } else {
      found = bare_frame(store, call);
    }
    if (!found)
      return hp_fail_memory(error);
    if (is_of_runtime(found, count))
      note_runtime(frames, &found[count - 1]);
    else if (!append(frames, found, count, hooked))
      return hp_fail_memory(error);
  }
  return HP_OK;
}

/* How many of KEPT, COUNT frames behind SKIP, are inside what makes a text; 0: none. */
static size_t frames_inside_maker(const struct frames *frames,
                                  const struct hp_frame *const *kept,
                                  size_t skip, size_t count) {
  const size_t inside =
      frames->inside_maker > skip ? frames->inside_maker - skip : 0;
  return kept && inside < count && are_of_libc(kept, inside) ? inside : 0;
}

/* The first of CALLERS, COUNT frames, and what that works for, have hooks. */
static bool are_callers_seen(const struct hp_frame *const *callers,
                             const bool *hooked, size_t count) {
  return !hp_unseen_owner(callers, hooked, count, hp_site_of(callers, count));
}

/* What libc's symbols have no name for is what the program called.  False without memory. */
static bool name_maker(struct hp_store *store, const struct hp_frame **frame,
                       const char *maker) {
  if ((*frame)->function)
    return true;
  struct hp_frame *named = hp_store_take(store, 1, sizeof *named);
  if (!named)
    return false;
  *named = **frame;
  named->function = maker;
  named->roles = 0; /* by its name */
  *frame = named;
  return true;
}

hp_status hp_stack_resolve(struct hp_store *store, hp_symbolizer *symbolizer,
                           const struct hp_dump *dump,
                           const struct hp_dump_point *raw,
                           struct hp_point *point, size_t *handed_to,
                           bool *is_text, struct hp_error *error) {
  struct frames frames = {0};
  *is_text = false;
  hp_status status =
      resolve_all(&frames, store, symbolizer, dump, raw->stack,
                  raw->stack_count, hp_stack_time(dump, raw), error);
  if (status == HP_OK) {
    size_t skip = hp_site_skip(frames.items, frames.count);
    size_t count = frames.count - skip;
    const struct hp_frame **kept = hp_store_take(store, count, sizeof *kept);
    if (!kept)
      status = hp_fail_memory(error);
    else if (count)
      memcpy(kept, frames.items + skip, count * sizeof *kept);
    point->stack = kept;
    point->stack_count = count;
    point->site = kept ? hp_site_of(kept, count) : NULL;
    if (kept && count)
      point->unseen =
          hp_unseen_owner(kept, frames.hooked + skip, count, point->site);
    point->accesses_known =
        !point->unseen && (count > 0 || !hp_says_hooks(dump));
    const size_t inside = frames_inside_maker(&frames, kept, skip, count);
    *is_text = inside && point->unseen &&
               are_callers_seen(kept + inside, frames.hooked + skip + inside,
                                count - inside);
    if (inside && !name_maker(store, &kept[inside - 1], frames.maker))
      status = hp_fail_memory(error);
    else if (inside)
      point->site = hp_site_of(kept, count);
    *handed_to =
        point->unseen ? 0 : hp_handed_to(kept, frames.hooked + skip, count);
  }
  free(frames.items);
  free(frames.hooked);
  return status;
}

hp_status hp_stack_resolve_at(struct hp_store *store, hp_symbolizer *symbolizer,
                              const struct hp_dump *dump, const uint64_t *stack,
                              size_t stack_count, uint64_t time,
                              const struct hp_frame *const **found,
                              size_t *count, struct hp_error *error) {
  struct frames frames = {0};
  hp_status status = resolve_all(&frames, store, symbolizer, dump, stack,
                                 stack_count, time, error);
  const struct hp_frame **kept = NULL;
  if (status == HP_OK) {
    kept = hp_store_take(store, frames.count, sizeof *kept);
    if (!kept)
      status = hp_fail_memory(error);
    else if (frames.count)
      memcpy(kept, frames.items, frames.count * sizeof *kept);
  }
  *found = kept;
  *count = frames.count;
  free(frames.items);
  free(frames.hooked);
  return status;
}

hp_status hp_stack_frames(const struct hp_frame **frames, size_t *count,
                          hp_symbolizer *symbolizer, const struct hp_dump *dump,
                          const struct hp_dump_point *point, uint64_t pc,
                          struct hp_error *error) {
  *frames = NULL;
  *count = 0;
  const struct hp_dump_module *m =
      pc ? hp_stack_module(dump, point, pc - 1) : NULL;
  if (!m)
    return HP_OK;
  const struct hp_symbol_module module = {m->path, m->build_id,
                                          m->build_id_size};
  return hp_symbolizer_frames(symbolizer, &module, pc - 1 - m->bias, frames,
                              count, error);
}

hp_status hp_stack_frame(const struct hp_frame **frame,
                         hp_symbolizer *symbolizer, const struct hp_dump *dump,
                         const struct hp_dump_point *point, uint64_t pc,
                         struct hp_error *error) {
  size_t count;
  HP_TRY(hp_stack_frames(frame, &count, symbolizer, dump, point, pc, error));
  if (*frame && hp_site_skip(&(const struct hp_frame *const){*frame}, 1))
    *frame = NULL; /* a helper of the runtime's own called */
  return HP_OK;
}
