# SPDX-License-Identifier: Apache-2.0
"""Simulation.serve(): copies between steps, at rest and while paused; who may look; endings."""

import gc
import json
import os
import re
import resource
import socket
import struct
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from conftest import python

import hornbeam as hb


@pytest.fixture
def sim(plummer):
    with hb.Simulation(plummer, dt=1 / 64, eps=0.05) as made:
        yield made


def request(view, path, method="GET", **header):
    address, token = view.url.split("?token=")
    return urllib.request.Request(address + path, method=method, headers={"Authorization": f"Bearer {token}", **header})


def get(view, path, method="GET"):
    with urllib.request.urlopen(request(view, path, method), timeout=30) as answer:
        return answer.status, answer.read()


def refused(view, path, method="GET", **header):
    """The status of what is refused."""
    with pytest.raises(urllib.error.HTTPError) as told:
        urllib.request.urlopen(request(view, path, method, **header), timeout=30)
    return told.value.code


def port_of(view):
    return int(re.search(r":(\d+)/", view.url)[1])


def state(view):
    return json.loads(get(view, "state")[1])


def frame(view, after=0):
    """What is said of the next frame after that version; None where there was none for five seconds."""
    status, body = get(view, f"frame?after={after}")
    if status == 204:
        return None
    length, = struct.unpack_from("<I", body, 4)
    return json.loads(body[8:8 + length])


def until(true, seconds=20):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def newest(view):
    """What is said of the simulation as it stands where it waits."""
    found = frame(view)
    while (later := json_or_none(view, found["version"], 0.5)) is not None:
        found = later
    return found


def json_or_none(view, version, seconds):
    """The frame after that version, where there is one within so many seconds: a run that waits looks each 0.05 s."""
    try:
        with urllib.request.urlopen(request(view, f"frame?after={version}"), timeout=seconds) as answer:
            body = answer.read()
    except (TimeoutError, urllib.error.URLError):
        return None
    length, = struct.unpack_from("<I", body, 4)
    return json.loads(body[8:8 + length])


@pytest.fixture(scope="module", autouse=True)
def silent():
    """A client that sends half of a request's head, while other tests run: the seconds until its connection ends."""
    seconds = []
    with hb.Simulation(hb.ic.plummer(64, seed=1), dt=1 / 64, eps=0.05) as sim, sim.serve() as view, \
            socket.create_connection(("127.0.0.1", port_of(view)), timeout=30) as half:
        half.sendall(b"GET /state HTTP/1.1\r\nHost: ")

        def wait():
            start = time.monotonic()
            assert half.recv(100) == b""
            seconds.append(time.monotonic() - start)

        thread = threading.Thread(target=wait)
        thread.start()
        yield thread, seconds
        thread.join()


@pytest.fixture
def running(sim):
    """A thread that steps the simulation until the test ends: in one run, or with a callback after each step."""
    done, threads = threading.Event(), []

    def start(callback):
        def work():
            while not done.is_set():
                sim.run(until=sim.time + 0.25, **({"callback": lambda s: not done.is_set()} if callback else {}))
        threads.append(threading.Thread(target=work))
        threads[0].start()

    yield start
    done.set()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def test_at_rest(sim):
    with sim.serve(every=0) as view:
        assert view.url.startswith("http://127.0.0.1:") and not view.closed and not view.paused
        first = frame(view)
        assert (first["n"], first["step"], first["time"]) == (512, 0, 0)
        assert state(view)["status"] == "at rest"
        sim.step(3)
        second = frame(view, first["version"])
        assert second["step"] == 3
        sim.particles = sim.particles.select(range(100))
        assert frame(view, second["version"])["n"] == 100
        energy = json.loads(get(view, "energy")[1])
        assert energy["relative_error"][0] == 0 and energy["seconds"]["walk"] > 0
    assert view.closed and "closed" in repr(view)
    with pytest.raises(urllib.error.URLError):
        get(view, "state")
    with sim.serve() as again:
        assert frame(again)["n"] == 100


