/* thread.c - threads come and end.
   Blocks are chained for ever: to walk them needs no knowledge of who lives.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "thread/thread.h"
#include "heap/area.h"
#include "heap/share.h"
#include "system/arena.h"
#include "system/process_facts.h"
#include "system/stopped_world.h"
#include "thread/thread_end.h"
#include "thread/thread_state.h"

HP_THREAD_LOCAL struct hp_thread *hp_thread_self;
HP_THREAD_LOCAL uint32_t hp_thread_self_number;
/* By the name that stays hidden a linker knows where it is in an executable. */
HP_THREAD_LOCAL uint16_t hp_thread_self_tag;
__asm__(".globl " HP_THREAD_SYMBOL "\n"
        ".protected " HP_THREAD_SYMBOL "\n"
        ".type " HP_THREAD_SYMBOL ", @tls_object\n"
        ".size " HP_THREAD_SYMBOL ", 2\n"
        ".set " HP_THREAD_SYMBOL ", hp_thread_self_tag\n");

struct hp_thread_notices hp_thread_notices;

static struct hp_lock lock;
static struct hp_arena blocks;
static struct hp_thread *all;
static struct hp_thread *unused;
static uint32_t last_number;

#define HP_THREADS_ARENA ((size_t)1 << 32)

static void set_number(uint32_t number) {
  uint16_t tag = hp_thread_tag(number);
  hp_thread_self_number = number;
  hp_thread_self_tag = tag == HP_THREAD_LATE ? 0 : tag;
}

uint32_t hp_thread_new_number(void) {
  uint32_t number = __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED);
  set_number(number);
  return number;
}

static struct hp_thread *new_block(void) {
  if (!blocks.base &&
      !hp_arena_reserve(&blocks, HP_THREADS_ARENA, (size_t)1 << 20))
    return NULL;
  blocks.ours = false; /* many of a quarter MiB: not at the dump's cost */
  struct hp_thread *self =
      hp_arena_take(&blocks, (sizeof *self + HP_CACHE_LINE - 1) &
                                 ~(size_t)(HP_CACHE_LINE - 1));
  if (!self)
    return NULL;
  for (unsigned c = 0; c < HP_CLASS_COUNT; c++)
    self->caches[c].max = (uint16_t)hp_cache_max(c);
  self->next = all;
  __atomic_store_n(&all, self, __ATOMIC_RELEASE);
  return self;
}

/* A block whose thread has ended and could not say so.  It is used on as it is:
   what lies in its caches is free, and its counts and events are the same
   window's.  A number that the system has given to a new thread meanwhile keeps
   a block from being found, no more. */
static struct hp_thread *find_left_behind(void) {
  for (struct hp_thread *t = all; t; t = t->next)
    if (t->id && hp_sys_thread_is_gone(t->id)) {
      t->events.entered = 0;
      return t;
    }
  return NULL;
}

HP_COLD struct hp_thread *hp_thread_attach(void) {
  uint32_t number = hp_thread_number();
  uint64_t mask = hp_lock_take_held(&lock);
  struct hp_thread *self = hp_thread_self;
  bool is_attached = self != NULL; /* by a handler that came in between */
  if (!is_attached) {
    self = unused;
    if (self)
      unused = self->next_free;
    else if (!(self = hp_thread_ends_are_seen() ? NULL : find_left_behind()))
      self = new_block();
    if (self) {
      self->id = hp_sys_gettid();
      self->number = number;
      self->stack_end = self->id == hp_sys_pid() ? 0 : hp_sys_thread_pointer();
      self->random = 0x9e3779b97f4a7c15u * number;
      self->until_timed = 1 + number % 64;
      self->last_stack.forgotten = 0; /* it was another thread's */
      self->last_stack.own = (struct hp_stack_bounds){.top = 0};
      if (hp_thread_notices.made)
        hp_thread_notices.made(self, number);
    }
    hp_thread_self = self;
    hp_share_own_area = self ? self->area : 0;
  }
  hp_lock_release_held(&lock, mask);
  if (self && !is_attached) {
    hp_thread_watch_end();
    if (hp_thread_notices.begins)
      hp_thread_notices.begins();
  }
  return self;
}

HP_COLD uintptr_t hp_thread_new_area(void) {
  struct hp_thread *self = hp_thread_get();
  if (self && !self->area && !self->has_no_area) {
    uintptr_t area = hp_share_new_area();
    if (!self->area) /* a handler may have come in between */
      self->area = area;
    self->has_no_area = !self->area;
    hp_share_own_area = self->area;
  }
  return hp_share_own_area;
}

void hp_thread_end(void) {
  struct hp_thread *self = hp_thread_self;
  if (!self)
    return;
  for (unsigned c = 0; c < HP_CLASS_COUNT; c++)
    hp_primary_drain(&self->caches[c], c, 0);
  for (unsigned c = 0; c < HP_PLAIN_CLASS_COUNT; c++)
    hp_primary_drain(&self->plain[c], c, 0);
  for (unsigned c = 0; c < HP_BARE_CLASS_COUNT; c++)
    hp_primary_drain(&self->bare[c], c, 0);
  if (hp_thread_notices.ends)
    hp_thread_notices.ends();
  uint64_t mask = hp_lock_take_held(&lock);
  hp_thread_self = NULL;
  hp_share_own_area = 0;
  self->id = 0;
  self->stack_end = 0;
  self->events.entered =
      0; /* it may have been left by a jump out of a handler */
  self->next_free = unused;
  unused = self;
  hp_lock_release_held(&lock, mask);
}

struct hp_thread *hp_threads_all(void) {
  return __atomic_load_n(&all, __ATOMIC_ACQUIRE);
}

size_t hp_threads_memory(void) { return blocks.used; }

uint32_t hp_threads_count(void) {
  return __atomic_load_n(&last_number, __ATOMIC_RELAXED);
}

void hp_threads_lock(void) { hp_lock_take(&lock); }
void hp_threads_unlock(void) { hp_lock_release(&lock); }

void hp_threads_after_fork_child(void) {
  for (struct hp_thread *t = all; t; t = t->next) {
    t->id = t == hp_thread_self ? hp_sys_gettid() : 0;
    t->stack_end = t->id ? t->stack_end : 0;
    t->number = 1;
  }
  last_number = 1;
  set_number(1);
}
