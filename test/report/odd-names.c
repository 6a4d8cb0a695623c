// Names that look like markup, turn the order of letters, or are very long, in a browser, and what a reader of the page by ear and by keys needs.
// Without Chromium and its driver there is no such test.
// REQUIRES: chromedriver, llvm-22
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_report %dump/heapprof.* -o %t.html && %python %S/Inputs/use_odd_names.py %t.html
#include <stdlib.h>

struct
    a_type_whose_name_goes_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on {
  char text[40];
};
void *volatile kept;

__attribute__((noinline)) void
markup(void) __asm__("<img src=x onerror=document.title='markup'>");
#line 20 "/src/<script>document.title='script'</script>.c"
__attribute__((noinline)) void markup(void) { kept = malloc(4000); }

__attribute__((noinline)) void is_long(void) {
  kept = malloc(
      50 *
      sizeof(
          struct
          a_type_whose_name_goes_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on));
}

#line 30 "/src/קובץ‮txt.c"
__attribute__((noinline)) void turned(void) { kept = calloc(1, 3000); }

/* 638 bytes, of which the page has both ends. */
#define PART "a_part_of_a_name_that_goes_on_"
#define PARTS PART PART PART PART PART PART PART
__attribute__((noinline)) void *loses(void) { return malloc(90); }
__attribute__((noinline)) void is_longer(void) __asm__(PARTS PARTS PARTS
                                                       "and_ends");
__attribute__((noinline)) void is_longer(void) {
  kept = loses();
  kept = malloc(100);
}

int main(void) {
  for (int i = 0; i < 200; i++)
    is_longer();
  markup();
  is_long();
  turned();
  return 0;
}
