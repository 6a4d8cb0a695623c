// AccessMerger.cpp - within a block, then along the dominator tree.
// A merged hook stands where the first of its accesses was.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merge/AccessMerger.h"
#include "base/LLVMVersion.h"
#include "base/Options.h"
#include "base/Statistics.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/MustExecute.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heapprof {

/// No farther from its pointer than this does a hull reach: no chunk is that
/// large, and the sums below cannot overflow.
constexpr int64_t MaxOffset = int64_t(1) << 40;

/// Bounds of the search across blocks, for the compile time's sake.
constexpr unsigned MaxDominators = 16;
constexpr unsigned MaxBlocksBetween = 48;
constexpr unsigned MaxChain = 64;

AccessMerger::AccessMerger(Function &F, const DominatorTree &DT,
                           const LoopInfo &LI, MergeBarriers &Barriers)
    : F(F), DT(DT), LI(LI), Barriers(Barriers) {}

/// \p Index without what constants add to it, which goes to \p Constant, times
/// \p Scale.  Unrolled loops are full of it.
static Value *stripConstants(Value *Index, const APInt &Scale,
                             APInt &Constant) {
  Value *Rest;
  const APInt *Added;
  for (unsigned Step = 0;
       Step != MaxChain &&
       match(Index, m_AddLike(m_Value(Rest), m_APInt(Added))) &&
       Added->getBitWidth() == Constant.getBitWidth();
       ++Step) {
    Constant += *Added * Scale;
    Index = Rest;
  }
  return Index;
}

/// False if the constant part is out of all proportion.
bool AccessMerger::makeKey(Value *Pointer, Key &K, int64_t &Offset) const {
  const DataLayout &DL = F.getParent()->getDataLayout();
  VariableOffsets Variable;
  APInt Constant(64, 0);
  Value *Object = Pointer;
  for (unsigned Step = 0; Step != MaxChain; ++Step) {
    auto *GEP = dyn_cast<GEPOperator>(Object);
    if (!GEP || !GEP->collectOffset(DL, 64, Variable, Constant))
      break;
    Object = GEP->getPointerOperand();
  }
  K.emplace_back(Object, 0);
  for (auto &[Index, Scale] : Variable)
    if (!Scale.isZero())
      K.emplace_back(stripConstants(Index, Scale, Constant),
                     Scale.getSExtValue());
  std::sort(K.begin() + 1, K.end());
  Offset = Constant.getSExtValue();
  return Constant.isSignedIntN(41);
}

/// Both have one key, so that their pointers differ by the offsets' constant.
void AccessMerger::join(Candidate &Into, const Candidate &From) {
  const int64_t Distance = From.Offset - Into.Offset;
  MergedAccess &M = Into.Merged;
  M.Low = std::min(M.Low, From.Merged.Low + Distance);
  M.High = std::max(M.High, From.Merged.High + Distance);
  M.Reads += From.Merged.Reads;
  M.Writes += From.Merged.Writes;
  addPlaces(M.Places, From.Merged.Places, Distance);
}

