# SPDX-License-Identifier: Apache-2.0
# Refuses compilers that are too old before anything is compiled: the code is C++20 throughout.
set(compiler_name ${CMAKE_CXX_COMPILER_ID})
set(least_GNU 12)
set(least_Clang 14)
set(least_IntelLLVM 2023)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(compiler_name g++)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(compiler_name clang)
endif()

set(advice "Hornbeam needs g++ 12 or newer, or clang 14 or newer. To choose another, remove the build folder and add\n"
           "  -DCMAKE_C_COMPILER=gcc-12 -DCMAKE_CXX_COMPILER=g++-12\n"
           "to cmake, to CMAKE_FLAGS of make, or to CMAKE_ARGS of pip.")
string(CONCAT advice ${advice})
if(NOT DEFINED least_${CMAKE_CXX_COMPILER_ID})
  message(WARNING "${compiler_name} ${CMAKE_CXX_COMPILER_VERSION} (${CMAKE_CXX_COMPILER}) is not tested.\n${advice}")
elseif(CMAKE_CXX_COMPILER_VERSION VERSION_LESS least_${CMAKE_CXX_COMPILER_ID})
  message(FATAL_ERROR "${compiler_name} ${CMAKE_CXX_COMPILER_VERSION} (${CMAKE_CXX_COMPILER}) is too old.\n${advice}")
endif()
