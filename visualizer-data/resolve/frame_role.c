/* frame_role.c - all the names by which code is told from the program's.
   A name here is a demangled function; patterns as in pattern.h.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/frame_role.h"

#include <string.h>

#include "base/pattern.h"
#include "text/member_name.h"

/* The allocator itself: left out of the stack's leaf end. */
static const char *const allocator_functions[] = {
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "free",
    "memalign",
    "aligned_alloc",
    "posix_memalign",
    "valloc",
    "pvalloc",
    "strdup",
    "strndup",
    "__strdup",
    "__strndup",
    "wcsdup",
    "cfree",
    "__libc_malloc",
    "__libc_calloc",
    "__libc_realloc",
    "__libc_memalign",
    "__libc_free",
    "operator new(*",
    "operator new[](*",
    "operator delete(*",
    "operator delete[](*",
    "operator new",
    "operator new[]",
    "operator delete",
    "operator delete[]",
    "__heapprof_*",
    "__interceptor_*",
    "___interceptor_*",
    "__interceptor_trampoline_*",
};

/* The C++ standard library, between the program and the allocator: kept in the
   stack, not the site.  A program's own functions are told by neither name,
   since they too may be called std::..., or begin with a type of std. */
static const char *const plumbing_files[] = {
    "*/include/c++/*", "*/include/*-linux-gnu*/c++/*", "*/libstdc++-v3/*",
    "*/sanitizer/heapprof_pool_resource.h",
    /* ours, in the program */
    "/heapprof/standard_library/*", "*/runtime/entry/interceptors/*"};
/* For code without source lines. */
static const char *const plumbing_functions[] = {
    "std::__new_allocator<*",
    "__gnu_cxx::new_allocator<*",
    "__gnu_cxx::__alloc_traits<*",
    "__gnu_cxx::malloc_allocator<*",
    "std::allocator<*>::allocate(*",
    "std::allocator<*>::allocate",
    "std::allocator_traits<*",
    "*std::__allocate_guarded<*",
    "std::pmr::*new_delete_resource*",
    "std::__1::allocator<*>::allocate*",
    "std::__1::allocator_traits<*",
    "*std::__1::__libcpp_allocate*",
    "*std::__1::__libcpp_operator_new*",
    "*std::__1::__allocate_at_least*",
    "*std::__1::__libcpp_deallocate*",
    "*std::__1::__libcpp_operator_delete*",
    "std::__1::allocator<*>::deallocate*",
    "_ZNSt3__1*", /* too new for the demangler */
    "__cxa_*",
};

/* What <stdio.h> and its like have of libc; C++ has such folders below c++. */
static const char *const header_files[] = {"/usr/include/bits/*",
                                           "/usr/include/*-gnu/bits/*"};

/* Where it keeps headers; those of the C++ library have roles of their own.  Or where a
   program keeps those of others, and what of others is known by its folder. */
static const char *const included_files[] = {
    "/usr/include/*",     "/usr/local/include/*", "*/third_party/*.h*",
    "*/third-party/*.h*", "*/3rdparty/*.h*",      "*/_deps/*.h*",
    "*/absl/*",           "*/boost/*.hpp",        "*/boost/*.ipp"};

/* Where a distribution keeps libraries; a program is in none of these. */
static const char *const installed_modules[] = {
    "/usr/lib/*.so*", "/usr/lib64/*.so*", "/lib/*.so*", "/lib64/*.so*"};

/* The C library, the dynamic linker, and the runtime: nothing to change
   there. */
static const char *const system_modules[] = {"*/ld-linux*.so*",
                                             "*/libc.so*",
                                             "*/libc-*.so",
                                             "*/libm.so*",
                                             "*/libgcc_s.so*",
                                             "*/libpthread*.so*",
                                             "*/libdl.so*",
                                             "[vdso]",
                                             "*/librt.so*",
                                             "*/libresolv.so*",
                                             "*/libnss_*.so*",
                                             "*/gconv/*.so",
                                             "*/libheapprof_preload.so"};
