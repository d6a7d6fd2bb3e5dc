#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts how plainly the pages, help, messages and comments are written.

tools/check_words.py                  a row for each text, the worst first
tools/check_words.py --list PAGE...   also prints the sentences, paragraphs, cells and words that are over the limits
tools/check_words.py --record         writes today's counts of the texts over the limits to tools/words.json

A text within the limits must stay there. A text that tools/words.json names must not get worse than its counts there
(tests/cli/test_prose.py). A text is a page (its path), or one of `help`, `messages` and `comments`."""

import argparse
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "tools" / "words.json"
LIMITS = {"mean": 20.0, "above_30": 2.0, "above_40": 0.0, "paragraph": 90, "cell": 30, "private": 0.0}
UNITS = {"mean": "words a sentence", "above_30": "% of sentences above 30 words", "above_40": "% above 40 words",
         "paragraph": "words in the longest paragraph", "cell": "words in the longest cell",
         "private": "private words in 1000"}

# The left column of the glossary, as far as a word there has no other use in this field.
PRIVATE = re.compile(r"""(?<![`.=])\b(
    lent | guests? | pull(?:s|ed|ing)? | settle[sd] | anew | beside | nobody | somebody | whom | gone | crowd(?:s|ed)?
  | (?:is|are|was|were)\ (?:told|said) | tells? | louder | so\ (?:many|often)\ (?:as|times) | numbers\ of
  | (?:are|is)\ one\b(?!\ (?:of|that|which|or|argument|ctest|object|file|page|block|process|command|particle|line|number|step|key|unit))
  | who\ (?:asks?|calls?|reads?|writes?) | lie\ in\ one\ another | next\ to\ cold | asked\ (?:for|of)
  | body\ that\ is\ no\ more | not\ finite | stands?\ (?:in|on|for|at|once|there|beside|below|above) | or\ else
  | (?:else)(?=\ (?:the|a|it|they|no|none|one|as|in|of)\b) | looks?\ at\ (?:the\ )?(?:energy|input|arguments) | begun
  )\b""", re.VERBOSE | re.IGNORECASE)
# What the field itself says with these words.
ALLOWED = re.compile(r"git pull|pull request|or else\?|nothing else|whole numbers of", re.IGNORECASE)
# An entry of help that names no quantity.
FRAGMENT = re.compile(r"(?:of|and|or|the same|at which|above which|below which|beside|as above)\b", re.IGNORECASE)

ABBREVIATIONS = re.compile(r"\b(?:e\.g|i\.e|et al|eqs?|figs?|cf|vs|approx|sect|no|resp|Dr|St)\.$", re.IGNORECASE)


def plain(text):
    """A text of Markdown as its words: code (behind a `), formulas and links as they are read."""
    text = re.sub(r"<!--.*?-->", " ", text, flags=re.DOTALL)
    text = re.sub(r"!\[[^]]*\]\([^)]*\)", " ", text)
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\$[^$]+\$", "formula", text)
    text = re.sub(r"`+([^`]+)`+", lambda code: "`" + re.sub(r"[?!`]", "", code[1]).replace(".", "\u2024"), text)
    return re.sub(r"\s+", " ", re.sub(r"\*{1,2}(?=[\w(])|(?<=[\w.)])\*{1,2}", "", text)).strip()


def words(text):
    return [word for word in text.split() if re.search(r"\w", word)]


def sentences(text):
    """The sentences of a text that plain() returned."""
    found, begin = [], 0
    for end in re.finditer(r"[.!?][\"')\u2019]*\s+(?=[\"'(\u2018]*[A-Z0-9\u0370-\u03ff`])", text):
        if ABBREVIATIONS.search(text[begin:end.start() + 1]):
            continue
        found.append(text[begin:end.end()].strip())
        begin = end.end()
    found.append(text[begin:].strip())
    return [sentence for sentence in found if words(sentence)]


def blocks(page):
    """Paragraphs, items of lists and cells of tables of a page, as (kind, text)."""
    page = re.sub(r"^[ \t]*```.*?^[ \t]*```[^\n]*$", "\n", page, flags=re.MULTILINE | re.DOTALL)
    page = re.sub(r"^\$\$.*?\$\$", "\n", page, flags=re.MULTILINE | re.DOTALL)
    page = re.sub(r"<!--.*?-->", "", page, flags=re.DOTALL)
    paragraph = []
    for line in [*page.splitlines(), ""]:
        begins = re.match(r"\s*(?:[-*+]|\d+\.)\s+", line)
        table, other = line.lstrip().startswith("|"), not line.strip() or re.match(r"#{1,6} |\s*---+\s*$", line)
        if (begins or table or other) and paragraph:
            yield "paragraph", plain(" ".join(paragraph))
            paragraph = []
        if table:
            for cell in re.split(r"(?<!\\)\|", re.sub(r"`[^`]*`", lambda code: code[0].replace("|", "/"), line.strip()))[1:-1]:
                if re.search(r"\w", cell):
                    yield "cell", plain(cell)
        elif not other:
            paragraph.append(line[begins.end():] if begins else line)


def literals(source):
    """The strings of a C++ source as the compiler joins them, without those of fewer than three words."""
    source = re.sub(r"^\s*(?://|#include).*$", "", source, flags=re.MULTILINE)
    source = re.sub(r"(?<=[\s;,{(])//[^\n\"]*$", "", source, flags=re.MULTILINE)
    for joined in re.finditer(r'"(?:\\.|[^"\\\n])*"(?:\s*"(?:\\.|[^"\\\n])*")*', source):
        text = "".join(re.findall(r'"((?:\\.|[^"\\\n])*)"', joined[0]))
        text = text.replace(r"\"", '"').replace(r"\n", "\n")
        if len(words(text)) >= 3 and not re.match(r"[#{<]|__kernel|-D|\s*(?:var|function) ", text):
            yield text, source[max(0, joined.start() - 400):joined.start()]


def is_help(path, before):
    """Whether a string is shown by --help: a key's row, or what an option, a command or a model is declared with."""
    if path.name.startswith("key_rows"):
        return "UsageError" not in before[-80:]
    if re.search(r'\{\s*"[\w-]+",\s*(?:[^{}";]*|"[^"]*"),\s*$|\{\{"[\w-]+",\s*$', before) and "ics" in path.parts:
        return True
    statement = re.split(r"[;{}]\s*\n", before)[-1]
    return bool(re.search(r"add_(?:option|flag|subcommand)\w*\(|measured\(|add_key_flags", statement)
                and "Error(" not in statement)


def program_texts():
    """What the program prints: its entries of help, and its messages."""
    found = {"help": [], "messages": []}
    for path in sorted((ROOT / "src").rglob("*.cpp")):
        if "page" in path.parts or "kernels" in path.parts:
            continue
        for text, before in literals(path.read_text(encoding="utf-8")):
            found["help" if is_help(path, before) else "messages"].append(text)
    for path in sorted((ROOT / "python" / "hornbeam").glob("*.py")):
        source = path.read_text(encoding="utf-8")
        for raised in re.finditer(r"raise \w+\((.*?)\)\s*(?:from|$)", source, re.DOTALL | re.MULTILINE):
            text = "".join(part[1] for part in re.findall(r'f?(["\'])((?:\\.|(?!\1).)*)\1', raised[1]))
            if len(words(text)) >= 3:
                found["messages"].append(text)
    return found


def comments():
    """The first sentence of each comment above a declaration."""
    for folder in ("include", "src"):
        for path in sorted((ROOT / folder).rglob("*.h")):
            for block in re.finditer(r"(?:^[ \t]*///(?!<)[^\n]*\n)+", path.read_text(encoding="utf-8"), re.MULTILINE):
                text = re.sub(r"\s+", " ", re.sub(r"^[ \t]*///", "", block[0], flags=re.MULTILINE)).strip()
                if words(text):
                    yield sentences(plain(text))[0]


def pages():
    found = [*ROOT.glob("*.md")]
    for folder in ("docs", "examples", "tests", "bench"):
        found += (ROOT / folder).rglob("*.md")
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in sorted(found)}


