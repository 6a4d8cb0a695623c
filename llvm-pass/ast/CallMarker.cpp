// CallMarker.cpp - finds what each call's result is used as, then marks calls.
// A call is marked by its argument: its place in the AST stays what it is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/CallMarker.h"
#include "types/TypeRequest.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace heapprof {

std::string spelling(QualType T, const ASTContext &Context) {
  PrintingPolicy Policy(Context.getLangOpts());
  Policy.SuppressTagKeyword = true;
  Policy.FullyQualifiedName = true;
  return T.getCanonicalType().getUnqualifiedType().getAsString(Policy);
}

static bool isUntypedPointer(QualType T) {
  if (!T->isPointerType())
    return false;
  QualType Pointee = T->getPointeeType();
  return Pointee->isVoidType() || Pointee->isAnyCharacterType() ||
         Pointee->isStdByteType();
}

/// Functions of the system's headers that return what their caller asks for.
static bool isSystemAllocator(const FunctionDecl &F) {
  static constexpr llvm::StringLiteral Names[] = {
      "malloc",   "calloc", "realloc", "reallocarray",  "aligned_alloc",
      "memalign", "valloc", "pvalloc", "posix_memalign"};
  if (F.getOverloadedOperator() == OO_New ||
      F.getOverloadedOperator() == OO_Array_New)
    return true;
  return F.getIdentifier() && llvm::is_contained(Names, F.getName());
}

/// `void **` or `void *&`: where a function may leave memory for its caller.
static bool isOutParameter(QualType T) {
  return (T->isPointerType() || T->isLValueReferenceType()) &&
         !T->getPointeeType().isConstQualified() &&
         isUntypedPointer(T->getPointeeType());
}

/// The type of parameter \p I of what \p Call calls; null if it has none.
static QualType parameterOf(const CallExpr &Call, unsigned I) {
  if (isa<CXXOperatorCallExpr>(Call))
    return {};
  if (const FunctionDecl *F = Call.getDirectCallee())
    return I < F->getNumParams() ? F->getParamDecl(I)->getType() : QualType();
  QualType Callee = Call.getCallee()->getType();
  if (Callee->isPointerType())
    Callee = Callee->getPointeeType();
  auto *Prototype = Callee->getAs<FunctionProtoType>();
  return Prototype && I < Prototype->getNumParams() ? Prototype->getParamType(I)
                                                    : QualType();
}

/// How many arguments of \p Call are for parameters: what stands for a `...` is no
/// size, but what a format prints.
static unsigned namedArguments(const CallExpr &Call) {
  if (isa<CXXOperatorCallExpr>(Call))
    return Call.getNumArgs();
  QualType Callee = Call.getCallee()->getType();
  if (Callee->isPointerType())
    Callee = Callee->getPointeeType();
  auto *Prototype = Callee->getAs<FunctionProtoType>();
  return Prototype ? std::min(Call.getNumArgs(), Prototype->getNumParams())
                   : Call.getNumArgs();
}

/// The argument by which \p Call gets memory, as posix_memalign gives it; null
/// for one that returns it.
static const Expr *outArgument(const CallExpr &Call) {
  if (Call.getType()->isPointerType())
    return nullptr;
  for (unsigned I = 0; I != Call.getNumArgs(); ++I)
    if (QualType T = parameterOf(Call, I); !T.isNull() && isOutParameter(T))
      return Call.getArg(I);
  return nullptr;
}

/// What the pointer that \p Argument leads to is to: of `(void **)&p` what p
/// points to.  Of `(void **)table` only for who is known to allocate: any other
/// may be given a table.
static QualType typeOfOut(const CallExpr &Call, const Expr &Argument) {
  const Expr *Out = Argument.IgnoreParenCasts();
  const FunctionDecl *F = Call.getDirectCallee();
  QualType T = Out->getType();
  if (!Argument.isLValue()) {
    auto *Address = dyn_cast<UnaryOperator>(Out);
    if (!(Address && Address->getOpcode() == UO_AddrOf) &&
        !(F && isSystemAllocator(*F)))
      return {};
    T = T->getPointeeType();
  }
  T = T.isNull() ? T : T->getPointeeType();
  return T.isNull() || T->isVoidType() || T->isFunctionType() ? QualType() : T;
}

static bool returnsMemory(const FunctionDecl &F) {
  return isUntypedPointer(F.getReturnType()) ||
         (!F.getReturnType()->isPointerType() &&
          llvm::any_of(F.parameters(), [](const ParmVarDecl *P) {
            return isOutParameter(P->getType());
          }));
}

