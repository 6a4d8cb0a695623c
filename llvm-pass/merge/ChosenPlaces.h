// ChosenPlaces.h - joins an access whose place in an object the program chooses.
// As a descent in a tree reads a key, and then the left or the right child.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_CHOSEN_PLACES_H
#define HEAPPROF_CHOSEN_PLACES_H

#include "access/Access.h"
#include "llvm/IR/Function.h"

namespace heapprof {

/// Joins two accesses of a block to one object, one of which has a variable offset
/// that is known to lie ahead of the other's bytes, behind them, or within: one end
/// of what both touch is then the one's, the other end the other's.
void joinChosenPlaces(llvm::Function &F,
                      llvm::SmallVectorImpl<MergedAccess> &Accesses);

} // namespace heapprof

#endif
