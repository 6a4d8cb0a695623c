/* verdict_report.c - verdicts as text, JUnit, SARIF and GitHub's commands.
   The same sentence in each; only what surrounds it differs.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "verdict.h"

#include "json_writer.h"
#include "text_column.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the sentence -------------------------------------------------------- */

static void put_amount(FILE *out, enum hp_budget_metric metric,
                       const struct hp_amount *a) {
  if (!a->defined)
    fputs(hp_is_leak(metric) ? "not known" : "undefined", out);
  else if (hp_is_score(metric))
    fprintf(out, "%.6g", a->score);
  else
    fprintf(out, "%" PRIu64, a->count);
}

static void put_subject(FILE *out, const struct hp_verdict *v) {
  const struct hp_limit *l = v->limit;
  fputs(hp_scope_name(l->scope), out);
  if (l->name) {
    putc(' ', out);
    hp_text_put(out, l->name);
  }
}

/* "chunks is 3, at most 2 allowed" */
static void put_verdict(FILE *out, const struct hp_verdict *v) {
  const struct hp_limit *l = v->limit;
  fprintf(out, "%s is ", hp_budget_metric_name(l->metric));
  put_amount(out, l->metric, &v->measured);
  if (v->is_estimate)
    fputs(" (an estimate)", out);
  fprintf(out, ", at %s ", l->is_min ? "least" : "most");
  put_amount(out, l->metric, &l->bound);
  fputs(l->is_min ? " wanted" : " allowed", out);
  if (!v->present)
    fprintf(out, "; the dump has no such %s", hp_scope_name(l->scope));
}

static void put_sentence(FILE *out, const struct hp_verdict *v) {
  put_subject(out, v);
  fputs(": ", out);
  put_verdict(out, v);
}

/* PUT's text, to be freed; NULL without memory. */
static char *text_of(void (*put)(FILE *out, const struct hp_verdict *v),
                     const struct hp_verdict *v) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  put(out, v);
  if (fclose(out) == 0)
    return text;
  free(text);
  return NULL;
}

static const char *or_nothing(const char *text) {
  return text ? text : "(out of memory)";
}

/* FILE as seen from the root of the sources. */
static const char *relative(const struct hp_report *r, const char *file) {
  size_t length = r->source_root ? strlen(r->source_root) : 0;
  while (length && r->source_root[length - 1] == '/')
    length--;
  return length && strncmp(file, r->source_root, length) == 0 &&
                 file[length] == '/'
             ? file + length + 1
             : file;
}

static size_t count_exceeded(const struct hp_report *r) {
  size_t n = 0;
  for (size_t i = 0; i < r->count; i++)
    n += r->verdicts[i].exceeded;
  return n;
}

/* ---- text ---------------------------------------------------------------- */

static void put_text(FILE *out, const struct hp_report *r) {
  size_t exceeded = count_exceeded(r);
  for (size_t i = 0; i < r->count; i++) {
    const struct hp_verdict *v = &r->verdicts[i];
    fputs(v->exceeded ? "FAIL " : "ok   ", out);
    put_sentence(out, v);
    if (v->exceeded && v->file) {
      fputs(" (", out);
      hp_text_put(out, relative(r, v->file));
      if (v->line)
        fprintf(out, ":%" PRIu32, v->line);
      putc(')', out);
    }
    putc('\n', out);
  }
  fprintf(out, "%zu of %zu limits broken\n", exceeded, r->count);
}

/* ---- JUnit --------------------------------------------------------------- */

static void put_xml(FILE *out, const char *text) {
  for (; *text; text++)
    switch (*text) {
    case '<':
      fputs("&lt;", out);
      break;
    case '>':
      fputs("&gt;", out);
      break;
    case '&':
      fputs("&amp;", out);
      break;
    case '"':
      fputs("&quot;", out);
      break;
    default:
      putc(*text, out);
    }
}

static void put_junit(FILE *out, const struct hp_report *r) {
  fprintf(out,
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<testsuite name=\"heapprof\" tests=\"%zu\" failures=\"%zu\">\n",
          r->count, count_exceeded(r));
  for (size_t i = 0; i < r->count; i++) {
    const struct hp_verdict *v = &r->verdicts[i];
    char *who = text_of(put_subject, v), *what = text_of(put_verdict, v);
    fputs("  <testcase classname=\"heapprof.", out);
    put_xml(out, or_nothing(who));
    fprintf(out, "\" name=\"%s %s\"", hp_budget_metric_name(v->limit->metric),
            v->limit->is_min ? "min" : "max");
    if (v->exceeded) {
      fputs(">\n    <failure type=\"budget\" message=\"", out);
      put_xml(out, or_nothing(what));
      fputs("\"/>\n  </testcase>\n", out);
    } else {
      fputs("/>\n", out);
    }
    free(who);
    free(what);
  }
  fputs("</testsuite>\n", out);
}

/* ---- SARIF --------------------------------------------------------------- */

