# SPDX-License-Identifier: Apache-2.0
# Small files are compiled a folder at a time: what they include (CLI11, toml++, nlohmann/json, GoogleTest) costs more
# than they do, so that a build from nothing takes about half of its time. Two files of a folder then must not give two
# things one name, not even in unnamed namespaces.
option(HORNBEAM_UNITY "Compile the small files of a folder as one; OFF gives each a command of its own" ON)

# Folders that are compiled with another one, FOLDER=WITH. Their files write texts (fmt, json), or are few: two such
# folders apart take nearly twice as long.
set(hornbeam_joined src/run/values=src/run/config src/run/setup=src/run/config src/run/folder=src/run/session
    src/run/records=src/run/session src/cli/output=src/cli src/cli/shell=src/cli)
foreach(folder arrays files gadget hdf5 tables)
  list(APPEND hornbeam_joined src/io/${folder}=src/io)
endforeach()
foreach(folder bodies galaxies gas)
  list(APPEND hornbeam_joined src/ics/${folder}=src/ics)
endforeach()
foreach(folder disc flows groups rings)
  list(APPEND hornbeam_joined src/analysis/${folder}=src/analysis)
endforeach()
foreach(folder external groups neighbours own)
  list(APPEND hornbeam_joined src/interactions/${folder}=src/interactions)
endforeach()
foreach(folder host lattice)
  list(APPEND hornbeam_joined src/interactions/gravity/${folder}=src/interactions/gravity)
endforeach()
list(APPEND hornbeam_joined src/interactions/collisions/host=src/interactions/collisions)
list(APPEND hornbeam_joined src/render/bodies=src/render src/render/paint=src/render src/dynamics=src/simulation
     src/memory=src/core src/materials=src/core src/device/host=src/device src/device/opencl=src/device
     src/tree/device=src/tree src/tree/host=src/tree)

# The folder with whose files those of `folder` are compiled.
function(hornbeam_compiled_with result folder)
  set(${result} ${folder} PARENT_SCOPE)
  foreach(pair ${hornbeam_joined})
    if(pair MATCHES "^${folder}=(.*)$")
      set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# hornbeam_unity(target...): each target's C++ files, a group for each folder of theirs, or for those that are joined.
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
      hornbeam_compiled_with(folder ${folder})
      string(MAKE_C_IDENTIFIER ${folder} group)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${HORNBEAM_UNITY} UNITY_BUILD_MODE GROUP)
  endforeach()
endfunction()
