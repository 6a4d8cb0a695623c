/* set_term.c - see set_term.h: keys by one table, values by the kind of their key.
   What is wrong is said with what would be right.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "query/set_term.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "rank_list.h"

enum value_kind {
  TEXT,  /* key=pattern */
  BYTES, /* compared, as all up to INSTANT */
  TIME,
  COUNT,
  SHARE,   /* bytes, or percent of the chunk's size */
  INSTANT, /* key<instant, key(a..b) */
  DONE,    /* the same, or the key alone */
  MOMENT,  /* key(instant) */
  PERCENT, /* key(p%) */
  FUNCTION /* key(pattern) */
};

struct key_row {
  const char *name;
  enum hp_set_key key;
  enum value_kind kind;
};

static const struct key_row keys[] = {
#define HP_SET_KEY(name, key, kind) {#name, HP_KEY_##key, kind},
#include "query/set_keys.def"
#undef HP_SET_KEY
};

#define KEYS (sizeof keys / sizeof *keys)

const char *hp_set_key_name(enum hp_set_key key) {
  for (size_t i = 0; i < KEYS; i++)
    if (keys[i].key == key)
      return keys[i].name;
  return "pattern";
}

static const struct key_row *find_key(const char *word, size_t length) {
  for (size_t i = 0; i < KEYS; i++)
    if (strlen(keys[i].name) == length &&
        memcmp(keys[i].name, word, length) == 0)
      return &keys[i];
  return NULL;
}

bool hp_set_is_key(const char *word, size_t length) {
  return find_key(word, length) != NULL;
}

/* ---- letters ------------------------------------------------------------- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

void hp_set_skip_blanks(struct hp_set_reader *reader) {
  while (is_blank(*reader->at))
    reader->at++;
}

size_t hp_set_word_length(const char *at) {
  size_t n = 0;
  while (isalnum((unsigned char)at[n]) || at[n] == '_')
    n++;
  return isdigit((unsigned char)*at) ? 0 : n;
}

/* Behind "operator" the signs are its name. */
static size_t operator_length(const char *begin, const char *at) {
  static const char word[] = "operator";
  const size_t length = sizeof word - 1;
  if ((size_t)(at - begin) < length || memcmp(at - length, word, length) != 0)
    return 0;
  if (at[0] == '(' && at[1] == ')')
    return 2;
  return strspn(at, "&|<>=!+-*/%^~,[]");
}

size_t hp_set_pattern_length(const char *text) {
  size_t round = 0, angle = 0;
  const char *at = text;
  while (*at && !is_blank(*at)) {
    const size_t name = operator_length(text, at);
    if (name) {
      at += name;
      continue;
    }
    if ((*at == ')' && !round) ||
        ((*at == '&' || *at == '|') && !round && !angle))
      break;
    round += (size_t)(*at == '(') - (size_t)(*at == ')');
    angle += *at == '<' ? 1 : *at == '>' && angle ? (size_t)-1 : 0;
    at++;
  }
  return (size_t)(at - text);
}

static hp_status fail_at(const struct hp_set_reader *reader, const char *at,
                         struct hp_error *error, const char *what) {
  return hp_set_fail(error, reader->place, hp_set_column(reader, at), "%s",
                     what);
}

/* In quotation marks, in which \ takes the next letter as it is. */
static hp_status take_quoted(struct hp_set_reader *reader, const char **text,
                             struct hp_error *error) {
  const char *begin = reader->at++;
  char *copy = hp_store_take(reader->store, strlen(begin) + 1, 1), *to = copy;
  if (!copy)
    return hp_fail_memory(error);
  for (; *reader->at && *reader->at != '"'; reader->at++) {
    reader->at += *reader->at == '\\' && reader->at[1];
    *to++ = *reader->at;
  }
  if (!*reader->at)
    return fail_at(reader, begin, error, "this quotation mark has no end");
  reader->at++;
  *text = copy;
  return to == copy ? fail_at(reader, begin, error, "a term has no pattern")
                    : HP_OK;
}

static hp_status keep(struct hp_set_reader *reader, size_t length,
                      const char **text, struct hp_error *error) {
  *text = hp_store_text(reader->store, reader->at, length);
  reader->at += length;
  return *text ? HP_OK : hp_fail_memory(error);
}

