// RecordInliner.cpp - owner check, record's address, checks and counts as IR.
// Mirrors hp_access() of the runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RecordInliner.h"
#include "MergeBarrier.h"
#include "Options.h"
#include "Statistics.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace heapprof {

/// How far sharesTime() looks back.
constexpr unsigned MaxBlocksOfOneTime = 8;

static GlobalVariable *external(Module &M, const char *Name, Type *Ty,
                                bool ThreadLocal) {
  if (GlobalVariable *Known = M.getGlobalVariable(Name))
    return Known;
  auto *Global =
      new GlobalVariable(M, Ty, /*isConstant=*/false,
                         GlobalValue::ExternalLinkage, nullptr, Name, nullptr,
                         ThreadLocal ? GlobalValue::InitialExecTLSModel
                                     : GlobalValue::NotThreadLocal);
  // The runtime is in the executable, and so is what is not compiled for
  // libraries.
  Global->setDSOLocal(M.getPICLevel() == PICLevel::NotPIC ||
                      M.getPIELevel() != PIELevel::Default);
  return Global;
}

RecordInliner::RecordInliner(Function &F, const DominatorTree &DT)
    : F(F), M(*F.getParent()), Context(M.getContext()), DT(DT),
      Likely(MDBuilder(Context).createBranchWeights(1 << 20, 1)) {
  Type *Int64 = Type::getInt64Ty(Context);
  Type *Pointer = PointerType::getUnqual(Context);
  Clock = external(M, HP_CLOCK_SYMBOL, Int64, false);
  Thread = external(M, HP_THREAD_SYMBOL, Type::getInt32Ty(Context), true);
  // Not through the dynamic linker's lazy binding, which keeps fewer
  // registers than the calling convention.
  AttrBuilder Fixed(Context);
  for (auto Kind : {Attribute::NoUnwind, Attribute::WillReturn,
                    Attribute::NoFree, Attribute::Cold, Attribute::NonLazyBind})
    Fixed.addAttribute(Kind);
  Fixed.addMemoryAttr(MemoryEffects::inaccessibleMemOnly());
  Slow = M.getOrInsertFunction(
      HP_HOOK_SLOW,
      FunctionType::get(Pointer, {Pointer, Int64, Int64, Int64}, false),
      AttributeList().addFnAttributes(Context, Fixed));
  if (auto *Callee = dyn_cast<Function>(Slow.getCallee()))
    Callee->setCallingConv(CallingConv::PreserveMost);
}

/// The first byte that \p A touches.
Value *RecordInliner::at(Builder &B, const MergedAccess &A) {
  if (A.Low == 0)
    return A.Pointer;
  return B.CreateConstGEP1_64(B.getInt8Ty(), A.Pointer, uint64_t(A.Low));
}

Instruction *RecordInliner::mark(Instruction *I) {
  I->setNoSanitizeMetadata();
  return I;
}

Value *RecordInliner::load(Builder &B, Type *Ty, Value *From) {
  return mark(B.CreateLoad(Ty, From));
}

Value *RecordInliner::field(Builder &B, Value *Record, unsigned Offset,
                            Type *Ty) {
  return load(B, Ty, B.CreateConstGEP1_32(B.getInt8Ty(), Record, Offset));
}

/// Whether the record's interval holds the \p Bytes bytes at \p Address.
Value *RecordInliner::covers(Builder &B, Value *Record, Value *Address,
                             uint64_t Bytes) {
  Type *Int32 = B.getInt32Ty();
  Value *First = B.CreateTrunc(Address, Int32);
  Value *Last = B.CreateAdd(First, B.getInt32(uint32_t(Bytes - 1)));
  return B.CreateLogicalAnd(
      B.CreateICmpULE(field(B, Record, HP_CHUNK_LO, Int32), First),
      B.CreateICmpULE(Last, field(B, Record, HP_CHUNK_HI, Int32)));
}

void RecordInliner::count(Builder &B, Value *Record, const MergedAccess &A) {
  auto Step = [&](unsigned Offset, uint64_t By) {
    if (By == 0)
      return;
    Value *Counter = B.CreateConstGEP1_32(B.getInt8Ty(), Record, Offset);
    Value *Sum = B.CreateAdd(load(B, B.getInt64Ty(), Counter), B.getInt64(By));
    mark(B.CreateStore(Sum, Counter));
  };
  Step(HP_CHUNK_READS, A.Reads);
  Step(HP_CHUNK_WRITES, A.Writes);
}

void RecordInliner::renewTime(Builder &B, Value *Record) {
  mark(B.CreateStore(
      load(B, B.getInt64Ty(), Clock),
      B.CreateConstGEP1_32(B.getInt8Ty(), Record, HP_CHUNK_LAST)));
}

