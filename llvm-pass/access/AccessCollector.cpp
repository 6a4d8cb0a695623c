// AccessCollector.cpp - instructions and target-independent intrinsics.
// Masks and pointers are taken as they are; nothing is added to the function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "access/AccessCollector.h"
#include "access/X86Intrinsics.h"
#include "base/Options.h"
#include "base/Statistics.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heapprof {

/// sizeof(va_list) where the C ABI says so: va_start, va_copy and va_arg
/// touch that much of it.
static uint64_t vaListBytes(const Triple &Target) {
  if (Target.getArch() == Triple::x86_64 && !Target.isOSWindows())
    return 24;
  if (Target.isAArch64() && Target.isOSLinux())
    return 32;
  return 0;
}

/// sizeof(jmp_buf) of glibc.
static uint64_t jumpBufferBytes(const Triple &Target) {
  if (!Target.isOSLinux())
    return 0;
  return Target.getArch() == Triple::x86_64 ? 200
         : Target.isAArch64()               ? 312
                                            : 0;
}

/// ucontext_t of glibc: its bytes, and where its stack is told.
struct ContextLayout {
  uint64_t Bytes, StackAt, StackBytesAt;
};
static ContextLayout contextLayout(const Triple &Target) {
  if (Target.isOSLinux() && Target.getArch() == Triple::x86_64)
    return {968, 16, 32};
  return {0, 0, 0};
}

AccessCollector::AccessCollector(const Module &M)
    : DL(M.getDataLayout()), Accesses(DL),
      VaListBytes(vaListBytes(Triple(M.getTargetTriple()))),
      JumpBufferBytes(jumpBufferBytes(Triple(M.getTargetTriple()))) {}

SmallVector<Access, 32> AccessCollector::collect(Function &F) {
  visit(F);
  return Accesses.take();
}

void AccessCollector::addVaList(Instruction &I, Value *Pointer, int Kind) {
  if (VaListBytes)
    Accesses.addBytes(I, Pointer, nullptr, VaListBytes, Kind);
  else
    ++NumSkippedUnmeasured;
}

void AccessCollector::visitLoadInst(LoadInst &I) {
  Accesses.addTyped(I, I.getPointerOperand(), I.getType(), HP_ACCESS_READ);
}

void AccessCollector::visitStoreInst(StoreInst &I) {
  Accesses.addTyped(I, I.getPointerOperand(), I.getValueOperand()->getType(),
                    HP_ACCESS_WRITE);
}

void AccessCollector::visitAtomicRMWInst(AtomicRMWInst &I) {
  Accesses.addTyped(I, I.getPointerOperand(), I.getValOperand()->getType(),
                    HP_ACCESS_BOTH);
}

void AccessCollector::visitAtomicCmpXchgInst(AtomicCmpXchgInst &I) {
  Accesses.addTyped(I, I.getPointerOperand(), I.getCompareOperand()->getType(),
                    HP_ACCESS_BOTH);
}

void AccessCollector::visitVAArgInst(VAArgInst &I) {
  addVaList(I, I.getPointerOperand(), HP_ACCESS_BOTH);
}

void AccessCollector::visitCallBase(CallBase &Call) {
  if (Call.isInlineAsm()) {
    addAssembly(Call);
    return;
  }
  addJumpBuffer(Call);
  addContext(Call);
  // The caller copies a byval argument onto the stack.
  for (unsigned I = 0; I != Call.arg_size(); ++I)
    if (Call.isByValArgument(I))
      Accesses.addTyped(Call, Call.getArgOperand(I), Call.getParamByValType(I),
                        HP_ACCESS_READ);
}

