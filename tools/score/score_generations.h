/* score_generations.h - generations by mark as a table, as CSV and in the JSON document.
   Text only; the numbers of the table are those of the document, rounded.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SCORE_GENERATIONS_H
#define HP_SCORE_GENERATIONS_H

#include "heapprof_generations.h"
#include "json_writer.h"

#include <stdio.h>

void hp_score_generations(FILE *out, const hp_generations *all, size_t width);
void hp_score_generations_csv(FILE *out, const hp_generations *all);

/* The member "generations"; nothing if ALL is NULL. */
void hp_score_generations_json(struct hp_json *j, const hp_generations *all);

#endif
