#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""view_points.py N: milliseconds of a picture of N points as the live view draws them, without a browser: the programs
of src/view/page/shaders.js, called as Sky.drawPoints() of canvas.js does, off screen through EGL and OpenGL ES 3. Needs
NumPy, PyOpenGL, libEGL.so.1 and libGLESv2.so.2 with a driver; LIBGL_ALWAYS_SOFTWARE=1 takes Mesa's, on the CPU."""

import ctypes
import os
import re
import sys
import time
from pathlib import Path

os.environ["PYOPENGL_PLATFORM"] = "egl"
import numpy as np
from OpenGL import EGL
from OpenGL import GLES3 as gl
from OpenGL.EGL.EXT.device_enumeration import eglQueryDevicesEXT
from OpenGL.EGL.EXT.platform_base import eglGetPlatformDisplayEXT
from OpenGL.EGL.EXT.platform_device import EGL_PLATFORM_DEVICE_EXT

WIDTH, HEIGHT, DISTANCE = 1920, 1080, 10.0
PICTURES, FIRST_ONES = 60, 10  # the first ones are not timed
SHADERS = Path(__file__).resolve().parents[1] / "src" / "view" / "page" / "shaders.js"


def make_context():
    devices, count = (EGL.EGLDeviceEXT * 1)(), EGL.EGLint()
    eglQueryDevicesEXT(1, devices, count)
    display = eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[0], None)
    EGL.eglInitialize(display, None, None)
    EGL.eglBindAPI(EGL.EGL_OPENGL_ES_API)
    config, found = (EGL.EGLConfig * 1)(), EGL.EGLint()
    wanted = [EGL.EGL_SURFACE_TYPE, EGL.EGL_PBUFFER_BIT, EGL.EGL_RENDERABLE_TYPE, EGL.EGL_OPENGL_ES3_BIT, EGL.EGL_NONE]
    EGL.eglChooseConfig(display, wanted, config, 1, found)
    version = [EGL.EGL_CONTEXT_CLIENT_VERSION, 3, EGL.EGL_NONE]
    context = EGL.eglCreateContext(display, config[0], EGL.EGL_NO_CONTEXT, version)
    EGL.eglMakeCurrent(display, EGL.EGL_NO_SURFACE, EGL.EGL_NO_SURFACE, context)


def compiled(vertex, fragment):
    program = gl.glCreateProgram()
    for kind, source in ((gl.GL_VERTEX_SHADER, vertex), (gl.GL_FRAGMENT_SHADER, fragment)):
        shader = gl.glCreateShader(kind)
        gl.glShaderSource(shader, source)
        gl.glCompileShader(shader)
        gl.glAttachShader(program, shader)
    gl.glLinkProgram(program)
    assert gl.glGetProgramiv(program, gl.GL_LINK_STATUS), gl.glGetProgramInfoLog(program)
    return program


def plummer_sphere(n):
    """Positions, values (the upper halves of floats) and families."""
    random = np.random.default_rng(1)
    radius = np.minimum((random.random(n) ** (-2 / 3) - 1) ** -0.5, 20)
    way = random.normal(size=(n, 3))
    way *= (radius / np.linalg.norm(way, axis=1))[:, None]
    values = (random.random(n, np.float32) + np.float32(0.1)).view(np.uint32) >> 16
    return way.astype(np.float32), values.astype(np.uint16), (np.arange(n) % 3).astype(np.uint8)


def body_array(bodies):
    array = gl.glGenVertexArrays(1)
    gl.glBindVertexArray(array)
    for place, data in enumerate(bodies):
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, gl.glGenBuffers(1))
        gl.glBufferData(gl.GL_ARRAY_BUFFER, data.nbytes, data, gl.GL_DYNAMIC_DRAW)
        gl.glEnableVertexAttribArray(place)
        if data.ndim == 2:
            gl.glVertexAttribPointer(place, 3, gl.GL_FLOAT, False, data.strides[0], None)
        else:
            whole = gl.GL_UNSIGNED_SHORT if data.itemsize == 2 else gl.GL_UNSIGNED_BYTE
            gl.glVertexAttribIPointer(place, 1, whole, data.itemsize, None)
    return array


def texture(form, kind, width, height, data=None):
    made = gl.glGenTextures(1)
    gl.glBindTexture(gl.GL_TEXTURE_2D, made)
    gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, form, width, height, 0, gl.GL_RGBA, kind, data)
    for which in (gl.GL_TEXTURE_MIN_FILTER, gl.GL_TEXTURE_MAG_FILTER):
        gl.glTexParameteri(gl.GL_TEXTURE_2D, which, gl.GL_NEAREST)
    return made


