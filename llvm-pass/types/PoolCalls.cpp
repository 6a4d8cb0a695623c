// PoolCalls.cpp - reads the option, finds the calls, and writes what is said.
// Before anything is inlined, so that calls are still there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "types/PoolCalls.h"
#include "base/Options.h"
#include "base/Statistics.h"
#include "hook_abi.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace heapprof {

// ---- the option -------------------------------------------------------------

bool FunctionPattern::read(StringRef Text) {
  auto Read = GlobPattern::create(Text);
  if (!Read) {
    consumeError(Read.takeError());
    return false;
  }
  Glob = std::move(*Read);
  Exact = Text.find_first_of("*?[") == StringRef::npos;
  return true;
}

bool FunctionPattern::matches(StringRef Linkage, StringRef Source) const {
  return Glob && (Glob->match(Linkage) || Glob->match(Source));
}

/// Parts between colons; two of them side by side are part of a name of C++.
static SmallVector<StringRef, 4> partsOf(StringRef Text) {
  SmallVector<StringRef, 4> Parts;
  size_t From = 0;
  for (size_t I = 0; I < Text.size(); ++I)
    if (Text.substr(I).starts_with("::")) {
      ++I;
    } else if (Text[I] == ':') {
      Parts.push_back(Text.slice(From, I));
      From = I + 1;
    }
  Parts.push_back(Text.substr(From));
  return Parts;
}

/// "-" stands for none.
static bool isNone(StringRef Part) { return Part == "-"; }

std::string PoolFunctions::read(StringRef Item) {
  Text = Item.str();
  Found = HP_POOLS_NO_CALL;
  auto Parts = partsOf(Item);
  if (Parts.size() < 2 || Parts.size() > 4 || is_contained(Parts, "") ||
      isNone(Parts[0]))
    return "is not of the form alloc:free[:size argument[:clear]], with - for "
           "what there is not";
  const auto [Name, Which] = Parts[1].rsplit('/');
  if (!Which.empty() && !Which.getAsInteger(10, Freed)) {
    if (Freed == 0)
      return ("has '" + Parts[1] +
              "' for what is freed; arguments count from 1")
          .str();
    Parts[1] = Name;
  }
  FunctionPattern *const Patterns[] = {&Alloc, &Free, nullptr, &Clear};
  for (size_t I = 0; I < Parts.size(); ++I)
    if (Patterns[I] && !isNone(Parts[I]) && !Patterns[I]->read(Parts[I]))
      return ("has no pattern of names in '" + Parts[I] + "'").str();
  if (Parts.size() < 3 || isNone(Parts[2]))
    return "";
  StringRef Said = Parts[2];
  if (Said.consume_front("=")) {
    if (Said.getAsInteger(10, Bytes) || Bytes == 0)
      return ("has '" + Parts[2] +
              "' for the size of each object, which is =bytes")
          .str();
    return "";
  }
  SmallVector<StringRef, 2> Numbers;
  Said.split(Numbers, '*');
  for (StringRef Number : Numbers) {
    unsigned Argument;
    if (Number.getAsInteger(10, Argument) || Argument == 0)
      return ("has '" + Parts[2] +
              "' for the argument that is the size; arguments count from 1")
          .str();
    Size.push_back(Argument);
  }
  return "";
}

PoolCalls::PoolCalls(Module &M) : M(M) {
  for (const std::string &Value : Pools) {
    SmallVector<StringRef, 4> Items;
    StringRef(Value).split(Items, ',');
    for (StringRef Item : Items) {
      PoolFunctions One;
      const std::string Wrong = One.read(Item);
      if (Wrong.empty())
        All.push_back(std::move(One));
      else
        M.getContext().emitError("heapprof: -heapprof-pools: '" + Item + "' " +
                                 Wrong);
    }
  }
}

// ---- which calls ------------------------------------------------------------

/// Without parameters and return type; the linkage name if it is not C++.
StringRef PoolCalls::sourceName(const Function &F) {
  auto [Known, IsNew] = Names.try_emplace(F.getName());
  if (!IsNew)
    return Known->second;
  Known->second = F.getName().str();
  ItaniumPartialDemangler Parts;
  if (Parts.partialDemangle(Known->second.c_str()) || !Parts.isFunction())
    return Known->second;
  size_t Size = 0;
  if (char *Text = Parts.getFunctionName(nullptr, &Size)) {
    Known->second = Text;
    std::free(Text);
  }
  return Known->second;
}

PoolFunctions *PoolCalls::find(const Function &F,
                               FunctionPattern PoolFunctions::*Which) {
  for (PoolFunctions &One : All)
    if ((One.*Which).matches(F.getName(), sourceName(F)))
      return &One;
  return nullptr;
}

bool PoolCalls::isOne(const Function &F) {
  return !All.empty() &&
         (find(F, &PoolFunctions::Alloc) || find(F, &PoolFunctions::Free) ||
          find(F, &PoolFunctions::Clear));
}

static Value *firstPointer(CallBase &Call) {
  for (Value *Argument : Call.args())
    if (Argument->getType()->isPointerTy())
      return Argument;
  return nullptr;
}

/// Of a function that frees: pools stand before objects.
static Value *lastPointer(CallBase &Call) {
  Value *Last = nullptr;
  for (Value *Argument : Call.args())
    if (Argument->getType()->isPointerTy())
      Last = Argument;
  return Last;
}

/// Null: \p Call has no such argument.
static Value *freedOf(CallBase &Call, const PoolFunctions &One) {
  if (!One.Freed)
    return lastPointer(Call);
  Value *Freed = One.Freed <= Call.arg_size()
                     ? Call.getArgOperand(One.Freed - 1)
                     : nullptr;
  return Freed && Freed->getType()->isPointerTy() ? Freed : nullptr;
}

