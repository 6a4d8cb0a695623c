// RecordInliner.cpp - owner check, record's address, checks and counts as IR.
// Mirrors hp_access() of the runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/RecordInliner.h"
#include "base/Options.h"
#include "base/RuntimeSymbol.h"
#include "base/Statistics.h"
#include "emit/AssemblyHooks.h"
#include "emit/RecordFields.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace heapprof {

RecordInliner::RecordInliner(Function &F, const LoopInfo &LI,
                             MergeBarriers &Barriers, bool ForSamples)
    : F(F), M(*F.getParent()), Context(M.getContext()), ForSamples(ForSamples),
      Known(F, LI), InLoops(LI, Barriers, Known),
      Likely(MDBuilder(Context).createBranchWeights(1 << 20, 1)),
      Unlikely(MDBuilder(Context).createBranchWeights(1, 1 << 20)), Calls(F) {
  Type *Int64 = Type::getInt64Ty(Context);
  Clock = runtimeSymbol(M, HP_CLOCK_SYMBOL, Int64);
  Masks = runtimeSymbol(M, HP_MASKS_SYMBOL, Int64);
  Thread = runtimeSymbol(M, HP_THREAD_SYMBOL, Type::getInt16Ty(Context),
                         /*ThreadLocal=*/true);
}

