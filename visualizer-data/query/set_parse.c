/* set_parse.c - see set.h: operators, parentheses and names, by recursive descent.
   How deep it goes is bounded, so that no text can use up the stack.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "base/failure.h"
#include "query/set.h"
#include "query/set_term.h"

struct parser {
  struct hp_set_reader reader;
  struct hp_set_names *names;
  unsigned depth;
};

static struct hp_set_node *make(struct parser *p, enum hp_set_kind kind,
                                const char *at) {
  struct hp_set_node *node = hp_store_take(p->reader.store, 1, sizeof *node);
  if (node)
    *node = (struct hp_set_node){
        .kind = kind, .column = hp_set_column(&p->reader, at), .depth = 1};
  return node;
}

/* What holds of a part holds of the whole. */
static void add_part(struct hp_set_node *whole, struct hp_set_node **last,
                     struct hp_set_node *part) {
  *(*last ? &(*last)->next : &whole->first) = part;
  *last = part;
  whole->depth = part->depth >= whole->depth ? part->depth + 1 : whole->depth;
  if (!whole->chunk_term)
    whole->chunk_term = part->chunk_term;
  whole->asks_accesses = whole->asks_accesses || part->asks_accesses;
  whole->asks_ranks = whole->asks_ranks || part->asks_ranks;
  whole->asks_sides = whole->asks_sides || part->asks_sides;
  whole->asks_members = whole->asks_members || part->asks_members;
}

static hp_status too_deep(const struct parser *p, const char *at,
                          struct hp_error *error) {
  return hp_set_fail(error, p->reader.place, hp_set_column(&p->reader, at),
                     "more than %u levels of parentheses, ! and sets in sets",
                     HP_SET_DEPTH);
}

/* ---- names --------------------------------------------------------------- */

static struct hp_named_set *find_name(const struct parser *p, const char *at,
                                      size_t length) {
  if (!p->names)
    return NULL;
  for (struct hp_named_set *set = p->names->first; set; set = set->next)
    if (strlen(set->name) == length && memcmp(set->name, at, length) == 0)
      return set;
  return NULL;
}

static hp_status take_set(struct parser *p, struct hp_named_set *set,
                          struct hp_set_node **node, struct hp_error *error) {
  const char *at = p->reader.at;
  p->reader.at += strlen(set->name);
  if (p->depth == HP_SET_DEPTH)
    return too_deep(p, at, error);
  const unsigned depth = p->names->depth;
  p->names->depth = p->depth + 1;
  HP_TRY(p->names->open(p->names, set, error));
  p->names->depth = depth;
  *node = make(p, HP_SET_NAMED, at);
  if (!*node)
    return hp_fail_memory(error);
  (*node)->named = set;
  (*node)->depth = set->root->depth + 1;
  (*node)->chunk_term = set->root->chunk_term ? *node : NULL;
  (*node)->asks_accesses = set->root->asks_accesses;
  (*node)->asks_ranks = set->root->asks_ranks;
  (*node)->asks_sides = set->root->asks_sides;
  (*node)->asks_members = set->root->asks_members;
  return (*node)->depth > HP_SET_DEPTH ? too_deep(p, at, error) : HP_OK;
}

/* ---- operators ----------------------------------------------------------- */

static hp_status take_any(struct parser *p, struct hp_set_node **node,
                          struct hp_error *error);

static hp_status take_term(struct parser *p, struct hp_set_node **node,
                           struct hp_error *error) {
  const char *at = p->reader.at;
  struct hp_named_set *set = find_name(p, at, hp_set_pattern_length(at));
  if (set)
    return take_set(p, set, node, error);
  *node = make(p, HP_SET_TERM, at);
  if (!*node)
    return hp_fail_memory(error);
  HP_TRY(hp_set_take_term(&p->reader, *node, error));
  const enum hp_set_key key = (*node)->key;
  (*node)->chunk_term = key >= HP_KEY_SIZE ? *node : NULL;
  (*node)->asks_ranks = key == HP_KEY_RANK;
  (*node)->asks_sides = key == HP_KEY_OLD || key == HP_KEY_NEW;
  (*node)->asks_members =
      key >= HP_KEY_MEMBER_READ && key <= HP_KEY_MEMBER_UNUSED;
  (*node)->asks_accesses =
      key == HP_KEY_READS || key == HP_KEY_WRITES || key == HP_KEY_INTERVAL;
  return HP_OK;
}

