# SPDX-License-Identifier: Apache-2.0
"""The program under attack, as tests/cli has it, and which form of the attacks."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def pytest_addoption(parser):
    parser.addoption("--hornbeam", default=str(ROOT / "build" / "hornbeam"), help="the program")


def pytest_configure(config):
    config.addinivalue_line("markers", "long: the full numbers of cases, an hour and more")