/// Whether a caller of \p F may ask it for memory of a type.
static bool isAsked(const FunctionDecl *F) {
  return F && (F->getReturnType()->isPointerType() || returnsMemory(*F)) &&
         llvm::any_of(F->parameters(), [](const ParmVarDecl *P) {
           return P->getType()->isIntegerType();
         });
}

static bool isSizeArgument(const Expr *Argument) {
  QualType T = Argument->getType();
  return T->isIntegerType() && !T->isBooleanType() && !T->isBitIntType() &&
         Argument->isPRValue();
}

/// Whether \p At is in a header that was found where the system's are.  One of the
/// program's own may call itself one, by `#pragma GCC system_header`, to have no
/// warnings.
static bool isOfSystem(SourceLocation At, const SourceManager &Sources) {
  if (!Sources.isInSystemHeader(At))
    return false;
  const auto File = Sources.getFileID(Sources.getExpansionLoc(At));
  bool Invalid = false;
  const SrcMgr::SLocEntry &Entry = Sources.getSLocEntry(File, &Invalid);
  return Invalid || !Entry.isFile() ||
         SrcMgr::isSystem(Entry.getFile().getFileCharacteristic());
}

// ---- what the walk notes ----------------------------------------------------

bool CallMarker::TraverseDecl(Decl *D) {
  if (!D)
    return true;
  // Templates count where they are instantiated; a change of the template
  // itself would be instantiated with it.
  if (auto *Scope = dyn_cast<DeclContext>(D);
      Scope && Scope->isDependentContext())
    return true;
  // System headers have tokens for all that they allocate.
  if (!isa<TranslationUnitDecl, NamespaceDecl, LinkageSpecDecl>(D) &&
      isOfSystem(D->getLocation(), Context.getSourceManager()))
    return true;
  const FunctionDecl *Outer = Here;
  if (auto *F = dyn_cast<FunctionDecl>(D))
    Here = F;
  bool Continue = Base::TraverseDecl(D);
  Here = Outer;
  return Continue;
}

bool CallMarker::TraverseLambdaExpr(LambdaExpr *Lambda) {
  if (Lambda->isGenericLambda())
    return true;
  const FunctionDecl *Outer = Here;
  Here = Lambda->getCallOperator();
  bool Continue = Base::TraverseLambdaExpr(Lambda);
  Here = Outer;
  return Continue;
}

void CallMarker::noteValue(const VarDecl *V, Expr *Value) {
  if (V->hasGlobalStorage())
    return;
  Facts.of(V).Values.push_back(Value);
  if (V->getType()->isVoidPointerType())
    if (auto *Call = dyn_cast<CallExpr>(Value->IgnoreParenCasts()))
      Holders[Call] = V;
}

bool CallMarker::VisitVarDecl(VarDecl *V) {
  if (!isa<ParmVarDecl>(V) && V->getInit())
    noteValue(V, V->getInit());
  return true;
}

static const VarDecl *variable(const Expr *E) {
  auto *Reference = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
  return Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
}

bool CallMarker::VisitBinaryOperator(BinaryOperator *Operation) {
  if (Operation->getOpcode() == BO_Assign)
    if (const VarDecl *V = variable(Operation->getLHS()))
      noteValue(V, Operation->getRHS());
  return true;
}

bool CallMarker::VisitUnaryOperator(UnaryOperator *Operation) {
  if (Operation->getOpcode() == UO_AddrOf)
    if (const VarDecl *V = variable(Operation->getSubExpr()))
      Facts.of(V).AddressTaken = true;
  return true;
}

bool CallMarker::VisitCastExpr(CastExpr *Cast) {
  QualType To = Cast->getType();
  if (!To->isPointerType() || !isUntypedPointer(Cast->getSubExpr()->getType()))
    return true;
  QualType As = To->getPointeeType();
  if (!As->isVoidType() && !As->isFunctionType())
    noteUse(Cast->getSubExpr(), As);
  return true;
}

/// `return memcpy(malloc(n), p, n)`.
static bool returnsFirstArgument(const CallExpr &Call) {
  static constexpr llvm::StringLiteral Names[] = {"memcpy", "memmove", "memset",
                                                  "strcpy", "strncpy"};
  const FunctionDecl *F = Call.getDirectCallee();
  return F && F->getIdentifier() && F->isExternC() && Call.getNumArgs() > 0 &&
         llvm::is_contained(Names, F->getName());
}

