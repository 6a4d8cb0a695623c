// LoopCounts.cpp - variables that begin with 0 before the loop.
// Exits are the loop's own, so that no other way leads to where they are added.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/LoopCounts.h"
#include "base/Statistics.h"
#include "emit/RecordFields.h"
#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace heapprof {

/// A variable is added at each exit: so many sums at most of a loop.
constexpr size_t MostSums = 8;

LoopCounts::Way &LoopCounts::wayOf(const Loop *L) {
  auto [Its, New] = Ways.try_emplace(L);
  if (New && isLeftAtExits(*L, Barriers))
    L->getUniqueExitBlocks(Its->second.Exits);
  return Its->second;
}

void LoopCounts::take(const MergedAccess &A, const Value *Object) {
  const Loop *L = LI.getLoopFor(A.At->getParent());
  auto *Maker = dyn_cast<Instruction>(Object);
  if (!L || A.Repeats || (Maker && L->contains(Maker)))
    return;
  Way &Its = wayOf(L);
  const bool IsNew = !Made.count({L, Object});
  const size_t Sums = Its.Sums + (IsNew ? Its.Exits.size() : 0);
  if (Its.Exits.empty() || Sums > MostSums)
    return;
  Its.Sums = Sums;
  Variables &Counts = Made[{L, Object}];
  Function &F = *A.At->getFunction();
  auto Make = [&](AllocaInst *&Variable) {
    IRBuilder<> Entry(&*F.getEntryBlock().getFirstInsertionPt());
    Variable =
        Entry.CreateAlloca(Entry.getInt64Ty(), nullptr, "heapprof.counted");
    IRBuilder<> B(L->getLoopPreheader()->getTerminator());
    B.CreateStore(B.getInt64(0), Variable);
    Known.promote(Variable);
  };
  if (A.Reads && !Counts.Reads)
    Make(Counts.Reads);
  if (A.Writes && !Counts.Writes)
    Make(Counts.Writes);
  ++NumLoopCountsKept;
}

/// Nothing is added where nothing was usual: there may be no record then.  Nor
/// where another thread has freed the chunk meanwhile, against all rules.
void LoopCounts::addAt(BasicBlock *Exit, const Value *Object,
                       const Variables &Its) {
  IRBuilder<> B(Exit, Exit->getFirstInsertionPt());
  Value *Record = Known.get(B, Object), *Reads = nullptr, *Writes = nullptr;
  if (Its.Reads)
    Reads = B.CreateLoad(B.getInt64Ty(), Its.Reads);
  if (Its.Writes)
    Writes = B.CreateLoad(B.getInt64Ty(), Its.Writes);
  Value *Any = !Reads ? Writes : !Writes ? Reads : B.CreateOr(Reads, Writes);
  Value *May = B.CreateLogicalAnd(B.CreateIsNotNull(Any), hasRecord(B, Record));
  B.SetInsertPoint(SplitBlockAndInsertIfThen(May, B.GetInsertPoint(),
                                             /*Unreachable=*/false));
  if (Reads)
    addReads(B, Record, Reads);
  if (Writes)
    addWrites(B, Record, Writes);
}

void LoopCounts::close() {
  for (const auto &[Where, Its] : Made)
    for (BasicBlock *Exit : Ways[Where.first].Exits)
      addAt(Exit, Where.second, Its);
}

} // namespace heapprof
