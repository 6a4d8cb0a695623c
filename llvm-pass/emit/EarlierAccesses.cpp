// EarlierAccesses.cpp - a forward analysis over bits: all ways must agree.
// A bit is an object, one that was accessed since the last call, or a byte that
// accesses begin or end with and another went as far down or up as that.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/EarlierAccesses.h"
#include "access/ByteRange.h"
#include "merge/MergeBarrier.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Module.h"
#include <map>

using namespace llvm;

namespace heapprof {

/// Where there are more blocks times bits nothing is carried between blocks.
constexpr size_t MostBits = size_t(1) << 28;

EarlierAccesses::EarlierAccesses(const Function &F,
                                 ArrayRef<MergedAccess> Accesses,
                                 ArrayRef<const Value *> Objects)
    : F(F), Facts(Accesses.size()), Makes(Accesses.size()) {
  number(Accesses, Objects);
  sortIntoBlocks(Accesses);
  if (Blocks.size() * AllRecent.size() <= MostBits)
    solve();
  for (const BasicBlock *BB : Blocks) {
    BitVector State = atBegin(BB);
    pass(BB, State, /*Keep=*/true);
  }
}

/// The bits of all accesses, and where what they stand for begins anew.
void EarlierAccesses::number(ArrayRef<MergedAccess> Accesses,
                             ArrayRef<const Value *> Objects) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  SmallVector<std::pair<const Value *, unsigned>, 64> Made;
  unsigned Count = 0;
  auto NewBit = [&](const Value *Thing) {
    Made.emplace_back(Thing, Count);
    return Count++;
  };
  DenseMap<const Value *, unsigned> OfObject;
  struct Ends {
    std::map<int64_t, unsigned> Low, High; ///< with the bit of each
  };
  MapVector<const Value *, Ends> OfBase;
  for (size_t I = 0; I != Accesses.size(); ++I) {
    auto [Object, IsNew] = OfObject.try_emplace(Objects[I], Count);
    if (IsNew) {
      NewBit(Objects[I]);
      AllRecent.resize(Count + 1);
      AllRecent.set(NewBit(Objects[I]));
    }
    Makes[I].Object = Object->second;
    Makes[I].Recent = Object->second + 1;
    Makes[I].Many = Accesses[I].Repeats || Accesses[I].To;
    const ByteRange Its = rangeOf(Accesses[I], DL);
    OfBase[Its.Base].Low[Its.Low] = 0;
    OfBase[Its.Base].High[Its.High] = 0;
  }
  for (auto &[Base, Its] : OfBase) {
    for (auto &[Offset, Bit] : Its.Low)
      Bit = NewBit(Base);
    for (auto &[Offset, Bit] : Its.High)
      Bit = NewBit(Base);
  }
  for (size_t I = 0; I != Accesses.size(); ++I) {
    const ByteRange Its = rangeOf(Accesses[I], DL);
    Ends &Of = OfBase[Its.Base];
    Makes[I].Low = Of.Low[Its.Low];
    Makes[I].High = Of.High[Its.High];
    Makes[I].LowEnd = Of.Low.rbegin()->second + 1;
    Makes[I].HighBegin = Of.High.begin()->second;
  }
  AllRecent.resize(Count);
  for (auto [Thing, Bit] : Made)
    if (auto *At = dyn_cast<Instruction>(Thing)) {
      BitVector &Here = Begun[At->getParent()];
      Here.resize(Count);
      Here.set(Bit);
    }
}

void EarlierAccesses::sortIntoBlocks(ArrayRef<MergedAccess> Accesses) {
  DenseMap<const BasicBlock *, SmallVector<size_t, 4>> Unsorted;
  for (size_t I = 0; I != Accesses.size(); ++I)
    Unsorted[Accesses[I].At->getParent()].push_back(I);
  DenseSet<const BasicBlock *> Seen;
  for (const BasicBlock *BB : ReversePostOrderTraversal<const Function *>(&F)) {
    Blocks.push_back(BB);
    // It is led to from behind, or from itself: once more through a loop.
    if (any_of(predecessors(BB), [&](const BasicBlock *Before) {
          return !Seen.contains(Before);
        }))
      Headers.insert(BB);
    Seen.insert(BB);
    SmallVector<size_t, 4> &Its = Unsorted[BB];
    sort(Its, [&](size_t One, size_t Other) {
      const Instruction *First = Accesses[One].At, *Second = Accesses[Other].At;
      return First == Second ? One < Other : First->comesBefore(Second);
    });
    SmallVector<int, 4> &Sorted = InBlock[BB];
    auto Next = Its.begin();
    for (const Instruction &I : *BB) {
      for (; Next != Its.end() && Accesses[*Next].At == &I; ++Next) {
        Sorted.push_back(int(*Next));
        Order.push_back(*Next);
      }
      if (isMergeBarrier(I) && (Sorted.empty() || Sorted.back() >= 0))
        Sorted.push_back(-1);
    }
  }
}

/// What is known where \p BB begins; of a block that was not asked yet all is.
BitVector EarlierAccesses::atBegin(const BasicBlock *BB) const {
  const bool Solved = !AtEnd.empty();
  BitVector State(AllRecent.size(), Solved && BB != &F.getEntryBlock());
  for (const BasicBlock *Before : predecessors(BB))
    if (auto Its = AtEnd.find(Before); Its != AtEnd.end())
      State &= Its->second;
  if (auto Its = Begun.find(BB); Its != Begun.end())
    State.reset(Its->second);
  if (Headers.contains(BB))
    State.reset(AllRecent);
  return State;
}

/// From the begin of \p BB to its end.  \p Keep: as what its accesses know.
void EarlierAccesses::pass(const BasicBlock *BB, BitVector &State, bool Keep) {
  auto Here = InBlock.find(BB);
  if (Here == InBlock.end())
    return;
  for (int I : Here->second) {
    if (I < 0) {
      State.reset(AllRecent);
      continue;
    }
    const Bits &Its = Makes[size_t(I)];
    if (Keep)
      Facts[size_t(I)] = {
          State.test(Its.Object), !Its.Many && State.test(Its.Low),
          !Its.Many && State.test(Its.High), State.test(Its.Recent)};
    State.set(Its.Object);
    State.set(Its.Recent);
    State.set(Its.Low, Its.LowEnd);
    State.set(Its.HighBegin, Its.High + 1);
  }
}

void EarlierAccesses::solve() {
  AtEnd[&F.getEntryBlock()] = BitVector(AllRecent.size());
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BasicBlock *BB : Blocks) {
      BitVector State = atBegin(BB);
      pass(BB, State, /*Keep=*/false);
      BitVector &Before = AtEnd[BB];
      Changed |= Before != State;
      Before = std::move(State);
    }
  }
}

} // namespace heapprof
