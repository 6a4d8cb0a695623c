// FunctionFacts.h - what a function says of its variables: values and views.
// Collected in one walk over its AST; nothing is changed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_FUNCTION_FACTS_H
#define HEAPPROF_FUNCTION_FACTS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace heapprof {

/// An integer of any kind, `bool` and `std::byte` included: what memory is
/// called for want of a better name.
bool isScalar(clang::QualType T);

/// What is known of one local variable or parameter.
struct VariableFacts {
  llvm::SmallVector<const clang::Expr *, 2> Values; ///< initialised, assigned
  llvm::SmallVector<clang::QualType, 2> Views; ///< T of each cast to T * of it
  bool AddressTaken = false; ///< values may come from elsewhere
};

class FunctionFacts {
public:
  explicit FunctionFacts(const clang::ASTContext &Context) : Context(Context) {}

  VariableFacts &of(const clang::VarDecl *V) { return Variables[V]; }
  void clear() { Variables.clear(); }

  /// The first T of a `sizeof(T)` or `offsetof(T, ...)` in an argument of
  /// \p Call that says how much, a record before an integer; null if none.
  clang::QualType typeInSize(const clang::CallExpr &Call) const;

  /// Whether that type is only an addend of the size, beside what comes from a
  /// parameter: `sizeof(struct head) + n`.
  bool isTypeAdded(const clang::CallExpr &Call) const;

  /// Whether the size has a `sizeof` of a number as an addend: `sizeof(long) + n`.
  bool isNumberAdded(const clang::CallExpr &Call) const;

  /// Whether the value of \p Size comes from a parameter of the function.
  bool comesFromParameter(const clang::Expr *Size) const;
  bool sizeComesFromParameter(const clang::CallExpr &Call) const;

  /// The one type that the memory in \p V is taken for, if \p V holds nothing
  /// but the result of \p Call; else null.
  clang::QualType onlyView(const clang::VarDecl *V,
                           const clang::CallExpr &Call) const;

private:
  clang::QualType typeIn(const clang::Expr *E, bool IsFactor,
                         unsigned Depth) const;
  bool isTypeAdded(const clang::Expr *E, unsigned Depth) const;
  bool isNumberAdded(const clang::Expr *E, unsigned Depth) const;
  using Path = llvm::SmallVector<const clang::VarDecl *, 8>;
  bool comesFromParameter(const clang::Expr *E, Path &Followed) const;
  bool isSmallConstant(const clang::Expr *E) const;
  bool isSizeOfMemory(const clang::Expr *E) const;
  const VariableFacts *find(const clang::Expr *E) const;

  const clang::ASTContext &Context;
  llvm::DenseMap<const clang::VarDecl *, VariableFacts> Variables;
};

} // namespace heapprof

#endif
