# SPDX-License-Identifier: Apache-2.0
"""Wheels in dist/ for the CPythons of this machine, with the libraries they need, each installed and tested where there
is neither a compiler nor HDF5: `make wheel`. CPython 3.12 and later share one, of the stable ABI.

CUDA is compiled in where nvcc is here, for GPUs from 75 (Turing) on; HORNBEAM_WHEEL_CUDA=0 leaves it out. On Debian they
are built for glibc 2.28 (tools/old_glibc.py), elsewhere and with HORNBEAM_WHEEL_GLIBC=here for this machine's.
HORNBEAM_PYTHONS="python3.11 /opt/python3.13/bin/python3" names others than those found. CMAKE_ARGS are those of CMake."""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORK, DIST = ROOT / "build-wheel", ROOT / "dist"
LIBRARIES = WORK / "libraries"
OLDEST, STABLE = (3, 10), (3, 12)  # nanobind's; pyproject.toml's wheel.py-api

# A wheel is for other machines than this one: code for the GPUs that people have, and PTX for those to come.
GENERATIONS = "75-real;80-real;90"

PROBE = """import json, os, sys, sysconfig
print(json.dumps([sys.implementation.name, sys.version_info[:2], bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
                  os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))]))"""

# What stands in a wheel beside our own code, and the packages whose notices tell its licence.
NOTICES = {"gomp": "libgomp1", "libstdc++": "libstdc++6", "fmt": "libfmt-dev",
           "tomlplusplus": "libtomlplusplus-dev", "cli11": "libcli11-dev", "json": "nlohmann-json3-dev"}


# Tests of pages and their figures, which take the repository and a shell.
OF_THE_REPOSITORY = ["test_docs.py", "test_tutorials.py", "test_site.py", "test_verification.py"]


def call(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, **options)


