// HookEmitter.cpp - declares the hooks and builds their arguments.
// What the optimiser may think of a hook is said in one place: call().
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/HookEmitter.h"
#include "base/LLVMVersion.h"
#include "base/Options.h"
#include "base/Statistics.h"
#include "emit/MemberGroups.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace heapprof {

/// Lanes one hook's mask can hold.
constexpr unsigned MaskLanes = 64;

/// An access hook looks at the address and not at what is there, so that
/// link-time optimisation may still move and merge the program's own loads and
/// stores around it.
static MemoryEffects ownMemory() {
  return MemoryEffects::inaccessibleMemOnly();
}

HookEmitter::HookEmitter(Module &M)
    : M(M), Context(M.getContext()), Folder(M.getDataLayout()) {}

void HookEmitter::beginFunction(Function &F) {
  Fn = &F;
  PointerArrays.clear();
  StepArrays.clear();
}

/// Calls \p Hook, declaring it if this is its first call.  If \p Result is a
/// pointer it is the first argument, as memcpy's is; null: void.
CallInst *HookEmitter::call(Builder &B, const char *Hook, MemoryEffects Effects,
                            ArrayRef<Value *> Arguments, Type *Result) {
  const bool ReturnsFirst = Result && Result->isPointerTy();
  AttrBuilder Fixed(Context);
  Fixed.addAttribute(Attribute::NoUnwind);
  Fixed.addAttribute(Attribute::WillReturn);
  Fixed.addAttribute(Attribute::NoFree);
  Fixed.addMemoryAttr(Effects);
  AttributeList Attributes = AttributeList().addFnAttributes(Context, Fixed);
  SmallVector<Type *, 5> Types;
  for (const Value *Argument : Arguments) {
    const unsigned Number = Types.size();
    Types.push_back(Argument->getType());
    if (!Argument->getType()->isPointerTy())
      continue;
    // What returns its target cannot be said not to capture it.
    if (ReturnsFirst && Number == 0) {
      Attributes =
          Attributes.addParamAttribute(Context, 0, Attribute::Returned);
      continue;
    }
    Attributes =
        Attributes.addParamAttribute(Context, {Number}, notCaptured(Context));
    Attributes = Attributes.addParamAttribute(
        Context, Number,
        Effects == ownMemory() ? Attribute::ReadNone : Attribute::ReadOnly);
  }
  if (!Result)
    Result = B.getVoidTy();
  CallInst *Call = B.CreateCall(
      M.getOrInsertFunction(Hook, FunctionType::get(Result, Types, false),
                            Attributes),
      Arguments);
  Call->setNoSanitizeMetadata();
  // The verifier wants a location on every call of a function that may be
  // inlined into one that has debug info.
  if (!Call->getDebugLoc())
    if (DISubprogram *Scope = Fn->getSubprogram())
      Call->setDebugLoc(DILocation::get(Context, 0, 0, Scope));
  return Call;
}

/// \p Count units of \p Unit bytes, as an i64.
static Value *bytes(IRBuilder<TargetFolder> &B, Value *Count, uint64_t Unit) {
  Count = B.CreateZExtOrTrunc(Count, B.getInt64Ty());
  return Unit == 1 ? Count : B.CreateMul(Count, B.getInt64(Unit));
}

void HookEmitter::emit(const Access &A) {
  Builder B(A.At->getParent(), A.At->getIterator(), Folder);
  switch (A.Shape) {
  case Access::Range: {
    Value *Bytes = B.getInt64(A.Unit);
    if (A.Count)
      Bytes = bytes(B, A.Count, A.Unit);
    emitRange(B, A.Pointer, Bytes, A.Kind);
    return;
  }
  case Access::Packed:
    emitPacked(B, A);
    return;
  case Access::Strided:
    emitStrided(B, A);
    return;
  case Access::Lanes:
    emitLanes(B, A);
    return;
  case Access::Copy:
  case Access::Fill:
    emitReplacement(B, A);
    return;
  }
}

/// A hook beside a memory intrinsic would count twice: the code generator may
/// turn the intrinsic into a call of the libc function, which is intercepted.
void HookEmitter::emitReplacement(Builder &B, const Access &A) {
  const MemoryEffects Effects = ownMemory() | MemoryEffects::argMemOnly();
  Value *Count = bytes(B, A.Count, 1);
  if (A.Shape == Access::Copy) {
    call(B, isa<MemMoveInst>(A.At) ? HP_HOOK_MEMMOVE : HP_HOOK_MEMCPY, Effects,
         {A.Pointer, A.Source, Count}, B.getPtrTy());
  } else {
    Value *Byte =
        B.CreateZExt(cast<MemSetInst>(A.At)->getValue(), B.getInt32Ty());
    call(B, HP_HOOK_MEMSET, Effects, {A.Pointer, Byte, Count}, B.getPtrTy());
  }
  A.At->eraseFromParent();
  ++NumHooksMemory;
}

