# SPDX-License-Identifier: Apache-2.0
"""A folder that the compiler builds in as if this machine's C library were an older one (glibc 2.28, of RHEL 8 and Debian
10), so that wheels run on systems of that age: old_glibc.py FOLDER. FOLDER/toolchain.cmake is then CMake's toolchain file,
FOLDER/flags holds the flags of the compiler.

Headers are those of Debian 11 (glibc 2.31). The libraries are replaced by stubs, which name each function of glibc in its
newest version up to 2.28: the linker takes that version, and refuses a function that did not exist yet. The three that
the compiler's own C++ library uses nevertheless are in SHIMS. That library is linked into what is built."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NEWEST = (2, 28)
RELEASE = "bullseye"
PACKAGES = ["libc6-dev", "libgomp1", "zlib1g-dev"]
STUBS = ["libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1"]
FOREIGN = ["toml++", "CLI", "nlohmann", "fmt", "CL", "boost"]  # headers of this machine that do not depend on the C library

SHIMS = r"""#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#define OWN __attribute__((visibility("hidden")))
OWN char __libc_single_threaded = 0;
OWN uint32_t arc4random(void) {
  uint32_t drawn;
  while (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn) {}
  return drawn;
}
OWN pid_t gettid(void) { return (pid_t)syscall(SYS_gettid); }
OWN int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                               const struct timespec* until) {
  struct timespec now, end;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &end);
  long long left = (until->tv_sec - now.tv_sec) * 1000000000LL + until->tv_nsec - now.tv_nsec + end.tv_nsec;
  if (left < 0) left = 0;
  end.tv_sec += left / 1000000000LL;
  end.tv_nsec = left % 1000000000LL;
  return pthread_cond_timedwait(condition, mutex, &end);
}
"""
SYMBOL = re.compile(r"\s*\d+: [0-9a-f]+\s+(\d+|0x[0-9a-f]+) (\w+)\s+(\w+)\s+\w+\s+(\S+)\s+([^@\s]+)@@?GLIBC_([0-9.]+)$")
KINDS = {"FUNC": ("@function", ".text"), "IFUNC": ("@function", ".text"), "OBJECT": ("@object", ".data"),
         "TLS": ("@tls_object", '.section .tdata,"awT",@progbits')}


def call(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, **options)


def multiarch():
    return call("gcc", "-print-multiarch", capture_output=True, text=True).stdout.strip()


def symbols(library):
    """{name: (version, kind, binding, size)} of a library, each in its newest version up to NEWEST."""
    found = {}
    for line in call("readelf", "-W", "--dyn-syms", library, capture_output=True, text=True).stdout.splitlines():
        if (match := SYMBOL.match(line)) is None or match[4] in ("UND", "ABS") or match[2] not in KINDS:
            continue
        version = tuple(map(int, match[6].split(".")))
        if version <= NEWEST and version > found.get(match[5], ((0,),))[0]:
            found[match[5]] = (version, match[2], match[3], int(match[1], 0))
    return found


def replace_by_stub(library):
    """A library of the same name that has no code, only the symbols and their versions."""
    lines, versions = [], set()
    for index, (name, (version, kind, binding, size)) in enumerate(sorted(symbols(library).items())):
        versions.add(version)
        word, section = KINDS[kind]
        full = ".".join(map(str, version))
        lines += [section, f".{'weak' if binding == 'WEAK' else 'globl'} s{index}", f".type s{index}, {word}",
                  f"s{index}: .zero {max(size, 8)}", f".size s{index}, {size}",
                  f".symver s{index}, {name}@@GLIBC_{full}, remove"]
    text, script, made = (library.parent / f"{library.name}.{end}" for end in ("s", "map", "new"))
    text.write_text("\n".join(lines) + "\n")
    script.write_text("".join(f"GLIBC_{'.'.join(map(str, version))} {{ }};\n" for version in sorted(versions)))
    call("gcc", "-shared", "-nostdlib", "-o", made, text, f"-Wl,-soname,{library.name},--version-script={script}")
    text.unlink(), script.unlink(), library.unlink()
    made.rename(library)


def toolchain(folder, flags):
    return f"""# made by tools/old_glibc.py
set(CMAKE_SYSROOT {folder})
set(CMAKE_C_FLAGS_INIT "{flags}")
set(CMAKE_CXX_FLAGS_INIT "{flags} -static-libstdc++")
set(CMAKE_DISABLE_FIND_PACKAGE_fmt ON)  # its headers alone: the library is of this machine
set(CMAKE_LIBRARY_ARCHITECTURE {multiarch()})
"""


def main(folder):
    architecture = call("dpkg", "--print-architecture", capture_output=True, text=True).stdout.strip()
    if (folder / "flags").exists():
        return
    (folder / "complete").unlink(missing_ok=True)
    call(ROOT / "tools/debian_sysroot.sh", folder, architecture, RELEASE, *PACKAGES)
    libraries, headers = folder / "usr/lib" / multiarch(), folder / "usr/include"
    for name in STUBS:
        replace_by_stub(folder / "lib" / multiarch() / name)
    (folder / "shims.c").write_text(SHIMS)
    # what is one library from 2.34 on was several: a program that names libc alone finds all of them
    script = libraries / "libc.so"
    more = " ".join(f"/lib/{multiarch()}/{name}" for name in STUBS[2:])
    script.write_text(script.read_text().replace("AS_NEEDED (", f"AS_NEEDED ( {more}"))
    flags = f"--sysroot={folder} -B{libraries} -L{libraries} -L{folder / 'lib' / multiarch()}"
    call("gcc", *flags.split(), "-O2", "-fPIC", "-c", folder / "shims.c", "-o", folder / "shims.o")
    call("ar", "rc", libraries / "libc_nonshared.a", folder / "shims.o")
    (libraries / "libgomp.so").symlink_to("libgomp.so.1")
    for name in FOREIGN:
        if (Path("/usr/include") / name).exists() and not (headers / name).exists():
            (headers / name).symlink_to(Path("/usr/include") / name)
    for own in Path("/usr/include", multiarch()).glob("python3*"):  # Debian's Python.h includes it by this name
        (headers / multiarch() / own.name).symlink_to(own)
    (folder / "shipped").mkdir()
    shutil.copy(libraries / "libgomp.so.1", folder / "shipped")
    (folder / "toolchain.cmake").write_text(toolchain(folder, flags))
    (folder / "flags").write_text(flags + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(os.path.abspath(sys.argv[1])))
