/* place.c - goes outward from the innermost frame of the program while that is
   plumbing: a wrapper, a copy of a class, a container that makes room.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/place.h"

#include <ctype.h>
#include <string.h>

#include "base/failure.h"
#include "base/pattern.h"
#include "profile/freed.h"
#include "profile/own_chunks.h"
#include "profile/passage.h"
#include "profile/wrapper_name.h"
#include "resolve/frame_role.h"
#include "resolve/site.h"
#include "text/member_name.h"

#define HP_FAR 64u /* frames that a place is looked for in */

static size_t past_libraries(const struct hp_point *point) {
  return hp_site_outside(point->stack, point->stack_count, 0);
}

static bool is_installed(const struct hp_frame *f) {
  return hp_frame_roles(f) & HP_ROLE_INSTALLED;
}

/* DEPTH frames of libraries are innermost.  Nobody says the types of a library
   of the system but the interceptor of strdup. */
static enum hp_libc_text libc_text(const struct hp_point *point, size_t depth) {
  static const struct {
    const char *function;
    enum hp_libc_text text;
  } makers[] = {{"*asprintf*", HP_LIBC_FORMATTED},
                {"*getline", HP_LIBC_LINE},
                {"*getdelim", HP_LIBC_LINE},
                {"*realpath*", HP_LIBC_PATH},
                {"*getcwd", HP_LIBC_PATH}};
  const bool is_char = point->type && strcmp(point->type, "char") == 0;
  if (point->type && !is_char)
    return HP_LIBC_NONE;
  for (size_t i = depth; i-- > 0;)
    for (size_t k = 0; k < sizeof makers / sizeof *makers; k++)
      if (hp_pattern_matches(makers[k].function, point->stack[i]->function))
        return makers[k].text;
  return depth == 0 && is_char && point->stack_count &&
                 is_installed(point->stack[0]) &&
                 strcmp(point->type_provenance, "argument") == 0
             ? HP_LIBC_COPY
             : HP_LIBC_NONE;
}

/* A g_strdup_printf is not the program's to change, but who calls it is. */
static size_t past_wrappers(const struct hp_point *point, size_t depth) {
  size_t to = depth;
  const char *module = point->stack[depth]->module;
  while (to < point->stack_count && to < depth + HP_INSIDE_LIBRARY &&
         is_installed(point->stack[to]) &&
         strcmp(point->stack[to]->module, module) == 0)
    to++;
  return to < point->stack_count && to < depth + HP_INSIDE_LIBRARY &&
                 hp_frame_is_of_program(point->stack[to])
             ? to
             : depth;
}

size_t hp_place_innermost(const struct hp_point *point) {
  const size_t depth = past_libraries(point);
  if (depth == point->stack_count)
    return depth;
  return libc_text(point, depth)
             ? past_wrappers(point, depth)
             : hp_site_past_nameless(point->stack, point->stack_count, depth);
}

enum hp_libc_text hp_place_libc_text(const struct hp_point *point) {
  return libc_text(point, past_libraries(point));
}

bool hp_place_called_libc(const struct hp_point *point) {
  const size_t depth = past_libraries(point);
  return libc_text(point, depth) && depth < point->stack_count &&
         !is_installed(point->stack[depth]);
}

size_t hp_place_depth(const struct hp_point *point) {
  return hp_frame_depth(point, point->place);
}

/* The first frame of the program outward of DEPTH; DEPTH if there is none. */
static size_t outward(const struct hp_point *point, size_t depth) {
  for (size_t i = depth + 1; i < point->stack_count && i < depth + HP_FAR; i++)
    if (hp_frame_is_of_program(point->stack[i]))
      return i;
  return depth;
}

/* What an installed header has in it is the same for all who include it: who calls that
   can change something.  DEPTH if nobody does. */
static size_t past_headers(const struct hp_point *point, size_t depth) {
  size_t to = depth;
  while (hp_frame_is_included(point->stack[to])) {
    const size_t next = outward(point, to);
    if (next == to)
      return depth;
    to = next;
  }
  return to;
}

/* ---- wrappers ------------------------------------------------------------ */

/* The same name but for blanks, as in "A<B<int> >". */
static bool is_same_name(struct hp_text_part a, const char *b) {
  size_t i = 0;
  for (;; i++, b++) {
    while (i < a.length && a.begin[i] == ' ')
      i++;
    while (*b == ' ')
      b++;
    if (i == a.length || !*b)
      return i == a.length && !*b;
    if (a.begin[i] != *b)
      return false;
  }
}

/* The first template argument of a function whose NAME, before it, is in FUNCTION. */
static struct hp_text_part first_argument(struct hp_text_part name) {
  const char *begin = name.begin + name.length + 1, *at = begin;
  int depth = 0;
  for (; *at && (depth || (*at != ',' && *at != '>')); at++) {
    depth += *at == '<' || *at == '(';
    depth -= *at == '>' || *at == ')';
  }
  return hp_part(begin, at);
}

