// SPDX-License-Identifier: Apache-2.0
// Programs of the graphics card. Bodies are counted in a grid, and each family glows by how many there are around a
// place, as `render` draws it; stars are points of light. Both are developed like film. Spheres and lines have depth.

// What both kinds of bodies know: their colour by family, or by a value (the upper half of a float).
const bodyShader = `#version 300 es
precision highp float;
precision highp int;
uniform mat4 toView, toScreen;
uniform vec3 light[6], surfaceSmall[6], surfaceLarge[6];
uniform bool shown[6];
uniform bool valued;
uniform vec2 range;          // of values, base 2 logarithms
uniform sampler2D colours;
layout(location = 0) in vec3 position;
layout(location = 1) in uint value;
layout(location = 2) in uint family;
layout(location = 3) in float radius;

vec3 colourOfValue() {
  float log2Value = log2(uintBitsToFloat(value << 16u));
  float t = clamp((log2Value - range.x) / max(range.y - range.x, 1e-6), 0.0, 1.0);
  return texture(colours, vec2(t, 0.5)).rgb;
}
bool hasValue() { return valued && value != 0u; }
`;

// Points of light: a few of the stars, by a pattern of their numbers, black holes, and where nothing glows all bodies.
const pointShader = bodyShader + `
uniform float size, weight, distanceToTarget;
uniform vec2 viewport;
uniform bool parallel;
uniform vec3 tint[6];
uniform float part[6];       // of each family's bodies that shine as points
uniform bool glows;
out vec3 glow;
float chance(uint n) {       // from 0 to 1, of a body's number
  n ^= n >> 16; n *= 0x7feb352du; n ^= n >> 15; n *= 0x846ca68bu; n ^= n >> 16;
  return float(n >> 8) / 16777216.0;
}
void main() {
  vec4 seen = toView * vec4(position, 1.0);
  bool hole = family == 5u;
  uint number = uint(gl_VertexID);
  bool shines = shown[family] && (hole || chance(number) < part[family]);
  gl_Position = shines ? toScreen * seen : vec4(2.0, 2.0, 2.0, 1.0);
  float nearness = parallel ? 1.0 : distanceToTarget / max(-seen.z, 1e-30);
  float wide = size * sqrt(clamp(nearness, 0.25, 16.0));
  // few stars are bright
  float bright = glows ? 0.2 + 0.8 * pow(chance(number * 3u + 1u), 8.0) : 1.0;
  gl_PointSize = hole ? max(6.0, 2.0 * size) : max(wide * (glows ? 0.6 + 1.3 * bright : 1.0), 1.0);
  // without a glow: the same light however large the point
  float each = hole ? 1.0 : glows ? bright : min(weight * nearness * nearness, 2.0) / (gl_PointSize * gl_PointSize);
  vec3 colour = hasValue() ? pow(colourOfValue(), vec3(2.2)) * 2.0 : glows && !hole ? tint[family] : light[family];
  glow = each * colour;
}`;

const pointLight = `#version 300 es
precision highp float;
in vec3 glow;
out vec4 colour;
void main() {
  vec2 d = 2.0 * gl_PointCoord - 1.0;
  float r2 = dot(d, d);
  if (r2 > 1.0) discard;
  colour = vec4(glow * 1.6 * (1.0 - r2 * r2), 1.0);
}`;

// Counts bodies: those with a value by their colours, the others in the channel of their family.
const countShader = bodyShader + `
uniform int channel[6];
flat out vec4 coloured, families;
void main() {
  vec4 seen = toView * vec4(position, 1.0);
  gl_Position = shown[family] ? toScreen * seen : vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = 1.0;
  bool own = hasValue();
  int k = channel[family];
  coloured = own ? vec4(pow(colourOfValue(), vec3(2.2)), 1.0) : vec4(0.0);
  families = own || k < 0 ? vec4(0.0) : vec4(k == 0, k == 1, k == 2, k == 3);
}`;

const countPixel = `#version 300 es
precision highp float;
flat in vec4 coloured, families;
layout(location = 0) out vec4 toColoured;
layout(location = 1) out vec4 toFamilies;
void main() {
  toColoured = coloured;
  toFamilies = families;
}`;

const wholeScreen = `#version 300 es
void main() {
  gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
}`;

