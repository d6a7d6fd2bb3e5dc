// SPDX-License-Identifier: Apache-2.0
// Programs of the graphics card. Points are added up as light into a buffer of half floats, which is then developed
// like film; spheres and lines have depth.

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

const pointShader = bodyShader + `
uniform float size, weight, distanceToTarget;
uniform vec2 viewport;
uniform bool parallel;
out vec3 glow;
void main() {
  vec4 seen = toView * vec4(position, 1.0);
  gl_Position = shown[family] ? toScreen * seen : vec4(2.0, 2.0, 2.0, 1.0);
  float nearness = parallel ? 1.0 : distanceToTarget / max(-seen.z, 1e-30);
  float wide = size * sqrt(clamp(nearness, 0.25, 16.0));
  bool hole = family == 5u;
  gl_PointSize = hole ? max(6.0, 2.0 * size) : max(wide, 1.0);
  // the same light however large the point
  float each = hole ? 1.0 : min(weight * nearness * nearness, 2.0) / (gl_PointSize * gl_PointSize);
  glow = each * (hasValue() ? pow(colourOfValue(), vec3(2.2)) * 2.0 : light[family]);
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

const wholeScreen = `#version 300 es
void main() {
  gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
}`;

// Light as film takes it (src/render/paint/colour.cpp), with a sky that is not quite black.
const developing = `#version 300 es
precision highp float;
uniform sampler2D light;
uniform float exposure;
out vec4 colour;
void main() {
  vec3 seen = texelFetch(light, ivec2(gl_FragCoord.xy), 0).rgb;
  float brightest = max(max(seen.r, seen.g), max(seen.b, 1e-9));
  // faint light is lifted: what counts is its logarithm, over two decades
  float t = log2(1.0 + 100.0 * exposure * brightest) / log2(101.0);
  vec3 bright = seen / brightest * t + 0.3 * max(t - 1.0, 0.0);
  vec3 film = 1.0 - exp(-(1.3 * bright * t + vec3(0.0012, 0.0013, 0.0032)));
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