/// Accesses between the same two barriers of a block are all executed or none.
void AccessMerger::mergeInBlocks(SmallVectorImpl<Access> &Accesses) {
  DenseMap<const Instruction *, unsigned> Epoch; // barriers before, in block
  DenseMap<const BasicBlock *, unsigned> Epochs;
  DenseMap<const BasicBlock *, bool> Numbered;
  std::map<std::pair<unsigned, Key>, size_t> Open;
  const BasicBlock *Current = nullptr;
  erase_if(Accesses, [&](const Access &A) {
    if (A.Shape != Access::Range || A.Unit > uint64_t(MaxOffset))
      return false;
    uint64_t Bytes = A.Unit;
    if (A.Count) {
      auto *Count = dyn_cast<ConstantInt>(A.Count);
      if (!Count || Count->getValue().ugt(uint64_t(MaxOffset) / A.Unit))
        return false;
      Bytes *= Count->getZExtValue();
    }
    Key K;
    int64_t Offset;
    if (!makeKey(A.Pointer, K, Offset))
      return false;
    const BasicBlock *BB = A.At->getParent();
    if (BB != Current) {
      Current = BB;
      Open.clear();
    }
    if (Numbered.try_emplace(BB, true).second) {
      unsigned Barrier = 0;
      for (const Instruction &I : *BB) {
        Epoch[&I] = Barrier;
        Barrier += isMergeBarrier(I);
      }
      Epochs[BB] = Barrier;
    }
    const unsigned Now = Epoch[A.At];
    Candidate New;
    New.Merged.At = A.At;
    New.Merged.Pointer = A.Pointer;
    New.Merged.High = int64_t(Bytes);
    New.Merged.Reads = (A.Kind & HP_ACCESS_READ) != 0;
    New.Merged.Writes = (A.Kind & HP_ACCESS_WRITE) != 0;
    if (CountMembers)
      New.Merged.Places.push_back(
          {0, Bytes, New.Merged.Reads, New.Merged.Writes});
    New.Offset = Offset;
    New.Block = BB;
    New.First = Now == 0;
    New.Last = Now == Epochs[BB];
    New.Gone = false;
    auto [Known, IsNew] = Open.try_emplace({Now, K}, Candidates.size());
    if (!IsNew && MergeAccesses) {
      join(Candidates[Known->second], New);
      ++NumMergedInBlock;
      return true;
    }
    Candidates.push_back(New);
    Keys.push_back(std::move(K));
    return true;
  });
}

/// Whether each execution of \p Before is followed by exactly one of \p After,
/// with no barrier in the blocks between: everything that can be reached from
/// Before without passing After stays in Before's loop, does not begin the
/// next iteration, and does not end.  \p Before dominates \p After.
bool AccessMerger::alwaysFollows(const BasicBlock *Before,
                                 const BasicBlock *After) {
  auto [Known, New] = Follows.try_emplace({Before, After}, false);
  if (!New)
    return Known->second;
  const Loop *L = LI.getLoopFor(Before);
  if (L != LI.getLoopFor(After))
    return false;
  SmallPtrSet<const BasicBlock *, 32> Seen;
  SmallVector<const BasicBlock *, 16> Work(successors(Before));
  while (!Work.empty()) {
    const BasicBlock *BB = Work.pop_back_val();
    if (BB == After || !Seen.insert(BB).second)
      continue;
    if (BB == Before || (L && BB == L->getHeader()) || succ_empty(BB) ||
        Barriers.in(*BB) || Seen.size() > MaxBlocksBetween)
      return false;
    append_range(Work, successors(BB));
  }
  return Follows[{Before, After}] = true;
}

void AccessMerger::mergeAcrossBlocks() {
  if (mayContainIrreducibleControl(F, &LI))
    return;
  // What is open at the end of each block, by key.
  std::map<std::pair<const BasicBlock *, Key>, size_t> Open;
  DenseMap<const BasicBlock *, SmallVector<size_t, 4>> InBlock;
  for (size_t I = 0; I != Candidates.size(); ++I)
    InBlock[Candidates[I].Block].push_back(I);

  SmallVector<const DomTreeNode *, 32> Work = {DT.getRootNode()};
  while (!Work.empty()) {
    const DomTreeNode *Node = Work.pop_back_val();
    append_range(Work, Node->children());
    const BasicBlock *BB = Node->getBlock();
    for (size_t I : InBlock.lookup(BB)) {
      Candidate &C = Candidates[I];
      const DomTreeNode *Above = Node->getIDom();
      for (unsigned Step = 0;
           C.First && !C.Gone && Above && Step != MaxDominators;
           ++Step, Above = Above->getIDom()) {
        auto Known = Open.find({Above->getBlock(), Keys[I]});
        if (Known == Open.end() || !alwaysFollows(Above->getBlock(), BB))
          continue;
        join(Candidates[Known->second], C);
        C.Gone = true;
        ++NumMergedDominated;
      }
      if (C.Last && !C.Gone)
        Open[{BB, Keys[I]}] = I;
    }
  }
}

SmallVector<MergedAccess, 32>
AccessMerger::merge(SmallVectorImpl<Access> &Accesses) {
  mergeInBlocks(Accesses);
  if (MergeAccesses)
    mergeAcrossBlocks();
  SmallVector<MergedAccess, 32> Result;
  for (const Candidate &C : Candidates)
    if (!C.Gone)
      Result.push_back(C.Merged);
  return Result;
}

} // namespace heapprof