def candidates():
    if named := os.environ.get("HORNBEAM_PYTHONS"):
        return named.split()
    paths = [found for minor in range(OLDEST[1], 30) if (found := shutil.which(f"python3.{minor}"))]
    of_pyenv = sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/*/bin/python3")))
    return [*paths, *glob.glob("/usr/bin/python3"), *of_pyenv]


def pythons():
    """{version: path}, of CPythons with their headers, one a version."""
    found = {}
    for path in candidates():
        done = subprocess.run([path, "-c", PROBE], capture_output=True, text=True)
        if done.returncode != 0:
            continue  # a shim of pyenv that has no such version
        name, version, without_lock, headers = json.loads(done.stdout)
        version = tuple(version)
        if name != "cpython" or version < OLDEST or version in found:
            continue
        if without_lock or not headers:
            print(f"{path}: {'is free-threaded' if without_lock else 'has no Python.h'}: no wheel for it")
            continue
        found[version] = path
    return dict(sorted(found.items()))


def environment(python, name, *packages):
    folder = WORK / name
    call(python, "-m", "venv", "--clear", folder)
    call(folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", *packages)
    return folder


def notices():
    """A folder with the licences of what is linked into wheels."""
    folder = WORK / "notices"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("hdf5", "png"):
        shutil.copy(LIBRARIES / f"{name}.txt", folder)
    for name, package in NOTICES.items():
        text = Path("/usr/share/doc") / package / "copyright"
        if text.exists():
            shutil.copyfile(text, folder / f"{name}.txt")
    return folder


def older_glibc():
    """The folder of an older C library that is built for, or None."""
    asked = os.environ.get("HORNBEAM_WHEEL_GLIBC", "2.28")
    if asked not in ("2.28", "here"):
        sys.exit(f"tools/wheels.py: HORNBEAM_WHEEL_GLIBC = {asked}: must be 2.28 or here")
    if asked == "here" or "ID=debian" not in Path("/etc/os-release").read_text(encoding="utf-8").splitlines():
        return None
    call(sys.executable, ROOT / "tools" / "old_glibc.py", WORK / "glibc")
    return WORK / "glibc"


def cuda_flags(given):
    """Of CMake, before those that are given."""
    asked = os.environ.get("HORNBEAM_WHEEL_CUDA", "1")
    if asked not in ("0", "1"):
        sys.exit(f"tools/wheels.py: HORNBEAM_WHEEL_CUDA = {asked}: must be 0 or 1")
    if asked == "0":
        return "-DHORNBEAM_WITH_CUDA=OFF"
    return "" if "CUDA_ARCHITECTURES" in given else f"-DHORNBEAM_CUDA_ARCHITECTURES='{GENERATIONS}'"


def build(python, glibc):
    """The repaired wheel. The library is compiled once for all Pythons, in one build folder."""
    raw = WORK / "unrepaired"
    shutil.rmtree(raw, ignore_errors=True)
    maker = environment(python, "maker", "pip>=23.1")
    given = os.environ.get("CMAKE_ARGS", "")
    arguments = f"{cuda_flags(given)} {given} -DHDF5_ROOT={LIBRARIES} -DHORNBEAM_NOTICES={notices()}"
    arguments += f" -DPNG_LIBRARY={LIBRARIES / 'lib/libpng16.a'} -DPNG_PNG_INCLUDE_DIR={LIBRARIES / 'include'}"
    if glibc is not None:
        arguments += f" -DCMAKE_TOOLCHAIN_FILE={glibc / 'toolchain.cmake'}"
    call(maker / "bin" / "pip", "wheel", ROOT, "--no-deps", "--disable-pip-version-check", "-w", raw, "-C",
         f"build-dir={WORK}", env={**os.environ, "CMAKE_ARGS": arguments})
    tools = {**os.environ, "PATH": f"{ROOT / '.venv/bin'}:{os.environ['PATH']}"}
    if glibc is not None:
        tools["LD_LIBRARY_PATH"] = str(glibc / "shipped")
    before = set(DIST.glob("*.whl"))
    call(ROOT / ".venv/bin/auditwheel", "repair", *raw.glob("*.whl"), "-w", DIST, env=tools)
    (made,) = set(DIST.glob("*.whl")) - before
    if glibc is not None and min(map(int, re.findall(r"manylinux_2_(\d+)_", made.name)), default=99) > 28:
        sys.exit(f"tools/wheels.py: {made.name} needs a newer glibc than 2.28")
    return made


def try_out(python, wheel, everything):
    """Installed where nothing else is; the whole of tests/python, or the selftest alone."""
    room = environment(python, "room", "pytest", wheel)
    bare = [ROOT / "tools" / "bare_room.sh", room, f"{ROOT / 'tests'}:{ROOT / 'docs'}"]
    if subprocess.run(["unshare", "--map-root-user", "--mount", "true"], capture_output=True).returncode != 0:
        print("unshare is not permitted here: the wheel is tried with this machine's libraries in sight")
        bare = ["env", f"PATH={room / 'bin'}", "OCL_ICD_VENDORS=/nowhere", room / "bin" / "python3"]
    call(*bare, "-c", "import hornbeam as hb; print(hb.info()); hb.selftest()")
    call(*bare, "-m", "hornbeam", "--version")
    # next to the drivers of this machine, which bring libraries of their own into the process
    call(room / "bin" / "python3", "-c", "import hornbeam as hb; hb.info(); "
         "print(hb.Simulation(hb.ic.plummer(100), backend='cpu', dt=0.01))")
    if everything:
        ignored = [f"--ignore={ROOT / 'tests' / 'python' / name}" for name in OF_THE_REPOSITORY]
        call(*bare, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", *ignored, ROOT / "tests" / "python",
             env={**os.environ, "HORNBEAM": str(room / "bin" / "hornbeam"), "HORNBEAM_TEST_BACKENDS": "cpu"})


def main():
    found = pythons()
    if not found:
        sys.exit("tools/wheels.py: no CPython of 3.10 or later with its headers is here (apt-get install python3-dev)")
    print("CPythons: " + ", ".join(f"3.{version[1]} ({path})" for version, path in found.items()))
    WORK.mkdir(exist_ok=True)
    glibc = older_glibc()
    call(ROOT / "tools" / "static_libraries.sh", LIBRARIES, *([] if glibc is None else [glibc / "toolchain.cmake"]))
    DIST.mkdir(exist_ok=True)
    for old in DIST.glob("*.whl"):
        old.unlink()
    stable = None
    for version, python in found.items():
        wheel, new = stable, stable is None
        if new:
            wheel = build(python, glibc)
            stable = wheel if version >= STABLE else None
        try_out(python, wheel, everything=new)
    for wheel in sorted(DIST.glob("*.whl")):
        print(f"{wheel.relative_to(ROOT)}  {wheel.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
