# SPDX-License-Identifier: Apache-2.0
# Small files are compiled a folder at a time: what they include (CLI11, toml++, nlohmann/json, GoogleTest) costs more
# than they do, so that a build from nothing takes about half of its time. Two files of a folder then must not give two
# things one name, not even in unnamed namespaces.
option(HORNBEAM_UNITY "Compile the small files of a folder as one; OFF gives each a command of its own" ON)

# hornbeam_unity(target...): each target's C++ files, a group for each folder of theirs.
function(hornbeam_unity)
  foreach(target ${ARGN})
    get_target_property(sources ${target} SOURCES)
    foreach(source ${sources})
      if(NOT source MATCHES "\\.cpp$")
        continue()
      endif()
      get_filename_component(source ${source} ABSOLUTE)
      get_filename_component(folder ${source} DIRECTORY)
      file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
      string(MAKE_C_IDENTIFIER ${folder} group)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${HORNBEAM_UNITY} UNITY_BUILD_MODE GROUP)
  endforeach()
endfunction()
