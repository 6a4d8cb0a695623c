// AssemblyText.h - which memory a piece of the program's assembly accesses, if that is known.
// What a text that is not understood does with addresses nobody can tell.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_ASSEMBLY_TEXT_H
#define HEAPPROF_ASSEMBLY_TEXT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InlineAsm.h"
#include <cstdint>
#include <optional>

namespace heapprof {

/// Operands have the numbers of the text, which are those of their constraints.
struct AssemblyAccesses {
  /// Of each operand, the most bytes that an instruction accesses: of a register where
  /// no letter says it.
  llvm::SmallVector<unsigned, 8> Bytes;

  /// Memory that an operand points to: Bytes of it, At bytes from there.
  struct Place {
    unsigned Operand;
    int64_t At;
    unsigned Bytes;
    int Kind; ///< HP_ACCESS_*
  };
  llvm::SmallVector<Place, 2> Pointed;

  /// Bytes of each step of the one string instruction, repeated as often as rcx says:
  /// written where rdi points to and, of a copy, read where rsi does.  0: there is none.
  unsigned StringBytes = 0;
  bool IsCopy = false;
};

/// What \p Asm accesses.  None unless all instructions are known to access nothing else,
/// as those of spin locks, atomic counters and long numbers: none takes an address from
/// two registers, or is of a bit whose number may lead elsewhere.
std::optional<AssemblyAccesses> accessesOf(const llvm::InlineAsm &Asm);

/// The operand that \p Asm is given in the register \p Name, such as "di".
std::optional<unsigned> operandInRegister(const llvm::InlineAsm &Asm,
                                          llvm::StringRef Name);

} // namespace heapprof

#endif
