/* test_record_index.c - layouts of types of C and C++, as compilers write them down, found by the
   names that dumps have.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE 1
#include "symbolize_fixture.h"

#include "resolve/record_index.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char c_program[] =
    "#include <stddef.h>\n"
    "struct inner { char tag; int key; };\n"
    "struct list { struct list *next; const char *name; char c; };\n"
    "struct bits { unsigned a : 3, b : 7; unsigned c : 22; int d; };\n"
    "struct arrays { int first[4]; struct inner many[3]; double last[2]; };\n"
    "struct flexible { int count; char kind; struct inner items[]; };\n"
    "struct anonymous { int kind; union { int i; double d; }; struct { short "
    "x, y; } at; };\n"
    "struct __attribute__((packed)) packed { char a; int b; };\n"
    "typedef struct { char a; long b; char c; } unnamed;\n"
    "typedef struct inner other_name;\n"
    "struct holder { other_name in; void (*call)(int); enum { A, B } e; };\n"
    "union either { int a; struct inner b; };\n"
    "struct tailed { long a; char b; };\n"
    "struct tidy { long a; int b, c; };\n"
    "struct aligned { char a; int b __attribute__((aligned(16))); };\n"
    "struct list v1; struct bits v2; struct arrays v3; struct flexible v4;\n"
    "struct anonymous v5; struct packed v6; unnamed v7; struct holder v8;\n"
    "union either v9; struct tailed v10; struct tidy v11; struct aligned v12;\n"
    "int main(void) { return 0; }\n";

static const char cxx_program[] =
    "namespace app { inline namespace v1 {\n"
    "struct Q { int a; char b; double c; };\n"
    "template <class T, class A = Q, int N = 3> struct Box { T t; char n[N]; "
    "};\n"
    "enum class E { a, b };\n"
    "template <E e, unsigned long u, bool b> struct V { int x; long long q; "
    "};\n"
    "} namespace { struct Hidden { int z; }; } }\n"
    "namespace other { struct Q { short s[8]; char t[8]; }; }\n"
    "struct Base { virtual ~Base() {} int base; };\n"
    "struct Second { virtual void f() {} int second; };\n"
    "struct Derived : Base, Second { char own; };\n"
    "struct Tail { long a; char b; Tail(); private: char c; };\n"
    "struct InTail : Tail { char d; };\n"
    "struct Virtual : virtual Base { int mine; };\n"
    "struct Empty {}; struct OfEmpty : Empty { int x; static int s; };\n"
    "struct Outer { struct Inner { int x; } in; int *p; };\n"
    "Tail::Tail() {} int OfEmpty::s;\n"
    "app::Box<app::Q> b1; app::Box<int, char, 5> b2; app::V<app::E::b, 7, "
    "true> v;\n"
    "namespace app { Hidden h; } Derived d; InTail t; Virtual w; OfEmpty e; "
    "Outer o; other::Q q;\n"
    "int main() { struct Local { char c; int i; } l; l.i = 1; return l.i - 1 + "
    "app::h.z; }\n";

static const char library_program[] =
    "#include <map>\n#include <string>\n#include <memory>\n#include "
    "<pthread.h>\n"
    "struct Own { int a; std::string text; pthread_mutex_t lock; char end; };\n"
    "struct Held { long key; char kind; };\n"
    "std::map<int, Held> m; Own o; std::shared_ptr<Held> p = "
    "std::make_shared<Held>();\n"
    "std::string made(\"a\");\n"
    "int main() { m[1].key = 2; }\n";

static struct hp_store store;

static const struct hp_layout *find_in(const char *file, const char *type,
                                       uint64_t size, bool *ambiguous) {
  struct hp_symbol_module m = module_of(file);
  struct hp_layout_request r = {.type = type, .size = size};
  struct hp_error error;
  hp_symbolizer *s;
  assert_int_equal(hp_symbolizer_open(&s, NULL, &plain, &error), HP_OK);
  assert_int_equal(hp_symbolizer_layouts(s, &m, &store, &r, 1, &error), HP_OK);
  hp_symbolizer_close(s); /* a layout outlives what it was read from */
  if (ambiguous)
    *ambiguous = r.is_ambiguous;
  return r.layout;
}

/* "next@0+8 c@16+1 (17+7)": a hole is in brackets. */
static const char *text_of(const struct hp_layout *l) {
  static char text[2000];
  FILE *out = fmemopen(text, sizeof text, "w");
  assert_non_null(out);
  if (!l)
    fputs("none", out);
  for (size_t i = 0; l && i < l->count; i++) {
    const struct hp_layout_member *m = &l->members[i];
    fputs(i ? " " : "", out);
    if (m->kind == HP_LAYOUT_HOLE)
      fprintf(out, "(%" PRIu64 "+%" PRIu64 ")", m->offset, m->size);
    else
      fprintf(out, "%s%s%s@%" PRIu64 "+%" PRIu64, m->base ? m->base : "",
              m->base ? "::" : "", m->name, m->offset, m->size);
    if (m->count > 1)
      fprintf(out, "x%" PRIu64 "/%" PRIu64, m->count, m->stride);
    if (m->bits)
      fprintf(out, ":%u/%u", m->bit, m->bits);
    if (m->overlaps)
      fputc('~', out);
    if (m->is_flexible)
      fputs("..", out);
  }
  fclose(out);
  return text;
}

