#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Unpacks Debian's packages of another architecture or release into a folder, for a cross compiler (`make test-arm`) or an
# older C library (`make wheel`). apt works on lists of its own there: the machine's packages and settings stay, and root
# is not needed. Usage: tools/debian_sysroot.sh FOLDER ARCHITECTURE RELEASE|here PACKAGE...
# Nothing is done if FOLDER has them.
set -eu
folder=$1 architecture=$2 release=$3
shift 3
[ "$(cat "$folder/complete" 2>/dev/null)" = "$*" ] && exit 0
if ! grep -qs '^ID=debian' /etc/os-release; then
  echo "tools/debian_sysroot.sh: this is not Debian, whose packages are needed; use a Debian 12 container" >&2
  exit 1
fi
if [ "$release" = here ]; then release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release); fi
mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources 2>/dev/null | grep 'debian/*$' | head -n 1)
echo "Unpacking packages of Debian $release for $architecture into $folder"
rm -rf "$folder"
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/apt/parts"
cd "$folder"
: > apt/status
: > apt/sources.list
cat > apt/parts/debian.sources << END
Types: deb
URIs: ${mirror:-http://deb.debian.org/debian}
Suites: $release
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
apt="apt-get -qq -o APT::Architecture=$architecture -o APT::Architectures=$architecture -o Dir::State::status=$PWD/apt/status
     -o Dir::State::lists=$PWD/apt/lists -o Dir::Cache=$PWD/apt/cache -o APT::Sandbox::User= -o Debug::NoLocking=1
     -o Dir::Etc::sourceparts=$PWD/apt/parts -o Dir::Etc::sourcelist=$PWD/apt/sources.list"
$apt update
$apt install --download-only -y --no-install-recommends "$@" > apt/log
for package in apt/cache/archives/*.deb; do dpkg-deb -x "$package" .; done
# links of packages start at the root, which is here now
find . -type l -lname '/*' | while read -r link; do ln -snf "$PWD$(readlink "$link")" "$link"; done
rm -rf apt usr/share/doc usr/share/man usr/share/locale
echo "$*" > complete
