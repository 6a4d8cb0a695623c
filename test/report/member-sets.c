// member-sets.c - sets by what was done to members, in the page: the same points and errors as heapprof-score --filter; and false sharing, in words.
// Opened in a headless browser; score/member-keys.c states which points each set has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: chromedriver, llvm-22
// RUN: rm -rf %t && mkdir %t && cd %t && %clang_heapprof -fsanitize-heapprof-members -g -O1 %S/../score/member-keys.c -o app
// RUN: env HEAPPROF_OPTIONS=members=1:chunk_log=all:dump_dir=counted ./app && env HEAPPROF_OPTIONS=chunk_log=all:dump_dir=plain ./app
// RUN: for dump in counted plain; do %heapprof_report $dump -o $dump.html && \
// RUN:   %python %S/Inputs/compare_sets.py $dump.html %heapprof_score $dump 40 members || { echo $dump; exit 1; }; done > %t.out
// RUN: FileCheck --match-full-lines --input-file=%t.out %s
// CHECK:      same answers: {{[0-9]+}} sets, some choose, {{.*}}
// CHECK-NEXT: same answers: {{[0-9]+}} sets, few choose, some are wrong
//
// RUN: %clang_heapprof -fsanitize-heapprof-members -O2 -g %S/../findings/false-sharing-members.c -o shared -pthread
// RUN: env HEAPPROF_OPTIONS=members=1:dump_dir=shared.dump ./shared && %heapprof_report shared.dump -o shared.html
// RUN: %heapprof_score --by member --json shared.dump > shared.json && %python %S/Inputs/use_false_lines.py shared.html shared.json
// RUN: %clang_heapprof -fsanitize-heapprof-members -O2 -g -DREPAIRED %S/../findings/false-sharing-members.c -o apart -pthread
// RUN: env HEAPPROF_OPTIONS=members=1:dump_dir=apart.dump ./apart && %heapprof_report apart.dump -o apart.html
// RUN: %heapprof_score --by member --json apart.dump > apart.json && %python %S/Inputs/use_false_lines.py apart.html apart.json none
