# SPDX-License-Identifier: Apache-2.0
# Toolchain file for 64-bit ARM (Grace, Graviton, Linux on Macs) with Debian's cross compiler; qemu-user runs the programs
# that the build itself runs, and the tests. HORNBEAM_SYSROOT names a folder of arm64 packages (tools/debian_sysroot.sh).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HORNBEAM_SYSROOT)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
if(HORNBEAM_SYSROOT)
  set(CMAKE_SYSROOT ${HORNBEAM_SYSROOT})
  list(APPEND CMAKE_CROSSCOMPILING_EMULATOR -L ${HORNBEAM_SYSROOT})
  # a script, which names the folders of arm64's libraries; this machine's own would name others
  set(HDF5_C_COMPILER_EXECUTABLE ${HORNBEAM_SYSROOT}/usr/bin/h5cc CACHE FILEPATH "")
endif()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
