# SPDX-License-Identifier: Apache-2.0
"""The page of `hornbeam view` and sim.serve() in Chromium: what it draws, its controls, what it says. Skipped where there is
no Chromium (`make test-all` installs it on Debian). HORNBEAM_PICTURES=FOLDER keeps what was seen."""

import functools
import http.server
import json
import os
import shutil
import signal
import threading
from pathlib import Path

import numpy as np
import pytest
from browser import PROGRAM, Browser

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no chromium here (apt-get install chromium)")
NIGHT = np.array([12, 12, 19])  # of the page where nothing shines


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    one = Browser(tmp_path_factory.mktemp("chromium"))
    yield one
    one.close()


@pytest.fixture
def page(hornbeam, browser, request):
    """Opens the page of a path, and waits for its first frame."""
    servers = []

    def show(*arguments, first_frame=True):
        server = hornbeam.start("view", *arguments, "--port", 0)
        servers.append(server)
        browser.open(server.stdout.readline().strip())
        browser.complaints.clear()
        browser.until("window.hornbeam")
        if first_frame:
            browser.until_drawn()
        return browser

    yield show
    if pictures := os.environ.get("HORNBEAM_PICTURES"):
        browser.picture(Path(pictures) / f"{request.node.name}.png")
    browser.open("about:blank")  # it would ask on
    for server in servers:
        server.send_signal(signal.SIGTERM)
        assert server.wait(20) == 0


def pixels(browser):
    """What WebGL has drawn, rows from below."""
    text = browser.value("""(() => {
      const { gl, canvas } = hornbeam.sky, bytes = new Uint8Array(4 * canvas.width * canvas.height);
      hornbeam.sky.draw(hornbeam.looks);
      gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
      let text = "";
      for (let k = 0; k < bytes.length; k += 4096) text += String.fromCharCode(...bytes.subarray(k, k + 4096));
      return canvas.width + " " + btoa(text);
    })()""")
    import base64

    width, data = text.split()
    return np.frombuffer(base64.b64decode(data), np.uint8).reshape(-1, int(width), 4)[..., :3].astype(int)


def bright(picture):
    """The share of pixels that shine."""
    return (np.abs(picture - NIGHT).max(axis=-1) > 12).mean()


def text(browser, place):
    return browser.value(f"document.getElementById('{place}').textContent")