/// Whether \p At comes so soon after \p Earlier, which dominates it, that the
/// time of both is one: no call, and no loop, in between.
bool RecordInliner::sharesTime(const Instruction *At,
                               const Instruction *Earlier) const {
  const BasicBlock *BB = At->getParent();
  const Instruction *From = At;
  for (unsigned Step = 0; Step != MaxBlocksOfOneTime; ++Step) {
    for (; From; From = From->getPrevNode()) {
      if (From == Earlier)
        return true;
      if (From != At && isMergeBarrier(*From))
        return false;
    }
    BB = BB->getSinglePredecessor();
    if (!BB)
      return false;
    From = BB->getTerminator();
  }
  return false;
}

Value *RecordInliner::callSlow(Builder &B, Value *Pointer,
                               const MergedAccess &A) {
  CallInst *Call =
      B.CreateCall(Slow, {Pointer, B.getInt64(uint64_t(A.High - A.Low)),
                          B.getInt64(A.Reads), B.getInt64(A.Writes)});
  Call->setCallingConv(CallingConv::PreserveMost);
  mark(Call);
  if (!Call->getDebugLoc())
    if (DISubprogram *Scope = F.getSubprogram())
      Call->setDebugLoc(DILocation::get(Context, 0, 0, Scope));
  return Call;
}

BasicBlock *RecordInliner::block(const char *Name, BasicBlock *Before) {
  return BasicBlock::Create(Context, Name, &F, Before);
}

///   entry:  offset = pointer - base;  not in the heap: done
///   look:   the record's address;  not usual: slow
///   usual:  count
///   slow:   call
///   done:
///
/// Budget of a function that does nothing but one access, from entry to return:
/// at most 22 instructions if the access is usual,
/// at most 8 instructions if the address is not in the heap.
/// test/performance/inlined-sequence.test counts.
RecordInliner::Lookup RecordInliner::emitFull(const MergedAccess &A,
                                              bool Needed) {
  BasicBlock *Entry = A.At->getParent();
  BasicBlock *Done = SplitBlock(Entry, A.At->getIterator());
  Instruction *Jump = Entry->getTerminator();
  BasicBlock *Look = block("heapprof.look", Done);
  BasicBlock *Usual = block("heapprof.usual", Done);
  BasicBlock *Rare = block("heapprof.slow", nullptr);

  Builder B(Jump);
  B.SetCurrentDebugLocation(A.At->getDebugLoc());
  Type *Int64 = B.getInt64Ty();
  Value *Pointer = at(B, A);
  Value *Address = B.CreatePtrToInt(Pointer, Int64);
  Value *Offset =
      B.CreateSub(Address, B.getInt64(HP_HEAP_BASE), "heapprof.offset");
  Value *Shift = B.CreateLShr(Offset, HP_REGION_SHIFT);
  B.CreateCondBr(B.CreateICmpULT(Shift, B.getInt64(HP_REGION_COUNT)), Look,
                 Done);
  Jump->eraseFromParent();

  B.SetInsertPoint(Look);
  Value *Place = B.CreateShl(B.CreateLShr(Offset, Shift), HP_RECORD_SHIFT);
  Value *Record =
      B.CreateIntToPtr(B.CreateAdd(Place, B.getInt64(HP_RECORDS_BASE)),
                       B.getPtrTy(), "heapprof.record");
  Value *IsUsual = B.CreateLogicalAnd(
      covers(B, Record, Address, uint64_t(A.High - A.Low)),
      B.CreateICmpEQ(field(B, Record, HP_CHUNK_THREAD, B.getInt32Ty()),
                     load(B, B.getInt32Ty(), Thread)));
  B.CreateCondBr(IsUsual, Usual, Rare, Likely);

  B.SetInsertPoint(Usual);
  count(B, Record, A);
  renewTime(B, Record);
  B.CreateBr(Done);

  B.SetInsertPoint(Rare);
  Value *Found = callSlow(B, Pointer, A);
  B.CreateBr(Done);

  ++NumHooksInlined;
  Lookup Result;
  if (!Needed)
    return Result;
  B.SetInsertPoint(Done, Done->begin());
  PHINode *Records = B.CreatePHI(B.getPtrTy(), 3, "heapprof.record");
  Records->addIncoming(ConstantPointerNull::get(B.getPtrTy()), Entry);
  Records->addIncoming(Record, Usual);
  Records->addIncoming(Found, Rare);
  Result.Record = Records;
  Result.Pointer = A.Pointer;
  Result.Low = A.Low;
  Result.High = A.High;
  return Result;
}