/* Called by code that the compiler wrote, so that there is nothing to change, either. */
static const char *const openmp_modules[] = {"*/libomp.so*", "*/libomp5.so*",
                                             "*/libiomp5.so*", "*/libgomp.so*"};
/* What stands in a stack of ours where the program calls libc: each is the C
   library's function for it, which comes next. */
static const char *const runtime_functions[] = {"__interceptor_*",
                                                "___interceptor_*"};
static const char *const runtime_files[] = {"*/runtime/entry/interceptors/*"};
static const char *const start_functions[] = {"_start", "__libc_start_*",
                                              "_GLOBAL__sub_I_*", "call_init*"};
static const char *const cpp_modules[] = {"*/libstdc++.so*", "*/libc++.so*",
                                          "*/libc++abi.so*"};

/* Code without hooks that allocates for its caller: what it accesses of such a
   chunk, the interceptors count.  Add here what else is counted. */
static const char *const counted_functions[] = {
    "getline",   "__getline",   "getdelim",   "__getdelim", "_IO_getdelim",
    "realpath",  "realpath*@*", "getcwd",     "__getcwd",   "asprintf",
    "vasprintf", "__asprintf",  "__vasprintf"};

/* What follows "std::" in the name of a function of a sort. */
static const char *const sorts[] = {"__introsort_loop<",
                                    "__insertion_sort<",
                                    "__adjust_heap<",
                                    "__unguarded_linear_insert<",
                                    "sort<",
                                    "stable_sort<",
                                    "__merge_",
                                    "__sort<",
                                    "__move_median_to_first<",
                                    "__1::__sort",
                                    "__1::__stable_sort",
                                    "__1::__insertion_",
                                    "__1::__introsort"};

const char *hp_frame_library(const struct hp_frame *frame) {
  if (hp_frame_is_of_program(frame))
    return NULL;
  const unsigned roles = hp_frame_roles(frame);
  const char *slash = frame->module ? strrchr(frame->module, '/') : NULL;
  if (roles & (HP_ROLE_SYSTEM | HP_ROLE_CPP_LIBRARY | HP_ROLE_OPENMP) &&
      frame->module)
    return slash ? slash + 1 : frame->module;
  return roles & HP_ROLE_PLUMBING    ? "the C++ library"
         : roles & HP_ROLE_ALLOCATOR ? "the allocator"
                                     : "start-up code";
}

static bool is_one_of(const char *text, const char *const *patterns,
                      size_t count) {
  for (size_t i = 0; text && i < count; i++)
    if (hp_pattern_matches(patterns[i], text))
      return true;
  return false;
}

/* Classes of std of which each member is a container's own work, or makes an exception,
   for code without source lines.  What calls back, as std::function, may have the program's code inside. */
static const char *const container_scopes[] = {
    "vector<*", "deque<*", "list<*", "forward_list<*", "map<*", "multimap<*",
    "set<*", "multiset<*", "unordered_map<*", "unordered_multimap<*",
    "unordered_set<*", "unordered_multiset<*", "queue<*", "stack<*",
    "priority_queue<*", "basic_string<*",
    /* Exceptions, and the texts that they have. */
    "*_error", "out_of_range", "invalid_argument", "string", "string::_Rep",
    /* of libstdc++ */
    "_Vector_base<*", "_Bvector_base<*", "_Deque_base<*", "_List_base<*",
    "_Fwd_list_base<*", "_Rb_tree<*", "_Hashtable<*",
    "__detail::_Hashtable_alloc<*", "__detail::_Map_base<*",
    "__detail::_Insert_base<*", "__detail::_Insert<*",
    /* of libc++, which holds what it builds in a pointer */
    "__split_buffer<*", "__list_imp<*", "__forward_list_base<*", "__tree<*",
    "__hash_table<*", "__tree_node_destructor<*", "__hash_node_destructor<*",
    "__bucket_list_deallocator<*", "__allocation_guard<*",
    "unique_ptr<std::__1::__*"};

#define SCOPE_MAX 256u /* a longer one is compared so far */

/* SCOPE behind "std" and a namespace that a library versions its own by; NULL if
   it is not of std. */
