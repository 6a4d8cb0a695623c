// AssemblyText.h - whether a piece of the program's assembly accesses no memory but its operands.
// Those are counted by their types; what else a text does with addresses nobody can tell.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_ASSEMBLY_TEXT_H
#define HEAPPROF_ASSEMBLY_TEXT_H

#include "llvm/ADT/StringRef.h"

namespace heapprof {

/// True only of instructions that are known to access as many bytes as an operand
/// has, as those of spin locks, atomic counters and long numbers: none that takes an
/// address from a register, none of vectors, and no bit whose number may lead
/// elsewhere.
bool accessesOnlyOperands(llvm::StringRef Text);

} // namespace heapprof

#endif