/// The value of \p E is used as a pointer to \p As.
void CallMarker::noteUse(Expr *E, QualType As) {
  E = E->IgnoreParens();
  if (auto *Call = dyn_cast<CallExpr>(E)) {
    if (returnsFirstArgument(*Call))
      return noteUse(Call->getArg(0), As);
    // Of several casts the innermost, but bytes are anything.
    QualType &Use = Uses[Call];
    if (Use.isNull() || isScalar(Use) || !isScalar(As))
      Use = As;
  } else if (auto *Cast = dyn_cast<CastExpr>(E)) {
    const VarDecl *V = variable(Cast->getSubExpr());
    if (Cast->getCastKind() == CK_LValueToRValue && V)
      Facts.of(V).Views.push_back(As);
    else if (Cast->getType()->isPointerType())
      noteUse(Cast->getSubExpr(), As);
  } else if (auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    noteUse(Choice->getTrueExpr(), As);
    noteUse(Choice->getFalseExpr(), As);
  } else if (auto *Binary = dyn_cast<BinaryOperator>(E)) {
    if (Binary->getOpcode() == BO_Comma || Binary->getOpcode() == BO_Assign)
      noteUse(Binary->getRHS(), As);
  } else if (auto *Block = dyn_cast<StmtExpr>(E)) {
    auto *Last = Block->getSubStmt()->body_empty()
                     ? nullptr
                     : dyn_cast<Expr>(Block->getSubStmt()->body_back());
    if (Last)
      noteUse(Last, As);
  } else if (auto *Full = dyn_cast<FullExpr>(E)) {
    noteUse(Full->getSubExpr(), As);
  }
}

/// What a call is given a size by reference for, as checked_mul(n, size, total), it
/// may be to set it.
void CallMarker::noteReferences(const CallExpr &Call) {
  for (unsigned I = 0; I < Call.getNumArgs(); ++I) {
    QualType T = parameterOf(Call, I);
    if (T.isNull() || !T->isLValueReferenceType() ||
        T->getPointeeType().isConstQualified() ||
        !T->getPointeeType()->isIntegerType())
      continue;
    if (const VarDecl *V = variable(Call.getArg(I)))
      Facts.of(V).AddressTaken = true;
  }
}

bool CallMarker::VisitCallExpr(CallExpr *Call) {
  noteReferences(*Call);
  if (mayAllocate(*Call, Here))
    Calls[Call] = Here;
  return true;
}

bool CallMarker::VisitCXXNewExpr(CXXNewExpr *New) {
  const FunctionDecl *Operator = New->getOperatorNew();
  if (Operator && Operator->isReservedGlobalPlacementOperator())
    noteUse(New->getPlacementArg(0), New->getAllocatedType());
  else if (New->isArray() && isScalar(New->getAllocatedType()))
    News[New] = Here;
  return true;
}

// ---- what is asked for ------------------------------------------------------

bool CallMarker::mayAllocate(const CallExpr &Call,
                             const FunctionDecl *In) const {
  if (isa<UserDefinedLiteral>(Call) || !Call.isPRValue() ||
      !llvm::any_of(llvm::ArrayRef(Call.getArgs(), namedArguments(Call)),
                    isSizeArgument))
    return false;
  if (!Call.getType()->isPointerType() && !outArgument(Call))
    return false;
  const FunctionDecl *F = Call.getDirectCallee();
  if (!F || isSystemAllocator(*F))
    return true;
  // A marked call is no constant expression; but lambdas are constexpr without
  // being asked to.
  const bool Implicit = isLambdaCallOperator(F) && In && !In->isConstexpr();
  if (F->isConstexpr() && !Implicit)
    return false;
  return F->getBuiltinID() == 0 &&
         !isOfSystem(F->getLocation(), Context.getSourceManager());
}

QualType CallMarker::usedAs(const CallExpr &Call) const {
  if (const Expr *Out = outArgument(Call))
    return typeOfOut(Call, *Out);
  return Uses.lookup(&Call);
}

