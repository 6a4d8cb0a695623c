# prelink.cmake - joins the runtime's objects into one whose other symbols are local.
# So it can live beside UBSan, libFuzzer and the program's own libdeflate.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
cmake_policy(VERSION 3.20)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " line)
    message(FATAL_ERROR "heapprof runtime: failed: ${line}\n${errors}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# The compiler turns copies of structures into calls of memcpy, which the program may see
# as its own accesses: in our C code and libdeflate they go to uncounted ones, sanitizer_common's and,
# as that goes byte by byte, two of system/real_libc.cpp.
function(join all)
  set(core ${WORK}/heapprof_core.o)
  run(${LD} -r -o ${core} ${ARGN} ${LIBDEFLATE})
  run(${OBJCOPY}
    --redefine-sym memcpy=hp_words_copy
    --redefine-sym memmove=__sanitizer_internal_memmove
    --redefine-sym memset=hp_words_set ${core})
  # Without groups, which would otherwise break when their symbols become local.  Under some filters of system calls
  # sanitizer_common's functions would end the program, or never end themselves: system/memory.cpp and files.cpp have others.
  run(${LD} -r --force-group-allocation --wrap=_ZN11__sanitizer10UnmapOrDieEPvmb
    --wrap=_ZN11__sanitizer13internal_readEiPvm --wrap=_ZN11__sanitizer14internal_writeEiPKvm -o ${all} ${core} ${CXX_OBJECTS})
endfunction()
set(whole ${WORK}/heapprof_rt.o)
set(all ${WORK}/heapprof_all.o)
join(${all} ${C_OBJECTS})

# What stays visible: hooks and the public interface; libc's functions that are intercepted,
# by each one's ___interceptor_ name; malloc's kin and the operators; libFuzzer's hooks.
run(${NM} --defined-only -g --format=posix ${all})
string(REGEX MATCHALL "[^\n]+" lines "${output}")
set(exported)
foreach(line ${lines})
  string(REGEX REPLACE " .*" "" symbol "${line}")
  if(symbol MATCHES "^___interceptor_(.+)$")
    list(APPEND exported ${CMAKE_MATCH_1})
  elseif(symbol MATCHES "^(__heapprof_|__lsan_|__sanitizer_weak_hook_|_Zn[aw]m|_Zd[al]Pv|__libc_|mall|cfree$|free$|calloc$|realloc|memalign$|aligned_alloc$|(__)?posix_memalign$|p?valloc$)")
    list(APPEND exported ${symbol})
  endif()
endforeach()
list(REMOVE_DUPLICATES exported)
list(SORT exported)
list(JOIN exported "\n" keep)
string(APPEND keep "\n__dso_handle") # for the program's own part of libc
list(JOIN exported ";\n  " list)
file(WRITE ${whole}.keep "${keep}\n")

# What none of these reaches goes: a third of sanitizer_common.  The runtime's code is in a section of
# its own, so that a tool can tell it from the program's code without hooks.
set(counters)
if(COUNTERS) # whole pages, in whose place a file is mapped
  set(counters "  __llvm_prf_cnts : ALIGN(4096) { hp_counters_begin = .; KEEP(*(__llvm_prf_cnts)) . = ALIGN(4096); hp_counters_end = .; }
  __llvm_prf_data : { KEEP(*(__llvm_prf_data)) }\n  __llvm_prf_names : { KEEP(*(__llvm_prf_names)) }\n")
endif()
# What a usual run executes comes first, and libdeflate behind it: of the rest few pages are touched.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/text_order.txt often REGEX "^[^#]")
list(JOIN often " " often)
string(REGEX REPLACE "([^ ]+)" ".text.\\1" often "${often}")
file(WRITE ${whole}.lds "EXTERN(\n${keep}\n)\nSECTIONS {\n  .heapprof_text : { *(${often}) *(.text) *(.text.*) }\n  .eh_frame : { KEEP(*(.eh_frame)) }\n${counters}}\n")
# GNU ld makes weak references strong when it does so.
run(${NM} -u --format=posix ${all})
string(REGEX MATCHALL "[^\n]+ w[^\n]*" lines "${output}")
set(weak)
foreach(line ${lines})
  string(REGEX REPLACE " .*" "" symbol "${line}")
  list(APPEND weak --weaken-symbol=${symbol})
endforeach()
function(narrow to from kept)
  run(${LD} -r --gc-sections -T ${whole}.lds ${ARGN} -o ${to} ${from})
  # What clang says of addresses counts symbols as they were: lld would warn of it in each link.
  run(${OBJCOPY} --keep-global-symbols=${kept} ${weak} --remove-section=.llvm_addrsig ${to})
endfunction()
narrow(${whole} ${all} ${whole}.keep)

get_filename_component(directory ${ARCHIVE} DIRECTORY)
file(MAKE_DIRECTORY ${directory})
file(REMOVE ${ARCHIVE})
run(${AR} crs ${ARCHIVE} ${whole})
file(WRITE ${ARCHIVE}.syms "{\n  ${list};\n};\n")

# What is preloaded is the same object, but for files that are compiled for it (HP_ONCE).  A library
# has no .preinit_array; what is marked initfirst has its constructors called where those stand, before
# those of every other library.  It must not bring libraries along, and finds what it stands in for when
# the process starts: so it leaves alone
# what libc itself does not have, such as lgamma, which comes with libm perhaps much later.
run(${CC} -print-file-name=libc.so.6)
string(STRIP "${output}" libc)
run(${NM} -D --defined-only --format=posix ${libc})
string(REGEX MATCHALL "[^\n]+" lines "${output}")
list(FILTER lines EXCLUDE REGEX "^[^@ ]+@[^@]") # for old programs only
list(TRANSFORM lines REPLACE "[@ ].*" "")
set(preloaded ${WORK}/heapprof_preload.o)
set(shown)
foreach(symbol ${exported})
  if(symbol MATCHES "^(__heapprof_|__sanitizer_weak_hook_|_Z)" OR symbol IN_LIST lines)
    list(APPEND shown ${symbol})
  endif()
endforeach()
# And what has a version of this library (entry/mallocx_family.c), which is the only one: a script that
# names others would give them one, too.
join(${WORK}/heapprof_quick.o ${PRELOADED_OBJECTS})
run(${NM} --defined-only -g --format=posix ${WORK}/heapprof_quick.o)
string(REGEX MATCHALL "[^ \n]+@HEAPPROF_PRELOAD" versioned "${output}")
list(JOIN shown "\n" list)
list(JOIN versioned "\n" more)
file(WRITE ${preloaded}.keep "${list}\n${more}\n")
file(WRITE ${preloaded}.map "HEAPPROF_PRELOAD { };\n")
list(TRANSFORM versioned REPLACE "^(.+)@.*" "--undefined=hp_\\1")
narrow(${preloaded} ${WORK}/heapprof_quick.o ${preloaded}.keep ${versioned})
run(${OBJCOPY} --rename-section .preinit_array=.init_array.00001 --weaken-symbol=signgam ${preloaded})
run(${CC} -shared -o ${PRELOAD} ${preloaded} -Wl,-soname,libheapprof_preload.so -Wl,-z,initfirst -Wl,-z,nodelete
  -Wl,-z,defs -Wl,--version-script=${preloaded}.map)
