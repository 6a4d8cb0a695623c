// TypeInference.h - what type an allocation call allocates.
// Reads what the front end left in the IR; changes nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_TYPE_INFERENCE_H
#define HEAPPROF_TYPE_INFERENCE_H

#include "types/TypeDescriptor.h"
#include "llvm/IR/InstrTypes.h"

namespace heapprof {

/// The type named by the call itself: clang's !alloc_token, or, from a clang
/// without them, the !heapallocsite of a new-expression built with -g.
AllocatedType typeOfCall(const llvm::CallBase &Call);

/// What the AST plugin says by the call of a function of that name
/// (TypeRequest.h).
AllocatedType typeOfRequest(llvm::StringRef Function);

/// "coroutine frame of ..." if \p Call, in \p F, asks for \p F's own frame.
AllocatedType typeOfFrame(const llvm::CallBase &Call, const llvm::Function &F);

/// The type of what is thrown if \p Call asks the C++ library for its memory.
AllocatedType typeOfThrown(const llvm::CallBase &Call);

/// The T of the function's own name if that is `...alloc...<T...>::allocate`.
AllocatedType typeOfInstantiation(const llvm::Function &F);

/// The same of a demangled name; empty if it is no such function.
std::string elementOfAllocator(llvm::StringRef Demangled);

} // namespace heapprof

#endif
