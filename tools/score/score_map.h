/* score_map.h - address maps on a terminal, and as a document of their own.
   One after the other, of each process that has one.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SCORE_MAP_H
#define HP_SCORE_MAP_H

#include "score_options.h"

#include <stdio.h>

struct hp_map;

/* The maps that O asks for: *MAPS are as many as there are processes, NULL of those
   without one.  It fails if none has one, or one cannot be had. */
hp_status hp_score_maps_make(struct hp_map ***maps,
                             const struct hp_score_options *o,
                             const hp_profile *profile, struct hp_error *error);
void hp_score_maps_free(struct hp_map **maps, const hp_profile *profile);

void hp_score_maps(FILE *out, const struct hp_score_options *o,
                   const hp_profile *profile, struct hp_map *const *maps,
                   size_t width);
void hp_score_maps_json(FILE *out, const hp_profile *profile,
                        struct hp_map *const *maps);

#endif
