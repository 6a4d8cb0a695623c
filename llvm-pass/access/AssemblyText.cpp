// AssemblyText.cpp - see AssemblyText.h: a list of mnemonics, each of AT&T's syntax.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "access/AssemblyText.h"
#include "hook_abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heapprof {

/// With or without the letter of a size behind.
static constexpr StringRef Sized[] = {
    "adc",  "add",  "and",   "bsf",  "bsr",    "bswap", "cmp", "cmpxchg",
    "dec",  "div",  "idiv",  "imul", "inc",    "lzcnt", "mov", "mul",
    "mulx", "neg",  "not",   "or",   "popcnt", "rcl",   "rcr", "rol",
    "ror",  "sal",  "sar",   "sbb",  "shl",    "shld",  "shr", "shrd",
    "sub",  "test", "tzcnt", "xadd", "xchg",   "xor"};
static constexpr unsigned RegisterBytes = 8;

/// Of no memory.
static constexpr StringRef Bare[] = {"cld",    "cpuid",  "lfence", "mfence",
                                     "nop",    "pause",  "rdtsc",  "rdtscp",
                                     "sfence", "clflush"};

/// Of a register of 16 bytes.
static constexpr StringRef Wide[] = {"lddqu",   "movapd", "movaps",
                                     "movdqa",  "movdqu", "movntdq",
                                     "movntps", "movupd", "movups"};

/// Those that do not change where their last operand is.
static constexpr StringRef Reading[] = {"cmp",  "div", "idiv",
                                        "imul", "mul", "test"};

/// How many bytes of an operand \p Mnemonic accesses; none: not known.
struct Width {
  unsigned Bytes;
  bool IsSaid; ///< else at most so many
};
static std::optional<Width> widthOf(StringRef Mnemonic) {
  if (is_contained(Bare, Mnemonic) || Mnemonic.starts_with("j") ||
      Mnemonic.starts_with("prefetch"))
    return Width{0, true};
  if (Mnemonic.starts_with("set"))
    return Width{1, true};
  if (is_contained(Wide, Mnemonic))
    return Width{16, true};
  if (is_contained(Sized, Mnemonic) || Mnemonic.starts_with("cmov"))
    return Width{RegisterBytes, false};
  const size_t Size = StringRef("bwlq").find(Mnemonic.back());
  if (Size == StringRef::npos || !is_contained(Sized, Mnemonic.drop_back()))
    return std::nullopt;
  return Width{1u << Size, true};
}

/// Takes the next word from \p Text.
static StringRef takeWord(StringRef &Text) {
  Text = Text.ltrim();
  const StringRef Word = Text.take_until([](char C) { return isSpace(C); });
  Text = Text.drop_front(Word.size());
  return Word;
}

namespace {

/// Reads a text, statement by statement.
class Reader {
public:
  explicit Reader(AssemblyAccesses &Found) : Found(Found) {}

  /// False: it may access something else.
  bool read(StringRef Text) {
    SmallVector<StringRef, 8> Lines, Statements;
    Text.split(Lines, '\n');
    for (StringRef Line : Lines)
      Line.split(Statements, ';');
    if (!all_of(Statements,
                [&](StringRef Statement) { return readStatement(Statement); }))
      return false;
    // What is jumped over may be accessed or not; what is changed before may be
    // elsewhere.
    if (Found.StringBytes)
      return !IsRepeating && Others == 0;
    return Found.Pointed.empty() || !HasJumps;
  }

private:
  bool readStatement(StringRef Statement);
  bool readString(StringRef Mnemonic);
  bool readOperands(StringRef Operands, Width Of, StringRef Mnemonic);
  bool readPointed(StringRef Operands, size_t Open, Width Of,
                   StringRef Mnemonic);
  void note(unsigned Operand, unsigned Bytes);