/* TYPE is what std::make_shared and its kin allocate for a WHAT. */
static bool is_shared_of(struct hp_text_part what, const char *type) {
  static const char *const records[] = {"std::_Sp_counted_ptr_inplace",
                                        "std::__1::__shared_ptr_emplace"};
  for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
    const size_t length = strlen(records[i]);
    if (strncmp(type, records[i], length) == 0 && type[length] == '<')
      return hp_part_equals(
          what, first_argument((struct hp_text_part){type, length}));
  }
  return false;
}

/* "kj::Array<T> kj::heapArray<T>(unsigned long)", of whose T the chunks are: it makes
   them for who says which. */
static bool is_factory(const struct hp_point *point, const char *function,
                       struct hp_text_part name) {
  if (!point->type || name.begin[name.length] != '<')
    return false;
  const struct hp_text_part argument = first_argument(name);
  return argument.length &&
         (is_same_name(argument, point->type) ||
          is_shared_of(argument, point->type)) &&
         hp_member_parse(function).scope.begin != function &&
         memmem(function, (size_t)(name.begin - function), argument.begin,
                argument.length);
}

/* What allocates by a name that says so: a class's operator new, of which a new
   expression is the caller, and a function template such as gralloc<T>, whose instances
   are functions of one or two callers each. */
static bool is_allocator(const char *function, struct hp_text_part name) {
  char lower[128];
  if (name.length >= sizeof lower)
    return false;
  if (hp_part_begins(name, "operator new"))
    return hp_member_parse(function).scope.length;
  if (name.begin[name.length] != '<')
    return false;
  for (size_t i = 0; i < name.length; i++)
    lower[i] = (char)tolower((unsigned char)name.begin[i]);
  lower[name.length] = '\0';
  return strstr(lower, "alloc");
}

/* ---- classes ------------------------------------------------------------- */

/* Makes room for elements, or takes one in. */
static bool is_room_maker(struct hp_text_part name) {
  static const char *const verbs[] = {
#define HP_ROOM_MAKER(name) name,
#include "profile/plumbing.def"
  };
  char lower[32];
  size_t length = 0;
  for (size_t i = 0; i < name.length && length + 1 < sizeof lower; i++)
    if (name.begin[i] != '_')
      lower[length++] = (char)tolower((unsigned char)name.begin[i]);
  lower[length] = '\0';
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
    if (strncmp(lower, verbs[i], strlen(verbs[i])) == 0)
      return true;
  return false;
}

/* A constructor that is not told how much makes what it has of itself. */
static bool is_told_size(const struct hp_member_name *name) {
  static const char *const sizes[] = {"unsigned", "int", "long"};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (memmem(name->parameters.begin, name->parameters.length, sizes[i],
               strlen(sizes[i])))
      return true;
  return !hp_member_is_constructor(name);
}

bool hp_place_is_container(const char *function,
                           const struct hp_member_name *name) {
  const struct hp_text_part member = hp_bare_name(function);
  return name->scope.length &&
         name->scope.begin[name->scope.length - 1] == '>' &&
         (is_room_maker(member) ||
          (hp_is_container_name(name->scope) && is_told_size(name)));
}

/* A member of a class template makes an object of what that is of, as the clone() of a
   base does, whose instances have one caller each. */
static bool makes_argument(const struct hp_point *point,
                           struct hp_text_part member,
                           const struct hp_member_name *name) {
  static const char *const verbs[] = {"clone", "create", "make"};
  const char *open = memchr(name->scope.begin, '<', name->scope.length);
  if (!open || !point->type ||
      !is_same_name(first_argument(hp_part(name->scope.begin, open)),
                    point->type))
    return false;
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
    if (member.length >= strlen(verbs[i]) &&
        strncasecmp(member.begin, verbs[i], strlen(verbs[i])) == 0)
      return true;
  return false;
}

#define HP_WORK 3u /* so much of its own is no container's */

/* Between the member at DEPTH and who calls its class lies other work of that: a parser's
   addField is for its parseField, parseType and parse. */
static bool is_at_work(const struct hp_point *point, size_t depth,
                       struct hp_text_part scope) {
  size_t work = 0;
  for (size_t at = depth, next; (next = outward(point, at)) != at; at = next) {
    const char *function = point->stack[next]->function;
    if (!function)
      break;
    const struct hp_member_name name = hp_member_parse(function);
    if (!hp_part_equals(name.scope, scope))
      break;
    work += !hp_member_is_constructor(&name) &&
            !is_room_maker(hp_bare_name(function));
  }
  return work >= HP_WORK;
}

/* A member that changes no object makes no room in one: addGaps() const of a text returns
   another one. */
static bool is_constant(const struct hp_member_name *name) {
  static const char end[] = ") const";
  const char *at = name->parameters.begin;
  return at && strncmp(at + name->parameters.length, end, sizeof end - 1) == 0;
}