/// What setjmp and longjmp do to their buffer.  No interceptor can: a function
/// that returns twice must be called by the one that it returns to.
void AccessCollector::addJumpBuffer(CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || Call.arg_empty())
    return;
  // How much the kernel touches depends on the number: the first byte, at least.
  if (Callee->getName() == "syscall" && Callee->isVarArg())
    for (Value *Argument : Call.args())
      if (Argument->getType()->isPointerTy())
        Accesses.addBytes(Call, Argument, nullptr, 1, HP_ACCESS_BOTH);
  if (!Call.getArgOperand(0)->getType()->isPointerTy())
    return;
  const int Kind = StringSwitch<int>(Callee->getName())
                       .Case("setjmp", HP_ACCESS_WRITE)
                       .Case("_setjmp", HP_ACCESS_WRITE)
                       .Case("__sigsetjmp", HP_ACCESS_WRITE)
                       .Case("longjmp", HP_ACCESS_READ)
                       .Case("_longjmp", HP_ACCESS_READ)
                       .Case("siglongjmp", HP_ACCESS_READ)
                       .Case("__longjmp_chk", HP_ACCESS_READ)
                       .Default(0);
  if (!Kind)
    return;
  if (JumpBufferBytes)
    Accesses.addBytes(Call, Call.getArgOperand(0), nullptr, JumpBufferBytes,
                      Kind);
  else
    ++NumSkippedUnmeasured;
}

static Value *loadField(IRBuilder<> &IRB, Value *Object, Type *Ty,
                        uint64_t Offset) {
  LoadInst *Load = IRB.CreateAlignedLoad(
      Ty, IRB.CreateConstGEP1_64(IRB.getInt8Ty(), Object, Offset), Align(8));
  Load->setMetadata(LLVMContext::MD_nosanitize,
                    MDNode::get(Load->getContext(), {}));
  return Load;
}

/// The same for contexts.  A stack that the program gives one is used, by code that nobody counts:
/// it counts as read and written when it is given, as that of a thread.
void AccessCollector::addContext(CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || Call.arg_empty() ||
      !Call.getArgOperand(0)->getType()->isPointerTy())
    return;
  const StringRef Name = Callee->getName();
  const int Kind = StringSwitch<int>(Name)
                       .Case("getcontext", HP_ACCESS_WRITE)
                       .Case("swapcontext", HP_ACCESS_WRITE)
                       .Case("setcontext", HP_ACCESS_READ)
                       .Case("makecontext", HP_ACCESS_BOTH)
                       .Default(0);
  if (!Kind)
    return;
  const ContextLayout Layout =
      contextLayout(Triple(Call.getModule()->getTargetTriple()));
  if (!Layout.Bytes) {
    ++NumSkippedUnmeasured;
    return;
  }
  Value *Context = Call.getArgOperand(0);
  Accesses.addBytes(Call, Context, nullptr, Layout.Bytes, Kind);
  if (Name == "swapcontext" && Call.arg_size() > 1)
    Accesses.addBytes(Call, Call.getArgOperand(1), nullptr, Layout.Bytes,
                      HP_ACCESS_READ);
  if (Name != "makecontext")
    return;
  IRBuilder<> IRB(&Call);
  Value *Stack = loadField(IRB, Context, Context->getType(), Layout.StackAt);
  Accesses.addBytes(
      Call, Stack,
      loadField(IRB, Context, IRB.getInt64Ty(), Layout.StackBytesAt), 1,
      HP_ACCESS_BOTH);
}

/// How many bytes of its operand \p Number assembly accesses.  What is read and written
/// is two operands, of which the text names the first.
static uint64_t bytesOfOperand(const AssemblyAccesses &Known,
                               ArrayRef<Value *> Operands, unsigned Number) {
  if (Known.Bytes[Number] || !Operands[Number])
    return Known.Bytes[Number];
  for (unsigned I = 0; I != Number; ++I)
    if (Operands[I] == Operands[Number])
      return Known.Bytes[I];
  return 0;
}

