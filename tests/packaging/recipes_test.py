"""packaging/check_recipes.py: it accepts the tree, and finds what is wrong with one that differs."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SPACK, CONDA = "packaging/spack/package.py", "packaging/conda/recipe.yaml"
PORT, PORTFILE = "packaging/vcpkg/presort/vcpkg.json", "packaging/vcpkg/presort/portfile.cmake"


def check(tree):
    return subprocess.run(
        [sys.executable, ROOT / "packaging/check_recipes.py", tree], capture_output=True, text=True, check=False
    )


class RecipesTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.tree = Path(self.folder.name) / "presort"
        for path in ("CMakeLists.txt", "CITATION.cff", "LICENSE", "cmake", "packaging", "configs/machines"):
            from_, to = ROOT / path, self.tree / path
            to.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if from_.is_dir() else shutil.copy)(from_, to)

    def test_this_tree_is_accepted(self):
        for tree in (ROOT, self.tree):
            done = check(tree)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_what_differs_is_found(self):
        for path, before, after, words in [
            ("CMakeLists.txt", "presort VERSION 0.1.0", "presort VERSION 0.2.0", [SPACK, CONDA, PORT, "accepted: 0.2.0"]),
            ("CMakeLists.txt", "VERSION 3.25)", "VERSION 3.26)", [SPACK, CONDA, "cmake@3.26:"]),
            ("CMakeLists.txt", "option(PRESORT_UNITY ", "option(PRESORT_AT_ONCE ", [SPACK, CONDA, PORTFILE, "PRESORT_UNITY"]),
            ("CITATION.cff", "license: Apache-2.0", "license: MIT", [SPACK, CONDA, PORT, "accepted: MIT"]),
            ("cmake/presort-compiler.cmake", "least_GNU 12", "least_GNU 13", [SPACK, "%gcc@:12"]),
            ("cmake/dependencies.cmake", "missing_command Boost fmt", "missing_command Boost fmt yaml-cpp Qt", ["Qt"]),
            (SPACK, 'depends_on("fmt@9:")', "pass", [SPACK, "fmt is not there"]),
            (SPACK, "class Presort", "class PreSort", [SPACK, "PreSort"]),
            (SPACK, 'variant("cuda"', 'variant("gpu"', [SPACK, "cuda is not there"]),
            (SPACK, "def cmake_args(self):", "def cmake_args(self)", [SPACK, "line"]),
            (SPACK, '"on" if', '"yes" if', [SPACK, "found yes, accepted: auto, on, off"]),
            (CONDA, "- libhwloc", "- hwloc", [CONDA, "libhwloc is not there"]),
            (CONDA, "-DPRESORT_CUDA=off", "-DPRESORT_CUDA=no", [CONDA, "found no, accepted: auto, on, off"]),
            (CONDA, "path: ../..", "path: ..", [CONDA, "source"]),
            (CONDA, "license_file: LICENSE", "license_file: LICENCE", [CONDA, "LICENCE is not there"]),
            (CONDA, "-m cascade-lake-vm", "-m cascade-lake", [CONDA, "cascade-lake is not there"]),
            (PORT, '"yaml-cpp",', "", [PORT, "yaml-cpp is not there"]),
            (PORT, '"io": {', '"files": {', [PORT, "features"]),
            (PORT, '"version": "0.1.0",', '"version": "0.1.0"', [PORT]),
            (PORTFILE, "tuner PRESORT_TUNER", "tuner PRESORT_TUNERS", [PORTFILE, "PRESORT_TUNERS"]),
            (PORTFILE, "lib/cmake/presort", "share/presort", [PORTFILE, "CONFIG_PATH"]),
            (PORTFILE, "/../../..", "/../..", [PORTFILE, "SOURCE_PATH"]),
            (PORTFILE, "/LICENSE", "/COPYING", [PORTFILE, "COPYING is not there"]),
        ]:
            with self.subTest(path=path, after=after):
                file = self.tree / path
                text = file.read_text()
                self.assertIn(before, text)
                file.write_text(text.replace(before, after))
                done = check(self.tree)
                self.assertEqual(done.returncode, 1, done.stderr)
                for word in words:
                    self.assertIn(word, done.stderr)
                file.write_text(text)


if __name__ == "__main__":
    unittest.main()
