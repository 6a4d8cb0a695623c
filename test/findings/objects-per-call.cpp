// objects-per-call.cpp - objects of the C++ library that take many chunks each, made anew in each call: a regex, a locale, a stream that reads a text, and numbers of it, a thread, an exception and its text. Each is one finding with a
// Each is one finding with a remedy of its own, whatever its pieces are; the twin keeps them, and nothing is said of the pieces of a regex that is made once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -std=c++17 -O1 -g %s -o %t -pthread && %run %t
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %run %t kept
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK-DAG: is_number (objects-per-call.cpp:[[#REGEX:]]) makes a std::regex anew each time, 120 in all, of {{[0-9]+}} allocations each: {{[^>]*}}-> Make it once: a static const or a member, or outside of the loop.
// CHECK-DAG: is_hex (objects-per-call.cpp:[[#]]) makes a std::regex anew each time, 120 in all, of [[#]] allocations each: {{[^>]*}}-> Make it once
// CHECK-DAG: is_hex (objects-per-call.cpp:[[#]]) matches by a std::regex, which allocates, {{[0-9]}} times for each match: {{[^>]*}}-> Give it a std::smatch
// CHECK-DAG: use_locale (objects-per-call.cpp:[[#]]) makes a std::locale anew each time, 120 in all, of {{[0-9]+}} allocations each: {{[^>]*}}-> Make it once, and hand on copies
// CHECK-DAG: parse (objects-per-call.cpp:[[#]]) makes a std::istringstream anew each time, 120 in all: {{[^>]*}}-> Keep one, and give it each text by clear() and str();
// CHECK-DAG: read (objects-per-call.cpp:[[#]]) reads numbers from a stream, which allocates for each: 120 allocations {{[^>]*}}-> Read them by std::from_chars or strtod
// CHECK-DAG: use_thread (objects-per-call.cpp:[[#]]) starts threads again and again, {{[^>]*}}-> Start them once
// CHECK-DAG: tell (objects-per-call.cpp:[[#]]) makes its std::stringbuf anew each time, {{[^>]*}}-> Keep the stream, and empty it by str("");
// CHECK-DAG: use_function (objects-per-call.cpp:[[#]]) makes its std::function<long (long)> anew each time, {{[^>]*}}-> Take what is called as a template parameter
// CHECK-DAG: main (objects-per-call.cpp:[[#]]) makes its std::string anew each time, {{[^>]*}}-> Let what is given it take a std::string_view
// CHECK-DAG: fail (objects-per-call.cpp:[[#]]) makes exceptions again and again, 120 in all, of 2 allocations each: {{[^>]*}} -> Where that is no rare failure, return it
// CHECK-DAG: fail_otherwise (objects-per-call.cpp:[[#]]) makes exceptions again and again, 120 in all: {{[^>]*}} -> Where that is no rare failure, return it
// REPAIRED: is_number (objects-per-call.cpp:[[#]]) matches by a std::regex, which allocates, {{[0-9]}} times for each match: {{.*}} -> Give it a std::smatch or std::cmatch that is kept
// REPAIRED-NOT: {{(is_number|is_hex|use_locale|parse|use_thread|fail|fail_otherwise) }}
#include <functional>
#include <locale>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

#define APART __attribute__((noinline))

static bool kept; /* the twin */
static long sum;

APART static bool is_number(const std::string &s) {
  const char *pattern = "1(2|3)*4.*";
  if (kept) {
    static const std::regex number(pattern);
    return std::regex_match(s, number);
  }
  const std::regex number(pattern);
  return std::regex_match(s, number);
}

/* Both at one line. */
APART static bool is_hex(const std::string &s) {
  return !kept && std::regex_match(s, std::regex("0x(1|2)*.*"));
}

static long use(const std::locale &locale) {
  return std::use_facet<std::numpunct<char>>(locale).decimal_point();
}

APART static long use_locale() {
  if (kept) {
    static const std::locale locale(std::locale::classic(),
                                    new std::numpunct<char>);
    return use(locale);
  }
  const std::locale locale(std::locale::classic(), new std::numpunct<char>);
  return use(locale);
}

APART static long read(std::istringstream &in) {
  double number = 0;
  in >> number;
  return static_cast<long>(number);
}

APART static long parse(const std::string &s) {
  if (kept) {
    static std::istringstream in(s);
    return read(in);
  }
  std::istringstream in(s);
  return read(in);
}

APART static void use_thread() {
  if (kept)
    return;
  std::thread thread([] { sum++; });
  thread.join();
}

APART static long tell(int n) {
  std::ostringstream out;
  out << "a text that is longer than what a string holds inside, " << n;
  return static_cast<long>(out.tellp());
}

APART static long apply(const std::function<long(long)> &f) { return f(3); }

APART static long use_function(long n) {
  const long m = n * n, k = n + m;
  return apply([n, m, k](long x) { return x + n * m - k; });
}

APART static long length(const std::string &text) {
  return text[0] + text[9] + static_cast<long>(text.size());
}

APART static void fail(int n) {
  if (n >= 0)
    throw std::out_of_range("a number that is in no range, and more words");
}

APART static void fail_otherwise(int n) {
  if (n >= 0)
    throw n;
}

APART static int try_it(int n) {
  if (kept)
    return n;
  try {
    fail(n);
  } catch (const std::exception &error) {
    n += error.what()[3];
  }
  try {
    fail_otherwise(n);
  } catch (int number) {
    return number;
  }
  return n;
}

int main(int count, char **) {
  kept = count > 1;
  const std::string text = "12345678901234 abcdef";
  for (int i = 0; i < 120; i++) {
    sum += i % 2 ? is_number(text) : is_number("1234");
    sum += is_hex(text);
    sum += use_locale();
    sum += parse(text);
    use_thread();
    sum += try_it(i);
    sum += tell(i) + use_function(i);
    sum += length("a text that is long enough to be a chunk");
  }
  return sum == 7;
}
