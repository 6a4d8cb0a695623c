// TailCallGraph.h - which functions of a module may jump to one another.
// A circle of jumps takes no stack, however often a program goes round.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_TAIL_CALL_GRAPH_H
#define HEAPPROF_TAIL_CALL_GRAPH_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace heapprof {

/// Where a call stands, as the code generator sees it.
enum class TailPlace {
  Inside, ///< what follows is not just the return
  End,    ///< its result is returned as it is, or nothing is
  Perhaps ///< what is returned may be its result
};
TailPlace tailPlaceOf(const llvm::CallBase &Call);

/// The function that \p Call enters if it is \p Call's and no other module's:
/// null for what is not known when the module is compiled.
llvm::Function *calleeHere(const llvm::CallBase &Call);

class TailCallGraph {
public:
  /// Calls for which \p Returns says true come back whatever they do: nothing
  /// in this module is entered by them.
  TailCallGraph(llvm::Module &M,
                llvm::function_ref<bool(const llvm::CallBase &)> Returns);

  enum class Circle {
    None,     ///< what is called never jumps back to the caller
    Possible, ///< it does if functions that are not known here do
    Certain   ///< functions of this module lead back
  };
  Circle circleOf(const llvm::CallBase &Call) const;

  /// One function, or all that are not known here.
  struct Node {
    llvm::SmallVector<Node *, 4> Next;
    unsigned Inner = 0;    ///< circles of known functions, by number
    unsigned Outer = 0;    ///< and of those that lead through unknown ones
    bool OnItself = false; ///< a circle of one
  };

private:
  Node *nodeOf(const llvm::CallBase &Call) const;

  llvm::DenseMap<const llvm::Function *, Node *> Nodes;
  std::vector<Node> Storage;
  Node *Unknown = nullptr;
};

} // namespace heapprof

#endif
