// FunctionFacts.cpp - reads sizes: which type they name, where they come from.
// Follows local variables through few steps, as a reader of the code would.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/FunctionFacts.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace heapprof {

/// Variables are followed through so many others.
static constexpr unsigned DepthMax = 8;

bool isScalar(QualType T) {
  T = T.getCanonicalType();
  return (T->isBuiltinType() && T->isIntegerType()) || T->isStdByteType();
}

const VariableFacts *FunctionFacts::find(const Expr *E) const {
  auto *Reference = dyn_cast<DeclRefExpr>(E);
  auto *V = Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
  auto Found = V ? Variables.find(V) : Variables.end();
  return Found == Variables.end() ? nullptr : &Found->second;
}

/// Of two types in one size the first counts, but a record before an integer:
/// `n * sizeof(long) + sizeof(struct head)`.
static QualType better(QualType First, QualType Second) {
  if (First.isNull() || (isScalar(First) && !Second.isNull()))
    return Second.isNull() ? First : Second;
  return First;
}

static bool isByte(QualType T) { return T->isCharType() || T->isStdByteType(); }

/// What \p SizeOf is the size of; of a text, as in `sizeof ".tmp"`, or of a
/// variable that is a buffer, its characters: nobody keeps arrays that are as
/// long, and the function may only be told how long the buffer is.
static QualType typeOfSize(const UnaryExprOrTypeTraitExpr &SizeOf) {
  QualType T = SizeOf.getTypeOfArgument().getNonReferenceType();
  if (SizeOf.isArgumentType() || !T->isArrayType())
    return T;
  const Expr *Of = SizeOf.getArgumentExpr()->IgnoreParens();
  QualType Element = T->castAsArrayTypeUnsafe()->getElementType();
  return isa<StringLiteral>(Of) ||
                 (isa<DeclRefExpr>(Of) && isByte(Element.getCanonicalType()))
             ? Element
             : T;
}

/// \p IsFactor: E is the whole size or multiplied, not just added to it, as
/// `n + sizeof(long)` is for a number kept before the memory, and
/// `n + sizeof ending` for an array of characters behind a text.
QualType FunctionFacts::typeIn(const Expr *E, bool IsFactor,
                               unsigned Depth) const {
  E = E->IgnoreParenCasts();
  if (auto *SizeOf = dyn_cast<UnaryExprOrTypeTraitExpr>(E)) {
    if (SizeOf->getKind() != UETT_SizeOf)
      return {};
    QualType T = typeOfSize(*SizeOf);
    return T->isVariablyModifiedType() ||
                   (!IsFactor && isScalar(Context.getBaseElementType(T)))
               ? QualType()
               : T;
  }
  if (auto *OffsetOf = dyn_cast<OffsetOfExpr>(E))
    return OffsetOf->getTypeSourceInfo()->getType();
  if (auto *Binary = dyn_cast<BinaryOperator>(E)) {
    const Expr *L = Binary->getLHS(), *R = Binary->getRHS();
    switch (Binary->getOpcode()) {
    case BO_Add:
    case BO_Sub:
      return better(typeIn(L, false, Depth), typeIn(R, false, Depth));
    case BO_Mul:
      return better(typeIn(L, true, Depth), typeIn(R, true, Depth));
    case BO_Div:
    case BO_Shl:
    case BO_Shr:
    case BO_And:
      return typeIn(L, IsFactor, Depth);
    default:
      return {};
    }
  }
  if (auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    QualType T = typeIn(Choice->getTrueExpr(), IsFactor, Depth);
    QualType F = typeIn(Choice->getFalseExpr(), IsFactor, Depth);
    return !T.isNull() && !F.isNull() && Context.hasSameType(T, F) ? T
                                                                   : QualType();
  }
  if (const VariableFacts *V = find(E); V && Depth < DepthMax)
    if (V->Values.size() == 1 && !V->AddressTaken)
      return typeIn(V->Values.front(), IsFactor, Depth + 1);
  return {};
}