def test_a_sphere_of_stars(hornbeam, page):
    hornbeam.ok("ic", "plummer", "-n", 20000, "-o", "stars.hdf5")
    browser = page("stars.hdf5")
    picture = pixels(browser)
    assert 0.02 < bright(picture) < 0.9
    height, width = picture.shape[:2]
    middle = picture[height // 3:2 * height // 3, width // 3:2 * width // 3].mean()
    assert middle > 2 * picture[:height // 6].mean()  # denser in the middle
    assert text(browser, "counts") == "20,000 particles, all shown"
    assert text(browser, "time") == "t = 0" and browser.value("document.title") == "stars.hdf5 - Hornbeam"
    assert browser.complaints == []


def test_camera(hornbeam, page):
    hornbeam.ok("ic", "galaxy", "-n", 20000, "-o", "galaxy.hdf5")
    browser = page("galaxy.hdf5")
    before = browser.value("[hornbeam.camera.turn, hornbeam.camera.lean, hornbeam.camera.extent]")
    browser.value("hornbeam.looks.shown[1] = 0")  # without the halo, which is round
    face_on = bright(pixels(browser))
    browser.mouse("mousePressed", 400, 300, button="left", clickCount=1)
    browser.mouse("mouseMoved", 450, 250, button="left", buttons=1)
    browser.mouse("mouseReleased", 450, 250, button="left", clickCount=1)
    browser.mouse("mouseWheel", 400, 300, deltaX=0, deltaY=-300)
    after = browser.value("[hornbeam.camera.turn, hornbeam.camera.lean, hornbeam.camera.extent]")
    assert after[0] < before[0] and after[1] > before[1] and after[2] < before[2]
    browser.key("f")
    browser.key("y")
    assert browser.value("hornbeam.camera.lean") == pytest.approx(np.pi / 2)
    assert bright(pixels(browser)) < 0.7 * face_on  # a disc from its side
    scale = text(browser, "length")
    browser.value("hornbeam.camera.zoom(0.01); hornbeam.redraw()")
    browser.until(f"document.getElementById('length').textContent !== {json.dumps(scale)}")
    assert browser.complaints == []


def test_many_are_thinned_while_they_move(hornbeam, page):
    hornbeam.ok("ic", "plummer", "-n", 400000, "-o", "stars.hdf5")
    browser = page("stars.hdf5")
    whole = browser.value("hornbeam.drawnSeconds(3)")
    assert whole > 0.05, "this renderer is too fast for the test to show anything"
    still, turn = pixels(browser), browser.value("hornbeam.camera.turn")
    rate, every, words = browser.turned(2)
    assert every > 1 and "% shown while it moves: " in words
    assert rate > 1.5 / whole  # what thinning is for; 30 a second where the renderer can
    browser.until("document.getElementById('counts').textContent === '400,000 particles, all shown'")
    browser.value(f"hornbeam.camera.turn = {turn!r}")
    assert np.array_equal(pixels(browser), still)
    assert browser.complaints == []


def test_following_a_body(hornbeam, page):
    random = np.random.default_rng(3)
    place = random.normal(size=(500, 3))
    for k in range(2):
        np.savez(hornbeam.folder / f"snapshot_{k}.npz", pos=place + 5 * k, vel=0 * place, mass=np.ones(500),
                 id=np.arange(500) * 10**12)
    browser = page(".")
    browser.value("hornbeam.player.showSnapshot(0).then(hornbeam.fit)")
    where = browser.value("""(() => {  // a body on the page
      const { camera, sky } = hornbeam, { about, position } = sky.frame;
      const m = camera.matrices(about.origin, sky.aspect()), at = [0, 1, 2].map((k) => position[3 * 7 + k]);
      const v = [0, 1, 2, 3].map((r) => [0, 1, 2].reduce((s, k) => s + m.view[4 * k + r] * at[k], m.view[12 + r]));
      const w = -v[2], s = m.screen;
      return [(s[0] * v[0] / w + 1) / 2 * sky.canvas.clientWidth, (1 - s[5] * v[1] / w) / 2 * sky.canvas.clientHeight];
    })()""")
    for clicks in (1, 2):
        browser.mouse("mousePressed", *where, button="left", clickCount=clicks)
        browser.mouse("mouseReleased", *where, button="left", clickCount=clicks)
    browser.until("document.getElementById('followed').textContent")
    followed = int(text(browser, "followed").split()[2])
    first = browser.value("hornbeam.camera.target")
    assert followed % 10**12 == 0 and np.allclose(first, place[followed // 10**12], atol=1e-5)
    browser.value("hornbeam.player.showSnapshot(1)")
    assert np.allclose(browser.value("hornbeam.camera.target"), np.array(first) + 5, atol=1e-4)
    browser.key("Escape")
    assert text(browser, "followed") == "" and browser.complaints == []


def test_a_run(hornbeam, page, config):
    hornbeam.ok("run", config(n=2000))
    browser = page("out")
    browser.until("hornbeam.player.index === 2")  # the newest
    assert text(browser, "status") == "snapshot_0002.hdf5 (3 of 3)" and text(browser, "time") == "t = 0.5"
    browser.until("document.getElementById('error').textContent.startsWith('ΔE/E')")
    assert "walk" in text(browser, "stages")
    browser.key("ArrowLeft")
    browser.until("document.getElementById('time').textContent === 't = 0.25'")
    browser.value("document.getElementById('slider').value = 0; "
                  "document.getElementById('slider').dispatchEvent(new Event('input'))")
    browser.until("document.getElementById('time').textContent === 't = 0'")
    browser.key(" ")  # plays to the end
    browser.until("document.getElementById('time').textContent === 't = 0.5' && !hornbeam.player.playing")
    browser.value("document.getElementById('newest').checked = true")
    shutil.copy(hornbeam.folder / "out" / "snapshot_0000.hdf5", hornbeam.folder / "out" / "snapshot_0003.hdf5")
    browser.until("document.getElementById('status').textContent === 'snapshot_0003.hdf5 (4 of 4)'")
    assert browser.complaints == []


def test_spheres(hornbeam, page):
    hornbeam.ok("ic", "ring", "-o", "ring.hdf5", "--seed", 1)
    browser = page("ring.hdf5")
    lit = pixels(browser)
    assert 0.02 < bright(lit) < 0.95 and lit.max() > 150  # lit on one side, dark on the other
    browser.value("document.getElementById('spheres').click()")
    points = pixels(browser)
    assert not np.array_equal(points, lit)
    browser.value("document.getElementById('spheres').click()")
    browser.key("p")
    assert browser.value("hornbeam.camera.parallel") is True and bright(pixels(browser)) > 0.02
    assert browser.complaints == []


def test_gas_by_density(hornbeam, page):
    hornbeam.ok("init", "galaxy")
    (hornbeam.folder / "gas.toml").write_text("""[ic]\nmodel = "evrard"\nn = 4000\n[gas]\neos = "ideal"\n[time]\ndt = 0.01
end = 0.02\n[output]\ndirectory = "gas"\nevery = 0.02\n""")
    hornbeam.ok("run", "gas.toml")
    browser = page("gas")
    browser.until("document.getElementById('colour').value === 'density' && hornbeam.sky.frame.value")
    assert text(browser, "low") and not browser.value("document.getElementById('bar').hidden")
    by_density = pixels(browser)
    browser.key("c")
    browser.until("document.getElementById('colour').value === 'internal_energy' && hornbeam.sky.frame.about.colour === "
                  "'internal_energy'")
    assert not np.array_equal(pixels(browser), by_density)
    assert browser.complaints == []


def test_families_are_hidden(hornbeam, page):
    hornbeam.ok("ic", "galaxy", "-n", 5000, "-o", "galaxy.hdf5")
    browser = page("galaxy.hdf5")
    assert bright(pixels(browser)) > 0.005
    browser.value("document.querySelectorAll('#families input').forEach((box) => box.click())")
    assert bright(pixels(browser)) == 0
    assert browser.complaints == []


def test_a_part_of_many(hornbeam, page):
    hornbeam.ok("ic", "plummer", "-n", 20000, "-o", "stars.hdf5")
    browser = page("stars.hdf5", "--most", 2000)
    assert "% shown: " in text(browser, "counts") and bright(pixels(browser)) > 0.003


@pytest.mark.parametrize("n", [0, 1])
def test_hardly_any_particles(hornbeam, page, n):
    np.savez(hornbeam.folder / "few.npz", pos=np.ones((n, 3)), vel=np.zeros((n, 3)), mass=np.ones(n))
    browser = page("few.npz", first_frame=False)
    browser.until("document.getElementById('counts').textContent || document.getElementById('message').textContent")
    assert (bright(pixels(browser)) > 0) == bool(n)
    assert n == 0 or text(browser, "counts") == "1 particle, all shown"


def test_damage_is_told(hornbeam, page):
    hornbeam.ok("ic", "plummer", "-n", 1000, "-o", "snapshot_0.hdf5")
    whole = (hornbeam.folder / "snapshot_0.hdf5").read_bytes()
    (hornbeam.folder / "snapshot_1.hdf5").write_bytes(whole[:5000])
    browser = page(".", first_frame=False)
    browser.until("document.getElementById('message').textContent.includes('snapshot_1.hdf5')")
    browser.key("ArrowLeft")
    browser.until("document.getElementById('counts').textContent")
    assert text(browser, "message") == "" and bright(pixels(browser)) > 0.001


def test_pages_of_other_sites(hornbeam, browser):
    """A notebook's link opens the page. Images, frames and requests of that notebook get nothing, also with the token."""
    hornbeam.ok("ic", "plummer", "-n", 100, "-o", "stars.hdf5")
    view = hornbeam.start("view", "stars.hdf5", "--port", 0)
    url = view.stdout.readline().strip()
    (hornbeam.folder / "notebook.html").write_text(f"""<a id="link" href="{url}">view</a><script>window.seen = [];
      for (const [kind, where] of [["img", "src"], ["iframe", "src"], ["script", "src"]]) {{
        const one = document.createElement(kind);
        one.onload = () => seen.push(kind + (kind === "iframe" ? one.contentDocument === null ? " refused" : " open" : " loaded"));
        one.onerror = () => seen.push(kind + " refused");
        one[where] = "{url}".replace("/?", "/state?");
        document.body.append(one);
      }}
      fetch("{url}".replace("/?", "/state?"), {{ mode: "no-cors" }}).then(() => seen.push("fetch done"), () => seen.push("fetch refused"));
      </script>""")
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=hornbeam.folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as notebook:
        threading.Thread(target=notebook.serve_forever, daemon=True).start()
        for host in ("127.0.0.1", "localhost"):  # the same site, and another one
            browser.open(f"http://{host}:{notebook.server_address[1]}/notebook.html")
            browser.until("window.seen && seen.length >= 4")
            assert sorted(browser.value("seen")) == ["fetch refused", "iframe refused", "img refused", "script refused"]
            browser.value("document.getElementById('link').click()")
            browser.until_drawn()
        notebook.shutdown()
    browser.open("about:blank")
    view.terminate()
    assert view.wait(20) == 0


def test_the_server_goes_and_comes_back(hornbeam, browser):
    hornbeam.ok("ic", "plummer", "-n", 100, "-o", "stars.hdf5")
    own = {**os.environ, "HORNBEAM_VIEW_TOKEN": "my-own-token"}
    server = hornbeam.start("view", "stars.hdf5", "--port", 0, env=own)
    url = server.stdout.readline().strip()
    browser.open(url)
    browser.until("window.hornbeam && hornbeam.player.frames > 0")
    server.terminate()
    server.wait(20)
    browser.until("document.getElementById('message').textContent")
    server = hornbeam.start("view", "stars.hdf5", "--port", url.split(":")[2].split("/")[0], env=own)
    browser.until("!document.getElementById('message').textContent")
    server.terminate()
    assert server.wait(20) == 0


def test_nothing_lies_on_the_picture(hornbeam, page):
    hornbeam.ok("ic", "galaxy", "-n", 5000, "-o", "galaxy.hdf5")
    browser = page("galaxy.hdf5")
    for width, height in ((1000, 700), (500, 800)):
        browser._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        over = browser.value("""(() => {
          const sky = document.getElementById("sky").getBoundingClientRect();
          return ["aside", "#play"].filter((name) => {
            const r = document.querySelector(name).getBoundingClientRect();
            return r.width > 0 && r.left < sky.right && r.right > sky.left && r.top < sky.bottom && r.bottom > sky.top;
          });
        })()""")
        assert over == []
    browser._call("Emulation.setDeviceMetricsOverride", width=1000, height=700, deviceScaleFactor=1, mobile=False)


def test_it_glows_as_render_draws(hornbeam, page):
    """Each family's brightness follows its density: about as bright as the picture of `render`, and not the points alone."""
    hornbeam.ok("ic", "galaxy", "-n", 20000, "-o", "galaxy.hdf5")
    browser = page("galaxy.hdf5")
    extent, aspect = browser.value("[hornbeam.camera.extent, hornbeam.sky.aspect()]")
    height, width = pixels(browser).shape[:2]
    hornbeam.ok("render", "galaxy.hdf5", "-o", "galaxy.png", "--width", width, "--height", height, "--extent", extent * aspect,
                "--no-labels")
    import matplotlib.image

    drawn = 255 * matplotlib.image.imread(hornbeam.folder / "galaxy.png")[..., :3].mean()
    glowing = pixels(browser).mean()
    assert drawn / 2 < glowing < 2 * drawn
    browser.value("document.getElementById('glow').click()")
    assert pixels(browser).mean() < glowing / 2
    assert browser.complaints == []


def test_energy_that_is_not_kept_is_no_error(hornbeam, page):
    (hornbeam.folder / "wave.toml").write_text("""[ic]\nmodel = "sound-wave"\nn = 1152\n[gas]\neos = "isothermal"\nsound_speed = 1
[time]\ndt = 0.01\nend = 0.1\n[output]\ndirectory = "wave"\nevery = 0.05\n""")
    hornbeam.ok("run", "wave.toml")
    browser = page("wave")
    browser.until("document.getElementById('error').textContent.startsWith('E = ')")
    assert "ΔE/E" not in text(browser, "error") and browser.complaints == []
