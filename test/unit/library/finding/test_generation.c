/* test_generation.c - generation.h: whose turns make and free the chunks of a family of points.
   Stacks are written by hand, those of frees as well.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "finding/generation.h"
#include "frame_list.h"

#define APP "/usr/bin/app"
static const char *const names[] = {"make", "parse", "run",  "main",
                                    "drop", "leave", "other"};
enum { MAKE, PARSE, RUN, MAIN, DROP, LEAVE, OTHER };
#define AT(name, number)                                                       \
  {.function = names[name], .module = APP, .file = "app.c", .line = number}

static const struct hp_frame makes = AT(MAKE, 1), makes_more = AT(MAKE, 2),
                             parses = AT(PARSE, 10), runs = AT(RUN, 20),
                             runs_again = AT(RUN, 20), starts = AT(MAIN, 30),
                             starts_more = AT(MAIN, 33), drops = AT(DROP, 40),
                             run_drops = AT(RUN, 25),
                             parse_drops = AT(PARSE, 15),
                             main_drops = AT(MAIN, 35), leaves = AT(LEAVE, 50);

/* 100 chunks, ten of them in each turn. */
static struct hp_point point_of(uint64_t id, const struct hp_frame *const *made,
                                size_t count, const struct hp_freed *freed) {
  return (struct hp_point){.id = id,
                           .stack = made,
                           .stack_count = count,
                           .place = made[0],
                           .chunks = 100,
                           .bytes = 1000,
                           .peak_bytes = 100,
                           .generations = 10,
                           .freed = freed,
                           .freed_count = 1,
                           .freed_chunks = 100,
                           .last_ns = 1000};
}
#define STACK(...)                                                             \
  (const struct hp_frame *const[]) { __VA_ARGS__ }
#define COUNT(...) (sizeof STACK(__VA_ARGS__) / sizeof(struct hp_frame *))
#define FREED(...)                                                             \
  (const struct hp_freed){.stack = STACK(__VA_ARGS__),                         \
                          .stack_count = COUNT(__VA_ARGS__),                   \
                          .has_stack = true,                                   \
                          .chunks = 100}
#define POINT(id, freed, ...)                                                  \
  point_of(id, STACK(__VA_ARGS__), COUNT(__VA_ARGS__), freed)

static uint64_t turns; /* of the last turn_find() */
static bool is_inside; /* and so */
static const struct hp_frame *turn_find(const struct hp_point *point) {
  return hp_turn_find(point, &turns, &is_inside);
}

static void the_turn_is_of_who_calls_both(void **state) {
  (void)state;
  const struct hp_freed freed = FREED(&drops, &run_drops, &starts);
  struct hp_point p = POINT(1, &freed, &makes, &parses, &runs, &starts);
  assert_ptr_equal(turn_find(&p), &runs);
  /* At one call, too, also where that is inlined and has frames of its own. */
  const struct hp_freed same = FREED(&drops, &leaves, &runs_again, &starts);
  p.freed = &same;
  assert_ptr_equal(turn_find(&p), &runs);
  /* The outermost of several. */
  struct hp_freed two[] = {FREED(&drops, &run_drops, &starts),
                           FREED(&drops, &main_drops)};
  p.freed = two;
  p.freed_count = 2;
  p.freed_chunks = 200;
  assert_ptr_equal(turn_find(&p), &starts);
  /* But for a few, which go at the end. */
  two[1].chunks = 14;
  p.freed_chunks = 114;
  assert_ptr_equal(turn_find(&p), &runs);
  two[1].chunks = 15;
  p.freed_chunks = 115;
  assert_ptr_equal(turn_find(&p), &starts);
}

/* Of a stripped library the function that was called has a name. */
static void a_turn_without_a_name_is_of_who_was_called(void **state) {
  (void)state;
  static const struct hp_frame inside = {.module = "/usr/lib/libx.so.2",
                                         .address = 0x2000},
                               inside_drops = {.module = "/usr/lib/libx.so.2",
                                               .address = 0x2100},
                               called = {.function = "x_parse",
                                         .module = "/usr/lib/libx.so.2"};
  const struct hp_freed freed = FREED(&drops, &inside, &called, &starts);
  const struct hp_point p = POINT(1, &freed, &makes, &inside, &called, &starts);
  assert_ptr_equal(turn_find(&p), &called);
  const struct hp_freed apart =
      FREED(&drops, &inside_drops, &inside, &called, &starts);
  struct hp_point other = p;
  other.freed = &apart;
  assert_ptr_equal(turn_find(&other), &called);
}

