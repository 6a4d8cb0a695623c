// real_libc.cpp - see real_libc.h: a table of functions, and calls through it.
// What is copied before libc's functions are found is copied byte by byte.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/real_libc.h"

#include "system/symbol_lookup.h"

#include "sanitizer_common/sanitizer_libc.h"

using namespace __sanitizer;

static void *early_memcpy(void *to, const void *from, size_t n) {
  return internal_memcpy(to, from, n);
}
static void *early_memmove(void *to, const void *from, size_t n) {
  return internal_memmove(to, from, n);
}
static void *early_memset(void *p, int value, size_t n) {
  return internal_memset(p, value, n);
}
static int early_memcmp(const void *a, const void *b, size_t n) {
  return internal_memcmp(a, b, n);
}

// Copies of structures (prelink.cmake), word by word in general registers: libc's take
// vector registers, whose upper halves no hook has saved that keeps all registers of
// its caller's (entry/hooks.c).  Volatile, or the compiler would do just that.
typedef uint64_t word __attribute__((may_alias, aligned(1)));
static volatile word &word_at(volatile char *at) {
  return *reinterpret_cast<volatile word *>(at);
}
static const volatile word &word_at(const volatile char *at) {
  return *reinterpret_cast<const volatile word *>(at);
}

extern "C" {

struct hp_real_libc hp_real_libc = {early_memcpy, early_memmove, early_memset,
                                    early_memcmp, nullptr,       nullptr,
                                    nullptr};

// Those that are not found stay sanitizer_common's own.
void hp_real_libc_find(void) {
  static const struct {
    void *function;
    const char *name;
  } all[] = {{&hp_real_libc.memcpy, "memcpy"},
             {&hp_real_libc.memmove, "memmove"},
             {&hp_real_libc.memset, "memset"},
             {&hp_real_libc.memcmp, "memcmp"},
             {&hp_real_libc.clock_gettime, "clock_gettime"}};
  for (const auto &one : all)
    if (void *found = hp_symbol_of_libc(one.name))
      internal_memcpy(one.function, &found, sizeof found);
}

void *hp_words_copy(void *to, const void *from, size_t n) {
  volatile char *at = static_cast<char *>(to);
  const volatile char *source = static_cast<const char *>(from);
  size_t i = 0;
#pragma clang loop unroll(disable)
  for (; n - i >= sizeof(word); i += sizeof(word))
    word_at(at + i) = word_at(source + i);
#pragma clang loop unroll(disable)
  for (; i < n; i++)
    at[i] = source[i];
  return to;
}

void *hp_words_set(void *p, int value, size_t n) {
  volatile char *at = static_cast<char *>(p);
  const word all = static_cast<uint8_t>(value) * 0x0101010101010101u;
  size_t i = 0;
#pragma clang loop unroll(disable)
  for (; n - i >= sizeof(word); i += sizeof(word))
    word_at(at + i) = all;
#pragma clang loop unroll(disable)
  for (; i < n; i++)
    at[i] = static_cast<char>(value);
  return p;
}

void *hp_real_memcpy(void *to, const void *from, size_t n) {
  return hp_real_libc.memcpy(to, from, n);
}

void *hp_real_memmove(void *to, const void *from, size_t n) {
  return hp_real_libc.memmove(to, from, n);
}

void *hp_real_memset(void *p, int value, size_t n) {
  return hp_real_libc.memset(p, value, n);
}

int hp_real_memcmp(const void *a, const void *b, size_t n) {
  return hp_real_libc.memcmp(a, b, n);
}

int hp_real_sigaction(int number, const struct sigaction *act,
                      struct sigaction *old) {
  return hp_real_libc.sigaction(number, act, old);
}

int hp_real_sigaltstack(const void *stack, void *old) {
  return hp_real_libc.sigaltstack(stack, old);
}

} // extern "C"