  AssemblyAccesses &Found;
  bool IsRepeating = false; ///< a rep waits for its instruction
  bool HasJumps = false;
  unsigned Others = 0; ///< instructions beside those of strings
};

bool Reader::readStatement(StringRef Statement) {
  StringRef Word = takeWord(Statement);
  while (Word.ends_with(":") || Word == "lock" || Word == "rep") {
    HasJumps |= Word.ends_with(":");
    IsRepeating |= Word == "rep";
    Word = takeWord(Statement); // of a prefix alone there is none
  }
  if (Word.empty())
    return true;
  if (readString(Word))
    return true;
  const auto Of = widthOf(Word);
  HasJumps |= Word.starts_with("j");
  Others += Word != "cld";
  return Of && readOperands(Statement, *Of, Word);
}

bool Reader::readString(StringRef Mnemonic) {
  const bool IsCopy = Mnemonic.starts_with("movs");
  const size_t Size = Mnemonic.size() == 5
                          ? StringRef("bwlq").find(Mnemonic.back())
                          : StringRef::npos;
  if (!IsRepeating || Found.StringBytes || Size == StringRef::npos ||
      (!IsCopy && !Mnemonic.starts_with("stos")))
    return false;
  IsRepeating = false;
  Found.StringBytes = 1u << Size;
  Found.IsCopy = IsCopy;
  return true;
}

void Reader::note(unsigned Operand, unsigned Bytes) {
  if (Operand >= Found.Bytes.size())
    Found.Bytes.resize(Operand + 1);
  Found.Bytes[Operand] = std::max(Found.Bytes[Operand], Bytes);
}

/// Takes an operand such as 1 or {1:q} from \p Text, behind its "$".  None is as {0:H},
/// which stands for what lies behind.
static std::optional<unsigned> takeOperand(StringRef &Text) {
  unsigned Number;
  const bool IsBraced = Text.consume_front("{");
  if (Text.consumeInteger(10, Number))
    return std::nullopt;
  if (!IsBraced)
    return Number;
  const StringRef Modifier = Text.take_until([](char C) { return C == '}'; });
  Text = Text.drop_front(Modifier.size());
  if (!Text.consume_front("}") ||
      (!Modifier.empty() && !StringRef(":b:h:w:k:q").contains(Modifier)))
    return std::nullopt;
  return Number;
}

/// None is as 4$0, which lies elsewhere; "$$" is a dollar.
bool Reader::readOperands(StringRef Operands, Width Of, StringRef Mnemonic) {
  if (Operands.find_first_of("[*#") != StringRef::npos)
    return false;
  const size_t Open = Operands.find('(');
  if (Open != StringRef::npos)
    return readPointed(Operands, Open, Of, Mnemonic);
  char Before = ' ';
  for (size_t I = 0; I < Operands.size(); Before = Operands[I++]) {
    if (Operands[I] != '$')
      continue;
    StringRef Rest = Operands.substr(I + 1);
    if (Rest.starts_with("$")) {
      ++I;
      continue;
    }
    const auto Number = takeOperand(Rest);
    if (!Number || isAlnum(Before) || Before == '+' || Before == '-')
      return false;
    note(*Number, Of.Bytes);
  }
  return true;
}

/// One operand is as 8($1); the other, if there is one, is a register or a number.
bool Reader::readPointed(StringRef Operands, size_t Open, Width Of,
                         StringRef Mnemonic) {
  StringRef Ahead = Operands.take_front(Open), Rest = Operands.substr(Open + 1);
  const size_t Comma = Ahead.rfind(',');
  StringRef Offset = Comma == StringRef::npos ? Ahead : Ahead.substr(Comma + 1);
  const StringRef First =
      Comma == StringRef::npos ? StringRef() : Ahead.take_front(Comma);
  int64_t At = 0;
  Offset = Offset.trim();
  if ((!Offset.empty() && Offset.getAsInteger(0, At)) ||
      !Rest.consume_front("$"))
    return false;
  const auto Number = takeOperand(Rest);
  if (!Number || !Rest.consume_front(")") || !Of.IsSaid || Rest.contains('(') ||
      !readOperands(First, Of, Mnemonic) || !readOperands(Rest, Of, Mnemonic))
    return false;
  if (!Of.Bytes)
    return true;
  StringRef Name = Mnemonic;
  const bool IsMove =
      Name.starts_with("mov") || Name.starts_with("set") || Name == "lddqu";
  if (Mnemonic.size() > 1 && StringRef("bwlq").contains(Mnemonic.back()))
    Name = Name.drop_back();
  const bool IsLast = Rest.trim().empty();
  const int Kind = Name == "xchg" || Name == "xadd"         ? HP_ACCESS_BOTH
                   : !IsLast || is_contained(Reading, Name) ? HP_ACCESS_READ
                   : IsMove                                 ? HP_ACCESS_WRITE
                                                            : HP_ACCESS_BOTH;
  Found.Pointed.push_back({*Number, At, Of.Bytes, Kind});
  return true;
}

} // namespace

/// Whether \p Asm may change the register of its operand \p Number.
static bool isChanged(const InlineAsm::ConstraintInfoVector &Constraints,
                      unsigned Number) {
  return Number >= Constraints.size() ||
         Constraints[Number].Type != InlineAsm::isInput ||
         Constraints[Number].isIndirect;
}

std::optional<AssemblyAccesses> accessesOf(const InlineAsm &Asm) {
  AssemblyAccesses Found;
  const auto Constraints = Asm.ParseConstraints();
  Found.Bytes.resize(Constraints.size());
  if (Asm.getDialect() != InlineAsm::AD_ATT ||
      !Reader(Found).read(Asm.getAsmString()) ||
      Found.Bytes.size() > Constraints.size() ||
      any_of(Found.Pointed, [&](const AssemblyAccesses::Place &P) {
        return isChanged(Constraints, P.Operand);
      }))
    return std::nullopt;
  if (Found.StringBytes &&
      (!operandInRegister(Asm, "di") || !operandInRegister(Asm, "cx") ||
       (Found.IsCopy && !operandInRegister(Asm, "si"))))
    return std::nullopt;
  return Found;
}

std::optional<unsigned> operandInRegister(const InlineAsm &Asm,
                                          StringRef Name) {
  const auto Constraints = Asm.ParseConstraints();
  for (const auto &[I, Constraint] : enumerate(Constraints)) {
    if (Constraint.Type != InlineAsm::isInput || Constraint.isIndirect ||
        Constraint.Codes.empty())
      continue;
    StringRef Code = Constraint.Codes.front();
    unsigned Of;
    if (!Code.getAsInteger(10, Of) && Of < Constraints.size() &&
        !Constraints[Of].Codes.empty())
      Code = Constraints[Of].Codes.front();
    if (Code.consume_front("{") && Code.consume_back("}") &&
        (Code == Name || (Code.size() == 3 && Code.ends_with(Name))))
      return I;
  }
  return std::nullopt;
}

} // namespace heapprof