@pytest.mark.parametrize("callback", [False, True])
def test_while_it_runs(sim, running, callback):
    with sim.serve(every=0) as view:
        running(callback)
        seen = [frame(view)]
        for _ in range(5):
            seen.append(frame(view, seen[-1]["version"]))
        steps = [f["step"] for f in seen]
        assert steps == sorted(set(steps)) and steps[-1] > 3
        view.pause()
        until(lambda: state(view)["status"] == "paused")
        at = newest(view)
        held = at["step"]
        assert json_or_none(view, at["version"], 0.2) is None and state(view)["status"] == "paused"
        for k in (1, 2):  # as the page's button: one step each, and no more
            assert json.loads(get(view, "control?do=step", "POST")[1])["paused"]
            at = frame(view, at["version"])
            assert at["step"] == held + k and json_or_none(view, at["version"], 0.2) is None
        get(view, "control?do=go-on", "POST")
        later = [frame(view, at["version"])]
        until(lambda: later.append(frame(view, later[-1]["version"])) or later[-1]["step"] > held + 3)
        assert not view.paused


def test_looking_begins_no_threads():
    with hb.Simulation(hb.ic.plummer(40_000, seed=1), dt=1 / 64, eps=0.05, threads=2) as sim, sim.serve(every=0) as view:
        before = len(os.listdir("/proc/self/task"))
        seen = frame(view)
        for _ in range(3):
            sim.step()
            seen = frame(view, seen["version"])
        assert len(os.listdir("/proc/self/task")) <= before


def test_closing_lets_a_paused_run_go_on(sim):
    with sim.serve() as view:
        view.pause()
        work = threading.Thread(target=sim.run, args=(0.25,))
        work.start()
        until(lambda: state(view)["status"] == "paused")
    work.join(60)
    assert sim.time == 0.25


def test_looking_changes_no_bit(plummer):
    alone, served = (hb.Simulation(plummer, dt=1 / 64, eps=0.05) for _ in range(2))
    with served.serve(every=0) as view:
        looks = threading.Thread(target=lambda: [frame(view) for _ in range(20)])
        looks.start()
        for simulation in (alone, served):
            simulation.run(until=0.5)
        looks.join()
    assert (alone.position == served.position).all()


