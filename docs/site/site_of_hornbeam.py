# SPDX-License-Identifier: Apache-2.0
"""What the site adds to the pages: navigation from the lists of docs/README.md, equations as MathML, docstrings as they are
written here, and the references of command line and headers."""

import os
import re
import subprocess
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from latex2mathml.converter import convert
from navigation import FRONT, navigation
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


def _mathml(self, node, display):
    self.body.append(convert(node.astext(), display=display))
    raise nodes.SkipNode


def inline_equation(self, node):
    _mathml(self, node, "inline")


def block_equation(self, node):
    self.body.append('<div class="math">')
    self.body.append(convert(node.astext(), display="block"))
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
    """With `names` as code."""
    paragraph = nodes.paragraph()
    for k, part in enumerate(text.split("`")):
        paragraph += nodes.literal(part, part) if k % 2 else nodes.Text(part)
    return paragraph


class CommandLine(Directive):
    """`hornbeam --help` and that of each command, of the program beside the Python package."""

    def run(self):
        program = Path(os.environ.get("HORNBEAM", ROOT / "build" / "hornbeam"))

        def help_of(*words):
            done = subprocess.run([program, *words, "--help"], capture_output=True, text=True, env={**os.environ, "COLUMNS": "100"})
            if done.returncode:
                raise ExtensionError(f"{program} {' '.join(words)} --help: {done.stderr}")
            return done.stdout

        overview = help_of()
        names = re.findall(r"^  ([a-z]+) ", overview.split("Subcommands:")[1], re.M)
        models = re.findall(r"^  ([a-z-]+) ", help_of("ic").split("Subcommands:")[-1], re.M)
        sections = [_section(f"hornbeam {name}", _literal(help_of(name))) for name in names]
        drawn = [_section(f"hornbeam ic {name}", _literal(help_of("ic", name))) for name in models]
        return [_literal(overview), *sections, *drawn]


class Headers(Directive):
    """Each header of a folder below what its first lines say."""

    required_arguments = 1

    def run(self):
        document = self.state.document.settings.env
        sections = []
        for path in sorted((ROOT / self.arguments[0]).glob("*.h")):
            document.note_dependency(str(path))
            said = re.match(r"// SPDX[^\n]*\n((?://[^\n]*\n)+)", text := path.read_text(encoding="utf-8"))
            opening = " ".join(line.lstrip("/ ") for line in said[1].splitlines()) if said else ""
            sections.append(_section(f"{self.arguments[0].rsplit('/', 1)[-1]}/{path.name}", _paragraph(opening),
                                     _literal(text, "cpp")))
        return sections


def setup(app):
    app.connect("source-read", add_navigation)
    app.connect("build-finished", say_where_the_front_is)
    app.connect("autodoc-process-docstring", read_docstring)
    app.add_html_math_renderer("mathml", (inline_equation, None), (block_equation, None))
    app.add_directive("hornbeam-help", CommandLine)
    app.add_directive("headers", Headers)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
