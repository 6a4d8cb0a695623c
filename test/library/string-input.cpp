// Reading strings from streams gives what libstdc++.so gives: text, state, width
// and what is left, by stream buffers that read ahead much, little, not at all,
// or throw.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 %s -o %t && %run %t | FileCheck %s
// CHECK: 40000 reads
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <istream>
#include <random>
#include <string>

#define NAMES(C)                                                               \
  "_ZStrsI" C "St11char_traitsI" C "ESaI" C "EERSt13basic_istreamIT_T0_ES7_"   \
  "RNSt7__cxx1112basic_stringIS4_S5_T1_EE",                                    \
      "_ZSt7getlineI" C "St11char_traitsI" C "ESaI" C                          \
      "EERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_"     \
      "EES4_",                                                                 \
      "_ZSt7getlineI" C "St11char_traitsI" C "ESaI" C                          \
      "EERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE"

static std::mt19937 Random(11);
static unsigned below(unsigned Count) { return (unsigned)(Random() % Count); }

static void fail(const char *What) {
  std::printf("%s\n", What);
  std::exit(1);
}

template <typename F> static F *theirs(const char *Name, F *Ours) {
  static void *Library = dlopen("libstdc++.so.6", RTLD_NOW);
  F *Found = reinterpret_cast<F *>(dlsym(Library, Name));
  if (!Found || Found == Ours)
    fail(Name);
  return Found;
}

// Gives TEXT, AHEAD characters at a time (0: one, without a buffer), and throws
// at the character Bad.
template <typename C> struct Buffer : std::basic_streambuf<C> {
  using Traits = std::char_traits<C>;
  std::basic_string<C> Text;
  size_t At = 0, Ahead, Bad;

  Buffer(std::basic_string<C> It, size_t Ahead, size_t Bad)
      : Text(std::move(It)), Ahead(Ahead), Bad(Bad) {}
  typename Traits::int_type underflow() override {
    if (At >= Bad)
      throw 1;
    if (At >= Text.size())
      return Traits::eof();
    if (Ahead > 0) {
      C *Begin = &Text[At];
      size_t Size = std::min(Ahead, Text.size() - At);
      this->setg(Begin, Begin, Begin + Size);
      At += Size;
      return Traits::to_int_type(*Begin);
    }
    return Traits::to_int_type(Text[At]);
  }
  typename Traits::int_type uflow() override {
    typename Traits::int_type Next = underflow();
    if (Ahead > 0 && !Traits::eq_int_type(Next, Traits::eof()))
      this->gbump(1);
    else
      At++;
    return Next;
  }
  size_t left() const {
    return Text.size() - At + (size_t)(this->egptr() - this->gptr());
  }
};

template <typename C> struct Reader {
  using Text = std::basic_string<C>;
  using Stream = std::basic_istream<C>;
  using Word = Stream &(Stream &, Text &);
  using Line = Stream &(Stream &, Text &, C);
  Word *TheWord;
  Line *TheLine;
  Word *TheOwnLine;

  Text Into;
  bool Thrown = false;

  void read(Stream &In, unsigned How, C Delimiter) {
    Thrown = false;
    try {
      if (How == 0)
        TheWord(In, Into);
      else if (How == 1)
        TheLine(In, Into, Delimiter);
      else
        TheOwnLine(In, Into);
    } catch (const std::ios_base::failure &) {
      Thrown = true;
    } catch (int) {
      Thrown = true;
    }
  }
};

template <typename C>
static long compare(const char *Word, const char *Line, const char *OwnLine) {
  using Text = std::basic_string<C>;
  using Stream = std::basic_istream<C>;
  using Word_ = typename Reader<C>::Word;
  using Line_ = typename Reader<C>::Line;
  Word_ *OurWord = std::operator>>;
  Line_ *OurLine = std::getline;
  Word_ *OurOwnLine = std::getline;
  Reader<C> Ours{OurWord, OurLine, OurOwnLine, {}};
  Reader<C> Theirs{theirs(Word, OurWord),
                   theirs(Line, OurLine),
                   theirs(OwnLine, OurOwnLine),
                   {}};
  long Reads = 0;
  for (int Round = 0; Reads < 20000; Round++) {
    Text Content;
    for (unsigned Left = below(60); Left > 0; Left--)
      Content += (C) " \n\tabcdefgh\xe9"[below(12)];
    const size_t Ahead = below(5) * below(5), Bad = below(8) ? 1000 : below(60);
    Buffer<C> A(Content, Ahead, Bad), B(Content, Ahead, Bad);
    Stream InA(&A), InB(&B);
    if (below(4) == 0)
      InA.exceptions(std::ios_base::badbit),
          InB.exceptions(std::ios_base::badbit);
    for (int Times = 0; Times < 8; Times++, Reads++) {
      const unsigned How = below(3), Width = below(3) ? 0 : below(6);
      const C Delimiter = (C) "\nad "[below(4)];
      InA.width(Width), InB.width(Width);
      Ours.read(InA, How, Delimiter), Theirs.read(InB, How, Delimiter);
      if (Ours.Into != Theirs.Into)
        fail("another text");
      if (InA.rdstate() != InB.rdstate())
        fail("another state");
      if (Ours.Thrown != Theirs.Thrown)
        fail("another exception");
      if (InA.width() != InB.width())
        fail("another width");
      if (A.left() != B.left())
        fail("something else is left");
      if (below(2))
        InA.clear(), InB.clear();
    }
  }
  return Reads;
}

int main() {
  long Reads = compare<char>(NAMES("c")) + compare<wchar_t>(NAMES("w"));
  std::printf("%ld reads\n", Reads);
}
