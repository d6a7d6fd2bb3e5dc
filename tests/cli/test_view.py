# SPDX-License-Identifier: Apache-2.0
"""`hornbeam view` over HTTP: its routes, who may ask, folders that grow, files that are damaged, ports, endings."""

import http.client
import json
import os
import resource
import signal
import socket
import struct
from pathlib import Path

import numpy as np
import pytest

from conftest import not_sanitized


class Server:
    """A `hornbeam view` at work. It is asked with its token, unless token=False."""

    def __init__(self, hornbeam, *arguments, **options):
        self.process = hornbeam.start("view", *arguments, **options)
        self.url = self.process.stdout.readline().strip()
        assert self.url, self.process.stderr.read()
        self.port = int(self.url.split(":")[2].split("/")[0])
        self.token = self.url.split("?token=")[1]

    def ask(self, path, method="GET", host=None, token=True, **header):
        if token:
            header = {"Authorization": f"Bearer {self.token}", **header}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.putrequest(method, path, skip_host=True)
            connection.putheader("Host", host or f"127.0.0.1:{self.port}")
            for name, value in header.items():
                connection.putheader(name.replace("_", "-"), value)
            connection.endheaders()
            answer = connection.getresponse()
            return answer, answer.read()
        finally:
            connection.close()

    def json(self, path, **more):
        answer, body = self.ask(path, **more)
        return answer.status, json.loads(body)

    def frame(self, query=""):
        answer, body = self.ask(f"/frame?{query}")
        assert answer.status == 200, body
        return taken_apart(body)


