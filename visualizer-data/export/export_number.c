/* export_number.c - numbers of points as several formats want them.
   The metrics that formats with one number per stack can carry.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "export/export_number.h"

#include <math.h>

#include "base/failure.h"

static const struct {
  const char *name, *unit, *text;
} metrics[] = {
#define X(name, member, unit, text) {#name, unit, text},
    HP_EXPORT_METRICS(X)
#undef X
};

const char *hp_export_metric_name(enum hp_export_metric metric) {
  return metrics[metric].name;
}

const char *hp_export_metric_unit(enum hp_export_metric metric) {
  return metrics[metric].unit;
}

const char *hp_export_metric_text(enum hp_export_metric metric) {
  return metrics[metric].text;
}

uint64_t hp_export_metric_of(enum hp_export_metric metric,
                             const struct hp_point *point) {
  switch (metric) {
#define X(name, member, unit, text)                                            \
  case HP_EXPORT_##name:                                                       \
    return point->member;
    HP_EXPORT_METRICS(X)
#undef X
  case HP_EXPORT_METRIC_COUNT:
    break;
  }
  return 0;
}

uint64_t hp_export_lifetime_ns(const struct hp_point *p) {
  double sum = p->lifetime_ns.mean * (double)(p->chunks - p->live_chunks);
  if (!p->lifetime_ns.defined)
    return 0;
  return sum < 0x1p64 ? (uint64_t)llround(fmin(sum, 0x1p62)) : UINT64_MAX;
}

double hp_export_mean_life_ns(const struct hp_point *p) {
  if (p->lifetime_ns.defined)
    return p->lifetime_ns.mean;
  return p->process ? (double)p->process->window_ns : 0;
}

const char *hp_export_caveat(const struct hp_export *e) {
  return hp_profile_global(e->profile)->sampled ? "estimates from samples"
                                                : NULL;
}

hp_status hp_export_one_process(const struct hp_export *e, const char *format,
                                struct hp_error *error) {
  if (hp_process_count(e->profile) == 1)
    return HP_OK;
  return hp_fail(error, HP_E_ARGUMENT,
                 "%s holds one process, not %zu; give the dump of one", format,
                 hp_process_count(e->profile));
}