def target_of(image):
    made = gl.glGenFramebuffers(1)
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, made)
    gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, gl.GL_TEXTURE_2D, image, 0)
    return made


def perspective(near=0.1, far=1000.0):
    scale = 1 / np.tan(np.pi / 8)
    rows = np.diag([scale * HEIGHT / WIDTH, scale, (far + near) / (near - far), 0])
    rows[2, 3], rows[3, 2] = 2 * far * near / (near - far), -1
    return rows.T.astype(np.float32)


def seen_from(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, -s, 0], [0, 1, 0, 0], [s, 0, c, 0], [0, 0, -DISTANCE, 1]], np.float32)


class Sky:
    def __init__(self, n):
        named = dict(re.findall(r"const (\w+) = (?:bodyShader \+ )?`(.*?)`;", SHADERS.read_text(), re.DOTALL))
        self.points = compiled(named["bodyShader"] + named["pointShader"], named["pointLight"])
        self.film = compiled(named["wholeScreen"], named["developing"])
        self.n, self.bodies, self.empty = n, body_array(plummer_sphere(n)), gl.glGenVertexArrays(1)
        ramp = np.linspace(20, 255, 44).astype(np.uint8)
        self.colours = texture(gl.GL_RGBA8, gl.GL_UNSIGNED_BYTE, 11, 1, ramp)
        self.light = texture(gl.GL_RGBA16F, gl.GL_HALF_FLOAT, WIDTH, HEIGHT)
        self.target = target_of(self.light)
        self.screen = target_of(texture(gl.GL_RGBA8, gl.GL_UNSIGNED_BYTE, WIDTH, HEIGHT))
        gl.glViewport(0, 0, WIDTH, HEIGHT)
        gl.glBlendFunc(gl.GL_ONE, gl.GL_ONE)

    def draw(self, angle, size):
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self.target)
        gl.glClearColor(0, 0, 0, 1)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT)
        gl.glEnable(gl.GL_BLEND)
        gl.glUseProgram(self.points)

        def place(name):
            return gl.glGetUniformLocation(self.points, name)

        gl.glUniformMatrix4fv(place("toView"), 1, False, seen_from(angle))
        gl.glUniformMatrix4fv(place("toScreen"), 1, False, perspective())
        gl.glUniform3fv(place("light"), 6, np.tile(np.float32([1, 0.8, 0.6]), 6))
        gl.glUniform1iv(place("shown"), 6, np.ones(6, np.int32))
        gl.glUniform1i(place("valued"), 1)
        gl.glUniform2f(place("range"), -3, 0)
        gl.glUniform1f(place("size"), size)
        gl.glUniform1f(place("weight"), 0.02 * HEIGHT**2 / self.n)
        gl.glUniform1f(place("distanceToTarget"), DISTANCE)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self.colours)
        gl.glBindVertexArray(self.bodies)
        gl.glDrawArrays(gl.GL_POINTS, 0, self.n)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self.screen)
        gl.glDisable(gl.GL_BLEND)
        gl.glUseProgram(self.film)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self.light)
        gl.glUniform1f(gl.glGetUniformLocation(self.film, "exposure"), 1)
        gl.glBindVertexArray(self.empty)
        gl.glDrawArrays(gl.GL_TRIANGLES, 0, 3)
        gl.glFinish()

    def lit(self):
        """The part of the picture that is no dark sky."""
        picture = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
        gl.glReadPixels(0, 0, WIDTH, HEIGHT, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, picture)
        return (picture[:, :, :3].max(axis=2) > 40).mean()


def main():
    make_context()
    print(*(ctypes.string_at(gl.glGetString(name)).decode() for name in (gl.GL_RENDERER, gl.GL_VERSION)), sep=" | ")
    n = int(sys.argv[1])
    sky = Sky(n)
    for size in (1.5, 3, 6):
        took = []
        for k in range(PICTURES):
            began = time.perf_counter()
            sky.draw(0.02 * k, size)
            took.append(1e3 * (time.perf_counter() - began))
        took = took[FIRST_ONES:]
        print(f"{n} points of {size} pixels, {WIDTH} x {HEIGHT}: median {np.median(took):.2f} ms, slowest "
              f"{max(took):.2f}; {100 * sky.lit():.0f} % of the picture lit")


if __name__ == "__main__":
    main()