def texts(names=None):
    """All texts by name, each a list of (kind, text)."""
    found = {name: list(blocks(page)) for name, page in pages().items() if not names or name in names}
    if not names or {"help", "messages"} & set(names):
        found |= {name: [("paragraph", plain(text)) for text in list_of] for name, list_of in program_texts().items()}
    if not names or "comments" in names:
        found["comments"] = [("paragraph", text) for text in comments()]
    return {name: text for name, text in found.items() if not names or name in names}


def faults(text, is_entry=False):
    """What is over a limit, as (words, what, the text itself); private words count as one each."""
    for kind, block in text:
        for word in PRIVATE.finditer(ALLOWED.sub(" ", block)):
            yield 1, "private", f"{word[0]}: {block[max(0, word.start() - 40):word.end() + 40]}"
        if is_entry and FRAGMENT.match(block):
            yield 1, "private", f"fragment: {block}"
        if len(words(block)) > LIMITS[kind]:
            yield len(words(block)), kind, block[:100] + " ..."
        if kind == "paragraph":
            for sentence in sentences(block):
                if len(words(sentence)) > 30:
                    yield len(words(sentence)), "above_40" if len(words(sentence)) > 40 else "above_30", sentence


def count(text, is_entry=False):
    """The counts that LIMITS limits."""
    lengths = [len(words(sentence)) for kind, block in text if kind == "paragraph" for sentence in sentences(block)] or [0]
    sizes = {kind: max([len(words(block)) for of, block in text if of == kind], default=0) for kind in ("paragraph", "cell")}
    total = sum(len(words(block)) for _, block in text) or 1
    private = sum(number for number, what, _ in faults(text, is_entry) if what == "private")
    share = lambda limit: round(100 * sum(length > limit for length in lengths) / len(lengths), 1)
    return {"mean": round(sum(lengths) / len(lengths), 1), "above_30": share(30), "above_40": share(40), **sizes,
            "private": round(1000 * private / total, 1)}