/* A path as a relative reference: what has a meaning in URIs is escaped. */
static char *uri_of(const char *path) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstu"
                              "vwxyz0123456789-._~/+,@=";
  char *uri = malloc(3 * strlen(path) + sizeof "file://"), *to = uri;
  if (!uri)
    return NULL;
  if (*path == '/')
    to = stpcpy(to, "file://");
  for (; *path; path++)
    if (strchr(plain, *path))
      *to++ = *path;
    else
      to += sprintf(to, "%%%02X", (unsigned char)*path);
  *to = '\0';
  return uri;
}

static void put_sarif_place(struct hp_json *j, const struct hp_report *r,
                            const struct hp_verdict *v) {
  char *uri = uri_of(relative(r, v->file));
  hp_json_begin_array(j, "locations");
  hp_json_begin_object(j, NULL);
  hp_json_begin_object(j, "physicalLocation");
  hp_json_begin_object(j, "artifactLocation");
  hp_json_string(j, "uri", uri);
  hp_json_end_object(j);
  if (v->line) {
    hp_json_begin_object(j, "region");
    hp_json_integer(j, "startLine", v->line);
    hp_json_end_object(j);
  }
  hp_json_end_object(j);
  hp_json_end_object(j);
  hp_json_end_array(j);
  free(uri);
}

/* The fingerprint has no line and no number: it stays while the fault does. */
static void put_sarif_result(struct hp_json *j, const struct hp_report *r,
                             const struct hp_verdict *v) {
  char *text = text_of(put_sentence, v), *who = text_of(put_subject, v),
       *print = NULL;
  hp_json_begin_object(j, NULL);
  hp_json_string(j, "ruleId", "budget");
  hp_json_string(j, "level", "error");
  hp_json_begin_object(j, "message");
  hp_json_string(j, "text", text);
  hp_json_end_object(j);
  if (v->file)
    put_sarif_place(j, r, v);
  if (asprintf(&print, "%s %s %s", or_nothing(who),
               hp_budget_metric_name(v->limit->metric),
               v->limit->is_min ? "min" : "max") < 0)
    print = NULL;
  hp_json_begin_object(j, "partialFingerprints");
  hp_json_string(j, "heapprofBudget/v1", or_nothing(print));
  hp_json_end_object(j);
  hp_json_end_object(j);
  free(print);
  free(text);
  free(who);
}

static void put_sarif(FILE *out, const struct hp_report *r) {
  struct hp_json j = {.out = out, .first = true};
  hp_json_begin_object(&j, NULL);
  hp_json_string(&j, "$schema",
                 "https://json.schemastore.org/sarif-2.1.0.json");
  hp_json_string(&j, "version", "2.1.0");
  hp_json_begin_array(&j, "runs");
  hp_json_begin_object(&j, NULL);
  hp_json_begin_object(&j, "tool");
  hp_json_begin_object(&j, "driver");
  hp_json_string(&j, "name", "heapprof");
  hp_json_string(&j, "version", HEAPPROF_VERSION);
  hp_json_begin_array(&j, "rules");
  hp_json_begin_object(&j, NULL);
  hp_json_string(&j, "id", "budget");
  hp_json_begin_object(&j, "shortDescription");
  hp_json_string(&j, "text", "The heap stays within its budget.");
  hp_json_end_object(&j);
  hp_json_end_object(&j);
  hp_json_end_array(&j);
  hp_json_end_object(&j);
  hp_json_end_object(&j);
  hp_json_begin_array(&j, "results");
  for (size_t i = 0; i < r->count; i++)
    if (r->verdicts[i].exceeded)
      put_sarif_result(&j, r, &r->verdicts[i]);
  hp_json_end_array(&j);
  hp_json_end_object(&j);
  hp_json_end_array(&j);
  hp_json_end_object(&j);
}

/* ---- GitHub -------------------------------------------------------------- */

/* In properties also ':' and ',' have a meaning. */
static void put_escaped(FILE *out, const char *text, const char *special) {
  for (; *text; text++)
    if (strchr(special, *text))
      fprintf(out, "%%%02X", (unsigned char)*text);
    else
      putc(*text, out);
}

static void put_github(FILE *out, const struct hp_report *r) {
  for (size_t i = 0; i < r->count; i++) {
    const struct hp_verdict *v = &r->verdicts[i];
    char *text;
    if (!v->exceeded)
      continue;
    text = text_of(put_sentence, v);
    fputs("::error ", out);
    if (v->file) {
      fputs("file=", out);
      put_escaped(out, relative(r, v->file), "%\r\n:,");
      if (v->line)
        fprintf(out, ",line=%" PRIu32, v->line);
      putc(',', out);
    }
    fputs("title=heapprof::", out);
    put_escaped(out, or_nothing(text), "%\r\n");
    putc('\n', out);
    free(text);
  }
}

hp_report_writer *hp_report_find(const char *format) {
  static const struct {
    const char *name;
    hp_report_writer *write;
  } formats[] = {{"text", put_text},
                 {"junit", put_junit},
                 {"sarif", put_sarif},
                 {"github", put_github}};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (strcmp(format, formats[i].name) == 0)
      return formats[i].write;
  return NULL;
}
