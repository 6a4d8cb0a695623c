/* finding_rule.h - one rule of docs/findings.md: whom it judges, and its words.
   A new finding is one row in the file of its family, and its tests.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FINDING_RULE_H
#define HP_FINDING_RULE_H

#include <stdio.h>

#include "finding/finding_verdict.h"
#include "finding/suspect.h"

enum hp_rule_turn {
  HP_TURN_FAMILY, /* of its family, the first rule that holds takes the point */
  HP_TURN_ALWAYS, /* whatever else holds */
  HP_TURN_MEMBERS, /* whatever else holds of a point whose chunks are needed, but
                      then nobody need hear that these are too large */
  HP_TURN_LAYOUT,  /* whatever else holds of such a point */
  HP_TURN_FIRST /* before the families, which are asked if it does not hold */
};

struct hp_finding_rule {
  const char *name; /* "growing" */
  const char *verb; /* "reserve": a word for the remedy */
  uint64_t least;   /* fewer chunks at one place are no pattern */
  /* Whether the point shows it; then *V is all of it but rule, texts and ids. */
  bool (*judge)(const struct hp_suspect *s, struct hp_verdict *v);
  /* A sentence each; the first one goes on with what a repair saves. */
  void (*text)(FILE *out, const struct hp_verdict *v);
  void (*remedy)(FILE *out, const struct hp_verdict *v);

  /* What few rules have: */
  enum hp_rule_turn turn;
  bool is_of_lives; /* so that it says where the chunks are freed */
  bool joins_lines; /* several lines of one function are one finding */
  bool joins_parts; /* only if they may be of one object: as many at each */
  /* The rule that takes its points if that holds for others of the same line;
     NULL: none. */
  const char *yields_to;
  /* It yields those of a copied container alone, also to what is said of its life. */
  bool yields_copies;
  /* It says what a container is copied for, of all of its chunks. */
  bool is_of_copies;
  /* Of what V saves of the peak the memory that malloc takes for it; NULL: that of
     whole chunks. */
  uint64_t (*memory)(const struct hp_suspect *s, const struct hp_verdict *v);
  bool saves_nothing; /* its share of all allocations is that of its chunks */
  /* Whether it is worth a change; NULL: if a share of what it saves is. */
  bool (*is_worth)(const struct hp_verdict *v);
  /* The greater the earlier it is told; NULL: 0, by its cost. */
  int (*urgency)(const struct hp_verdict *v);
};

/* The families, each in the order in which its rules are asked; a row without
   a name is the end. */
extern const struct hp_finding_rule hp_rules_bugs[];
extern const struct hp_finding_rule hp_rules_not_needed[];
extern const struct hp_finding_rule hp_rules_contents[];
extern const struct hp_finding_rule hp_rules_members[];
extern const struct hp_finding_rule hp_rules_made_again[];
extern const struct hp_finding_rule hp_rules_held_too_much[];
extern const struct hp_finding_rule hp_rules_threads[];
extern const struct hp_finding_rule hp_rules_pools[];

/* What is worth a change: a share of the whole, and more than a handful. */
#define HP_WORTH_SHARE 0.01

#endif
