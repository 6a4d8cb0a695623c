// LoopExits.cpp - from the turns of a loop to the bytes and number of accesses.
// Only what is accessed in each turn, at a constant distance from the last.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merge/LoopExits.h"
#include "access/InlineLimits.h"
#include "base/LLVMVersion.h"
#include "base/Statistics.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/MustExecute.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace heapprof {

/// An access has a hook at each exit: so many of a loop that has several.
constexpr size_t MostHooks = 8;

LoopExits::LoopExits(Function &F, ScalarEvolution &SE, DominatorTree &DT,
                     LoopInfo &LI, MergeBarriers &Barriers)
    : F(F), SE(SE), DT(DT), LI(LI), Barriers(Barriers),
      Int64(Type::getInt64Ty(F.getContext())),
      Expander(makeExpander(SE, F.getParent()->getDataLayout())) {}

LoopExits::Way &LoopExits::wayOf(Loop *L) {
  auto [Known, New] = Ways.insert({L, Way()});
  Way &Its = Known->second;
  if (New && isLeftAtExits(*L, Barriers)) {
    L->getExitingBlocks(Its.Exiting);
    L->getUniqueExitBlocks(Its.Exits);
  }
  return Its;
}

/// Whether \p A is executed in each turn of \p L, as a walk through a chunk.
bool LoopExits::follow(const MergedAccess &A, const Loop &L, Way &Its) {
  const BasicBlock *BB = A.At->getParent();
  if (!DT.dominates(BB, L.getLoopLatch()) || !mayInline(A) ||
      !SE.isSCEVable(A.Pointer->getType()))
    return false;
  Walk W{SE.getSCEV(A.Pointer), 0, A};
  if (!SE.isLoopInvariant(W.Start, &L)) {
    auto *Steps = dyn_cast<SCEVAddRecExpr>(W.Start);
    if (!Steps || Steps->getLoop() != &L || !Steps->isAffine())
      return false;
    auto *Step = dyn_cast<SCEVConstant>(Steps->getStepRecurrence(SE));
    if (!Step || Step->getAPInt().abs().ugt(HP_STEP_MAX))
      return false;
    W.Start = Steps->getStart();
    W.Step = Step->getAPInt().getSExtValue();
  }
  if (!Expander.isSafeToExpandAt(W.Start,
                                 L.getLoopPreheader()->getTerminator()))
    return false;
  SmallVector<bool, 4> LeftBefore;
  for (const BasicBlock *Exiting : Its.Exiting) {
    LeftBefore.push_back(!DT.dominates(BB, Exiting));
    if (LeftBefore.back() && !DT.dominates(Exiting, BB))
      return false;
  }
  auto Group = find_if(
      Its.Groups, [&](const Walks &G) { return G.LeftBefore == LeftBefore; });
  if (Group == Its.Groups.end() || !join(W, *Group)) {
    const size_t Hooks = Its.Hooks + Its.Exits.size();
    if (Its.Exits.size() > 1 && Hooks > MostHooks)
      return false;
    Its.Hooks = Hooks;
    if (Group == Its.Groups.end())
      Its.Groups.push_back({LeftBefore, {W}});
    else
      add(W, *Group);
  }
  ++NumLoopExitsTaken;
  return true;
}

/// Next to those of its object, which it is counted together with.
void LoopExits::add(const Walk &W, Walks &Others) {
  const SCEV *Object = SE.getPointerBase(W.Start);
  auto Last = find_if(reverse(Others.List), [&](const Walk &Other) {
    return SE.getPointerBase(Other.Start) == Object;
  });
  Others.List.insert(
      Last == Others.List.rend() ? Others.List.end() : Last.base(), W);
}

/// Joins \p W with one a constant distance away.
bool LoopExits::join(const Walk &W, Walks &Others) {
  for (Walk &Other : Others.List) {
    if (Other.Step != W.Step ||
        SE.getPointerBase(Other.Start) != SE.getPointerBase(W.Start))
      continue;
    auto *Gap = dyn_cast<SCEVConstant>(SE.getMinusSCEV(W.Start, Other.Start));
    if (!Gap || Gap->getAPInt().abs().ugt(HP_SLOW_BYTES_MAX))
      continue;
    const int64_t By = Gap->getAPInt().getSExtValue();
    MergedAccess Both = Other.Each;
    Both.Low = std::min(Both.Low, By + W.Each.Low);
    Both.High = std::max(Both.High, By + W.Each.High);
    Both.Reads += W.Each.Reads;
    Both.Writes += W.Each.Writes;
    addPlaces(Both.Places, W.Each.Places, By);
    if (!mayInline(Both))
      continue;
    Other.Each = Both;
    return true;
  }
  return false;
}

