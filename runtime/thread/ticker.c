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
static void (*const *watched)(void);

static void look_around(void) {
  void (*const *look)(void) = __atomic_load_n(&watched, __ATOMIC_ACQUIRE);
  for (; look && *look; look++)
    (*look)();
}

static void tick_on(void) {
  for (unsigned i = 1; !__atomic_load_n(&ends, __ATOMIC_ACQUIRE); i++) {
    const uint64_t period = (uint64_t)hp_options.tick_us * 1000;
    hp_sys_sleep_ns(hp_forbids_any() && period > HP_PROXY_NS ? HP_PROXY_NS
                                                             : period);
    if (HP_UNLIKELY(hp_forbids_any()))
      hp_proxy_serve(hp_sys_monotonic_ns(), hp_sys_realtime_ns());
    if (!hp_options.exact_time)
      hp_clock_step(hp_clock_now());
    if (i % DESERTED_TICKS == 0 && hp_sys_is_deserted())
      return;
    if (i % USER_TICKS == 0)
      hp_sys_follow_user();
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
  hp_sys_join_thread(&ticker);
}