/// An "m" operand is passed by address, with its type as an attribute.  What a text that
/// is not understood does with addresses in registers nobody can tell.
void AccessCollector::addAssembly(CallBase &Call) {
  const auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
  const auto Constraints = Asm->ParseConstraints();
  const auto Known = accessesOf(*Asm);
  SmallVector<Value *, 8> Operands; // NULL: none is passed
  unsigned Argument = 0;
  for (const InlineAsm::ConstraintInfo &Constraint : Constraints) {
    Operands.push_back(Constraint.hasArg() ? Call.getArgOperand(Argument)
                                           : nullptr);
    if (Constraint.hasArg() && Constraint.isIndirect) {
      const int Kind = Constraint.Type == InlineAsm::isOutput ? HP_ACCESS_WRITE
                                                              : HP_ACCESS_READ;
      Type *Ty = Call.getParamElementType(Argument);
      const uint64_t Bytes =
          Known ? bytesOfOperand(*Known, Operands, Operands.size() - 1)
                : UINT64_MAX;
      if (Ty->isSized() && Bytes < DL.getTypeStoreSize(Ty).getKnownMinValue())
        Accesses.addBytes(Call, Operands.back(), nullptr, Bytes, Kind);
      else
        Accesses.addTyped(Call, Operands.back(), Ty, Kind);
    }
    Argument += Constraint.hasArg();
  }
  if (!Known)
    return;
  IRBuilder<> IRB(&Call);
  for (const AssemblyAccesses::Place &P : Known->Pointed)
    if (Value *Base = Operands[P.Operand];
        Base && Base->getType()->isPointerTy())
      Accesses.addBytes(
          Call,
          P.At ? IRB.CreateConstGEP1_64(IRB.getInt8Ty(), Base, P.At) : Base,
          nullptr, P.Bytes, P.Kind);
  addString(Call, *Known, Operands);
}

/// What a repeated string instruction fills or copies.
void AccessCollector::addString(CallBase &Call, const AssemblyAccesses &Known,
                                ArrayRef<Value *> Operands) {
  const auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
  if (!Known.StringBytes)
    return;
  Value *Count = Operands[*operandInRegister(*Asm, "cx")];
  const std::pair<StringRef, int> Ends[] = {{"si", HP_ACCESS_READ},
                                            {"di", HP_ACCESS_WRITE}};
  for (const auto &[Register, Kind] :
       ArrayRef(Ends).drop_front(!Known.IsCopy)) {
    Value *Pointer = Operands[*operandInRegister(*Asm, Register)];
    if (Pointer->getType()->isPointerTy() && Count->getType()->isIntegerTy())
      Accesses.addBytes(Call, Pointer, Count, Known.StringBytes, Kind);
  }
}

void AccessCollector::visitIntrinsicInst(IntrinsicInst &I) {
  if (addMemoryIntrinsic(I) || addMaskedIntrinsic(I) ||
      addVectorPredicated(I) || addX86Intrinsic(I, Accesses))
    return;
  const Function *Callee = I.getCalledFunction();
  if (Callee->isTargetIntrinsic() && I.mayReadOrWriteMemory() &&
      any_of(I.args(), [](const Use &Argument) {
        return Argument->getType()->isPtrOrPtrVectorTy();
      }))
    ++NumSkippedUnmeasured;
}

bool AccessCollector::addMemoryIntrinsic(IntrinsicInst &I) {
  Access A;
  A.At = &I;
  switch (I.getIntrinsicID()) {
  case Intrinsic::memcpy:
  case Intrinsic::memmove:
    A.Shape = Access::Copy;
    A.Source = I.getArgOperand(1);
    break;
  case Intrinsic::memset:
    A.Shape = Access::Fill;
    break;
  // The forms below are never lowered to a libc function that is intercepted,
  // so they stay and get a hook beside them.
  case Intrinsic::memcpy_inline:
  case Intrinsic::memcpy_element_unordered_atomic:
  case Intrinsic::memmove_element_unordered_atomic:
    Accesses.addBytes(I, I.getArgOperand(1), I.getArgOperand(2), 1,
                      HP_ACCESS_READ);
    Accesses.addBytes(I, I.getArgOperand(0), I.getArgOperand(2), 1,
                      HP_ACCESS_WRITE);
    return true;
  case Intrinsic::memset_inline:
  case Intrinsic::memset_element_unordered_atomic:
    Accesses.addBytes(I, I.getArgOperand(0), I.getArgOperand(2), 1,
                      HP_ACCESS_WRITE);
    return true;
  case Intrinsic::vastart:
    addVaList(I, I.getArgOperand(0), HP_ACCESS_WRITE);
    return true;
  case Intrinsic::vacopy:
    addVaList(I, I.getArgOperand(1), HP_ACCESS_READ);
    addVaList(I, I.getArgOperand(0), HP_ACCESS_WRITE);
    return true;
  default:
    // By name, because LLVM 19 does not have it: (pointer, value, count).
    if (I.getCalledFunction()->getName().starts_with(
            "llvm.experimental.memset.pattern.")) {
      Accesses.addBytes(
          I, I.getArgOperand(0), I.getArgOperand(2),
          DL.getTypeAllocSize(I.getArgOperand(1)->getType()).getFixedValue(),
          HP_ACCESS_WRITE);
      return true;
    }
    return false;
  }
  A.Pointer = I.getArgOperand(0);
  A.Count = I.getArgOperand(2);
  auto *Constant = dyn_cast<ConstantInt>(A.Count);
  if (Constant && Constant->isZero())
    ++NumSkippedEmpty;
  else
    Accesses.add(A);
  return true;
}

