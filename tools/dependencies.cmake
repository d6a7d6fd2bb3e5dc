# SPDX-License-Identifier: Apache-2.0
# Finds the libraries of others and gives each one target name, wherever it came from: the system's packages, or
# HORNBEAM_DEPS_DIR for the header-only ones.
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)

add_library(hornbeam_dep_hdf5 INTERFACE)
target_include_directories(hornbeam_dep_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
target_compile_definitions(hornbeam_dep_hdf5 INTERFACE ${HDF5_C_DEFINITIONS})
target_link_libraries(hornbeam_dep_hdf5 INTERFACE ${HDF5_C_LIBRARIES})

# Header-only: toml++ (configuration), CLI11 (command line), nlohmann/json (machine-readable answers).
add_library(hornbeam_dep_headers INTERFACE)
foreach(header toml++/toml.h CLI/CLI.hpp nlohmann/json.hpp)
  string(MAKE_C_IDENTIFIER "HORNBEAM_${header}" variable)
  find_path(${variable} ${header} HINTS ${HORNBEAM_DEPS_DIR}/include REQUIRED)
  mark_as_advanced(${variable})
  target_include_directories(hornbeam_dep_headers SYSTEM INTERFACE ${${variable}})
endforeach()
target_compile_definitions(hornbeam_dep_headers INTERFACE TOML_HEADER_ONLY=1)

add_library(hornbeam_dep_fmt INTERFACE)
find_package(fmt QUIET)
if(fmt_FOUND)
  target_link_libraries(hornbeam_dep_fmt INTERFACE fmt::fmt)
else()
  find_path(HORNBEAM_FMT fmt/format.h HINTS ${HORNBEAM_DEPS_DIR}/include REQUIRED)
  mark_as_advanced(HORNBEAM_FMT)
  target_include_directories(hornbeam_dep_fmt SYSTEM INTERFACE ${HORNBEAM_FMT})
  target_compile_definitions(hornbeam_dep_fmt INTERFACE FMT_HEADER_ONLY=1)
endif()

# OpenCL: headers only, the loader is opened at run time.
find_path(HORNBEAM_OPENCL_HEADERS CL/cl.h HINTS ${HORNBEAM_DEPS_DIR}/include)
mark_as_advanced(HORNBEAM_OPENCL_HEADERS)

# Boost.Beast, headers alone: serves the live view. Without it src/view/ says so when it is asked.
find_path(HORNBEAM_BEAST boost/beast.hpp HINTS ${HORNBEAM_DEPS_DIR}/include)
mark_as_advanced(HORNBEAM_BEAST)

if(HORNBEAM_TESTS)
  find_package(GTest QUIET)
  if(NOT GTest_FOUND)
    # Debian's googletest package and HORNBEAM_DEPS_DIR hold the sources.
    find_path(HORNBEAM_GTEST CMakeLists.txt HINTS ${HORNBEAM_DEPS_DIR}/googletest /usr/src/googletest NO_DEFAULT_PATH
              REQUIRED)
    mark_as_advanced(HORNBEAM_GTEST)
    add_subdirectory(${HORNBEAM_GTEST} ${PROJECT_BINARY_DIR}/googletest EXCLUDE_FROM_ALL)
  endif()
endif()
