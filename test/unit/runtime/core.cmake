# Unit tests of the runtime's core: its C files over a double of the operating system.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set(runtime ${PROJECT_SOURCE_DIR}/runtime)
add_library(heapprof_core STATIC system_double.c
  ${runtime}/chunk/access.c ${runtime}/profile/aggregate.c ${runtime}/chunk/allocator.c ${runtime}/system/arena.c ${runtime}/chunk/overrun.c ${runtime}/profile/growth.c ${runtime}/profile/histogram.c ${runtime}/system/pool.c
  ${runtime}/origin/call_stack.c ${runtime}/system/clock.c ${runtime}/profile/collector.c ${runtime}/encode/encode.c
  ${runtime}/process/fork_hold.c ${runtime}/thread/gate.c ${runtime}/heap/heap.c
  ${runtime}/chunk/live_bytes.c ${runtime}/system/lock.c ${runtime}/profile/marks.c ${runtime}/chunk/plain.c ${runtime}/origin/point.c ${runtime}/heap/primary.c
  ${runtime}/chunk/sample.c ${runtime}/heap/secondary.c ${runtime}/heap/share.c ${runtime}/unwind/stack_bounds.c ${runtime}/origin/stack_check.c ${runtime}/origin/stack_tree.c ${runtime}/unwind/stack_walk.c ${runtime}/heap/stand_in.c ${runtime}/thread/thread.c ${runtime}/profile/timeline.c
  ${runtime}/origin/type.c ${runtime}/unwind/unwind_expression.c ${runtime}/unwind/unwind_row.c ${runtime}/unwind/unwind_rule.c ${runtime}/unwind/unwind_table.c)
target_include_directories(heapprof_core PUBLIC ${runtime} ${PROJECT_SOURCE_DIR}/visualizer-data/format)
target_compile_options(heapprof_core PUBLIC -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -funwind-tables)
target_link_libraries(heapprof_core PUBLIC cmocka pthread m)
if(HEAPPROF_SANITIZE)
  # The heap's range is where ASan has its shadow.
  target_compile_options(heapprof_core PUBLIC -fno-sanitize=address)
  target_link_options(heapprof_core PUBLIC -fno-sanitize=address)
endif()

foreach(name clock histogram marks timeline heap access stand_in point call_stack unwind_row gate allocator collector type lock plain sample fork_hold)
  add_executable(test_${name} test_${name}.c)
  target_link_libraries(test_${name} PRIVATE heapprof_core)
  set_target_properties(test_${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  add_test(NAME unit.${name} COMMAND test_${name})
endforeach()

# Each over doubles of its own, in the test itself.
foreach(name demand disposition)
  add_executable(test_${name} test_${name}.c ${runtime}/process/${name}.c)
  target_include_directories(test_${name} PRIVATE ${runtime} ${PROJECT_SOURCE_DIR}/visualizer-data/format)
  target_link_libraries(test_${name} PRIVATE cmocka)
  set_target_properties(test_${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  add_test(NAME unit.${name} COMMAND test_${name})
endforeach()