static bool isSize(const Value &V) {
  return V.getType()->isIntegerTy() &&
         V.getType()->getIntegerBitWidth() >= 16 &&
         V.getType()->getIntegerBitWidth() <= 64;
}

/// Null: \p Call has no such argument.
Value *PoolCalls::sizeOf(CallBase &Call, const PoolFunctions &One) {
  IRBuilder<> B(&Call);
  if (One.Bytes)
    return B.getInt64(One.Bytes);
  auto wide = [&](Value *V) { return B.CreateZExt(V, B.getInt64Ty()); };
  if (One.Size.empty()) {
    for (Value *Argument : Call.args())
      if (isSize(*Argument))
        return wide(Argument);
    return nullptr;
  }
  Value *Size = nullptr;
  for (unsigned Number : One.Size) {
    if (Number > Call.arg_size() || !isSize(*Call.getArgOperand(Number - 1))) {
      if (One.Alloc.isExact())
        M.getContext().emitError(
            "heapprof: -heapprof-pools: argument " + Twine(Number) + " of " +
            sourceName(*Call.getCalledFunction()) + " is no size");
      return nullptr;
    }
    Value *Factor = wide(Call.getArgOperand(Number - 1));
    Size = Size ? B.CreateMul(Size, Factor) : Factor;
  }
  return Size;
}

/// Of several calls the one that tells most.
static void noteFound(PoolFunctions &One, char Found) {
  const StringRef Least = HP_POOLS_STATES;
  if (Least.find(Found) > Least.find(One.Found))
    One.Found = Found;
}

void PoolCalls::readCall(CallBase &Call, const Function &Callee,
                         PoolFunctions &One, PoolCall &Its) {
  if (!Call.getType()->isPointerTy() || Call.doesNotReturn())
    return noteFound(One, HP_POOLS_NO_POINTER);
  Its.Size = sizeOf(Call, One);
  Its.Pool = One.Clear ? firstPointer(Call) : nullptr;
  Its.Name = sourceName(Callee).str();
  noteFound(One, Its.Size ? HP_POOLS_TOLD : HP_POOLS_NO_SIZE);
}

PoolCall PoolCalls::of(CallBase &Call) {
  PoolCall Its;
  Function *Callee = Call.getCalledFunction();
  if (All.empty() || !Callee || Callee->isIntrinsic() ||
      Call.isMustTailCall() || isa<CallBrInst>(Call))
    return Its;
  if (const PoolFunctions *One = find(*Callee, &PoolFunctions::Free))
    Its.Freed = freedOf(Call, *One);
  if (find(*Callee, &PoolFunctions::Clear))
    Its.Cleared = firstPointer(Call);
  if (PoolFunctions *One = find(*Callee, &PoolFunctions::Alloc)) {
    readCall(Call, *Callee, *One, Its);
    // An item for each function that clears: they find what the first one does.
    for (PoolFunctions &Other : All)
      if (Other.Alloc.matches(Callee->getName(), sourceName(*Callee)))
        noteFound(Other, One->Found);
  }
  return Its;
}

/// In a section that takes no memory when the program runs; the linker keeps
/// one of strings that are equal.  Assembly, since else it would be loaded.
void PoolCalls::finish() {
  for (const PoolFunctions &One : All) {
    std::string Escaped;
    raw_string_ostream Out(Escaped);
    printEscapedString(One.Text, Out); // as \22, hexadecimal
    if (StringRef(Escaped).contains('\\'))
      continue;
    M.appendModuleInlineAsm((".pushsection " HP_POOLS_SECTION
                             ",\"MS\",@progbits,1\n.asciz \"" +
                             Twine(One.Found) + One.Text + "\"\n.popsection")
                                .str());
  }
}

// ---- what is said -----------------------------------------------------------

Constant *PoolCalls::text(StringRef Name) {
  Constant *&Known = Texts[Name];
  if (Known)
    return Known;
  auto *Text = ConstantDataArray::getString(M.getContext(), Name);
  auto *Global = new GlobalVariable(M, Text->getType(), /*isConstant=*/true,
                                    GlobalValue::PrivateLinkage, Text,
                                    "__heapprof_pool_name");
  Global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return Known = Global;
}

static CallInst *say(IRBuilder<> &B, Module &M, const char *Hook,
                     ArrayRef<Value *> Arguments) {
  SmallVector<Type *, 5> Types;
  for (const Value *Argument : Arguments)
    Types.push_back(Argument->getType());
  FunctionCallee Callee = M.getOrInsertFunction(
      Hook, FunctionType::get(B.getVoidTy(), Types, false));
  if (auto *F = dyn_cast<Function>(Callee.getCallee()))
    F->setDoesNotThrow();
  CallInst *Said = B.CreateCall(Callee, Arguments);
  Said->addFnAttr(Attribute::NoMerge); // two that are made one have no line
  ++NumPoolCalls;
  return Said;
}

void PoolCalls::before(CallBase &Call, const PoolCall &Its) {
  IRBuilder<> B(&Call);
  if (Its.Freed)
    say(B, M, HP_HOOK_UNPOOLED, {Its.Freed});
  if (Its.Cleared)
    say(B, M, HP_HOOK_POOL_CLEAR, {Its.Cleared});
}

void PoolCalls::behind(CallBase &Call, Instruction &Behind, const PoolCall &Its,
                       GlobalVariable *Type) {
  IRBuilder<> B(&Behind);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  Constant *None = ConstantPointerNull::get(B.getPtrTy());
  say(B, M, HP_HOOK_POOLED,
      {Its.Pool ? Its.Pool : None, &Call, Its.Size, text(Its.Name),
       Type ? static_cast<Constant *>(Type) : None});
}

} // namespace heapprof
