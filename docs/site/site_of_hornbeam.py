# SPDX-License-Identifier: Apache-2.0
"""What the site adds to the pages: navigation from the lists of docs/README.md, equations as MathML, docstrings as they are
written here, and the references of command line and headers."""

import itertools
import os
import re
import subprocess
import textwrap
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from latex2mathml.converter import convert
from navigation import FRONT, navigation
from sphinx import addnodes
from sphinx.errors import ExtensionError

ROOT = Path(__file__).resolve().parents[2]


def add_navigation(app, document, source):
    for caption, pages in navigation(document, source[0]):
        entries = "\n".join("/" + os.path.splitext(page)[0] for page in pages)
        title = f":caption: {caption}\n" if caption else ""
        source[0] += f"\n\n```{{toctree}}\n:hidden:\n{title}\n{entries}\n```\n"


def say_where_the_front_is(app, failed):
    """Sites are opened at index.html."""
    if failed is None and app.builder.format == "html":
        page = f"{FRONT}.html"
        (Path(app.outdir) / "index.html").write_text(
            f'<!doctype html><meta charset="utf-8"><title>Hornbeam</title><meta http-equiv="refresh" content="0; url={page}">'
            f'<a href="{page}">Hornbeam</a>\n', encoding="utf-8")


# -- equations


def mathml(latex, display):
    """Bars in pairs, as magnitudes have them: between two relations browsers take one for a relation, and set it apart."""
    forms = itertools.cycle(("prefix", "postfix"))
    return re.sub(r"<mo[^>]*>(&#x0007C;)</mo>", lambda bar: f'<mo form="{next(forms)}" stretchy="false">{bar[1]}</mo>',
                  convert(latex, display=display))


def inline_equation(self, node):
    size = ' displaystyle="true"' if "\\frac" in node.astext() else ""  # fractions between words would be tiny
    self.body.append(mathml(node.astext(), "inline").replace('display="inline"', f'display="inline"{size}'))
    raise nodes.SkipNode


def block_equation(self, node):
    self.body.append('<div class="math">')
    self.body.append(mathml(node.astext(), "block"))
    self.body.append("</div>")
    raise nodes.SkipNode


# -- docstrings

_row = re.compile(r"( *)([\w*]+(?:, [\w*]+)*)  +(\S.*)")


def _marked(text):
    """`name` is code, and * and | are themselves."""
    parts = re.split(r"(``?[^`]+``?)", text)
    return "".join(f"``{part.strip('`')}``" if k % 2 else re.sub(r"([*|_\\])", r"\\\1", part) for k, part in enumerate(parts))


def readable(lines):
    """Docstrings have rows "name  what it is", whose text may go on below itself, and examples that are indented."""
    out, row = [], None
    for line in lines:
        indent = len(line) - len(line.lstrip())
        found = _row.fullmatch(line)
        if found and (row is None or indent <= row):
            if row is None:
                out.append("")
            out += [f"``{found[2]}``", "    " + _marked(found[3])]
            row = indent
        elif row is not None and line.strip() and indent > row:
            out.append("    " + _marked(line.strip()))
        else:
            if row is not None or not line.strip():
                out.append("")
            row = None
            if line.strip() and indent:
                if not out or not out[-1].startswith("    "):
                    out += ["", "::", ""]
                out.append("    " + line[min(indent, 4):])
            elif line.strip():
                if out and out[-1].startswith("    "):
                    out.append("")
                out.append(_marked(line))
    return [*out, ""]


def read_docstring(app, what, name, thing, options, lines):
    lines[:] = readable(lines)


# -- references


def _literal(text, language="text"):
    block = nodes.literal_block(text, text)
    block["language"] = language
    return block


def _section(title, *children):
    section = nodes.section(ids=[nodes.make_id(title)], names=[nodes.fully_normalize_name(title)])
    section += nodes.title(title, title)
    section += list(children)
    return section


def _paragraph(text):
    """With `names` as code, and pages (docs/gas.md) as links."""
    paragraph = nodes.paragraph()
    for part in re.split(r"(`[^`]+`|docs/[\w-]+\.md)", text):
        if part.startswith("`"):
            paragraph += nodes.literal(part[1:-1], part[1:-1])
        elif part.startswith("docs/"):
            link = addnodes.pending_xref("", refdomain="std", reftype="doc", reftarget="/" + part[:-3], refexplicit=False,
                                         refwarn=True, refdoc="docs/reference/cpp")
            link += nodes.inline(part, part)
            paragraph += link
        else:
            paragraph += nodes.Text(part)
    return paragraph


def wrapped(text, width=120):
    """Lines of help that are longer go on below their text."""
    lines = []
    for line in text.splitlines():
        column = re.match(r" *(?:\S+(?: \S+)*  +)?", line).end()
        parts = textwrap.wrap(line[column:], width - column, break_long_words=False, break_on_hyphens=False) or [""]
        lines += [line[:column] + parts[0], *(" " * column + part for part in parts[1:])] if len(line) > width else [line]
    return "\n".join(lines) + "\n"


class CommandLine(Directive):
    """`hornbeam --help` and that of each command, of the program beside the Python package."""

    def run(self):
        program = Path(os.environ.get("HORNBEAM", ROOT / "build" / "hornbeam"))

        def help_of(*words):
            done = subprocess.run([program, *words, "--help"], capture_output=True, text=True, env={**os.environ, "COLUMNS": "100"})
            if done.returncode:
                raise ExtensionError(f"{program} {' '.join(words)} --help: {done.stderr}")
            return wrapped(done.stdout)

        overview = help_of()
        names = re.findall(r"^  ([a-z]+) ", overview.split("Subcommands:")[1], re.M)
        models = re.findall(r"^  ([a-z-]+) ", help_of("ic").split("Subcommands:")[-1], re.M)
        sections = [_section(f"hornbeam {name}", _literal(help_of(name))) for name in names]
        drawn = [_section(f"hornbeam ic {name}", _literal(help_of("ic", name))) for name in models]
        return [_literal(overview), *sections, *drawn]


def opening_and_rest(text):
    """What the first lines of a header say, and what it declares: without licence and includes."""
    said = re.match(r"// SPDX[^\n]*\n((?://[^\n]*\n)+)", text)
    opening = " ".join(line.lstrip("/ ") for line in said[1].splitlines()) if said else ""
    return opening, re.sub(r"^#pragma once\n+(#include [^\n]*\n+)*", "", text[said.end() if said else 0:], flags=re.M).lstrip("\n")


class Headers(Directive):
    """Each header of a folder below what its first lines say."""

    required_arguments = 1

    def run(self):
        document = self.state.document.settings.env
        sections = []
        for path in sorted((ROOT / self.arguments[0]).glob("*.h")):
            document.note_dependency(str(path))
            opening, declared = opening_and_rest(path.read_text(encoding="utf-8"))
            sections.append(_section(f"{self.arguments[0].rsplit('/', 1)[-1]}/{path.name}", _paragraph(opening),
                                     _literal(declared, "cpp")))
        return sections


def setup(app):
    app.connect("source-read", add_navigation)
    app.connect("build-finished", say_where_the_front_is)
    app.connect("autodoc-process-docstring", read_docstring)
    app.add_html_math_renderer("mathml", (inline_equation, None), (block_equation, None))
    app.add_directive("hornbeam-help", CommandLine)
    app.add_directive("headers", Headers)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
