// AccessSinker.cpp - block by block, each before those that it leads to.
// What was moved may so be moved again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merge/AccessSinker.h"
#include "access/InlineLimits.h"
#include "base/Statistics.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace heapprof {

AccessSinker::AccessSinker(Function &F, DominatorTree &DT, LoopInfo &LI)
    : F(F), DL(F.getParent()->getDataLayout()), DT(DT), LI(LI) {}

static bool isBarrierIn(BasicBlock::const_iterator From,
                        BasicBlock::const_iterator To) {
  return any_of(make_range(From, To), isMergeBarrier);
}

/// Whether \p BB ends by a branch or a switch that has several ways.
static bool isFork(const BasicBlock *BB) {
  const Instruction *End = BB->getTerminator();
  return (isa<BranchInst>(End) || isa<SwitchInst>(End)) &&
         BB->getUniqueSuccessor() == nullptr;
}

bool AccessSinker::isAtEnd(const MergedAccess &A) const {
  return !isBarrierIn(A.At->getIterator(), A.At->getParent()->end());
}

/// Joins \p A and \p B, which have one base; the hook is that of \p A.
static MergedAccess joined(const MergedAccess &A, const MergedAccess &B,
                           const DataLayout &DL) {
  const ByteRange Its = rangeOf(A, DL), Other = rangeOf(B, DL);
  MergedAccess Both = A;
  Both.Low = A.Low + std::min<int64_t>(0, Other.Low - Its.Low);
  Both.High = A.High + std::max<int64_t>(0, Other.High - Its.High);
  Both.Reads += B.Reads;
  Both.Writes += B.Writes;
  addPlaces(Both.Places, B.Places, (Other.Low - B.Low) - (Its.Low - A.Low));
  return Both;
}

/// The access that \p Way, which only \p From leads to, begins with and that
/// can be joined with \p Like; or -1.  A way out of a loop is taken once, the
/// other one as often as there are turns.
int AccessSinker::findAtBegin(const List &Accesses, const BasicBlock *From,
                              const BasicBlock *Way,
                              const MergedAccess &Like) const {
  auto Here = InBlock.find(Way);
  if (Here == InBlock.end() || !isOnly(From, Way))
    return -1;
  const Value *Base = rangeOf(Like, DL).Base;
  for (size_t I : Here->second) {
    const MergedAccess &A = Accesses[I];
    if (rangeOf(A, DL).Base == Base &&
        !isBarrierIn(Way->begin(), A.At->getIterator()) &&
        mayInline(joined(A, Like, DL)))
      return int(I);
  }
  return -1;
}

/// Whether \p Way is reached from \p From alone, and as often as it is taken.
bool AccessSinker::isOnly(const BasicBlock *From, const BasicBlock *Way) const {
  return Way->getUniquePredecessor() == From &&
         LI.getLoopFor(Way) == LI.getLoopFor(From);
}

/// A block on the only edge from \p From to \p Way, which leaves no loop.  As
/// SplitEdge() would have it, but that looks at all blocks that \p Way
/// dominates, which may be the rest of the function.
BasicBlock *AccessSinker::splitWithin(BasicBlock *From, BasicBlock *Way) {
  BasicBlock *Edge = BasicBlock::Create(
      F.getContext(), From->getName() + "." + Way->getName() + "_crit_edge", &F,
      From->getNextNode());
  Instruction *Fork = From->getTerminator();
  auto *Jump = BranchInst::Create(Way, Edge);
  Jump->setDebugLoc(Fork->getDebugLoc());
  // It may be the one that leads back.
  Jump->setMetadata(LLVMContext::MD_loop,
                    Fork->getMetadata(LLVMContext::MD_loop));
  Fork->replaceSuccessorWith(Way, Edge);
  Way->replacePhiUsesWith(From, Edge);
  DT.splitBlock(Edge);
  if (Loop *L = LI.getLoopFor(From))
    L->addBasicBlockToLoop(Edge, LI);
  return Edge;
}

/// A place that is passed on this way from \p From, and on no other; null if
/// there is none, as out of a loop that has computed jumps to the same block.
Instruction *AccessSinker::beginOf(BasicBlock *From, BasicBlock *Way) {
  if (Way->getUniquePredecessor() == From)
    return &*Way->getFirstInsertionPt();
  const Loop *L = LI.getLoopFor(From);
  BasicBlock *Edge;
  if (count(successors(From), Way) != 1)
    Edge = SplitBlockPredecessors(Way, From, ".sunk", &DT, &LI);
  else if (!L || L->contains(Way))
    Edge = splitWithin(From, Way);
  else
    Edge = SplitEdge(From, Way, &DT, &LI);
  return Edge ? Edge->getTerminator() : nullptr;
}

/// Whether number \p I was moved behind the branch at the end of its block.
bool AccessSinker::sinkOne(List &Accesses, size_t I) {
  BasicBlock *From = Accesses[I].At->getParent();
  if (!isFork(From))
    return false;
  const MergedAccess Moved = Accesses[I];
  SmallSetVector<BasicBlock *, 8> Ways(succ_begin(From), succ_end(From));
  SmallVector<size_t, 8> Into;
  SmallVector<BasicBlock *, 8> Others;
  for (BasicBlock *Way : Ways)
    if (const int Found = findAtBegin(Accesses, From, Way, Moved); Found >= 0)
      Into.push_back(size_t(Found));
    else if (!isa<UnreachableInst>(Way->front()))
      Others.push_back(Way);
  // A switch may get more hooks, but not many.
  if (Into.empty() || Others.size() > Into.size() || !isAtEnd(Moved))
    return false;
  SmallVector<Instruction *, 8> Own;
  for (BasicBlock *Way : Others) {
    Own.push_back(beginOf(From, Way));
    if (!Own.back())
      return false;
  }
  for (size_t Other : Into)
    Accesses[Other] = joined(Accesses[Other], Moved, DL);
  Accesses[I].At = nullptr;
  for (Instruction *At : Own) {
    const size_t Its = Accesses[I].At ? Accesses.size() : I;
    if (Its != I)
      Accesses.push_back(Moved);
    Accesses[Its].At = At;
    InBlock[At->getParent()].push_back(Its);
  }
  return true;
}

void AccessSinker::sink(List &Accesses) {
  for (size_t I = 0; I != Accesses.size(); ++I)
    InBlock[Accesses[I].At->getParent()].push_back(I);
  ReversePostOrderTraversal<Function *> Order(&F);
  for (const BasicBlock *BB : Order) {
    auto Here = InBlock.find(BB);
    if (Here == InBlock.end())
      continue;
    SmallVector<size_t, 4> Its = std::move(Here->second);
    erase_if(Its, [&](size_t I) {
      const bool Sunk = sinkOne(Accesses, I);
      NumAccessesSunk += Sunk;
      return Sunk;
    });
    InBlock[BB] = std::move(Its);
  }
  erase_if(Accesses, [](const MergedAccess &A) { return !A.At; });
}

} // namespace heapprof
