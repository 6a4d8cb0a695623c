// AssemblyHooks.cpp - what RecordInliner and WordHooks write, in registers of the code generator's choice.
// The record is in rax, where the runtime's call returns it; r10 is that call's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/AssemblyHooks.h"
#include "base/Options.h"
#include "base/RuntimeSymbol.h"
#include "emit/WordHooks.h"
#include "hook_abi.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace heapprof {

bool mayUseAssembly(const Function &F) {
  return WordHooks && !CountMembers && HookCalls::mayAsk(*F.getParent());
}

namespace {

/// The symbols as the code of \p M reads them.  $1: a register that is free, $2: the
/// address.
struct Symbols {
  std::string Mask, Thread, Clock;
  explicit Symbols(const Module &M) {
    if (!isWithRuntime(M)) {
      Mask = "movq " HP_MASKS_SYMBOL "@GOTPCREL(%rip), $1\n\t"
             "movq ($1,%rax,8), %rax\n\t";
      Thread = "movq " HP_THREAD_SYMBOL "@gottpoff(%rip), $1\n\t"
               "movzwl %fs:($1), ${1:k}\n\t";
      Clock = "movq " HP_CLOCK_SYMBOL "@GOTPCREL(%rip), $1\n\t"
              "movq ($1), $1\n\t";
      return;
    }
    Mask = M.getPICLevel() == PICLevel::NotPIC
               ? "movq " HP_MASKS_SYMBOL "(,%rax,8), %rax\n\t"
               : "leaq " HP_MASKS_SYMBOL "(%rip), $1\n\t"
                 "movq ($1,%rax,8), %rax\n\t";
    Thread = "movzwl %fs:" HP_THREAD_SYMBOL "@tpoff, ${1:k}\n\t";
    Clock = "movq " HP_CLOCK_SYMBOL "(%rip), $1\n\t";
  }
};

/// To 9001 if the record's interval lacks the first or the last byte.
std::string comparesLow() {
  return formatv("cmpl ${{2:k}, {0}(%rax)\n\tja 9001f\n\t", HP_CHUNK_LO);
}

/// Leaves the flags of the comparison of the last byte: below is not in it.
std::string comparesHigh(const MergedAccess &A) {
  const uint64_t Bytes = uint64_t(A.High - A.Low);
  if (A.To)
    return formatv("leal {0}($3), ${{1:k}\n\tcmpl ${{1:k}, {1}(%rax)\n\t",
                   A.ToBytes - 1, HP_CHUNK_HI);
  if (Bytes == 1)
    return formatv("cmpl ${{2:k}, {0}(%rax)\n\t", HP_CHUNK_HI);
  return formatv("leal {0}($2), ${{1:k}\n\tcmpl ${{1:k}, {1}(%rax)\n\t",
                 Bytes - 1, HP_CHUNK_HI);
}

std::string renewsTime(const Symbols &Its) {
  return Its.Clock + formatv("movq $1, {0}(%rax)\n\t", HP_CHUNK_LAST).str();
}

std::string counts(const MergedAccess &A) {
  std::string Code;
  if (A.Reads)
    Code += formatv("addq $${0}, {1}(%rax)\n\t",
                    uint64_t(A.Reads) << HP_CHUNK_READS_SHIFT, HP_CHUNK_READS);
  if (A.Writes)
    Code +=
        formatv("addq $${0}, {1}(%rax)\n\t",
                uint64_t(A.Writes) << HP_CHUNK_WRITES_SHIFT, HP_CHUNK_WRITES);
  return Code;
}

/// Between what goes on to 9003 if the access is usual and what counts it.  Labels are
/// not numbered as programs do, some of which jump from one piece of assembly to the
/// next, hooks in between.
std::string calls(const MergedAccess &A) {
  std::string Hook = "callq ${3:P}";
  if (A.To) {
    const uint64_t Counts = HP_SLOW_ACCESSES(0, A.Reads, A.Writes);
    Hook = formatv("leal {0}($3), %edx\n\tsubl %r10d, %edx\n\tcallq {1}",
                   int32_t(Counts + uint64_t(A.ToBytes)),
                   isWithRuntime(*A.At->getModule()) ? HP_HOOK_SLOW_KEPT
                                                     : "*" HP_HOOK_SLOW_KEPT
                                                       "@GOTPCREL(%rip)");
  }
  return "9001: movq $2, %r10\n\t" + Hook + "\n\tjmp 9002f\n\t9003: ";
}

Value *create(IRBuilder<> &B, const MergedAccess &A, const std::string &Code,
              Value *Record) {
  Module &M = *A.At->getModule();
  SmallVector<Value *, 3> Arguments = {firstByte(B, A)};
  if (A.To)
    Arguments.push_back(A.To);
  else
    Arguments.push_back(slowHook(M, inOneWord(A)));
  std::string Registers = A.To ? "=&{rax},=&r,r,r," : "=&{rax},=&r,r,i,";
  if (Record) {
    Arguments.push_back(Record);
    Registers += "0,";
  }
  SmallVector<Type *, 3> Types;
  for (Value *V : Arguments)
    Types.push_back(V->getType());
  auto *Type = FunctionType::get(StructType::get(B.getPtrTy(), B.getInt64Ty()),
                                 Types, false);
  CallInst *Its = B.CreateCall(
      InlineAsm::get(Type, Code + "9002:",
                     Registers + (A.To ? "~{rdx}," : "") + "~{r10},~{flags}",
                     /*hasSideEffects=*/true, /*isAlignStack=*/true),
      Arguments);
  HookCalls::located(HookCalls::neverFrees(Its), *A.At->getFunction());
  return B.CreateExtractValue(Its, 0);
}

} // namespace

/// Budget of a function that does nothing but one access, from entry to return:
/// at most 22 instructions if the access is usual,
/// at most 11 instructions if the address is not in the heap.
/// test/performance/inlined-sequence.test counts.
Value *countByAssembly(IRBuilder<> &B, const MergedAccess &A) {
  const Symbols Its(*A.At->getModule());
  // What the program chooses comes last: the record need not wait for it.
  const char *Early = A.From ? "$3" : "$2";
  const std::string Code =
      formatv("movq {1}, %rax\n\tsarq $${0}, %rax\n\t", HP_REGION_SHIFT, Early)
          .str() +
      Its.Mask + formatv("andq {0}, %rax\n\tje 9002f\n\t", Early).str() +
      comparesLow() + comparesHigh(A) + "jb 9001f\n\t" + Its.Thread +
      formatv("cmpw ${{1:w}, {0}(%rax)\n\tje 9003f\n\t", HP_CHUNK_THREAD)
          .str() +
      calls(A) + renewsTime(Its) + counts(A);
  return create(B, A, Code, nullptr);
}

Value *countByAssembly(IRBuilder<> &B, const MergedAccess &A, Value *Record,
                       const EarlierAccesses::Known &By) {
  const Symbols Its(*A.At->getModule());
  std::string Code = "testq %rax, %rax\n\tje 9002f\n\t";
  if (By.Low && By.High) {
    Code += "jns 9003f\n\t";
  } else {
    Code += "js 9001f\n\t";
    if (!By.Low)
      Code += comparesLow();
    Code += comparesHigh(A) + "jae 9003f\n\t";
  }
  Code += calls(A);
  if (!By.SharesTime)
    Code += renewsTime(Its);
  return create(B, A, Code + counts(A), Record);
}

} // namespace heapprof
