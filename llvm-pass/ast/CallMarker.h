// CallMarker.h - puts into allocating calls what they allocate (TypeRequest.h).
// Works on whole declarations, before code is generated for them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_CALL_MARKER_H
#define HEAPPROF_CALL_MARKER_H

#include "ast/FunctionFacts.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace heapprof {

/// As clang spells the type in !alloc_token.
std::string spelling(clang::QualType T, const clang::ASTContext &Context);

class CallMarker : public clang::RecursiveASTVisitor<CallMarker> {
  using Base = clang::RecursiveASTVisitor<CallMarker>;

public:
  explicit CallMarker(clang::ASTContext &Context)
      : Context(Context), Facts(Context) {}

  void mark(clang::Decl *D);
  clang::ASTContext &context() { return Context; }

  // What the visitor calls.
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return false; }
  bool TraverseDecl(clang::Decl *D);
  bool TraverseLambdaExpr(clang::LambdaExpr *Lambda);
  bool VisitVarDecl(clang::VarDecl *V);
  bool VisitBinaryOperator(clang::BinaryOperator *Operation);
  bool VisitUnaryOperator(clang::UnaryOperator *Operation);
  bool VisitCastExpr(clang::CastExpr *Cast);
  bool VisitCallExpr(clang::CallExpr *Call);
  bool VisitCXXNewExpr(clang::CXXNewExpr *New);

private:
  struct Request {
    clang::QualType Type; ///< null: not known
    bool Sized = false, Forwarded = false, Before = false;
  };

  void noteValue(const clang::VarDecl *V, clang::Expr *Value);
  void noteUse(clang::Expr *E, clang::QualType As);
  void noteReferences(const clang::CallExpr &Call);
  bool mayAllocate(const clang::CallExpr &Call,
                   const clang::FunctionDecl *In) const;
  clang::QualType usedAs(const clang::CallExpr &Call) const;
  bool requestOf(const clang::CallExpr &Call, const clang::FunctionDecl *In,
                 Request &R) const;
  void markCall(clang::CallExpr &Call, const clang::FunctionDecl *In);
  void markNew(clang::CXXNewExpr &New, const clang::FunctionDecl *In);
  clang::Expr *marked(clang::Expr *Argument, const Request &R);
  clang::FunctionDecl *functionFor(const Request &R, clang::QualType Argument);

  clang::ASTContext &Context;
  FunctionFacts Facts;
  const clang::FunctionDecl *Here = nullptr; ///< where the visitor is
  llvm::MapVector<clang::CallExpr *, const clang::FunctionDecl *> Calls;
  llvm::MapVector<clang::CXXNewExpr *, const clang::FunctionDecl *> News;
  llvm::DenseMap<const clang::CallExpr *, clang::QualType> Uses;
  llvm::DenseMap<const clang::CallExpr *, const clang::VarDecl *> Holders;
  llvm::StringMap<clang::FunctionDecl *> Functions; ///< by linkage name
};

} // namespace heapprof

#endif
