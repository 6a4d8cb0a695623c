// What hides symbols of an executable leaves the runtime's visible: else libc allocates by its own malloc what the
// program frees by ours, and libraries with hooks cannot be loaded.  What the user wants hidden is hidden.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang_heapprof -DLIBRARY -fPIC -shared %s -o part.so
// RUN: %clang_heapprof -DARCHIVE -c %s -o hidden.o && ar rcs libhidden.a hidden.o
// RUN: echo '{ global: main; vis*; local: *; };' > exports.map
// RUN: printf '/* one\n */ # and two\n{ global : main; malloc; visible; local: h*; _*; read*; };\n' > comments.map
// RUN: echo '{ local: h*; __heap*; malloc*; };' > local.map
// RUN: echo '{ main; vis*; local: *; };' > unnamed.map
// RUN: echo 'PART_1 { global: visible; local: h*; };' > versions.map
//
// DEFINE: %{flags} = -Wl,--exclude-libs,ALL
// DEFINE: %{link} = %clang_heapprof -rdynamic %s -L. -lhidden %{flags} -o program && %run ./program 2>&1 | FileCheck %s --match-full-lines --implicit-check-not=heapprof
// RUN: %{link}
// REDEFINE: %{flags} = -fuse-ld=lld -Xlinker --exclude-libs=ALL
// RUN: %if lld %{ %{link} %}
// REDEFINE: %{flags} = -Wl,--version-script=exports.map
// RUN: %{link}
// REDEFINE: %{flags} = -Wl,-version-script -Wl,comments.map
// RUN: %{link}
// REDEFINE: %{flags} = -Wl,--version-script=local.map
// RUN: %{link}
// REDEFINE: %{flags} = -fuse-ld=lld -Wl,--version-script=exports.map,-z,now
// RUN: %if lld %{ %{link} %}
// REDEFINE: %{flags} = -fuse-ld=lld -Wl,--version-script,unnamed.map
// RUN: %if lld %{ %{link} %}
// CHECK: {{.*}} hidden 1, part 42
//
// Each archive by its name; others, and other lists, as they are.
// RUN: %clang_heapprof -### %s ./libhidden.a -ltwo -l three -l:four.a -Wl,--exclude-libs=ALL,-lfive 2>&1 | FileCheck %s --check-prefix=NAMES
// NAMES: "--exclude-libs=libgcc.a:{{.*}}:libhidden.a:libtwo.a:libthree.a:four.a:libfive.a"
// RUN: %clang_heapprof -### %s -Wl,--exclude-libs,libz.a:ALLOW.a -Wl,--version-script=versions.map 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %clang_heapprof -### %s -Wl,--exclude-libs,libz.a:ALLOW.a -Wl,--version-script=versions.map -Wl,--version-script,no.map 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %clang_heapprof -shared -### %s -Wl,--exclude-libs,libz.a:ALLOW.a -Wl,--version-script=versions.map 2>&1 | FileCheck %s --check-prefix=SAME
// SAME-NOT: warning
// SAME: "--exclude-libs" "libz.a:ALLOW.a" "--version-script=versions.map"
// RUN: %clang_heapprof -shared -### %s -Wl,--exclude-libs,ALL -Wl,--version-script=exports.map 2>&1 | FileCheck %s --check-prefix=LIBRARY
// LIBRARY: "--exclude-libs" "ALL" "--version-script=exports.map"
//
// Functions without a version cannot be added to one that has some.
// RUN: echo 'PART_1 { global: visible; local: *; };' > all.map
// RUN: %clang_heapprof -### %s -Wl,--version-script=all.map 2>&1 | FileCheck %s --check-prefix=HIDES
// HIDES: {{^}}heapprof-clang: warning: '--version-script=all.map' hides the runtime's functions from libraries: leave it out, or its 'local: *'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LIBRARY
int *part(void) {
  int *p = malloc(sizeof *p);
  *p = 42;
  return p;
}
#elif defined ARCHIVE
int hidden(void) { return 1; }
#else
int hidden(void);
int visible(void) { return 1; }

int main(int argc, char **argv) {
  void *library = dlopen("./part.so", RTLD_NOW);
  if (!library) {
    puts(dlerror());
    return 1;
  }
  int *(*part)(void) = (int *(*)(void))dlsym(library, "part");
  int *p = part();
  char *text = NULL; /* libc's malloc, unless ours is seen */
  if (asprintf(&text, "%s %d", argv[argc - 1], hidden()) < 0)
    return 1;
  printf("%s hidden %d, part %d\n", text, dlsym(NULL, "hidden") == NULL, *p);
  free(text);
  free(p);
  return dlsym(NULL, "visible") == NULL;
}
#endif
