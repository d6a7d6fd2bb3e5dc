# SPDX-License-Identifier: Apache-2.0
"""sim.serve() in Chromium, as tests/cli/test_browser.py drives it: pictures that follow the steps, and the buttons."""

import sys
import threading
from pathlib import Path

import pytest

import hornbeam as hb

sys.path.append(str(Path(__file__).resolve().parents[1] / "cli"))
from browser import PROGRAM, Browser  # noqa: E402

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no chromium here (apt-get install chromium)")


def test_the_page_of_a_simulation(plummer, tmp_path):
    done = threading.Event()
    sim = hb.Simulation(plummer, dt=1 / 256, eps=0.05)
    work = threading.Thread(target=lambda: sim.run(until=1e9, callback=lambda s: not done.is_set()))
    browser = Browser(tmp_path / "chromium")
    try:
        with sim.serve() as view:
            browser.open(view.url)
            browser.until("window.hornbeam && hornbeam.player.frames > 0")
            browser.until("document.getElementById('counts').textContent === '512 particles, all shown; step 0'")
            work.start()
            browser.until("hornbeam.sky.frame.about.step > 5 && document.getElementById('status').textContent === 'running'")
            browser.value("document.getElementById('go').click()")
            browser.until("document.getElementById('status').textContent === 'paused'")
            browser.value("new Promise((done) => setTimeout(done, 500))")
            held = browser.value("hornbeam.sky.frame.about.step")
            browser.value("document.getElementById('next').click()")
            browser.until(f"hornbeam.sky.frame.about.step === {held + 1}")
            assert view.paused
            browser.key(" ")
            browser.until(f"hornbeam.sky.frame.about.step > {held + 5}")
            browser.until("document.getElementById('error').textContent && document.getElementById('stages').textContent")
            assert browser.complaints == []
            done.set()
        work.join(60)
        browser.until("document.getElementById('message').textContent.includes('cannot be reached')")
    finally:
        done.set()
        browser.close()
        sim.close()
