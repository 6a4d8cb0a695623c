// The loop back into the compiler: clang takes the exported profile for hints, per call that leads to an allocation.
// REQUIRES: llvm-22
// RUN: rm -rf %t && mkdir %t && %clangxx_heapprof -g -O1 -fdebug-info-for-profiling -fno-optimize-sibling-calls %s -o %t/a && %run %t/a
// RUN: %heapprof_export --format=memprof-yaml %dump > %t/heap.yaml && FileCheck --check-prefix=YAML %s < %t/heap.yaml && \
// RUN:   FileCheck --check-prefix=MAIN %s < %t/heap.yaml
// RUN: %llvm_bin_dir/llvm-profdata merge %t/heap.yaml -o %t/heap.memprofdata
// RUN: %clangxx -g -O1 -fdebug-info-for-profiling -fmemory-profile-use=%t/heap.memprofdata \
// RUN:   -mllvm -memprof-ave-lifetime-cold-threshold=0 -mllvm -memprof-lifetime-access-density-cold-threshold=1 \
// RUN:   -S -emit-llvm %s -o %t/hinted.ll && FileCheck --check-prefix=IR %s < %t/hinted.ll
// The numbers are those of heapprof-score --json, and every frame has what clang asks for.
// RUN: %heapprof_score --json %dump > %t/score.json && %python %S/Inputs/check_memprof.py %t/score.json %t/heap.yaml
// Without lines there is nothing to say.
// RUN: not %heapprof_export --format=memprof-yaml --no-symbols --no-cache %dump 2>&1 | FileCheck --check-prefix=NOTHING %s
#include <cstdlib>

// make is called twice, with chunks that differ: clang must tell the calls apart.
// YAML: - GUID: '_Z4makej'
// YAML-NEXT: AllocSites:
// YAML-NEXT: - Callstack:
// YAML-NEXT: - { Function: '_Z4makej', LineOffset: 1, Column: 10, IsInlineFrame: false }
// YAML-NEXT: - { Function: 'main', LineOffset: {{1|2}}, Column: {{[0-9]+}}, IsInlineFrame: false }
// MAIN: - GUID: 'main'
// MAIN-NEXT: AllocSites: []
// MAIN-NEXT: CallSites:
// MAIN-NEXT: - Frames:
// MAIN-NEXT: - { Function: 'main', LineOffset:
// IR: call {{.*}}@_Znam({{.*}} !memprof [[CONTEXTS:![0-9]+]], !callsite
// IR: call {{.*}}@_Znam({{.*}} [[COLD:#[0-9]+]], {{.*}}!dbg
// IR-DAG: attributes [[COLD]] = {{.*}}"memprof"="cold"
// IR-DAG: [[CONTEXTS]] = !{[[ONE:![0-9]+]], [[OTHER:![0-9]+]]}
// IR-DAG: !"cold"}
// IR-DAG: !"notcold"}
// clang-format off: the second line of a function is told from its first.
__attribute__((noinline)) char *make(unsigned n) {
  return new char[n];
}

// Nothing is ever done with it: cold, whoever calls.
__attribute__((noinline)) char *hoard(unsigned n) {
  return new char[n];
}
// clang-format on

int main() {
  char *cold = make(100);
  char *hot = make(10);
  char *hoarded = hoard(1000);
  for (int i = 0; i < 1000; i++)
    hot[i % 10]++;
  int rest = hot[0] == 100 ? 0 : 1;
  delete[] hot;
  delete[] cold;
  delete[] hoarded;
  return rest;
}
// NOTHING: heapprof-export: no point with known accesses has lines and columns; compile with -g -fdebug-info-for-profiling