def taken_apart(body):
    """{"about": ..., "position": ..., ...} of a frame's message (src/view/frame.h)."""
    assert body[:4] == b"HBV1"
    length, = struct.unpack_from("<I", body, 4)
    frame = {"about": json.loads(body[8:8 + length])}
    at = 8 + length
    for array in frame["about"]["arrays"]:
        kind = {"f32": "<f4", "u32": "<u4", "u16": "<u2", "u8": "u1"}[array["type"]]
        count = array["rows"] * array["columns"]
        frame[array["name"]] = np.frombuffer(body, kind, count, at).reshape(array["rows"], array["columns"])
        at += -(-count * np.dtype(kind).itemsize // 4) * 4
    assert at == len(body)
    return frame


@pytest.fixture
def serve(hornbeam):
    servers = []

    def start(*arguments, **options):
        servers.append(Server(hornbeam, *arguments, **options))
        return servers[-1]

    yield start
    for server in servers:
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(20)


def write_stars(path, n, seed=1):
    random = np.random.default_rng(seed)
    np.savez(path, pos=random.normal(size=(n, 3)), vel=random.normal(size=(n, 3)), mass=np.full(n, 1 / max(n, 1)),
             id=np.arange(n))


def test_every_route(hornbeam, serve):
    hornbeam.ok("ic", "plummer", "-n", 500, "-o", "stars.hdf5")
    server = serve("stars.hdf5", "--port", 0)
    answer, page = server.ask("/")
    policy = answer.getheader("Content-Security-Policy")
    nonce = policy.split("'nonce-")[1].split("'")[0]
    assert answer.status == 200 and nonce.encode() in page and b"NONCE" not in page
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert b"http://" not in page and b"https://" not in page  # nothing is fetched from elsewhere
    assert answer.getheader("Cache-Control") == "no-store" and answer.getheader("Referrer-Policy") == "no-referrer"
    status, state = server.json("/state")
    assert status == 200 and state["names"] == ["stars.hdf5"] and not state["live"]
    frame = server.frame("colour=speed")
    assert frame["about"]["n"] == frame["about"]["shown"] == 500 and frame["about"]["time"] == 0
    assert frame["position"].shape == (500, 3) and frame["value"].shape == (500, 1)
    assert sorted(frame["id"][:, 0]) == list(range(500)) and set(frame["family"][:, 0]) == {1}
    again = server.frame(f"bodies={frame['about']['bodies']}")
    assert "id" not in again and np.array_equal(again["position"], frame["position"])
    assert server.json("/energy") == (200, {"time": [], "step": [], "total": [], "relative_error": [], "kept": True,
                                              "seconds": None})
    answer, body = server.ask("/", method="HEAD")
    assert answer.status == 200 and body == b""


@pytest.mark.parametrize("path, method, status", [
    ("/etc/passwd", "GET", 404), ("/../../etc/passwd", "GET", 404), ("/%2e%2e/stars.hdf5", "GET", 404),
    ("/stars.hdf5", "GET", 404), ("/frame?index=9", "GET", 400), ("/frame?index=-1", "GET", 400),
    ("/frame?index=x", "GET", 400), ("/frame", "POST", 405), ("/", "DELETE", 405), ("/control?do=pause", "GET", 405),
    ("/control?do=pause", "POST", 400), ("/" + "a" * 20000, "GET", 400)])
def test_what_is_refused(hornbeam, serve, path, method, status):
    hornbeam.ok("ic", "plummer", "-n", 10, "-o", "stars.hdf5")
    server = serve("stars.hdf5", "--port", 0)
    answer, _ = server.ask(path, method=method)
    assert answer.status == status
    assert server.json("/state")[0] == 200


PATHS = ("/", "/state", "/frame", "/frame?index=0&colour=speed", "/energy", "/control?do=pause", "/%63ontrol?do=pause",
         "//control?do=pause", "/nowhere")


def test_pages_of_others_cannot_ask(hornbeam, serve):
    hornbeam.ok("ic", "plummer", "-n", 10, "-o", "stars.hdf5")
    server = serve("stars.hdf5", "--port", 0)
    assert server.url == f"http://127.0.0.1:{server.port}/?token={server.token}"
    assert server.ask("/state", host="evil.example")[0].status == 403
    assert server.ask("/state", host="localhost:1")[0].status == 200
    assert server.ask("/state", Origin="http://evil.example")[0].status == 403
    assert "Access-Control-Allow-Origin" not in server.ask("/state")[0].headers


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_images_links_and_frames_of_other_sites(hornbeam, serve, site):
    """As browsers send them: an <img>, a fetch, a form, an <iframe>; a link opens the page only."""
    hornbeam.ok("ic", "plummer", "-n", 10, "-o", "stars.hdf5")
    server = serve("stars.hdf5", "--port", 0)
    for path in PATHS:
        for method in ("GET", "POST", "HEAD"):
            for mode, into in (("no-cors", "image"), ("cors", "empty"), ("navigate", "iframe"), ("navigate", "document")):
                answer, _ = server.ask(path, method, Sec_Fetch_Site=site, Sec_Fetch_Mode=mode, Sec_Fetch_Dest=into)
                page = (path, method, into) == ("/", "GET", "document")
                assert (answer.status == 200) == page and (page or answer.status == 403), (path, method, mode)
    link = {"Sec_Fetch_Site": site, "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"}
    assert server.ask(server.url.split(str(server.port))[1], token=False, **link)[0].status == 200
    assert server.ask("/", token=False, **link)[0].status == 403
    assert server.ask("/state", Sec_Fetch_Site="same-origin", Sec_Fetch_Mode="cors")[0].status == 200


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "localhost"])
def test_the_token_is_needed(hornbeam, serve, host):
    hornbeam.ok("ic", "plummer", "-n", 10, "-o", "stars.hdf5")
    server = serve("stars.hdf5", "--port", 0, "--host", host)
    assert len(server.token) == 32
    for path in PATHS:
        mark = "&" if "?" in path else "?"
        for method in ("GET", "POST", "HEAD", "PUT"):
            assert server.ask(path, method, token=False)[0].status == 403
            assert server.ask(f"{path}{mark}token={server.token[:-1]}x", method, token=False)[0].status == 403
            assert server.ask(path, method, token=False, Authorization="Bearer ")[0].status == 403
    assert server.ask(f"/?token={server.token}", token=False)[0].status == 200
    assert server.ask(f"/state?token={server.token}", token=False)[0].status == 200
    assert server.ask("/frame")[0].status == 200  # in its header


def test_a_token_of_ones_own(hornbeam, serve):
    hornbeam.ok("ic", "plummer", "-n", 10, "-o", "stars.hdf5")
    file = hornbeam.folder / "token"
    file.write_text("my-own-token\n")
    file.chmod(0o600)
    of_file = serve("stars.hdf5", "--port", 0, "--token-file", "token")
    of_environment = serve("stars.hdf5", "--port", 0, env={**os.environ, "HORNBEAM_VIEW_TOKEN": "another-token"})
    assert (of_file.token, of_environment.token) == ("my-own-token", "another-token")
    for server in (of_file, of_environment):
        assert server.json("/state")[0] == 200
        # what all users of a machine can read of a process
        assert server.token.encode() not in Path(f"/proc/{server.process.pid}/cmdline").read_bytes()
    assert serve("stars.hdf5", "--port", 0).token != serve("stars.hdf5", "--port", 0).token
    file.chmod(0o644)
    told = serve("stars.hdf5", "--port", 0, "--token-file", "token").process.stdout
    assert "Open this address" in told.readline() and "WARNING: token: other users can read this file" in told.readline()


