# SPDX-License-Identifier: Apache-2.0
# Finds the libraries of others and gives each one target name, wherever it came from: the system's packages, a prefix,
# or HORNBEAM_DEPS_DIR for the header-only ones. What is missing is reported at once, at the end.
set(missing "")
# hornbeam_missing(WHAT APT DNF CONDA): notes a missing library and what its package is called.
macro(hornbeam_missing what apt dnf conda)
  list(APPEND missing "${what}")
  list(APPEND missing_apt ${apt})
  list(APPEND missing_dnf ${dnf})
  list(APPEND missing_conda ${conda})
endmacro()

find_package(OpenMP QUIET COMPONENTS CXX)
if(NOT OpenMP_CXX_FOUND)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    string(REGEX MATCH "^[0-9]+" major ${CMAKE_CXX_COMPILER_VERSION})
    hornbeam_missing("OpenMP of clang" libomp-${major}-dev libomp-devel llvm-openmp)
  else()
    hornbeam_missing("OpenMP of ${CMAKE_CXX_COMPILER_ID}" libgomp1 libgomp libgomp)
  endif()
endif()
find_package(PNG QUIET)
find_package(ZLIB QUIET)
find_package(HDF5 QUIET COMPONENTS C)
if(NOT HDF5_FOUND)
  hornbeam_missing("HDF5" libhdf5-dev hdf5-devel hdf5)
endif()
if(NOT ZLIB_FOUND)
  hornbeam_missing("zlib" zlib1g-dev zlib-devel zlib)
endif()
if(NOT PNG_FOUND)
  hornbeam_missing("libpng" libpng-dev libpng-devel libpng)
endif()

add_library(hornbeam_dep_hdf5 INTERFACE)
target_include_directories(hornbeam_dep_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
target_compile_definitions(hornbeam_dep_hdf5 INTERFACE ${HDF5_C_DEFINITIONS})
target_link_libraries(hornbeam_dep_hdf5 INTERFACE ${HDF5_C_LIBRARIES})

# Header-only: toml++ (configuration), CLI11 (command line), nlohmann/json (machine-readable answers).
add_library(hornbeam_dep_headers INTERFACE)
function(hornbeam_find_header result header)
  find_path(${result} ${header} HINTS ${HORNBEAM_DEPS_DIR}/include)
  mark_as_advanced(${result})
endfunction()
macro(hornbeam_header what header)
  string(MAKE_C_IDENTIFIER "HORNBEAM_${header}" variable)
  hornbeam_find_header(${variable} ${header})
  if(${variable})
    target_include_directories(hornbeam_dep_headers SYSTEM INTERFACE ${${variable}})
  else()
    hornbeam_missing("${what} (${header})" ${ARGN})
  endif()
endmacro()
hornbeam_header("toml++" toml++/toml.h libtomlplusplus-dev tomlplusplus-devel tomlplusplus)
hornbeam_header("CLI11" CLI/CLI.hpp libcli11-dev cli11-devel cli11)
hornbeam_header("nlohmann/json" nlohmann/json.hpp nlohmann-json3-dev json-devel nlohmann_json)
target_compile_definitions(hornbeam_dep_headers INTERFACE TOML_HEADER_ONLY=1)

add_library(hornbeam_dep_fmt INTERFACE)
find_package(fmt QUIET)
if(fmt_FOUND)
  target_link_libraries(hornbeam_dep_fmt INTERFACE fmt::fmt)
else()
  hornbeam_find_header(HORNBEAM_FMT fmt/format.h)
  if(NOT HORNBEAM_FMT)
    hornbeam_missing("fmt (fmt/format.h)" libfmt-dev fmt-devel fmt)
  endif()
  target_include_directories(hornbeam_dep_fmt SYSTEM INTERFACE $<$<BOOL:${HORNBEAM_FMT}>:${HORNBEAM_FMT}>)
  target_compile_definitions(hornbeam_dep_fmt INTERFACE FMT_HEADER_ONLY=1)
endif()

# OpenCL: headers only, the loader is opened at run time.
hornbeam_find_header(HORNBEAM_OPENCL_HEADERS CL/cl.h)

# Boost.Beast, headers alone: serves the live view. Without it src/view/ reports so when the view is requested.
hornbeam_find_header(HORNBEAM_BEAST boost/beast.hpp)

if(HORNBEAM_TESTS)
  find_package(GTest QUIET)
  if(NOT GTest_FOUND)
    # Debian's googletest package and HORNBEAM_DEPS_DIR hold the sources.
    find_path(HORNBEAM_GTEST CMakeLists.txt HINTS ${HORNBEAM_DEPS_DIR}/googletest /usr/src/googletest NO_DEFAULT_PATH
              NO_CMAKE_FIND_ROOT_PATH)
    mark_as_advanced(HORNBEAM_GTEST)
    if(HORNBEAM_GTEST)
      add_subdirectory(${HORNBEAM_GTEST} ${PROJECT_BINARY_DIR}/googletest EXCLUDE_FROM_ALL)
    else()
      hornbeam_missing("GoogleTest (or -DHORNBEAM_TESTS=OFF)" libgtest-dev gtest-devel gtest)
    endif()
  endif()
endif()

if(missing)
  list(JOIN missing "\n  " names)
  list(JOIN missing_apt " " missing_apt)
  list(JOIN missing_dnf " " missing_dnf)
  list(JOIN missing_conda " " missing_conda)
  message(FATAL_ERROR "Libraries that were not found:\n  ${names}\n"
    "Install them by the line of your system, and configure again:\n"
    "  sudo apt-get install ${missing_apt}\n"
    "  sudo dnf install ${missing_dnf}\n"
    "  conda install -c conda-forge ${missing_conda}\n"
    "pip has no such packages, but a wheel of Hornbeam needs none of them. Libraries in folders of your own are found by\n"
    "  -DCMAKE_PREFIX_PATH=FOLDER   (include/ and lib/ below it), -DHDF5_ROOT=FOLDER\n"
    "  -DHORNBEAM_DEPS_DIR=FOLDER   (header-only libraries in FOLDER/include; docs/install.md)")
endif()
