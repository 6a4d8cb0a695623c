/* ticker.c - see ticker.h: sleeps, steps the clock, looks around.
   libc does not know this thread: the program stays single-threaded to it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "thread/ticker.h"

#include "options/options.h"
#include "system/clock.h"
#include "system/forbidden_calls.h"
#include "system/own_thread.h"
#include "system/user.h"
#include "system/waiting.h"

#define USER_TICKS 1024u /* to look is dear to a short process */
#define DESERTED_TICKS 256u

static struct hp_sys_thread ticker;
static bool ends;
static unsigned pace = 1; /* steps that a sleep is long */
static uint32_t news;     /* changes with each of the two */
static void (*const *watched)(void);

static void look_around(void) {
  void (*const *look)(void) = __atomic_load_n(&watched, __ATOMIC_ACQUIRE);
  for (; look && *look; look++)
    (*look)();
}

static void tell(void) {
  __atomic_fetch_add(&news, 1, __ATOMIC_RELEASE);
  if (!hp_forbids_any())
    hp_sys_futex_wake(&news);
}

/* A long sleep is one that news end.  Returns the steps it takes. */
static unsigned rest(uint32_t seen) {
  const uint64_t period = (uint64_t)hp_options.tick_us * 1000;
  const unsigned steps = __atomic_load_n(&pace, __ATOMIC_RELAXED);
  if (HP_UNLIKELY(hp_forbids_any()) || steps == 1) {
    hp_sys_sleep_ns(hp_forbids_any() && period > HP_PROXY_NS ? HP_PROXY_NS
                                                             : period);
    return 1;
  }
  hp_sys_futex_wait_for(&news, seen, steps * period);
  return steps;
}

static bool passes(unsigned from, unsigned to, unsigned multiple) {
  return from / multiple != to / multiple;
}

static void tick_on(void) {
  for (unsigned before = 0, i = 0;; before = i) {
    const uint32_t seen = __atomic_load_n(&news, __ATOMIC_ACQUIRE);
    if (__atomic_load_n(&ends, __ATOMIC_ACQUIRE))
      return;
    i += rest(seen);
    if (HP_UNLIKELY(hp_forbids_any()))
      hp_proxy_serve(hp_sys_monotonic_ns(), hp_sys_realtime_ns());
    if (!hp_options.exact_time)
      hp_clock_step(hp_clock_now());
    if (passes(before, i, DESERTED_TICKS) && hp_sys_is_deserted())
      return;
    if (passes(before, i, USER_TICKS))
      hp_sys_follow_user(HP_SYS_NOBODY, NULL);
    look_around();
  }
}

static void tick(void) {
  tick_on();
  hp_proxy_end();
}

void hp_ticker_watch(void (*const *looks)(void)) {
  __atomic_store_n(&watched, looks, __ATOMIC_RELEASE);
}

void hp_ticker_pace(unsigned steps) {
  if (__atomic_exchange_n(&pace, steps, __ATOMIC_RELAXED) != steps)
    tell();
}

bool hp_ticker_start(void) {
  ends = false;
  if (hp_sys_start_thread(&ticker, tick))
    return true;
  hp_options.exact_time = true;
  return false;
}

bool hp_ticker_need(void) {
  return __atomic_load_n(&ticker.id, __ATOMIC_ACQUIRE) || hp_ticker_start();
}

void hp_ticker_end(void) {
  __atomic_store_n(&ends, true, __ATOMIC_RELEASE);
  tell();
  hp_sys_join_thread(&ticker);
}