@not_sanitized
def test_unknown_parameters_take_no_memory(hornbeam, serve):
    hornbeam.ok("ic", "plummer", "-n", 200, "-o", "stars.hdf5")
    server = serve("stars.hdf5", "--port", 0)
    pages = Path(f"/proc/{server.process.pid}/statm")

    def ask(count):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        for k in range(count):
            for unknown in (f"colour={k}{'x' * 7000}", f"{k}{'y' * 7000}=1", f"colour=density&after={k}", f"bodies={k}"):
                connection.request("GET", f"/frame?{unknown}", headers={"Authorization": f"Bearer {server.token}"})
                answer = connection.getresponse()
                body = answer.read()
                assert answer.status == 200 and taken_apart(body)["about"]["colour"] is None
        connection.close()

    ask(50)
    before = int(pages.read_text().split()[1])
    ask(500)
    grown = (int(pages.read_text().split()[1]) - before) * os.sysconf("SC_PAGE_SIZE")
    assert grown < 2e6  # two of them alone are 7 MB


def test_a_folder_that_grows(hornbeam, serve, config):
    folder = hornbeam.folder / "out"
    folder.mkdir()
    server = serve("out", "--port", 0)
    status, state = server.json("/state")
    assert status == 200 and state["names"] == [] and "snapshot_" in state["message"]
    assert server.json("/frame")[0] == 422
    hornbeam.ok("run", config())
    _, state = server.json("/state")
    assert state["names"] == [f"snapshot_000{k}.hdf5" for k in range(3)] and state["message"] == ""
    times = [server.frame(f"index={k}")["about"]["time"] for k in range(3)]
    assert times == [0, 0.25, 0.5]
    last = server.frame()["about"]
    assert last["index"] == 2 and last["of"] == 3 and last["name"] == "snapshot_0002.hdf5"
    _, energy = server.json("/energy")
    assert energy["time"] == [0, 0.25, 0.5] and energy["relative_error"][0] == 0 and energy["seconds"]["walk"] > 0
    ids = [server.frame(f"index={k}")["id"] for k in range(3)]
    assert np.array_equal(ids[0], ids[2])
    write_stars(folder / "x.npz", 7)
    hornbeam.ok("convert", "out/x.npz", "out/snapshot_0002.hdf5")  # written anew: what is kept is not shown
    assert server.frame("index=2")["about"]["n"] == 7


def test_more_than_are_drawn(hornbeam, serve):
    hornbeam.ok("ic", "plummer", "-n", 20000, "-o", "snapshot_0.hdf5")
    hornbeam.ok("ic", "plummer", "-n", 20000, "--seed", 2, "-o", "snapshot_1.hdf5")
    server = serve(".", "--port", 0, "--most", 3000)
    first, second = server.frame("index=0"), server.frame("index=1")
    assert first["about"]["n"] == 20000 and abs(first["about"]["shown"] - 3000) < 5 * 3000**0.5
    assert np.array_equal(first["id"], second["id"])


