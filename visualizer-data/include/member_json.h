/* member_json.h - members of types, as JSON documents have them.
   docs/heapprof.score.schema.json describes them; additive changes only.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MEMBER_JSON_H
#define HP_MEMBER_JSON_H

#include "heapprof_members.h"
#include "json_writer.h"

/* "member_types", and "members" with a row for each member of them; nothing if TYPES
   is NULL. */
void hp_json_members(struct hp_json *j, const hp_member_types *types,
                     size_t limit);

#endif
