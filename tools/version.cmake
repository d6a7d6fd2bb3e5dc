# SPDX-License-Identifier: Apache-2.0
# Writes hornbeam/version.h (run at every build; touches the file only when its content changes).
execute_process(COMMAND git describe --always --dirty --abbrev=12 --exclude=*
                WORKING_DIRECTORY ${SOURCE_DIR} OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT COMMIT)
  set(COMMIT "unknown")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
// SPDX-License-Identifier: Apache-2.0
// Version and commit of this build; made by tools/version.cmake.
#pragma once

namespace hornbeam {

inline constexpr const char* version = "@VERSION@";
inline constexpr const char* commit = "@COMMIT@";

}  // namespace hornbeam
]])
