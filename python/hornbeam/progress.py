# SPDX-License-Identifier: Apache-2.0
"""How far a run has come, where it was asked to show it: a bar on the standard error stream, or in a notebook a bar with
the newest picture. IPython is used where a notebook runs, and never imported by itself."""

import base64
import sys
import time

from .errors import Error


def _notebook():
    """IPython's shell where there is a notebook that shows pictures."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell if hasattr(shell, "kernel") else None


def _duration(seconds):
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}" if minutes >= 60 else f"{minutes}:{seconds:02}"


class Progress:
    """Told of each step, shows a few of them: 10 a second on a terminal, elsewhere one of each tenth of the way."""

    def __init__(self, simulation, end):
        self._start, self._end = simulation.time, end
        self._began, self._first_step = time.monotonic(), simulation.steps
        self._show = _InNotebook() if _notebook() else _OnTerminal(sys.stderr)

    def tell(self, simulation, last=False):
        if last or self._show.is_due(self._share(simulation)):
            self._show(self._share(simulation), self._words(simulation, last), simulation, last)

    def _share(self, simulation):
        way = self._end - self._start
        return min(max((simulation.time - self._start) / way, 0.0), 1.0) if way > 0 else 1.0

    def _words(self, simulation, last):
        share, passed = self._share(simulation), time.monotonic() - self._began
        steps = simulation.steps - self._first_step
        left = f", {_duration(passed * (1 - share) / share)} left" if share > 0 and not last else f" in {_duration(passed)}"
        rate = f", {steps / passed:.3g} steps/s" if passed > 0 else ""
        return f"{100 * share:3.0f} %  t = {simulation.time:.5g} of {self._end:.5g}, {steps} steps{rate}{left}"


class _OnTerminal:
    def __init__(self, stream):
        self._stream = stream
        self._rewrites = hasattr(stream, "isatty") and stream.isatty()
        self._shown, self._length = None, 0

    def is_due(self, share):
        now = time.monotonic() if self._rewrites else int(10 * share)
        due = self._shown is None or now - self._shown >= (0.1 if self._rewrites else 1)
        self._shown = now if due else self._shown
        return due

    def __call__(self, share, words, simulation, last):
        line = f"[{'#' * round(20 * share):20}] {words}"
        if self._rewrites:
            self._stream.write("\r" + line.ljust(self._length) + ("\n" if last else ""))
            self._length = len(line)
        else:
            self._stream.write(line + "\n")
        self._stream.flush()


class _InNotebook:
    """A picture takes no more than a tenth of the time."""

    def __init__(self):
        from IPython.display import HTML, display

        self._html = HTML
        self._handle = display(HTML(""), display_id=True)
        self._shown, self._drawn, self._drawing, self._picture = 0.0, 0.0, 0.0, ""

    def is_due(self, _share):
        return time.monotonic() - self._shown >= 0.5

    def __call__(self, share, words, simulation, last):
        began = time.monotonic()
        if last or began - self._drawn >= max(2.0, 10 * self._drawing):
            self._picture = image_of(simulation, 500, 375)
            self._drawn = time.monotonic()
            self._drawing = self._drawn - began
        self._handle.update(self._html(f'<progress value="{share:.4f}" max="1" style="width: 300px"></progress> '
                                       f"<code>{words}</code><br>{self._picture}"))
        self._shown = time.monotonic()


_png = None


def draw_with(png):
    """plot.py hands its png() in: it draws snapshots and simulations, which show themselves by it."""
    global _png
    _png = png


def png_of(what, width, height):
    """The bytes of a picture; None of nothing."""
    return _png(what, width, height) if len(what) else None


def image_of(what, width, height):
    """A picture as HTML has it; nothing where none can be drawn."""
    try:
        png = png_of(what, width, height)
        return "" if png is None else f'<img src="data:image/png;base64,{base64.b64encode(png).decode()}">'
    except Error:
        return ""
