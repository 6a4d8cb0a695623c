// AssemblyText.h - whether a piece of the program's assembly accesses no memory but its operands.
// Those are counted by their types; what else a text does with addresses nobody can tell.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_ASSEMBLY_TEXT_H
#define HEAPPROF_ASSEMBLY_TEXT_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace heapprof {

/// The most bytes of an operand that an instruction of \p Text accesses: of a register
/// where no letter says it.  None unless all instructions are known to access nothing
/// else, as those of spin locks, atomic counters and long numbers: none takes an
/// address from a register, or is of vectors, or of a bit whose number may lead
/// elsewhere.
std::optional<unsigned> bytesOfOperands(llvm::StringRef Text);

} // namespace heapprof

#endif
