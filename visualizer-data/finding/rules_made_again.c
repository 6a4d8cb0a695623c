/* rules_made_again.c - findings of chunks that are made again and again.
   See finding_rule.h for what a row is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/saturate.h"
#include "finding/copies.h"
#include "finding/finding_rule.h"
#include "finding/finding_words.h"
#include "finding/generation.h"
#include "finding/growing.h"
#include "finding/library_object.h"
#include "finding/regrown.h"
#include "finding/shrinking.h"
#include "profile/collector_name.h"
#include "profile/own_chunks.h"
#include "resolve/frame_role.h"

#include <string.h>

/* ---- generation ---------------------------------------------------------- */

static bool is_generation(const struct hp_suspect *s, struct hp_verdict *v) {
  if (!s->turn || hp_is_copied_each_time(s))
    return false;
  *v = hp_verdict_of_all(s);
  hp_verdict_put_at(v, s, s->turn);
  v->finding.subject = NULL;
  v->family.mostly = s->origin.place;
  v->family.mostly_chunks = s->chunks;
  v->family.mostly_id = s->point->id;
  v->family.collector = hp_collector_of(s->point, s->turn);
  v->family.generations = s->point->generations;
  if (s->turns.own && s->turns.own < v->family.generations)
    v->family.generations = s->turns.own;
  v->origin.by_header = s->turn_is_inside;
  if (!v->origin.by_header) /* else they are the library's */
    v->family.turns = s->turns;
  v->family.live_most = s->point->peak_bytes;
  return true;
}

static void put_generation(FILE *out, const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  fputs(v->family.collector || v->origin.by_header ? "" : "Each turn of ", out);
  hp_put_place(out, f->place);
  if (v->family.collector) {
    fputs(" makes garbage, which ", out);
    hp_put_place(out, v->family.collector);
    fputs(" collects: chunks ", out);
  } else {
    fputs(v->origin.by_header
              ? " calls a library, which makes anew again and again "
                "what is gone by the next time: chunks "
              : " makes anew what is gone by the next: chunks ",
          out);
  }
  if (f->point_count > 1)
    fprintf(out, "of %zu points, such as ", f->point_count);
  fputs("in ", out);
  hp_put_place(out, v->family.mostly);
  const uint64_t turns = v->family.turns.adds > v->family.turns.own
                             ? v->family.turns.adds
                             : v->family.turns.own;
  if (v->family.collector || v->origin.by_header)
    fprintf(out, ", at least %s times",
            hp_told_count(f, v->family.generations).s);
  else if (turns) /* else of points that are told elsewhere */
    fprintf(out, ", at least %s turns of it", hp_told_count(f, turns).s);
  fprintf(out, ", at most %s at a time",
          hp_told_bytes(f, v->family.live_most).s);
}

/* No arena can take what a collector looks at one by one, nor a buffer. */
#define FEWER                                                                  \
  "Make fewer of them: a value that is used at once needs no chunk, and one "  \
  "that is made again can be kept."

#define ASK_LESS                                                               \
  "Call it less often, or let it keep its memory from call to call, if it "    \
  "can."

/* Not where a library of the system calls the program back, and that makes most of them. */
static bool is_turn_of_others(const struct hp_verdict *v) {
  return v->origin.by_header ||
         (hp_verdict_is_of_system(v) &&
          hp_frame_roles(v->family.mostly) & HP_ROLE_INSTALLED);
}

static void put_generation_remedy(FILE *out, const struct hp_verdict *v) {
  fputs(v->family.collector ? FEWER
        : is_turn_of_others(v)
            ? ASK_LESS
            : "Keep the object that holds them from turn to turn and fill it "
              "again, or take all of them from one arena that is emptied after "
              "each turn.",
        out);
}

/* ---- made_per_call ------------------------------------------------------- */

/* In each call of the place; or, where its constructor fills it, of who called that: what
   the place returns, or makes an object of. */
static bool is_made_in_turn(const struct hp_suspect *s) {
  return hp_turn_is_within(s->point, s->origin.place) ||
         (s->origin.constructs &&
          hp_turn_is_of_caller(s->point, s->origin.place));
}

/* With all nodes, and what they hold: a pool would do for these, but nothing that the
   program keeps if the container goes. */
static bool is_rebuilt_each_time(const struct hp_suspect *s) {
  return s->origin.container && s->origin.has_nodes && !s->origin.copies &&
         !s->origin.pair && is_made_in_turn(s) &&
         hp_origin_is_dropped(s->point);
}

