// WordHooks.cpp - as runtime/entry/usual.c has hooks for the usual sizes.
// In assembly, since only two registers are free; what is not usual the runtime does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/WordHooks.h"
#include "base/Options.h"
#include "base/RuntimeSymbol.h"
#include "base/Statistics.h"
#include "emit/HookCalls.h"
#include "hook_abi.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace heapprof {

/// The runtime's section, so that this is no code of the program without hooks.
constexpr StringLiteral Section = ".heapprof_text";

/// From entry to return, no call and no lock among them: at most 21 instructions
/// if the access is usual; at most 7 instructions if the address is not in the
/// heap.  test/performance/word-hook.test counts.
static std::string assembly(uint64_t Word, bool IsWithRuntime) {
  const uint64_t Reads = HP_SLOW_READS(Word), Writes = HP_SLOW_WRITES(Word);
  const uint64_t Bytes = HP_SLOW_BYTES(Word);
  const char *Masks = "movq " HP_MASKS_SYMBOL "@GOTPCREL(%rip), %rsi\n";
  const char *Thread = "movq " HP_THREAD_SYMBOL "@gottpoff(%rip), %rsi\n"
                       "movzwl %fs:(%rsi), %esi\n";
  const char *Clock = "movq " HP_CLOCK_SYMBOL "@GOTPCREL(%rip), %rsi\n"
                      "movq (%rsi), %rsi\n";
  if (IsWithRuntime) {
    Masks = "leaq " HP_MASKS_SYMBOL "(%rip), %rsi\n";
    Thread = "movzwl %fs:" HP_THREAD_SYMBOL "@tpoff, %esi\n";
    Clock = "movq " HP_CLOCK_SYMBOL "(%rip), %rsi\n";
  }
  std::string Last, Counts;
  if (Bytes > 1)
    Last = formatv("leal {0}(%rdi), %esi\n", Bytes - 1);
  if (Reads)
    Counts += formatv("addq $${0}, {1}(%rax)\n", Reads << HP_CHUNK_READS_SHIFT,
                      HP_CHUNK_READS);
  if (Writes)
    Counts += formatv("addq $${0}, {1}(%rax)\n",
                      Writes << HP_CHUNK_WRITES_SHIFT, HP_CHUNK_WRITES);
  return formatv("movq %rdi, %rax\n"
                 "sarq $${0}, %rax\n"
                 "{1}"
                 "movq (%rsi,%rax,8), %rax\n"
                 "andq %rdi, %rax\n"
                 "je 2f\n"
                 "cmpl %edi, {2}(%rax)\n"
                 "ja 1f\n"
                 "{3}"
                 "cmpl %{4}, {5}(%rax)\n"
                 "jb 1f\n"
                 "{6}"
                 "cmpw %si, {7}(%rax)\n"
                 "jne 1f\n"
                 "{8}"
                 "movq %rsi, {9}(%rax)\n"
                 "{10}"
                 "2: retq\n"
                 "1: movl $${11}, %esi\n"
                 "jmpq *" HP_HOOK_SLOW_KEPT "@GOTPCREL(%rip)",
                 HP_REGION_SHIFT, Masks, HP_CHUNK_LO, Last,
                 Bytes > 1 ? "esi" : "edi", HP_CHUNK_HI, Thread,
                 HP_CHUNK_THREAD, Clock, HP_CHUNK_LAST, Counts, Word);
}

/// One in each program or library, whatever modules it is linked from.
static Function *makeHook(Module &M, uint64_t Word) {
  LLVMContext &Context = M.getContext();
  Function *Hook = Function::Create(
      wordHookType(M), GlobalValue::LinkOnceODRLinkage,
      StringRef(HP_WORD_HOOK_PREFIX) + utohexstr(Word, /*LowerCase=*/true), M);
  Hook->setVisibility(GlobalValue::HiddenVisibility);
  Hook->setDSOLocal(true);
  Hook->setComdat(M.getOrInsertComdat(Hook->getName()));
  Hook->setSection(Section);
  Hook->setAlignment(Align(16));
  for (const auto Kind :
       {Attribute::Naked, Attribute::NoInline, Attribute::NoUnwind})
    Hook->addFnAttr(Kind);
  Hook->setUWTableKind(UWTableKind::Async);
  IRBuilder<> B(BasicBlock::Create(Context, "", Hook));
  B.CreateCall(InlineAsm::get(FunctionType::get(B.getVoidTy(), false),
                              assembly(Word, isWithRuntime(M)), "",
                              /*hasSideEffects=*/true));
  B.CreateUnreachable();
  return Hook;
}

static uint64_t wordOf(const MDNode *Word) {
  return mdconst::extract<ConstantInt>(Word->getOperand(0))->getZExtValue();
}

void makeWordHooks(Module &M) {
  const unsigned Kind = M.getMDKindID(WordKind);
  MapVector<uint64_t, SmallVector<CallInst *, 8>> Of;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (const MDNode *Word = Call->getMetadata(Kind))
          Of[wordOf(Word)].push_back(Call);
  for (auto &[Word, Calls] : Of) {
    const bool IsOften = WordHooks && Calls.size() >= WordHooks;
    Function *Hook = IsOften ? makeHook(M, Word) : nullptr;
    NumWordHooks += IsOften;
    for (CallInst *Call : Calls)
      if (Hook)
        callInstead(*Call, *Hook);
      else
        Call->setMetadata(Kind, nullptr);
  }
}

} // namespace heapprof