static const char *behind_std(const char *scope) {
  static const char *const std[] = {"std::__1", "std::__cxx11", "std"};
  for (size_t i = 0; i < sizeof std / sizeof *std; i++) {
    const size_t length = strlen(std[i]);
    if (strncmp(scope, std[i], length) != 0)
      continue;
    if (!scope[length])
      return scope + length;
    if (scope[length] == ':')
      return scope + length + strlen("::");
  }
  return NULL;
}

/* A member of such a class, or what it copies its elements with. */
static bool is_of_container(const char *function) {
  if (!function || !strstr(function, "std::"))
    return false;
  const struct hp_member_name name = hp_member_parse(function);
  char whole[SCOPE_MAX];
  const size_t length =
      name.scope.length < SCOPE_MAX ? name.scope.length : SCOPE_MAX - 1;
  memcpy(whole, name.scope.begin, length);
  whole[length] = '\0';
  const char *scope = behind_std(whole);
  /* All functions that libc++ helps itself with are called so. */
  if (scope && !*scope)
    return (strcmp(whole, "std::__1") == 0 &&
            strncmp(name.member.begin, "__", 2) == 0) ||
           strncmp(name.member.begin, "__do_uninit_", 12) == 0 ||
           strncmp(name.member.begin, "__uninitialized_", 16) == 0;
  return is_one_of(scope, container_scopes,
                   sizeof container_scopes / sizeof *container_scopes);
}

/* What copies or drops a lambda that a std::function has, at the line of the lambda, is no
   more of the program than what the library does there. */
static bool is_of_lambda(const char *function) {
  static const char *const drops[] = {"::~$_", "}::~", ")::~()"};
  if (!function || (!strstr(function, "$_") && !strstr(function, "lambda")))
    return false;
  for (size_t i = 0; i < sizeof drops / sizeof *drops; i++)
    if (strstr(function, drops[i]))
      return true;
  const struct hp_member_name name = hp_member_parse(function);
  return hp_member_is_of_lambda(&name);
}

static bool is_sort(const char *function) {
  const char *at = function;
  while (at && (at = strstr(at, "std::"))) {
    at += strlen("std::");
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++)
      if (strncmp(at, sorts[i], strlen(sorts[i])) == 0)
        return true;
  }
  return false;
}

unsigned hp_frame_roles(const struct hp_frame *f) {
  unsigned roles = f->roles;
  if (roles)
    return roles;
  roles = HP_ROLE_KNOWN;
#define ROLE(role, text, patterns)                                             \
  if (is_one_of(f->text, patterns, sizeof patterns / sizeof *patterns))        \
  roles |= role
  ROLE(HP_ROLE_ALLOCATOR, function, allocator_functions);
  ROLE(HP_ROLE_PLUMBING, file, plumbing_files);
  ROLE(HP_ROLE_PLUMBING, module, cpp_modules);
  ROLE(HP_ROLE_PLUMBING, function, plumbing_functions);
  if ((!f->file && is_of_container(f->function)) || is_of_lambda(f->function))
    roles |= HP_ROLE_PLUMBING;
  ROLE(HP_ROLE_CPP_LIBRARY, module, cpp_modules);
  ROLE(HP_ROLE_SYSTEM, module, system_modules);
  ROLE(HP_ROLE_OPENMP, module, openmp_modules);
  ROLE(HP_ROLE_START, function, start_functions);
  ROLE(HP_ROLE_RUNTIME, function, runtime_functions);
  ROLE(HP_ROLE_RUNTIME, file, runtime_files);
  ROLE(HP_ROLE_HEADER, file, header_files);
  ROLE(HP_ROLE_INSTALLED, module, installed_modules);
  if (!(roles & (HP_ROLE_PLUMBING | HP_ROLE_HEADER)))
    ROLE(HP_ROLE_INCLUDED, file, included_files);
  if (roles & HP_ROLE_SYSTEM)
    ROLE(HP_ROLE_COUNTED, function, counted_functions);
  if (is_sort(f->function))
    roles |= HP_ROLE_SORT;
#undef ROLE
  return roles;
}
