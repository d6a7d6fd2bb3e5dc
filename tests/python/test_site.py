# SPDX-License-Identifier: Apache-2.0
"""The site of `make docs`, as far as it can be looked at without building it: no page is forgotten, references are whole.
(Links are followed by tests/cli/test_docs.py and, with all that Sphinx knows, by `make docs`.)"""

import re
import sys
from pathlib import Path

import pytest

import hornbeam as hb

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "site"))
sys.path.append(str(ROOT / "tests" / "cli"))
import navigation  # noqa: E402
from browser import PROGRAM, Browser  # noqa: E402

REFERENCE = (ROOT / "docs" / "reference" / "python.rst").read_text(encoding="utf-8")


def listed():
    """All pages that the navigation leads to, beginning at the front."""
    found, ways = set(), [f"{navigation.FRONT}.md"]
    while ways:
        page = ways.pop()
        if page not in found:
            found.add(page)
            text = (ROOT / page).read_text(encoding="utf-8")
            ways += [to for _, pages in navigation.navigation(page.rsplit(".", 1)[0], text) for to in pages]
    return found


def test_every_page_is_in_the_navigation():
    """A new page needs its line in docs/README.md (CONTRIBUTING.md says so)."""
    pages = {str(path.relative_to(ROOT)) for kind in ("md", "rst") for path in (ROOT / "docs").rglob(f"*.{kind}")}
    pages |= {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md", "bench/results/README.md"}
    assert pages == listed()


def test_pages_link_only_to_pages_of_the_site():
    """Sphinx does not know others, and its warning ends `make docs`."""
    of_site = listed()
    for page in sorted(of_site):
        for target in re.findall(r"\]\(([^):#\s]+\.md)[)#]", (ROOT / page).read_text(encoding="utf-8")):
            found = (ROOT / page).parent.joinpath(target).resolve().relative_to(ROOT)
            assert str(found) in of_site, f"{page} links to {found}: add it to docs/README.md and docs/site/conf.py"


def test_the_front_has_its_sections():
    text = (ROOT / f"{navigation.FRONT}.md").read_text(encoding="utf-8")
    captions = [caption for caption, _ in navigation.navigation(navigation.FRONT, text)]
    assert captions == ["Tutorials", "How-to", "Reference", "Theory", "Verification", "Gallery", "The code"]


def test_a_page_stands_once_in_the_navigation():
    text = "## A\n[x](x.md) [y](sub/y.md#z)\n## B\n[x](x.md#u) [up](../up.md) [p](p.png)\n"
    assert navigation.navigation("docs/README", text) == [("A", ["docs/x.md", "docs/sub/y.md"]), ("B", ["up.md"])]
    assert navigation.navigation("docs/x", text) == []


def test_every_public_name_is_in_the_reference():
    for name in hb.__all__:
        known = re.search(rf"^\.\. auto\w+:: hornbeam\.{name}$", REFERENCE, re.M)
        assert known or name.startswith("__"), f"docs/reference/python.rst lacks {name}"


def test_docstrings_become_pages(monkeypatch):
    pytest.importorskip("sphinx", reason="of `make docs`")
    pytest.importorskip("latex2mathml", reason="of `make docs`")
    import site_of_hornbeam

    made = site_of_hornbeam.readable(["Draws `it`.", "", "    call(1)", "", "n     number *N* of", "      particles", "a, b  both_", "",
                                      "The end."])
    assert made == ["Draws ``it``.", "", "", "::", "", "    call(1)", "", "", "``n``", r"    number \*N\* of", "    particles",
                    "``a, b``", r"    both\_", "", "The end.", ""]


def test_equations_headers_and_help_become_pages():
    pytest.importorskip("sphinx", reason="of `make docs`")
    pytest.importorskip("latex2mathml", reason="of `make docs`")
    import site_of_hornbeam

    bars = re.findall(r'<mo form="(\w+)" stretchy="false">&#x0007C;', site_of_hornbeam.mathml(r"|n| \le p - |k|", "inline"))
    assert bars == ["prefix", "postfix"] * 2
    opening, declared = site_of_hornbeam.opening_and_rest((ROOT / "include" / "hornbeam" / "boundary.h").read_text(encoding="utf-8"))
    assert opening == "The borders of space (docs/dynamics.md)." and declared.startswith("namespace hornbeam {\n\n/// open: none")
    said = site_of_hornbeam.wrapped("  blob  a cloud in a wind\n        of Mach 2.7 and more\nshort\n", width=20)
    assert said == "  blob  a cloud in a\n        wind\n        of Mach 2.7\n        and more\nshort\n"


def test_pictures_of_the_gallery_are_all_there_are():
    shown = re.findall(r"!\[[^]]*\]\(([^)]+\.png)\)", (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8"))
    there = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.png")}
    assert sorted(shown) == sorted(there)


@pytest.mark.skipif(PROGRAM is None, reason="no chromium here (apt-get install chromium)")
def test_code_is_copied_and_search_fetches_nothing_from_files(tmp_path):
    """site.js on a page that is opened as a file, with the names that Sphinx's own scripts have."""
    script = (ROOT / "docs" / "site" / "static" / "site.js").read_text(encoding="utf-8")
    (tmp_path / "page.html").write_text("<!doctype html><script>const DOCUMENTATION_OPTIONS = { SHOW_SEARCH_SUMMARY: true };</script>"
                                        f"<script>{script}</script><div class='highlight'><pre>make <b>build</b>\n\n</pre></div>")
    browser = Browser(tmp_path / "chromium")
    try:
        browser.open(f"file://{tmp_path}/page.html")
        browser.until("document.querySelector('button.copy')")
        assert browser.value("DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY") is False
        browser.value("navigator.clipboard.writeText = async (text) => { window.took = text; }; document.querySelector('button.copy').click()")
        browser.until("window.took === 'make build\\n' && document.querySelector('button.copy').textContent === 'copied'")
        # where there is no clipboard the browser copies what is selected
        browser.value("""navigator.clipboard.writeText = () => Promise.reject(new Error());
                         document.execCommand = () => { window.selected = String(getSelection()); return true; };
                         document.querySelector('button.copy').click()""")
        browser.until("window.selected !== undefined")
        assert browser.complaints == []
    finally:
        browser.close()