void HookEmitter::emitRange(Builder &B, Value *Pointer, Value *Bytes,
                            int Kind) {
  const char *Hook = Kind == HP_ACCESS_READ    ? HP_HOOK_READ
                     : Kind == HP_ACCESS_WRITE ? HP_HOOK_WRITE
                                               : HP_HOOK_READ_WRITE;
  call(B, Hook, ownMemory(), {Pointer, Bytes});
  ++NumHooksPlain;
}

void HookEmitter::emit(const MergedAccess &A) {
  Builder B(A.At->getParent(), A.At->getIterator(), Folder);
  Value *Pointer = A.Pointer;
  if (A.Low)
    Pointer = B.CreatePtrAdd(Pointer, B.getInt64(uint64_t(A.Low)));
  Value *Bytes = B.getInt64(uint64_t(A.High - A.Low));
  Constant *Group = CountMembers ? memberGroup(M, A) : nullptr;
  if (A.Repeats) {
    Value *Times = B.CreateAdd(A.Repeats, B.getInt64(1));
    Bytes = B.CreateAdd(bytes(B, A.Repeats, A.Step), Bytes);
    emitMany(A.At, Pointer, Bytes, bytes(B, Times, A.Reads),
             bytes(B, Times, A.Writes), Group);
    return;
  }
  if (!Group && A.Reads <= 1 && A.Writes <= 1)
    emitRange(B, Pointer, Bytes,
              (A.Reads ? HP_ACCESS_READ : 0) |
                  (A.Writes ? HP_ACCESS_WRITE : 0));
  else
    emitMany(A.At, Pointer, Bytes, B.getInt64(A.Reads), B.getInt64(A.Writes),
             Group);
}

void HookEmitter::emitMany(Instruction *At, Value *Pointer, Value *Bytes,
                           Value *Reads, Value *Writes, Constant *Group) {
  Builder B(At->getParent(), At->getIterator(), Folder);
  if (Group)
    call(B, HP_HOOK_MANY_MEMBERS, ownMemory(),
         {Pointer, Bytes, Reads, Writes, Group});
  else
    call(B, HP_HOOK_MANY, ownMemory(), {Pointer, Bytes, Reads, Writes});
  ++NumHooksMany;
}

/// Where the steps of a range are put for its hook, as pointers are for lanes.
AllocaInst *HookEmitter::stepArray(unsigned Count) {
  AllocaInst *&Array = StepArrays[Count];
  if (!Array) {
    IRBuilder<> Entry(&*Fn->getEntryBlock().getFirstInsertionPt());
    Array = Entry.CreateAlloca(
        ArrayType::get(Entry.getInt64Ty(), uint64_t(2) * Count), nullptr,
        "heapprof.steps");
  }
  return Array;
}

/// The hull of parts is counted if that is exact, or else each of them is.
void HookEmitter::emit(const RangeValues &R, DomTreeUpdater &Tree,
                       LoopInfo &Loops) {
  if (R.Parts.empty()) {
    emitOne(R);
    return;
  }
  Builder B(R.At->getParent(), R.At->getIterator(), Folder);
  Value *Done = call(B, HP_HOOK_HULL, ownMemory(),
                     {R.Low, R.Bytes, R.Reads, R.Writes}, B.getInt32Ty());
  ++NumHooksHull;
  Instruction *Else = SplitBlockAndInsertIfThen(
      B.CreateIsNull(Done), R.At->getIterator(), /*Unreachable=*/false,
      MDBuilder(Context).createBranchWeights(1, 1000), &Tree, &Loops);
  for (RangeValues Part : R.Parts) {
    Part.At = Else;
    emitOne(Part);
  }
}

void HookEmitter::emitOne(const RangeValues &R) {
  if (!CountMembers) {
    emitMany(R.At, R.Low, R.Bytes, R.Reads, R.Writes);
    return;
  }
  Builder B(R.At->getParent(), R.At->getIterator(), Folder);
  const unsigned Count = unsigned(R.Steps.size());
  AllocaInst *Array = stepArray(Count);
  unsigned Next = 0;
  for (const auto &S : R.Steps)
    for (Value *Its : {S.Step, S.Times})
      B.CreateAlignedStore(
           Its, B.CreateConstGEP1_32(B.getInt64Ty(), Array, Next++), Align(8))
          ->setNoSanitizeMetadata();
  call(B, HP_HOOK_LOOP_MEMBERS,
       ownMemory() | MemoryEffects::argMemOnly(ModRefInfo::Ref),
       {R.Low, R.Bytes, R.Reads, R.Writes,
        memberGroup(M, R.Places, 0, 0, Count), Array});
  ++NumHooksMany;
}

