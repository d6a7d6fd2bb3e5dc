// SPDX-License-Identifier: Apache-2.0
// The glow of each family. Bodies are counted in a grid of half the picture's pixels, spread over as many of their family as
// `render` takes (src/render/layers.cpp), and shine as bright as they are dense. The card does all of it but for the density of
// full brightness, which a sample gives.

const halo = 1, hole = 5;

// Bodies in the square that sets the width of a kernel, of a family of n.
function smoothedOver(n, isBackground) {
  return clamp(0.12 * n ** (2 / 3), 10, 200) * (isBackground ? 4 : 1);
}

class Glow {
  constructor(gl) {
    this.gl = gl;
    this.counts = compiled(gl, countShader, countPixel);
    this.kernels = compiled(gl, kernelShader, kernelPixel);
    this.program = compiled(gl, wholeScreen, glowing);
    const pair = () => ({ textures: [gl.createTexture(), gl.createTexture()], target: gl.createFramebuffer() });
    [this.counted, this.spread] = [pair(), pair()];
    // kernels of more bodies than these make the picture no smoother; processors that stand in for a card draw fewer
    const about = gl.getExtension("WEBGL_debug_renderer_info");
    const renderer = about ? gl.getParameter(about.UNMASKED_RENDERER_WEBGL) : "";
    this.most = /swiftshader|llvmpipe|software/i.test(renderer) ? 20000 : 400000;
    this.light = gl.createTexture();
    this.lightTarget = gl.createFramebuffer();
  }

