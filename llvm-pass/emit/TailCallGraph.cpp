// TailCallGraph.cpp - finds circles of jumps twice: without and with those
// through functions that are not known here, which may call any that they see.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/TailCallGraph.h"
#include "llvm/ADT/GraphTraits.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace llvm {

template <> struct GraphTraits<heapprof::TailCallGraph::Node *> {
  using NodeRef = heapprof::TailCallGraph::Node *;
  using ChildIteratorType = SmallVectorImpl<NodeRef>::iterator;
  static NodeRef getEntryNode(NodeRef N) { return N; }
  static ChildIteratorType child_begin(NodeRef N) { return N->Next.begin(); }
  static ChildIteratorType child_end(NodeRef N) { return N->Next.end(); }
};

} // namespace llvm

using namespace llvm;

namespace heapprof {

/// Code generation makes nothing of them, or nothing that has to come first.
static bool isNothing(const Instruction &I) {
  auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  return Intrinsic && Intrinsic->isAssumeLikeIntrinsic();
}

TailPlace tailPlaceOf(const CallBase &Call) {
  if (!isa<CallInst>(Call))
    return TailPlace::Inside;
  // A return may lie some empty blocks away; a loop of them has none.
  constexpr unsigned StepsMax = 64;
  const Value *Result = &Call;
  TailPlace Place = TailPlace::End;
  const Instruction *I = Call.getNextNode();
  for (unsigned Step = 0; I && Step < StepsMax; ++Step) {
    if (isNothing(*I) || isa<PHINode>(I)) {
      I = I->getNextNode();
    } else if (isa<CastInst, ExtractValueInst, InsertValueInst>(I)) {
      Place = TailPlace::Perhaps;
      I = I->getNextNode();
    } else if (auto *Branch = dyn_cast<BranchInst>(I);
               Branch && Branch->isUnconditional()) {
      const BasicBlock *From = Branch->getParent();
      const BasicBlock *To = Branch->getSuccessor(0);
      for (const PHINode &Phi : To->phis())
        if (Phi.getIncomingValueForBlock(From) == Result) {
          Result = &Phi;
          break;
        }
      I = &To->front();
    } else if (auto *Return = dyn_cast<ReturnInst>(I)) {
      const Value *Returned = Return->getReturnValue();
      return !Returned || Returned == Result ? Place : TailPlace::Perhaps;
    } else {
      return TailPlace::Inside;
    }
  }
  return I ? TailPlace::Perhaps : TailPlace::Inside;
}

Function *calleeHere(const CallBase &Call) {
  Function *Callee = Call.getCalledFunction();
  return Callee && !Callee->isDeclaration() && !Callee->isInterposable()
             ? Callee
             : nullptr;
}

/// Whether code that is not known here may enter \p F.
static bool isSeen(const Function &F) {
  return !F.hasLocalLinkage() || F.hasAddressTaken();
}

/// Numbers the circles among \p All, by \p Number.
static void findCircles(MutableArrayRef<TailCallGraph::Node> All,
                        unsigned TailCallGraph::Node::*Number) {
  TailCallGraph::Node Root;
  for (TailCallGraph::Node &N : All)
    Root.Next.push_back(&N);
  unsigned Count = 0;
  for (auto Circle = scc_begin(&Root); !Circle.isAtEnd(); ++Circle) {
    ++Count;
    for (TailCallGraph::Node *N : *Circle)
      N->*Number = Count;
  }
}

TailCallGraph::TailCallGraph(Module &M,
                             function_ref<bool(const CallBase &)> Returns) {
  SmallVector<Function *, 0> Defined;
  for (Function &F : M)
    if (!F.isDeclaration())
      Defined.push_back(&F);
  Storage.resize(Defined.size() + 1);
  Unknown = &Storage.back();
  for (auto [F, N] : zip(Defined, Storage))
    Nodes[F] = &N;
  SmallVector<Node *, 0> ToUnknown;
  for (Function *F : Defined) {
    Node *From = Nodes[F];
    for (Instruction &I : instructions(*F)) {
      auto *Call = dyn_cast<CallInst>(&I);
      if (!Call || !Call->isTailCall() || isa<IntrinsicInst>(Call) ||
          Returns(*Call) || tailPlaceOf(*Call) == TailPlace::Inside)
        continue;
      Node *To = nodeOf(*Call);
      if (To == Unknown)
        ToUnknown.push_back(From);
      else
        From->Next.push_back(To);
      From->OnItself |= To == From;
    }
  }
  findCircles(Storage, &Node::Inner);
  for (Node *From : ToUnknown)
    From->Next.push_back(Unknown);
  for (Function *F : Defined)
    if (isSeen(*F))
      Unknown->Next.push_back(Nodes[F]);
  findCircles(Storage, &Node::Outer);
}

TailCallGraph::Node *TailCallGraph::nodeOf(const CallBase &Call) const {
  const Function *Callee = calleeHere(Call);
  return Callee ? Nodes.lookup(Callee) : Unknown;
}

TailCallGraph::Circle TailCallGraph::circleOf(const CallBase &Call) const {
  const Node *From = Nodes.lookup(Call.getFunction()), *To = nodeOf(Call);
  if (From == To)
    return Circle::Certain;
  if (From->Inner == To->Inner)
    return Circle::Certain;
  return From->Outer == To->Outer ? Circle::Possible : Circle::None;
}

} // namespace heapprof
