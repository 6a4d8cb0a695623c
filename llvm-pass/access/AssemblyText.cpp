// AssemblyText.cpp - see AssemblyText.h: a list of mnemonics, each of AT&T's syntax.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "access/AssemblyText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
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
static constexpr StringRef Bare[] = {"cpuid", "lfence", "mfence", "nop",
                                     "pause", "rdtsc",  "rdtscp", "sfence"};

/// How many bytes of an operand \p Mnemonic accesses.
static std::optional<unsigned> bytesOf(StringRef Mnemonic) {
  if (is_contained(Bare, Mnemonic) || Mnemonic.starts_with("j"))
    return 0;
  if (Mnemonic.starts_with("set"))
    return 1;
  if (is_contained(Sized, Mnemonic) || Mnemonic.starts_with("cmov"))
    return RegisterBytes;
  const size_t Size = StringRef("bwlq").find(Mnemonic.back());
  if (Size == StringRef::npos || !is_contained(Sized, Mnemonic.drop_back()))
    return std::nullopt;
  return 1u << Size;
}

/// Takes the next word from \p Text.
static StringRef takeWord(StringRef &Text) {
  Text = Text.ltrim();
  const StringRef Word = Text.take_until([](char C) { return isSpace(C); });
  Text = Text.drop_front(Word.size());
  return Word;
}

static std::optional<unsigned> bytesOfStatement(StringRef Statement) {
  StringRef Word = takeWord(Statement);
  while (Word.ends_with(":") || Word == "lock" || Word == "rep")
    Word = takeWord(Statement); // of a prefix alone there is none
  return Word.empty() ? 0 : bytesOf(Word);
}

/// None is as 4$0 or ${0:H}, which stand for what lies behind; "$$" is a dollar.
static bool areOperandsWhole(StringRef Text) {
  char Before = ' ';
  for (size_t I = 0; I < Text.size(); Before = Text[I++]) {
    if (Text[I] != '$')
      continue;
    StringRef Rest = Text.substr(I + 1);
    if (Rest.consume_front("$")) {
      ++I;
      continue;
    }
    if (isAlnum(Before) || Before == '+' || Before == '-')
      return false;
    if (!Rest.consume_front("{"))
      continue;
    const StringRef Modifier =
        Rest.take_until([](char C) { return C == '}'; }).split(':').second;
    if (!Modifier.empty() && !StringRef("bhwkq").contains(Modifier))
      return false;
  }
  return true;
}

std::optional<unsigned> bytesOfOperands(StringRef Text) {
  if (Text.find_first_of("([*#") != StringRef::npos || !areOperandsWhole(Text))
    return std::nullopt;
  SmallVector<StringRef, 8> Lines, Statements;
  Text.split(Lines, '\n');
  for (StringRef Line : Lines)
    Line.split(Statements, ';');
  unsigned Most = 0;
  for (StringRef Statement : Statements) {
    const auto Bytes = bytesOfStatement(Statement);
    if (!Bytes)
      return std::nullopt;
    Most = std::max(Most, *Bytes);
  }
  return Most;
}

} // namespace heapprof
