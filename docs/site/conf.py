# SPDX-License-Identifier: Apache-2.0
# The site of `make docs`: the Markdown pages of this repository as they are, and references made from the program, the
# Python package and the headers (site_of_hornbeam.py). The source folder is the repository, so that links between pages
# hold here as on GitHub.
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))

import hornbeam  # noqa: E402  (PYTHONPATH=build/python)

project = "Hornbeam"
author = "the Hornbeam authors"
copyright = "the Hornbeam authors, Apache-2.0"
version = release = hornbeam.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "site_of_hornbeam"]
root_doc = "docs/README"
include_patterns = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md", "bench/results/README.md",
                    "docs/**.md", "docs/**.rst"]
exclude_patterns = ["build*", ".venv", "output", "dist", ".git", ".cache"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
nitpicky = False
suppress_warnings = ["misc.highlighting_failure"]  # Python blocks may be parts of a program

myst_heading_anchors = 4  # as GitHub's
myst_enable_extensions = ["dollarmath"]
myst_fence_as_directive = ["math"]

autodoc_member_order = "bysource"
autodoc_typehints = "none"
add_module_names = False

smartquotes = False  # what is copied is to run
highlight_language = "text"  # where a block does not say: output

html_theme = "furo"
html_title = f"Hornbeam {version}"
html_copy_source = False
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_show_sphinx = False
html_math_renderer = "mathml"  # by the browser itself: nothing is loaded from anywhere
