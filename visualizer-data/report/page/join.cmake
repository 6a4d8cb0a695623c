# join.cmake - joins the page: style and script into the HTML, and that into two C arrays.
# cmake -DPAGE=DIR -DOUT=FILE.c -P join.cmake
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A module comes behind those it imports.
set(modules format.js model.js dom.js state.js severity.js charts.js excerpt.js
  overview.js flame.js points.js objects.js types.js source.js process.js main.js)

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
foreach(module IN LISTS modules)
  file(READ ${PAGE}/${module} text)
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
file(READ ${PAGE}/report.css style)
file(READ ${PAGE}/report.html page)

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
#include \"report/report_page.h\"
const unsigned char hp_page_head[] = {\n${head}};
const size_t hp_page_head_size = sizeof hp_page_head;
const unsigned char hp_page_tail[] = {\n${tail}};
const size_t hp_page_tail_size = sizeof hp_page_tail;
")
