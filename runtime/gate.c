/* gate.c - see gate.h: one word says closed, counters say who is inside.
   The counters are spread, so that threads rarely meet on one cache line.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "gate.h"

#include "sanitizer_binding.h"

#define HP_GATE_SHARDS 64u
#define HP_GATE_PAUSE_NS 50000u
#define HP_GATE_PAUSES 20000u /* a second */

static struct {
  _Alignas(HP_CACHE_LINE) uint32_t inside; /* threads */
} shards[HP_GATE_SHARDS];
_Static_assert(sizeof shards[0] == HP_CACHE_LINE, "one line each");

_Alignas(HP_CACHE_LINE) static uint32_t closed;
static uint32_t last_shard;

static HP_THREAD_LOCAL uint32_t depth;
static HP_THREAD_LOCAL uint32_t *my_shard;

static HP_COLD uint32_t *choose_shard(void) {
  uint32_t number = __atomic_fetch_add(&last_shard, 1, __ATOMIC_RELAXED);
  return my_shard = &shards[number % HP_GATE_SHARDS].inside;
}

static HP_COLD void wait_until_open(uint32_t *inside) {
  do {
    __atomic_fetch_sub(inside, 1, __ATOMIC_SEQ_CST);
    hp_sys_futex_wait(&closed, 1);
    __atomic_fetch_add(inside, 1, __ATOMIC_SEQ_CST);
  } while (__atomic_load_n(&closed, __ATOMIC_SEQ_CST));
}

void hp_gate_enter(void) {
  if (HP_UNLIKELY(depth++ != 0))
    return;
  uint32_t *inside = HP_LIKELY(my_shard != NULL) ? my_shard : choose_shard();
  __atomic_fetch_add(inside, 1, __ATOMIC_SEQ_CST);
  if (HP_UNLIKELY(__atomic_load_n(&closed, __ATOMIC_SEQ_CST)))
    wait_until_open(inside);
}

void hp_gate_leave(void) {
  if (HP_LIKELY(--depth == 0))
    __atomic_fetch_sub(my_shard, 1, __ATOMIC_SEQ_CST);
}

static uint32_t threads_inside(void) {
  uint32_t threads = 0;
  for (unsigned i = 0; i < HP_GATE_SHARDS; i++)
    threads += __atomic_load_n(&shards[i].inside, __ATOMIC_SEQ_CST);
  return threads;
}

void hp_gate_close(void) {
  uint32_t self = depth ? 1 : 0;
  __atomic_store_n(&closed, 1, __ATOMIC_SEQ_CST);
  for (unsigned i = 0; threads_inside() > self && i < HP_GATE_PAUSES; i++)
    hp_sys_sleep_ns(HP_GATE_PAUSE_NS);
}

void hp_gate_open(void) {
  __atomic_store_n(&closed, 0, __ATOMIC_SEQ_CST);
  hp_sys_futex_wake_all(&closed);
}

void hp_gate_reset(void) {
  for (unsigned i = 0; i < HP_GATE_SHARDS; i++)
    shards[i].inside = 0;
  closed = 0;
  if (depth)
    *my_shard = 1;
}
