// SPDX-License-Identifier: Apache-2.0
// From where one looks: at a target, turned around the z axis and leaned down from it, from some distance.

const halfAngle = Math.tan((15 * Math.PI) / 180);  // half of what is seen, upwards

const camera = {
  target: [0, 0, 0],
  extent: 1,      // what is seen through the target, upwards
  turn: 0,        // radians around z
  lean: 0,        // 0: from above, pi/2: from the side
  parallel: false,

  // unit vectors to the right, upwards and towards the eye
  axes() {
    const [ct, st, cl, sl] = [Math.cos(this.turn), Math.sin(this.turn), Math.cos(this.lean), Math.sin(this.lean)];
    return { right: [ct, st, 0], up: [-st * cl, ct * cl, sl], back: [st * sl, -ct * sl, cl] };
  },
  distance() { return this.extent / (2 * halfAngle); },

  // Matrices for places counted from `origin`, of a picture N times as wide as high.
  matrices(origin, aspect) {
    const { right, up, back } = this.axes(), eye = plus(this.target, back, this.distance());
    const from = plus(eye, origin, -1), view = new Float64Array(16);
    [right, up, back].forEach((axis, row) => {
      for (let k = 0; k < 3; ++k) view[4 * k + row] = axis[k];
      view[12 + row] = -dot(axis, from);
    });
    view[15] = 1;
    return { view, screen: this.parallel ? this.flatScreen(aspect) : this.deepScreen(aspect) };
  },
  deepScreen(aspect) {
    const near = this.distance() * 1e-3, far = this.distance() * 1e3, m = new Float64Array(16);
    m[0] = 1 / (halfAngle * aspect);
    m[5] = 1 / halfAngle;
    m[10] = -(far + near) / (far - near);
    m[11] = -1;
    m[14] = (-2 * far * near) / (far - near);
    return m;
  },
  flatScreen(aspect) {
    const depth = this.distance() * 100, m = new Float64Array(16);
    m[0] = 2 / (this.extent * aspect);
    m[5] = 2 / this.extent;
    m[10] = -1 / depth;
    m[14] = -this.distance() / depth;
    m[15] = 1;
    return m;
  },

  orbit(dx, dy) {
    this.turn -= dx;
    this.lean = clamp(this.lean - dy, 0, Math.PI);
  },
  // by a share of the picture's height
  pan(dx, dy) {
    const { right, up } = this.axes();
    this.target = plus(plus(this.target, right, -dx * this.extent), up, dy * this.extent);
  },
  zoom(factor) { this.extent = clamp(this.extent * factor, 1e-30, 1e30); },
  along(axis) {
    const [turn, lean] = { z: [0, 0], y: [0, Math.PI / 2], x: [Math.PI / 2, Math.PI / 2] }[axis];
    Object.assign(this, { turn, lean });
  },

  // Around what fills the frame: its box where bodies have one, otherwise the particles but the outermost.
  fit(frame, aspect) {
    const { about } = frame, n = about.shown;
    const narrow = Math.min(1, aspect);
    if (about.box && about.box.size.some((x) => x > 0)) {
      this.target = [0, 0, 0];
      this.extent = (1.15 * Math.max(...about.box.size)) / narrow;
      return;
    }
    if (n === 0) return;
    const visible = about.families.map((f, k) => k !== 1 && k !== 5 && f.count > 0);  // a halo outweighs what is seen
    const onlyDark = !visible.some((is) => is);
    const every = Math.max(1, Math.floor(n / 20000)), some = [];
    for (let k = 0; k < n; k += every) if (onlyDark || visible[frame.family[k]]) some.push(k);
    if (some.length === 0) for (let k = 0; k < n; k += every) some.push(k);
    const middle = [0, 1, 2].map((axis) => quantile(some.map((k) => frame.position[3 * k + axis]), 0.5));
    const away = some.map((k) => Math.hypot(...middle.map((x, axis) => frame.position[3 * k + axis] - x)));
    this.target = plus(about.origin, middle);
    this.extent = (2.3 * quantile(away, 0.95) || 1) / narrow;
  },
};
