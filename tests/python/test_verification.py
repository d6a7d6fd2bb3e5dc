# SPDX-License-Identifier: Apache-2.0
"""Each number of docs/verification.md is in the page or the file that its row names."""

import json
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = DOCS / "verification.md"
NUMBER = re.compile(r"(?<![\w^.])\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?")


def rows():
    """(what, measured, links) of each row of the tables."""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if line.startswith("|") and len(cells) >= 4 and cells[1] not in ("measured",) and set(cells[0]) - {"-"}:
            yield cells[0], cells[1], re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", line)


def leaves(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from leaves(one)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)


def stands_in_json(number, values):
    """Rounded as the page has it, in units, thousands or millions of what the file has, or the other way round."""
    digits = len(re.sub(r"e.*|\D", "", number).lstrip("0")) or 1
    wanted = float(number.replace(",", ""))
    return any(abs(value * scale - wanted) <= 0.51 * 10 ** (1 - digits) * abs(wanted)
               for value in values for scale in (1, 1e3, 1e-6))


def missing(measured, links):
    """The numbers that are in none of the sources."""
    texts, values = "", []
    for link in links:
        source = (DOCS / link).resolve()
        if source.suffix == ".json":
            values += leaves(json.loads(source.read_text()))
        else:
            texts += source.read_text(encoding="utf-8")
    known = {number.replace(",", "") for number in NUMBER.findall(texts)}
    return [number for number in NUMBER.findall(measured)
            if number.replace(",", "") not in known and not stands_in_json(number, values)]


@pytest.mark.parametrize("what, measured, links", [pytest.param(*row, id=row[0][:50]) for row in rows()])
def test_numbers_stand_in_their_source(what, measured, links):
    assert links, f"{what}: names no source"
    assert not missing(measured, links)


def test_each_result_is_listed_with_its_commit():
    folder = DOCS.parent / "bench" / "results"
    listed = dict(re.findall(r"^\| `([^`]+)` \| ([0-9a-f]{7}) \|", (folder / "README.md").read_text(), re.MULTILINE))
    assert set(listed) == {file.name for file in folder.iterdir()} - {"README.md"}


def test_a_number_without_source_is_found():
    assert len(list(rows())) > 70
    assert missing("786; 787.5", ["gpu.md"]) == ["787.5"]
    assert missing("10.1, 10.9", ["../bench/results/h200-nakasato.json"]) in ([], ["10.9"])
    assert missing("3.63, 3.71", ["../bench/results/h200-scaling.json"]) == ["3.71"]
