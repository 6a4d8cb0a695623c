/* templates.cpp - a file that is hard to compile: many instances of templates of the standard library.
   For test/bench/compile.sh; nothing is measured of its run.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>
template <int N> struct Key {
  int K[N];
  bool operator<(const Key &O) const { return K[0] < O.K[0]; }
};
template <int N> struct Use {
  static int run(int X) {
    std::map<Key<N>, std::vector<std::shared_ptr<Key<N>>>> M;
    std::unordered_map<std::string, std::unique_ptr<Key<N>>> U;
    std::variant<int, std::string, Key<N>> V = X;
    std::function<int(int)> F = [&](int Y) { return (int)M.size() + Y; };
    M[Key<N>{{X}}].push_back(std::make_shared<Key<N>>());
    U[std::to_string(X)] = std::make_unique<Key<N>>();
    std::vector<Key<N>> S(X);
    std::sort(S.begin(), S.end());
    V = std::string("x");
    return F(X) + (int)U.size() + Use<N - 1>::run(X);
  }
};
template <> struct Use<0> {
  static int run(int X) {
    return std::regex_match(std::to_string(X), std::regex("[0-9]+"));
  }
};
int main(int N, char **) { return Use<5>::run(N); }