  resize(width, height) {
    const gl = this.gl, size = [width, height].map((x) => Math.max(1, Math.ceil(x / 2)));
    if (this.size && this.size[0] === size[0] && this.size[1] === size[1]) return;
    this.size = size;
    this.levels = Math.floor(Math.log2(Math.max(...size))) + 1;
    this.maps = [size[0] + Math.max(1, Math.floor(size[0] / 2)), size[1] + this.levels];
    const make = (target, textures, [wide, high], filter) => {
      gl.bindFramebuffer(gl.FRAMEBUFFER, target);
      textures.forEach((texture, k) => {
        gl.bindTexture(gl.TEXTURE_2D, texture);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA16F, wide, high, 0, gl.RGBA, gl.HALF_FLOAT, null);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
        for (const wrap of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, wrap, gl.CLAMP_TO_EDGE);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + k, gl.TEXTURE_2D, texture, 0);
      });
      gl.drawBuffers(textures.map((_, k) => gl.COLOR_ATTACHMENT0 + k));
    };
    make(this.counted.target, this.counted.textures, size, gl.LINEAR_MIPMAP_NEAREST);
    make(this.spread.target, this.spread.textures, this.maps, gl.LINEAR);
    make(this.lightTarget, [this.light], size, gl.LINEAR);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  // Every how manieth body glows, of so many of which every `every`th is drawn.
  thinned(shown, every) {
    return Math.min(longestStep, Math.max(every, Math.ceil(shown / this.most)));
  }

  // Some bodies of each family, and how many of all each stands for; which families have values.
  sample(frame) {
    if (this.sampled === frame) return;
    this.sampled = frame;
    const n = frame.about.shown, most = 4000, count = new Array(6).fill(0), valued = new Array(6).fill(0);
    for (let k = 0; k < n; ++k) ++count[frame.family[k]];
    const every = count.map((c) => Math.max(1, Math.floor(c / most))), seen = new Array(6).fill(0);
    this.some = Array.from({ length: 6 }, () => []);
    for (let k = 0; k < n; ++k) {
      const f = frame.family[k];
      if (seen[f]++ % every[f] !== 0) continue;
      this.some[f].push(k);
      if (frame.value && frame.value[k] !== 0) ++valued[f];
    }
    this.count = count;
    this.isValued = valued.map((v, f) => v > 0 && 2 * v > this.some[f].length);
  }

  // Where a sample lies in the grid; those outside of it are left out.
  places(frame, matrix, some) {
    const [width, height] = this.size, m = matrix, p = frame.position, found = [];
    for (const k of some) {
      const [a, b, c] = [p[3 * k], p[3 * k + 1], p[3 * k + 2]], w = m[3] * a + m[7] * b + m[11] * c + m[15];
      if (w <= 0) continue;
      const x = Math.floor((0.5 + (0.5 * (m[0] * a + m[4] * b + m[8] * c + m[12])) / w) * width);
      const y = Math.floor((0.5 + (0.5 * (m[1] * a + m[5] * b + m[9] * c + m[13])) / w) * height);
      if (x >= 0 && y >= 0 && x < width && y < height) found.push(y * 65536 + x);
    }
    return found;
  }

  // The density that nine in ten of those bodies lie below, each of which stands for `each`.
  fullDensity(places, each, wanted) {
    let left = places;
    const dense = [];
    for (let level = 0; level < this.levels && left.length > 0; ++level) {
      const counts = new Map(), key = (place) => (place >> (16 + level)) * 65536 + ((place & 65535) >> level);
      for (const place of places) counts.set(key(place), (counts.get(key(place)) ?? 0) + 1);
      const last = level === this.levels - 1;
      left = left.filter((place) => {
        const count = counts.get(key(place));
        if (!last && (count * each < wanted || count < 3)) return true;
        dense.push((count * each) / 4 ** level);
        return false;
      });
    }
    return dense.length > 0 ? quantile(dense, 0.9) : 1;
  }

  // What the shaders need of each family that is shown: {family, wanted, full}, and the part of its bodies that shine.
  plan(frame, matrix, shown, every) {
    this.sample(frame);
    const dark = [halo, hole], alone = this.count.every((c, f) => c === 0 || dark.includes(f));
    const layers = [], inside = new Array(6).fill(0);
    let own = [], ownCount = 0, ownSampled = 0;
    for (let f = 0; f < 6; ++f) {
      if (!shown[f] || this.count[f] === 0 || f === hole) continue;
      const n = this.count[f] / every, each = n / this.some[f].length, places = this.places(frame, matrix, this.some[f]);
      inside[f] = places.length * each;
      if (this.isValued[f]) {
        own = own.concat(places);
        ownCount += n;
        ownSampled += this.some[f].length;
        continue;
      }
      const wanted = Math.max(1, smoothedOver(n, f === halo && !alone));
      layers.push({ family: f, wanted, full: this.fullDensity(places, each, wanted) });
    }
    const wantedColoured = ownCount > 0 ? Math.max(1, smoothedOver(ownCount, false)) : 0;
    const fullColoured = ownCount > 0 ? this.fullDensity(own, ownCount / ownSampled, wantedColoured) : 1;
    const shines = (f) => f === 2 || f === 3 || f === 4 || (f === halo && alone);
    const stars = inside.reduce((sum, count, f) => sum + (shines(f) ? count : 0), 0), few = 300;
    const part = inside.map((_, f) => (this.count[f] < few ? 1 : shines(f) ? Math.min(1, 3000 / Math.max(stars, 1)) : 0));
    return { layers, wantedColoured, fullColoured, part };
  }

  // Both maps of a pair as textures 1 and 2 of a program.
  read(program, { textures }, mipmaps) {
    const gl = this.gl;
    [[textures[0], "coloured"], [textures[1], "families"]].forEach(([texture, name], k) => {
      gl.activeTexture(gl.TEXTURE1 + k);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      if (mipmaps) gl.generateMipmap(gl.TEXTURE_2D);
      gl.uniform1i(program[name], 1 + k);
    });
    gl.activeTexture(gl.TEXTURE0);
  }

  // Adds up what a program makes of all bodies, in a pair of maps.
  add(sky, looks, program, { target }, [width, height], set) {
    const gl = this.gl;
    gl.viewport(0, 0, width, height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE);
    sky.setBodies(program, looks);
    set();
    gl.bindVertexArray(sky.bodyArrays[0]);
    gl.drawArrays(gl.POINTS, 0, sky.count);
    gl.disable(gl.BLEND);
  }

  // Into this.light; returns the part of each family that shines as points.
  draw(sky, looks, every) {
    const gl = this.gl, { counts, kernels, program } = this, { about } = sky.frame;
    const { layers, wantedColoured, fullColoured, part } =
      this.plan(sky.frame, product(sky.screen, sky.view), looks.shown, every);
    const channel = new Array(6).fill(-1), four = layers.slice(0, 4);
    layers.forEach((layer, k) => { channel[layer.family] = Math.min(k, 3); });  // a fifth family shines as the fourth
    const padded = (values, fill) => [...values, ...new Array(4 - values.length).fill(fill)];
    const setShared = (of) => {
      gl.uniform2f(of.grid, ...this.size);
      gl.uniform1i(of.levels, this.levels);
      gl.uniform4fv(of.wanted, padded(four.map((l) => l.wanted), 0));
      gl.uniform1f(of.wantedColoured, wantedColoured);
    };
    gl.disable(gl.DEPTH_TEST);
    this.add(sky, looks, counts, this.counted, this.size, () => gl.uniform1iv(counts.channel, channel));
    this.add(sky, looks, kernels, this.spread, this.maps, () => {
      this.read(kernels, this.counted, true);
      setShared(kernels);
      gl.uniform1iv(kernels.channel, channel);
      gl.uniform1f(kernels.widest, 0.15 * Math.min(...this.size));
    });
    gl.viewport(0, 0, ...this.size);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.lightTarget);
    gl.useProgram(program.program);
    this.read(program, this.spread, false);
    setShared(program);
    gl.uniform4fv(program.full, padded(four.map((l) => l.full), 1));
    gl.uniform1f(program.fullColoured, fullColoured);
    const of = (name) => padded(four.map((l) => about.families[l.family][name]), [1, 1, 1]).flat();
    gl.uniform3fv(program.lightOf, of("light"));
    gl.uniform3fv(program.powersOf, of("powers"));
    gl.bindVertexArray(sky.empty);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.viewport(0, 0, sky.canvas.width, sky.canvas.height);
    return part;
  }
}
