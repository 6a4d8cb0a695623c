/* container.c - walks a stack from the leaf to the first frame of the program.
   Debug information names inlined frames, too, so that this works when
   optimised.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/container.h"

#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/saturate.h"
#include "finding/argument_copy.h"
#include "finding/short_name.h"
#include "resolve/enlarging.h"
#include "resolve/frame_role.h"
#include "resolve/type_symbol.h"
#include "text/member_name.h"

static const char *const containers[] = {"vector",
                                         "deque",
                                         "queue",
                                         "stack",
                                         "priority_queue",
                                         "list",
                                         "forward_list",
                                         "basic_string",
                                         "string",
                                         "map",
                                         "set",
                                         "multimap",
                                         "multiset",
                                         "function",
                                         "unordered_map",
                                         "any",
                                         "unordered_set",
                                         "basic_stringbuf",
                                         "unordered_multimap",
                                         "unordered_multiset"};
static const char *const of_nodes[] = {
    "std::map<",  "std::set<",          "std::multimap<", "std::multiset<",
    "std::list<", "std::forward_list<", "std::unordered_"};

static bool has_nodes(const char *container) {
  for (size_t i = 0; i < sizeof of_nodes / sizeof *of_nodes; i++)
    if (strncmp(container, of_nodes[i], strlen(of_nodes[i])) == 0)
      return true;
  return false;
}

/* Compiled without our hooks, so that its own accesses are not seen. */
static bool is_plain_library(const struct hp_frame *f) {
  return hp_frame_roles(f) &
         (HP_ROLE_SYSTEM | HP_ROLE_CPP_LIBRARY | HP_ROLE_OPENMP);
}

/* The X of SCOPE, which is std::X<...>, in whatever inline namespace; else empty. */
static struct hp_text_part standard_class(struct hp_text_part scope) {
  if (!hp_part_begins(scope, "std::"))
    return hp_part(scope.begin, scope.begin);
  const char *at = scope.begin + strlen("std::");
  const char *end = scope.begin + scope.length;
  if (at < end && *at == '_') {
    while (at + 1 < end && *at != '<' && memcmp(at, "::", 2) != 0)
      at++;
    if (at + 2 >= end || *at == '<')
      return hp_part(scope.begin, scope.begin);
    at += 2;
  }
  const char *begin = at;
  while (at < end && *at != '<')
    at++;
  return hp_part(begin, at);
}

static bool is_container(struct hp_text_part scope) {
  const struct hp_text_part name = standard_class(scope);
  for (size_t i = 0; i < sizeof containers / sizeof *containers; i++)
    if (hp_part_is(name, containers[i]))
      return true;
  return false;
}

/* The first arguments of the template that SCOPE is of: of a map key and value, of others
   what they hold. */
static struct hp_text_part elements_of(struct hp_text_part scope) {
  const char *end = scope.begin + scope.length;
  const char *open = memchr(scope.begin, '<', scope.length), *at = open;
  if (!open)
    return (struct hp_text_part){scope.begin, 0};
  int depth = 0;
  unsigned left = hp_part_has(hp_part(scope.begin, open), "map") ? 2 : 1;
  for (at++; at < end; at++) {
    if (depth == 0 && (*at == '>' || (*at == ',' && --left == 0)))
      break;
    depth += *at == '<' || *at == '(';
    depth -= *at == '>' || *at == ')';
  }
  return hp_part(open + 1, at);
}

/* INNER is an element of OUTER, or a part of one: a row of std::vector<std::vector<int>>. */
static bool is_held_by(struct hp_text_part inner, struct hp_text_part outer) {
  const struct hp_text_part held = elements_of(outer);
  return inner.length < outer.length && held.length &&
         memmem(held.begin, held.length, inner.begin, inner.length);
}

/* str() of a stream makes a text of what that has; with one given it fills the stream. */
static bool makes_text(const struct hp_member_name *name) {
  return hp_part_is(name->member, "str") && name->parameters.length == 0 &&
         hp_part_has(name->scope, "::basic_stringbuf<");
}

