# SPDX-License-Identifier: Apache-2.0
"""What the pages say is there: links and headings they point at, files they name, and commands, options and keys as the
program's own help has them. Beside it: that the script behind the tables of docs/choose.md works, and that docs/my-data.md
runs and quotes what the program says."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from conftest import ROOT, Hornbeam

FOLDERS = ("docs", "examples", "tests", "bench", "tools")
PAGES = sorted({*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))})
USER_PAGES = [ROOT / "README.md", ROOT / "examples" / "README.md", *sorted((ROOT / "docs").glob("*.md")),
              *sorted((ROOT / "docs" / "tutorials").glob("*.md"))]
FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")


def name(page):
    return str(page.relative_to(ROOT))


def prose(page):
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def headings(page):
    """The anchors of a page's headings as GitHub makes them: letters, digits, _ and -, blanks as -, repeats counted."""
    seen, anchors = {}, set()
    for line in prose(page).splitlines():
        if not re.match(r"#{1,6} ", line):
            continue
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line.lstrip("#").strip()).lower()
        anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        anchors.add(anchor + (f"-{seen[anchor]}" if anchor in seen else ""))
        seen[anchor] = seen.get(anchor, 0) + 1
    return anchors


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page):
    wrong = []
    for target in re.findall(r"\]\(([^)\s]+)\)", CODE.sub("", prose(page))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or anchor and anchor not in headings(file):
            wrong.append(target)
    assert not wrong


@pytest.mark.parametrize("page", USER_PAGES, ids=name)
def test_files_that_pages_name_are_there(page):
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"(?<![\w./-])((?:src|tests|bench|examples|docs|include|tools)/[\w./-]*\w)", text)
    assert not [path for path in named if not (ROOT / path).exists()]


@pytest.fixture(scope="module")
def help_of(request, tmp_path_factory):
    """The help of a command, asked for once."""
    path, folder, texts = Path(request.config.getoption("--hornbeam")), tmp_path_factory.mktemp("help"), {}

    def ask(*command):
        if command not in texts:
            of_bench = command[:1] == ("-bench",)
            program = Hornbeam(path.with_name("hornbeam-bench") if of_bench else path, folder)
            done = program.run(*command[of_bench:], "--help")
            texts[command] = done.stdout if done.returncode == 0 else ""
        return texts[command]

    return ask


def options_of(text):
    return {option for line in re.findall(r"^ +(-[\w,-]+)", text, re.MULTILINE) for option in line.split(",")}


def keys_of(text):
    """section.key of `run --help`."""
    section, keys = None, set()
    for line in text.splitlines():
        if found := re.match(r"\[(\w+)\] ", line):
            section = found[1]
        elif section and (found := re.match(r"  ([a-z_]+) ", line)):
            keys.add(f"{section}.{found[1]}")
    return keys


def commands(page):
    """Each `hornbeam ...` and `hornbeam-bench ...` (as "-bench ...") of fenced blocks and of code between words, up to its end in the shell."""
    text = page.read_text(encoding="utf-8")
    blocks = [body for language, body in FENCE.findall(text) if language in ("", "sh", "bash", "console")]
    blocks += [" ".join(code.split()) for code in CODE.findall(prose(page))]
    for block in blocks:
        for line in re.sub(r"\\\n", " ", block).splitlines():
            line = re.sub(r"(^|\s)#", r"\1;", line)  # what a comment says is looked at, too
            for found in re.finditer(r"(?:^|[\s/;(])hornbeam(-bench)? +((?:[^;&\n(|)]|\([^)]*\))+)", line):
                yield f"{found[1] or ''} {found[2].strip()}".strip()


def complaint(command, help_of):
    """What is wrong with one command, or None."""
    words = command.split()
    if words[0] == "-bench":
        suites = re.search(r"\{([\w,-]+)\}", help_of("-bench"))[1].split(",")
        wrong = [word for word in re.findall(r"(?:^|[\s\[(])(--?[a-z][\w-]*)", command[6:])
                 if word not in options_of(help_of("-bench"))]
        return words[1] if re.fullmatch("[a-z]+", words[1]) and words[1] not in suites else wrong or None
    known = re.findall(r"^  ([a-z]+) ", help_of().split("Subcommands:")[1], re.MULTILINE)
    if words[0].startswith("-"):
        return None if words[0] in options_of(help_of()) else words[0]
    if not re.fullmatch("[a-z]+", words[0]):
        return None  # "hornbeam SUBCOMMAND"
    if words[0] not in known:
        return words[0]
    allowed = options_of(help_of(words[0]))
    if words[0] == "ic" and len(words) > 1 and re.fullmatch("[a-z-]+", words[1]) and not words[1].startswith("-"):
        text = help_of("ic", words[1])
        if not text:
            return f"ic {words[1]}"
        allowed = options_of(text)
    elif words[0] == "ic":  # "ic MODEL": of any model
        allowed = allowed | {"-n", "-o", "--seed", "--units", "--eps", "--option"}
    wrong = [word for word in re.findall(r"(?:^|[\s\[(])(--?[a-z][\w-]*)", command) if word not in allowed]
    keys = keys_of(help_of("run"))
    for key in re.findall(r"--set +['\"]?([\w.]+)=", command):
        if key not in keys and not key.startswith("ic.") and key != "section.key":
            wrong.append(key)
    return wrong or None


