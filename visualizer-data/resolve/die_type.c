/* die_type.c - see die_type.h.  Chains of types are followed so far, as damage may
   make circles of them; libdw's own functions follow them without end.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/die_type.h"

#include "resolve/die_walk.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHAIN_MAX 64u /* types of types */
#define POINTER_BYTES 8u
#define SIZE_MOST (UINT64_C(1) << 47)

bool hp_die_is_record(Dwarf_Die *die) {
  const int tag = dwarf_tag(die);
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
         tag == DW_TAG_union_type;
}

bool hp_die_type(Dwarf_Die *die, Dwarf_Die *type) {
  Dwarf_Attribute attribute;
  return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute),
                           type) != NULL;
}

static bool is_wrapper(int tag) {
  return tag == DW_TAG_typedef || tag == DW_TAG_const_type ||
         tag == DW_TAG_volatile_type || tag == DW_TAG_atomic_type ||
         tag == DW_TAG_restrict_type || tag == DW_TAG_template_alias;
}

bool hp_die_peel(Dwarf_Die *type, Dwarf_Die *bare) {
  *bare = *type;
  for (unsigned i = 0; i < CHAIN_MAX; i++) {
    Dwarf_Attribute attribute;
    Dwarf_Die next;
    if (dwarf_hasattr(bare, DW_AT_signature) &&
        dwarf_formref_die(dwarf_attr(bare, DW_AT_signature, &attribute),
                          &next)) {
      *bare = next;
      continue;
    }
    if (!is_wrapper(dwarf_tag(bare)))
      return true;
    if (!hp_die_type(bare, &next))
      return false;
    *bare = next;
  }
  return false;
}

bool hp_die_number(Dwarf_Die *die, unsigned name, uint64_t *number) {
  Dwarf_Attribute attribute;
  Dwarf_Word value;
  if (dwarf_formudata(dwarf_attr(die, name, &attribute), &value) != 0)
    return false;
  *number = value;
  return true;
}

uint64_t hp_die_elements(Dwarf_Die *array) {
  Dwarf_Die dimension;
  uint64_t all = 1;
  bool any = hp_die_first_child(array, &dimension);
  for (bool more = any; more;
       more = hp_die_next_sibling(&dimension, &dimension)) {
    uint64_t count = 0, last;
    if (dwarf_tag(&dimension) != DW_TAG_subrange_type)
      continue;
    if (!hp_die_number(&dimension, DW_AT_count, &count) &&
        hp_die_number(&dimension, DW_AT_upper_bound, &last))
      count = last + 1; /* an array of 0 may be written as one up to -1 */
    if (__builtin_mul_overflow(all, count, &all) || all > SIZE_MOST)
      return 0;
  }
  return any ? all : 0;
}

static bool size_of(Dwarf_Die *type, uint64_t *size, unsigned depth) {
  Dwarf_Die bare, element;
  if (depth > CHAIN_MAX || !hp_die_peel(type, &bare))
    return false;
  if (hp_die_number(&bare, DW_AT_byte_size, size))
    return *size <= SIZE_MOST;
  switch (dwarf_tag(&bare)) {
  case DW_TAG_pointer_type:
  case DW_TAG_reference_type:
  case DW_TAG_rvalue_reference_type:
  case DW_TAG_unspecified_type: /* std::nullptr_t */
    *size = POINTER_BYTES;
    return true;
  case DW_TAG_ptr_to_member_type: /* to a function: two words */
    *size = hp_die_type(&bare, &element) &&
                    dwarf_tag(&element) == DW_TAG_subroutine_type
                ? 2 * POINTER_BYTES
                : POINTER_BYTES;
    return true;
  case DW_TAG_array_type:
    return hp_die_type(&bare, &element) && size_of(&element, size, depth + 1) &&
           !__builtin_mul_overflow(*size, hp_die_elements(&bare), size) &&
           *size <= SIZE_MOST;
  case DW_TAG_enumeration_type:
    return hp_die_type(&bare, &element) && size_of(&element, size, depth + 1);
  default:
    return false;
  }
}

bool hp_die_size(Dwarf_Die *type, uint64_t *size) {
  *size = 0;
  return size_of(type, size, 0);
}

static uint64_t align_of(Dwarf_Die *type, unsigned depth);

bool hp_die_is_empty_library(Dwarf_Die *record) {
  const char *name = dwarf_diename(record);
  return name && strncmp(name, "allocator<", 10) == 0 &&
         dwarf_hasattr(record, DW_AT_declaration);
}

static uint64_t align_of_record(Dwarf_Die *record, unsigned depth) {
  Dwarf_Die child, type;
  uint64_t most = 1;
  bool any = hp_die_first_child(record, &child);
  for (bool more = any; more; more = hp_die_next_sibling(&child, &child)) {
    const int tag = dwarf_tag(&child);
    uint64_t align;
    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
        !(dwarf_hasattr(&child, DW_AT_data_member_location) ||
          dwarf_hasattr(&child, DW_AT_data_bit_offset) ||
          dwarf_tag(record) == DW_TAG_union_type))
      continue;
    if (!hp_die_type(&child, &type))
      return 0;
    if (tag == DW_TAG_inheritance && hp_die_is_empty_library(&type))
      continue;
    if (!hp_die_number(&child, DW_AT_alignment, &align))
      align = align_of(&type, depth + 1);
    if (align == 0)
      return 0;
    most = align > most ? align : most;
  }
  return most;
}

