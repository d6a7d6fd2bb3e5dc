# SPDX-License-Identifier: Apache-2.0
"""The sources of a release, dist/hornbeam_nbody-VERSION.tar.gz: `make dist`. They are those of the commit that is checked
out, and pip takes them, too. They are then unpacked where no git is, built, and tested by the unit tests and a run.
CMAKE_ARGS are those of CMake; --make-only leaves the test out."""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
RUN = ["run", "examples/plummer.toml", "--backend", "cpu", "--set", "ic.n=1000", "time.end=0.25"]


def call(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, **options)


def printed(*command):
    return call(*command, cwd=ROOT, capture_output=True, text=True).stdout.strip()


def make(folder):
    """The archive, from the files of the commit alone. COMMIT names it, since the archive has no git."""
    if printed("git", "status", "--porcelain"):
        print("tools/dist.py: changes that are not committed are left out of the archive")
    source = folder / "source"
    source.mkdir()
    archive = call("git", "archive", "HEAD", cwd=ROOT, stdout=subprocess.PIPE).stdout
    call("tar", "x", "-C", source, input=archive)
    (source / "COMMIT").write_text(printed("git", "log", "-1", "--abbrev=12", "--format=%h %cs") + "\n", encoding="utf-8")
    call(sys.executable, "-m", "build", "--sdist", "--outdir", folder, source)
    (made,) = folder.glob("*.tar.gz")
    DIST.mkdir(exist_ok=True)
    for old in DIST.glob("*.tar.gz"):
        old.unlink()
    return Path(shutil.move(made, DIST / made.name))


def try_out(archive, folder):
    """Builds and tests what the archive holds, in a folder and an environment that know nothing of this one."""
    with tarfile.open(archive) as opened:
        opened.extractall(folder)
    (source,) = folder.iterdir()
    environment = {name: value for name, value in os.environ.items() if name.startswith("CCACHE_")}
    environment |= {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": os.environ.get("HOME", str(folder)), "LANG": "C.UTF-8"}

    def there(*command):
        call(*command, cwd=source, env=environment)

    jobs = os.environ.get("JOBS", str(os.cpu_count()))
    there("cmake", "--preset", "release", *(["-G", "Ninja"] if shutil.which("ninja") else []), "-DHORNBEAM_CUDA_NEEDS_GPU=ON",
          f"-DHORNBEAM_PYTHON={sys.executable}", *os.environ.get("CMAKE_ARGS", "").split())
    there("cmake", "--build", "--preset", "release", "-j", jobs, "--target", "hornbeam", "test_unit")
    there("ctest", "--preset", "release", "-j", jobs, "-L", "fast", "-R", "^unit/")
    there("build/hornbeam", "--version")
    there("build/hornbeam", *RUN, f"output.directory={folder / 'run'}")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--make-only", action="store_true", help="make the archive and do not test it")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        archive = make(Path(folder))
    digest, megabytes = hashlib.sha256(archive.read_bytes()).hexdigest(), archive.stat().st_size / 1e6
    if not asked.make_only:
        with tempfile.TemporaryDirectory() as folder:
            try_out(archive, Path(folder))
    print(f"{archive.relative_to(ROOT)}  {megabytes:.1f} MB  sha256 {digest}")


if __name__ == "__main__":
    main()