/// False if there is nothing to say.
bool CallMarker::requestOf(const CallExpr &Call, const FunctionDecl *In,
                           Request &R) const {
  QualType Stated = Facts.typeInSize(Call);
  R.Forwarded = Facts.sizeComesFromParameter(Call);
  if (!isUntypedPointer(Call.getType()) && !outArgument(Call)) {
    // The result's type is but what all objects begin with, if the size is
    // that of another record.
    if (Stated.isNull() || !Stated->isRecordType() ||
        Context.hasSameUnqualifiedType(Stated,
                                       Call.getType()->getPointeeType()))
      return false;
    R.Type = Stated;
    R.Sized = true;
    return true;
  }
  R.Sized = !Stated.isNull();
  R.Type = R.Sized ? Stated : usedAs(Call);
  const bool ForCaller = R.Forwarded && In && returnsMemory(*In);
  if (R.Type.isNull() && !ForCaller)
    if (const VarDecl *Holder = Holders.lookup(&Call))
      R.Type = Facts.onlyView(Holder, Call);
  if (!R.Type.isNull()) {
    // A number kept before memory that is for the caller.
    if (ForCaller && !R.Sized && isScalar(R.Type) &&
        (In->getReturnType()->isVoidPointerType() ||
         !In->getReturnType()->isPointerType()))
      R.Type = QualType();
    R.Before = ForCaller && R.Sized && Facts.isTypeAdded(Call);
    return true;
  }
  // A number kept there is what the front end would take all of it for.
  if (ForCaller && Facts.isNumberAdded(Call))
    return true;
  // What a function allocates for itself is not what its caller asked for.
  return !R.Forwarded && isAsked(In);
}

// ---- the change -------------------------------------------------------------

FunctionDecl *CallMarker::functionFor(const Request &R, QualType Argument) {
  std::string Label =
      RequestPrefix + llvm::utostr(Context.getTypeSize(Argument));
  if (R.Sized)
    Label += RequestSized;
  if (R.Forwarded)
    Label += RequestForwarded;
  if (R.Before)
    Label += RequestBefore;
  Label += '.';
  if (!R.Type.isNull())
    Label += spelling(R.Type, Context);
  FunctionDecl *&F = Functions[Label];
  if (F)
    return F;
  QualType Type = Context.getFunctionType(Argument, {Argument},
                                          FunctionProtoType::ExtProtoInfo());
  F = FunctionDecl::Create(Context, Context.getTranslationUnitDecl(),
                           SourceLocation(), SourceLocation(),
                           DeclarationName(&Context.Idents.get(Label)), Type,
                           Context.getTrivialTypeSourceInfo(Type), SC_Extern);
  F->setParams(ParmVarDecl::Create(Context, F, SourceLocation(),
                                   SourceLocation(), nullptr, Argument, nullptr,
                                   SC_None, nullptr));
  F->addAttr(AsmLabelAttr::CreateImplicit(Context, Label));
  F->addAttr(NoThrowAttr::CreateImplicit(Context));
  return F;
}

Expr *CallMarker::marked(Expr *Argument, const Request &R) {
  QualType Type = Argument->getType().getCanonicalType().getUnqualifiedType();
  FunctionDecl *F = functionFor(R, Type);
  SourceLocation At = Argument->getBeginLoc();
  auto *Reference =
      DeclRefExpr::Create(Context, NestedNameSpecifierLoc(), SourceLocation(),
                          F, false, At, F->getType(), VK_LValue);
  auto *Callee = ImplicitCastExpr::Create(
      Context, Context.getPointerType(F->getType()), CK_FunctionToPointerDecay,
      Reference, nullptr, VK_PRValue, FPOptionsOverride());
  return CallExpr::Create(Context, Callee, {Argument}, Type, VK_PRValue, At,
                          FPOptionsOverride());
}

static bool isMarked(const Expr *Argument) {
  auto *Call = dyn_cast<CallExpr>(Argument);
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  return F && F->getIdentifier() && F->getName().starts_with(RequestPrefix);
}

void CallMarker::markCall(CallExpr &Call, const FunctionDecl *In) {
  unsigned Size = 0;
  while (!isSizeArgument(Call.getArg(Size)))
    ++Size;
  Request R;
  if (!isMarked(Call.getArg(Size)) && requestOf(Call, In, R))
    Call.setArg(Size, marked(Call.getArg(Size), R));
}

/// `new char[n]`: bytes for the caller, if n is the caller's.
void CallMarker::markNew(CXXNewExpr &New, const FunctionDecl *In) {
  std::optional<Expr *> Size = New.getArraySize();
  if (!isAsked(In) || !Size || !*Size || !isSizeArgument(*Size) ||
      isMarked(*Size) || !Facts.comesFromParameter(*Size))
    return;
  Request R;
  R.Type = New.getAllocatedType();
  R.Forwarded = true;
  for (Stmt *&Child : New.children())
    if (Child == *Size) {
      Child = marked(*Size, R);
      return;
    }
}

void CallMarker::mark(Decl *D) {
  TraverseDecl(D);
  for (auto [Call, In] : Calls)
    markCall(*Call, In);
  for (auto [New, In] : News)
    markNew(*New, In);
  Calls.clear();
  News.clear();
  Uses.clear();
  Holders.clear();
  Facts.clear();
}

} // namespace heapprof