static void without_generations_there_is_none(void **state) {
  (void)state;
  const struct hp_freed freed = FREED(&drops, &run_drops, &starts);
  const struct hp_point good =
      POINT(1, &freed, &makes, &parses, &runs, &starts);
  struct hp_point p = good;
  p.generations = 7;
  assert_null(turn_find(&p));
  p = good;
  p.peak_bytes = 126;
  assert_null(turn_find(&p));
  p = good;
  p.live_chunks = 13;
  assert_null(turn_find(&p));
  p = good;
  p.grown.chunks = 51; /* is told to reserve */
  assert_null(turn_find(&p));
  p = good;
  p.inferences[HP_INF_write_only].chunks = 50; /* to go */
  assert_null(turn_find(&p));
  p = good;
  p.place = NULL;
  assert_null(turn_find(&p));
}

static void where_frees_are_not_known_there_is_none(void **state) {
  (void)state;
  struct hp_freed freed = FREED(&drops, &run_drops, &starts);
  struct hp_point p = POINT(1, &freed, &makes, &parses, &runs, &starts);
  p.freed_chunks = 300;
  assert_null(turn_find(&p));
  p.freed_chunks = 100;
  freed.reallocated = true;
  assert_null(turn_find(&p));
  freed.reallocated = false;
  freed.has_stack = false; /* frames that are inlined in its call are known */
  assert_null(turn_find(&p));
  /* Another thread, say. */
  const struct hp_freed elsewhere = FREED(&drops, &leaves);
  p.freed = &elsewhere;
  assert_null(turn_find(&p));
}

static void a_turn_is_within_who_frees_or_further_out(void **state) {
  (void)state;
  const struct hp_freed freed = FREED(&drops, &parse_drops, &runs, &starts);
  const struct hp_point good =
      POINT(1, &freed, &makes, &parses, &runs, &starts);
  assert_true(hp_turn_is_within(&good, &parses));
  assert_true(hp_turn_is_within(&good, &runs));
  assert_false(hp_turn_is_within(&good, &makes)); /* its caller frees */
  assert_false(hp_turn_is_within(&good, &leaves));
  struct hp_point p = good;
  p.generations = 7;
  assert_false(hp_turn_is_within(&p, &parses));
  p.generations = 9; /* of more than there ever were at a time */
  assert_false(hp_turn_is_within(&p, &parses));
  p = good;
  p.peak_bytes = 126;
  assert_false(hp_turn_is_within(&p, &parses));
  p = good;
  p.live_chunks = 13;
  assert_false(hp_turn_is_within(&p, &parses));
  p = good;
  p.freed_chunks = 300; /* no stack of most */
  assert_false(hp_turn_is_within(&p, &parses));
}

static void what_one_function_makes_and_frees_is_its_own(void **state) {
  (void)state;
  const struct hp_freed freed = FREED(&drops, &parse_drops, &runs, &starts);
  struct hp_point p = POINT(1, &freed, &makes, &parses, &runs, &starts);
  assert_ptr_equal(turn_find(&p), &parses);
  p.place = &parses; /* past a wrapper */
  assert_null(turn_find(&p));
}

/* Chunks of 40 generations, ten of which end where the turn does. */
static void what_goes_further_inward_ends_no_turn(void **state) {
  (void)state;
  struct hp_freed two[] = {FREED(&drops, &parse_drops, &runs, &starts),
                           FREED(&drops, &run_drops, &starts)};
  struct hp_point p = POINT(1, two, &makes, &parses, &runs, &starts);
  p.freed_count = 2;
  p.generations = 40;
  two[0].chunks = 30;
  two[1].chunks = 10;
  p.chunks = p.freed_chunks = 40;
  assert_ptr_equal(turn_find(&p), &runs);
  assert_int_equal(turns, 10);
  p.chunks = p.freed_chunks = 80; /* no stack of the others */
  assert_ptr_equal(turn_find(&p), &runs);
  assert_int_equal(turns, 20);
  p.generations = 9; /* of several chunks */
  assert_ptr_equal(turn_find(&p), &runs);
  assert_int_equal(turns, 9);
}

/* Each of ten turns has a chunk that realloc ends for another one. */
static void what_realloc_ends_ends_no_turn(void **state) {
  (void)state;
  struct hp_freed two[] = {FREED(&drops, &run_drops, &starts),
                           FREED(&makes, &parses, &runs, &starts)};
  struct hp_point p = POINT(1, two, &makes, &parses, &runs, &starts);
  p.freed_count = 2;
  p.generations = 20;
  two[0].chunks = two[1].chunks = 10;
  two[1].reallocated = true;
  p.chunks = p.freed_chunks = 20;
  assert_ptr_equal(turn_find(&p), &runs);
  assert_int_equal(turns, 10);
}

