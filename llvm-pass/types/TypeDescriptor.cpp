// TypeDescriptor.cpp - builds the descriptors, named by a hash of all of them.
// So types of one name and different sizes in two C files stay apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "types/TypeDescriptor.h"
#include "hook_abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/Support/MD5.h"

using namespace llvm;

namespace heapprof {

/// Memory is called bytes, or another integer, for want of a better name.
static bool isByte(StringRef Name) {
  static constexpr StringLiteral Bytes[] = {
      "char", "signed char", "unsigned char", "std::byte", "char8_t"};
  return is_contained(Bytes, Name);
}

static bool isInteger(StringRef Name) {
  static constexpr StringLiteral Integers[] = {
      "bool",      "_Bool",
      "short",     "unsigned short",
      "int",       "unsigned int",
      "long",      "unsigned long",
      "long long", "unsigned long long"};
  return isByte(Name) || is_contained(Integers, Name);
}

uint16_t AllocatedType::flags() const {
  if (OfLibc)
    return HP_TYPE_OF_LIBC;
  if (OfContainer)
    return HP_TYPE_OF_CONTAINER;
  if (Exact)
    return HP_TYPE_EXACT | HP_TYPE_SIZED;
  const bool Weak = isByte(Name) || (isInteger(Name) && !Sized);
  if (Forwarded && (Weak || Before))
    return HP_TYPE_WEAK;
  if (Sized && !Weak)
    return HP_TYPE_SIZED;
  return Forwarded ? HP_TYPE_HEADER : 0;
}

GlobalVariable *TypeDescriptors::get(const AllocatedType &T) {
  const auto Flags = uint16_t(T.flags() | (T.Open ? HP_TYPE_OPEN : 0));
  std::string Key = T.Name + '\0' + std::to_string(T.Size) + '/' +
                    std::to_string(T.Alignment) + '/' +
                    std::to_string(unsigned(T.How)) + '/' +
                    std::to_string(Flags);
  GlobalVariable *&Slot = Known[Key];
  if (Slot)
    return Slot;
  LLVMContext &C = M.getContext();
  auto *Text = ConstantDataArray::getString(C, T.Name);
  auto *Name = new GlobalVariable(M, Text->getType(), /*isConstant=*/true,
                                  GlobalValue::PrivateLinkage, Text,
                                  "__heapprof_type_name");
  Name->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  auto *Pointer = PointerType::getUnqual(C);
  auto *I16 = Type::getInt16Ty(C), *I32 = Type::getInt32Ty(C);
  auto *I64 = Type::getInt64Ty(C);
  Constant *Fields[] = {Name,
                        ConstantInt::get(I64, T.Size),
                        ConstantInt::get(I32, T.Alignment),
                        ConstantInt::get(I16, uint16_t(T.How)),
                        ConstantInt::get(I16, Flags),
                        ConstantPointerNull::get(Pointer)};
  Constant *Value = ConstantStruct::getAnon(C, Fields);
  MD5 Hash;
  Hash.update(Key);
  MD5::MD5Result Digest;
  Hash.final(Digest);
  std::string Symbol =
      (Twine(HP_TYPE_DESCRIPTOR_PREFIX) + Digest.digest()).str();
  Slot = M.getNamedGlobal(Symbol);
  if (Slot)
    return Slot;
  Slot = new GlobalVariable(M, Value->getType(), /*isConstant=*/false,
                            GlobalValue::LinkOnceODRLinkage, Value, Symbol);
  Slot->setVisibility(GlobalValue::HiddenVisibility);
  Slot->setDSOLocal(true);
  Slot->setComdat(M.getOrInsertComdat(Symbol));
  return Slot;
}

} // namespace heapprof