static bool is_made_per_call(const struct hp_suspect *s, struct hp_verdict *v) {
  if (hp_is_regrown(s, v))
    return true;
  const bool is_rebuilt = is_rebuilt_each_time(s);
  const bool is_copy = hp_is_copied_each_time(s);
  const bool is_whole = is_copy || is_rebuilt;
  if ((!hp_suspect_follows_itself(s) && !is_whole) || s->origin.copied ||
      (!is_whole && hp_are_all_outgrown(s->point)) ||
      (!is_whole && (hp_point_overlaps(s->point) || !hp_suspect_container(s) ||
                     hp_suspect_is_passed(s))))
    return false;
  *v = hp_verdict_of_all(s);
  v->use.is_rebuilt = is_rebuilt;
  if (v->use.is_copy || v->use.is_rebuilt) {
    v->finding.subject = v->origin.container;
    v->is_cxx = true; /* nodes, too */
  }
  return true;
}

static void put_made_per_call(FILE *out, const struct hp_verdict *v) {
  if (v->copied.is_regrown) {
    hp_put_regrown(out, v);
    return;
  }
  hp_put_place(out, v->finding.place);
  fprintf(out,
          v->origin.by_header
              ? " calls a library, which makes %s anew each time, "
                "for %s on average"
          : v->origin.fills ? " fills %s made anew each time, for %s on average"
          : v->use.is_copy  ? " copies its %s anew each time, for %s on average"
                            : " makes its %s anew each time, for %s on average",
          hp_thing(&v->finding, "container"), hp_told_life(v).s);
}

/* The object that holds it belongs to another function, which frees it. */
static bool is_held_elsewhere(const struct hp_finding *f) {
  return f->freed_by && f->freed_by->function && f->place &&
         f->freed_by->function != f->place->function;
}

/* What holds one object in a chunk makes that anew when it is assigned. */
static bool keeps_memory(const char *container) {
  return container && strncmp(container, "std::function<", 14) != 0 &&
         strcmp(container, "std::any") != 0;
}

#define VIEW_PARTS                                                             \
  "Keep a std::string_view of each part, which copies nothing, if the text "   \
  "is there for longer; or assign to texts that are kept."

/* It holds what is small inside itself. */
static const char *remedy_of_holder(const struct hp_verdict *v) {
  if (v->origin.is_argument)
    return HP_ARGUMENT_BY_REFERENCE;
  if (v->use.is_stream && !is_held_elsewhere(&v->finding))
    return "Keep the stream, and empty it by str(\"\"); or append to a "
           "std::string that is kept, numbers by std::to_chars.";
  if ((v->origin.of_chars || (v->origin.of_view && v->origin.constructs)) &&
      !is_held_elsewhere(&v->finding))
    return "Let what is given it take a std::string_view or a const char *, "
           "which needs no copy; or keep it from call to call.";
  if (v->origin.of_part && !is_held_elsewhere(&v->finding))
    return "Take a std::string_view of the text, whose substr copies nothing; "
           "or keep it from call to call, and assign to it.";
  if (v->origin.of_part || v->origin.of_view)
    return VIEW_PARTS;
  if (v->origin.joins_texts && !is_held_elsewhere(&v->finding))
    return HP_JOIN_BY_APPEND;
  if (v->origin.container &&
      strncmp(v->origin.container, "std::function<", 14) == 0)
    return "Take what is called as a template parameter or by reference, or "
           "let it capture less: the size of two pointers needs no chunk.";
  return NULL;
}

static void put_made_per_call_remedy(FILE *out, const struct hp_verdict *v) {
  if (v->origin.by_header) {
    fputs("Call it less often, or keep what it fills from call to call.", out);
    return;
  }
  if (v->copied.is_regrown) {
    fputs(hp_regrown_remedy, out);
    return;
  }
  if (remedy_of_holder(v)) {
    fputs(remedy_of_holder(v), out);
    return;
  }
  if (v->use.is_copy && !v->origin.fills && keeps_memory(v->origin.container) &&
      !is_held_elsewhere(&v->finding)) {
    fputs("Use the original, or assign it to a copy that is kept from call to "
          "call, as a member or a thread_local: that uses its memory again.",
          out);
    return;
  }
  if (v->use.is_rebuilt && !v->origin.fills &&
      !is_held_elsewhere(&v->finding)) {
    fputs("Build it once if it holds the same each time; else use a "
          "std::vector that is kept and cleared, sorted for look-ups, or give "
          "it a std::pmr::monotonic_buffer_resource.",
          out);
    return;
  }
  if (v->use.is_rebuilt && !v->origin.fills && hp_may_be_result(&v->finding)) {
    fputs("Build it once if it holds the same each time, and return a const "
          "reference to it; else let the caller give one to fill.",
          out);
    return;
  }
  fputs(v->origin.fills
            ? "Keep it from call to call where it is made, and clear it "
              "instead"
        : is_held_elsewhere(&v->finding)
            ? "Keep the object that holds it from call to call, and clear it "
              "instead of freeing it"
            : "Keep it from call to call, as a member or a thread_local, "
              "and clear it instead",
        out);
  fputs(v->use.is_adaptor
            ? "; or base it on std::vector, which takes no memory "
              "while it is empty."
        : is_held_elsewhere(&v->finding) && hp_may_be_result(&v->finding)
            ? "; if it is the result, let the caller give one to fill."
            : ".",
        out);
}

