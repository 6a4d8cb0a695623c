// PointerPlaces.h - tells which pointers cannot point into the heap: follows
// them back through the module, also from callee to caller and through memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_POINTER_PLACES_H
#define HEAPPROF_POINTER_PLACES_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace heapprof {

/// Where a pointer points or, for Read and Passed, why it is not to the heap.
/// Of several sources the last one here counts.
enum class Place { Global, Stack, Read, Passed, MaybeHeap };

/// The one object that \p Pointer is computed from.
const llvm::Value *underlyingObject(const llvm::Value *Pointer);

class PointerPlaces {
public:
  /// What is said holds for the module as it is, hooks or not.
  explicit PointerPlaces(const llvm::Module &M);

  Place of(const llvm::Value *Pointer) const;

private:
  Place ofObject(const llvm::Value *Object,
                 llvm::SmallVectorImpl<const llvm::Value *> &Sources) const;
  Place ofRead(const llvm::LoadInst &Load,
               llvm::SmallVectorImpl<const llvm::Value *> &Sources) const;
  void followCalls(const llvm::Module &M);

  /// Arguments, and functions for their results, that are not the heap's.
  llvm::DenseSet<const llvm::Value *> Followed;
};

} // namespace heapprof

#endif