static void check(const char *file, const char *type, uint64_t size,
                  const char *expected) {
  const struct hp_layout *l = find_in(file, type, size, NULL);
  assert_string_equal(text_of(l), expected);
  if (l && size)
    assert_int_equal(l->size, size);
}

static void check_c(const char *file) {
  check(file, "list", 24, "next@0+8 name@8+8 c@16+1 (17+7)");
  check(file, "bits", 8, "a@0+1:0/3~ b@0+2:3/7~ c@1+3:2/22~ d@4+4");
  check(file, "arrays", 56,
        "first@0+16 many[].tag@16+1x3/8 (17+3)x3/8 many[].key@20+4x3/8 "
        "last@40+16");
  check(file, "flexible", 8, "count@0+4 kind@4+1 (5+3) items@8+0..");
  check(file, "anonymous", 24,
        "kind@0+4 (4+4) d@8+8~ i@8+4~ at.x@16+2 at.y@18+2 (20+4)");
  check(file, "packed", 5, "a@0+1 b@1+4");
  check(file, "unnamed", 24, "a@0+1 (1+7) b@8+8 c@16+1 (17+7)");
  check(file, "holder", 24,
        "in.tag@0+1 (1+3) in.key@4+4 call@8+8 e@16+4 (20+4)");
  check(file, "either", 8, "a@0+4~ b.tag@0+1~ b.key@4+4");
}

static void test_c(void **state) {
  (void)state;
  write_text("c.c", c_program);
  static const char *const flags[] = {"-g -gsplit-dwarf", "-g -gdwarf-4",
                                      "-g -gdwarf-4 -fdebug-types-section",
                                      "-g -O2", "-g"};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
    run("%s %s -c c.c -o c.o && %s c.o -o c", getenv("HP_TEST_CLANG"), flags[i],
        getenv("HP_TEST_CLANG"));
    check_c("c");
  }
}

static void test_names_that_are_none(void **state) {
  (void)state;
  check("c", "no_such", 0, "none");
  check("c", "list", 16, "none"); /* another one of that name */
  check("c", "int", 4, "none");
  check("c", "list *", 8, "none");
  check("c", "", 8, "none");
  check("c", "<", 8, "none");
}

static void test_declared_where(void **state) {
  (void)state;
  const struct hp_layout *l = find_in("c", "list", 0, NULL);
  assert_non_null(l);
  assert_non_null(strstr(l->file, "c.c"));
  assert_int_equal(l->line, 3);
  assert_string_equal(l->members[1].type, "const char *");
  l = find_in("c", "arrays", 0, NULL);
  assert_string_equal(l->members[0].type, "int [4]");
  assert_int_equal(l->members[0].element, 4);
}

static void check_order(const char *type, uint64_t size, const char *order) {
  const struct hp_layout *l = find_in("c", type, 0, NULL);
  assert_non_null(l);
  assert_int_equal(l->reordered_size, size);
  if (order)
    assert_string_equal(l->order, order);
  else
    assert_null(l->order);
}

static void test_order(void **state) {
  (void)state;
  check_order("unnamed", 16, "b, a, c");
  check_order("tailed", 16, NULL); /* its hole can be nowhere else */
  check_order("tidy", 16, NULL);
  check_order("packed", 5, NULL);
  check_order("flexible", 8, NULL);
  check_order("either", 8, NULL);
  check_order("bits", 8, NULL);
  check_order("anonymous", 16, "(unnamed), kind, at");
  check_order("aligned", 16, "b, a");
}

static void check_cxx(const char *file) {
  check(file, "app::Q", 16, "a@0+4 b@4+1 (5+3) c@8+8");
  check(file, "app::Box<app::Q>", 24,
        "t.a@0+4 t.b@4+1 (5+3) t.c@8+8 n@16+3 (19+5)");
  check(file, "app::Box<int, char, 5>", 12, "t@0+4 n@4+5 (9+3)");
  check(file, "app::V<app::E::b, 7, true>", 16, "x@0+4 (4+4) q@8+8");
  check(file, "app::(anonymous namespace)::Hidden", 4, "z@0+4");
  check(file, "Q", 16, "none"); /* it is app's */
  check(file, "Derived", 32,
        "Base::vptr@0+8 Base::base@8+4 (12+4) Second::vptr@16+8 "
        "Second::second@24+4 own@28+1 (29+3)");
  check(file, "InTail", 16,
        "Tail::a@0+8 Tail::b@8+1 Tail::c@9+1 d@10+1 (11+5)");
  check(file, "Virtual", 32,
        "vptr@0+8 mine@8+4 (12+4) Base::vptr@16+8 Base::base@24+4 (28+4)");
  check(file, "OfEmpty", 4, "x@0+4");
  check(file, "Outer::Inner", 4, "x@0+4");
  check(file, "Outer", 16, "in.x@0+4 (4+4) p@8+8");
  check(file, "Local", 8, "c@0+1 (1+3) i@4+4");
  check(file, "other::Q", 24, "s@0+16 t@16+8");
}

