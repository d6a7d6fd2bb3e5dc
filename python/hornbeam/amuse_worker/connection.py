# SPDX-License-Identifier: Apache-2.0
"""What a worker's process begins with: it connects to the script, and ends when the script does."""

import os
import select
import socket
import threading
import time

import mpi4py

_seconds_to_end = 1.0  # a worker that waits for a call ends by itself in less than that
_seconds_of_a_message = 0.5  # its parts follow one another more quickly


class _Connection(socket.socket):
    """The connection to the script, which knows since when a call is at work."""

    called = None  # when the last part of a call came in; None: a call is awaited

    def recv(self, *arguments):
        self.called = None
        received = super().recv(*arguments)
        self.called = time.monotonic()
        return received

    def sendall(self, *arguments):
        self.called = None
        super().sendall(*arguments)

    def was_given_up(self):
        """Whether the script sends another call while one is at work. It does so only after Ctrl-C, to stop the worker."""
        called = self.called
        return (called is not None and time.monotonic() - called > _seconds_of_a_message
                and bool(select.select([self], [], [], 0)[0]) and self.called == called)


def _end_with_the_script(connection):
    """Waits until the script at the other end has closed the connection, was killed, or gave up the call at work, and
    then ends this process. A worker that waits for a call has ended itself by then. One that computes would not notice
    before its call returns, and a script that was interrupted would wait for that."""
    watched = select.poll()
    watched.register(connection, select.POLLRDHUP)  # and POLLHUP, POLLERR, POLLNVAL, which are always reported
    while not watched.poll(1000 * _seconds_of_a_message):
        if connection.was_given_up():
            os._exit(1)
    time.sleep(_seconds_to_end)
    os._exit(1)


def connect():
    """Prepares the connection that AMUSE's loop makes. AMUSE answers in several parts, and TCP waits 40 ms before the
    second of them unless TCP_NODELAY is set: a bridge of two hundred stars took fifty times as long."""
    make = socket.create_connection

    def connect_to_the_script(*arguments, **options):
        made = make(*arguments, **options)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = _Connection(made.family, made.type, made.proto, made.detach())
        threading.Thread(target=_end_with_the_script, args=(connection,), daemon=True).start()
        return connection

    socket.create_connection = connect_to_the_script
    mpi4py.rc.initialize = False  # without MPI its start takes 3 s for nothing; with MPI it has begun already