/* ---- stack_instead ------------------------------------------------------- */

/* What a function may have on its stack: of one size, or of several. */
#define STACK_BYTES 4096u
#define STACK_BYTES_VARIED 512u

/* Where a coroutine's lies is up to the compiler and to its promise. */
static bool is_coroutine_frame(const char *type) {
  static const char begin[] = "coroutine frame of ";
  return type && strncmp(type, begin, sizeof begin - 1) == 0;
}

/* How long a text is the data say, even if all were of one length. */
static bool is_one_size(const struct hp_verdict *v) {
  const char *type = v->finding.subject;
  return v->whole.size_min == v->whole.size_max &&
         !(type && strcmp(type, "char") == 0);
}

/* Of a container of the C++ library, which no variable can be. */
static bool is_library_node(const struct hp_origin *origin) {
  return origin->is_node && origin->container;
}

/* A template for one element, which has what it is given. */
static bool is_pointer(struct hp_text_part class, const struct hp_point *p) {
  return hp_part_has(class, "<") && p->size.min == p->element_size &&
         p->size.max == p->element_size;
}

/* All of them are freed by the call of the function that allocated them. */
static bool is_for_stack(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  const bool fits =
      p->size.defined &&
      p->size.max <=
          (p->size.min == p->size.max ? STACK_BYTES : STACK_BYTES_VARIED);
  const uint64_t threads = p->process ? p->process->threads : 1;
  if (!fits || s->origin.by_library || s->origin.by_header ||
      is_library_node(&s->origin) || s->origin.sorter || s->origin.copied ||
      is_coroutine_frame(p->type) ||
      p->peak_bytes > hp_multiply(p->size.max, threads) ||
      !hp_point_is_freed_by_its_calls(p) || !hp_suspect_follows_itself(s))
    return false;
  *v = hp_verdict_of_all(s);
  const struct hp_frame *owner = hp_owner_frame(p);
  v->owner = hp_owner_class(p, owner);
  if (is_pointer(v->owner, p))
    v->owner.length = 0;
  hp_verdict_put_at(v, s, owner);
  v->finding.freed_by = NULL; /* it is the place itself */
  return true;
}

static void put_for_stack(FILE *out, const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  hp_put_place(out, f->place);
  if (v->owner.length)
    fprintf(out, " has an object of %.*s that allocates ", (int)v->owner.length,
            v->owner.begin);
  else
    fputs(" allocates ", out);
  fprintf(out,
          "%s%s%s for itself, and frees each, it seems in the same call, after "
          "%s on average",
          hp_thing(f, "chunks"),
          v->whole.size_min == v->whole.size_max ? " of " : " of up to ",
          hp_told_bytes(f, v->whole.size_max).s, hp_told_life(v).s);
}

static void put_for_stack_remedy(FILE *out, const struct hp_verdict *v) {
  if (v->owner.length && v->whole.size_max > STACK_BYTES_VARIED) {
    fprintf(out, "Keep an object of %.*s from call to call.",
            (int)v->owner.length, v->owner.begin);
    return;
  }
  if (v->owner.length) {
    fprintf(out,
            "Let %.*s have room for %s in itself, and allocate for more only.",
            (int)v->owner.length, v->owner.begin,
            hp_told_bytes(&v->finding, v->whole.size_max).s);
    return;
  }
  fprintf(out,
          is_one_size(v)
              ? "Use a variable on the stack: %s are enough."
              : "Use a variable on the stack, if there is a bound to its size: "
                "%s were enough.",
          hp_told_bytes(&v->finding, v->whole.size_max).s);
}

/* ---- short_lived --------------------------------------------------------- */

