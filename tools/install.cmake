# SPDX-License-Identifier: Apache-2.0
# cmake --install: the program with its manual page and the completion of shells (component `shell`), the public
# headers, and the library as archives and shared, for find_package(hornbeam).
# hornbeam::hornbeam is the archives, hornbeam::shared the shared library; both have all of include/hornbeam.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The shared library is linked from the archives: nothing is compiled twice.
file(WRITE ${PROJECT_BINARY_DIR}/generated/shared.cpp "")
add_library(hornbeam_shared SHARED ${PROJECT_BINARY_DIR}/generated/shared.cpp)
set(archives hornbeam_core hornbeam_io hornbeam_render)
target_link_libraries(hornbeam_shared PRIVATE -Wl,--whole-archive ${archives} -Wl,--no-whole-archive)
target_include_directories(hornbeam_shared INTERFACE $<INSTALL_INTERFACE:include>)
target_compile_features(hornbeam_shared INTERFACE cxx_std_20)
set_target_properties(hornbeam_shared PROPERTIES OUTPUT_NAME hornbeam EXPORT_NAME shared VERSION ${PROJECT_VERSION}
                                                 SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

add_library(hornbeam_archives INTERFACE)
target_link_libraries(hornbeam_archives INTERFACE hornbeam_render hornbeam_io hornbeam_core)
target_compile_features(hornbeam_archives INTERFACE cxx_std_20)
set_target_properties(hornbeam_archives PROPERTIES EXPORT_NAME hornbeam)
foreach(part core io render)
  set_target_properties(hornbeam_${part} PROPERTIES EXPORT_NAME ${part})
endforeach()

install(TARGETS hornbeam)

# The program prints its manual page and completion itself, when they are installed: builds take no longer for them.
set(printed ${PROJECT_BINARY_DIR}/generated/shell)
function(hornbeam_install_printed folder name)
  set(file ${printed}/${name})
  list(JOIN ARGN " " words)
  install(CODE "
    execute_process(COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} \"$<TARGET_FILE:hornbeam>\" ${words}
                    OUTPUT_FILE \"${file}\" RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR \"hornbeam ${words}: \${status}\")
    endif()" COMPONENT shell)
  install(FILES ${file} DESTINATION ${folder} COMPONENT shell)
endfunction()
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  message(STATUS "The program cannot run here: its manual page and completion of shells are not installed")
else()
  file(MAKE_DIRECTORY ${printed})
  hornbeam_install_printed(${CMAKE_INSTALL_MANDIR}/man1 hornbeam.1 man)
  hornbeam_install_printed(${CMAKE_INSTALL_DATADIR}/bash-completion/completions hornbeam completion bash)
  hornbeam_install_printed(${CMAKE_INSTALL_DATADIR}/zsh/site-functions _hornbeam completion zsh)
  hornbeam_install_printed(${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d hornbeam.fish completion fish)
endif()
install(DIRECTORY include/hornbeam DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS ${archives} hornbeam_archives hornbeam_flags hornbeam_dep_hdf5 EXPORT hornbeam)
install(TARGETS hornbeam_shared EXPORT hornbeam)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/hornbeam)
install(EXPORT hornbeam NAMESPACE hornbeam:: FILE hornbeam-targets.cmake DESTINATION ${package})
configure_file(tools/hornbeam-config.cmake.in ${PROJECT_BINARY_DIR}/generated/hornbeam-config.cmake @ONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/hornbeam-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/hornbeam-config.cmake
              ${PROJECT_BINARY_DIR}/generated/hornbeam-config-version.cmake DESTINATION ${package})
