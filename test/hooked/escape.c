/* escape.c - what is said of accesses is a fact only where no code without hooks can have got a chunk.
   Linked with such a library and never calling it: facts.  Calling it: likely, and a note says whose code that is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// DEFINE: %{findings} = %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' > %t.out && FileCheck %s --input-file=%t.out
// RUN: %clang -O2 -fPIC -c %S/Inputs/library.c -o %t.lib.o && %clang -shared %t.lib.o -o %t.lib.so
// What compilers link in for some flags, or for what the processor has no instruction for, gets no chunk.
// RUN: for o in -O0 "-O2 -s" "-O2 -ffunction-sections -Wl,--gc-sections" -ffast-math -pg "-O2 -mretpoline" -DHELPERS; do \
// RUN:   %clang_heapprof $o %s -o %t && env GMON_OUT_PREFIX=%t.gmon %run %t && %{findings} --check-prefix=FACT || exit 1; done
// Nor does the runtime of profiles, unless the program itself gives it something.
// RUN: rm -rf %t.profile && mkdir %t.profile
// RUN: for o in "-fprofile-instr-generate -fcoverage-mapping" -fprofile-generate --coverage; do \
// RUN:   %clang_heapprof -O2 $o %s -o %t && env LLVM_PROFILE_FILE=%t.profile/of GCOV_PREFIX=%t.profile %run %t && %{findings} --check-prefix=FACT || exit 1; done
// RUN: %clang_heapprof -O2 -fprofile-instr-generate -DGIVE %s -o %t && %run %t %t.profile/given
// RUN: ls %t.profile/given && %{findings} --check-prefix=LIKELY --implicit-check-not=Fact:
// RUN: %if mold %{ %clang_heapprof -O2 -fuse-ld=mold %s -o %t && %run %t && %{findings} --check-prefix=FACT %}
// RUN: for o in -fsanitize=undefined -fsanitize-coverage=inline-8bit-counters -fsanitize-coverage=trace-pc-guard,trace-cmp; do \
// RUN:   %clang_heapprof -O2 $o %s -o %t && %run %t && %{findings} --check-prefix=FACT || exit 1; done
// RUN: %clang_heapprof -O2 %s -o %t -Wl,--no-as-needed %t.lib.so && %run %t && %{findings} --check-prefix=FACT
// RUN: %clang_heapprof -O2 -DCALL %s -I%S/Inputs -o %t %t.lib.so && %run %t
// RUN: %{findings} --check-prefixes=LIKELY,SHARED --implicit-check-not=Fact:
// RUN: %heapprof_score --json %dump/heapprof.* | grep -c '"accesses_shared": true'
// Merged with another dump, one and the other stay what they are.
// RUN: rm -rf %t.merged && %heapprof_merge -o %t.merged %dump/heapprof.*
// RUN: %heapprof_score --findings %t.merged | tr -s '\n ' ' ' | FileCheck %s --check-prefixes=LIKELY,SHARED --implicit-check-not=Fact:
// Built with hooks, the library is as any other code.
// RUN: %clang_heapprof -O2 -fPIC -shared %S/Inputs/library.c -o %t.lib.so
// RUN: %clang_heapprof -O2 -DCALL %s -I%S/Inputs -o %t %t.lib.so && %run %t && %{findings} --check-prefix=HOOKED
// RUN: rm -rf %t.merged && %heapprof_merge -o %t.merged %dump/heapprof.*
// RUN: %heapprof_score --findings %t.merged | tr -s '\n ' ' ' | FileCheck %s --check-prefix=HOOKED
// Objects of another compiler in the program itself, and functions of the assembler.
// RUN: %clang_heapprof -O2 -DCALL %s -I%S/Inputs -o %t %t.lib.o && %run %t
// RUN: %{findings} --check-prefix=LIKELY --implicit-check-not=Fact:
// RUN: %clang_heapprof -O2 -DCALL -DASSEMBLED %s -I%S/Inputs -o %t && %run %t
// RUN: %{findings} --check-prefixes=LIKELY,PARTS --implicit-check-not=Fact: --implicit-check-not="heapprof, too"
// RUN: %heapprof_score --json %dump/heapprof.* | grep -A1 '"modules"' | grep escape.c.tmp
// A name of the runtime of profiles says nothing where that is not linked.
// RUN: %clang_heapprof -O2 -DCALL -DNAMED %s -I%S/Inputs -o %t && %run %t
// RUN: %{findings} --check-prefix=LIKELY --implicit-check-not=Fact:
// Opened at run time; and a library whose file is gone.
// RUN: %clang -shared %t.lib.o -o %t.gone.so
// RUN: %clang_heapprof -O2 -DOPEN %s -I%S/Inputs -o %t -ldl && %run %t %t.gone.so
// RUN: %{findings} --check-prefix=LIKELY --implicit-check-not=Fact:
// RUN: rm %t.gone.so && %{findings} --check-prefix=LIKELY --implicit-check-not=Fact:
// FACT-NOT: note: what is said
// FACT: Fact:
// FACT-SAME: are written and never read
// HOOKED-NOT: never read
// PARTS: parts without hooks of modules with hooks (escape.c.tmp) may access
// SHARED: code without hooks (escape.c.tmp.lib.so) may access
// LIKELY: Likely:
// LIKELY-SAME: are written and, as far as was seen, never read
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

long library_sum(const unsigned char *bytes, long count);
#ifdef ASSEMBLED
__asm__(".text\n.globl library_sum\nlibrary_sum:\n xorl %eax, %eax\n"
        "1: movzbl (%rdi), %edx\n addq %rdx, %rax\n incq %rdi\n decq %rsi\n"
        " jnz 1b\n ret\n");
#endif

#ifdef NAMED
long sum_of(const unsigned char *bytes, long count) __asm__("writeFile");
__asm__(".text\n.type writeFile, @function\nwriteFile:\n xorl %eax, %eax\n"
        "1: movzbl (%rdi), %edx\n addq %rdx, %rax\n incq %rdi\n decq %rsi\n"
        " jnz 1b\n ret\n.size writeFile, .-writeFile\n");
long library_sum(const unsigned char *bytes, long count) {
  return sum_of(bytes, count);
}
#endif

static void *volatile sink;
#ifdef GIVE
void __llvm_profile_set_filename(const char *name);
static __attribute__((noinline)) void give(const char *text) {
  char *name = malloc(200);
  snprintf(name, 200, "%s", text);
  __llvm_profile_set_filename(name);
  free(name);
}
#endif

#ifdef HELPERS
static long double square(long double x) { return x * x; }
static long double (*resolve(void))(long double) { return square; }
long double chosen(long double) __attribute__((ifunc("resolve")));
__attribute__((target_clones("avx2", "default"))) int clones(int i) {
  return i * 3;
}
static void need_helpers(void) {
  volatile __float128 quad = __builtin_cpu_supports("avx2") ? 3 : 4;
  volatile _Float16 half = (_Float16)(double)(quad * quad / (quad + 1));
  volatile _Complex double complex = chosen(half) + clones(3);
  complex = complex * complex / complex;
}
#endif

int main(int argc, char **argv) {
  long sum = 0;
#ifdef HELPERS
  need_helpers();
#endif
#ifdef GIVE
  give(argv[1]);
#endif
#ifdef OPEN
  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library)
    return 2;
  long (*take)(const unsigned char *, long) =
      (long (*)(const unsigned char *, long))dlsym(library, "library_sum");
#endif
  for (int i = 0; i < 200; i++) {
    unsigned char *bytes = malloc(4096);
    for (int k = 0; k < 4096; k++)
      bytes[k] = (unsigned char)(k * i);
    sink = bytes;
#ifdef OPEN
    sum += take(bytes, 4096);
#elif defined CALL
    sum += library_sum(bytes, 4096);
#endif
    free(bytes);
  }
  printf("%ld\n", sum);
  return argc < 1 || !argv;
}