QualType FunctionFacts::typeInSize(const CallExpr &Call) const {
  QualType Best;
  for (const Expr *Argument : Call.arguments())
    if (Argument->getType()->isIntegerType())
      Best = better(Best, typeIn(Argument, true, 0));
  return Best;
}

bool FunctionFacts::isTypeAdded(const Expr *E, unsigned Depth) const {
  E = E->IgnoreParenCasts();
  if (auto *Binary = dyn_cast<BinaryOperator>(E)) {
    const Expr *L = Binary->getLHS(), *R = Binary->getRHS();
    if (Binary->getOpcode() == BO_And) // rounding up
      return isTypeAdded(L, Depth);
    if (Binary->getOpcode() != BO_Add)
      return false;
    const bool InL = !typeIn(L, true, Depth).isNull();
    const bool InR = !typeIn(R, true, Depth).isNull();
    if (InL == InR)
      return false;
    return comesFromParameter(InL ? R : L) || isTypeAdded(InL ? L : R, Depth);
  }
  if (const VariableFacts *V = find(E); V && Depth < DepthMax)
    if (V->Values.size() == 1 && !V->AddressTaken)
      return isTypeAdded(V->Values.front(), Depth + 1);
  return false;
}

bool FunctionFacts::isTypeAdded(const CallExpr &Call) const {
  return any_of(Call.arguments(), [&](const Expr *Argument) {
    return Argument->getType()->isIntegerType() && isTypeAdded(Argument, 0);
  });
}

bool FunctionFacts::isNumberAdded(const Expr *E, unsigned Depth) const {
  E = E->IgnoreParenCasts();
  if (auto *Binary = dyn_cast<BinaryOperator>(E)) {
    if (Binary->getOpcode() == BO_And) // rounding up
      return isNumberAdded(Binary->getLHS(), Depth);
    if (Binary->getOpcode() != BO_Add)
      return false;
    for (const Expr *Addend : {Binary->getLHS(), Binary->getRHS()}) {
      auto *SizeOf =
          dyn_cast<UnaryExprOrTypeTraitExpr>(Addend->IgnoreParenCasts());
      if (SizeOf ? SizeOf->getKind() == UETT_SizeOf &&
                       isScalar(typeOfSize(*SizeOf))
                 : isNumberAdded(Addend, Depth))
        return true;
    }
    return false;
  }
  if (const VariableFacts *V = find(E); V && Depth < DepthMax)
    if (V->Values.size() == 1 && !V->AddressTaken)
      return isNumberAdded(V->Values.front(), Depth + 1);
  return false;
}

bool FunctionFacts::isNumberAdded(const CallExpr &Call) const {
  return any_of(Call.arguments(), [&](const Expr *Argument) {
    return Argument->getType()->isIntegerType() && isNumberAdded(Argument, 0);
  });
}

/// Of `n ? n : 1`; not of `n > 4096 ? n : 4096`, which is the size of a block.
bool FunctionFacts::isSmallConstant(const Expr *E) const {
  constexpr uint64_t SmallMax = 16;
  Expr::EvalResult Result;
  return !E->isValueDependent() && E->EvaluateAsInt(Result, Context) &&
         Result.Val.getInt().ule(SmallMax);
}

/// As in `n = malloc_usable_size(p)`, and as a program's own function says it of
/// what was allocated by a size: what comes after the allocation.
bool FunctionFacts::isSizeOfMemory(const Expr *E) const {
  auto *Call = dyn_cast<CallExpr>(E->IgnoreParenCasts());
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (Callee && Callee->getIdentifier() &&
      Callee->getName() == "malloc_usable_size")
    return true;
  return Call && any_of(Call->arguments(), [&](const Expr *Argument) {
           Argument = Argument->IgnoreParenCasts();
           const VariableFacts *Memory =
               Argument->getType()->isPointerType() ? find(Argument) : nullptr;
           return Memory && any_of(Memory->Values, [](const Expr *Value) {
                    auto *From = dyn_cast<CallExpr>(Value->IgnoreParenCasts());
                    return From && any_of(From->arguments(), [](const Expr *A) {
                             return A->getType()->isIntegerType();
                           });
                  });
         });
}

