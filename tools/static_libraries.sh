#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds HDF5 as a static library of position-independent code, from the sources of the distribution, for wheels: that of
# the packages brings thirty libraries along for files in the cloud (curl, OpenSSL, Kerberos, LDAP ...).
# Usage: tools/static_hdf5.sh FOLDER [TOOLCHAIN], a toolchain file of CMake. Nothing is done where FOLDER has it.
set -eu
folder=$1 toolchain=${2:+-DCMAKE_TOOLCHAIN_FILE=$2}
[ "$(cat "$folder/made" 2>/dev/null)" = "made $toolchain" ] && exit 0
rm -rf "$folder"
mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial" "$folder/source"
cd "$folder"
# the same archives as apt's, asked for sources, with lists of their own: the machine's settings stay
: > sources.list
for list in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list.d/ubuntu.sources; do
  [ -f "$list" ] || continue
  case $list in
    *.sources) sed -e 's/^Types:.*/Types: deb-src/' "$list" > "from-$(basename "$list")" ;;
    *) sed -n -e 's/^deb /deb-src /p' "$list" > sources.list ;;
  esac
done
mkdir -p parts
for list in from-*.sources; do [ -f "$list" ] && mv "$list" "parts/${list#from-}"; done
apt="apt-get -qq -o Dir::Etc::sourcelist=$PWD/sources.list -o Dir::Etc::sourceparts=$PWD/parts \
     -o Dir::State::lists=$PWD/lists -o Dir::Cache=$PWD/cache -o APT::Sandbox::User="
$apt update
$apt source --download-only hdf5
tar xf hdf5_*.orig.tar.* -C source --strip-components=1
here=$PWD
mkdir -p objects
cd objects  # where its checks look for what they have written
# shellcheck disable=SC2086  # an option, or none
cmake ../source $toolchain -DCMAKE_BUILD_TYPE=Release -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_INSTALL_PREFIX="$here" \
      -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF -DHDF5_BUILD_TOOLS=OFF -DHDF5_BUILD_EXAMPLES=OFF -DHDF5_BUILD_HL_LIB=OFF \
      -DHDF5_BUILD_CPP_LIB=OFF -DHDF5_ENABLE_Z_LIB_SUPPORT=ON -DHDF5_ENABLE_SZIP_SUPPORT=OFF -Wno-dev > ../cmake.log
cd ..
cmake --build objects -j "${JOBS:-$(nproc)}" --target install > build.log 2>&1 || { tail -20 build.log >&2; exit 1; }
cp source/COPYING .
rm -rf source objects lists parts cache sources.list hdf5_*
echo "made $toolchain" > made