@pytest.mark.parametrize("damage", ["empty", "half", "text"])
def test_damaged_snapshots_are_told(hornbeam, serve, damage):
    hornbeam.ok("ic", "plummer", "-n", 1000, "-o", "snapshot_0.hdf5")
    whole = (hornbeam.folder / "snapshot_0.hdf5").read_bytes()
    damaged = {"empty": b"", "half": whole[:len(whole) // 2], "text": b"no snapshot\n"}[damage]
    (hornbeam.folder / "snapshot_1.hdf5").write_bytes(damaged)
    server = serve(".", "--port", 0)
    status, answer = server.json("/frame?index=1")
    assert status == 422 and "snapshot_1.hdf5" in answer["error"]
    assert server.frame("index=0")["about"]["n"] == 1000
    alone = serve("snapshot_1.hdf5", "--port", 0)
    assert alone.json("/frame")[0] == 422 and alone.json("/state")[0] == 200
    (hornbeam.folder / "snapshot_1.hdf5").write_bytes(whole)
    assert server.frame("index=1")["about"]["n"] == 1000


@pytest.mark.parametrize("n", [0, 1])
def test_hardly_any_particles(hornbeam, serve, n):
    (hornbeam.folder / "few.csv").write_text("x,y,z,vx,vy,vz,mass\n" + "1,2,3,0,0,1,1\n" * n)
    done = hornbeam.run("convert", "few.csv", "few.hdf5")
    if n == 0 and done.returncode != 0:
        status, answer = serve("few.csv", "--port", 0).json("/frame")
        assert status == 422 and "few.csv" in answer["error"]
        return
    frame = serve("few.hdf5", "--port", 0).frame("colour=speed")
    assert frame["about"]["n"] == n and frame["position"].shape == (n, 3)
    if n:
        assert frame["about"]["origin"] == [1, 2, 3] and frame["position"].tolist() == [[0, 0, 0]]


def test_radii_and_boxes_are_sent(hornbeam, serve, config):
    hornbeam.ok("ic", "ring", "-o", "ring.hdf5", "--seed", 1)
    frame = serve("ring.hdf5", "--port", 0).frame()
    assert frame["radius"].min() > 0 and frame["radius"].shape == (frame["about"]["n"], 1)
    hornbeam.ok("run", config('[boundary]\nkind = "periodic"\nsize = [100, 100, 50]\n'))
    about = serve("out", "--port", 0).frame()["about"]
    assert about["box"] == {"kind": "periodic", "size": [100, 100, 50]}


def test_the_port_is_taken(hornbeam, serve):
    hornbeam.ok("ic", "plummer", "-n", 10, "-o", "stars.hdf5")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert hornbeam.error(1, "view", "stars.hdf5", "--port", port) == \
            f"port: {port} is in use (take another one, or 0 for any that is free)"


@not_sanitized  # which asks for memory by way of a pipe, and of those there are none left
@pytest.mark.parametrize("limit", ["files", "threads"])
def test_no_sockets_or_threads(hornbeam, limit):
    """What the system refuses is one line."""
    hornbeam.ok("ic", "plummer", "-n", 10, "-o", "stars.hdf5")
    which, most = {"files": (resource.RLIMIT_NOFILE, 4), "threads": (resource.RLIMIT_STACK, 1 << 46)}[limit]
    words = hornbeam.error(1, "view", "stars.hdf5", "--port", 0,
                           preexec_fn=lambda: resource.setrlimit(which, (most, resource.getrlimit(which)[1])))
    assert words.startswith("view: cannot be served: ") and "ulimit" in words


def test_wrong_usage(hornbeam):
    hornbeam.ok("ic", "plummer", "-n", 10, "-o", "stars.hdf5")
    assert hornbeam.error(1, "view", "nowhere").startswith("nowhere: does not exist")
    assert hornbeam.error(2, "view", "stars.hdf5", "--port", 70000).startswith("--port: ")
    assert hornbeam.error(2, "view", "stars.hdf5", "--token", "my-own-token").startswith("--token: received a token, which all")
    for text in ("short", "with blanks & so on", ""):
        (hornbeam.folder / "token").write_text(text)
        assert hornbeam.error(2, "view", "stars.hdf5", "--token-file", "token").startswith("token: received a token of ")
    assert hornbeam.error(1, "view", "stars.hdf5", "--token-file", "nowhere").startswith("nowhere: ")
    own = {**os.environ, "HORNBEAM_VIEW_TOKEN": "short"}
    assert hornbeam.error(2, "view", "stars.hdf5", env=own).startswith("HORNBEAM_VIEW_TOKEN: received a token of 5 characters")
    assert hornbeam.error(2, "view", "stars.hdf5", "--most", 0).startswith("--most: ")
    assert hornbeam.error(2, "view", "stars.hdf5", "--host", "no.such.host.invalid").startswith("host: received no.such")


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_when_asked(hornbeam, serve, sign):
    hornbeam.ok("ic", "plummer", "-n", 10, "-o", "stars.hdf5")
    server = serve("stars.hdf5", "--port", 0)
    assert server.json("/state")[0] == 200
    server.process.send_signal(sign)
    assert server.process.wait(20) == 0
    with pytest.raises(ConnectionRefusedError):
        server.ask("/state")
    serve("stars.hdf5", "--port", server.port)  # at once


def test_what_is_no_request(hornbeam, serve):
    hornbeam.ok("ic", "plummer", "-n", 10, "-o", "stars.hdf5")
    server = serve("stars.hdf5", "--port", 0)
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(b"\x16\x03\x01 what is this\r\n\r\n")
        assert connection.recv(1000).startswith(b"HTTP/1.1 400")
    idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(100)]  # ask nothing
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(b"POST /control HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n")
        assert connection.recv(1000).startswith(b"HTTP/1.1 400")
    assert server.json("/state")[0] == 200
    for connection in idle:
        connection.close()
