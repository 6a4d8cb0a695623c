/* grouping.h - the key by which points are put together.
   Parsed once and then asked per point.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_GROUPING_H
#define HP_GROUPING_H

#include "base/store.h"
#include "heapprof.h"

/* What a point is grouped by; the names of hp_query.by. */
enum hp_grouping {
  HP_BY_POINT,
  HP_BY_PLACE,
  HP_BY_SITE,
  HP_BY_FUNCTION,
  HP_BY_FILE,
  HP_BY_MODULE,
  HP_BY_TYPE,
  HP_BY_PLACE_FUNCTION, /* of these two what has no name is one group: */
  HP_BY_SITE_FUNCTION   /* its addresses are others in the next build */
};
hp_status hp_grouping_parse(const char *by, enum hp_grouping *grouping,
                            struct hp_error *error);

#define HP_KEYS_KNOWN 1024u

/* Keys of frames that were made before, by the frame: many points have one.  {0} at first. */
struct hp_known_keys {
  struct hp_known_key {
    const struct hp_frame *frame;
    const char *key;
  } keys[HP_KEYS_KNOWN];
};

/* The key of POINT's group, STORE's or one of its own texts; never NULL but without
   memory. */
const char *hp_grouping_key(enum hp_grouping grouping,
                            const struct hp_point *point,
                            struct hp_known_keys *known,
                            struct hp_store *store);

#endif
