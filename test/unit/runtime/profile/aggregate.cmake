# Unit tests of the online aggregates: random histories against sums over the whole list.
# The bench counts what an event costs; it is built, and run by hand.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set(runtime ${PROJECT_SOURCE_DIR}/runtime)
add_library(heapprof_aggregate_fixture STATIC
  ${runtime}/profile/aggregate.c ${runtime}/system/arena.c ${runtime}/profile/histogram.c ${runtime}/system/pool.c ${runtime}/encode/encode.c ${runtime}/profile/timeline.c
  aggregate_fixture.c)
target_include_directories(heapprof_aggregate_fixture PUBLIC
  ${CMAKE_CURRENT_SOURCE_DIR} ${runtime} ${PROJECT_SOURCE_DIR}/visualizer-data
  ${PROJECT_SOURCE_DIR}/visualizer-data/format)
target_compile_definitions(heapprof_aggregate_fixture PUBLIC _GNU_SOURCE)
target_compile_options(heapprof_aggregate_fixture PRIVATE ${HEAPPROF_C_WARNINGS} -O2)
target_link_libraries(heapprof_aggregate_fixture PUBLIC heapprof_data ${HEAPPROF_CMOCKA})

add_executable(test_aggregate test_aggregate.c reference.c history.c)
target_compile_options(test_aggregate PRIVATE ${HEAPPROF_C_WARNINGS} -O2)
target_link_libraries(test_aggregate PRIVATE heapprof_aggregate_fixture)
add_test(NAME unit-aggregate COMMAND test_aggregate)
set_tests_properties(unit-aggregate PROPERTIES LABELS unit TIMEOUT ${HEAPPROF_TEST_TIMEOUT})

add_executable(bench_aggregate bench_aggregate.c)
target_compile_options(bench_aggregate PRIVATE ${HEAPPROF_C_WARNINGS} -O2)
target_link_libraries(bench_aggregate PRIVATE heapprof_aggregate_fixture)
set_target_properties(test_aggregate bench_aggregate PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})

# For lit tests: is what the aggregates say what the log says?
add_executable(compare_log compare_log.c)
target_compile_options(compare_log PRIVATE ${HEAPPROF_C_WARNINGS})
target_link_libraries(compare_log PRIVATE heapprof_data)
set_target_properties(compare_log PROPERTIES OUTPUT_NAME heapprof-compare-log
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/bin)
