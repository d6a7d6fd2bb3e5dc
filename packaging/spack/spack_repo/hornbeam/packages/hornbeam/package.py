# SPDX-License-Identifier: Apache-2.0
# The Spack package, of the checkout that this file is in:
#   spack repo add packaging/spack/spack_repo/hornbeam && spack install hornbeam
import os

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Hornbeam(CMakePackage, CudaPackage):
    """Gravitational N-body code on one parallel octree: galaxies, planetary rings and
    self-gravitating gas, on CPUs, NVIDIA GPUs and OpenCL devices."""

    homepage = "https://pypi.org/project/hornbeam-nbody"
    git = "file://" + os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 6))

    license("Apache-2.0")

    version("main", branch="main")
    version("0.1.0", tag="v0.1.0")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.21:", type="build")
    depends_on("hdf5@1.10: ~mpi")
    depends_on("libpng")
    depends_on("zlib-api")
    depends_on("fmt@9:")
    depends_on("tomlplusplus@3.3:")
    depends_on("cli11@2.1:")
    depends_on("nlohmann-json@3.11:")
    depends_on("boost@1.74:")
    depends_on("opencl-c-headers")

    conflicts("%gcc@:11", msg="Hornbeam needs g++ 12 or newer")
    conflicts("%clang@:13", msg="Hornbeam needs clang 14 or newer")
    conflicts("cuda_arch=none", when="+cuda", msg="name the GPUs' generation, as cuda_arch=90")

    def cmake_args(self):
        arguments = [
            self.define_from_variant("HORNBEAM_WITH_CUDA", "cuda"),
            self.define("HORNBEAM_TESTS", False),  # test_selftest() runs on what is installed
        ]
        if self.spec.satisfies("+cuda"):
            generations = self.spec.variants["cuda_arch"].value
            arguments.append(self.define("HORNBEAM_CUDA_ARCHITECTURES", generations))
        return arguments

    def test_selftest(self):
        """compute known answers on each device"""
        hornbeam = which(self.prefix.bin.hornbeam)
        hornbeam("selftest")
