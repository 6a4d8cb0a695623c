/* growing.h - what is said of buffers and containers that grow.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_GROWING_H
#define HP_GROWING_H

#include <stdio.h>

#include "finding/finding_verdict.h"
#include "finding/suspect.h"

bool hp_is_growing(const struct hp_suspect *s, struct hp_verdict *v);

/* By few steps, in many containers. */
bool hp_is_outgrown_often(const struct hp_suspect *s, struct hp_verdict *v);

void hp_put_growing(FILE *out, const struct hp_verdict *v);
void hp_put_growing_remedy(FILE *out, const struct hp_verdict *v);

#endif
