/* no-allocation.c - a program without any allocation has a profile without points.
   Every mean over no point is null, never 0 or NaN.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %expect %dump
// RUN: %heapprof_score %dump | FileCheck %s --check-prefix=TABLE
// RUN: %heapprof_score --csv %dump | count 1
int main(void) { return 0; }
// EXPECT: document.points == [] and document.processes[0].allocations == 0
// EXPECT: total.points == 0 and total.chunks == 0 and total.peak_bytes == 0
// EXPECT: total.lifetime == dict(geomean=None, mean=None, variance=None, points=0)
// EXPECT: total.usage == dict(geomean=None, mean=None, variance=None, points=0)
// EXPECT: total.useful_lifetime == dict(geomean=None, mean=None, variance=None, points=0)
// EXPECT: process.ended == "exit" and process.exit_status == 0
// TABLE-NOT: nan
