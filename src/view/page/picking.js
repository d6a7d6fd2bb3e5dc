// SPDX-License-Identifier: Apache-2.0
// Mouse, fingers and keys: they turn, move and zoom the camera, and choose the body to follow.

// The body that is drawn nearest to (x, y), in pixels of the page; -1 where none is within reach.
function nearestBody(sky, looks, x, y) {
  const { frame } = sky;
  if (!frame) return -1;
  const { view, screen } = camera.matrices(frame.about.origin, sky.aspect());
  const m = product(screen, view), p = frame.position;
  const width = sky.canvas.clientWidth, height = sky.canvas.clientHeight;
  const reach = 25, perLength = height / camera.extent;
  let best = -1, least = reach, depth = Infinity;
  for (let k = 0; k < frame.about.shown; ++k) {
    if (!looks.shown[frame.family[k]]) continue;
    const [a, b, c] = [p[3 * k], p[3 * k + 1], p[3 * k + 2]];
    const w = m[3] * a + m[7] * b + m[11] * c + m[15];
    if (w <= 0) continue;
    const sx = ((m[0] * a + m[4] * b + m[8] * c + m[12]) / w) * 0.5 * width + 0.5 * width;
    const sy = 0.5 * height - ((m[1] * a + m[5] * b + m[9] * c + m[13]) / w) * 0.5 * height;
    // within a sphere's disc is on it: of several there, the nearest to the eye
    const disc = looks.spheres && frame.radius ? (frame.radius[k] * perLength * camera.distance()) / (camera.parallel ? camera.distance() : w) : 0;
    const off = Math.max(0, Math.hypot(sx - x, sy - y) - disc);
    const deep = (m[2] * a + m[6] * b + m[10] * c + m[14]) / w;
    if (off < least || (off === least && deep < depth)) [best, least, depth] = [k, off, deep];
  }
  return best;
}

function listenToPointer(canvas, { changed, picked }) {
  const fingers = new Map();
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    canvas.focus();
  });
  for (const end of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(end, (event) => fingers.delete(event.pointerId));
  }
  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]].map((d) => d / canvas.clientHeight);
    if (fingers.size === 2) {  // two fingers: apart zooms, together moves
      const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
      const apart = (at) => Math.hypot(at[0] - other[0], at[1] - other[1]);
      camera.zoom(apart(before) / Math.max(apart([event.clientX, event.clientY]), 1));
      camera.pan(dx / 2, dy / 2);
    } else if (event.shiftKey || event.buttons & 6) camera.pan(dx, dy);
    else camera.orbit(dx * Math.PI, dy * Math.PI);
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    changed({ moved: event.shiftKey || event.buttons & 6 || fingers.size === 2 });
  });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    camera.zoom(Math.exp(event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)));
    changed({});
  }, { passive: false });
  canvas.addEventListener("dblclick", (event) => picked(event.clientX, event.clientY));
}

// keys: {name: what it does}
function listenToKeys(keys) {
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
    const does = keys[event.key];
    if (!does || event.target.matches("select")) return;
    if (event.target.matches("input[type=range]") && event.key.startsWith("Arrow")) return;
    event.preventDefault();
    does();
  });
}
