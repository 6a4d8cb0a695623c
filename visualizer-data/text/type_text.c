/* type_text.c - see type_text.h: one pass over the name's brackets.
   What is not recognised stays as it is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "type_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The result only ever shrinks, but for nodes, which grow by less than this. */
#define HP_SHORT_GROWTH 64u
#define HP_DEPTH_MAX 100u /* of brackets that are looked into */

struct text {
  char *at;
};

static void put(struct text *to, const char *from, size_t length) {
  memmove(to->at, from, length);
  to->at += length;
}

static bool begins(const char *name, const char *end, const char *prefix) {
  size_t length = strlen(prefix);
  return (size_t)(end - name) >= length && memcmp(name, prefix, length) == 0;
}

static bool is(const char *name, const char *end, const char *text) {
  return (size_t)(end - name) == strlen(text) && begins(name, end, text);
}

/* The end of the template argument at NAME: a comma or END. */
static const char *argument_end(const char *name, const char *end) {
  int depth = 0;
  for (; name < end && (*name != ',' || depth > 0); name++) {
    depth += *name == '<' || *name == '(' || *name == '{' || *name == '[';
    depth -= *name == '>' || *name == ')' || *name == '}' || *name == ']';
  }
  return name;
}

static void trim(const char **name, const char **end) {
  while (*name < *end && **name == ' ')
    ++*name;
  while (*name < *end && (*end)[-1] == ' ')
    --*end;
}

/* Arguments that templates of the C++ library have if nobody says otherwise. */
static bool is_default(const char *name, const char *end) {
  static const char *const defaults[] = {
      "std::allocator<",      "std::less<",
      "std::hash<",           "std::equal_to<",
      "std::char_traits<",    "std::default_delete<",
      "__gnu_cxx::_S_atomic", "(__gnu_cxx::_Lock_policy)"};
  for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
    if (begins(name, end, defaults[i]))
      return true;
  return false;
}

#define STD_PAIR "std::pair<const "
#define COUNT "> count"

/* Nodes of the C++ libraries' containers, libstdc++'s first: `map` if the element is
   a pair of key and value, as ELEMENT begins. */
static const struct {
  const char *node, *element, *map, *single, *after;
} nodes[] = {
    {"std::_Rb_tree_node", STD_PAIR, "std::map<", "std::set<", "> node"},
    {"std::_List_node", NULL, NULL, "std::list<", "> node"},
    {"std::_Fwd_list_node", NULL, NULL, "std::forward_list<", "> node"},
    {"std::__detail::_Hash_node", STD_PAIR, "std::unordered_map<",
     "std::unordered_set<", "> node"},
    {"std::_Sp_counted_ptr_inplace", NULL, NULL, "std::make_shared<", ">"},
    {"std::_Sp_counted_ptr", NULL, NULL, "std::shared_ptr<", COUNT},
    {"std::__tree_node", "std::__value_type<", "std::map<", "std::set<",
     "> node"},
    {"std::__list_node", NULL, NULL, "std::list<", "> node"},
    {"std::__forward_list_node", NULL, NULL, "std::forward_list<", "> node"},
    {"std::__hash_node", "std::__hash_value_type<", "std::unordered_map<",
     "std::unordered_set<", "> node"},
    {"std::__shared_ptr_emplace", NULL, NULL, "std::make_shared<", ">"},
    {"std::__shared_ptr_pointer", NULL, NULL, "std::shared_ptr<", COUNT},
};

static void shorten(struct text *to, const char *name, const char *end,
                    unsigned depth);

/* The arguments NAME..END, separated by commas. */
static void put_arguments(struct text *to, const char *name, const char *end,
                          unsigned depth) {
  for (bool first = true; name < end; first = false) {
    const char *next = argument_end(name, end);
    const char *from = name, *until = next;
    trim(&from, &until);
    if (first || !is_default(from, until)) {
      if (!first)
        put(to, ", ", 2);
      shorten(to, from, until, depth);
    }
    name = next < end ? next + 1 : end;
  }
}