static bool is_short_lived(const struct hp_suspect *s, struct hp_verdict *v) {
  if (!hp_suspect_follows_itself(s))
    return false;
  *v = hp_verdict_of_all(s);
  v->family.collector = hp_collector_of(s->point, s->origin.place);
  return true;
}

/* Then a few that live long are among them, and one buffer does not do for all. */
static bool are_at_once(const struct hp_verdict *v) {
  return v->lives.overlapping_ns > v->lives.lived_ns / 2;
}

static void put_short_lived(FILE *out, const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  if (v->use.in_vain) {
    hp_put_place(out, f->place);
    fprintf(out,
            " emplaces keys that are there, for each of which it makes a "
            "%s of %s, and drops it",
            hp_thing(f, "node"), hp_told_bytes(f, v->whole.size_max).s);
    return;
  }
  if (v->copied.what) {
    hp_put_class_copies(out, v);
    return;
  }
  hp_put_place(out, f->place);
  if (v->origin.sorter) {
    fprintf(out,
            " calls %s, which takes a buffer of up to %s each time, for %s on "
            "average",
            v->origin.sorter, hp_told_bytes(f, v->whole.size_max).s,
            hp_told_life(v).s);
    return;
  }
  if (v->use.is_passed) {
    fprintf(out,
            " passes elements through its %s, which takes a new block of %s "
            "again and again, ",
            f->subject, hp_told_bytes(f, v->whole.size_max).s);
    hp_put_lives(out, v);
    return;
  }
  fprintf(out, " %s %s%s",
          v->origin.is_block ? "asks a memory resource, which allocates"
          : v->origin.by_library || v->origin.by_header
              ? "calls a library, which allocates"
              : "allocates",
          hp_thing(f, "chunks"),
          v->whole.size_min == v->whole.size_max ? " of " : " of up to ");
  fprintf(out, "%s %s, ", hp_told_bytes(f, v->whole.size_max).s,
          are_at_once(v) ? "again and again" : "one after the other");
  hp_put_lives(out, v);
  if (v->family.collector) {
    fputs(", until ", out);
    hp_put_place(out, v->family.collector);
    fputs(" collects it as garbage", out);
  }
  hp_put_staying(out, v);
}

/* They do without a buffer, or with one that the program keeps. */
static void put_sorter_remedy(FILE *out, const char *sorter) {
  fputs(strcmp(sorter, "std::stable_sort") == 0
            ? "Use std::sort, which takes none, if equal ones may change their "
              "order, or if what compares them can tell all of them apart."
        : strcmp(sorter, "std::inplace_merge") == 0
            ? "Merge by std::merge into a buffer that is kept, and swap."
            : "Use std::partition, which takes none, if it may change the "
              "order.",
        out);
}

/* A library of the system, which the program can only call otherwise. */
static bool is_by_others(const struct hp_verdict *v) {
  return v->origin.by_library || v->origin.by_header ||
         hp_verdict_is_of_system(v);
}

/* Texts and vectors, which keep their memory if another one is assigned to them. */
static bool is_assigned_in_place(const char *container) {
  return container && (strcmp(container, "std::string") == 0 ||
                       strncmp(container, "std::basic_string<", 18) == 0 ||
                       strncmp(container, "std::vector<", 12) == 0);
}