/* A power of two. */
static uint64_t whole_align(uint64_t size) {
  return size && (size & (size - 1)) == 0 && size <= 64 ? size : 0;
}

static uint64_t align_of(Dwarf_Die *type, unsigned depth) {
  Dwarf_Die bare, element;
  uint64_t align, size;
  if (depth > CHAIN_MAX)
    return 0;
  if (hp_die_number(type, DW_AT_alignment, &align))
    return whole_align(align);
  if (!hp_die_peel(type, &bare))
    return 0;
  if (hp_die_number(&bare, DW_AT_alignment, &align))
    return whole_align(align);
  if (dwarf_hasattr(&bare, DW_AT_declaration))
    return 0;
  switch (dwarf_tag(&bare)) {
  case DW_TAG_structure_type:
  case DW_TAG_class_type:
  case DW_TAG_union_type:
    return align_of_record(&bare, depth);
  case DW_TAG_array_type:
    if (dwarf_hasattr(&bare, DW_AT_GNU_vector))
      return hp_die_size(&bare, &size) ? whole_align(size) : 0;
    return hp_die_type(&bare, &element) ? align_of(&element, depth + 1) : 0;
  case DW_TAG_ptr_to_member_type:
    return POINTER_BYTES;
  case DW_TAG_base_type:
    if (hp_die_number(&bare, DW_AT_encoding, &align) &&
        align == DW_ATE_complex_float)
      return hp_die_size(&bare, &size) ? whole_align(size / 2) : 0;
    return hp_die_size(&bare, &size) ? whole_align(size) : 0;
  default:
    return hp_die_size(&bare, &size) ? whole_align(size) : 0;
  }
}

uint64_t hp_die_align(Dwarf_Die *type) { return align_of(type, 0); }

/* dwarf_decl_file() of libdw 0.188 knows no file 0, which DWARF 5 has. */
const char *hp_die_file(Dwarf_Die *die) {
  Dwarf_Die unit;
  Dwarf_Files *files;
  size_t count;
  uint64_t number;
  return hp_die_number(die, DW_AT_decl_file, &number) &&
                 dwarf_diecu(die, &unit, NULL, NULL) &&
                 dwarf_getsrcfiles(&unit, &files, &count) == 0 && number < count
             ? dwarf_filesrc(files, number, NULL, NULL)
             : NULL;
}

/* ---- spelling ------------------------------------------------------------ */

static void put_type(FILE *out, Dwarf_Die *type, bool is_known, unsigned depth);

static void put_target(FILE *out, Dwarf_Die *type, const char *sign,
                       unsigned depth) {
  Dwarf_Die to;
  const bool is_known = hp_die_type(type, &to);
  put_type(out, &to, is_known, depth + 1);
  const int tag = is_known ? dwarf_tag(&to) : 0;
  const bool joins = tag == DW_TAG_pointer_type;
  fprintf(out, "%s%s", joins ? "" : " ", sign);
}

static void put_qualified(FILE *out, Dwarf_Die *type, const char *word,
                          unsigned depth) {
  Dwarf_Die to;
  const bool is_known = hp_die_type(type, &to);
  const bool behind = is_known && dwarf_tag(&to) == DW_TAG_pointer_type;
  if (!behind)
    fprintf(out, "%s ", word);
  put_type(out, &to, is_known, depth + 1);
  if (behind)
    fputs(word, out);
}

static void put_type(FILE *out, Dwarf_Die *type, bool is_known,
                     unsigned depth) {
  Dwarf_Die to;
  if (!is_known || depth > CHAIN_MAX) {
    fputs(is_known ? "..." : "void", out);
    return;
  }
  const char *name = dwarf_diename(type);
  switch (dwarf_tag(type)) {
  case DW_TAG_pointer_type:
    put_target(out, type, "*", depth);
    break;
  case DW_TAG_reference_type:
    put_target(out, type, "&", depth);
    break;
  case DW_TAG_rvalue_reference_type:
    put_target(out, type, "&&", depth);
    break;
  case DW_TAG_const_type:
  case DW_TAG_volatile_type:
    put_qualified(out, type,
                  dwarf_tag(type) == DW_TAG_const_type ? "const" : "volatile",
                  depth);
    break;
  case DW_TAG_atomic_type:
  case DW_TAG_restrict_type:
    is_known = hp_die_type(type, &to);
    put_type(out, &to, is_known, depth + 1);
    break;
  case DW_TAG_array_type:
    is_known = hp_die_type(type, &to);
    put_type(out, &to, is_known, depth + 1);
    if (hp_die_elements(type))
      fprintf(out, " [%" PRIu64 "]", hp_die_elements(type));
    else
      fputs(" []", out);
    break;
  case DW_TAG_subroutine_type:
    fputs("function", out);
    break;
  default: /* in its type unit */
    if (!name && hp_die_peel(type, &to))
      name = dwarf_diename(&to);
    fputs(name ? name : hp_die_is_record(type) ? "(unnamed)" : "...", out);
  }
}

const char *hp_die_spelling(struct hp_store *store, Dwarf_Die *type) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    return NULL;
  put_type(out, type, true, 0);
  const bool is_whole = fclose(out) == 0 && text;
  const char *kept = is_whole ? hp_store_text(store, text, length) : NULL;
  free(text);
  return kept;
}
