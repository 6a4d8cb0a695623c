/* unwind-registered.cpp - libgcc allocates with its lock when it first needs tables that a program has registered: the stack of that may go through code
   which only these tables describe.  Asking for them would wait for ever.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %env_heapprof_opts= timeout 60 %run %t | FileCheck %s --check-prefix=SAID
// RUN: %expect %dump
// RUN: %env_heapprof_opts=check_stacks=1 timeout 60 %run %t 2>&1 | FileCheck %s
// RUN: %env_heapprof_opts=fast_unwind_on_malloc=0 timeout 60 %run %t | FileCheck %s --check-prefix=SAID
// RUN: %env_heapprof_opts=free_stacks=1 timeout 60 %run %t | FileCheck %s --check-prefix=SAID
// SAID: all frames
// CHECK: {{[1-9][0-9]*}} stacks compared, 0 differ
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unwind.h>

extern "C" void __register_frame(void *);
extern "C" void __deregister_frame(void *);

static void *volatile sink;
static int frames;

static _Unwind_Reason_Code count(struct _Unwind_Context *, void *) {
  frames++;
  return _URC_NO_REASON;
}

__attribute__((noinline)) static void called() {
  _Unwind_Backtrace(count, nullptr);
  sink = std::malloc(33);
  std::free(sink);
}

/* push %rbp; mov %rsp, %rbp; call *%rdi; pop %rbp; ret */
static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5,
                                     0xff, 0xd7, 0x5d, 0xc3};

/* A common entry, one of the code's, and the end. */
struct Tables {
  alignas(8) unsigned char bytes[80];

  explicit Tables(const void *begin) : bytes() {
    static const unsigned char common[] = {
        20,   0, 0, 0,    0,    0,  0,
        0,    1, 0, 1,    0x78, 16, // factors, the return address
        0x0c, 7, 8, 0x90, 1};       // CFA = rsp + 8, pc at CFA - 8
    static const unsigned char rules[] = {
        0x41, 0x0e, 16, 0x86,
        2,                  // behind the push: CFA = rsp + 16, rbp at CFA - 16
        0x43, 0x0d, 6,      // behind the mov: CFA = rbp + 16
        0x43, 0x0c, 7,  8}; // behind the pop
    const std::uint32_t length = 36, back = 28;
    const std::uint64_t start = (std::uintptr_t)begin, size = sizeof code;
    std::memcpy(bytes, common, sizeof common);
    std::memcpy(bytes + 24, &length, 4);
    std::memcpy(bytes + 28, &back, 4);
    std::memcpy(bytes + 32, &start, 8);
    std::memcpy(bytes + 40, &size, 8);
    std::memcpy(bytes + 48, rules, sizeof rules);
  }
};

int main() {
  for (int i = 0; i < 40; i++) {
    void *page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::memcpy(page, code, sizeof code);
    mprotect(page, 4096, PROT_READ | PROT_EXEC);
    Tables tables(page);
    __register_frame(tables.bytes);
    ((void (*)(void (*)()))page)(called);
    __deregister_frame(tables.bytes);
    munmap(page, 4096);
  }
  std::puts(frames >= 40 * 3 ? "all frames" : "no frames");
}
// Asked outside of libgcc the tables are there, so the stack is whole.
// Asked outside of libgcc the tables are there, so the stack is whole.
// EXPECT: sum(p.chunks for p in points("called") if any(f.function == "main" for f in p.stack)) == 40
