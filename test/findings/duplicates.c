// duplicates.c - one style for each word of a text, of which there are few different ones; twins that share, and that differ.
// Duplicates, by what the chunks hold: freed, or live at the end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %clang_heapprof -O2 -g -DDIFFERENT %s -o %t.different
// RUN: env HEAPPROF_OPTIONS=contents=1 %run %t && %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %heapprof_score --json %dump/heapprof.* > %t.json
// RUN: env HEAPPROF_OPTIONS=contents=1 %run %t.repaired && %heapprof_score --json %dump/heapprof.* > %t.repaired.json
// RUN: %python %S/Inputs/kept_promise.py duplicates %t.json %t.repaired.json
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: env HEAPPROF_OPTIONS=contents=1 %run %t.different && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// Live at the end, and all looked at: then nothing is an estimate.
// RUN: env HEAPPROF_OPTIONS=contents=1:exact_time=1 %run %t keep && %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=EXACT %s
// Without the option nobody looks.
// RUN: %run %t && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: %heapprof_score --json %dump/heapprof.* | FileCheck --check-prefix=NULL %s
// CHECK: Likely:
// CHECK-SAME: ~20000 chunks of ~96 B{{.*}} from make_style (duplicates.c:{{[0-9]+}}) hold ~40 different contents ({{[0-9]+}} were looked at): ~2.13 MiB of malloc's memory at the peak ({{.*}} % of it), for ~1.83 MiB requested
// CHECK-SAME: -> Share them: keep one chunk of each content
// CHECK-SAME: [duplicates]
// EXACT: 20000 chunks of 96 B{{.*}} from make_style (duplicates.c:{{[0-9]+}}) hold 40 different contents: 2.13 MiB of malloc's memory at the peak ({{.*}} % of it), for 1.83 MiB requested
// NONE-NOT: {{\[(duplicates|mostly_zero)\]}}
// NULL: "contents": null
// NULL-NOT: "contents": {
#include <stdlib.h>
#include <string.h>

enum { WORDS = 20000, STYLES = 40 };
struct style {
  int size, weight;
  char font[88];
};

__attribute__((noinline)) static struct style *make_style(int number) {
  struct style *style = malloc(sizeof *style);
  memset(style->font, 'a' + number % 26, sizeof style->font);
  style->size = number;
#ifdef DIFFERENT
  static int made;
  style->weight = made++;
#else
  style->weight = 400;
#endif
  return style;
}

static struct style *words[WORDS];

static struct style *style_of(int word) {
#ifdef REPAIRED
  static struct style *shared[STYLES];
  struct style **place = &shared[word % STYLES];
  if (!*place)
    *place = make_style(word % STYLES);
  return *place;
#else
  return make_style(word % STYLES);
#endif
}

int main(int count, char **arguments) {
  long sum = 0;
  for (int i = 0; i < WORDS; i++)
    words[i] = style_of(i);
  for (int i = 0; i < WORDS; i++)
    sum += words[i]->size + words[i]->weight + words[i]->font[i % 80];
#ifdef REPAIRED
  const int last = STYLES;
#else
  const int last = WORDS;
#endif
  for (int i = 0; i < last && count < 2; i++)
    free(words[i]);
  return sum == 1 || (count > 1 && !arguments[1]);
}