static bool makes_nodes(const char *function) {
  return function &&
         (strstr(function, "_node(") || strstr(function, "_node<") ||
          strstr(function, "__construct_node"));
}

/* FUNCTION takes a block for the elements of a deque of libstdc++, or for where these are,
   whatever has that. */
static bool makes_block(const char *function) {
  static const char class[] = "std::_Deque_base<";
  return function && strncmp(function, class, sizeof class - 1) == 0 &&
         (strstr(function, "::_M_allocate_node(") ||
          strstr(function, "::_M_allocate_map("));
}

/* Of containers that hold one another the innermost one, up to the frame DEPTH, has the
   chunk, also one that a class of the program has, as a std::string of a record that a
   std::vector copies.  OUTER is the outermost. */
static hp_status find_holder(struct hp_origin *origin,
                             const struct hp_point *point, size_t depth,
                             struct hp_text_part outer, struct hp_store *store,
                             struct hp_error *error) {
  struct hp_text_part holder = outer;
  bool in_record = false;
  for (size_t i = depth; i-- > 0;) {
    if (!point->stack[i]->function)
      continue;
    const struct hp_member_name name =
        hp_member_parse(point->stack[i]->function);
    in_record = in_record || (hp_frame_is_of_program(point->stack[i]) &&
                              hp_member_copies(&name));
    if (is_container(name.scope) &&
        (in_record || is_held_by(name.scope, holder))) {
      holder = name.scope;
      in_record = false;
    }
  }
  origin->holder = origin->container;
  return holder.begin == outer.begin
             ? HP_OK
             : hp_short_name(&origin->holder, holder, store, error);
}

/* The constructor NAME is given a view, in whatever inline namespace that is. */
static bool is_of_view(const struct hp_member_name *name) {
  return hp_part_is(standard_class(name->parameters), "basic_string_view");
}

/* libc++'s constructors of a text that are templates keep mangled names, too: what the one
   that is FUNCTION is given; NULL: it is none. */
static const char *mangled_text_of(const char *function) {
  static const char begin[] =
      "_ZNSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEC";
  const size_t length = sizeof begin - 1;
  return function && strncmp(function, begin, length) == 0 ? function + length
                                                           : NULL;
}

/* What puts an element into a container, the frame DEPTH of POINT, makes that text of a view. */
static bool puts_view(const struct hp_point *point, size_t depth) {
  while (depth-- > 0) {
    const char *function = point->stack[depth]->function;
    const char *made_of = mangled_text_of(function);
    if (made_of)
      return strstr(made_of, "basic_string_view");
    if (!function)
      continue;
    const struct hp_member_name name = hp_member_parse(function);
    if (hp_member_is_constructor(&name) &&
        hp_part_is(standard_class(name.scope), "basic_string"))
      return is_of_view(&name);
  }
  return false;
}

/* By what a text is made that the place of ORIGIN asked the library for: NAME, or what has the
   mangled name MADE_OF. */
static void find_text(struct hp_origin *origin,
                      const struct hp_member_name *name, bool is_outermost,
                      const char *made_of) {
  const bool by_name = origin->constructs && is_outermost;
  origin->of_chars =
      (by_name && hp_part_begins(name->parameters, "char const*")) ||
      (made_of &&
       hp_part_ends(hp_part(made_of, made_of + strlen(made_of)), "PKc"));
  origin->of_view = (by_name && is_of_view(name)) ||
                    (made_of && strstr(made_of, "basic_string_view"));
  origin->of_part = is_outermost && hp_part_is(name->member, "substr");
}

/* MEMBER puts one element into a container that is there: that is not made anew. */
static bool puts_element(struct hp_text_part member) {
  static const char *const members[] = {
      "push_back", "emplace_back", "push_front", "emplace_front",
      "push",      "emplace",      "insert"};
  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    if (hp_part_begins(member, members[i]))
      return true;
  return false;
}