/// Fewer accesses than this take less time than a step of the coarse clock, so
/// that the hook before the loop tells the time of the last one as well.
constexpr uint64_t ManyAccesses = 1 << 14;

void HookEmitter::emitTouch(Instruction *At, Value *Pointer,
                            ArrayRef<Value *> Counts) {
  Builder B(At->getParent(), At->getIterator(), Folder);
  Value *Sum = Counts[0];
  for (Value *Count : Counts.drop_front())
    Sum = B.CreateAdd(Sum, Count);
  Value *Many = B.CreateICmpUGT(Sum, B.getInt64(ManyAccesses));
  if (auto *Constant = dyn_cast<ConstantInt>(Many);
      Constant && Constant->isZero())
    return;
  B.SetInsertPoint(SplitBlockAndInsertIfThen(
      Many, At->getIterator(), /*Unreachable=*/false,
      MDBuilder(Context).createBranchWeights(1, 1000)));
  call(B, HP_HOOK_TOUCH, ownMemory(), {Pointer});
  ++NumHooksTouch;
}

/// Elements [First, First + Count) of Vector.
Value *HookEmitter::firstLanes(Builder &B, Value *Vector, unsigned First,
                               unsigned Count) {
  if (First == 0 &&
      cast<FixedVectorType>(Vector->getType())->getNumElements() == Count)
    return Vector;
  SmallVector<int, MaskLanes> Picked;
  for (unsigned I = 0; I != Count; ++I)
    Picked.push_back(int(First + I));
  return B.CreateShuffleVector(Vector, Picked);
}

/// An i64 whose bit i tells whether lane First + i is enabled.
Value *HookEmitter::laneBits(Builder &B, const Access &A, unsigned First) {
  const unsigned Count = std::min(A.LaneCount - First, MaskLanes);
  Value *Bits = B.getInt64(maskTrailingOnes<uint64_t>(Count));
  if (A.Mask) {
    if (auto *VecTy = dyn_cast<FixedVectorType>(A.Mask->getType())) {
      Value *Lanes = firstLanes(B, A.Mask, First, Count);
      if (!VecTy->getElementType()->isIntegerTy(1)) {
        Type *IntTy = B.getIntNTy(VecTy->getScalarSizeInBits());
        Type *IntVecTy = FixedVectorType::get(IntTy, Count);
        Lanes = B.CreateICmpSLT(B.CreateBitCast(Lanes, IntVecTy),
                                Constant::getNullValue(IntVecTy));
      }
      Bits = B.CreateZExt(B.CreateBitCast(Lanes, B.getIntNTy(Count)),
                          B.getInt64Ty());
    } else {
      // x86's integer masks have at least 8 bits, also for fewer lanes.
      Bits = B.CreateAnd(B.CreateZExtOrTrunc(A.Mask, B.getInt64Ty()), Bits);
    }
  }
  if (A.Limit) {
    Value *Left = B.CreateBinaryIntrinsic(
        Intrinsic::usub_sat, B.CreateZExtOrTrunc(A.Limit, B.getInt64Ty()),
        B.getInt64(First));
    Value *Below = B.CreateNot(B.CreateShl(B.getInt64(~0ull), Left));
    Value *All = B.CreateICmpUGE(Left, B.getInt64(MaskLanes));
    Bits = B.CreateAnd(Bits, B.CreateSelect(All, B.getInt64(~0ull), Below));
  }
  return Bits;
}

void HookEmitter::emitPacked(Builder &B, const Access &A) {
  uint64_t Known = 0;
  Value *Counted = nullptr;
  for (unsigned First = 0; First < A.LaneCount; First += MaskLanes) {
    Value *Bits = laneBits(B, A, First);
    if (auto *Constant = dyn_cast<ConstantInt>(Bits)) {
      Known += unsigned(llvm::popcount(Constant->getZExtValue()));
      continue;
    }
    Value *Part = B.CreateUnaryIntrinsic(Intrinsic::ctpop, Bits);
    Counted = Counted ? B.CreateAdd(Counted, Part) : Part;
  }
  if (Counted && Known)
    Counted = B.CreateAdd(Counted, B.getInt64(Known));
  if (Counted)
    emitRange(B, A.Pointer, bytes(B, Counted, A.Unit), A.Kind);
  else if (Known)
    emitRange(B, A.Pointer, B.getInt64(Known * A.Unit), A.Kind);
  else
    ++NumSkippedEmpty;
}