bool FunctionFacts::comesFromParameter(const Expr *E, Path &Followed) const {
  E = E->IgnoreParenCasts();
  auto FromAll = [&](ArrayRef<const Expr *> Sources, bool Found) {
    for (const Expr *Source : Sources)
      if (comesFromParameter(Source, Followed))
        Found = true;
      else if (!isSmallConstant(Source) && !isSizeOfMemory(Source))
        return false;
    return Found;
  };
  if (auto *Reference = dyn_cast<DeclRefExpr>(E)) {
    auto *V = dyn_cast<VarDecl>(Reference->getDecl());
    if (!V || !V->getType()->isIntegerType() || V->hasGlobalStorage())
      return false;
    const bool IsParameter = isa<ParmVarDecl>(V);
    const VariableFacts *Facts = find(E);
    if (!Facts)
      return IsParameter;
    // By __builtin_mul_overflow, and by itself: `n = (n + 7) & ~7`.
    if (Facts->AddressTaken || is_contained(Followed, V))
      return true;
    if (Followed.size() == DepthMax)
      return false;
    Followed.push_back(V);
    bool Found = FromAll(Facts->Values, IsParameter);
    Followed.pop_back();
    return Found;
  }
  if (auto *Binary = dyn_cast<BinaryOperator>(E)) {
    if (Binary->isAssignmentOp())
      return comesFromParameter(Binary->getRHS(), Followed);
    return !Binary->isComparisonOp() && !Binary->isLogicalOp() &&
           (comesFromParameter(Binary->getLHS(), Followed) ||
            comesFromParameter(Binary->getRHS(), Followed));
  }
  if (auto *Unary = dyn_cast<UnaryOperator>(E))
    return Unary->isArithmeticOp() &&
           comesFromParameter(Unary->getSubExpr(), Followed);
  if (auto *Choice = dyn_cast<ConditionalOperator>(E))
    return FromAll({Choice->getTrueExpr(), Choice->getFalseExpr()}, false);
  if (auto *Call = dyn_cast<CallExpr>(E)) {
    // Rounding up; but std::max chooses.
    const FunctionDecl *Callee = Call->getDirectCallee();
    return !(Callee && Callee->isInStdNamespace()) &&
           any_of(Call->arguments(), [&](const Expr *Argument) {
             return comesFromParameter(Argument, Followed);
           });
  }
  return false;
}

bool FunctionFacts::comesFromParameter(const Expr *Size) const {
  Path Followed;
  return comesFromParameter(Size, Followed);
}

bool FunctionFacts::sizeComesFromParameter(const CallExpr &Call) const {
  return any_of(Call.arguments(), [&](const Expr *Argument) {
    return Argument->getType()->isIntegerType() && comesFromParameter(Argument);
  });
}

QualType FunctionFacts::onlyView(const VarDecl *V, const CallExpr &Call) const {
  auto Found = Variables.find(V);
  if (Found == Variables.end() || Found->second.AddressTaken)
    return {};
  for (const Expr *Value : Found->second.Values)
    if (Value->IgnoreParenCasts() != &Call &&
        !Value->isNullPointerConstant(const_cast<ASTContext &>(Context),
                                      Expr::NPC_ValueDependentIsNotNull))
      return {};
  QualType Only;
  for (QualType View : Found->second.Views) {
    // Bytes are counted and copied whatever they are.
    if (Only.isNull() || isScalar(Only))
      Only = View;
    else if (!isScalar(View) && !Context.hasSameUnqualifiedType(Only, View))
      return {};
  }
  return Only;
}

} // namespace heapprof
