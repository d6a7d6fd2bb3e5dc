#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a Python where there is nothing but itself, the C library and what every machine that takes a manylinux wheel has:
# no compiler, no headers, no HDF5, PNG, OpenMP, OpenCL, CUDA and no shell.
# Usage: tools/bare_room.sh VENV FOLDER[:FOLDER...] ARGUMENTS...: VENV/bin/python3 ARGUMENTS, in a root of its own where
# VENV and the folders stand at their places, and /tmp is empty.
set -eu
if [ -z "${HORNBEAM_ROOM:-}" ]; then
  room=$(mktemp -d)
  trap 'rmdir "$room"' EXIT
  HORNBEAM_ROOM=$room unshare --map-root-user --mount "$0" "$@"
  exit
fi
room=$HORNBEAM_ROOM venv=$1 folders=$2
shift 2
mount -t tmpfs room "$room"
bring() {  # a file, with the folders above it
  [ -e "$room$1" ] && return
  mkdir -p "$room$(dirname "$1")"
  cp -L "$1" "$room$1"
}
bind() {
  [ -d "$room$1" ] && return
  mkdir -p "$room$1"
  mount --rbind "$1" "$room$1"
}
# Python, and whatever its own modules are linked to; of the rest, what the lists of manylinux allow
ask="import os, sys, sysconfig
binary = sysconfig.get_path('platstdlib', vars={'platbase': sys.base_exec_prefix})
print(os.path.realpath(sys.executable), sysconfig.get_path('stdlib'), binary)"
set -- "$("$venv/bin/python3" -c "$ask")" "$@"
for path in $1; do
  if [ -d "$path" ]; then bind "$path"; else bring "$path"; fi
done
shift
home=$(sed -n 's/^home = //p' "$venv/pyvenv.cfg")
[ -e "$room$home/python3" ] || { mkdir -p "$room$home"; ln -s "$(readlink -f "$home/python3")" "$room$home/python3"; }
libraries=$(find "$room" -xdev -type f -name 'python3*' -perm -u+x
            find "$room" -name '*.so' -path '*lib-dynload*' ! -name '_tkinter*')
promised=$(for name in libc.so.6 libm.so.6 libdl.so.2 librt.so.1 libpthread.so.0 libresolv.so.2 libgcc_s.so.1 \
  libstdc++.so.6 libz.so.1; do ldconfig -p | awk -v name=$name '$1 == name { print $NF; exit }'; done)
# shellcheck disable=SC2086  # lists of names
for library in $(ldd $libraries | awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\// && $1 !~ /:$/ { print $1 }' | sort -u) \
               $promised; do
  bring "$library"
done
bring /etc/hosts
bind "$venv"
for folder in $(echo "$folders" | tr : " "); do bind "$folder"; done
bind /proc
bind /dev
mkdir -p "$room/tmp"
cd "$room"
chroot=$(command -v chroot)
unset LD_LIBRARY_PATH HORNBEAM_ROOM
PATH=$venv/bin LANG=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 exec "$chroot" "$room" "$venv/bin/python3" "$@"
