// padding-elements.cpp - records that a std::vector holds, and others of the type that are chunks: the record has holes, not the container, and is told once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK: Likely: Token (padding-elements.cpp:[[#]]) has 8 bytes of padding in its 32 bytes; with its members sorted it has 24 bytes:
// CHECK-SAME: [padding] points
// CHECK-NOT: [padding]
#include <vector>

struct Token {
  int kind;
  const char *text;
  int line;
  const char *file;
};

static std::vector<Token> tokens;
static std::vector<Token *> kept;

__attribute__((noinline)) static void add(int line) {
  tokens.push_back({line % 5, "a", line, "b"});
}

__attribute__((noinline)) static void keep(int line) {
  kept.push_back(new Token{line % 3, "c", line, "d"});
}

int main() {
  tokens.reserve(4096);
  kept.reserve(4096);
  long sum = 0;
  for (int i = 0; i < 4096; i++) {
    add(i);
    keep(i);
  }
  for (const Token &token : tokens)
    sum += token.kind + token.line + *token.text + *token.file;
  for (const Token *token : kept)
    sum += token->kind + token->line + *token->text + *token->file;
  for (Token *token : kept)
    delete token;
  return sum == 7;
}