static void test_cxx(void **state) {
  (void)state;
  write_text("x.cpp", cxx_program);
  static const char *const flags[] = {"-g", "-g -gdwarf-4",
                                      "-g -gdwarf-4 -fdebug-types-section",
                                      "-g -gsimple-template-names"};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
    run("%s %s x.cpp -o x", getenv("HP_TEST_CLANGXX"), flags[i]);
    check_cxx("x");
  }
}

/* What libraries use as one is one; what they keep for the program is its own. */
static void test_library(void **state) {
  (void)state;
  write_text("l.cpp", library_program);
  run("%s -g l.cpp -o l", getenv("HP_TEST_CLANGXX"));
  check("l", "Own", 88, "a@0+4 (4+4) text@8+32 lock@40+40 end@80+1 (81+7)");
  check("l", "std::_Rb_tree_node<std::pair<const int, Held>>", 56,
        "_Rb_tree_node_base::_M_color@0+4 (4+4) "
        "_Rb_tree_node_base::_M_parent@8+8 _Rb_tree_node_base::_M_left@16+8 "
        "_Rb_tree_node_base::_M_right@24+8 _M_storage.first@32+4 (36+4) "
        "_M_storage.second.key@40+8 _M_storage.second.kind@48+1 (49+7)");
}

/* Whose code is in another file: there alone is all of it. */
static void test_declared_base(void **state) {
  (void)state;
  write_text("b.h", "struct Far { Far(); virtual ~Far(); long a; };\n");
  write_text("b1.cpp", "#include \"b.h\"\nFar::Far() {}\nFar::~Far() {}\n");
  write_text("b2.cpp", "#include \"b.h\"\nstruct Near : Far { int b; } near;\n"
                       "int main() {}\n");
  run("%s -g b1.cpp b2.cpp -o b", getenv("HP_TEST_CLANGXX"));
  check("b", "Far", 16, "vptr@0+8 a@8+8");
  check("b", "Near", 24, "Far@0+16 b@16+4 (20+4)");
}

/* Of one name and size, but each file's own. */
static void test_two_of_one_name(void **state) {
  bool ambiguous;
  (void)state;
  write_text("one.c", "struct node { int a; int b; }; struct node n1;\n"
                      "int main(void) { return 0; }\n");
  write_text("two.c", "struct node { int a; float c; }; struct node n2;\n");
  write_text("three.c", "struct node { int a; int b; }; struct node n3;\n");
  run("%s -g one.c two.c three.c -o several", getenv("HP_TEST_CLANG"));
  assert_null(find_in("several", "node", 8, &ambiguous));
  assert_true(ambiguous);
  run("%s -g one.c three.c -o same", getenv("HP_TEST_CLANG"));
  assert_non_null(find_in("same", "node", 8, &ambiguous));
  assert_false(ambiguous);
}

static void test_without_debug_information(void **state) {
  (void)state;
  run("%s c.c -o bare", getenv("HP_TEST_CLANG"));
  check("bare", "list", 24, "none");
  run("%s -gline-tables-only c.c -o lines", getenv("HP_TEST_CLANG"));
  check("lines", "list", 24, "none");
}

static void test_bytes_of(void **state) {
  const struct hp_layout_member once = {.offset = 4, .size = 8, .count = 1};
  const struct hp_layout_member many = {
      .offset = 16, .size = 4, .count = 3, .stride = 8};
  const struct hp_layout_member rest = {.offset = 8, .is_flexible = true};
  (void)state;
  assert_int_equal(hp_layout_bytes_of(&once, 0, 4), 0);
  assert_int_equal(hp_layout_bytes_of(&once, 0, 5), 1);
  assert_int_equal(hp_layout_bytes_of(&once, 6, 40), 6);
  assert_int_equal(hp_layout_bytes_of(&once, 12, 40), 0);
  assert_int_equal(hp_layout_bytes_of(&many, 0, 64), 12);
  assert_int_equal(hp_layout_bytes_of(&many, 20, 24), 0);
  assert_int_equal(hp_layout_bytes_of(&many, 26, 33), 3);
  assert_int_equal(hp_layout_bytes_of(&many, 40, 64), 0);
  assert_int_equal(hp_layout_bytes_of(&rest, 4, 100), 92);
  assert_int_equal(hp_layout_bytes_of(&rest, 0, 8), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_c),
      cmocka_unit_test(test_names_that_are_none),
      cmocka_unit_test(test_declared_where),
      cmocka_unit_test(test_order),
      cmocka_unit_test(test_cxx),
      cmocka_unit_test(test_library),
      cmocka_unit_test(test_declared_base),
      cmocka_unit_test(test_two_of_one_name),
      cmocka_unit_test(test_without_debug_information),
      cmocka_unit_test(test_bytes_of),
  };
  int failed = RUN_SYMBOLIZE_TESTS(tests);
  hp_store_free(&store);
  return failed;
}
