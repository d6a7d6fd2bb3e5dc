# SPDX-License-Identifier: Apache-2.0
"""Completion of command lines, in the shells themselves, and the manual page."""

import os
import pty
import re
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest


def needs(program):
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")


def script(hornbeam, shell):
    path = hornbeam.folder / f"completion.{shell}"
    path.write_text(hornbeam.ok("completion", shell))
    return path


BASH = r'''
source completion.bash
line="$1"
COMP_LINE="$line" COMP_POINT=${#line} COMP_TYPE=9
COMP_WORDBREAKS="${2-$COMP_WORDBREAKS}"
COMPREPLY=()
_hornbeam
printf '%s\n' "${COMPREPLY[@]}"
'''


def bash(hornbeam, line, *breaks):
    """What bash would offer at the end of `line`."""
    done = subprocess.run(["bash", "--norc", "-c", BASH, "bash", line, *breaks], cwd=hornbeam.folder, text=True,
                          capture_output=True, check=True)
    assert done.stderr == "", done.stderr
    return done.stdout.split("\n")[:-1] if done.stdout.strip() else []


def test_bash_offers_what_help_lists(hornbeam):
    script(hornbeam, "bash")
    (hornbeam.folder / "a file.hdf5").write_text("")
    (hornbeam.folder / "out").mkdir()
    assert bash(hornbeam, "hornbeam ru") == ["run"]
    assert {"info", "run", "init", "analyze", "completion", "man"} <= set(bash(hornbeam, "hornbeam "))
    helped = {"--" + name for name in re.findall(r"--([\w-]+)", hornbeam.ok("force", "--help").split("Options:")[1])}
    assert set(bash(hornbeam, "hornbeam force --")) == {name for name in helped if name != "--"}
    assert bash(hornbeam, "build/hornbeam force --mac off") == ["offset", "offset-box"]
    assert bash(hornbeam, "hornbeam ic mer") == ["merger"]
    assert bash(hornbeam, "hornbeam ic galaxy --disc-h") == ["--disc-height"]
    assert bash(hornbeam, "hornbeam ic galaxy --quiet ") == ["true", "false"]
    assert bash(hornbeam, "hornbeam force --ic plu") == ["plummer"]
    assert bash(hornbeam, "hornbeam convert a.hdf5 b.csv --to gala") == ["galactics"]
    assert bash(hornbeam, "hornbeam init ") == ["galaxy", "merger", "cluster", "ring", "mydata"]
    assert bash(hornbeam, "hornbeam completion z") == ["zsh"]
    assert bash(hornbeam, "hornbeam movie o") == ["out"]
    for files in ("init ring ", "run ", "analyze a ", "force -o ", "analyze x --csv t.csv "):
        assert bash(hornbeam, "hornbeam " + files) == [], files  # those of the shell itself
    assert bash(hornbeam, "hornbeam force -n ") == []


def test_bash_completes_lists_and_settings(hornbeam):
    script(hornbeam, "bash")
    (hornbeam.folder / "disc.hdf5").write_text("")
    assert bash(hornbeam, "hornbeam analyze --types halo di") == ["disc", "disc.hdf5"]
    assert bash(hornbeam, "hornbeam analyze --types halo disc disc.hdf5 bul") == []
    assert bash(hornbeam, "hornbeam run --set gravity.so") == ["gravity.softening="]
    assert bash(hornbeam, "hornbeam run a.toml --set gravity.eps=0.1 gravity.soft") == ["gravity.softening="]
    assert "ic.disc_mass=" in bash(hornbeam, "hornbeam run a.toml --set ic.")
    # where words end at =, what stands behind it is answered; else the whole word
    assert bash(hornbeam, "hornbeam run --set gravity.softening=") == ["plummer", "spline"]
    assert bash(hornbeam, "hornbeam run --set=gravity.softening=sp") == ["spline"]
    assert bash(hornbeam, "hornbeam force --softening=sp") == ["spline"]
    assert bash(hornbeam, "hornbeam run --set=gravity.softening=sp", " \t\n") == ["--set=gravity.softening=spline"]
    assert bash(hornbeam, "hornbeam run --set gravity.softening=sp", " \t\n") == ["gravity.softening=spline"]
    table = hornbeam.ok("run", "--help").split("CONFIG.toml:", 1)[1]
    section, keys = "", set()
    for line in table.splitlines():
        heading, key = re.match(r"\[(\w+)\]", line), re.match(r"  (\w+) ", line)
        section = heading[1] if heading else section
        keys |= {f"{section}.{key[1]}="} if key else set()
    assert len(keys) > 50 and keys <= set(bash(hornbeam, "hornbeam run --set "))


def test_bash_knows_the_function(hornbeam):
    script(hornbeam, "bash")
    done = subprocess.run(["bash", "--norc", "-c", "source completion.bash; complete -p hornbeam"], cwd=hornbeam.folder,
                          text=True, capture_output=True, check=True)
    assert "-F _hornbeam hornbeam" in done.stdout


def test_fish_offers_what_help_lists(hornbeam):
    needs("fish")
    path = script(hornbeam, "fish")
    (hornbeam.folder / "a.toml").write_text("")
    lines = ["hornbeam ru", "hornbeam ic gal", "hornbeam ic galaxy --disc-hei", "hornbeam force --mac min",
             "hornbeam run --set gravity.softening=s", "hornbeam run --set time.en", "hornbeam init cl",
             "hornbeam run a.t", "hornbeam force --jso", "hornbeam info --soft"]
    ask = "; ".join([f"source {path}"] + [f"complete -C '{line}'; echo ---" for line in lines])
    done = subprocess.run(["fish", "--no-config", "-c", ask], cwd=hornbeam.folder, text=True, capture_output=True,
                          check=True, env={**os.environ, "HOME": str(hornbeam.folder)})
    assert done.stderr == "", done.stderr
    found = [[line.split("\t")[0] for line in part.splitlines()] for part in done.stdout.split("---\n")[:-1]]
    assert found == [["run"], ["galaxy"], ["--disc-height"], ["min-distance"], ["gravity.softening=spline"],
                     ["time.end="], ["cluster"], ["a.toml"], ["--json"], []]
    assert "\tSimulate what a TOML file describes" in done.stdout