/* Whether FUNCTION is given one of the type SCOPE, to change it. */
static bool is_given(const char *function, struct hp_text_part scope) {
  const char *at = function;
  while (at && (at = memmem(at, strlen(at), scope.begin, scope.length))) {
    at += scope.length;
    if (*at == '&' || *at == '*')
      return true;
  }
  return false;
}

/* What the place of POINT called; of no name if there is none. */
static struct hp_member_name called_by_place(const struct hp_point *point) {
  const size_t place = hp_place_depth(point);
  if (!place || place == point->stack_count ||
      !point->stack[place - 1]->function)
    return (struct hp_member_name){0};
  return hp_member_parse(point->stack[place - 1]->function);
}

bool hp_place_copies(const struct hp_point *point) {
  const struct hp_member_name name = called_by_place(point);
  return name.member.length && hp_member_copies(&name);
}

bool hp_place_assigns(const struct hp_point *point) {
  const struct hp_member_name name = called_by_place(point);
  return hp_member_is_assignment(&name);
}

/* The place of POINT itself copies a container, with elements that copy what they hold. */
static bool place_copies_container(const struct hp_point *point, size_t depth) {
  return hp_place_depth(point) > depth && hp_place_copies(point) &&
         is_container(called_by_place(point).scope);
}

bool hp_origin_is_copy(const struct hp_point *point) {
  const size_t depth = hp_place_innermost(point);
  if (!depth || depth == point->stack_count ||
      !point->stack[depth - 1]->function)
    return false;
  const struct hp_member_name name =
      hp_member_parse(point->stack[depth - 1]->function);
  return is_container(name.scope) && hp_member_copies(&name);
}

/* The outermost copy on the way to the place is of what the program copies, also where
   it is a library's class: by_header if a function of that one asks for the copy. */
static hp_status find_copied(struct hp_origin *origin,
                             const struct hp_point *point, size_t depth,
                             struct hp_store *store, struct hp_error *error) {
  bool inside = false;
  for (size_t i = hp_place_depth(point); i-- > depth;) {
    const char *function = point->stack[i]->function;
    if (!function || !hp_frame_is_of_program(point->stack[i]))
      continue;
    const struct hp_member_name name = hp_member_parse(function);
    if (hp_member_copies(&name)) {
      origin->by_header = origin->by_header && inside;
      return hp_short_name(&origin->copied, name.scope, store, error);
    }
    inside = inside || hp_frame_is_included(point->stack[i]);
  }
  return HP_OK;
}

/* What this compiler's names of it cannot be taken apart stays mangled. */
static bool is_mangled_pair(const char *function) {
  static const char mangled[] = "_ZNSt4pairI";
  return strncmp(function, mangled, sizeof mangled - 1) == 0;
}

/* FUNCTION, which makes a std::pair of another one, makes it of its own type. */
static bool copies_same_pair(const char *function) {
  if (is_mangled_pair(function))
    return false;
  const struct hp_member_name name = hp_member_parse(function);
  return hp_member_is_constructor(&name) && hp_member_copies(&name);
}

/* FUNCTION makes a std::pair of another one, of the same types or of those that it
   becomes of. */
static bool copies_pair(const char *function) {
  if (!function)
    return false;
  if (is_mangled_pair(function))
    return strstr(function, "ERKS_I");
  const struct hp_member_name name = hp_member_parse(function);
  const struct hp_text_part from = name.parameters;
  return hp_member_is_constructor(&name) &&
         hp_part_begins(name.scope, "std::pair<") &&
         hp_part_begins(from, "std::pair<") && hp_part_ends(from, " const&");
}