SmallVector<Value *, 2> RecordInliner::at(Builder &B, Together As) {
  SmallVector<Value *, 2> Pointers;
  for (const MergedAccess &A : As)
    Pointers.push_back(firstByte(B, A));
  return Pointers;
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

static Value *scaled(IRBuilder<> &B, Value *Number, uint64_t By) {
  return By == 1 ? Number : B.CreateMul(Number, B.getInt64(By));
}

/// The reads and writes of \p As, each time.
static std::pair<uint64_t, uint64_t> counts(ArrayRef<MergedAccess> As) {
  std::pair<uint64_t, uint64_t> Sum;
  for (const MergedAccess &A : As) {
    Sum.first += A.Reads;
    Sum.second += A.Writes;
  }
  return Sum;
}

/// \p N each time that \p A is executed.
static Value *times(IRBuilder<> &B, const MergedAccess &A, uint64_t N) {
  if (!A.Repeats || N == 0)
    return B.getInt64(N);
  return scaled(B, B.CreateAdd(A.Repeats, B.getInt64(1)), N);
}

/// How often accesses may be repeated that are to be at most \p Most: \p Reads
/// and \p Writes each time.
static uint64_t mostRepeats(uint64_t Most, uint64_t Reads, uint64_t Writes) {
  return Most / std::max(Reads, Writes) - 1;
}

/// Whether the record's interval holds the bytes of \p A, at \p Address, which
/// begins at its first byte at least if \p LowIsKnown.
Value *RecordInliner::covers(Builder &B, Value *Record, Value *Address,
                             const MergedAccess &A, bool LowIsKnown) {
  Type *Int32 = B.getInt32Ty();
  const uint64_t More = uint64_t(A.High - A.Low) - 1;
  Value *First = B.CreateTrunc(Address, Int32);
  Value *IsFrom = nullptr, *IsTo;
  if (!LowIsKnown)
    IsFrom = B.CreateICmpULE(field(B, Record, HP_CHUNK_LO, Int32), First);
  Value *Hi = field(B, Record, HP_CHUNK_HI, Int32);
  if (A.Repeats) {
    // That may be beyond 32 bits.
    Type *Int64 = B.getInt64Ty();
    Value *Last =
        B.CreateAdd(B.CreateZExt(First, Int64), scaled(B, A.Repeats, A.Step));
    if (More)
      Last = B.CreateAdd(Last, B.getInt64(More));
    IsTo = B.CreateICmpULE(Last, B.CreateZExt(Hi, Int64));
  } else if (A.To) {
    Value *Last = B.CreateAdd(B.CreatePtrToInt(A.To, Int32),
                              B.getInt32(uint32_t(A.ToBytes - 1)));
    IsTo = B.CreateICmpULE(Last, Hi);
  } else {
    Value *Last = More ? B.CreateAdd(First, B.getInt32(uint32_t(More))) : First;
    IsTo = B.CreateICmpULE(Last, Hi);
  }
  return IsFrom ? B.CreateLogicalAnd(IsFrom, IsTo) : IsTo;
}

/// The same of all of \p As, at \p Pointers; and whether their number may be
/// added to a counter at once.
Value *RecordInliner::covers(Builder &B, Value *Record,
                             ArrayRef<Value *> Pointers, Together As,
                             bool LowIsKnown) {
  Value *All = nullptr;
  if (As[0].Repeats) {
    const auto [Reads, Writes] = counts(As);
    All = B.CreateICmpULE(As[0].Repeats,
                          B.getInt64(mostRepeats(HP_STEP_MAX, Reads, Writes)));
  }
  for (size_t I = 0; I != As.size(); ++I) {
    Value *Address = B.CreatePtrToInt(Pointers[I], B.getInt64Ty());
    Value *One = covers(B, Record, Address, As[I], LowIsKnown);
    All = All ? B.CreateLogicalAnd(All, One) : One;
  }
  return All;
}

void RecordInliner::count(Builder &B, Value *Record, Together As) {
  const auto [Reads, Writes] = counts(As);
  if (Reads)
    addReads(B, Record, times(B, As[0], Reads));
  if (Writes)
    addWrites(B, Record, times(B, As[0], Writes));
}

void RecordInliner::countInLoop(Builder &B, const LoopCounts::Variables &Its,
                                const MergedAccess &A) {
  if (A.Reads)
    addTo(B, Its.Reads, B.getInt64(A.Reads));
  if (A.Writes)
    addTo(B, Its.Writes, B.getInt64(A.Writes));
}

void RecordInliner::renewTime(Builder &B, Value *Record) {
  mark(B.CreateStore(
      load(B, B.getInt64Ty(), Clock),
      B.CreateConstGEP1_32(B.getInt8Ty(), Record, HP_CHUNK_LAST)));
}

/// What a loop has accessed may not fit into one call: then there are several,
/// and \p B goes on in another block.
Instruction *RecordInliner::callSlow(Builder &B, Value *Pointer,
                                     const MergedAccess &A) {
  const uint64_t Bytes = uint64_t(A.High - A.Low);
  const uint64_t Once = inOneWord(A);
  if (A.To) {
    Type *Int32 = B.getInt32Ty();
    const uint64_t Counts = HP_SLOW_ACCESSES(0, A.Reads, A.Writes);
    Value *Behind =
        B.CreateAdd(B.CreatePtrToInt(A.To, Int32),
                    B.getInt32(uint32_t(Counts + uint64_t(A.ToBytes))));
    return Calls.slow(B, Pointer,
                      B.CreateSub(Behind, B.CreatePtrToInt(Pointer, Int32)), A);
  }
  if (!A.Repeats)
    return Calls.slow(B, Pointer, B.getInt32(uint32_t(Once)), A);
  uint64_t Most = mostRepeats(HP_SLOW_COUNT_MAX, A.Reads, A.Writes);
  if (A.Step)
    Most = std::min(Most, (HP_SLOW_BYTES_MAX - Bytes) / A.Step);
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Call = block("heapprof.calls", nullptr);
  BasicBlock *Called = block("heapprof.called", nullptr);
  Value *All = times(B, A, 1);
  B.CreateBr(Call);
  B.SetInsertPoint(Call);
  PHINode *From = B.CreatePHI(B.getPtrTy(), 2);
  PHINode *Left = B.CreatePHI(B.getInt64Ty(), 2);
  Value *Now =
      B.CreateBinaryIntrinsic(Intrinsic::umin, Left, B.getInt64(Most + 1));
  Value *Accesses = B.CreateAdd(scaled(B, Now, Once - Bytes + A.Step),
                                B.getInt64(Bytes - A.Step));
  Instruction *Found =
      Calls.slow(B, From, B.CreateTrunc(Accesses, B.getInt32Ty()), A);
  Value *Rest = B.CreateSub(Left, Now);
  From->addIncoming(Pointer, Before);
  From->addIncoming(B.CreatePtrAdd(From, scaled(B, Now, A.Step)), Call);
  Left->addIncoming(All, Before);
  Left->addIncoming(Rest, Call);
  B.CreateCondBr(B.CreateIsNull(Rest), Called, Call, Likely);
  B.SetInsertPoint(Called);
  return Found;
}

/// Calls for all of \p As and goes on to \p Done.  Returns what the last call
/// found, and the block from which it goes on.
std::pair<Value *, BasicBlock *>
RecordInliner::callSlow(Builder &B, ArrayRef<Value *> Pointers, Together As,
                        BasicBlock *Done) {
  Value *Found = nullptr;
  for (size_t I = 0; I != As.size(); ++I)
    Found = callSlow(B, Pointers[I], As[I]);
  B.CreateBr(Done);
  return {Found, B.GetInsertBlock()};
}

BasicBlock *RecordInliner::block(const char *Name, BasicBlock *Before) {
  return BasicBlock::Create(Context, Name, &F, Before);
}

/// One instruction, which a jump becomes part of; what else lies where the heap does
/// the call tells.
Value *RecordInliner::mayBeInHeap(Builder &B, Value *Pointer) {
  return B.CreateIsNull(
      B.CreateAnd(B.CreatePtrToInt(Pointer, B.getInt64Ty()),
                  B.getInt64(uint64_t(1) << HP_ELSEWHERE_BIT)));
}

/// Where the slot at \p Address begins, which is its record; null if it is not
/// in the heap.
Value *RecordInliner::slotAt(Builder &B, Value *Address) {
  Type *Int64 = B.getInt64Ty();
  Value *Region = B.CreateAShr(Address, HP_REGION_SHIFT, "heapprof.region");
  Value *Mask = load(B, Int64, B.CreateGEP(Int64, Masks, Region));
  return B.CreateIntToPtr(B.CreateAnd(Address, Mask), B.getPtrTy(),
                          "heapprof.record");
}

/// Ends the block of \p B: to \p NotHeap, to \p Usual, or to \p Rare.  Returns
/// the record, which is right in the last two.
Value *RecordInliner::lookUp(Builder &B, ArrayRef<Value *> Pointers,
                             Together As, BasicBlock *NotHeap,
                             BasicBlock *Usual, BasicBlock *Rare) {
  Value *Record = slotAt(B, B.CreatePtrToInt(Pointers[0], B.getInt64Ty()));
  BasicBlock *Look = block("heapprof.look", Usual);
  B.CreateCondBr(B.CreateIsNotNull(Record), Look, NotHeap);
  B.SetInsertPoint(Look);
  Value *IsUsual = B.CreateLogicalAnd(
      covers(B, Record, Pointers, As, /*LowIsKnown=*/false),
      B.CreateICmpEQ(field(B, Record, HP_CHUNK_THREAD, B.getInt16Ty()),
                     load(B, B.getInt16Ty(), Thread)));
  B.CreateCondBr(IsUsual, Usual, Rare, Likely);
  return Record;
}

/// For a profile of samples, in which an access to the heap is rare: the record
/// is left to the call, so that there is little code between the program's own.
/// What an earlier hook of the object found would take a register, and be asked as
/// long.
///
///   entry:  maybe in the heap: slow
///   slow:   call
///   done:
void RecordInliner::emitOwnerCheck(const MergedAccess &A) {
  BasicBlock *Entry = A.At->getParent();
  BasicBlock *Done = SplitBlock(Entry, A.At->getIterator());
  Instruction *Jump = Entry->getTerminator();
  BasicBlock *Rare = block("heapprof.slow", nullptr);
  Builder B(Jump);
  B.SetCurrentDebugLocation(A.At->getDebugLoc());
  B.CreateCondBr(mayBeInHeap(B, askedPointer(A).Pointer), Rare, Done, Unlikely);
  Jump->eraseFromParent();
  B.SetInsertPoint(Rare);
  callSlow(B, firstByte(B, A), A, Done);
  ++NumOwnerChecks;
}

///   entry:   the record's address;  not in the heap: done
///   look:    not usual: slow
///   usual:   count
///   slow:    call
///   done:
///
/// Budget of a function that does nothing but one access, from entry to return:
/// at most 19 instructions if the access is usual,
/// at most 8 instructions if the address is not in the heap.
/// test/performance/inlined-sequence.test counts.
void RecordInliner::emitFull(Together As, const Value *Object) {
  const MergedAccess &A = As[0];
  BasicBlock *Entry = A.At->getParent();
  BasicBlock *Done = SplitBlock(Entry, A.At->getIterator());
  Instruction *Jump = Entry->getTerminator();
  BasicBlock *Usual = block("heapprof.usual", Done);
  BasicBlock *Rare = block("heapprof.slow", nullptr);
  Builder B(Jump);
  B.SetCurrentDebugLocation(A.At->getDebugLoc());
  const auto Pointers = at(B, As);
  Value *Record = lookUp(B, Pointers, As, Done, Usual, Rare);
  Jump->eraseFromParent();
  B.SetInsertPoint(Usual);
  renewTime(B, Record);
  count(B, Record, As);
  B.CreateBr(Done);
  B.SetInsertPoint(Rare);
  auto [Found, Called] = callSlow(B, Pointers, As, Done);
  ++NumHooksInlined;
  if (!Known.has(Object))
    return;
  B.SetInsertPoint(Done, Done->begin());
  PHINode *Records = B.CreatePHI(B.getPtrTy(), 3, "heapprof.record");
  Records->addIncoming(Record, Entry); // which is null then
  Records->addIncoming(Record, Usual);
  Records->addIncoming(Found, Called);
  Known.set(B, Object, Records);
}

/// What an earlier hook of the object found still holds, since an object that
/// is accessed was not freed.  Thread and record cannot have changed; a chunk
/// that is not exact never becomes so.  Executed \p Again with the object, a hook
/// keeps what it finds for those behind it.
///
///   entry:   not in the heap: done
///   have:    no record: ask, or slow
///   has:     the bytes are not in its interval: likewise
///   usual:   count
///   ask:     nothing is known, as on some way there was no hook: again
///   slow:    call
///   again:   look it up;  not in the heap: done
///   done:
void RecordInliner::emitReusing(Together As, const Value *Object,
                                const EarlierAccesses::Known &By, bool Again,
                                const LoopCounts::Variables &Counts) {
  const MergedAccess &A = As[0];
  BasicBlock *Entry = A.At->getParent();
  BasicBlock *Done = SplitBlock(Entry, A.At->getIterator());
  Instruction *Jump = Entry->getTerminator();
  BasicBlock *Have = block("heapprof.have", Done);
  BasicBlock *Usual = block("heapprof.usual", Done);
  BasicBlock *Rare = block("heapprof.slow", nullptr);
  BasicBlock *Ask = By.Any ? Rare : block("heapprof.ask", nullptr);
  Builder B(Jump);
  B.SetCurrentDebugLocation(A.At->getDebugLoc());
  Value *Record = Known.get(B, Object);
  const auto Pointers = at(B, As);
  B.CreateCondBr(B.CreateIsNotNull(Record), Have, Done);
  B.SetInsertPoint(Have);
  Value *IsUsual = hasRecord(B, Record);
  if (!By.Low || !By.High) {
    // What is no record has no interval to be read: only a block keeps that behind.
    BasicBlock *Has = block("heapprof.has", Usual);
    B.CreateCondBr(IsUsual, Has, Ask, Likely);
    B.SetInsertPoint(Has);
    IsUsual = covers(B, Record, Pointers, As, By.Low);
  }
  B.CreateCondBr(IsUsual, Usual, Ask, Likely);
  BasicBlock *Held = B.GetInsertBlock();
  Jump->eraseFromParent();

  B.SetInsertPoint(Rare);
  auto [Found, Called] = callSlow(B, Pointers, As, Done);
  ++NumHooksInlined;
  if (By.Any) {
    ++NumRecordsReused;
    if (Again) {
      B.SetInsertPoint(Done, Done->begin());
      PHINode *Records = B.CreatePHI(B.getPtrTy(), 3, "heapprof.record");
      Records->addIncoming(Record, Entry);
      Records->addIncoming(Record, Usual);
      Records->addIncoming(Found, Called);
      Known.set(B, Object, Records);
    }
  } else {
    BasicBlock *AskAgain = block("heapprof.again", nullptr);
    B.SetInsertPoint(Ask);
    B.CreateCondBr(B.CreateIsNeg(B.CreatePtrToInt(Record, B.getInt64Ty())),
                   AskAgain, Rare);
    B.SetInsertPoint(AskAgain);
    Value *LookedUp = lookUp(B, Pointers, As, Done, Usual, Rare);
    BasicBlock *Looked = B.GetInsertBlock();
    B.SetInsertPoint(Usual);
    PHINode *Either = B.CreatePHI(B.getPtrTy(), 2, "heapprof.record");
    Either->addIncoming(Record, Held);
    Either->addIncoming(LookedUp, Looked);
    B.SetInsertPoint(Done, Done->begin());
    PHINode *Records = B.CreatePHI(B.getPtrTy(), 3, "heapprof.record");
    Records->addIncoming(Record, Entry); // null, as is the other
    Records->addIncoming(LookedUp, AskAgain);
    Records->addIncoming(Either, Usual);
    Records->addIncoming(Found, Called);
    Known.set(B, Object, Records);
    Record = Either;
    ++NumRecordsCarried;
  }
  B.SetInsertPoint(Usual);
  if (By.SharesTime)
    ++NumTimesShared;
  else
    renewTime(B, Record);
  if (Counts.Reads || Counts.Writes)
    countInLoop(B, Counts, A);
  else
    count(B, Record, As);
  B.CreateBr(Done);
}

void RecordInliner::emitCall(const MergedAccess &A, const Value *Object) {
  const bool IsFoundUsed = Known.has(Object);
  Value *Found = Calls.emit(A, IsFoundUsed);
  if (!IsFoundUsed)
    return;
  Builder B(A.At);
  Known.set(B, Object, Found);
}

/// Whether there is assembly for \p A: not for what is repeated, is added up in a
/// loop, or may find nothing known and asks again.
static bool hasAssembly(const MergedAccess &A, const EarlierAccesses::Known &By,
                        bool Reuses, const LoopCounts::Variables &Counts) {
  return !A.Repeats && (By.Any || !Reuses) && !Counts.Reads && !Counts.Writes;
}

void RecordInliner::emitAssembly(const MergedAccess &A, const Value *Object,
                                 const EarlierAccesses::Known *By) {
  Builder B(A.At);
  ++NumHooksInlined;
  ++NumHooksInAssembly;
  NumRecordsReused += By != nullptr;
  Value *Found = By ? countByAssembly(B, A, Known.get(B, Object), *By)
                    : countByAssembly(B, A);
  if (Known.has(Object))
    Known.set(B, Object, Found);
}

/// So many accesses are counted together at most.
constexpr size_t MostTogether = 4;

/// Whether both are of one loop, at one of its exits.
static bool areTogether(const MergedAccess &A, const MergedAccess &B) {
  return A.Repeats && A.Repeats == B.Repeats && A.At == B.At;
}

void RecordInliner::emit(ArrayRef<MergedAccess> All) {
  if (ForSamples) {
    for (const MergedAccess &A : All)
      emitOwnerCheck(A);
    return;
  }
  SmallVector<MergedAccess, 32> Accesses;
  const bool AnyInline =
      any_of(All, [](const MergedAccess &A) { return !A.Seldom; });
  for (const MergedAccess &A : All)
    if (A.Seldom && !AnyInline)
      Calls.emit(A);
    else
      Accesses.push_back(A);
  if (Accesses.empty())
    return;
  SmallVector<const Value *, 32> Objects;
  for (const MergedAccess &A : Accesses)
    Objects.push_back(getUnderlyingObject(A.Pointer, 0));
  if (ReuseRecords && !F.callsFunctionThatReturnsTwice())
    Known.open(Objects);
  // Before any block is split.
  const EarlierAccesses Earlier(F, Accesses, Objects);
  SmallVector<bool, 32> Reuses;
  SmallVector<const BasicBlock *, 32> Blocks;
  for (size_t I = 0; I != Accesses.size(); ++I) {
    Blocks.push_back(Accesses[I].At->getParent());
    Reuses.push_back(
        Known.has(Objects[I]) &&
        (Earlier.of(I).Any || Known.mayBeCarried(Objects[I], Blocks[I])));
    if (CountInLoops && Reuses[I] && !Accesses[I].Seldom)
      InLoops.take(Accesses[I], Objects[I]);
  }
  const bool MayUseAssembly =
      Assembly && All.size() >= Assembly && mayUseAssembly(F);
  const ArrayRef<size_t> Order = Earlier.order();
  for (size_t Next = 0, Count; Next != Order.size(); Next += Count) {
    const size_t I = Order[Next];
    const Value *Object = Objects[I];
    Known.enter(Blocks[I]);
    Count = 1;
    if (Accesses[I].Seldom) {
      emitCall(Accesses[I], Object);
      continue;
    }
    while (Count != MostTogether && Next + Count != Order.size() &&
           Order[Next + Count] == I + Count && Objects[I + Count] == Object &&
           areTogether(Accesses[I], Accesses[I + Count]))
      ++Count;
    if (MayUseAssembly && hasAssembly(Accesses[I], Earlier.of(I), Reuses[I],
                                      InLoops.of(Blocks[I], Object)))
      emitAssembly(Accesses[I], Object, Reuses[I] ? &Earlier.of(I) : nullptr);
    else if (Reuses[I])
      emitReusing(ArrayRef(Accesses).slice(I, Count), Object, Earlier.of(I),
                  Accesses[I].Often && Known.outlastsTurn(Object, Blocks[I]),
                  InLoops.of(Blocks[I], Object));
    else
      emitFull(ArrayRef(Accesses).slice(I, Count), Object);
  }
  InLoops.close();
  Known.close();
  Calls.close();
}

} // namespace heapprof
