# SPDX-License-Identifier: Apache-2.0
"""The version and its date are the same wherever a release names them, and a tag finds them ready."""

import ast
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def only(pattern, name):
    (found,) = re.findall(pattern, text(name), re.MULTILINE)
    return found


VERSION = only(r"^project\(hornbeam VERSION ([0-9.]+)", "CMakeLists.txt")
NEWEST, DATE = re.findall(r"^## ([0-9.]+), (\d{4}-\d\d-\d\d|unreleased)$", text("CHANGELOG.md"), re.MULTILINE)[0]
SPACK = "packaging/spack/spack_repo/hornbeam/packages/hornbeam/package.py"


def test_every_file_names_the_same_version(hornbeam):
    assert NEWEST == VERSION
    assert only(r"^version: (.*)$", "CITATION.cff") == VERSION
    assert only(r"^  version: ([0-9.]+)$", "packaging/conda/recipe.yaml") == VERSION
    assert only(r'version\("([0-9.]+)", tag=', SPACK) == VERSION == only(r'tag="v([0-9.]+)"', SPACK)
    assert f"hornbeam {VERSION} " in hornbeam.ok("--version")
    # pyproject.toml takes it from CMakeLists.txt
    assert re.search(only(r"^regex = '(.*)'$", "pyproject.toml"), text("CMakeLists.txt"))["value"] == VERSION


def test_the_changelog_and_the_citation_have_one_date():
    if DATE == "unreleased":
        assert "date-released" not in text("CITATION.cff")
    else:
        assert only(r"^date-released: (.*)$", "CITATION.cff") == DATE


def test_a_tag_is_of_the_newest_release():
    done = subprocess.run(["git", "tag", "--points-at", "HEAD", "v*"], cwd=ROOT, capture_output=True, text=True)
    for tag in done.stdout.split():
        assert tag == f"v{VERSION}" and DATE != "unreleased"


def test_licences_are_the_same():
    assert only(r"^license: (.*)$", "CITATION.cff") == only(r'^license = "(.*)"$', "pyproject.toml") \
        == only(r"^  license: (.*)$", "packaging/conda/recipe.yaml") == only(r'license\("(.*)"\)', SPACK)


def names(pattern, name):
    return set(re.findall(pattern, text(name), re.MULTILINE))


def test_packages_ask_for_every_library():
    """What CMake requires is in the recipes of conda and Spack; the names are those that CMake prints."""
    libraries = names(r'hornbeam_(?:missing|header)\(.* ([a-z]\S*)\)$', "tools/dependencies.cmake")
    libraries -= {"libgomp", "llvm-openmp", "gtest"}  # of the compiler; of the tests
    assert len(libraries) == 7
    assert libraries <= names(r"^    - (\S+)", "packaging/conda/recipe.yaml")
    in_spack = {library.replace("nlohmann_json", "nlohmann-json").replace("zlib", "zlib-api") for library in libraries}
    assert in_spack <= names(r'depends_on\("([\w-]+)', SPACK)


def test_the_recipe_of_spack_is_python():
    ast.parse(text(SPACK))
    assert max(map(len, text(SPACK).splitlines())) <= 99  # the limit of `spack style`