void HookEmitter::emitStrided(Builder &B, const Access &A) {
  auto *Mask = dyn_cast_or_null<Constant>(A.Mask);
  if (!A.Stride && A.Limit && Mask && Mask->isAllOnesValue()) {
    Value *Bytes = bytes(B, A.Limit, A.Unit);
    auto *Constant = dyn_cast<ConstantInt>(Bytes);
    if (Constant && Constant->isZero())
      ++NumSkippedEmpty;
    else
      emitRange(B, A.Pointer, Bytes, A.Kind);
    return;
  }

  Value *Stride = A.Stride ? B.CreateSExtOrTrunc(A.Stride, B.getInt64Ty())
                           : B.getInt64(A.Unit);
  Value *Unit = B.getInt64(A.Unit);
  for (unsigned First = 0; First < A.LaneCount; First += MaskLanes) {
    Value *Bits = laneBits(B, A, First);
    uint64_t Lowest = First;
    Value *Bytes = nullptr;
    if (auto *Constant = dyn_cast<ConstantInt>(Bits)) {
      uint64_t Enabled = Constant->getZExtValue();
      if (Enabled == 0) {
        ++NumSkippedEmpty;
        continue;
      }
      unsigned Skipped, Length;
      if (!A.Stride && isShiftedMask_64(Enabled, Skipped, Length)) {
        Lowest += Skipped;
        Bytes = B.getInt64(Length * A.Unit);
      }
    }
    Value *Pointer = A.Pointer;
    if (Lowest)
      Pointer =
          B.CreatePtrAdd(Pointer, B.CreateMul(Stride, B.getInt64(Lowest)));
    if (Bytes) {
      emitRange(B, Pointer, Bytes, A.Kind);
      continue;
    }
    Value *Kind = B.getInt32(uint32_t(A.Kind));
    if (A.Stride)
      call(B, HP_HOOK_STRIDED, ownMemory(),
           {Pointer, Stride, Unit, Bits, Kind});
    else
      call(B, HP_HOOK_MASKED, ownMemory(), {Pointer, Unit, Bits, Kind});
    ++NumHooksMasked;
  }
}

/// Where Count pointers are put for the lanes hook: on the stack, once a
/// function, for a hook needs them no longer than its call.
AllocaInst *HookEmitter::pointerArray(unsigned Count) {
  AllocaInst *&Array = PointerArrays[Count];
  if (!Array) {
    IRBuilder<> Entry(&*Fn->getEntryBlock().getFirstInsertionPt());
    Array = Entry.CreateAlloca(ArrayType::get(Entry.getPtrTy(), Count), nullptr,
                               "heapprof.lanes");
  }
  return Array;
}

void HookEmitter::emitLanes(Builder &B, const Access &A) {
  for (unsigned First = 0; First < A.LaneCount; First += MaskLanes) {
    const unsigned Count = std::min(A.LaneCount - First, MaskLanes);
    Value *Bits = laneBits(B, A, First);
    auto *Constant = dyn_cast<ConstantInt>(Bits);
    if (Constant && Constant->isZero()) {
      ++NumSkippedEmpty;
      continue;
    }
    Value *Pointers = A.Pointer;
    if (A.Index) {
      Value *Offset =
          B.CreateSExtOrTrunc(firstLanes(B, A.Index, First, Count),
                              FixedVectorType::get(B.getInt64Ty(), Count));
      Offset =
          B.CreateMul(Offset, B.CreateVectorSplat(Count, B.getInt64(A.Scale)));
      Pointers = B.CreateGEP(B.getInt8Ty(), A.Pointer, Offset);
    } else {
      Pointers = firstLanes(B, Pointers, First, Count);
    }
    AllocaInst *Array = pointerArray(Count);
    B.CreateAlignedStore(Pointers, Array, Array->getAlign())
        ->setNoSanitizeMetadata();
    call(B, HP_HOOK_LANES,
         ownMemory() | MemoryEffects::argMemOnly(ModRefInfo::Ref),
         {Array, B.getInt32(Count), B.getInt64(A.Unit), Bits,
          B.getInt32(uint32_t(A.Kind))});
    ++NumHooksLanes;
  }
}

} // namespace heapprof
