# SPDX-License-Identifier: Apache-2.0
"""Which pages the site's navigation has: what docs/README.md links to, section by section. The site takes it from here, and
tests/python/test_site.py asks whether a page is forgotten."""

import os
import re

FRONT = "docs/README"


def pages_linked(text, page):
    """The pages that a text of `page` links to, each once, as paths from the top folder."""
    found = []
    for target in re.findall(r"\]\(([^)#\s]+\.(?:md|rst))(?:#[^)]*)?\)", text):
        path = os.path.normpath(os.path.join(os.path.dirname(page), target))
        if path not in found and path != f"{page}.md":
            found.append(path)
    return found


def navigation(document, text):
    """[(caption, [pages])]: of the front page a list for each section, what an earlier one has left out; of another README of
    docs/ the pages of its own folder. Other pages list none."""
    if document == FRONT:
        listed, known = [], set()
        for heading, body in re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", text, re.M | re.S):
            pages = [page for page in pages_linked(body, document) if page not in known]
            known.update(pages)
            if pages:
                listed.append((heading, pages))
        return listed
    if re.fullmatch(r"docs/.+/README", document):
        folder = os.path.dirname(document)
        return [(None, [page for page in pages_linked(text, document) if os.path.dirname(page) == folder])]
    return []