/* The place of each of COUNT points, as a family or alone. */
static void find(const struct hp_frame **places, const struct hp_point *points,
                 size_t count) {
  struct hp_families all = {0};
  for (size_t i = 0; i < count; i++)
    assert_true(hp_families_add(&all, &points[i]));
  assert_true(hp_families_sort(&all));
  for (size_t i = 0; i < count; i++)
    places[i] = hp_families_place(&all, &points[i]);
  hp_families_free(&all);
}

static void points_of_one_function_are_a_family(void **state) {
  (void)state;
  const struct hp_freed freed = FREED(&drops, &run_drops, &starts);
  const struct hp_frame *places[3];
  struct hp_point points[] = {
      POINT(1, &freed, &makes, &parses, &runs, &starts),
      POINT(2, &freed, &makes_more, &runs, &starts),
      POINT(3, &freed, &makes, &parses, &leaves, &starts)};
  points[1].chunks = 200;
  points[2].chunks = 10; /* one in a turn */
  find(places, points, 3);
  assert_ptr_equal(places[0], &runs);
  assert_ptr_equal(places[1], &runs);
  assert_null(places[2]); /* of main's turn, and alone */
  find(places, points, 0);
  /* One behind the other. */
  points[1].first_ns = 1000;
  points[1].last_ns = 2000;
  for (size_t i = 0; i < 3; i++)
    points[i].chunks = 10;
  find(places, points, 2);
  assert_null(places[0]);
  assert_null(places[1]);
}

static void main_has_lines_for_all_it_does(void **state) {
  (void)state;
  const struct hp_freed freed = FREED(&drops, &main_drops);
  const struct hp_frame *places[2];
  struct hp_point points[] = {POINT(1, &freed, &makes, &starts),
                              POINT(2, &freed, &makes_more, &starts_more)};
  points[0].chunks = points[1].chunks = 19; /* less than two in a turn */
  find(places, points, 2);
  assert_null(places[0]);
  assert_null(places[1]);
  points[1] = POINT(2, &freed, &makes_more, &starts);
  find(places, points, 2);
  assert_ptr_equal(places[0], &starts);
  assert_ptr_equal(places[1], &starts);
}

/* A family of parse, in one of run. */
static void turns_within_turns_are_one_family(void **state) {
  (void)state;
  const struct hp_freed inside = FREED(&drops, &parse_drops, &runs, &starts),
                        freed = FREED(&drops, &run_drops, &starts);
  const struct hp_frame *places[4];
  struct hp_point points[] = {
      POINT(1, &inside, &makes, &leaves, &parses, &runs, &starts),
      POINT(2, &inside, &makes_more, &parses, &runs, &starts),
      POINT(3, &freed, &makes, &leaves, &runs, &starts),
      POINT(4, &freed, &makes_more, &runs, &starts)};
  points[0].place = &leaves;
  points[2].place = &leaves;
  find(places, points, 4);
  for (size_t i = 0; i < 4; i++)
    assert_ptr_equal(places[i], &runs);
  /* Of which there are many in one around them. */
  points[0].generations = points[1].generations = 22;
  find(places, points, 4);
  assert_ptr_equal(places[0], &parses);
  assert_ptr_equal(places[2], &runs);
  /* Also where the point with most chunks is often there still. */
  points[0].generations = points[2].generations;
  points[1].generations = 60;
  find(places, points, 4);
  assert_ptr_equal(places[0], &parses);
  assert_ptr_equal(places[1], &parses);
  assert_ptr_equal(places[2], &runs);
  points[0].generations = points[1].generations = 21;
  find(places, points, 4);
  assert_ptr_equal(places[0], &runs);
  /* At another time, or once from elsewhere. */
  points[2].first_ns = points[3].first_ns = 1001;
  find(places, points, 4);
  assert_ptr_equal(places[0], &parses);
  points[2].first_ns = points[3].first_ns = 0;
  const struct hp_freed other = FREED(&drops, &parse_drops, &starts);
  points[1] = POINT(2, &other, &makes_more, &parses, &starts);
  find(places, points, 4);
  assert_ptr_equal(places[0], &parses);
}

/* Of the outermost turn the most that a member came in, whoever has most chunks; one
   adds them for all of the same callers. */