/// A hook dominated by one on the same object: what that found still holds,
/// since an object that is accessed was not freed.  Thread and record cannot
/// have changed; a chunk that is not exact never becomes so.
RecordInliner::Lookup RecordInliner::emitReusing(const MergedAccess &A,
                                                 const Lookup &Earlier,
                                                 bool SharesTime) {
  BasicBlock *Entry = A.At->getParent();
  BasicBlock *Done = SplitBlock(Entry, A.At->getIterator());
  Instruction *Jump = Entry->getTerminator();
  BasicBlock *Usual = block("heapprof.usual", Done);
  BasicBlock *NotKnown = block("heapprof.unknown", nullptr);
  BasicBlock *Rare = block("heapprof.slow", nullptr);
  Builder B(Jump);
  B.SetCurrentDebugLocation(A.At->getDebugLoc());
  Type *Int64 = B.getInt64Ty();
  Value *Number = B.CreatePtrToInt(Earlier.Record, Int64);
  Value *Unknown = B.getInt64(HP_RECORD_UNKNOWN);
  Value *IsRecord = B.CreateICmpUGT(Number, Unknown);
  const bool Covered = A.Pointer == Earlier.Pointer && A.Low >= Earlier.Low &&
                       A.High <= Earlier.High;
  Value *Pointer = at(B, A);
  if (Covered) {
    B.CreateCondBr(IsRecord, Usual, NotKnown);
  } else {
    BasicBlock *Look = block("heapprof.look", Usual);
    B.CreateCondBr(IsRecord, Look, NotKnown);
    B.SetInsertPoint(Look);
    B.CreateCondBr(covers(B, Earlier.Record, B.CreatePtrToInt(Pointer, Int64),
                          uint64_t(A.High - A.Low)),
                   Usual, Rare, Likely);
  }
  Jump->eraseFromParent();
  B.SetInsertPoint(Usual);
  count(B, Earlier.Record, A);
  if (SharesTime)
    ++NumTimesShared;
  else
    renewTime(B, Earlier.Record);
  B.CreateBr(Done);
  B.SetInsertPoint(NotKnown);
  B.CreateCondBr(B.CreateICmpEQ(Number, Unknown), Rare, Done);
  B.SetInsertPoint(Rare);
  callSlow(B, Pointer, A);
  B.CreateBr(Done);
  ++NumHooksInlined;
  ++NumRecordsReused;
  return Earlier;
}

/// For each access the nearest one that dominates it and is of the same
/// object, or -1; \p Order is one in which that comes first.
SmallVector<int, 32> RecordInliner::findEarlier(ArrayRef<MergedAccess> Accesses,
                                                SmallVectorImpl<int> &Order) {
  DenseMap<const BasicBlock *, SmallVector<int, 4>> InBlock;
  for (int I = 0, E = int(Accesses.size()); I != E; ++I)
    InBlock[Accesses[size_t(I)].At->getParent()].push_back(I);
  for (auto &[BB, Here] : InBlock)
    sort(Here, [&](int One, int Other) {
      const Instruction *First = Accesses[size_t(One)].At;
      const Instruction *Second = Accesses[size_t(Other)].At;
      return First == Second ? One < Other : First->comesBefore(Second);
    });
  SmallVector<int, 32> Earlier(Accesses.size(), -1);
  DenseMap<const Value *, int> Open;
  SmallVector<std::pair<const Value *, int>, 32> Undo;
  struct Step {
    const DomTreeNode *Node;
    size_t UndoTo;
    bool Leaving;
  };
  SmallVector<Step, 32> Work = {{DT.getRootNode(), 0, false}};
  const bool Reuse = ReuseRecords && !F.callsFunctionThatReturnsTwice();
  while (!Work.empty()) {
    Step S = Work.pop_back_val();
    if (S.Leaving) {
      while (Undo.size() > S.UndoTo) {
        auto [Object, Before] = Undo.pop_back_val();
        Open[Object] = Before;
      }
      continue;
    }
    Work.push_back({S.Node, Undo.size(), true});
    for (int I : InBlock.lookup(S.Node->getBlock())) {
      Order.push_back(I);
      const Value *Object = getUnderlyingObject(Accesses[size_t(I)].Pointer, 0);
      auto [Known, New] = Open.try_emplace(Object, -1);
      if (Reuse)
        Earlier[size_t(I)] = Known->second;
      Undo.emplace_back(Object, Known->second);
      Known->second = I;
    }
    for (const DomTreeNode *Child : S.Node->children())
      Work.push_back({Child, 0, false});
  }
  return Earlier;
}

void RecordInliner::emit(ArrayRef<MergedAccess> Accesses) {
  SmallVector<int, 32> Order;
  SmallVector<int, 32> Earlier = findEarlier(Accesses, Order);
  SmallVector<bool, 32> Needed(Accesses.size(), false);
  for (int I : Earlier)
    if (I >= 0)
      Needed[size_t(I)] = true;
  SmallVector<Lookup, 32> Lookups(Accesses.size());
  // Before any block is split.
  SmallVector<bool, 32> Shares(Accesses.size(), false);
  for (size_t I = 0; I != Accesses.size(); ++I)
    Shares[I] = Earlier[I] >= 0 &&
                sharesTime(Accesses[I].At, Accesses[size_t(Earlier[I])].At);
  for (int I : Order) {
    const MergedAccess &A = Accesses[size_t(I)];
    const int From = Earlier[size_t(I)];
    Lookups[size_t(I)] =
        From < 0 ? emitFull(A, Needed[size_t(I)])
                 : emitReusing(A, Lookups[size_t(From)], Shares[size_t(I)]);
  }
}

} // namespace heapprof