def test_colours_of_gas():
    gas = hb.ic.sod(1152)
    with hb.Simulation(gas, dt=0.01, gas={"eos": "ideal", "self_gravity": False}, gravity={"eps": 0}) as sim, \
            sim.serve(most=300) as view:
        sim.step()
        about = frame(view)
        assert {"density", "internal_energy", "speed"} <= {c["name"] for c in about["colours"]}
        assert about["n"] == 1152 and abs(about["shown"] - 300) < 45


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_who_may_look(sim, host, monkeypatch):
    monkeypatch.delenv("HORNBEAM_VIEW_TOKEN", raising=False)
    with sim.serve(host=host) as view:
        token = view.url.split("?token=")[1]
        assert len(token) == 32
        for path in ("", "state", "frame", "energy", "control?do=pause", "nowhere"):
            for method in ("GET", "POST"):
                assert refused(view, path, method, Authorization="") == 403
                assert refused(view, path, method, Authorization="Bearer my-own-token") == 403
        assert not view.paused
        with urllib.request.urlopen(f"http://127.0.0.1:{port_of(view)}/state?token={token}") as answer:
            assert answer.status == 200
    with sim.serve() as view:
        assert view.url.split("?token=")[1] != token
    with sim.serve(token="my-own-token") as view:
        assert view.url.endswith("?token=my-own-token") and state(view)["live"]
    monkeypatch.setenv("HORNBEAM_VIEW_TOKEN", "of-the-environment")
    with sim.serve() as view:
        assert view.url.endswith("?token=of-the-environment") and f'href="{view.url}"' in view._repr_html_()


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_pages_of_other_sites(sim, site):
    with sim.serve() as view:
        for path in ("state", "frame", "energy", "control?do=pause", "nowhere"):
            for method in ("GET", "POST"):
                for mode in ("no-cors", "cors", "navigate"):
                    assert refused(view, path, method, **{"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode}) == 403
        assert refused(view, "", **{"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors"}) == 403
        link = request(view, "", **{"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"})
        with urllib.request.urlopen(link, timeout=30) as page:  # a notebook's link
            assert page.status == 200 and b"<html" in page.read()
        assert not view.paused


def test_no_memory_for_a_copy_ends_no_run():
    """The run goes on; the page says why it is not shown, and shows it once there is memory."""
    done = python("""if True:
        import json, resource, threading, time, urllib.error, urllib.request
        import hornbeam as hb
        # by an angle: lists of the walk to an accuracy may grow from step to step
        sim = hb.Simulation(hb.ic.plummer(50_000, seed=1), dt=1/64, eps=0.05, threads=1, theta=0.6)
        sim.step(2)
        view = sim.serve(every=0)
        address, token = view.url.split("?token=")
        ask = lambda path: urllib.request.urlopen(
            urllib.request.Request(address + path, headers={"Authorization": f"Bearer {token}"}), timeout=30)
        ask("state").read()  # threads have their memory
        ended, seen = threading.Event(), set()

        def look():
            newest = 0
            while not ended.is_set():
                try:
                    with ask(f"frame?after={newest}") as answer:
                        body = answer.read()
                        seen.add(answer.status)
                    if body:
                        newest = json.loads(body[8:8 + int.from_bytes(body[4:8], "little")])["version"]
                except urllib.error.HTTPError as error:
                    seen.add(error.code)
                except OSError:  # no memory for an answer
                    seen.add(0)

        used = lambda: 1024 * int(next(l for l in open("/proc/self/status") if l.startswith("VmData")).split()[1])
        threading.Thread(target=look, daemon=True).start()
        for room, is_enough in ((2e6, False), (80e6, True)):
            seen.clear()
            said = ""
            resource.setrlimit(resource.RLIMIT_DATA, (int(used() + room), resource.RLIM_INFINITY))
            try:
                while not (200 in seen if is_enough else said):
                    sim.step()
                    said = json.load(ask("state"))["message"]
            finally:
                resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY,) * 2)
            print("shown" if 200 in seen else said.split(":")[0])
        ended.set()
    """)
    assert done.returncode == 0 and done.stdout.split() == ["memory", "shown"], (done.stdout, done.stderr)


def test_what_is_wrong(sim):
    with sim.serve() as view:
        with pytest.raises(hb.Error, match="is already served at http"):
            sim.serve()
        with hb.Simulation(hb.ic.plummer(10, seed=1), dt=0.1) as other, pytest.raises(hb.Error, match="is in use"):
            other.serve(port=port_of(view))
    for wrong in ({"port": -1}, {"port": 70000}, {"token": "short"}, {"token": ""}, {"every": -1}, {"every": float("nan")}, {"most": 0},
                  {"host": "no.such.host.invalid"}):
        with pytest.raises(hb.UsageError, match=f"{next(iter(wrong))}: received"):
            sim.serve(**wrong)
    with pytest.raises(hb.UsageError, match="host: is empty"):
        sim.serve(host="")


def test_it_ends_with_its_simulation(plummer):
    sim = hb.Simulation(plummer, dt=1 / 64, eps=0.05)
    view = sim.serve()
    frame(view)
    sim.close()
    assert view.closed
    sim = hb.Simulation(plummer, dt=1 / 64, eps=0.05)
    view = sim.serve()
    del sim
    gc.collect()
    assert view.closed


def test_a_forked_process_leaves_the_view_to_its_parent():
    ends = ["view.close()", "sim.close()", "del sim, view; gc.collect()"]
    done = python(f"""if True:
        import gc, os, urllib.request
        import hornbeam as hb
        for end in {ends}:
            sim = hb.Simulation(hb.ic.plummer(64, seed=1), dt=0.1, eps=0.1)
            view = sim.serve()
            url, child = view.url, os.fork()
            if child == 0:
                exec(end)
                os._exit(7)
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), urllib.request.urlopen(url).status)
    """)
    assert done.stdout.split("\n") == ["7 200"] * 3 + [""], done.stderr


def test_a_forked_child_has_no_view():
    """It steps while its parent is paused, can be served itself, and keeps neither the port nor connections of the parent."""
    done = python("""if True:
        import os, signal, socket
        import hornbeam as hb
        sim = hb.Simulation(hb.ic.plummer(64, seed=1), dt=0.1, eps=0.1, threads=1)
        view = sim.serve()
        port = int(view.url.split(":")[2].split("/")[0])
        open_one = socket.create_connection(("127.0.0.1", port), timeout=3)
        view.pause()
        ends, other = os.pipe()
        child = os.fork()
        if child == 0:
            sim.step()
            with sim.serve() as own:
                good = view.closed and own.url != view.url and not own.closed
            os.write(other, b"good" if good else b"bad")
            signal.pause()
        print(os.read(ends, 10).decode())
        view.close()
        print(open_one.recv(10))
        with sim.serve(port=port) as again:
            print(again.closed)
        try:
            socket.create_connection(("127.0.0.1", port), timeout=3)
        except ConnectionRefusedError:
            print("refused")
        os.kill(child, signal.SIGKILL)
    """)
    assert done.stdout.split() == ["good", "b''", "False", "refused"], (done.stdout, done.stderr)


def test_another_program_has_no_socket_of_the_view():
    done = python("""if True:
        import subprocess, sys
        import hornbeam as hb
        with hb.Simulation(hb.ic.plummer(64, seed=1), dt=0.1, eps=0.1) as sim:
            list = "import os; print(sum(os.readlink(f'/proc/self/fd/{k}').startswith('socket:') for k in os.listdir('/proc/self/fd') " \
                   "if os.path.exists(f'/proc/self/fd/{k}')))"
            for served in (False, True):
                view = sim.serve() if served else None
                print(subprocess.run([sys.executable, "-c", list], close_fds=False, capture_output=True, text=True).stdout.strip())
    """)
    before, after = done.stdout.split()
    assert before == after, done.stderr


@pytest.mark.parametrize("which, limit", [("RLIMIT_NOFILE", range(3, 12)), ("RLIMIT_STACK", [1 << 46])])
def test_no_socket_or_thread_is_an_error(which, limit):
    """Whatever the system refuses while a view begins is an hb.Error, and the simulation goes on."""
    done = python(f"""if True:
        import os, resource
        import hornbeam as hb
        sim = hb.Simulation(hb.ic.plummer(64, seed=1), dt=0.1, eps=0.1, threads=1)
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        used = len(os.listdir("/proc/self/fd")) - 1
        for more in {list(limit)}:
            if "{which}" == "RLIMIT_NOFILE":
                resource.setrlimit(resource.RLIMIT_NOFILE, (used + more - 3, hard))
            try:
                sim.serve().close()
                print("served")
            except hb.Error as error:
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
                print(error)
            sim.step()
    """, preexec_fn=lambda: which == "RLIMIT_STACK" and resource.setrlimit(resource.RLIMIT_STACK, (
        limit[0], resource.getrlimit(resource.RLIMIT_STACK)[1])), env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"})
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and len(lines) == len(limit), done.stderr
    refusals = [line for line in lines if line != "served"]
    assert refusals and all(line.startswith("view: cannot be served: ") and "ulimit" in line for line in refusals), lines


def test_ctrl_c_while_paused():
    done = python("""
import hornbeam as hb, json, os, signal, threading, time, urllib.request
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
sim = hb.Simulation(hb.ic.plummer(64, seed=1), dt=1/64, eps=0.05)
view = sim.serve()
view.pause()

def interrupt():
    while json.load(urllib.request.urlopen(view.url.replace("?", "state?")))["status"] != "paused":
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt).start()
try:
    sim.run(until=1)
except KeyboardInterrupt:
    print("stopped at", sim.steps)
view.go_on()
sim.run(until=1 / 32)
print("went on to", sim.steps)
threading.Timer(0.1, view.close).start()
view.wait()
sim.serve()  # the end of the program ends it
""")
    assert done.returncode == 0 and done.stdout.split("\n")[:2] == ["stopped at 0", "went on to 2"], done.stderr


def test_the_example_of_the_page_runs(capsys):
    page = (Path(__file__).resolve().parents[2] / "docs" / "view.md").read_text()
    names = {}
    exec(compile(re.search(r"```python\n(.*?)```", page, re.S).group(1), "docs/view.md", "exec"), names)
    assert capsys.readouterr().out.startswith("http://127.0.0.1:") and names["view"].closed
    assert 'href="' not in names["view"]._repr_html_()


def test_a_silent_connection_ends(silent):
    thread, seconds = silent
    thread.join()
    assert len(seconds) == 1 and 3 < seconds[0] < 15  # 5 s, and a busy machine
