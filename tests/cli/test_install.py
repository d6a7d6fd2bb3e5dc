# SPDX-License-Identifier: Apache-2.0
"""What a first configuration reports (docs/install.md): compilers that are too old, libraries that are missing, and
libraries in a prefix on a system without apt."""

import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import old_glibc  # noqa: E402
import pip_backend  # noqa: E402

# nothing below /usr is found, as on a machine where nothing is installed
BARE = ["-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF", "-DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF"]
HEADERS = ["toml++", "CLI", "nlohmann", "fmt"]


def configured(folder, *options, **environment):
    done = subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Unix Makefiles", "-DHORNBEAM_WITH_CUDA=OFF",
                           "-DHORNBEAM_TESTS=OFF", f"-DCMAKE_MAKE_PROGRAM={shutil.which('make')}",
                           f"-DCMAKE_C_COMPILER={shutil.which('gcc')}", f"-DCMAKE_CXX_COMPILER={shutil.which('g++')}",
                           *options], capture_output=True, text=True, timeout=120, env={**os.environ, **environment})
    return done.returncode, re.sub(r"\s+", " ", done.stdout + done.stderr)


def test_all_that_is_missing_is_listed_at_once(tmp_path):
    status, text = configured(tmp_path, *BARE)
    assert status != 0 and text.count("CMake Error") == 1
    for name in ("HDF5", "zlib", "libpng", "toml++", "CLI11", "nlohmann/json", "fmt"):
        assert f" {name} " in text
    assert ("apt-get install libhdf5-dev zlib1g-dev libpng-dev libtomlplusplus-dev libcli11-dev nlohmann-json3-dev "
            "libfmt-dev") in text
    assert "dnf install hdf5-devel zlib-devel libpng-devel tomlplusplus-devel cli11-devel json-devel fmt-devel" in text
    assert "conda install -c conda-forge hdf5 zlib libpng tomlplusplus cli11 nlohmann_json fmt" in text
    assert "HORNBEAM_DEPS_DIR" in text and "CMAKE_PREFIX_PATH" in text


def test_what_is_there_is_not_listed(tmp_path):
    (tmp_path / "deps/include/CLI").mkdir(parents=True)
    (tmp_path / "deps/include/CLI/CLI.hpp").touch()
    status, text = configured(tmp_path / "build", *BARE, f"-DHORNBEAM_DEPS_DIR={tmp_path / 'deps'}")
    assert status != 0 and "CLI11" not in text and "cli11" not in text and "tomlplusplus-devel json-devel" in text


@pytest.mark.parametrize("macro, name", [("__GNUC__", "g++"), ("__clang_major__", "clang++")])
def test_old_compilers_are_refused(tmp_path, macro, name):
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    old = tmp_path / "old"
    old.write_text(f'#!/bin/sh\nexec {name} -w -D{macro}=11 "$@"\n')
    old.chmod(0o755)
    status, text = configured(tmp_path / "build", f"-DCMAKE_CXX_COMPILER={old}")
    assert status != 0 and text.count("CMake Error") == 1
    assert re.search(rf"{re.escape(name.replace('clang++', 'clang'))} 11[.0-9]+ \({old}\) is too old", text)
    assert "needs g++ 12 or newer, or clang 14 or newer" in text and "-DCMAKE_CXX_COMPILER=g++-12" in text


def prefix_of_this_machine(folder):
    """The libraries in a prefix of their own, as modules of clusters and conda have them."""
    multiarch = subprocess.run(["gcc", "-print-multiarch"], capture_output=True, text=True, check=True).stdout.strip()
    libraries = Path("/usr/lib") / multiarch
    (folder / "include").mkdir(parents=True)
    (folder / "lib").mkdir()
    for name in [*HEADERS, "png.h", "pngconf.h", "pnglibconf.h", "zlib.h", "zconf.h"]:
        if not (Path("/usr/include") / name).exists():
            pytest.skip(f"/usr/include/{name} is not there")
        (folder / "include" / name).symlink_to(Path("/usr/include") / name)
    for name, found in (("libpng.so", libraries / "libpng.so"), ("libz.so", libraries / "libz.so"),
                        ("libhdf5.so", libraries / "hdf5/serial/libhdf5.so")):
        if not found.exists():
            pytest.skip(f"{found} is not there")
        (folder / "lib" / name).symlink_to(found.resolve())
    for header in Path("/usr/include/hdf5/serial").glob("*.h"):
        (folder / "include" / header.name).symlink_to(header)