/* Which of those that hold a few objects inside themselves FUNCTION makes a copy of. */
static const char *copied_holder(const char *function) {
  static const char *const holders[] = {"std::optional", "std::variant",
                                        "std::tuple", "std::array"};
  if (!function)
    return NULL;
  const struct hp_member_name name = hp_member_parse(function);
  if (!hp_member_is_constructor(&name) || !hp_member_copies(&name))
    return NULL;
  const struct hp_text_part class = standard_class(name.scope);
  for (size_t i = 0; i < sizeof holders / sizeof *holders; i++)
    if (hp_part_is(class, holders[i] + strlen("std::")))
      return holders[i];
  return NULL;
}

/* FUNCTION is of such a holder, or a pair, or makes one: what is copied inside it was given
   to it, as a text for a std::optional<std::string> is. */
static bool is_of_holder(const char *function) {
  static const char *const mangled[] = {
      "_ZNSt8optionalI",     "_ZNSt7variantI",     "_ZNSt5tupleI",
      "_ZNSt3__18optionalI", "_ZNSt3__17variantI", "_ZNSt3__15tupleI",
      "_ZNSt4pairI",         "_ZNSt3__14pairI"};
  static const char *const names[] = {"optional", "variant", "tuple", "pair"};
  if (!function)
    return false;
  for (size_t i = 0; i < sizeof mangled / sizeof *mangled; i++)
    if (strncmp(function, mangled[i], strlen(mangled[i])) == 0)
      return true;
  const struct hp_member_name name = hp_member_parse(function);
  const struct hp_text_part class = standard_class(name.scope);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (hp_part_is(class, names[i]))
      return true;
  return false;
}

/* FUNCTION gives who calls it a copy of what it was given, or of what that holds. */
static bool hands_out_copy(const char *function) {
  if (!function)
    return false;
  const struct hp_member_name name = hp_member_parse(function);
  return is_of_holder(function) || (hp_part_begins(name.scope, "std") &&
                                    hp_part_begins(name.member, "any_cast"));
}

/* What of that kind FUNCTION, which PLACE calls, copies. */
static void find_pair(struct hp_origin *origin, const char *function) {
  if (copies_pair(function)) {
    origin->pair = "std::pair";
    origin->pair_is_same = copies_same_pair(function);
  } else if ((origin->pair = copied_holder(function))) {
    origin->pair_is_same = true;
  }
}

/* Adaptors that have a vector, or two, and no reserve. */
static const char *find_flat(const struct hp_point *point, size_t depth) {
  static const char *const flat[] = {"std::flat_map", "std::flat_multimap",
                                     "std::flat_set", "std::flat_multiset"};
  for (size_t i = 0; i < depth; i++) {
    if (!point->stack[i]->function)
      continue;
    const struct hp_member_name name =
        hp_member_parse(point->stack[i]->function);
    const struct hp_text_part class = standard_class(name.scope);
    for (size_t k = 0; k < sizeof flat / sizeof *flat; k++)
      if (hp_part_is(class, flat[k] + strlen("std::")))
        return flat[k];
  }
  return NULL;
}

/* Algorithms that take a buffer for half of what they are given. */
static const char *const buffered[] = {"std::stable_sort", "std::inplace_merge",
                                       "std::stable_partition"};

/* Which of them asked for a temporary buffer, innermost, in DEPTH frames; NULL: none
   did.  The outermost that has the name is the one the program called. */
static const char *find_sorter(const struct hp_point *point, size_t depth) {
  const char *innermost = depth ? point->stack[0]->function : NULL;
  if (!innermost || !strstr(innermost, "temporary_buffer"))
    return NULL;
  for (size_t i = depth; i-- > 0;)
    for (size_t k = 0; k < sizeof buffered / sizeof *buffered; k++)
      if (point->stack[i]->function &&
          strstr(point->stack[i]->function, buffered[k] + strlen("std::")))
        return buffered[k];
  return NULL;
}

/* FRAME is in a library of the system, and PLACE in none. */
static bool is_of_other(const struct hp_frame *frame,
                        const struct hp_frame *place) {
  return hp_frame_roles(frame) & HP_ROLE_INSTALLED &&
         !(hp_frame_roles(place) & HP_ROLE_INSTALLED);
}