static hp_status take_group(struct parser *p, struct hp_set_node **node,
                            struct hp_error *error) {
  const char *open = p->reader.at++;
  HP_TRY(take_any(p, node, error));
  if (*p->reader.at != ')')
    return hp_set_fail(error, p->reader.place, hp_set_column(&p->reader, open),
                       "this ( has no )");
  p->reader.at++;
  return HP_OK;
}

static hp_status take_not(struct parser *p, struct hp_set_node **node,
                          struct hp_error *error);

static hp_status take_one(struct parser *p, struct hp_set_node **node,
                          struct hp_error *error) {
  hp_set_skip_blanks(&p->reader);
  const char *at = p->reader.at;
  if (!*at)
    return hp_set_fail(error, p->reader.place, hp_set_column(&p->reader, at),
                       "a condition is missing at the end");
  if (strchr(")&|", *at))
    return hp_set_fail(error, p->reader.place, hp_set_column(&p->reader, at),
                       "a condition is missing before %c", *at);
  if (*at != '!' && *at != '(')
    return take_term(p, node, error);
  if (p->depth == HP_SET_DEPTH)
    return too_deep(p, at, error);
  p->depth++;
  HP_TRY(*at == '(' ? take_group(p, node, error) : take_not(p, node, error));
  p->depth--;
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a failure is never HP_OK */
  return (*node)->depth > HP_SET_DEPTH ? too_deep(p, at, error) : HP_OK;
}

static hp_status take_not(struct parser *p, struct hp_set_node **node,
                          struct hp_error *error) {
  const char *at = p->reader.at++;
  struct hp_set_node *of, *last = NULL;
  if (!*p->reader.at || strchr(" \t\n", *p->reader.at)) {
    hp_set_skip_blanks(&p->reader);
    if (!*p->reader.at)
      return hp_set_fail(error, p->reader.place, hp_set_column(&p->reader, at),
                         "a term has no pattern");
  }
  HP_TRY(take_one(p, &of, error));
  *node = make(p, HP_SET_NOT, at);
  if (!*node)
    return hp_fail_memory(error);
  add_part(*node, &last, of);
  return HP_OK;
}

/* "&" and "&&", "|" and "||" are the same. */
static bool take_operator(struct parser *p, char sign) {
  hp_set_skip_blanks(&p->reader);
  if (*p->reader.at != sign)
    return false;
  p->reader.at += p->reader.at[1] == sign ? 2 : 1;
  return true;
}

/* Side by side is as good as "&". */
static hp_status take_all(struct parser *p, struct hp_set_node **node,
                          struct hp_error *error) {
  struct hp_set_node *part, *last = NULL;
  *node = make(p, HP_SET_ALL_OF, p->reader.at);
  if (!*node)
    return hp_fail_memory(error);
  do {
    HP_TRY(take_one(p, &part, error));
    /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): a failure is never HP_OK */
    add_part(*node, &last, part);
  } while (take_operator(p, '&') ||
           (*p->reader.at && !strchr("|)", *p->reader.at)));
  if (!(*node)->first->next)
    *node = (*node)->first;
  return HP_OK;
}

static hp_status take_any(struct parser *p, struct hp_set_node **node,
                          struct hp_error *error) {
  struct hp_set_node *part, *last = NULL;
  *node = make(p, HP_SET_ANY_OF, p->reader.at);
  if (!*node)
    return hp_fail_memory(error);
  do {
    HP_TRY(take_all(p, &part, error));
    add_part(*node, &last, part);
  } while (take_operator(p, '|'));
  if (!(*node)->first->next)
    *node = (*node)->first;
  return HP_OK;
}

hp_status hp_set_parse(struct hp_set_node **root, const char *text,
                       const struct hp_set_place *place,
                       struct hp_set_names *names, struct hp_store *store,
                       struct hp_error *error) {
  struct parser p = {
      {text, text, place, store}, names, names ? names->depth : 0};
  hp_set_skip_blanks(&p.reader);
  if (!*p.reader.at) {
    *root = make(&p, HP_SET_ALL_OF, text);
    return *root ? HP_OK : hp_fail_memory(error);
  }
  HP_TRY(take_any(&p, root, error));
  if (*p.reader.at)
    return hp_set_fail(error, place, hp_set_column(&p.reader, p.reader.at),
                       "this ) has no (");
  return (*root)->depth > HP_SET_DEPTH ? too_deep(&p, text, error) : HP_OK;
}
