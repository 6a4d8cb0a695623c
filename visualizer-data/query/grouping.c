/* grouping.c - the key by which points are put together.
   What is unknown shares the key "unknown".
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "query/grouping.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/failure.h"

hp_status hp_grouping_parse(const char *by, enum hp_grouping *grouping,
                            struct hp_error *error) {
  static const char *const names[] = {[HP_BY_POINT] = "point",
                                      [HP_BY_SITE] = "site",
                                      [HP_BY_FUNCTION] = "function",
                                      [HP_BY_FILE] = "file",
                                      [HP_BY_MODULE] = "module",
                                      [HP_BY_TYPE] = "type",
                                      [HP_BY_PLACE] = "place",
                                      [HP_BY_PLACE_FUNCTION] = "place_function",
                                      [HP_BY_SITE_FUNCTION] = "site_function"};
  *grouping = HP_BY_POINT;
  if (!by)
    return HP_OK;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(by, names[i]) == 0) {
      *grouping = (enum hp_grouping)i;
      return HP_OK;
    }
  return hp_fail(error, HP_E_ARGUMENT,
                 "cannot group by \"%s\"; groups are point, site, function, "
                 "file, module, type, place",
                 by);
}

static const char *text_or_unknown(const char *text) {
  return text ? text : "unknown";
}

/* "function file:line:column", with as much as is known; "~" before a line that
   is only near. */
static const char *make_site_key(struct hp_store *store,
                                 const struct hp_frame *site) {
  if (!site || (!site->function && !site->file && !site->module))
    return text_or_unknown(NULL);
  const char *function = site->function ? site->function : "";
  const char *gap = site->function ? " " : "";
  size_t size = strlen(function) + strlen(site->file ? site->file : "") +
                strlen(site->module ? site->module : "") + 64;
  char *key = hp_store_take(store, size, 1);
  if (!key)
    return NULL;
  if (site->file)
    snprintf(key, size, "%s%s%s:%s%" PRIu32 ":%" PRIu32, function, gap,
             site->file, site->line_is_near ? "~" : "", site->line,
             site->column);
  else if (site->function)
    snprintf(key, size, "%s%s%s", function, site->module ? " " : "",
             site->module ? site->module : "");
  else
    snprintf(key, size, "%s+0x%" PRIx64, site->module, site->address);
  return key;
}

static const char *site_key(struct hp_known_keys *known, struct hp_store *store,
                            const struct hp_frame *site) {
  struct hp_known_key *one =
      &known->keys[(uintptr_t)site / sizeof *site % HP_KEYS_KNOWN];
  if (!one->key || one->frame != site)
    *one = (struct hp_known_key){site, make_site_key(store, site)};
  return one->key;
}

const char *hp_grouping_key(enum hp_grouping grouping,
                            const struct hp_point *point,
                            struct hp_known_keys *known,
                            struct hp_store *store) {
  const struct hp_frame *site = point->site;
  const struct hp_frame *place = point->place ? point->place : site;
  switch (grouping) {
  case HP_BY_PLACE:
    return site_key(known, store, place);
  case HP_BY_PLACE_FUNCTION:
    return text_or_unknown(place ? place->function : NULL);
  case HP_BY_SITE:
    return site_key(known, store, site);
  case HP_BY_SITE_FUNCTION:
    return text_or_unknown(site ? site->function : NULL);
  case HP_BY_FUNCTION: /* without a name its calls are told apart, as elsewhere */
    return site && site->function ? site->function
                                  : site_key(known, store, site);
  case HP_BY_FILE:
    return text_or_unknown(site ? site->file : NULL);
  case HP_BY_MODULE:
    return text_or_unknown(site ? site->module : NULL);
  default:
    return text_or_unknown(point->type);
  }
}
