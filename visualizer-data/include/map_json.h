/* map_json.h - an address map as JSON: what heapprof-score --map --json and the report's document have.
   docs/heapprof.map.schema.json describes it; additive changes only.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MAP_JSON_H
#define HP_MAP_JSON_H

#include "heapprof_map.h"
#include "json_writer.h"

/* An element of an array; PROCESS is the number in the profile.  IS_WHOLE: with the
   points that cells name, for who has no list of them, and all moments; else
   those without a name at which all is as at the one before are left out. */
void hp_json_map(struct hp_json *j, const struct hp_map *map, size_t process,
                 bool is_whole);

#endif