// Spreads each body over a round kernel, as wide as the circle around it that holds as many of its family as wanted. Kernels
// are drawn in a map of the picture whose pixels suit their width: maps of halved sizes lie side by side in one texture.
const kernelShader = bodyShader + `
uniform sampler2D coloured, families;  // the counts, with their mipmaps
uniform vec2 grid;
uniform int levels, channel[6];
uniform vec4 wanted;
uniform float wantedColoured, widest;
flat out vec4 toColoured, toFamilies, region;

float countAt(vec2 at, float level, int k) {
  return exp2(2.0 * level) * (k < 0 ? textureLod(coloured, at, level).a : textureLod(families, at, level)[k]);
}
void main() {
  vec4 seen = toScreen * (toView * vec4(position, 1.0));
  bool own = hasValue();
  int k = own ? -1 : channel[family];
  vec2 at = 0.5 + 0.5 * seen.xy / seen.w;
  bool counts = shown[family] && seen.w > 0.0 && (own || k >= 0) && all(greaterThan(at, vec2(-0.1))) && all(lessThan(at, vec2(1.1)));
  float want = own ? wantedColoured : wanted[max(k, 0)], before = 0.0, level = float(levels);
  for (int j = 0; counts && j < levels; ++j) {
    float now = countAt(at, float(j), k);
    if (now >= want) {
      level = j == 0 ? 0.0 : float(j) - 1.0 + clamp(log2(want / max(before, 0.5)) / max(log2(now / max(before, 0.5)), 0.1), 0.0, 1.0);
      break;
    }
    before = now;
  }
  float radius = clamp(0.75 * exp2(level), 1.5, widest);
  float map = clamp(floor(log2(radius / 1.5)), 0.0, float(levels - 1)), inMap = radius / exp2(map);
  // where the map lies in the texture: the first to the left, the others above one another to its right
  vec2 size = max(floor(grid / exp2(map)), 1.0);
  vec2 corner = map == 0.0 ? vec2(0.0) : vec2(grid.x, 0.0);
  for (float j = 1.0; j < map; j += 1.0) corner.y += max(floor(grid.y / exp2(j)), 1.0);
  vec2 whole = vec2(grid.x + max(floor(grid.x / 2.0), 1.0), grid.y + float(levels));
  region = vec4(corner, corner + size);
  gl_Position = counts ? vec4(2.0 * (corner + at * size) / whole - 1.0, 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = 2.0 * inMap;
  float each = 3.0 / (3.14159 * inMap * inMap);
  toColoured = own ? each * vec4(pow(colourOfValue(), vec3(2.2)), 1.0) : vec4(0.0);
  toFamilies = own ? vec4(0.0) : each * vec4(k == 0, k == 1, k == 2, k == 3);
}`;

const kernelPixel = `#version 300 es
precision highp float;
flat in vec4 toColoured, toFamilies, region;
layout(location = 0) out vec4 coloured;
layout(location = 1) out vec4 families;
void main() {
  vec2 d = 2.0 * gl_PointCoord - 1.0;
  float left = 1.0 - dot(d, d);
  if (left <= 0.0 || any(lessThan(gl_FragCoord.xy, region.xy)) || any(greaterThan(gl_FragCoord.xy, region.zw))) discard;
  coloured = left * left * toColoured;
  families = left * left * toFamilies;
}`;

// Adds the maps up. Brightness is the logarithm of the density over three decades, and light a power of it
// (src/render/paint/colour.cpp).
const glowing = `#version 300 es
precision highp float;
uniform sampler2D coloured, families;
uniform vec2 grid;
uniform int levels;
uniform vec4 wanted, full;             // bodies to smooth over, 0 for none, and the density of full brightness, by channel
uniform float wantedColoured, fullColoured;
uniform vec3 lightOf[4], powersOf[4];
out vec4 colour;

// A smooth sample of a map: four bilinear ones make the cubic B-spline.
vec4 smoothSample(sampler2D maps, vec2 at, vec2 corner, vec2 size, vec2 whole) {
  vec2 place = at * size - 0.5, f = fract(place), i = place - f;
  vec2 w0 = (1.0 - f) * (1.0 - f) * (1.0 - f) / 6.0, w1 = 2.0 / 3.0 - f * f * (1.0 - 0.5 * f);
  vec2 w3 = f * f * f / 6.0, w2 = 1.0 - w0 - w1 - w3, g0 = w0 + w1, g1 = w2 + w3;
  vec2 least = corner + 0.5, most = corner + size - 0.5;
  vec2 h0 = clamp(corner + i + w1 / g0 - 0.5, least, most) / whole, h1 = clamp(corner + i + 1.5 + w3 / g1, least, most) / whole;
  return (textureLod(maps, h0, 0.0) * g0.x + textureLod(maps, vec2(h1.x, h0.y), 0.0) * g1.x) * g0.y +
         (textureLod(maps, vec2(h0.x, h1.y), 0.0) * g0.x + textureLod(maps, h1, 0.0) * g1.x) * g1.y;
}

void main() {
  vec2 at = gl_FragCoord.xy / grid, corner = vec2(0.0), size = grid;
  vec2 whole = vec2(grid.x + max(floor(grid.x / 2.0), 1.0), grid.y + float(levels));
  vec4 dense = vec4(0.0), own = vec4(0.0);
  float area = 1.0;
  for (int k = 0; k < levels; ++k) {
    dense += smoothSample(families, at, corner, size, whole) / area;
    if (wantedColoured > 0.0) own += smoothSample(coloured, at, corner, size, whole) / area;
    corner = k == 0 ? vec2(grid.x, 0.0) : corner + vec2(0.0, size.y);
    area *= 4.0;
    size = max(floor(grid / sqrt(area)), 1.0);
  }
  const float decades = 3.0;
  vec3 seen = vec3(0.0);
  for (int c = 0; c < 4; ++c) {
    if (wanted[c] == 0.0) continue;
    float t = clamp(1.0 + log2(max(dense[c] / full[c], 1e-9)) / (log2(10.0) * decades), 0.0, 1.15);
    seen += lightOf[c] * pow(vec3(t), powersOf[c]);
  }
  if (wantedColoured > 0.0 && own.a > 0.0) {
    float t = clamp(1.0 + log2(max(own.a / fullColoured, 1e-9)) / (log2(10.0) * decades), 0.0, 1.0);
    seen += own.rgb / own.a * 2.4 * pow(t, 2.5);
  }
  colour = vec4(seen, 1.0);
}`;

