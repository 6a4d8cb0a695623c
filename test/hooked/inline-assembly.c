/* inline-assembly.c - what assembly inside a function accesses nobody sees: the function counts as one without hooks.
   Assembly without a pointer, of a variable, or without any instruction changes nothing, nor such as accesses its operands only,
   or what one register points to, as far as text and types say how much: spin locks, counters, one string instruction.  A bit
   may lie beyond its operand, and a vector is more than its first byte.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: for o in -O0 -O2; do \
// RUN:   %clang_heapprof $o %s -o %t && %run %t && \
// RUN:   %python %S/Inputs/hooked_functions.py %dump inline-assembly.c.tmp | sort > %t.out && FileCheck %s < %t.out && \
// RUN:   %heapprof_score --json %dump/heapprof.* | %python %S/Inputs/unknown.py fill | FileCheck --check-prefix=FILL %s || exit 1; done
// RUN: %heapprof_score --json %dump/heapprof.* | %python %S/Inputs/unknown.py take_lock | FileCheck --check-prefix=LOCK %s
// CHECK-NOT: {{fill|moved|first_of|four_of_one|second_of|set_bit|third_of|word_of_one}}
// CHECK: barrier
// CHECK-NEXT: clear
// CHECK-NEXT: counter
// CHECK-NEXT: decrement
// CHECK-NEXT: low_byte
// CHECK-NEXT: main
// CHECK-NEXT: replace
// CHECK-NEXT: take_lock
// CHECK-NEXT: variable
// CHECK-NOT: {{.}}
// RUN: %heapprof_score --json %dump/heapprof.* | %python %S/Inputs/unknown.py clear | FileCheck --check-prefix=CLEAR %s
// LOCK: take_lock: known True, usage 1,
// CLEAR: clear: known True, usage 1,
// FILL: fill: known False, usage None
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

NOINLINE char *fill(size_t size) {
  char *bytes = malloc(size), *at = bytes;
  __asm__ volatile("shrq $0, %1; rep stosb"
                   : "+D"(at), "+c"(size)
                   : "a"(0)
                   : "memory", "cc");
  return bytes;
}

NOINLINE char *clear(size_t size) {
  char *bytes = malloc(size), *at = bytes;
  __asm__ volatile("rep stosb" : "+D"(at), "+c"(size) : "a"(0) : "memory");
  return bytes;
}

NOINLINE int decrement(int *number) {
  char is_zero;
  __asm__ volatile("lock; decl (%1); sete %0"
                   : "=qm"(is_zero)
                   : "r"(number)
                   : "memory", "cc");
  return is_zero;
}

NOINLINE int moved(int *numbers) {
  int number;
  __asm__ volatile("addq $4, %1; movl (%1), %0"
                   : "=r"(number), "+r"(numbers)
                   :
                   : "cc");
  return number;
}

NOINLINE char *barrier(char *bytes) {
  __asm__ volatile("" : : "r"(bytes) : "memory");
  return bytes;
}

NOINLINE unsigned counter(void) {
  unsigned low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return low ^ high;
}

NOINLINE unsigned short variable(void) {
  unsigned short word;
  __asm__ volatile("fnstcw %0" : "=m"(word));
  return word;
}

struct lock {
  char taken;
};

NOINLINE struct lock *take_lock(void) {
  struct lock *lock = calloc(1, sizeof *lock);
  char before = 1;
  __asm__ volatile("	lock			\n"
                   "	xchgb	%0, %1	\n"
                   : "+q"(before), "+m"(lock->taken)
                   :
                   : "memory", "cc");
  return before ? NULL : lock;
}

NOINLINE char *replace(char **at, char *by) {
  __asm__ volatile("1: lock; xchgq %0, %1; jc 1b" : "+r"(by), "+m"(*at));
  return by;
}

NOINLINE void set_bit(unsigned *words, int number) {
  __asm__ volatile("lock; btsl %1, %0" : "+m"(*words) : "r"(number) : "cc");
}

NOINLINE void first_of(const char *bytes) {
  __asm__ volatile("movdqu %0, %%xmm0" : : "m"(*bytes) : "xmm0");
}

NOINLINE int second_of(const int *numbers) {
  int number;
  __asm__ volatile("movl 4%1, %0" : "=r"(number) : "m"(*numbers));
  return number;
}

NOINLINE int third_of(const int *numbers) {
  int number;
  __asm__ volatile("movl %H1, %0" : "=r"(number) : "m"(*numbers));
  return number;
}

NOINLINE int four_of_one(const char *bytes) {
  int number;
  __asm__ volatile("movl %1, %0" : "=r"(number) : "m"(*bytes));
  return number;
}

NOINLINE long word_of_one(const char *bytes) {
  long number;
  __asm__ volatile("mov %1, %0" : "=r"(number) : "m"(*bytes));
  return number;
}

NOINLINE unsigned char low_byte(const int *number) {
  unsigned char byte;
  int whole;
  __asm__ volatile("movl %2, %k1; movb %b1, %0; addl $0, %k1"
                   : "=&q"(byte), "=&q"(whole)
                   : "m"(*number));
  return byte;
}

int main(void) {
  char *bytes = barrier(fill(100));
  int result = bytes[5] + (counter() == variable());
  struct lock *lock = take_lock();
  char *other = malloc(1), *cleared = clear(40);
  set_bit((unsigned *)bytes, 33);
  first_of(bytes);
  result += four_of_one(bytes) & (int)word_of_one(bytes) & 0;
  result += second_of((int *)bytes) & 0;
  result += (decrement((int *)bytes) + moved((int *)bytes)) & cleared[39];
  result += third_of((int *)bytes) & low_byte((int *)bytes) & 0;
  free(replace(&other, bytes));
  free(lock);
  free(cleared);
  free(other);
  return result != 0 && result != 1;
}