hp_status hp_origin_find(struct hp_origin *origin, const struct hp_point *point,
                         struct hp_store *store, struct hp_error *error) {
  *origin = (struct hp_origin){0};
  size_t depth = hp_place_innermost(point);
  origin->place = point->place;
  if (!origin->place)
    return HP_OK;
  origin->libc = hp_place_libc_text(point);
  origin->called_libc = hp_place_called_libc(point);
  origin->by_library = origin->libc != HP_LIBC_NONE;
  origin->by_header = depth < point->stack_count &&
                      hp_frame_is_included(point->stack[depth]) &&
                      !hp_frame_is_included(origin->place);
  origin->is_block = hp_type_is_resource_block(point->type);
  if (origin->is_block) {
    origin->by_library = true;
    return HP_OK;
  }
  origin->copies_held = place_copies_container(point, depth);
  if (origin->copies_held)
    depth = hp_place_depth(point);
  HP_TRY(find_copied(origin, point, depth, store, error));
  origin->is_argument = hp_copies_argument(point, &depth);
  if (depth)
    find_pair(origin, point->stack[depth - 1]->function);
  origin->joins_texts =
      depth && hp_joins_texts(point->stack[depth - 1]->function);
  for (size_t i = 0; i < depth; i++)
    origin->by_library = origin->by_library ||
                         is_plain_library(point->stack[i]) ||
                         is_of_other(point->stack[i], origin->place);
  origin->sorter = find_sorter(point, depth);
  origin->flat = find_flat(point, depth);
  /* A deque's node is a block, not one element. */
  for (size_t i = 0; i < depth; i++) {
    if (makes_nodes(point->stack[i]->function) &&
        !strstr(point->stack[i]->function, "_Deque"))
      origin->is_node = hp_enlarging_of(point) == HP_ENLARGES_NOTHING;
    origin->is_deque_block =
        origin->is_deque_block || makes_block(point->stack[i]->function);
  }
  /* The outermost container is the one the program wrote. */
  for (size_t i = depth; i-- > 0;) {
    if (!point->stack[i]->function)
      continue;
    struct hp_member_name name = hp_member_parse(point->stack[i]->function);
    if (!is_container(name.scope) || makes_text(&name))
      continue;
    const char *made_of =
        i + 2 == depth ? mangled_text_of(point->stack[i + 1]->function) : NULL;
    origin->constructs = made_of || hp_member_is_constructor(&name);
    /* What the library copies by itself, as operator+ does, it changes. */
    origin->copies =
        hp_member_copies(&name) &&
        (i + 1 == depth ||
         (!origin->pair && hands_out_copy(point->stack[depth - 1]->function)));
    HP_TRY(hp_short_name(&origin->container, name.scope, store, error));
    HP_TRY(find_holder(origin, point, i, name.scope, store, error));
    origin->has_nodes = has_nodes(origin->container);
    const bool puts = !origin->has_nodes && puts_element(name.member);
    if (puts)
      origin->container = origin->holder;
    origin->is_text = strcmp(origin->container, "std::string") == 0;
    if (origin->is_text)
      find_text(origin, &name, i + 1 == depth, made_of);
    if (origin->is_text && puts)
      origin->of_view = puts_view(point, i);
    origin->fills = i + 1 == depth && !origin->constructs &&
                    is_given(origin->place->function, name.scope);
    return HP_OK;
  }
  return HP_OK;
}

/* On the way from the program to FREED's free. */
static bool is_by_destructor(const struct hp_freed *freed) {
  for (size_t i = 0; i < freed->stack_count; i++) {
    const char *function = freed->stack[i]->function;
    if (!function)
      continue;
    const struct hp_member_name name = hp_member_parse(function);
    if (name.member.length && *name.member.begin == '~' &&
        is_container(name.scope))
      return true;
    if (hp_frame_is_of_program(freed->stack[i]))
      return false;
  }
  return false;
}