static void put_short_lived_remedy(FILE *out, const struct hp_verdict *v) {
  static const char *const texts[] = {
      [HP_LIBC_FORMATTED] = "Format by snprintf into a buffer that is on the "
                            "stack, or kept from call to call.",
      [HP_LIBC_LINE] = "Keep the buffer from call to call: getline and "
                       "getdelim take one that is there, and enlarge it only "
                       "if they have to.",
      [HP_LIBC_PATH] = "Give it a buffer of PATH_MAX bytes, or keep the path "
                       "if it stays the same.",
      [HP_LIBC_COPY] = "Copy into a buffer that is kept from call to call, or "
                       "use the original while it is there."};
  if (v->copied.what) {
    hp_put_class_copies_remedy(out, v);
    return;
  }
  if (v->origin.sorter) {
    put_sorter_remedy(out, v->origin.sorter);
    return;
  }
  if (v->use.in_vain) {
    fputs(HP_TRY_EMPLACE, out);
    return;
  }
  fputs(v->family.collector ? FEWER
        : v->origin.libc    ? texts[v->origin.libc]
        : v->use.is_passed
            ? "Use a ring buffer, which keeps its memory; if the container "
              "is made anew each time, keep it from call to call."
        : v->origin.is_block
            ? "Give the resource a first buffer that is large enough, or keep "
              "one with pools from call to call."
        : is_by_others(v) ? ASK_LESS
        : v->origin.joins_texts && !is_held_elsewhere(&v->finding)
            ? HP_JOIN_BY_APPEND
        : v->origin.of_part || v->origin.of_view ? VIEW_PARTS
        : v->origin.copies
            ? "Where the copy is only read, take the original by const "
              "reference; else give the container a std::pmr resource, which "
              "uses freed memory again."
        : v->is_cxx && is_assigned_in_place(v->origin.container)
            ? "Keep the objects that hold them, and assign to these, which "
              "uses their memory again; or give them a std::pmr resource."
        : is_coroutine_frame(v->finding.subject)
            ? "Give the promise of the coroutine an operator new that keeps "
              "freed frames in a free list, or let one coroutine go on where "
              "many are begun."
        : is_library_node(&v->origin)
            ? "Give the container a std::pmr resource with pools, which keeps "
              "freed nodes, or use one without nodes, such as a sorted "
              "std::vector."
        : are_at_once(v)
            ? "Keep freed ones in a free list or a pool, or take them from an "
              "arena if they are freed together."
        : is_one_size(v) && v->whole.size_max <= STACK_BYTES
            ? "Keep freed ones in a free list or a pool, or use a variable "
              "on the stack if it leaves no function."
            : "Reuse one buffer, or take them from an arena that is freed "
              "as a whole.",
        out);
}

const struct hp_finding_rule hp_rules_made_again[] = {
    {.name = "sort_copies",
     .verb = "move",
     .least = 100,
     .judge = hp_is_sort_copy,
     .text = hp_put_sort_copies,
     .remedy = hp_put_sort_copies_remedy,
     .turn = HP_TURN_FIRST},
    {.name = "deep_copy",
     .verb = "refer or move",
     .least = 100,
     .judge = hp_is_deep_copy,
     .text = hp_put_deep_copy,
     .remedy = hp_put_deep_copy_remedy,
     .turn = HP_TURN_FIRST,
     .yields_to = "copied_to_read",
     .yields_copies = true},
    {.name = "object_per_call",
     .verb = "hoist",
     .least = 100,
     .judge = hp_is_object_per_call,
     .text = hp_put_object_per_call,
     .remedy = hp_put_object_per_call_remedy,
     .turn = HP_TURN_FIRST},
    {.name = "concatenation",
     .verb = "append",
     .least = 100,
     .judge = hp_is_concatenation,
     .text = hp_put_concatenation,
     .remedy = hp_put_concatenation_remedy,
     .joins_lines = true},
    {.name = "copied_to_read",
     .verb = "refer",
     .least = 100,
     .judge = hp_is_copied_to_read,
     .text = hp_put_copied_to_read,
     .remedy = hp_put_copied_to_read_remedy,
     .is_of_copies = true},
    {.name = "shrinking",
     .verb = "keep",
     .least = 100,
     .judge = hp_is_shrunk_again,
     .text = hp_put_shrinking,
     .remedy = hp_put_shrinking_remedy},
    {.name = "growing",
     .verb = "reserve",
     .least = 4,
     .judge = hp_is_growing,
     .text = hp_put_growing,
     .remedy = hp_put_growing_remedy,
     .memory = hp_memory_of_smaller,
     .joins_lines = true},
    {.name = "generation",
     .verb = "keep",
     .least = 100,
     .judge = is_generation,
     .text = put_generation,
     .remedy = put_generation_remedy,
     .is_of_lives = true},
    {.name = "made_per_call",
     .verb = "hoist",
     .least = 100,
     .judge = is_made_per_call,
     .text = put_made_per_call,
     .remedy = put_made_per_call_remedy,
     .is_of_lives = true},
    {.name = "growing",
     .verb = "reserve",
     .least = 100,
     .judge = hp_is_outgrown_often,
     .text = hp_put_growing,
     .remedy = hp_put_growing_remedy,
     .joins_lines = true},
    {.name = "stack_instead",
     .verb = "stack",
     .least = 100,
     .judge = is_for_stack,
     .text = put_for_stack,
     .remedy = put_for_stack_remedy,
     .joins_lines = true,
     .yields_to = "short_lived",
     .is_of_lives = true},
    {.name = "short_lived",
     .verb = "pool",
     .least = 100,
     .judge = is_short_lived,
     .text = put_short_lived,
     .remedy = put_short_lived_remedy,
     .joins_lines = true,
     .is_of_lives = true},
    {0}};
