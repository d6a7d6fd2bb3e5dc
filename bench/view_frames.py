#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""view_frames.py N [--graphics gl-egl]: pictures a second of N bodies in `hornbeam view`, in headless Chromium: a Plummer
sphere that fills the page, turned as a hand does, for each size of points; and the seconds of a whole picture. The page
draws fewer bodies while it moves where a picture takes over 36 ms, and the share is printed. Needs Chromium in PATH;
--graphics is Chromium's --use-angle: swiftshader (CPU), gl-egl, vulkan. HORNBEAM names the program."""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "cli"))
from browser import Browser

WIDTH, HEIGHT = 1920, 1080
RENDERER = """(() => { const gl = hornbeam.sky.gl, info = gl.getExtension("WEBGL_debug_renderer_info");
  return gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER); })()"""


def measure(browser, size):
    browser.value(f"hornbeam.looks.size = {size}; hornbeam.redraw()")
    rate, every, words = browser.turned(5)
    whole = browser.value("hornbeam.drawnSeconds(30)")
    print(f"points of {size} pixels: {rate:.1f} pictures a second of one body in {every}, a whole one takes {1000 * whole:.1f} ms")
    print(f"  {words}")


def look(browser, url, given):
    browser.open(url)
    browser.until_drawn()
    print(browser.value(RENDERER))
    for size in given.sizes:
        measure(browser, size)
    if given.picture:
        browser.picture(given.picture)
    browser.close()


def main():
    parse = argparse.ArgumentParser(description=__doc__)
    parse.add_argument("n", type=int)
    parse.add_argument("--graphics", default="swiftshader")
    parse.add_argument("--sizes", type=float, nargs="+", default=[1.5, 3, 6])
    parse.add_argument("--picture", help="a PNG of the page")
    given = parse.parse_args()
    program = os.environ.get("HORNBEAM", "hornbeam")
    with tempfile.TemporaryDirectory() as folder:
        snapshot = f"{folder}/stars.hdf5"
        subprocess.run([program, "ic", "plummer", "-n", str(given.n), "-o", snapshot], check=True, stdout=subprocess.DEVNULL)
        server = subprocess.Popen([program, "view", snapshot, "--port", "0"], stdout=subprocess.PIPE, text=True)
        try:
            look(Browser(f"{folder}/chromium", WIDTH, HEIGHT, given.graphics), server.stdout.readline().strip(), given)
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(20)


if __name__ == "__main__":
    main()
