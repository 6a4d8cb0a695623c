/* report_source.h - lines of the program's sources around what a report names.
   Read when the report is made; a file that changed since the run is marked.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REPORT_SOURCE_H
#define HP_REPORT_SOURCE_H

#include "heapprof.h"
#include "json_writer.h"

typedef struct hp_report_sources hp_report_sources;

/* Files that are not found as named are looked for below DIRECTORY, which may be
   NULL, by their whole name, then by less and less of its end. */
hp_report_sources *hp_report_sources_new(const char *directory);
void hp_report_sources_free(hp_report_sources *sources);

/* Asks for the lines within AROUND of LINE; false without memory. */
bool hp_report_sources_want(hp_report_sources *sources, const char *file,
                            uint32_t line, uint32_t around);

/* Member "sources": files with their wanted lines, in the order in which they
   were first asked for, at most MOST bytes in all. NEWER_THAN: Unix time in
   nanoseconds.  Returns the number of files that had no room; what cannot be
   read is left out without a word: most of it is on other machines. */
size_t hp_report_sources_put(hp_report_sources *sources, struct hp_json *j,
                             uint64_t newer_than, size_t most);

#endif
