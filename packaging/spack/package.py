# Copyright presort developers. SPDX-License-Identifier: Apache-2.0

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Presort(CMakePackage):
    """Does radix pre-sorting pay on this machine, and with which parameters? Predicts by
    simulation whether it makes a group-by, scatter, gather, histogram or scan faster, chooses
    a plan, runs it, and compares."""

    license("Apache-2.0", checked_by="presort developers")

    # No release has been published: build the checkout, as packaging/README.md says.
    version("0.1.0")

    variant("command", default=True, description="Build the command and all libraries")
    variant("cuda", default=False, description="Build the CUDA kernels, with CUDA 13 or later")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("cuda@13:", when="+cuda")
    with when("+command"):
        depends_on("boost@1.74: +program_options")
        depends_on("fmt@9:")
        depends_on("hwloc@2:")
        depends_on("yaml-cpp@0.7:")
        depends_on("nlohmann-json@3.11:")
        depends_on("eigen@3.4:")
        depends_on("zlib-api")
        depends_on("xz")
        depends_on("zstd")

    conflicts("%gcc@:11", msg="presort needs C++20 as GCC 12 has it")

    def cmake_args(self):
        return [
            self.define_from_variant("PRESORT_COMMAND", "command"),
            self.define("PRESORT_CUDA", "on" if self.spec.satisfies("+cuda") else "off"),
            self.define("PRESORT_UNITY", True),
            self.define("PRESORT_TESTS", self.run_tests),
        ]
