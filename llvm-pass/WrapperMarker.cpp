// WrapperMarker.cpp - the AST plugin: marks wrappers of allocators.
// Runs before code generation; changes attributes and callees, no behaviour.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TypeLayout.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/ADT/StringMap.h"

using namespace clang;

namespace {

/// Of the unit being compiled.  Collected when its AST is complete, since
/// clang throws it away before the passes run.
llvm::StringMap<heapprof::TypeLayout> Layouts;

/// As clang spells the type in !alloc_token.
std::string spelling(QualType T, const ASTContext &Context) {
  PrintingPolicy Policy(Context.getLangOpts());
  Policy.SuppressTagKeyword = true;
  Policy.FullyQualifiedName = true;
  return T.getCanonicalType().getUnqualifiedType().getAsString(Policy);
}

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
  for (const Type *T : Context.getTypes())
    if (T->isCanonicalUnqualified() && hasLayout(T)) {
      TypeInfo Info = Context.getTypeInfo(T);
      Layouts[spelling(QualType(T, 0), Context)] = {Info.Width / 8,
                                                    Info.Align / 8};
    }
}

/// A function that may hand out memory for a type that its caller knows: it
/// returns untyped memory and is told a number, the size or the count.
bool mayAllocate(const FunctionDecl &F) {
  QualType Result = F.getReturnType();
  if (!Result->isPointerType() || F.getBuiltinID() != 0)
    return false;
  QualType Pointee = Result->getPointeeType();
  if (!Pointee->isVoidType() && !Pointee->isAnyCharacterType())
    return false;
  return llvm::any_of(F.parameters(), [](const ParmVarDecl *Parameter) {
    return Parameter->getType()->isIntegerType();
  });
}

class Marker : public RecursiveASTVisitor<Marker> {
public:
  explicit Marker(ASTContext &Context) : Context(Context) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return false; }

  bool VisitFunctionDecl(FunctionDecl *F) {
    // What glibc says of reallocarray it says to a newer GCC only than clang
    // claims to be.
    bool Known = F->getIdentifier() && F->getName() == "reallocarray";
    if ((Known ||
         !Context.getSourceManager().isInSystemHeader(F->getLocation())) &&
        !F->hasAttr<MallocSpanAttr>() && mayAllocate(*F))
      F->addAttr(MallocSpanAttr::CreateImplicit(Context));
    return true;
  }

  /// posix_memalign returns its memory through a pointer, of which the front
  /// end asks nothing: `(void **)&p` says that it is for what p points to.
  bool VisitCallExpr(CallExpr *Call) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee || !Callee->getIdentifier() || Call->getNumArgs() != 3 ||
        Callee->getName() != "posix_memalign" || !Callee->isExternC())
      return true;
    QualType Target =
        Call->getArg(0)->IgnoreParenCasts()->getType().getCanonicalType();
    for (int Level = 0; Level < 2; ++Level) {
      if (Target.isNull() || !Target->isPointerType())
        return true;
      Target = Target->getPointeeType();
    }
    if (Target->isVoidType() || Target->isDependentType())
      return true;
    if (auto *Reference =
            dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenImpCasts()))
      Reference->setDecl(renamed(*Callee, spelling(Target, Context)));
    return true;
  }

private:
  FunctionDecl *renamed(const FunctionDecl &Callee, const std::string &Type) {
    FunctionDecl *&F = Renamed[Type];
    if (F)
      return F;
    std::string Label = heapprof::OutParameterPrefix + Type;
    F = FunctionDecl::Create(
        Context, Context.getTranslationUnitDecl(), SourceLocation(),
        SourceLocation(), DeclarationName(&Context.Idents.get(Label)),
        Callee.getType(), Callee.getTypeSourceInfo(), SC_Extern);
    SmallVector<ParmVarDecl *, 3> Parameters;
    for (const ParmVarDecl *P : Callee.parameters())
      Parameters.push_back(ParmVarDecl::Create(
          Context, F, SourceLocation(), SourceLocation(), nullptr, P->getType(),
          nullptr, SC_None, nullptr));
    F->setParams(Parameters);
    F->addAttr(AsmLabelAttr::CreateImplicit(Context, Label));
    return F;
  }

  ASTContext &Context;
  llvm::StringMap<FunctionDecl *> Renamed;
};

class Consumer : public ASTConsumer {
public:
  void Initialize(ASTContext &Context) override {
    Layouts.clear();
    Visitor.emplace(Context);
  }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      Visitor->TraverseDecl(D);
    return true;
  }

  void HandleTranslationUnit(ASTContext &Context) override {
    if (!Context.getDiagnostics().hasErrorOccurred())
      findLayouts(Context);
  }

private:
  std::optional<Marker> Visitor;
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
    Layout = {sizeof(void *), alignof(void *)};
    return true;
  }
  auto Found = Layouts.find(llvm::StringRef(Name, Length));
  if (Found == Layouts.end())
    return false;
  Layout = Found->second;
  return true;
}