// Light as film takes it (src/render/paint/colour.cpp), with a sky that is not quite black.
const developing = `#version 300 es
precision highp float;
uniform sampler2D light, glow;
uniform vec2 viewport;
uniform float exposure;
uniform bool glows;
out vec4 colour;
void main() {
  vec3 seen = texelFetch(light, ivec2(gl_FragCoord.xy), 0).rgb, bright;
  if (glows) {
    bright = exposure * (0.55 * seen + texture(glow, gl_FragCoord.xy / viewport).rgb);
  } else {
    float brightest = max(max(seen.r, seen.g), max(seen.b, 1e-9));
    // faint light is lifted: what counts is its logarithm, over two decades
    float t = log2(1.0 + 100.0 * exposure * brightest) / log2(101.0);
    bright = 1.3 * (seen / brightest * t + 0.3 * max(t - 1.0, 0.0)) * t;
  }
  vec3 film = 1.0 - exp(-(bright + vec3(0.0012, 0.0013, 0.0032)));
  colour = vec4(pow(film, vec3(1.0 / 2.2)), 1.0);
}`;

// A square for each body, in which the pixels of a lit sphere are found.
const sphereShader = bodyShader + `
uniform vec2 radii;          // the least and the largest, for colours
uniform float pixel;         // the size of one at the distance 1; where lines of sight are parallel, of all
uniform bool parallel;
out vec3 centre, surface;
out vec2 corner;
out float r, part;
void main() {
  vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  vec4 seen = toView * vec4(position, 1.0);
  float least = 0.6 * pixel * (parallel ? 1.0 : max(-seen.z, 0.0));
  r = max(radius, least);
  part = min(1.0, radius * radius / (least * least));
  centre = seen.xyz;
  // as wide as the sphere's outline is at its centre's distance, also where it is seen aslant
  float near = parallel ? 0.0 : min(r / max(-seen.z, 1e-30), 0.95);
  corner = at * 1.2 * r / sqrt(1.0 - near * near);
  float t = radii.y > radii.x ? (radius - radii.x) / (radii.y - radii.x) : 1.0;
  surface = hasValue() ? pow(colourOfValue(), vec3(2.2)) : mix(surfaceSmall[family], surfaceLarge[family], t);
  vec4 placed = toScreen * vec4(seen.xy + corner, seen.z, 1.0);
  gl_Position = shown[family] && radius > 0.0 ? placed : vec4(2.0, 2.0, 2.0, 1.0);
}`;

const sphereLight = `#version 300 es
precision highp float;
uniform mat4 toScreen;
uniform vec3 sun;
uniform bool parallel;
in vec3 centre, surface;
in vec2 corner;
in float r, part;
out vec4 colour;
void main() {
  // a ray from the eye through this point of the square, and where it meets the sphere
  vec3 through = vec3(centre.xy + corner, centre.z);
  vec3 from = parallel ? vec3(through.xy, 0.0) : vec3(0.0);
  vec3 ray = parallel ? vec3(0.0, 0.0, -1.0) : normalize(through);
  vec3 way = centre - from;
  float along = dot(way, ray);
  float rest = r * r - dot(way - along * ray, way - along * ray);
  if (rest < 0.0) discard;
  vec3 met = from + (along - sqrt(rest)) * ray;
  vec3 normal = (met - centre) / r;
  float lit = 0.92 * max(dot(normal, sun), 0.0) + 0.03 + 0.05 * max(-dot(normal, ray), 0.0);
  vec4 placed = toScreen * vec4(met, 1.0);
  gl_FragDepth = clamp(0.5 * placed.z / placed.w + 0.5, 0.0, 1.0);
  colour = vec4(pow(mix(vec3(0.002), surface * lit, part), vec3(1.0 / 2.2)), 1.0);
}`;

const lineShader = `#version 300 es
precision highp float;
uniform mat4 toView, toScreen;
layout(location = 0) in vec3 position;
void main() { gl_Position = toScreen * toView * vec4(position, 1.0); }`;

const lineColour = `#version 300 es
precision highp float;
uniform vec4 tint;
out vec4 colour;
void main() { colour = tint; }`;

function compiled(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    const logs = gl.getAttachedShaders(program).map((shader) => gl.getShaderInfoLog(shader));
    throw new Error([gl.getProgramInfoLog(program), ...logs].join("\n"));
  }
  const found = { program };
  const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
  for (let k = 0; k < count; ++k) {
    const name = gl.getActiveUniform(program, k).name.replace("[0]", "");
    found[name] = gl.getUniformLocation(program, name);
  }
  return found;
}
