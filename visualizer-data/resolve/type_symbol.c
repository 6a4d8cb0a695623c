/* type_symbol.c - see type_symbol.h: allocate() of an allocator template names
   its T; a table knows what functions of the C and C++ libraries allocate.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/type_symbol.h"

#include <string.h>

#include "base/failure.h"
#include "base/pattern.h"
#include "resolve/frame_role.h"

/* Frames between the table's functions and malloc are few. */
#define HP_SYMBOL_FRAMES 4u

static const struct {
  const char *function, *type;
} known[] = {
    {"std::__cxx11::basic_string<char,*", "char"},
    {"std::__cxx11::basic_string<wchar_t,*", "wchar_t"},
    {"std::__cxx11::basic_string<char16_t,*", "char16_t"},
    {"std::__cxx11::basic_string<char32_t,*", "char32_t"},
    {"std::string::*", "char"},
    {"std::basic_string<char,*", "char"},
    {"void std::__cxx11::basic_string<char,*", "char"},
    {"std::__cxx11::basic_stringbuf<char,*", "char"},
    {"std::basic_filebuf<char,*", "char"},
    {"std::logic_error::*", "char"},
    {"std::runtime_error::*", "char"},
    {"std::pmr::monotonic_buffer_resource::*", HP_TYPE_RESOURCE_BLOCK},
    {"std::pmr::__pool_resource::*", HP_TYPE_RESOURCE_BLOCK},
    {"std::pmr::unsynchronized_pool_resource::*", HP_TYPE_RESOURCE_BLOCK},
    {"std::pmr::synchronized_pool_resource::*", HP_TYPE_RESOURCE_BLOCK},
    /* The same of libc++. */
    {"std::__1::basic_string<char,*", "char"},
    {"std::__1::basic_string<wchar_t,*", "wchar_t"},
    {"std::__1::pmr::monotonic_buffer_resource::*", HP_TYPE_RESOURCE_BLOCK},
    {"std::__1::pmr::unsynchronized_pool_resource::*", HP_TYPE_RESOURCE_BLOCK},
    {"std::__1::pmr::synchronized_pool_resource::*", HP_TYPE_RESOURCE_BLOCK},
    {"__cxa_allocate_exception", "exception object"},
    {"__cxa_allocate_dependent_exception", "dependent exception"},
    {"__cxa_rethrow_primary_exception", "dependent exception"}, /* libc++ */
    {"__cxa_get_globals", "exception globals"},
    {"*emergency_pool*", "exception pool"},
    {"*(anonymous namespace)::pool::pool*", "exception pool"},
    {"_GLOBAL__sub_I_eh_alloc.cc", "exception pool"},
    {"fopen*", "FILE"},
    {"_IO_fopen*", "FILE"},
    {"fdopen*", "FILE"},
    {"_IO_new_fdopen*", "FILE"},
    {"popen*", "FILE"},
    {"tmpfile*", "FILE"},
    {"fmemopen*", "FILE"},
    {"open_memstream*", "FILE"},
    {"*_IO_file_doallocate", "stdio buffer"},
    {"*fopen_internal", "FILE"},
    {"__nss_*", "name service"},
    {"opendir*", "DIR"},
    {"fdopendir*", "DIR"},
    {"__alloc_dir", "DIR"},
    {"getline", "char"},
    {"getdelim", "char"},
    {"__getdelim", "char"},
    {"_IO_getdelim", "char"},
    {"asprintf", "char"},
    {"vasprintf", "char"},
    {"__asprintf*", "char"},
    {"__vasprintf*", "char"},
    {"wcsdup", "wchar_t"},
    {"realpath*", "char"},
    {"getcwd", "char"},
    {"setenv", "char"},
    {"putenv", "char"},
    {"*_IO_str_overflow", "char"},
    {"*_IO_wstr_overflow", "wchar_t"},
    {"_obstack_*", "obstack block"},
    {"qsort*", "sort buffer"},
    {"_dl_allocate_tls", "thread-local storage"},
    {"allocate_dtv", "thread-local storage"},
    {"_dl_new_object", "shared library"},
};

