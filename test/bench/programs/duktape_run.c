/* duktape_run.c - duktape_run ROUNDS: runs a JavaScript program in Duktape, an interpreter that collects its garbage.
   Objects, closures, strings and sorting, as scripts have them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>
#include <stdlib.h>

#include "duktape.h"

static const char script[] =
    "function Node(key) { this.key = key; this.left = this.right = null; }\n"
    "function insert(node, key) {\n"
    "  if (!node) return new Node(key);\n"
    "  if (key < node.key) node.left = insert(node.left, key);\n"
    "  else node.right = insert(node.right, key);\n"
    "  return node;\n"
    "}\n"
    "function depth(node) {\n"
    "  return node ? 1 + Math.max(depth(node.left), depth(node.right)) : 0;\n"
    "}\n"
    "function run(rounds) {\n"
    "  var total = 0;\n"
    "  for (var round = 0; round < rounds; round++) {\n"
    "    var root = null, words = [], seed = round + 1;\n"
    "    for (var i = 0; i < 400; i++) {\n"
    "      seed = (seed * 16807) % 2147483647;\n"
    "      root = insert(root, seed % 10000);\n"
    "      words.push('w' + seed.toString(36));\n"
    "    }\n"
    "    words.sort();\n"
    "    total += depth(root) + words.join(',').length +\n"
    "             JSON.parse(JSON.stringify(words)).filter(function (w) {\n"
    "               return w.length > round % 5; }).length;\n"
    "  }\n"
    "  return total;\n"
    "}\n";

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  duk_context *context = duk_create_heap_default();
  if (!context || duk_peval_string_noresult(context, script) != 0)
    return 1;
  duk_get_global_string(context, "run");
  duk_push_number(context, strtod(argv[1], NULL));
  if (duk_pcall(context, 1) != DUK_EXEC_SUCCESS)
    return 1;
  printf("%.0f\n", duk_get_number(context, -1));
  duk_destroy_heap(context);
}