/* A container of the program's own: a class template that makes room, or a class
   that does so for several. */
static bool is_container(const struct hp_passages *passages,
                         const struct hp_point *point, size_t depth,
                         const struct hp_member_name *name) {
  const struct hp_frame *f = point->stack[depth];
  return hp_place_is_container(f->function, name) ||
         hp_is_inside_container(name->scope) ||
         (name->scope.length &&
          ((is_room_maker(hp_bare_name(f->function)) && !is_constant(name)) ||
           (hp_ends_as_container(name->scope) &&
            hp_member_is_constructor(name) && is_told_size(name))) &&
          hp_passages_is_shared(passages, f) &&
          !is_at_work(point, depth, name->scope));
}

/* The first frame of the program outward of the class's own; DEPTH: none. */
static size_t outside_of(const struct hp_point *point, size_t depth,
                         struct hp_text_part scope) {
  size_t to = depth;
  for (size_t next;
       (next = outward(point, to)) != to && next < depth + HP_FAR;) {
    const char *function = point->stack[next]->function;
    to = next;
    if (!function || !hp_part_equals(hp_member_parse(function).scope, scope))
      return to;
  }
  return depth;
}

/* Outward of the outermost copy that the frame DEPTH is made for: through the
   class itself, the C++ library, and copies of what has it as a member. */
static size_t past_copies(const struct hp_point *point, size_t depth) {
  struct hp_text_part scope = {"", 0};
  size_t copy = point->stack_count;
  for (size_t i = depth; i < point->stack_count && i < depth + HP_FAR; i++) {
    const struct hp_frame *f = point->stack[i];
    if (!hp_frame_is_of_program(f))
      continue;
    if (!f->function)
      break;
    const struct hp_member_name name = hp_member_parse(f->function);
    const bool copies = hp_member_copies(&name);
    if (!copies && i > depth && !hp_part_equals(name.scope, scope))
      break;
    if (!name.scope.length)
      break;
    scope = name.scope;
    if (copies)
      copy = i;
  }
  return copy < point->stack_count ? outward(point, copy) : depth;
}

/* ---- the place ----------------------------------------------------------- */

/* One step outward of DEPTH, if that is plumbing. */
static size_t past_plumbing(const struct hp_passages *passages,
                            const struct hp_point *point, size_t depth) {
  const struct hp_frame *f = point->stack[depth];
  size_t to;
  if (!f->function)
    return depth;
  const struct hp_text_part member = hp_bare_name(f->function);
  if (hp_is_wrapper_name(member) || is_allocator(f->function, member) ||
      is_factory(point, f->function, member))
    return outward(point, depth);
  if ((to = past_copies(point, depth)) > depth)
    return to;
  const struct hp_member_name name = hp_member_parse(f->function);
  return is_container(passages, point, depth, &name) ||
                 makes_argument(point, member, &name)
             ? outside_of(point, depth, name.scope)
             : depth;
}

/* The function of a stripped library that asks its wrapper has no name; the one that was
   called has. */
static size_t past_nameless(const struct hp_point *point, size_t depth) {
  const size_t to =
      hp_site_past_nameless(point->stack, point->stack_count, depth);
  return to > depth && point->stack[to]->module &&
                 strcmp(point->stack[to]->module,
                        point->stack[depth]->module) == 0
             ? to
             : depth;
}

static const struct hp_frame *find(const struct hp_passages *passages,
                                   const struct hp_point *point) {
  const size_t innermost = hp_place_innermost(point);
  if (innermost == point->stack_count)
    return NULL;
  size_t depth = past_headers(point, innermost);
  const size_t owner = hp_owner_depth(point);
  const size_t most = hp_joins_for_itself(point, depth) ||
                              hp_keeps_one_for_itself(passages, point, depth)
                          ? depth
                      : owner < depth ? point->stack_count
                                      : owner;
  size_t outside = hp_passages_skip(passages, point, innermost, depth);
  outside = outside < most ? outside : most;
  if (outside < point->stack_count &&
      hp_frame_is_of_program(point->stack[outside]))
    depth = outside;
  for (size_t to; depth < HP_FAR; depth = past_headers(point, to))
    if ((to = past_plumbing(passages, point, depth)) == depth || to > most)
      break;
  return point->stack[past_nameless(point, depth)];
}

hp_status hp_places_find(struct hp_profile *profile, struct hp_error *error) {
  struct hp_passages passages = {0};
  struct hp_store store = {0};
  bool good = true;
  for (size_t i = 0; i < profile->point_count && good; i++) {
    const struct hp_point *point = &profile->points[i].view;
    good = hp_passages_add(&passages, point, hp_place_innermost(point), &store);
  }
  for (size_t i = 0; i < profile->point_count && good; i++) {
    struct hp_point *point = &profile->points[i].view;
    point->place = find(&passages, point);
  }
  hp_passages_free(&passages);
  hp_store_free(&store);
  return good ? HP_OK : hp_fail_memory(error);
}