static bool is_word_of(const char *word, size_t length) {
  static const char *const words[] = {
      "char",    "signed",   "unsigned", "short",    "int",       "long",
      "float",   "double",   "bool",     "_Bool",    "void",      "wchar_t",
      "char8_t", "char16_t", "char32_t", "__int128", "std::byte", "const"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0)
      return true;
  return false;
}

bool hp_type_is_scalar(const char *type) {
  const size_t length = strlen(type);
  if (length && (type[length - 1] == '*' || type[length - 1] == ')'))
    return true;
  for (const char *at = type; *at;) {
    const size_t word = strcspn(at, " ");
    if (!is_word_of(at, word))
      return false;
    at += word + (at[word] == ' ');
  }
  return true;
}

bool hp_type_is_resource_block(const char *type) {
  return type && strcmp(type, HP_TYPE_RESOURCE_BLOCK) == 0;
}

/* Whether the name from CLASS to END has "alloc" or "Alloc" in it. */
static bool is_allocator(const char *class, const char *end) {
  for (; end - class >= 5; class++)
    if ((*class == 'a' || *class == 'A') && memcmp(class + 1, "lloc", 4) == 0)
      return true;
  return false;
}

/* T of "...alloc...<T, ...>::allocate(...": LENGTH bytes; NULL if it is none.
 */
static const char *element_of(const char *function, size_t *length) {
  const char *call = strstr(function, ">::allocate(");
  if (!call)
    return NULL;
  const char *open = call;
  for (int depth = 1; depth > 0;) {
    if (open == function)
      return NULL;
    open--;
    depth += *open == '>';
    depth -= *open == '<';
  }
  const char *class = open;
  while (class > function && class[-1] != ':' && class[-1] != ' ')
    class--;
  /* The T of allocator_traits<T> is the allocator. */
  if (!is_allocator(class, open) ||
      strncmp(class, "allocator_traits<", 17) == 0)
    return NULL;
  const char *end = ++open;
  for (int depth = 0; end < call && (*end != ',' || depth > 0); end++) {
    depth += *end == '<' || *end == '(';
    depth -= *end == '>' || *end == ')';
  }
  while (end > open && end[-1] == ' ')
    end--;
  *length = (size_t)(end - open);
  bool is_void = *length == 4 && memcmp(open, "void", 4) == 0;
  return *length && !is_void ? open : NULL;
}

/* Functions that libstdc++ does not export have no name; who called them does. */
static bool is_nameless(const struct hp_frame *frame) {
  return !frame->function && frame->module &&
         strstr(frame->module, "/libstdc++.so") != NULL;
}

/* By its file, or else by its module, which a name alone does not have.  A memory
   resource of the program's own passes on what std's asks of it. */
static bool is_of_program(const struct hp_frame *frame) {
  if (frame->file)
    return strncmp(frame->file, "/usr/", 5) != 0;
  return frame->module && hp_frame_is_of_program(frame) &&
         strncmp(frame->function, "std::", 5) != 0 &&
         !strstr(frame->function, "::do_allocate(");
}

hp_status hp_type_by_symbol(struct hp_store *store,
                            const struct hp_frame *const *frames, size_t count,
                            const char **type, enum hp_provenance *how,
                            struct hp_error *error) {
  *type = NULL;
  if (count > HP_SYMBOL_FRAMES)
    count = HP_SYMBOL_FRAMES;
  for (size_t i = 0; i < count; i++) {
    if (is_nameless(frames[i]))
      continue;
    if (!frames[i]->function)
      return HP_OK;
    size_t length;
    const char *element = element_of(frames[i]->function, &length);
    if (element) {
      *how = HP_PROVENANCE_INSTANTIATION;
      *type = hp_store_text(store, element, length);
      return *type ? HP_OK : hp_fail_memory(error);
    }
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
      if (hp_pattern_matches(known[k].function, frames[i]->function)) {
        *how = HP_PROVENANCE_SYMBOL;
        *type = known[k].type;
        return HP_OK;
      }
    /* The program's own code ends what a library's functions tell, which may have
       called it, as qsort does. */
    if (is_of_program(frames[i]))
      return HP_OK;
  }
  return HP_OK;
}