def over(counts, limits=LIMITS):
    """The measures in which counts are over limits, as sentences."""
    return [f"{counts[key]} {UNITS[key]}; at most {limits[key]}" for key in LIMITS if counts[key] > limits[key]]


def recorded():
    return json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}


def limits_of(name):
    """What holds for a text: the limits, or its recorded counts where these are larger."""
    return {key: max(limit, recorded().get(name, {}).get(key, limit)) for key, limit in LIMITS.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", help="texts to count; none: all")
    parser.add_argument("--list", action="store_true", help="print what is over the limits")
    parser.add_argument("--record", action="store_true", help="write the counts of texts over the limits")
    args = parser.parse_args()
    found = texts([Path(name).as_posix() for name in args.pages])
    if missing := set(args.pages) - set(found):
        parser.error(f"{', '.join(sorted(missing))}: no text of this name (a page's path, help, messages or comments)")
    counts = {name: count(text, name == "help") for name, text in found.items()}
    if args.record:
        kept = {} if not args.pages else {name: old for name, old in recorded().items() if name not in counts}
        kept |= {name: row for name, row in counts.items() if over(row)}
        rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(kept[name])}" for name in sorted(kept))
        RECORD.write_text("{\n" + rows + "\n}\n", encoding="utf-8")
    print(f"{'text':<34} " + " ".join(f"{key:>9}" for key in LIMITS))
    failed = False
    for name in sorted(counts, key=lambda name: -counts[name]["above_30"] - counts[name]["mean"]):
        row, worse = counts[name], over(counts[name], limits_of(name))
        print(f"{name:<34} " + " ".join(f"{row[key]:>9}" for key in LIMITS) + ("  worse" if worse else ""))
        failed = failed or bool(worse)
        if args.list:
            for number, what, text in faults(found[name], name == "help"):
                print(f"  {what} {number}: {text}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
