# SPDX-License-Identifier: Apache-2.0
"""A simulation in a browser, as Simulation.serve() returns it. The server and the page are the library's."""

import time


class View:
    """What is served at `.url`, until close(), the end of the simulation or of the process.

    The page's buttons and pause(), go_on(), step() are the same: while it is paused, steps of the simulation wait.
    """

    def __init__(self, served):
        self._served = served

    @property
    def url(self):
        """For the browser, with the token that all who look need."""
        return self._served.url

    @property
    def closed(self):
        return not self._served.is_open

    @property
    def paused(self):
        """Whether steps wait, or will wait."""
        return self._served.paused

    def pause(self):
        """From now on steps wait, those of a run that is under way in another thread, too."""
        self._served.pause()

    def go_on(self):
        self._served.go_on()

    def step(self):
        """One step, then pause."""
        self._served.step()

    def wait(self):
        """Returns once the view is closed: the last line of a script that people look at. Ctrl-C ends it."""
        while not self.closed:
            time.sleep(0.1)

    def close(self):
        """Ends the server; a simulation that waits goes on."""
        self._served.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return "<hornbeam.View, closed>" if self.closed else f"<hornbeam.View {self.url}>"

    def _repr_html_(self):
        return repr(self)[1:-1] if self.closed else f'<a href="{self.url}" target="_blank">{self.url}</a>'