class Zsh:
    """A shell at a terminal, asked what a tabulator makes of a line."""

    def __init__(self, path, folder):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "TERM": "dumb", "HOME": str(folder), "PS1": "> "})
        self.say(f"autoload -U compinit; compinit -u -D; source {path}; print rea''dy\n")
        self.until("ready")

    def say(self, text):
        os.write(self.terminal, text.encode())

    def until(self, pattern):
        seen, end = "", time.monotonic() + 60
        while time.monotonic() < end:
            if select.select([self.terminal], [], [], 1)[0]:
                seen += os.read(self.terminal, 4096).decode(errors="replace")
            found = re.search(pattern, seen)
            if found:
                return found
        raise AssertionError(f"zsh did not say {pattern}: {seen!r}")

    def completed(self, line):
        """The line after a tabulator: it is turned into the argument of a print, whose answer is taken."""
        self.say(line + "\t\x01print -r -- beg''in: \x05 :en''d\n")
        return self.until(r"begin: (.*?)\s+:end")[1]

    def close(self):
        self.say("\x03\nexit\n")
        os.close(self.terminal)
        os.waitpid(self.process, 0)


def test_zsh_completes_what_help_lists(hornbeam):
    needs("zsh")
    path = script(hornbeam, "zsh")
    subprocess.run(["zsh", "-f", "-n", path], check=True)
    (hornbeam.folder / "a.toml").write_text("")
    shell = Zsh(path, hornbeam.folder)
    try:
        for line, completed in {
                "hornbeam ru": "hornbeam run",
                "hornbeam ic galax": "hornbeam ic galaxy",
                "hornbeam ic galaxy --disc-hei": "hornbeam ic galaxy --disc-height",
                "hornbeam force --mac min": "hornbeam force --mac min-distance",
                "hornbeam force --softening=sp": "hornbeam force --softening=spline",
                "hornbeam run --set gravity.softe": "hornbeam run --set gravity.softening",  # the = goes where none follows
                "hornbeam run --set gravity.softening=sp": "hornbeam run --set gravity.softening=spline",
                "hornbeam init clu": "hornbeam init cluster",
                "hornbeam run a.t": "hornbeam run a.toml",
                "hornbeam completion fi": "hornbeam completion fish"}.items():
            assert shell.completed(line) == completed
    finally:
        shell.close()


def test_unknown_shells_are_refused(hornbeam):
    assert "did you mean fish?" in hornbeam.error(2, "completion", "fsh")
    assert "bash, fish, zsh" in hornbeam.error(2, "completion", "powershell")


@pytest.fixture
def page(hornbeam):
    path = hornbeam.folder / "hornbeam.1"
    path.write_text(hornbeam.ok("man"))
    return path


def test_the_manual_page_is_clean_to_mandoc(page):
    needs("mandoc")
    done = subprocess.run(["mandoc", "-Tlint", page], text=True, capture_output=True)
    assert done.stdout + done.stderr == "" and done.returncode == 0


def test_the_manual_page_is_clean_to_groff(page):
    needs("groff")
    done = subprocess.run(["groff", "-man", "-ww", "-Tascii", page], text=True, capture_output=True)
    assert done.stderr == "" and done.returncode == 0


def test_the_manual_page_says_what_help_says(hornbeam, page):
    needs("groff")
    text = subprocess.run(["groff", "-man", "-Tascii", "-P-cbou", "-rLL=200n", page], text=True, capture_output=True,
                          check=True).stdout
    for heading in ("NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "MODELS", "CONFIGURATION", "FILES", "EXIT STATUS",
                    "ENVIRONMENT", "EXAMPLES"):
        assert f"\n{heading}\n" in text, heading
    commands = re.findall(r"^  ([\w-]+) ", hornbeam.run().stderr.split("Subcommands:")[1], re.M)
    assert len(commands) > 12
    for command in commands:
        assert re.search(rf"^ +hornbeam {command}\b", text, re.M), command
        for option in re.findall(r"^  (--[\w-]+)", hornbeam.ok(command, "--help"), re.M):
            assert option in text, (command, option)
    assert "hornbeam ic galaxy" in text and "--toomre-q" in text and "[watchdog]" in text
    examples = text.split("\nEXAMPLES\n")[1].strip("\n").split("\n\n")[:6]
    assert all(re.fullmatch(r" {7}hornbeam [^\n]*\n {14}[A-Z][^\n]*\.", example) for example in examples), examples
    assert re.search(r"black_holes_every FLOAT\n", text) and "softening length of all particles" in text


def test_all_of_it_is_installed(hornbeam):
    """By `cmake --install`, of which this is a part, where shells and man look for it."""
    needs("cmake")
    build = Path(hornbeam.program).parent
    subprocess.run(["cmake", "--install", build, "--component", "shell", "--prefix", hornbeam.folder / "there"], check=True,
                   capture_output=True)
    for file, printed in {"man/man1/hornbeam.1": ["man"],
                          "bash-completion/completions/hornbeam": ["completion", "bash"],
                          "zsh/site-functions/_hornbeam": ["completion", "zsh"],
                          "fish/vendor_completions.d/hornbeam.fish": ["completion", "fish"]}.items():
        assert (hornbeam.folder / "there" / "share" / file).read_text() == hornbeam.ok(*printed), file
