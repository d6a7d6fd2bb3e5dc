# SPDX-License-Identifier: Apache-2.0
# Writes hornbeam/version.h (run at every build; touches the file only when its content changes).
# An archive of sources names its commit in a file (tools/dist.py), and may lie in another repository.
if(EXISTS ${SOURCE_DIR}/COMMIT)
  file(STRINGS ${SOURCE_DIR}/COMMIT COMMIT LIMIT_COUNT 1)
  string(REGEX MATCH "[^ ]+$" DATE "${COMMIT}")
  string(REGEX MATCH "^[^ ]+" COMMIT "${COMMIT}")
else()
  execute_process(COMMAND git describe --always --dirty --abbrev=12 --exclude=*
                  WORKING_DIRECTORY ${SOURCE_DIR} OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND git log -1 --format=%cs
                  WORKING_DIRECTORY ${SOURCE_DIR} OUTPUT_VARIABLE DATE OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT COMMIT)
  set(COMMIT "unknown")
endif()
if(NOT DATE)
  string(TIMESTAMP DATE "%Y-%m-%d" UTC)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
// SPDX-License-Identifier: Apache-2.0
// Version, commit and its date of this build; made by tools/version.cmake.
#pragma once

namespace hornbeam {

inline constexpr const char* version = "@VERSION@";
inline constexpr const char* commit = "@COMMIT@";
inline constexpr const char* commit_date = "@DATE@";

}  // namespace hornbeam
]])
