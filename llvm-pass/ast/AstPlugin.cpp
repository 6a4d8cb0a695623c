// AstPlugin.cpp - the AST plugin: marks allocating calls, knows sizes of types.
// Runs before code generation, and answers the pass after it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/CallMarker.h"
#include "types/TypeLayout.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/ADT/StringMap.h"

using namespace clang;

namespace {

/// Of the unit being compiled.  Collected when its AST is complete, since
/// clang throws it away before the passes run.
llvm::StringMap<heapprof::TypeLayout> Layouts;

bool hasLayout(const Type *T) {
  if (T->isDependentType() || T->isIncompleteType() || T->isFunctionType() ||
      T->isPlaceholderType() || T->isUndeducedType() ||
      T->isVariablyModifiedType() || T->isSizelessType() ||
      T->isReferenceType())
    return false;
  if (const auto *Array = T->getAsArrayTypeUnsafe())
    return hasLayout(Array->getElementType().getTypePtr());
  if (const auto *Record = T->getAsCXXRecordDecl())
    // Traits are most of the types of a C++ program, and are not allocated.
    return !Record->isInvalidDecl() && !Record->isEmpty();
  if (const auto *Record = T->getAsRecordDecl())
    return !Record->isInvalidDecl();
  return T->isBuiltinType() || T->isEnumeralType() ||
         T->isMemberPointerType() || T->isVectorType() || T->isAnyComplexType();
}

void findLayouts(const ASTContext &Context) {
  // To ask for a layout may read more types from a precompiled header, so that
  // the list grows, and moves.
  for (size_t I = 0; I != Context.getTypes().size(); ++I) {
    const Type *T = Context.getTypes()[I];
    if (T->isCanonicalUnqualified() && hasLayout(T)) {
      TypeInfo Info = Context.getTypeInfo(T);
      const auto *Record = T->getAsRecordDecl();
      Layouts[heapprof::spelling(QualType(T, 0), Context)] = {
          Info.Width / 8, Info.Align / 8,
          Record && Record->hasFlexibleArrayMember()};
    }
  }
}

class Consumer : public ASTConsumer {
public:
  void Initialize(ASTContext &Context) override {
    Layouts.clear();
    Marker.emplace(Context);
  }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    // What is left of code with errors need not make sense.
    if (!Marker->context().getDiagnostics().hasErrorOccurred())
      for (Decl *D : Group)
        Marker->mark(D);
    return true;
  }

  void HandleTranslationUnit(ASTContext &Context) override {
    if (!Context.getDiagnostics().hasErrorOccurred())
      findLayouts(Context);
  }

private:
  std::optional<heapprof::CallMarker> Marker;
};

class Action : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &,
                                                 llvm::StringRef) override {
    return std::make_unique<Consumer>();
  }
  bool ParseArgs(const CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

FrontendPluginRegistry::Add<Action>
    Registration("heapprof-ast", "marks wrappers of allocators for heapprof");

} // namespace

extern "C" __attribute__((visibility("default"))) bool
heapprofTypeLayout(const char *Name, size_t Length,
                   heapprof::TypeLayout &Layout) {
  // Pointers are not in the table: there are as many as types.
  if (Length > 0 && Name[Length - 1] == '*') {
    Layout = {sizeof(void *), alignof(void *), false};
    return true;
  }
  auto Found = Layouts.find(llvm::StringRef(Name, Length));
  if (Found == Layouts.end())
    return false;
  Layout = Found->second;
  return true;
}
