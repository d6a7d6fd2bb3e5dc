// SPDX-License-Identifier: Apache-2.0
// The picture: buffers of the last frame, and how it is drawn with WebGL 2.

const maps = {  // as matplotlib's inferno, at even distances
  inferno: ["000004", "160b39", "420a68", "6a176e", "932667", "bc3754", "dd513a", "f37819", "fca50a", "f6d746", "fcffa4"],
};

const night = [0.047, 0.049, 0.073];  // as shaders.js develops no light at all

class Sky {
  constructor(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: false, preserveDrawingBuffer: true });
    if (!gl) throw new Error("this browser has no WebGL 2: points cannot be drawn");
    this.canvas = canvas;
    this.gl = gl;
    // light is added up in half floats; where the card cannot, in bytes, which clip
    this.deep = gl.getExtension("EXT_color_buffer_float") !== null;
    this.points = compiled(gl, pointShader, pointLight);
    this.film = compiled(gl, wholeScreen, developing);
    this.glow = this.deep ? new Glow(gl) : null;
    this.balls = compiled(gl, sphereShader, sphereLight);
    this.lines = compiled(gl, lineShader, lineColour);
    this.buffers = Object.fromEntries(["position", "value", "family", "radius", "box"].map((n) => [n, gl.createBuffer()]));
    this.bodyArrays = [gl.createVertexArray(), gl.createVertexArray()];  // of points, of spheres
    this.empty = gl.createVertexArray();
    this.colours = this.colourTexture(maps.inferno);
    this.light = gl.createTexture();
    this.target = gl.createFramebuffer();
    this.frame = null;
    this.bodiesKey = "";
  }

  colourTexture(map) {
    const gl = this.gl, texture = gl.createTexture();
    const bytes = new Uint8Array(map.flatMap((hex) => [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16)).concat(255)));
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, map.length, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    for (const wrap of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, wrap, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    return texture;
  }

  resize() {
    const gl = this.gl, scale = Math.min(window.devicePixelRatio || 1, 2);
    const width = Math.max(1, Math.round(this.canvas.clientWidth * scale));
    const height = Math.max(1, Math.round(this.canvas.clientHeight * scale));
    this.scale = scale;
    if (this.canvas.width === width && this.canvas.height === height && this.sized) return;
    this.sized = true;
    Object.assign(this.canvas, { width, height });
    gl.bindTexture(gl.TEXTURE_2D, this.light);
    const [format, type] = this.deep ? [gl.RGBA16F, gl.HALF_FLOAT] : [gl.RGBA8, gl.UNSIGNED_BYTE];
    gl.texImage2D(gl.TEXTURE_2D, 0, format, width, height, 0, gl.RGBA, type, null);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.target);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.light, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  aspect() { return this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight); }

  // Takes a frame's numbers over to the card.
  show(frame) {
    const gl = this.gl, fill = (name, data) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[name]);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    };
    fill("position", frame.position);
    if (frame.value) fill("value", frame.value);
    if (frame.about.bodies !== this.bodiesKey) {
      fill("family", frame.family);
      if (frame.radius) fill("radius", frame.radius);
      this.bodiesKey = frame.about.bodies;
      this.radii = frame.radius ? this.range(frame.radius) : null;
    }
    this.frame = frame;
    this.connectAll(1);
  }

  // Every how manieth body is drawn from now on.
  connectAll(every) {
    this.every = every;
    this.count = Math.ceil(this.frame.about.shown / every);
    this.bodyArrays.forEach((array, spheres) => this.connect(array, spheres));
  }

  range(numbers) {
    let low = Infinity, high = 0;
    for (const x of numbers) if (x > 0) { low = Math.min(low, x); high = Math.max(high, x); }
    return high > 0 ? [low, high] : null;
  }

  connect(array, spheres) {
    const { gl, frame, every } = this;
    gl.bindVertexArray(array);
    const attribute = (place, name, columns, bytes, type, whole) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[name]);
      gl.enableVertexAttribArray(place);
      if (whole) gl.vertexAttribIPointer(place, columns, type, every * bytes, 0);
      else gl.vertexAttribPointer(place, columns, type, false, every * bytes, 0);
      gl.vertexAttribDivisor(place, spheres ? 1 : 0);
    };
    attribute(0, "position", 3, 12, gl.FLOAT, false);
    if (frame.value) attribute(1, "value", 1, 2, gl.UNSIGNED_SHORT, true);
    else { gl.disableVertexAttribArray(1); gl.vertexAttribI4ui(1, 0, 0, 0, 0); }
    attribute(2, "family", 1, 1, gl.UNSIGNED_BYTE, true);
    if (frame.radius) attribute(3, "radius", 1, 4, gl.FLOAT, false);
    else { gl.disableVertexAttribArray(3); gl.vertexAttrib4f(3, 0, 0, 0, 0); }
    gl.bindVertexArray(null);
  }

  // Uniforms that points and spheres share.
  setBodies(program, looks) {
    const gl = this.gl, { about } = this.frame, list = (name) => about.families.flatMap((f) => f[name]);
    gl.useProgram(program.program);
    gl.uniformMatrix4fv(program.toView, false, this.view);
    gl.uniformMatrix4fv(program.toScreen, false, this.screen);
    gl.uniform3fv(program.light ?? null, list("light"));
    gl.uniform3fv(program.tint ?? null, list("tint"));
    gl.uniform3fv(program.surfaceSmall ?? null, about.families.flatMap((f) => f.surface[0]));
    gl.uniform3fv(program.surfaceLarge ?? null, about.families.flatMap((f) => f.surface[1]));
    gl.uniform1iv(program.shown, looks.shown);
    gl.uniform1i(program.valued, this.frame.value ? 1 : 0);
    gl.uniform2fv(program.range, looks.range);
    gl.uniform1i(program.parallel, camera.parallel ? 1 : 0);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.colours);
    gl.uniform1i(program.colours, 0);
  }

  draw(looks, every = 1) {
    const gl = this.gl;
    this.resize();
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    if (!this.frame) {
      gl.clearColor(...night, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      return;
    }
    if (every !== this.every) this.connectAll(every);
    const { view, screen } = camera.matrices(this.frame.about.origin, this.aspect());
    this.view = new Float32Array(view);
    this.screen = new Float32Array(screen);
    const spheres = looks.spheres && this.radii;
    if (spheres) this.clearPicture();
    else this.drawPoints(looks);
    if (spheres) this.drawSpheres(looks);
    if (looks.box) this.drawBox(spheres);
  }

  clearPicture() {
    const gl = this.gl;
    gl.clearColor(...night, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  }

  drawPoints(looks) {
    const gl = this.gl, { points, film } = this, size = looks.size * this.scale;
    const glows = this.glow !== null && looks.glow;
    let part = new Array(6).fill(1);
    if (glows) {
      this.glow.resize(this.canvas.width, this.canvas.height);
      const all = this.every, some = this.glow.thinned(this.frame.about.shown, all);
      if (some !== all) this.connectAll(some);
      part = this.glow.draw(this, looks, some);
      if (some !== all) this.connectAll(all);
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.target);
    gl.clearColor(0, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.disable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE);
    this.setBodies(points, looks);
    gl.uniform1f(points.size, size);
    gl.uniform1fv(points.part, part);
    gl.uniform1i(points.glows, glows ? 1 : 0);
    // light of a surface stays as bright when one comes nearer: each point has that of its share of the picture
    const pixels = (looks.wholeExtent * this.canvas.height) / camera.extent;
    gl.uniform1f(points.weight, (0.02 * pixels * pixels) / Math.max(this.count, 1000));
    gl.uniform1f(points.distanceToTarget, camera.distance());
    gl.bindVertexArray(this.bodyArrays[0]);
    gl.drawArrays(gl.POINTS, 0, this.count);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.disable(gl.BLEND);
    gl.useProgram(film.program);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, glows ? this.glow.light : this.colours);
    gl.uniform1i(film.glow, 1);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.light);
    gl.uniform1i(film.light, 0);
    gl.uniform1i(film.glows, glows ? 1 : 0);
    gl.uniform2f(film.viewport, this.canvas.width, this.canvas.height);
    gl.uniform1f(film.exposure, 2 ** looks.brightness);
    gl.bindVertexArray(this.empty);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.clear(gl.DEPTH_BUFFER_BIT);
  }

  drawSpheres(looks) {
    const gl = this.gl, { balls } = this;
    gl.enable(gl.DEPTH_TEST);
    this.setBodies(balls, looks);
    gl.uniform2fv(balls.radii, this.radii);
    const pixel = camera.extent / this.canvas.height;
    gl.uniform1f(balls.pixel, camera.parallel ? pixel : pixel / camera.distance());
    gl.uniform3fv(balls.sun, [-0.55, 0.5, 0.67]);
    gl.bindVertexArray(this.bodyArrays[1]);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.count);
  }

  drawBox(hidden) {
    const gl = this.gl, { about } = this.frame;
    if (!about.box) return;
    const half = about.box.size.map((x) => x / 2), corners = [];
    for (let axis = 0; axis < 3; ++axis) {  // four edges along each
      for (let k = 0; k < 4; ++k) {
        for (const end of [-1, 1]) {
          const signs = [k & 1 ? 1 : -1, k & 2 ? 1 : -1];
          signs.splice(axis, 0, end);
          corners.push(...signs.map((sign, j) => sign * half[j] - about.origin[j]));
        }
      }
    }
    gl.useProgram(this.lines.program);
    gl.uniformMatrix4fv(this.lines.toView, false, this.view);
    gl.uniformMatrix4fv(this.lines.toScreen, false, this.screen);
    gl.uniform4fv(this.lines.tint, [0.22, 0.27, 0.38, 1]);
    gl.bindVertexArray(this.empty);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.box);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(corners), gl.DYNAMIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    (hidden ? gl.enable : gl.disable).call(gl, gl.DEPTH_TEST);
    gl.drawArrays(gl.LINES, 0, 24);
    gl.disableVertexAttribArray(0);
  }
}
