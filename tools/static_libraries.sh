#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds HDF5 and libpng as static libraries of position-independent code, from the sources of the distribution, for
# wheels: HDF5's package brings thirty libraries along for files in the cloud (curl, OpenSSL, Kerberos, LDAP ...), and
# that of libpng needs this machine's C library.
# Usage: tools/static_libraries.sh FOLDER [TOOLCHAIN], a toolchain file of CMake. Nothing is done where FOLDER has them.
set -eu
folder=$1 toolchain=${2:+-DCMAKE_TOOLCHAIN_FILE=$2}

fetch() {  # the sources of a package, into source/
  rm -rf source lists cache parts
  mkdir -p lists/partial cache/archives/partial source parts
  # the same archives as apt's, asked for sources, with lists of their own: the machine's settings stay
  : > sources.list
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list.d/ubuntu.sources; do
    [ -f "$list" ] || continue
    case $list in
      *.sources) sed -e 's/^Types:.*/Types: deb-src/' "$list" > "parts/$(basename "$list")" ;;
      *) sed -n -e 's/^deb /deb-src /p' "$list" > sources.list ;;
    esac
  done
  apt="apt-get -qq -o Dir::Etc::sourcelist=$PWD/sources.list -o Dir::Etc::sourceparts=$PWD/parts \
       -o Dir::State::lists=$PWD/lists -o Dir::Cache=$PWD/cache -o APT::Sandbox::User="
  $apt update
  $apt source --download-only --tar-only "$1"
  tar xf "$1"_*.orig.tar.* -C source --strip-components=1
}

build() {  # NAME PACKAGE LICENCE OPTIONS...
  name=$1 package=$2 licence=$3
  shift 3
  [ "$(cat "made-$name" 2>/dev/null)" = "made $toolchain" ] && return
  fetch "$package"
  rm -rf objects
  mkdir objects
  # shellcheck disable=SC2086  # an option, or none; in objects/ its checks look for what they have written
  (cd objects && cmake ../source $toolchain -DCMAKE_BUILD_TYPE=Release -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
     -DCMAKE_INSTALL_PREFIX="$here" -DCMAKE_INSTALL_LIBDIR=lib -Wno-dev "$@" > "../cmake-$name.log")
  cmake --build objects -j "${JOBS:-$(nproc)}" --target install > "build-$name.log" 2>&1 \
    || { tail -20 "build-$name.log" >&2; exit 1; }
  cp "source/$licence" "$name.txt"
  rm -rf source objects lists parts cache sources.list "$package"_*
  echo "made $toolchain" > "made-$name"
}

mkdir -p "$folder"
cd "$folder"
here=$PWD
build hdf5 hdf5 COPYING -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF -DHDF5_BUILD_TOOLS=OFF -DHDF5_BUILD_EXAMPLES=OFF \
  -DHDF5_BUILD_HL_LIB=OFF -DHDF5_BUILD_CPP_LIB=OFF -DHDF5_ENABLE_Z_LIB_SUPPORT=ON -DHDF5_ENABLE_SZIP_SUPPORT=OFF
build png libpng1.6 LICENSE -DPNG_SHARED=OFF -DPNG_TESTS=OFF