static void turns_are_those_of_all_members(void **state) {
  (void)state;
  const struct hp_freed inside = FREED(&drops, &parse_drops, &runs, &starts),
                        freed = FREED(&drops, &run_drops, &starts);
  struct hp_point points[] = {
      POINT(1, &freed, &makes, &parses, &runs, &starts),
      POINT(2, &freed, &makes_more, &runs, &starts),
      POINT(3, &inside, &makes, &leaves, &parses, &runs, &starts)};
  struct hp_families all = {0};
  points[1].generations = 12;
  points[1].chunks = 50;
  points[2].generations = 24; /* within, twice in some */
  points[2].place = &leaves;
  for (size_t i = 0; i < 3; i++)
    assert_true(hp_families_add(&all, &points[i]));
  assert_true(hp_families_sort(&all));
  for (size_t i = 0; i < 3; i++) {
    assert_ptr_equal(hp_families_place(&all, &points[i]), &runs);
    const struct hp_turns told = hp_families_turns(&all, &points[i]);
    assert_int_equal(told.adds, i == 1 ? 12 : 0);
    assert_int_equal(told.own, i == 2 ? 0 : points[i].generations);
  }
  hp_families_free(&all);
}

/* As often as all of one were gone, for each way to the function; one call is one
   way, though what is inlined there gives it several addresses. */
static void turns_of_all_callers_are_counted_once(void **state) {
  (void)state;
  const struct hp_freed inside = FREED(&drops, &parse_drops, &runs, &starts),
                        other = FREED(&drops, &parse_drops, &starts),
                        freed = FREED(&drops, &run_drops, &starts);
  struct hp_families all = {0};
  struct hp_point points[] = {
      POINT(1, &inside, &makes, &parses, &runs, &starts),
      POINT(2, &inside, &makes_more, &parses, &runs_again, &starts),
      POINT(3, &other, &makes, &parses, &starts),
      /* Around the first two. */
      POINT(4, &freed, &makes, &leaves, &runs, &starts),
      POINT(5, &freed, &makes_more, &runs, &starts)};
  const uint64_t added[] = {0, 12, 15};
  points[0].generations = 11;
  points[1].generations = 12;
  points[2].generations = 15;
  points[3].generations = 9;
  points[4].generations = 8;
  for (size_t i = 0; i < 3; i++)
    assert_true(hp_families_add(&all, &points[i]));
  assert_true(hp_families_sort(&all));
  for (size_t i = 0; i < 3; i++)
    assert_int_equal(hp_families_turns(&all, &points[i]).adds, added[i]);
  assert_int_equal(hp_families_turns(&all, &points[3]).adds,
                   0); /* is in none */
  hp_families_free(&all);
  /* Of turns within turns those around them. */
  for (size_t i = 0; i < 5; i++)
    if (i != 2)
      assert_true(hp_families_add(&all, &points[i]));
  assert_true(hp_families_sort(&all));
  for (size_t i = 0; i < 5; i++)
    assert_int_equal(hp_families_turns(&all, &points[i]).adds, i == 3 ? 9 : 0);
  hp_families_free(&all);
}

/* Of short lives it has a finding of its own; else several in a turn are one. */
static void one_point_alone_may_be_a_family(void **state) {
  (void)state;
  const struct hp_freed freed = FREED(&drops, &run_drops, &starts);
  const struct hp_frame *place;
  struct hp_point p = POINT(1, &freed, &makes, &parses, &runs, &starts);
  find(&place, &p, 1);
  assert_ptr_equal(place, &runs);
  p.chunks = 19;
  find(&place, &p, 1);
  assert_null(place);
  p.chunks = 100;
  p.scores.lifetime = 0.1;
  p.inferences[HP_INF_short_lived].flagged = true;
  find(&place, &p, 1);
  assert_null(place);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_turn_is_of_who_calls_both),
      cmocka_unit_test(a_turn_without_a_name_is_of_who_was_called),
      cmocka_unit_test(without_generations_there_is_none),
      cmocka_unit_test(where_frees_are_not_known_there_is_none),
      cmocka_unit_test(a_turn_is_within_who_frees_or_further_out),
      cmocka_unit_test(what_one_function_makes_and_frees_is_its_own),
      cmocka_unit_test(what_goes_further_inward_ends_no_turn),
      cmocka_unit_test(what_realloc_ends_ends_no_turn),
      cmocka_unit_test(points_of_one_function_are_a_family),
      cmocka_unit_test(main_has_lines_for_all_it_does),
      cmocka_unit_test(turns_within_turns_are_one_family),
      cmocka_unit_test(turns_are_those_of_all_members),
      cmocka_unit_test(turns_of_all_callers_are_counted_once),
      cmocka_unit_test(one_point_alone_may_be_a_family),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
