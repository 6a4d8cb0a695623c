// TypeDescriptor.h - the globals that describe types (runtime/hook_abi.h).
// One per type in each module; the linker keeps one per type in a program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_TYPE_DESCRIPTOR_H
#define HEAPPROF_TYPE_DESCRIPTOR_H

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include <string>

namespace heapprof {

/// How a type was found; numbers of HP_PROVENANCE in heapprof_format.def.
enum class Provenance : uint16_t { Argument = 1, Instantiation = 3 };

/// A type as far as the compiler names it; no name: unknown.
struct AllocatedType {
  std::string Name;
  uint64_t Size = 0;      ///< bytes of one element; 0 = unknown
  uint32_t Alignment = 0; ///< 0 = unknown
  Provenance How = Provenance::Argument;
  bool Sized = false;       ///< the size says so, not only the result's use
  bool Forwarded = false;   ///< of a size that the function's caller gave
  bool Before = false;      ///< what is kept before memory that is the caller's
  bool OfLibc = false;      ///< asked of the C library itself
  bool OfContainer = false; ///< by a container of the C++ library for itself
  bool Open = false;        ///< goes on behind its size: no array of them
  bool Exact = false;       ///< only for memory of the size that is asked for

  explicit operator bool() const { return !Name.empty(); }

  /// HP_TYPE_*: how it stands against the type that the caller asks for.
  uint16_t flags() const;
};

class TypeDescriptors {
public:
  explicit TypeDescriptors(llvm::Module &M) : M(M) {}
  llvm::GlobalVariable *get(const AllocatedType &T);

private:
  llvm::Module &M;
  llvm::StringMap<llvm::GlobalVariable *> Known;
};

} // namespace heapprof

#endif
