// ShortCopies.h - copies and fills that the code generator writes out.
// They stay what they are, so that their two sides get hooks like any access.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_SHORT_COPIES_H
#define HEAPPROF_SHORT_COPIES_H

#include "llvm/IR/Function.h"

namespace heapprof {

/// Turns each memcpy and memset of \p F that has a constant, small number of
/// bytes into the form that is never lowered to a call.  Any other could be,
/// and is replaced by a hook that does the copying.
void keepShortCopies(llvm::Function &F);

} // namespace heapprof

#endif