@pytest.mark.parametrize("page", USER_PAGES, ids=name)
def test_commands_are_those_of_the_program(page, help_of):
    wrong = {command: found for command in commands(page) if (found := complaint(command, help_of))}
    assert not wrong


@pytest.mark.parametrize("page", USER_PAGES, ids=name)
def test_keys_in_toml_are_those_of_the_program(page, help_of):
    keys, wrong = keys_of(help_of("run")), []
    for language, body in FENCE.findall(page.read_text(encoding="utf-8")):
        if language != "toml":
            continue
        for section, entries in tomllib.loads(body).items():
            entries = entries[0] if isinstance(entries, list) else entries
            of_model = options_of(help_of("ic", entries["model"])) if section == "ic" else ()
            wrong += [f"{section}.{key}" for key in entries
                      if f"{section}.{key}" not in keys and "--" + key.replace("_", "-") not in of_model]
    assert not wrong


def test_what_is_wrong_in_a_page_is_found(help_of):
    assert complaint("rum a.toml", help_of)
    assert complaint("force a.hdf5 --epsilon 1", help_of)
    assert complaint("-bench linpack", help_of) and complaint("-bench scaling --max 3", help_of)
    assert complaint("-bench scaling --max-n 3", help_of) is None
    assert complaint("ic plumber -n 3", help_of)
    assert complaint("ic galaxy --spin 3", help_of)
    assert complaint("run a.toml --set gravity.epsilon=1", help_of)
    assert complaint("ic galaxy -n 1000 --toomre-q 2 -o disc.hdf5", help_of) is None
    assert complaint("run a.toml --set gravity.eps=1 --set ic.disc_mass=3", help_of) is None


def test_the_tables_of_choose_are_made_by_its_script(request):
    """Small: that it runs; that each of its tables stands in a page, below the command that makes it; and no others."""
    script = ROOT / "bench" / "choose.py"
    done = subprocess.run([sys.executable, script, "direct", "--scale", "0.002", "--program",
                           request.config.getoption("--hornbeam")], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("| N | tree, θ 0.6: s | direct: s | direct / tree |\n|---|---|---|---|\n| 200 | 0.0")
    text = "".join((ROOT / "docs" / page).read_text(encoding="utf-8") for page in ("choose.md", "performance.md"))
    tables = re.findall(r"^python3 bench/choose.py (\w+)", text, re.MULTILINE)
    told = subprocess.run([sys.executable, script, "--help"], capture_output=True, text=True, check=True).stdout
    assert sorted(tables) == sorted(re.search(r"TABLE +((?:\w+, *\s*)+\w+)", told)[1].replace(",", " ").split())


@pytest.fixture(scope="module")
def files_of_my_data(tmp_path_factory):
    """The files of docs/my-data.md, written as a reader would."""
    folder = tmp_path_factory.mktemp("my_data")
    page = (ROOT / "docs" / "my-data.md").read_text(encoding="utf-8")
    blocks = {language: body for language, body in reversed(FENCE.findall(page))}  # the first of each language
    (folder / "clumps.toml").write_text(blocks["toml"])
    (folder / "clumps.py").write_text(blocks["python"])
    subprocess.run([sys.executable, "clumps.py"], cwd=folder, check=True)
    return folder


@pytest.fixture
def clumps(hornbeam, files_of_my_data):
    shutil.copytree(files_of_my_data, hornbeam.folder, dirs_exist_ok=True)
    return hornbeam


def test_the_example_of_my_data_runs_and_says_what_the_page_says(clumps):
    page = (ROOT / "docs" / "my-data.md").read_text(encoding="utf-8")
    said = clumps.ok("run", "clumps.toml", "--set", "time.end=0.2")
    said += clumps.ok("analyze", "clumps.csv", "--energy", "--half-mass")
    for words in ("  units from the header: pc, Msun, km/s (G = 0.00430092)\n",
                  "  no softening in the file: eps = 0.3589 is estimated", "time in Myr",
                  "virial_ratio          0.742", "half_mass_radius  11.376"):
        assert words in page and words in said, words


@pytest.mark.parametrize("mistake, before, after", [
    ("the CSV has no header", r"\A.*\n", ""),
    ("a column is missing, or has another name", "mass", "weight"),
    ("only some columns have a unit", r" \[km/s\]", ""),
    ("a unit of another name", r"x \[pc\]", "x [PC]"),
    ("a line is cut", r"(?m)\A((?:.*\n){99}.*),[^,\n]*$", r"\1"),
    ("a value is missing", r"(?m)\A((?:.*\n){99})[^,]*", r"\1nan"),
    ("no units, and numbers that are not of G = 1", r" \[[^]]*\]", ""),
    ("kpc written for pc", r"\[pc\]", "[kpc]"),
])
def test_my_data_quotes_what_is_said_of_mistakes(clumps, mistake, before, after):
    page = (ROOT / "docs" / "my-data.md").read_text(encoding="utf-8")
    quoted = re.search(rf"^\| {re.escape(mistake)} \| `(.*)` \|$", page, re.MULTILINE)[1].replace("\\|", "|")
    file = clumps.folder / "clumps.csv"
    file.write_text(re.sub(before, after, file.read_text(), count=0 if before.startswith(" ") or "pc" in before else 1))
    done = clumps.run("run", "clumps.toml", "--set", "time.end=0.1")
    for part in quoted.rstrip(")").split(" ..."):
        assert part.strip() in done.stdout + done.stderr, done.stdout + done.stderr