/* Which of POINT's frees are BY it are all but 1/8. */
static bool are_mostly(const struct hp_point *point,
                       bool (*by)(const struct hp_freed *)) {
  uint64_t yes = 0, no = 0;
  for (size_t i = 0; i < point->freed_count; i++)
    if (point->freed[i].has_stack) {
      uint64_t *chunks = by(&point->freed[i]) ? &yes : &no;
      *chunks = hp_add(*chunks, point->freed[i].chunks);
    }
  return yes && no <= yes / 8;
}

bool hp_origin_is_dropped(const struct hp_point *point) {
  return are_mostly(point, is_by_destructor);
}

/* A destructor of a class of the program drops what it has. */
static bool is_with_object(const struct hp_freed *freed) {
  for (size_t i = 0; i < freed->stack_count; i++)
    if (hp_frame_is_of_program(freed->stack[i])) {
      const char *function = freed->stack[i]->function;
      return function && hp_part_begins(hp_member_parse(function).member, "~");
    }
  return false;
}

/* What a copy of a class has is copied with that, which is the program's to avoid. */
bool hp_origin_is_member(const struct hp_point *point) {
  return hp_place_depth(point) == hp_place_innermost(point) &&
         are_mostly(point, is_with_object);
}

/* By what made the node, and then found its key there; of libstdc++ and of libc++. */
static bool is_by_emplace(const struct hp_freed *freed) {
  for (size_t i = 0; i < freed->stack_count; i++) {
    const char *function = freed->stack[i]->function;
    if (function && (strstr(function, "::_M_emplace") ||
                     strstr(function, "::__emplace_unique")))
      return true;
    if (hp_frame_is_of_program(freed->stack[i]))
      return false;
  }
  return false;
}

bool hp_origin_is_emplaced_in_vain(const struct hp_point *point) {
  return are_mostly(point, is_by_emplace);
}

/* libstdc++ calls what the program compares by from an object of its own. */
static bool is_comparison(const struct hp_frame *frame) {
  static const char objects[] = "__gnu_cxx::__ops::";
  const char *at = frame->function ? strstr(frame->function, objects) : NULL;
  const char *arguments = frame->function ? strchr(frame->function, '<') : NULL;
  return at && (!arguments || at < arguments) && strstr(at, "::operator()");
}

/* Such an object is made of what the program compares by, or of another one. */
static bool makes_comparison(const struct hp_frame *frame) {
  static const char objects[] = "__gnu_cxx::__ops::";
  return frame->function &&
         strncmp(frame->function, objects, sizeof objects - 1) == 0 &&
         !is_comparison(frame);
}

hp_status hp_sort_find(const struct hp_frame **sorter, const char **subject,
                       bool *compares, const struct hp_point *point,
                       struct hp_store *store, struct hp_error *error) {
  *sorter = NULL;
  *subject = NULL;
  *compares = false;
  size_t sort = 0, copy = 0;
  if (hp_type_is_resource_block(point->type))
    return HP_OK;
  while (sort < point->stack_count &&
         !(hp_frame_roles(point->stack[sort]) & HP_ROLE_SORT))
    sort++;
  if (sort == point->stack_count)
    return HP_OK;
  /* The outermost copy is of what is sorted, the others of its members. */
  struct hp_member_name name = {0};
  for (copy = sort; copy-- > 0;)
    if (point->stack[copy]->function) {
      name = hp_member_parse(point->stack[copy]->function);
      if (hp_member_copies(&name))
        break;
    }
  if (copy >= sort)
    return HP_OK;
  while (sort < point->stack_count &&
         !hp_frame_is_of_program(point->stack[sort]))
    sort++;
  if (sort == point->stack_count)
    return HP_OK;
  *sorter = point->stack[sort];
  for (size_t i = copy; i < sort; i++)
    if (makes_comparison(point->stack[i]))
      return HP_OK;
  while (++copy < sort && !*compares)
    *compares = is_comparison(point->stack[copy]);
  return hp_short_name(subject, name.scope, store, error);
}
