// TypeInference.cpp - names of types from metadata and from function names.
// Sizes come from the AST plugin where it is loaded, by the same name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "types/TypeInference.h"
#include "types/TypeLayout.h"
#include "types/TypeRequest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/DynamicLibrary.h"

using namespace llvm;

namespace heapprof {

static void addLayout(AllocatedType &T) {
  // The two plugins know each other by this name only: each works alone.
  static auto *Ask = reinterpret_cast<TypeLayoutFunction *>(
      sys::DynamicLibrary::SearchForAddressOfSymbol(TypeLayoutSymbol));
  TypeLayout Layout;
  if (Ask && Ask(T.Name.data(), T.Name.size(), Layout)) {
    T.Size = Layout.Size;
    T.Alignment = Layout.Alignment;
    T.Open = Layout.IsOpen;
  }
}

static AllocatedType typeOfName(StringRef Name) {
  AllocatedType T;
  T.Name = Name.str();
  addLayout(T);
  return T;
}

static bool saysNothing(StringRef Name) {
  return Name.empty() || Name == "void";
}

/// `const T` is T; but the const of `const T *` is not the pointer's.
static StringRef unqualified(StringRef Name) {
  if (!Name.ends_with("*"))
    while (Name.consume_front("const ") || Name.consume_front("volatile "))
      ;
  return Name;
}

/// An array of characters or numbers in the size of a call that the AST plugin
/// says nothing of is only added there, as the text in `n + sizeof("--")`: its
/// elements are what the memory may hold.
static StringRef elementOfAdded(StringRef Name) {
  static constexpr StringLiteral Scalars[] = {
      "char",          "signed char",  "unsigned char",
      "std::byte",     "char8_t",      "char16_t",
      "char32_t",      "wchar_t",      "bool",
      "_Bool",         "short",        "unsigned short",
      "int",           "unsigned int", "long",
      "unsigned long", "long long",    "unsigned long long"};
  StringRef Element =
      unqualified(Name.take_until([](char C) { return C == '['; }));
  return Element.size() < Name.size() && is_contained(Scalars, Element)
             ? Element
             : Name;
}

static bool isNew(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->getName().starts_with("_Zn");
}

static std::string nameOf(const DIType *T) {
  if (!T)
    return "";
  if (auto *Derived = dyn_cast<DIDerivedType>(T)) {
    std::string Base = nameOf(Derived->getBaseType());
    switch (Derived->getTag()) {
    case dwarf::DW_TAG_pointer_type:
      return (Base.empty() ? "void" : Base) + " *";
    case dwarf::DW_TAG_typedef:
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
      return Base;
    default:
      return T->getName().str();
    }
  }
  std::string Scope;
  if (auto *Outer = dyn_cast_or_null<DIType>(T->getScope()))
    Scope = nameOf(Outer);
  else
    for (auto *S = dyn_cast_or_null<DINamespace>(T->getScope()); S;
         S = dyn_cast_or_null<DINamespace>(S->getScope())) {
      std::string Name =
          S->getName().empty() ? "(anonymous namespace)" : S->getName().str();
      if (!Scope.empty())
        Name += "::";
      Scope.insert(0, Name);
    }
  if (T->getName().empty())
    return "";
  return Scope.empty() ? T->getName().str() : Scope + "::" + T->getName().str();
}

AllocatedType typeOfCall(const CallBase &Call) {
  AllocatedType T;
  if (const MDNode *Token = Call.getMetadata("alloc_token")) {
    auto *Text = Token->getNumOperands()
                     ? dyn_cast<MDString>(Token->getOperand(0))
                     : nullptr;
    StringRef Name = Text ? unqualified(Text->getString()) : "";
    if (!saysNothing(Name))
      T = typeOfName(isNew(Call) ? Name : elementOfAdded(Name));
    // Of a new-expression, which says it as clearly.
    T.Sized = true;
  } else if (auto *Site =
                 dyn_cast_or_null<DIType>(Call.getMetadata("heapallocsite"))) {
    T.Name = nameOf(Site);
    T.Size = Site->getSizeInBits() / 8;
  }
  return T;
}

AllocatedType typeOfRequest(StringRef Function) {
  // <bits><how>.<type>
  auto [Kind, Name] =
      Function.drop_front(StringRef(RequestPrefix).size()).split('.');
  AllocatedType T;
  if (!Name.empty())
    T = typeOfName(Name);
  T.Sized = Kind.contains(RequestSized);
  T.Forwarded = Kind.contains(RequestForwarded);
  T.Before = Kind.contains(RequestBefore);
  return T;
}

AllocatedType typeOfFrame(const CallBase &Call, const Function &F) {
  AllocatedType T;
  if (F.isPresplitCoroutine() && any_of(Call.args(), [](const Value *Argument) {
        auto *Size = dyn_cast<IntrinsicInst>(Argument);
        return Size && Size->getIntrinsicID() == Intrinsic::coro_size;
      })) {
    T.Name = "coroutine frame of " + demangle(F.getName().str());
    T.Sized = true;
  }
  return T;
}

static std::string typeOfTypeinfo(const Value &Typeinfo) {
  std::string Name = demangle(Typeinfo.stripPointerCasts()->getName().str());
  StringRef Type = Name;
  return Type.consume_front("typeinfo for ") ? Type.str() : "";
}

AllocatedType typeOfThrown(const CallBase &Call) {
  AllocatedType T;
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->getName() != "__cxa_allocate_exception")
    return T;
  // Then the object is made there, and handed on with what it is: as it is by
  // `throw`, by way of a variable in std::make_exception_ptr.
  for (const Instruction &I : instructions(Call.getFunction())) {
    auto *Handed = dyn_cast<CallBase>(&I);
    const Function *To = Handed ? Handed->getCalledFunction() : nullptr;
    if (!To || Handed->arg_size() < 2)
      continue;
    if (To->getName() == "__cxa_throw"
            ? Handed->getArgOperand(0) == &Call
            : To->getName() == "__cxa_init_primary_exception")
      T.Name = typeOfTypeinfo(*Handed->getArgOperand(1));
  }
  // The chunk holds what the library keeps of it, too: no array of such.
  T.OfLibc = true;
  return T;
}

