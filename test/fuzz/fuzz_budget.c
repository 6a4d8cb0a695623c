/* fuzz_budget.c - libFuzzer target: any bytes as a file of a budget.
   It is read into limits that make sense, or refused in one line.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "budget.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good) {
  if (!good)
    abort();
}

static void require_sense(const struct hp_limit *limit) {
  require(limit->scope < HP_SCOPE_COUNT);
  require((limit->scope == HP_SCOPE_WHOLE) == (limit->name == NULL));
  require(limit->metric < HP_BUDGET_METRIC_COUNT && limit->bound.defined);
  if (hp_is_score(limit->metric))
    require(limit->bound.score >= 0 && limit->bound.score <= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[32];
  int file = memfd_create("budget", 0);
  require(file >= 0 && write(file, data, size) == (ssize_t)size);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  struct hp_budget budget = {0};
  struct hp_error error = {0};
  if (hp_budget_read(&budget, path, &error)) {
    require(budget.count > 0);
    for (size_t i = 0; i < budget.count; i++)
      require_sense(&budget.limits[i]);
  } else {
    require(strncmp(error.text, path, strlen(path)) == 0);
    require(!strchr(error.text, '\n'));
  }
  hp_budget_free(&budget);
  close(file);
  return 0;
}