static bool put_node(struct text *to, const char *name, const char *open,
                     const char *close, unsigned depth) {
  for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
    if (!is(name, open, nodes[i].node))
      continue;
    const char *from = open + 1, *until = argument_end(from, close);
    trim(&from, &until);
    if (strcmp(nodes[i].after, COUNT) == 0 && until > from && until[-1] == '*')
      until--; /* it is that of a pointer to what is shared */
    trim(&from, &until);
    bool is_pair = nodes[i].element && begins(from, until, nodes[i].element);
    /* Of the pair, its arguments without the key's const. */
    if (is_pair) {
      from += strlen(nodes[i].element);
      until--;
      trim(&from, &until);
    }
    const char *before = is_pair ? nodes[i].map : nodes[i].single;
    put(to, before, strlen(before));
    if (is_pair)
      put_arguments(to, from, until, depth);
    else
      shorten(to, from, until, depth);
    put(to, nodes[i].after, strlen(nodes[i].after));
    return true;
  }
  return false;
}

static const char *close_of(const char *open, const char *end) {
  int depth = 0;
  for (const char *at = open; at < end; at++) {
    depth += *at == '<';
    depth -= *at == '>';
    if (depth == 0)
      return at;
  }
  return NULL;
}

/* What a generator of random numbers is usually called. */
static const char *generator_name(const char *name, const char *open) {
  static const char engine[] = "std::mersenne_twister_engine";
  static const struct {
    const char *arguments, *name;
  } names[] = {{"unsigned long, 32ul, 624ul", "std::mt19937"},
               {"unsigned long, 32, 624", "std::mt19937"},
               {"unsigned long, 64ul, 312ul", "std::mt19937_64"},
               {"unsigned long, 64, 312", "std::mt19937_64"}};
  if (!is(name, open, engine))
    return NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(open + 1, names[i].arguments, strlen(names[i].arguments)) == 0)
      return names[i].name;
  return NULL;
}

/* What a class of texts is usually called; END is behind its first argument. */
static const char *text_name(const char *name, const char *end) {
  if (!begins(name, end, "std::"))
    return NULL;
  name += strlen("std::");
  if (begins(name, end, "__cxx11::"))
    name += strlen("__cxx11::");
  return is(name, end, "basic_string<char")      ? "std::string"
         : is(name, end, "basic_stringbuf<char") ? "std::stringbuf"
                                                 : NULL;
}

static bool is_of_name(char c) {
  return c == ':' || c == '_' || (c >= '0' && c <= '9') ||
         (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static void shorten(struct text *to, const char *name, const char *end,
                    unsigned depth) {
  const char *open = memchr(name, '<', (size_t)(end - name));
  const char *close = open ? close_of(open, end) : NULL;
  if (!close || depth == HP_DEPTH_MAX) {
    put(to, name, (size_t)(end - name));
    return;
  }
  const char *begin = open;
  while (begin > name && is_of_name(begin[-1]))
    begin--;
  put(to, name, (size_t)(begin - name));
  name = begin;
  const char *text = text_name(name, argument_end(open + 1, close));
  text = text ? text : generator_name(name, open);
  if (text) {
    put(to, text, strlen(text));
  } else if (!put_node(to, name, open, close, depth + 1)) {
    put(to, name, (size_t)(open - name) + 1);
    put_arguments(to, open + 1, close, depth + 1);
    put(to, ">", 1);
  }
  shorten(to, close + 1, end, depth + 1);
}

/* Namespaces that a library versions its own by, or has its checked containers in. */
static size_t version_length(const char *at) {
  static const char *const versions[] = {
      "std::__1::", "std::__cxx11::", "std::__debug::", "std::__cxx1998::"};
  for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
    if (strncmp(at, versions[i], strlen(versions[i])) == 0)
      return strlen(versions[i]);
  return 0;
}

/* NAME as if libraries had no such; NULL without memory. */
static char *without_version(const char *name) {
  char *plain = strdup(name), *to = plain;
  for (const char *at = name; plain && *at;) {
    const size_t version = version_length(at);
    const size_t kept = version ? strlen("std::") : 1;
    memcpy(to, at, kept);
    to += kept;
    at += version ? version : 1;
  }
  if (plain)
    *to = '\0';
  return plain;
}

char *hp_type_short(const char *name) {
  size_t length = strlen(name), nested = 0;
  if (strcmp(name, "std::__detail::_Hash_node_base *") == 0)
    return strdup("std::unordered_map buckets");
  for (const char *at = name; *at; at++)
    nested += *at == '<' || *at == ',';
  /* Demangled names say "> >"; nested nodes grow one by one. */
  char *result = malloc(length + (nested + 1) * HP_SHORT_GROWTH);
  char *plain = result ? without_version(name) : NULL;
  if (!plain) {
    free(result);
    return NULL;
  }
  struct text to = {result};
  shorten(&to, plain, plain + strlen(plain), 0);
  *to.at = 0;
  free(plain);
  return result;
}
