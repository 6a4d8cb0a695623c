// padding-many.c - a record of more members than a line has room for: the order that saves memory names each, as half of an order is none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK: Likely: measurement (padding-many.c:{{[0-9]+}}) has 49 bytes of padding in its 112 bytes; with its members sorted it has 64 bytes
// CHECK-SAME: -> Declare its members in this order, unless others rely on where they lie: value_of_a_measurement_0, value_of_a_measurement_1, value_of_a_measurement_2, value_of_a_measurement_3, value_of_a_measurement_4, value_of_a_measurement_5, value_of_a_measurement_6, kind_of_a_measurement_0, kind_of_a_measurement_1, kind_of_a_measurement_2, kind_of_a_measurement_3, kind_of_a_measurement_4, kind_of_a_measurement_5, kind_of_a_measurement_6.
#include <stdlib.h>

struct measurement {
  char kind_of_a_measurement_0;
  double value_of_a_measurement_0;
  char kind_of_a_measurement_1;
  double value_of_a_measurement_1;
  char kind_of_a_measurement_2;
  double value_of_a_measurement_2;
  char kind_of_a_measurement_3;
  double value_of_a_measurement_3;
  char kind_of_a_measurement_4;
  double value_of_a_measurement_4;
  char kind_of_a_measurement_5;
  double value_of_a_measurement_5;
  char kind_of_a_measurement_6;
  double value_of_a_measurement_6;
};

int main(void) {
  static struct measurement *kept[10000];
  double sum = 0;
  for (int i = 0; i < 10000; i++) {
    struct measurement *m = kept[i] = malloc(sizeof *m);
    if (!m)
      return 1;
    m->kind_of_a_measurement_0 = 'a';
    m->value_of_a_measurement_0 = i;
    m->kind_of_a_measurement_1 = 'a';
    m->value_of_a_measurement_1 = i;
    m->kind_of_a_measurement_2 = 'a';
    m->value_of_a_measurement_2 = i;
    m->kind_of_a_measurement_3 = 'a';
    m->value_of_a_measurement_3 = i;
    m->kind_of_a_measurement_4 = 'a';
    m->value_of_a_measurement_4 = i;
    m->kind_of_a_measurement_5 = 'a';
    m->value_of_a_measurement_5 = i;
    m->kind_of_a_measurement_6 = 'a';
    m->value_of_a_measurement_6 = i;
  }
  for (int i = 0; i < 10000; i++)
    sum +=
        kept[i]->kind_of_a_measurement_0 + kept[i]->value_of_a_measurement_0 +
        kept[i]->kind_of_a_measurement_1 + kept[i]->value_of_a_measurement_1 +
        kept[i]->kind_of_a_measurement_2 + kept[i]->value_of_a_measurement_2 +
        kept[i]->kind_of_a_measurement_3 + kept[i]->value_of_a_measurement_3 +
        kept[i]->kind_of_a_measurement_4 + kept[i]->value_of_a_measurement_4 +
        kept[i]->kind_of_a_measurement_5 + kept[i]->value_of_a_measurement_5 +
        kept[i]->kind_of_a_measurement_6 + kept[i]->value_of_a_measurement_6;
  return sum == 1;
}