static hp_status take_pattern(struct hp_set_reader *reader, const char **text,
                              struct hp_error *error) {
  if (*reader->at == '"')
    return take_quoted(reader, text, error);
  const size_t length = hp_set_pattern_length(reader->at);
  if (!length)
    return fail_at(reader, reader->at, error, "a term has no pattern");
  return keep(reader, length, text, error);
}

/* ---- numbers and times --------------------------------------------------- */

struct unit {
  const char *name;
  long double of;
};

static const struct unit byte_units[] = {
    {"", 1},  {"B", 1}, {"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824},
    {NULL, 0}};
static const struct unit time_units[] = {
    {"ns", 1}, {"us", 1e3L}, {"ms", 1e6L}, {"s", 1e9L}, {NULL, 0}};
static const struct unit count_units[] = {{"", 1}, {NULL, 0}};
static const struct unit percent_units[] = {{"%", 1}, {NULL, 0}};

/* TEXT up to END is a number in one of UNITS.  Digits and one point, no more:
   what else strtold takes is none here. */
static bool read_number(const char *text, const char *end,
                        const struct unit *units, long double *number) {
  char digits[64];
  const size_t length = strspn(text, "0123456789.");
  if (!isdigit((unsigned char)*text) || length >= sizeof digits ||
      text + length > end)
    return false;
  memcpy(digits, text, length);
  digits[length] = '\0';
  char *rest;
  *number = strtold(digits, &rest);
  if (*rest)
    return false;
  const size_t left = (size_t)(end - text) - length;
  for (const struct unit *u = units; u->name; u++)
    if (strlen(u->name) == left && memcmp(u->name, text + length, left) == 0) {
      *number *= u->of;
      return *number < 0x1p63L;
    }
  return false;
}

static const char *must_be(enum value_kind kind) {
  switch (kind) {
  case BYTES:
    return "bytes such as 64, 64B, 4KiB, 1.5MiB";
  case TIME:
    return "a time such as 500us, 1ms, 2s";
  case SHARE:
    return "bytes such as 64 or 4KiB, or percent of the size such as 50%";
  case PERCENT:
    return "percent such as peak(10%)";
  default:
    return "a whole number";
  }
}

static bool read_value(const struct key_row *row, const char *begin,
                       const char *end, struct hp_set_node *node) {
  long double *number = &node->number;
  switch (row->kind) {
  case BYTES:
    return read_number(begin, end, byte_units, number);
  case TIME:
    return read_number(begin, end, time_units, number);
  case SHARE:
    node->is_percent = read_number(begin, end, percent_units, number);
    return node->is_percent || read_number(begin, end, byte_units, number);
  case PERCENT:
    return read_number(begin, end, percent_units, number) && *number <= 100;
  default:
    return !memchr(begin, '.', (size_t)(end - begin)) &&
           read_number(begin, end, count_units, number);
  }
}

static size_t value_length(const char *at) {
  size_t n = 0;
  while (isalnum((unsigned char)at[n]) || at[n] == '.' || at[n] == '%' ||
         at[n] == '_')
    n++;
  return n;
}

static hp_status take_value(struct hp_set_reader *reader,
                            const struct key_row *row, struct hp_set_node *node,
                            struct hp_error *error) {
  const char *begin = reader->at;
  const size_t length = value_length(begin);
  reader->at += length;
  if (read_value(row, begin, reader->at, node))
    return HP_OK;
  /* Such as "-1", of which no letter is a value's. */
  const size_t told = length ? length : hp_set_pattern_length(begin);
  return hp_set_fail(error, reader->place, hp_set_column(reader, begin),
                     "%s is compared with %s, not \"%.*s\"", row->name,
                     must_be(row->kind), (int)(told < 40 ? told : 40), begin);
}

/* ---- instants ------------------------------------------------------------ */

/* Up to what may stand behind it; a mark of other letters is in quotation
   marks. */
static size_t instant_length(const char *at) {
  size_t n = 0;
  while (at[n] && !is_blank(at[n]) && !strchr("()&|!", at[n]) &&
         !(at[n] == '.' && at[n + 1] == '.'))
    n++;
  return n;
}

static hp_status take_instant(struct hp_set_reader *reader,
                              struct hp_set_instant *instant,
                              struct hp_error *error) {
  const char *begin = reader->at;
  instant->kind = HP_INSTANT_MARK;
  if (*begin == '"')
    return take_quoted(reader, &instant->mark, error);
  const size_t length = instant_length(begin);
  if (!length)
    return fail_at(reader, begin, error,
                   "an instant is missing: start, peak, end, a mark's name, or "
                   "a time since the start such as 250ms");
  HP_TRY(keep(reader, length, &instant->mark, error));
  if (strcmp(instant->mark, "end") == 0) {
    instant->kind = HP_INSTANT_END;
  } else if (strcmp(instant->mark, "peak") == 0) {
    instant->kind = HP_INSTANT_PEAK;
  } else if (strcmp(instant->mark, "start") == 0) {
    instant->kind = HP_INSTANT_TIME;
  } else if (isdigit((unsigned char)*begin)) {
    long double ns;
    instant->kind = HP_INSTANT_TIME;
    if (!read_number(begin, reader->at, time_units, &ns))
      return hp_set_fail(error, reader->place, hp_set_column(reader, begin),
                         "a time since the start has a unit, such as 250ms; "
                         "not \"%.*s\"",
                         (int)(length < 40 ? length : 40), begin);
    instant->ns = (uint64_t)ns;
  }
  return HP_OK;
}

static hp_status close_term(struct hp_set_reader *reader, const char *open,
                            struct hp_error *error) {
  hp_set_skip_blanks(reader);
  if (*reader->at != ')')
    return fail_at(reader, open, error, "this ( has no )");
  reader->at++;
  return HP_OK;
}

static bool at_range(const struct hp_set_reader *reader) {
  return reader->at[0] == '.' && reader->at[1] == '.';
}

/* "(a..b)", of which one may be left out. */
static hp_status take_range(struct hp_set_reader *reader,
                            struct hp_set_node *node, struct hp_error *error) {
  const char *begin = reader->at;
  hp_set_skip_blanks(reader);
  if (!at_range(reader))
    HP_TRY(take_instant(reader, &node->from, error));
  hp_set_skip_blanks(reader);
  if (!at_range(reader))
    return hp_set_fail(error, reader->place, hp_set_column(reader, begin),
                       "%s takes two instants, such as %s(200ms..1.5s) or "
                       "%s(mark1..)",
                       hp_set_key_name(node->key), hp_set_key_name(node->key),
                       hp_set_key_name(node->key));
  reader->at += 2;
  hp_set_skip_blanks(reader);
  if (*reader->at != ')')
    HP_TRY(take_instant(reader, &node->to, error));
  node->is_range = true;
  if (node->from.kind == HP_INSTANT_NONE && node->to.kind == HP_INSTANT_NONE)
    return fail_at(reader, begin, error, "a range begins or ends somewhere");
  return HP_OK;
}

/* ---- what is behind the key ---------------------------------------------- */

static hp_status take_arguments(struct hp_set_reader *reader,
                                const struct key_row *row,
                                struct hp_set_node *node,
                                struct hp_error *error) {
  const char *open = reader->at++;
  hp_set_skip_blanks(reader);
  switch (row->kind) {
  case INSTANT:
  case DONE:
    HP_TRY(take_range(reader, node, error));
    break;
  case MOMENT:
    HP_TRY(take_instant(reader, &node->from, error));
    if (at_range(reader))
      return fail_at(reader, reader->at, error, "live_at takes one instant");
    break;
  case PERCENT:
    HP_TRY(take_value(reader, row, node, error));
    break;
  default:
    HP_TRY(take_pattern(reader, &node->pattern, error));
    break;
  }
  return close_term(reader, open, error);
}

static hp_status fail_flag(struct hp_set_reader *reader, const char *at,
                           const char *name, struct hp_error *error) {
  return hp_set_fail(error, reader->place, hp_set_column(reader, at),
                     "no flag is named \"%.40s\"; flags are unused, "
                     "write_only, read_only, top_bytes, top_chunks, growing, "
                     "short_lived, allocated_early, freed_late, low_coverage, "
                     "multithread, freed_elsewhere, never_freed, zero_size, "
                     "overrun, lost, lost_indirectly, still_reachable",
                     name);
}

static hp_status check_flag(struct hp_set_reader *reader, const char *at,
                            struct hp_set_node *node, struct hp_error *error) {
  for (int i = 0; i < HP_INF_COUNT; i++)
    if (strcmp(node->pattern, hp_inference_name((enum hp_inference)i)) == 0) {
      node->flag = (enum hp_inference)i;
      return HP_OK;
    }
  return fail_flag(reader, at, node->pattern, error);
}

static hp_status check_accesses(struct hp_set_reader *reader, const char *at,
                                struct hp_set_node *node,
                                struct hp_error *error) {
  static const char *const words[] = {[HP_ACCESSES_KNOWN] = "known",
                                      [HP_ACCESSES_SHARED] = "shared",
                                      [HP_ACCESSES_UNKNOWN] = "unknown"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(node->pattern, words[i]) == 0) {
      node->accesses = (enum hp_set_accesses)i;
      return HP_OK;
    }
  return hp_set_fail(error, reader->place, hp_set_column(reader, at),
                     "accesses= is known, shared or unknown, not \"%.40s\"",
                     node->pattern);
}

/* "608", "#608" or "2,3,4": the numbers that tables and findings show. */
static const char *next_point(const char *at, uint64_t *id) {
  char *end;
  at += *at == '#';
  if (*at < '0' || *at > '9')
    return NULL;
  errno = 0;
  *id = strtoull(at, &end, 10);
  if (errno || (*end && (*end != ',' || !end[1])))
    return NULL;
  return *end ? end + 1 : end;
}

bool hp_set_is_among(const char *points, uint64_t wanted) {
  uint64_t id;
  for (const char *at = points; at && *at;)
    if ((at = next_point(at, &id)) && id == wanted)
      return true;
  return false;
}

static bool are_points(const char *points) {
  uint64_t id;
  for (const char *at = points; *at;)
    if (!(at = next_point(at, &id)))
      return false;
  return true;
}

static hp_status check_text(struct hp_set_reader *reader, const char *at,
                            struct hp_set_node *node, struct hp_error *error) {
  if (node->key == HP_KEY_FLAG)
    return check_flag(reader, at, node, error);
  if (node->key == HP_KEY_ACCESSES)
    return check_accesses(reader, at, node, error);
  if (node->key == HP_KEY_RANK && !hp_rank_list_is_good(node->pattern))
    return hp_set_fail(error, reader->place, hp_set_column(reader, at),
                       "rank=%.40s: not a list of ranks such as 0,3-5",
                       node->pattern);
  if (node->key == HP_KEY_POINT && !are_points(node->pattern))
    return hp_set_fail(error, reader->place, hp_set_column(reader, at),
                       "point= takes numbers of points, such as 608 or 2,3,4, "
                       "not \"%.40s\"",
                       node->pattern);
  return HP_OK;
}

static const struct {
  const char *sign;
  enum hp_set_compare compare;
  bool negates;
} signs[] = {{"==", HP_IS, false},         {"!=", HP_IS, true},
             {"<=", HP_IS_AT_MOST, false}, {">=", HP_IS_AT_LEAST, false},
             {"=", HP_IS, false},          {"<", HP_IS_LESS, false},
             {">", HP_IS_MORE, false}};
#define SIGNS (sizeof signs / sizeof *signs)

static size_t sign_at(const char *at) {
  size_t i = 0;
  while (i < SIGNS && strncmp(at, signs[i].sign, strlen(signs[i].sign)) != 0)
    i++;
  return i;
}

static hp_status fail_sign(struct hp_set_reader *reader,
                           const struct key_row *row, const char *at,
                           struct hp_error *error) {
  static const char *const forms[] = {
      [TEXT] = "=PATTERN",      [BYTES] = ">=64KiB",
      [TIME] = "<1ms",          [COUNT] = "=3",
      [SHARE] = "<50%",         [INSTANT] = "(200ms..1.5s)",
      [DONE] = "(200ms..1.5s)", [MOMENT] = "(end)",
      [PERCENT] = "(10%)",      [FUNCTION] = "(PATTERN)"};
  return hp_set_fail(error, reader->place, hp_set_column(reader, at),
                     "%s is written as in %s%s", row->name, row->name,
                     forms[row->kind]);
}

static hp_status take_compared(struct hp_set_reader *reader,
                               const struct key_row *row, size_t sign,
                               bool is_spaced, struct hp_set_node *node,
                               struct hp_error *error) {
  const char *at = reader->at;
  const bool is_text = row->kind == TEXT;
  if (row->kind > DONE || (is_text && signs[sign].compare != HP_IS))
    return fail_sign(reader, row, at, error);
  reader->at += strlen(signs[sign].sign);
  node->compare = signs[sign].compare;
  node->is_negated = signs[sign].negates;
  if (!is_text || is_spaced)
    hp_set_skip_blanks(reader);
  if (row->kind == INSTANT || row->kind == DONE)
    return take_instant(reader, &node->from, error);
  if (!is_text)
    return take_value(reader, row, node, error);
  at = reader->at;
  HP_TRY(take_pattern(reader, &node->pattern, error));
  return check_text(reader, at, node, error);
}

static hp_status take_keyed(struct hp_set_reader *reader,
                            const struct key_row *row, struct hp_set_node *node,
                            struct hp_error *error) {
  const char *begin = reader->at;
  node->key = row->key;
  reader->at += strlen(row->name);
  const char *behind = reader->at;
  hp_set_skip_blanks(reader);
  const size_t sign = sign_at(reader->at);
  if (sign < SIGNS)
    return take_compared(reader, row, sign, reader->at > behind, node, error);
  reader->at = behind;
  if (*behind == '(' && row->kind >= INSTANT)
    return take_arguments(reader, row, node, error);
  node->is_done = row->kind == DONE;
  return node->is_done ? HP_OK : fail_sign(reader, row, begin, error);
}

/* WORD is a key as it is written here: one that is text needs its "=", so that
   "file" alone is a pattern. */
static const struct key_row *key_at(const char *at, size_t length) {
  const struct key_row *row = find_key(at, length);
  const char *behind = at + length;
  if (!row || *behind == '(')
    return row && row->kind >= INSTANT ? row : NULL;
  behind += strspn(behind, " \t\n");
  if (sign_at(behind) < SIGNS)
    return row;
  return row->kind == DONE ? row : NULL;
}

/* Behind a word that is no key: the sign of a comparison, of "<" and its like only
   with a number, since names of templates have these. SIGNS: there is none. */
static size_t sign_behind(const char *at, size_t length) {
  const char *behind = at + length + strspn(at + length, " \t\n");
  const size_t sign =
      operator_length(at, at + length) ? SIGNS : sign_at(behind);
  if (!length || sign == SIGNS)
    return SIGNS;
  if (signs[sign].compare == HP_IS)
    return sign;
  behind += strlen(signs[sign].sign);
  behind += strspn(behind, " \t\n");
  const size_t digits = value_length(behind);
  return isdigit((unsigned char)*behind) &&
                 (is_blank(behind[digits]) || strchr(")&|", behind[digits]))
             ? sign
             : SIGNS;
}

/* "old:NAME" and "new:NAME": sets of one of two runs. */
static bool is_side(const char *at) {
  return (strncmp(at, "old:", 4) == 0 || strncmp(at, "new:", 4) == 0) &&
         hp_set_word_length(at + 4);
}

hp_status hp_set_take_term(struct hp_set_reader *reader,
                           struct hp_set_node *node, struct hp_error *error) {
  const char *at = reader->at;
  if (is_side(at)) {
    node->key = *at == 'o' ? HP_KEY_OLD : HP_KEY_NEW;
    reader->at += 4;
    return keep(reader, hp_set_word_length(reader->at), &node->pattern, error);
  }
  const size_t length = hp_set_word_length(at);
  const struct key_row *row = key_at(at, length);
  if (row)
    return take_keyed(reader, row, node, error);
  const size_t sign = sign_behind(at, length);
  if (sign < SIGNS)
    return hp_set_fail(error, reader->place, hp_set_column(reader, at),
                       "\"%.*s%s\" is unknown; terms are function=, "
                       "file=, module=, type=, flag=, rank=, point=, those of "
                       "docs/sets.md, or a pattern (in quotation marks if it "
                       "has a %s)",
                       (int)(length < 40 ? length : 40), at, signs[sign].sign,
                       signs[sign].sign);
  node->key = HP_KEY_ANY;
  return take_pattern(reader, &node->pattern, error);
}
