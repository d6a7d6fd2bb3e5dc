# SPDX-License-Identifier: Apache-2.0
# Run after a GoogleTest program was linked: writes FILE, which adds a ctest test PREFIX/Suite for each suite of PROGRAM.
# One process for each single test would spend more time on its start than on most tests. Suites whose name ends in `Long`
# have the label `long`, the others `fast`; PROPERTIES are those of each test, as set_tests_properties() takes them.
# Suites of devices run after PROGRAMS, which leave PoCL's compiled kernels behind (backends/programs_test.cpp), also where
# these fail: a driver that crashes must not hide what the CPU does. Programs for another processor run in EMULATOR.
execute_process(COMMAND ${EMULATOR} ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed RESULT_VARIABLE status TIMEOUT 60)
if(NOT status EQUAL 0)
  file(REMOVE ${PROGRAM})  # so that the next build tries again
  message(FATAL_ERROR "${PROGRAM} --gtest_list_tests: ${status}")
endif()

list(JOIN EMULATOR "]=] [=[" emulated)
if(emulated)
  set(emulated "[=[${emulated}]=] ")
  # qemu-user ignores limits of the address space, and is too slow for a test that counts seconds
  set(left_out "-Memory.OwnLimitsBound:Neighbours.ManyCoincidentParticlesCostNothing")
endif()
# A suite is `Suite.`, `Prefix/Suite.` or `Suite/0.  # TypeParam = ...`; its tests are indented.
string(REGEX MATCHALL "(^|\n)[A-Za-z_][A-Za-z0-9_/]*\\." lines "${listed}")
set(script "")
foreach(line ${lines})
  string(REGEX REPLACE "\n|\\.$" "" suite "${line}")
  set(own "LABELS fast")
  if(suite MATCHES "Long(/[0-9]+)?$")
    set(own "LABELS long PROCESSORS 2 TIMEOUT 1800")
  endif()
  if(emulated)
    string(APPEND own " TIMEOUT 3600")  # 20 to 110 times as slow: two suites passed 600 s on a busy machine
  endif()
  if(suite MATCHES "^Programs")
    string(APPEND own " COST 10000")
  elseif(NOT PREFIX STREQUAL "unit")
    string(APPEND own " DEPENDS [=[${PROGRAMS}]=]")
  endif()
  string(APPEND script "add_test([=[${PREFIX}/${suite}]=] ${emulated}[=[${PROGRAM}]=] --gtest_filter=${suite}.*${left_out})\n"
                       "set_tests_properties([=[${PREFIX}/${suite}]=] PROPERTIES ${PROPERTIES} ${own})\n")
endforeach()
file(WRITE ${FILE} "${script}")
