#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""view_points.py N [surfaceless]: draws N points as the live view does (src/view/page: the programs of shaders.js, drawn
as Sky.drawPoints() of canvas.js does), off screen through EGL and OpenGL ES 3, and tells milliseconds a picture. Needs
libEGL.so.1 and libGLESv2.so.2 (libglvnd) with a driver; surfaceless: Mesa's, without a GPU. With OUT set the last
picture goes to $OUT/points.png."""

import ctypes as C, os, re, sys, time, numpy as np

here = os.path.dirname(os.path.abspath(__file__))
js = open(here + "/../src/view/page/shaders.js").read()
parts = dict(re.findall(r"const (\w+) = (?:bodyShader \+ )?`(.*?)`;", js, re.S))
body = parts["bodyShader"]
vertex = body + parts["pointShader"]
EGL = C.CDLL("libEGL.so.1")
P = C.c_void_p
EGL.eglGetProcAddress.restype = P


def egl(name, res, *args):
    return C.CFUNCTYPE(res, *args)(EGL.eglGetProcAddress(name.encode()))


devices = (P * 8)()
n = C.c_int()
try:
    egl("eglQueryDevicesEXT", C.c_uint, C.c_int, P, P)(8, C.cast(devices, P), C.cast(C.byref(n), P))
    print("EGL devices", n.value)
    EGL.eglGetPlatformDisplay.restype = P
    EGL.eglGetPlatformDisplay.argtypes = [C.c_uint, P, P]
    dpy = EGL.eglGetPlatformDisplay(0x313F, devices[0], None)
except Exception as e:
    print(e)
    dpy = None
if len(sys.argv) > 2 and sys.argv[2] == "surfaceless":
    EGL.eglGetPlatformDisplay.restype = P
    EGL.eglGetPlatformDisplay.argtypes = [C.c_uint, P, P]
    dpy = EGL.eglGetPlatformDisplay(0x31DD, None, None)
EGL.eglInitialize.argtypes = [P, P, P]
a, b = C.c_int(), C.c_int()
assert EGL.eglInitialize(dpy, C.addressof(a), C.addressof(b)), "eglInitialize %x" % EGL.eglGetError()
EGL.eglBindAPI(0x30A0)
EGL.eglChooseConfig.argtypes = [P, P, P, C.c_int, P]
cfg = P()
att = (C.c_int * 5)(0x3033, 0x0001, 0x3040, 0x0040, 0x3038)
assert EGL.eglChooseConfig(dpy, att, C.byref(cfg), 1, C.byref(n)) and n.value, "config"
EGL.eglCreateContext.restype = P
EGL.eglCreateContext.argtypes = [P, P, P, P]
ctx = EGL.eglCreateContext(dpy, cfg, None, (C.c_int * 5)(0x3098, 3, 0x30FB, 0, 0x3038))
EGL.eglMakeCurrent.argtypes = [P, P, P, P]
assert ctx and EGL.eglMakeCurrent(dpy, None, None, ctx), "%x" % EGL.eglGetError()
G = C.CDLL("libGLESv2.so.2")
G.glGetString.restype = C.c_char_p
print(G.glGetString(0x1F01).decode(), "|", G.glGetString(0x1F02).decode())


def program(v, f):
    p = G.glCreateProgram()
    for kind, src in ((0x8B31, v), (0x8B30, f)):
        s = G.glCreateShader(kind)
        t = C.c_char_p(src.encode())
        G.glShaderSource(s, 1, C.byref(t), None)
        G.glCompileShader(s)
        G.glAttachShader(p, s)
        ok = C.c_int()
        G.glGetShaderiv(s, 0x8B81, C.byref(ok))
        log = C.create_string_buffer(999)
        G.glGetShaderInfoLog(s, 999, None, log)
        assert ok.value, log.value
    G.glLinkProgram(p)
    ok = C.c_int()
    G.glGetProgramiv(p, 0x8B82, C.byref(ok))
    assert ok.value
    return p


points = program(vertex, parts["pointLight"])
film = program(parts["wholeScreen"], parts["developing"])
N = int(sys.argv[1])
W, H = 1920, 1080
rng = np.random.default_rng(1)
r = (rng.random(N) ** (-2 / 3) - 1) ** -0.5
r = np.minimum(r, 20)
u = rng.normal(size=(N, 3))
u /= np.linalg.norm(u, axis=1)[:, None]
pos = np.ascontiguousarray((r[:, None] * u).astype(np.float32))
value = (rng.random(N).astype(np.float32) + 0.1).view(np.uint32) >> 16
value = value.astype(np.uint16)
fam = (np.arange(N) % 3).astype(np.uint8)


def buf(x):
    i = C.c_uint()
    G.glGenBuffers(1, C.byref(i))
    G.glBindBuffer(0x8892, i)
    G.glBufferData(0x8892, C.c_ssize_t(x.nbytes), x.ctypes.data_as(P), 0x88E8)
    return i


vao = C.c_uint()
G.glGenVertexArrays(1, C.byref(vao))
empty = C.c_uint()
G.glGenVertexArrays(1, C.byref(empty))
G.glBindVertexArray(vao)
buf(pos)
G.glEnableVertexAttribArray(0)
G.glVertexAttribPointer(0, 3, 0x1406, 0, 12, None)
buf(value)
G.glEnableVertexAttribArray(1)
G.glVertexAttribIPointer(1, 1, 0x1403, 2, None)
buf(fam)
G.glEnableVertexAttribArray(2)
G.glVertexAttribIPointer(2, 1, 0x1401, 1, None)


def tex(internal, w, h, fmt, typ, data):
    t = C.c_uint()
    G.glGenTextures(1, C.byref(t))
    G.glBindTexture(0x0DE1, t)
    G.glTexImage2D(0x0DE1, 0, internal, w, h, 0, fmt, typ, data)
    for k in (0x2800, 0x2801):
        G.glTexParameteri(0x0DE1, k, 0x2600)
    for k in (0x2802, 0x2803):
        G.glTexParameteri(0x0DE1, k, 0x812F)
    return t


cmap = np.linspace(20, 255, 44).astype(np.uint8)
colours = tex(0x8058, 11, 1, 0x1908, 0x1401, cmap.ctypes.data_as(P))
light = tex(0x881A, W, H, 0x1908, 0x140B, None)
screen = tex(0x8058, W, H, 0x1908, 0x1401, None)


def fbo(t):
    f = C.c_uint()
    G.glGenFramebuffers(1, C.byref(f))
    G.glBindFramebuffer(0x8D40, f)
    G.glFramebufferTexture2D(0x8D40, 0x8CE0, 0x0DE1, t, 0)
    assert G.glCheckFramebufferStatus(0x8D40) == 0x8CD5
    return f


target, back = fbo(light), fbo(screen)
G.glClearColor.argtypes = [C.c_float] * 4
F = lambda *x: (C.c_float * len(x))(*x)


def loc(p, n):
    return G.glGetUniformLocation(p, n.encode())


G.glUniform1f.argtypes = [C.c_int, C.c_float]
G.glUniform2f.argtypes = [C.c_int, C.c_float, C.c_float]
f = 1 / np.tan(np.pi / 8)
near, far = 0.1, 1000
proj = np.zeros((4, 4), np.float32)
proj[0, 0] = f * H / W
proj[1, 1] = f
proj[2, 2] = (far + near) / (near - far)
proj[3, 2] = 2 * far * near / (near - far)
proj[2, 3] = -1  # columns


def draw(angle, dist=10.0, pixel=1.5):
    c, s = np.cos(angle), np.sin(angle)
    view = np.array([[c, 0, -s, 0], [0, 1, 0, 0], [s, 0, c, 0], [0, 0, -dist, 1]], np.float32)
    G.glViewport(0, 0, W, H)
    G.glBindFramebuffer(0x8D40, target)
    G.glClearColor(0, 0, 0, 1)
    G.glClear(0x4000)
    G.glDisable(0x0B71)
    G.glEnable(0x0BE2)
    G.glBlendFunc(1, 1)
    G.glUseProgram(points)
    G.glUniformMatrix4fv(loc(points, "toView"), 1, 0, view.ctypes.data_as(P))
    G.glUniformMatrix4fv(loc(points, "toScreen"), 1, 0, np.ascontiguousarray(proj).ctypes.data_as(P))
    G.glUniform3fv(loc(points, "light"), 6, F(*([1.0, 0.8, 0.6] * 6)))
    G.glUniform1iv(loc(points, "shown"), 6, (C.c_int * 6)(*[1] * 6))
    G.glUniform1i(loc(points, "valued"), 1)
    G.glUniform2f(loc(points, "range"), -3.0, 0.0)
    G.glUniform1i(loc(points, "parallel"), 0)
    G.glActiveTexture(0x84C0)
    G.glBindTexture(0x0DE1, colours)
    G.glUniform1i(loc(points, "colours"), 0)
    G.glUniform1f(loc(points, "size"), pixel)
    G.glUniform1f(loc(points, "weight"), 0.02 * H * H / N)
    G.glUniform1f(loc(points, "distanceToTarget"), dist)
    G.glBindVertexArray(vao)
    G.glDrawArrays(0, 0, N)
    G.glBindFramebuffer(0x8D40, back)
    G.glDisable(0x0BE2)
    G.glUseProgram(film)
    G.glBindTexture(0x0DE1, light)
    G.glUniform1i(loc(film, "light"), 0)
    G.glUniform1f(loc(film, "exposure"), 1.0)
    G.glBindVertexArray(empty)
    G.glDrawArrays(4, 0, 3)


px = np.zeros((H, W, 4), np.uint8)
for pixel in (1.5, 3.0, 6.0):
    times = []
    for k in range(60):
        t = time.perf_counter()
        draw(0.02 * k, 10.0, pixel)
        G.glFinish()
        times.append(time.perf_counter() - t)
    G.glReadPixels(0, 0, W, H, 0x1908, 0x1401, px.ctypes.data_as(P))
    assert G.glGetError() == 0
    lit = (px[..., :3].max(-1) > 40).mean()
    print(
        f"{N} points of {pixel} pixels, {W} x {H}: median {np.median(times[10:]) * 1e3:.2f} ms, slowest {max(times[10:]) * 1e3:.2f}; {lit * 100:.0f} % of the picture lit",
        flush=True,
    )
if os.environ.get("OUT"):
    import zlib, struct

    raw = b"".join(b"\0" + px[H - 1 - y, :, :3].tobytes() for y in range(H))
    ch = lambda t, d: struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d))
    open(os.environ["OUT"] + "/points.png", "wb").write(
        b"\x89PNG\r\n\x1a\n"
        + ch(b"IHDR", struct.pack(">IIBBBBB", W, H, 8, 2, 0, 0, 0))
        + ch(b"IDAT", zlib.compress(raw, 6))
        + ch(b"IEND", b"")
    )
