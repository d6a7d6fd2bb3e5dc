# SPDX-License-Identifier: Apache-2.0
"""How plainly pages, help, messages and comments are written: tools/check_words.py counts, and no count gets worse."""

import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tools"))
import check_words as words  # noqa: E402

TEXTS = words.texts()


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_texts_are_within_their_limits(name):
    found = words.over(words.count(TEXTS[name], name == "help"), words.limits_of(name))
    assert not found, f"{name}: {'; '.join(found)} (see tools/check_words.py --list {name})"


def test_the_record_names_only_texts_over_the_limits():
    """A text that has been rewritten is held at the limits from then on."""
    done = [name for name, counts in words.recorded().items() if name not in TEXTS or not words.over(counts)]
    assert not done, "run tools/check_words.py --record"


def page(text):
    return list(words.blocks(text))


@pytest.mark.parametrize("text, key, value", [
    ("One two three. Four five six seven eight.", "mean", 4.0),
    ("The errors of Dehnen et al. Are two sentences, e.g. Of two.", "mean", 12.0),
    ("See `hornbeam run a.toml`. It runs.", "mean", 3.0),
    ("Read [the page](docs/a.md) of $a + b = c$ now.", "mean", 6.0),
    ("- one two\n- three four five six", "mean", 3.0),
    ("```\n" + "word " * 50 + "\n```\nTwo words.", "mean", 2.0),
    ("word " * 30 + ".", "above_30", 0.0),
    ("word " * 31 + ".", "above_30", 100.0),
    ("word " * 41 + ".", "above_40", 100.0),
    ("Two words. " * 46 + "\n\nOne.", "paragraph", 92),
    ("| a | b |\n|---|---|\n| `x|y` | " + "word " * 31 + "|", "cell", 31),
    ("The domain is lent to them " + "word " * 14, "private", 50.0),
    ("Run git pull and git push first.", "private", 0.0),
])
def test_counts_are_right(text, key, value):
    assert words.count(page(text))[key] == value


def test_entries_of_help_name_their_quantity():
    assert words.count([("paragraph", "of the gas")], is_entry=True)["private"] > 0
    assert words.count([("paragraph", "density of the gas")], is_entry=True)["private"] == 0


def test_strings_of_sources_are_found():
    """Joined as the compiler joins them, without comments, includes and what is no text."""
    source = '#include "a b c d"\n// "no text at all"\nthrow Error("a.b", "has no " "gas here\\n", "give some");\n'
    assert [text for text, _ in words.literals(source)] == ["has no gas here\n"]
    assert len(TEXTS["help"]) > 300 and len(TEXTS["messages"]) > 500 and len(TEXTS["comments"]) > 500