def test_a_prefix_is_enough_without_apt(tmp_path):
    """PATH has neither dpkg nor apt: `make build` goes on, and CMake takes everything from the prefix."""
    prefix_of_this_machine(tmp_path / "prefix")
    (tmp_path / "bin").mkdir()
    for name in ("sh", "dirname", "cmake", "c++", "g++", "gcc", "make", "as", "ld", "ar", "ranlib", "uname", "id"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name))
    done = subprocess.run([ROOT / "tools/setup.sh", "build"], capture_output=True, text=True, timeout=60,
                          env={"PATH": str(tmp_path / "bin")})
    assert done.returncode == 0 and done.stdout + done.stderr == ""
    status, text = configured(tmp_path / "build", *BARE, f"-DCMAKE_PREFIX_PATH={tmp_path / 'prefix'}",
                              PATH=str(tmp_path / "bin"))
    assert status == 0, text
    cache = (tmp_path / "build/CMakeCache.txt").read_text()
    for name in ("PNG_LIBRARY_RELEASE", "ZLIB_LIBRARY_RELEASE", "HORNBEAM_toml___toml_h", "HORNBEAM_CLI_CLI_hpp"):
        assert re.search(rf"^{name}:[A-Z]+={tmp_path}/prefix", cache, re.MULTILINE), name


@pytest.mark.skipif(not (shutil.which("nvcc") or os.path.exists("/usr/local/cuda/bin/nvcc")), reason="SKIPPED: there is no nvcc")
def test_cuda_is_configured_without_ninja(tmp_path):
    status, said = configured(tmp_path, "-DHORNBEAM_WITH_CUDA=ON", "-DHORNBEAM_CUDA_ARCHITECTURES=90")
    assert status == 0 and "CUDA: compiled for generations 90" in said, said


def test_setup_names_programs_that_are_missing(tmp_path):
    for name in ("sh", "dirname", "id"):
        (tmp_path / name).symlink_to(shutil.which(name))
    done = subprocess.run([ROOT / "tools/setup.sh", "build"], capture_output=True, text=True, timeout=60,
                          env={"PATH": str(tmp_path)})
    assert done.returncode == 1 and "these programs are missing: cmake c++" in done.stderr


def test_stubs_give_older_versions(tmp_path):
    """Of functions that glibc has in several versions the linker takes that of 2.28 or before (tools/old_glibc.py)."""
    libm = subprocess.run(["gcc", "-print-file-name=libm.so.6"], capture_output=True, text=True, check=True).stdout.strip()
    versions = {name: version for name, (version, *_) in old_glibc.symbols(Path(libm)).items()}
    assert len(versions) > 500 and max(versions.values()) <= (2, 28)
    if os.uname().machine != "x86_64":
        return
    assert versions["exp"] == (2, 2, 5) and versions["expf"] == (2, 27)  # the newest are of 2.29 and 2.27
    stub = tmp_path / "libm.so.6"
    shutil.copy(Path(libm).resolve(), stub)
    old_glibc.replace_by_stub(stub)
    (tmp_path / "user.c").write_text("double exp(double); double user(double x) { return exp(x); }\n")
    subprocess.run(["gcc", "-shared", "-fPIC", "-nostdlib", "user.c", "libm.so.6", "-o", "user.so"], cwd=tmp_path, check=True)
    needed = subprocess.run(["readelf", "-W", "-V", tmp_path / "user.so"], capture_output=True, text=True, check=True).stdout
    assert "GLIBC_2.2.5" in needed and "GLIBC_2.29" not in needed


def on_a_terminal(script):
    """What a Python script writes to its terminal, while its standard output is a pipe, as under pip."""
    child, terminal = pty.fork()
    if child == 0:
        os.execv(sys.executable, [sys.executable, "-c", f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', "
                                  f"{script!r}], stdout=subprocess.PIPE, check=True)"])
    text = b""
    try:
        while part := os.read(terminal, 4096):
            text += part
    except OSError:
        pass  # its end, on Linux
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, text
    return text.decode()


def test_pip_shows_progress_on_the_terminal():
    build = r"print('[1/4] one', flush=True); import time; time.sleep(0.1); print('[ 50%] two', flush=True); print('more')"
    script = f"""
import subprocess, sys
sys.path.insert(0, {str(ROOT / 'tools')!r})
import pip_backend
pip_backend.EVERY = 0.05
with pip_backend.progress():
    subprocess.run([sys.executable, '-c', {build!r}], check=True)
"""
    text = on_a_terminal(script)
    assert "Hornbeam is compiled: this takes" in text and "50 % compiled, less than a minute left" in text
    assert "one" not in text  # the compilers' lines are pip's, which shows them with -v


def test_progress_extrapolates():
    assert pip_backend.remaining(0.25, 120) == "  25 % compiled, about 6 minutes left"
    assert pip_backend.remaining(0.5, 66) == "  50 % compiled, about 1 minute left"
    assert "5 to 10 minutes on 2 cores" in pip_backend.announcement(2)
    assert "about a minute on 64 cores" in pip_backend.announcement(64)


def test_output_passes_unchanged(capfd):
    """Without a terminal nothing is added; bytes and their order stay."""
    read, write = os.pipe()
    source, sink = os.pipe()
    os.write(sink, b"[1/2] a\n\xff\nb\n")
    os.close(sink)
    pip_backend.watch(source, write, None)
    os.close(write)
    assert os.read(read, 100) == b"[1/2] a\n\xff\nb\n"
    os.close(read)
