// WordHooks.cpp - as runtime/entry/usual.c has hooks for the usual sizes.
// In assembly, since only two registers are free; what is not usual the runtime does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/WordHooks.h"
#include "base/Options.h"
#include "base/RuntimeSymbol.h"
#include "base/Statistics.h"
#include "emit/HookCalls.h"
#include "emit/OwnHook.h"
#include "hook_abi.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace llvm;

namespace heapprof {

/// From entry to return, no call and no lock among them: at most 21 instructions
/// if the access is usual; at most 7 instructions if the address is not in the
/// heap.  test/performance/word-hook.test counts.
static std::string assembly(uint64_t Word, bool IsWithRuntime) {
  const uint64_t Reads = HP_SLOW_READS(Word), Writes = HP_SLOW_WRITES(Word);
  const uint64_t Bytes = HP_SLOW_BYTES(Word);
  const char *Masks = "movq " HP_MASKS_SYMBOL "@GOTPCREL(%rip), %rdx\n";
  const char *Thread = "movq " HP_THREAD_SYMBOL "@gottpoff(%rip), %rdx\n"
                       "movzwl %fs:(%rdx), %edx\n";
  const char *Clock = "movq " HP_CLOCK_SYMBOL "@GOTPCREL(%rip), %rdx\n"
                      "movq (%rdx), %rdx\n";
  if (IsWithRuntime) {
    Masks = "leaq " HP_MASKS_SYMBOL "(%rip), %rdx\n";
    Thread = "movzwl %fs:" HP_THREAD_SYMBOL "@tpoff, %edx\n";
    Clock = "movq " HP_CLOCK_SYMBOL "(%rip), %rdx\n";
  }
  std::string Last, Counts;
  if (Bytes > 1)
    Last = formatv("leal {0}(%r10), %edx\n", Bytes - 1);
  if (Reads)
    Counts += formatv("addq $${0}, {1}(%rax)\n", Reads << HP_CHUNK_READS_SHIFT,
                      HP_CHUNK_READS);
  if (Writes)
    Counts += formatv("addq $${0}, {1}(%rax)\n",
                      Writes << HP_CHUNK_WRITES_SHIFT, HP_CHUNK_WRITES);
  return formatv("movq %r10, %rax\n"
                 "sarq $${0}, %rax\n"
                 "{1}"
                 "movq (%rdx,%rax,8), %rax\n"
                 "andq %r10, %rax\n"
                 "je 2f\n"
                 "cmpl %r10d, {2}(%rax)\n"
                 "ja 1f\n"
                 "{3}"
                 "cmpl %{4}, {5}(%rax)\n"
                 "jb 1f\n"
                 "{6}"
                 "cmpw %dx, {7}(%rax)\n"
                 "jne 1f\n"
                 "{8}"
                 "movq %rdx, {9}(%rax)\n"
                 "{10}"
                 "2: retq\n"
                 "1: movl $${11}, %edx\n"
                 "jmpq *" HP_HOOK_SLOW_KEPT "@GOTPCREL(%rip)",
                 HP_REGION_SHIFT, Masks, HP_CHUNK_LO, Last,
                 Bytes > 1 ? "edx" : "r10d", HP_CHUNK_HI, Thread,
                 HP_CHUNK_THREAD, Clock, HP_CHUNK_LAST, Counts, Word);
}

static Function *makeHook(Module &M, uint64_t Word) {
  Function *Hook =
      ownHook(M, HP_WORD_HOOK_PREFIX + utohexstr(Word, /*LowerCase=*/true),
              wordHookType(M), assembly(Word, isWithRuntime(M)), Align(16));
  Hook->setUWTableKind(UWTableKind::Async);
  return Hook;
}

/// What is pushed is not aligned.
Function *slowHook(Module &M, uint64_t Word) {
  Type *Pointer = PointerType::getUnqual(M.getContext());
  return ownHook(M, HP_SLOW_HOOK_PREFIX + utohexstr(Word, /*LowerCase=*/true),
                 FunctionType::get(Pointer, {Pointer}, false),
                 "pushq $$" + std::to_string(int32_t(Word)) +
                     (isWithRuntime(M) ? "\njmp " HP_HOOK_SLOW_PUSHED
                                       : "\njmpq *" HP_HOOK_SLOW_PUSHED
                                         "@GOTPCREL(%rip)"),
                 Align(1));
}

/// A function costs the compiler as much as a few calls that are longer.
constexpr size_t FewSlow = 4;

static uint64_t wordOf(const MDNode *Word) {
  return mdconst::extract<ConstantInt>(Word->getOperand(0))->getZExtValue();
}

using CallsOf = MapVector<uint64_t, SmallVector<CallInst *, 8>>;

/// Lets what at least \p Least of calls count call what \p Make makes of it.
/// Returns how many functions these are.
static unsigned makeHooks(Module &M, const CallsOf &Of, StringRef Kind,
                          size_t Least, Function *(*Make)(Module &, uint64_t)) {
  unsigned Made = 0;
  for (const auto &[Word, Calls] : Of) {
    Function *Hook = Calls.size() >= Least ? Make(M, Word) : nullptr;
    Made += Hook != nullptr;
    for (CallInst *Call : Calls)
      if (Hook)
        callInstead(*Call, *Hook, Kind);
      else
        Call->setMetadata(Kind, nullptr);
  }
  return Made;
}

void makeWordHooks(Module &M) {
  const unsigned Kind = M.getMDKindID(WordKind);
  const unsigned Slow = M.getMDKindID(SlowKind);
  CallsOf Of, OfSlow;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I)) {
        if (const MDNode *Word = Call->getMetadata(Kind))
          Of[wordOf(Word)].push_back(Call);
        else if (const MDNode *Its = Call->getMetadata(Slow))
          OfSlow[wordOf(Its)].push_back(Call);
      }
  const size_t None = std::numeric_limits<size_t>::max();
  NumSlowHooks +=
      makeHooks(M, OfSlow, SlowKind, WordHooks ? FewSlow : None, slowHook);
  NumWordHooks += makeHooks(M, Of, WordKind,
                            WordHooks ? size_t(WordHooks) : None, makeHook);
}

} // namespace heapprof
