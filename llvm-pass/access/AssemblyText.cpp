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
static constexpr StringRef Whole[] = {
    "adcx",   "adox",   "cpuid",  "lfence", "lock",   "mfence",
    "movsbl", "movsbq", "movsbw", "movslq", "movswl", "movswq",
    "movzbl", "movzbq", "movzbw", "movzwl", "movzwq", "nop",
    "pause",  "rdtsc",  "rdtscp", "rep",    "sfence"};

/// Of which the rest is a condition.
static bool isConditional(StringRef Mnemonic) {
  return Mnemonic.starts_with("j") || Mnemonic.starts_with("set") ||
         Mnemonic.starts_with("cmov");
}

static bool isKnown(StringRef Mnemonic) {
  if (is_contained(Whole, Mnemonic) || is_contained(Sized, Mnemonic) ||
      isConditional(Mnemonic))
    return true;
  return Mnemonic.size() > 1 && StringRef("bwlq").contains(Mnemonic.back()) &&
         is_contained(Sized, Mnemonic.drop_back());
}

/// Takes the next word from \p Text.
static StringRef takeWord(StringRef &Text) {
  Text = Text.ltrim();
  const StringRef Word = Text.take_until([](char C) { return isSpace(C); });
  Text = Text.drop_front(Word.size());
  return Word;
}

static bool isKnownStatement(StringRef Statement) {
  StringRef Word = takeWord(Statement);
  while (Word.ends_with(":") || Word == "lock" || Word == "rep")
    Word = takeWord(Statement); // of a prefix alone there is none
  return Word.empty() || isKnown(Word);
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

bool accessesOnlyOperands(StringRef Text) {
  if (Text.find_first_of("([*#") != StringRef::npos || !areOperandsWhole(Text))
    return false;
  SmallVector<StringRef, 8> Lines, Statements;
  Text.split(Lines, '\n');
  for (StringRef Line : Lines)
    Line.split(Statements, ';');
  return all_of(Statements, isKnownStatement);
}

} // namespace heapprof