/// LLVM 19 has an alignment operand between the pointer and the mask that 22
/// does not: loads (pointer, [align], mask, passthru) count from the end.
bool AccessCollector::addMaskedIntrinsic(IntrinsicInst &I) {
  Access A;
  A.At = &I;
  Type *DataTy = nullptr;
  const unsigned Last = I.arg_size() - 1;
  switch (I.getIntrinsicID()) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_expandload:
    A.Kind = HP_ACCESS_READ;
    A.Pointer = I.getArgOperand(0);
    A.Mask = I.getArgOperand(Last - 1);
    DataTy = I.getType();
    break;
  case Intrinsic::masked_store:
  case Intrinsic::masked_scatter:
  case Intrinsic::masked_compressstore:
    A.Kind = HP_ACCESS_WRITE;
    A.Pointer = I.getArgOperand(1);
    A.Mask = I.getArgOperand(Last);
    DataTy = I.getArgOperand(0)->getType();
    break;
  default:
    // Histograms: (pointers, increment, mask) updates each lane's counter.
    // By name, because LLVM 19 has only the first of them.
    if (!I.getCalledFunction()->getName().starts_with(
            "llvm.experimental.vector.histogram."))
      return false;
    A.Shape = Access::Lanes;
    A.Kind = HP_ACCESS_BOTH;
    A.Pointer = I.getArgOperand(0);
    A.Mask = I.getArgOperand(2);
    Accesses.addLanes(
        A, VectorType::get(
               I.getArgOperand(1)->getType(),
               cast<VectorType>(A.Pointer->getType())->getElementCount()));
    return true;
  }
  switch (I.getIntrinsicID()) {
  case Intrinsic::masked_expandload:
  case Intrinsic::masked_compressstore:
    A.Shape = Access::Packed;
    break;
  case Intrinsic::masked_gather:
  case Intrinsic::masked_scatter:
    A.Shape = Access::Lanes;
    break;
  default:
    A.Shape = Access::Strided;
  }
  Accesses.addLanes(A, DataTy);
  return true;
}

bool AccessCollector::addVectorPredicated(IntrinsicInst &I) {
  auto *VP = dyn_cast<VPIntrinsic>(&I);
  if (!VP)
    return false;
  Access A;
  A.At = &I;
  A.Shape = Access::Strided;
  switch (I.getIntrinsicID()) {
  case Intrinsic::vp_gather:
  case Intrinsic::vp_scatter:
    A.Shape = Access::Lanes;
    break;
  case Intrinsic::experimental_vp_strided_load:
    A.Stride = I.getArgOperand(1);
    break;
  case Intrinsic::experimental_vp_strided_store:
    A.Stride = I.getArgOperand(2);
    break;
  case Intrinsic::vp_load:
  case Intrinsic::vp_store:
    break;
  default:
    // vp.load.ff finds out only while running how far it reads.
    if (I.mayReadOrWriteMemory())
      ++NumSkippedUnmeasured;
    return true;
  }
  const bool Reads = !I.getType()->isVoidTy();
  A.Kind = Reads ? HP_ACCESS_READ : HP_ACCESS_WRITE;
  A.Pointer = VP->getMemoryPointerParam();
  A.Mask = VP->getMaskParam();
  A.Limit = VP->getVectorLengthParam();
  Accesses.addLanes(A,
                    Reads ? I.getType() : VP->getMemoryDataParam()->getType());
  return true;
}

} // namespace heapprof