/// One that the loop has anyway, or a new one.
LoopExits::Counter LoopExits::counterOf(const Loop &L) {
  BasicBlock *Entry = L.getLoopPreheader();
  Counter Best{nullptr, nullptr, 1};
  unsigned Least = ~0u;
  for (PHINode &Phi : L.getHeader()->phis()) {
    if (!SE.isSCEVable(Phi.getType()))
      continue;
    auto *Steps = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
    if (!Steps || Steps->getLoop() != &L || !Steps->isAffine())
      continue;
    auto *Step = dyn_cast<SCEVConstant>(Steps->getStepRecurrence(SE));
    const uint64_t Bits = SE.getTypeSizeInBits(Phi.getType());
    if (!Step || !Step->getAPInt().abs().isPowerOf2() ||
        Step->getAPInt().abs().ugt(HP_STEP_MAX) || Bits > 64 ||
        (Bits < 64 && !Steps->hasNoSelfWrap()))
      continue;
    Value *Start = Phi.getIncomingValueForBlock(Entry);
    const unsigned Cost = 2 * !isa<ConstantInt>(Start) + (Bits < 64) +
                          !Step->getAPInt().abs().isOne();
    if (Cost < Least) {
      Least = Cost;
      Best = {&Phi, Start, Step->getAPInt().getSExtValue()};
    }
  }
  if (Best.Phi)
    return Best;
  // Ahead of records of debug information, too, which no phi may have.
  IRBuilder<> B(L.getHeader(), L.getHeader()->begin());
  Best.Phi = B.CreatePHI(Int64, 2, "heapprof.turns");
  Best.Start = B.getInt64(0);
  Best.Phi->addIncoming(Best.Start, Entry);
  B.SetInsertPoint(L.getLoopLatch()->getTerminator());
  Best.Phi->addIncoming(B.CreateAdd(Best.Phi, B.getInt64(1)), L.getLoopLatch());
  return Best;
}

/// \p Number, but so that loop strength reduction does not compute in each turn
/// what follows from it.  No instruction.
static Value *hide(IRBuilder<> &B, Value *Number) {
  Type *Ty = Number->getType();
  CallInst *Call = B.CreateCall(
      InlineAsm::get(FunctionType::get(Ty, {Ty}, false), "", "=r,0",
                     /*hasSideEffects=*/false),
      {Number});
  Call->setDoesNotThrow();
  Call->setDoesNotAccessMemory();
  Call->addFnAttr(Attribute::WillReturn);
  return Call;
}

/// The turns before the last one, which is not complete.
Value *LoopExits::turnsOf(IRBuilder<> &B, const Counter &C) {
  Value *From = C.Start, *To = C.Phi;
  if (To->getType()->isPointerTy()) {
    From = B.CreatePtrToInt(From, Int64);
    To = B.CreatePtrToInt(To, Int64);
  }
  if (C.Step < 0)
    std::swap(From, To);
  Value *Turns = To;
  if (auto *Constant = dyn_cast<ConstantInt>(From);
      !Constant || !Constant->isZero())
    Turns = B.CreateSub(To, From);
  if (const unsigned Shift = Log2_64(uint64_t(std::abs(C.Step))))
    Turns = B.CreateLShr(Turns, Shift, "", /*isExact=*/true);
  return hide(B, B.CreateZExt(Turns, Int64));
}

/// Where \p Exit begins, the accesses of \p Group: executed in each complete
/// turn, and once more if the last one came to them.
void LoopExits::countAt(BasicBlock *Exit, const Counter &C, const Way &Its,
                        const Walks &Group) {
  SmallVector<std::pair<BasicBlock *, bool>, 4> From;
  for (BasicBlock *BB : predecessors(Exit))
    From.push_back({BB, Group.LeftBefore[size_t(find(Its.Exiting, BB) -
                                                Its.Exiting.begin())]});
  auto IsLess = [](const auto &Edge) { return Edge.second; };
  const bool MayBeNone = any_of(From, IsLess);
  IRBuilder<> B(Exit, Exit->begin());
  Value *Less = B.getInt64(1);
  if (MayBeNone && !all_of(From, IsLess)) {
    PHINode *Phi = B.CreatePHI(Int64, unsigned(From.size()));
    for (auto [BB, One] : From)
      Phi->addIncoming(B.getInt64(One), BB);
    Less = Phi;
  }
  Instruction *At = &*Exit->getFirstInsertionPt();
  B.SetInsertPoint(At);
  Value *Repeats = turnsOf(B, C);
  if (MayBeNone) {
    Repeats = B.CreateSub(Repeats, Less);
    DomTreeUpdater Updater(DT, DomTreeUpdater::UpdateStrategy::Eager);
    At = SplitBlockAndInsertIfThen(
        B.CreateICmpNE(Repeats, B.getInt64(~0ull)), At->getIterator(),
        /*Unreachable=*/false, /*BranchWeights=*/nullptr, &Updater, &LI);
    B.SetInsertPoint(At);
  }
  for (const Walk &W : Group.List) {
    MergedAccess A = W.Each;
    A.At = At;
    A.Repeats = Repeats;
    A.Step = uint64_t(std::abs(W.Step));
    A.Pointer =
        Expander.expandCodeFor(W.Start, W.Start->getType(), At->getIterator());
    if (W.Step < 0)
      A.Pointer = B.CreatePtrAdd(
          A.Pointer, B.CreateMul(Repeats, B.getInt64(uint64_t(W.Step))));
    Counted.push_back(A);
  }
}

SmallVector<MergedAccess, 8>
LoopExits::take(SmallVectorImpl<MergedAccess> &Accesses) {
  // Loops with two entries are none of LoopInfo's.
  if (mayContainIrreducibleControl(F, &LI))
    return {};
  erase_if(Accesses, [&](const MergedAccess &A) {
    Loop *L = LI.getLoopFor(A.At->getParent());
    if (!L)
      return false;
    Way &Its = wayOf(L);
    return !Its.Exits.empty() && follow(A, *L, Its);
  });
  for (auto &[L, Its] : Ways) {
    if (Its.Groups.empty())
      continue;
    const Counter C = counterOf(*L);
    for (BasicBlock *Exit : Its.Exits)
      for (const Walks &Group : Its.Groups)
        countAt(Exit, C, Its, Group);
  }
  return std::move(Counted);
}

} // namespace heapprof