/// The first argument of the template arguments in \p List.
static StringRef firstOf(StringRef List) {
  size_t End = 0, Nested = 0;
  for (; End < List.size(); ++End) {
    char C = List[End];
    if (Nested == 0 && (C == ',' || C == '>'))
      break;
    Nested += C == '<' || C == '(';
    Nested -= C == '>' || C == ')';
  }
  return List.take_front(End).trim();
}

std::string elementOfAllocator(StringRef Demangled) {
  // Of polymorphic_allocator<std::byte>, which makes objects of any type.
  constexpr StringLiteral OfObject = ">::allocate_object<";
  if (size_t Object = Demangled.find(OfObject); Object != StringRef::npos)
    return firstOf(Demangled.drop_front(Object + OfObject.size())).str();
  size_t Call = Demangled.find(">::allocate(");
  if (Call == StringRef::npos)
    return "";
  // Back from the > to its <.
  size_t Open = Call, Depth = 1;
  while (Open > 0 && Depth > 0) {
    char C = Demangled[--Open];
    Depth += C == '>';
    Depth -= C == '<';
  }
  StringRef Class = Demangled.take_front(Open);
  Class = Class.drop_front(Class.find_last_of(": ") + 1);
  if (Depth || !Class.contains_insensitive("alloc"))
    return "";
  StringRef Element = firstOf(Demangled.slice(Open + 1, Call));
  return saysNothing(Element) ? "" : Element.str();
}

AllocatedType typeOfInstantiation(const Function &F) {
  AllocatedType T;
  if (!F.getName().starts_with("_Z") ||
      !(F.getName().contains("8allocate") ||
        F.getName().contains("15allocate_object")))
    return T;
  std::string Name = elementOfAllocator(demangle(F.getName().str()));
  if (!Name.empty())
    T = typeOfName(Name);
  T.How = Provenance::Instantiation;
  return T;
}

} // namespace heapprof
