// X86Intrinsics.cpp - accesses made by x86's own intrinsics (<immintrin.h>).
// By name: the names are stable where numbers and target hooks are not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "access/X86Intrinsics.h"
#include "base/Statistics.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace heapprof {

namespace {

/// Intrinsics that touch a fixed number of bytes at one argument.
struct FixedExtent {
  const char *Prefix; ///< of the name, after "llvm.x86."
  unsigned Pointer;   ///< which argument
  int Kind;
  uint64_t Bytes; ///< 0: those of the value loaded, stored or exchanged
};

/// The value's type: what is returned, or the argument after the pointer.
const FixedExtent FixedExtents[] = {
    {"sse3.ldu.dq", 0, HP_ACCESS_READ, 16},
    {"avx.ldu.dq.256", 0, HP_ACCESS_READ, 32},
    {"sse.ldmxcsr", 0, HP_ACCESS_READ, 4},
    {"sse.stmxcsr", 0, HP_ACCESS_WRITE, 4},
    {"fxsave", 0, HP_ACCESS_WRITE, 512},
    {"fxrstor", 0, HP_ACCESS_READ, 512},
    {"directstore", 0, HP_ACCESS_WRITE, 0},
    {"movdir64b", 1, HP_ACCESS_READ, 64},
    {"movdir64b", 0, HP_ACCESS_WRITE, 64},
    {"cmpccxadd", 0, HP_ACCESS_BOTH, 0},
    {"aadd", 0, HP_ACCESS_BOTH, 0},
    {"aand", 0, HP_ACCESS_BOTH, 0},
    {"aor", 0, HP_ACCESS_BOTH, 0},
    {"axor", 0, HP_ACCESS_BOTH, 0},
};

/// The arguments of the vector intrinsics, by family.
struct VectorForm {
  Access::ShapeKind Shape;
  int Kind;
  int Pointer, Mask, Index, Data; ///< argument numbers; -1: none, result
};

const VectorForm MaskLoad = {Access::Strided, HP_ACCESS_READ, 0, 1, -1, -1};
const VectorForm MaskStore = {Access::Strided, HP_ACCESS_WRITE, 0, 1, -1, 2};
const VectorForm MaskMove = {Access::Strided, HP_ACCESS_WRITE, 2, 1, -1, 0};
const VectorForm Gather = {Access::Lanes, HP_ACCESS_READ, 1, 3, 2, -1};
const VectorForm Scatter = {Access::Lanes, HP_ACCESS_WRITE, 0, 1, 2, 3};

const VectorForm *vectorForm(StringRef Name) {
  return StringSwitch<const VectorForm *>(Name)
      .StartsWith("avx.maskload.", &MaskLoad)
      .StartsWith("avx2.maskload.", &MaskLoad)
      .StartsWith("avx.maskstore.", &MaskStore)
      .StartsWith("avx2.maskstore.", &MaskStore)
      .Case("sse2.maskmov.dqu", &MaskMove)
      .StartsWith("avx2.gather.", &Gather)
      .StartsWith("avx512.gather", &Gather)
      .StartsWith("avx512.mask.gather", &Gather)
      .StartsWith("avx512.scatter", &Scatter)
      .StartsWith("avx512.mask.scatter", &Scatter)
      .Default(nullptr);
}

} // namespace

bool addX86Intrinsic(IntrinsicInst &I, AccessList &To) {
  StringRef Name = I.getCalledFunction()->getName();
  if (!Name.consume_front("llvm.x86."))
    return false;

  bool Known = false;
  for (const FixedExtent &Fixed : FixedExtents) {
    if (!Name.starts_with(Fixed.Prefix))
      continue;
    Known = true;
    Value *Pointer = I.getArgOperand(Fixed.Pointer);
    if (Fixed.Bytes)
      To.addBytes(I, Pointer, nullptr, Fixed.Bytes, Fixed.Kind);
    else
      To.addTyped(I, Pointer, I.getArgOperand(Fixed.Pointer + 1)->getType(),
                  Fixed.Kind);
  }
  if (Known)
    return true;

  const VectorForm *Form = vectorForm(Name);
  if (!Form)
    return false;
  Access A;
  A.At = &I;
  A.Shape = Form->Shape;
  A.Kind = Form->Kind;
  A.Pointer = I.getArgOperand(unsigned(Form->Pointer));
  A.Mask = I.getArgOperand(unsigned(Form->Mask));
  auto *DataTy = cast<FixedVectorType>(
      Form->Data < 0 ? I.getType()
                     : I.getArgOperand(unsigned(Form->Data))->getType());
  if (Form->Index >= 0) {
    A.Index = I.getArgOperand(unsigned(Form->Index));
    A.Scale = cast<ConstantInt>(I.getArgOperand(4))->getZExtValue();
    // Index and data may differ in length; the shorter one counts.
    unsigned Count =
        std::min(DataTy->getNumElements(),
                 cast<FixedVectorType>(A.Index->getType())->getNumElements());
    DataTy = FixedVectorType::get(DataTy->getElementType(), Count);
  }
  To.addLanes(A, DataTy);
  return true;
}

} // namespace heapprof
