# SPDX-License-Identifier: Apache-2.0
"""Chromium without a screen, driven through its DevTools over two pipes."""

import base64
import json
import os
import select
import shutil
import subprocess
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
PROGRAM = next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """One window. Errors that pages log are kept in `complaints`. What draws is one that Chromium's --use-angle names:
    SwiftShader on the CPU, which every machine has, or "gl-egl" or "vulkan" for a GPU."""

    def __init__(self, folder, width=1000, height=700, graphics="swiftshader"):
        ask, self._ask = os.pipe()
        self._hear, answer = os.pipe()

        def place():  # where --remote-debugging-pipe looks; through high numbers, as the pipes may have these themselves
            high = os.dup2(ask, 100), os.dup2(answer, 101)
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        of_cpu = graphics == "swiftshader"
        command = [PROGRAM, "--headless=new", "--no-sandbox", "--no-first-run", "--disable-extensions", "--mute-audio",
                   "--use-gl=angle", f"--use-angle={graphics}", "--disable-dev-shm-usage",
                   "--enable-unsafe-swiftshader" if of_cpu else "--ignore-gpu-blocklist",
                   "--remote-debugging-pipe", f"--user-data-dir={folder}", f"--window-size={width},{height}", "about:blank"]
        self._process = subprocess.Popen(command, preexec_fn=place, close_fds=False, stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL)
        os.close(ask)
        os.close(answer)
        self._number, self._rest, self._session, self.complaints = 0, b"", None, []
        page = next(t for t in self._call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self._session = self._call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._call(f"{domain}.enable")
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def _call(self, method, timeout=120, **parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._ask, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + timeout
        while True:
            answer = self._next(end)
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return answer["result"]

    def _next(self, end):
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._hear], [], [], max(0, end - time.monotonic()))
            assert ready, "Chromium does not answer"
            some = os.read(self._hear, 1 << 20)
            assert some, "Chromium has ended"
            self._rest += some
        first, self._rest = self._rest.split(b"\0", 1)
        message = json.loads(first)
        if message.get("method") == "Runtime.exceptionThrown":
            details = message["params"]["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details.get("text", "?")))
        if message.get("method") == "Log.entryAdded" and message["params"]["entry"]["level"] == "error":
            self.complaints.append(message["params"]["entry"]["text"])
        return message

    def open(self, url):
        self._call("Page.navigate", url=url)

    def value(self, expression, timeout=120):
        """Of JavaScript; promises are waited for."""
        done = self._call("Runtime.evaluate", timeout, expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]["exception"].get("description")
        return done["result"].get("value")

    def until(self, expression, seconds=60):
        """Waits until it is true."""
        end = time.monotonic() + seconds
        while not self.value(f"Boolean({expression})"):
            assert time.monotonic() < end, (expression, self.complaints)
            time.sleep(0.05)

    def until_drawn(self):
        """Waits for the first frame of the view's page."""
        self.until("window.hornbeam && hornbeam.player.frames > 0 && document.getElementById('time').textContent")

    def mouse(self, kind, x, y, **more):
        self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", type=kind, key=key, **({"text": key} if len(key) == 1 and kind == "keyDown" else {}))

    def turned(self, seconds):
        """Turns the view's picture as a hand does, for 3 seconds and then as many as given. Of the latter: pictures a
        second, every how manieth body they show, and what the page says of them."""
        return self.value("""new Promise((done) => {
          const { camera, pace } = hornbeam, began = performance.now(), length = 3000 + 1000 * SECONDS;
          let before = 0;
          setTimeout(() => { before = pace.pictures; }, 3000);
          const turn = () => {
            camera.orbit(0.01, 0);
            pace.ask(true);
            const passed = performance.now() - began;
            if (passed < length) setTimeout(turn, 10);
            else done([1000 * (pace.pictures - before) / (passed - 3000), pace.every, document.getElementById("counts").textContent]);
          };
          turn();
        })""".replace("SECONDS", str(seconds)))

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._call("Page.captureScreenshot", format="png")["data"]))

    def close(self):
        self._session = None
        self._call("Browser.close")
        self._process.wait(30)
        os.close(self._ask)
        os.close(self._hear)
