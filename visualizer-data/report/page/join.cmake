# join.cmake - joins a page: style and script into the HTML, and that into two C arrays, NAME_head and NAME_tail.
# cmake -DPAGE=DIR -DKEYS=set_keys.def -DOUT=FILE.c -P join.cmake, or, for another page than the report's,
#   -DHTML=FILE -DSTYLES=FILE;... -DMODULES=FILE;... -DNAME=hp_some_page -DHEADER=FILE.h in place of PAGE
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A module comes behind those it imports.
if(PAGE)
  set(HTML ${PAGE}/report.html)
  set(STYLES ${PAGE}/report.css)
  set(NAME hp_page)
  set(HEADER report/report_page.h)
  set(MODULES format.js set_language.js set_boxes.js set_chunks.js set_points.js set_generations.js model.js dom.js state.js severity.js boxes.js charts.js
  excerpt.js overview.js compare.js flame.js points.js objects.js memory.js members.js types.js source.js process.js sets.js main.js)
  list(TRANSFORM MODULES PREPEND ${PAGE}/)
endif()

# A function that stands twice would silently be the later one, for both modules.
function(refuse_second_names module text)
  string(REGEX MATCHALL "(^|\n)(export )?(async )?(function[*]?|class|const|let|var) [^\n=(;]*" declarations "${text}")
  foreach(declaration IN LISTS declarations)
    if(NOT declaration MATCHES "(function[*]?|class|const|let|var) ([A-Za-z_$][A-Za-z_0-9$]*)")
      string(STRIP "${declaration}" declaration)
      message(FATAL_ERROR "${module}: '${declaration}' at the top names no single thing; declare each name by itself")
    endif()
    set(name ${CMAKE_MATCH_2})
    get_property(first GLOBAL PROPERTY "page_name_${name}")
    if(first)
      message(FATAL_ERROR "${module}: '${name}' is a name of ${first}, too; the page's modules share one scope, so rename one")
    endif()
    set_property(GLOBAL PROPERTY "page_name_${name}" ${module})
  endforeach()
endfunction()

# One scope for all: imports go, exports become plain declarations.
set(script "")
# The keys of the language of sets are those of the library.
if(KEYS)
  file(STRINGS ${KEYS} rows REGEX "^HP_SET_KEY")
  foreach(row IN LISTS rows)
    string(REGEX REPLACE "HP_SET_KEY\\(([a-z_]+), [A-Z_]+, ([A-Z]+)\\)" "  \\1: '\\2',\n" row "${row}")
    string(APPEND keys "${row}")
  endforeach()
  string(APPEND script "const SET_KEYS = {\n${keys}};\n")
endif()
foreach(path IN LISTS MODULES)
  get_filename_component(module ${path} NAME)
  file(READ ${path} text)
  if(text MATCHES "(^|\n)import [^\n]* as ([^\n,}]*)")
    message(FATAL_ERROR "${module}: '${CMAKE_MATCH_2}' is another name for what it imports; the page's modules share one scope, so use the name it has there")
  endif()
  while(text MATCHES "(^|\n)import [^\n]*\n")
    string(REGEX REPLACE "(^|\n)import [^\n]*\n" "\\1" text "${text}")
  endwhile()
  refuse_second_names(${module} "${text}")
  string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
  string(APPEND script "${text}\n")
endforeach()
set(style "")
foreach(path IN LISTS STYLES)
  file(READ ${path} text)
  string(APPEND style "${text}")
endforeach()
file(READ ${HTML} page)

string(FIND "${page}" "@STYLE@" at_style)
string(FIND "${page}" "@DOCUMENT@" at_document)
string(FIND "${page}" "@SCRIPT@" at_script)
math(EXPR behind_style "${at_style} + 7")
math(EXPR behind_document "${at_document} + 10")
math(EXPR behind_script "${at_script} + 8")
math(EXPR between_head "${at_document} - ${behind_style}")
math(EXPR between_tail "${at_script} - ${behind_document}")
string(SUBSTRING "${page}" 0 ${at_style} before)
string(SUBSTRING "${page}" ${behind_style} ${between_head} middle)
string(SUBSTRING "${page}" ${behind_document} ${between_tail} after)
string(SUBSTRING "${page}" ${behind_script} -1 end)

# Through files, as only they can be read as bytes.
file(WRITE ${OUT}.head "${before}${style}${middle}")
file(WRITE ${OUT}.tail "${after}${script}${end}")
foreach(part IN ITEMS head tail)
  file(READ ${OUT}.${part} ${part} HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," ${part} "${${part}}")
  string(REGEX REPLACE "(................................................................................)" "\\1\n" ${part} "${${part}}")
endforeach()
file(WRITE ${OUT} "/* Made by join.cmake: the page around a report's document. */
#include \"${HEADER}\"
const unsigned char ${NAME}_head[] = {\n${head}};
const size_t ${NAME}_head_size = sizeof ${NAME}_head;
const unsigned char ${NAME}_tail[] = {\n${tail}};
const size_t ${NAME}_tail_size = sizeof ${NAME}_tail;
")
