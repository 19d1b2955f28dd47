#!/usr/bin/env python3
"""Checks the recipes of this folder against the tree that they build: versions, licence, options, dependencies,
files, machines. What it finds is printed, a line each, and the exit status is then 1.

usage: check_recipes.py [TREE]        TREE: the root of the source tree; default: that of this file

Needs nothing but Python. Where PyYAML is installed, the conda recipe is also parsed by it.
"""

import ast
import importlib.util
import json
import re
import sys
from pathlib import Path

# Names of the packages that CMake looks for: CMake's, Spack's, conda-forge's, vcpkg's. None: no recipe builds what
# needs it, or it is used where it happens to be there.
PACKAGES = {
    "Boost": ("boost", "libboost-devel", None),
    "fmt": ("fmt", "fmt", None),
    "hwloc": ("hwloc", "libhwloc", None),
    "yaml-cpp": ("yaml-cpp", "yaml-cpp", "yaml-cpp"),
    "nlohmann_json": ("nlohmann-json", "nlohmann_json", "nlohmann-json"),
    "ZLIB": ("zlib-api", "zlib", "zlib"),
    "Eigen3": ("eigen", "eigen", "eigen3"),
    "LibLZMA": ("xz", "liblzma-devel", "liblzma"),
    "zstd": ("zstd", "zstd", "zstd"),
}
PARTS_OF_VCPKG = {"io": "PRESORT_IO", "tuner": "PRESORT_TUNER"}


class Tree:
    """The facts of a source tree that recipes repeat."""

    def __init__(self, root):
        self.root = root
        self.cmake = (root / "CMakeLists.txt").read_text()
        dependencies = (root / "cmake/dependencies.cmake").read_text()
        self.version = self.first(r"project\(presort VERSION ([0-9.]+)", self.cmake)
        self.cmake_version = self.first(r"cmake_minimum_required\(VERSION ([0-9.]+)\)", self.cmake)
        self.license = self.first(r"^license: (\S+)$", (root / "CITATION.cff").read_text())
        self.options = set(re.findall(r"(?:option|cmake_dependent_option)\((PRESORT_\w+)", self.cmake))
        self.options |= set(re.findall(r"set\((PRESORT_\w+) \S+ CACHE", self.cmake))
        self.needs = {}
        for part, names in re.findall(r"presort_find_packages\(missing_(\w+) ([^)]+)\)", dependencies):
            self.needs.setdefault(part, set()).update(names.split())
        for part, name in re.findall(r"presort_find_library\(missing_(\w+) \w+ (\S+) ", dependencies):
            self.needs.setdefault(part, set()).add(name)
        self.needs.pop("tests", None)
        self.gcc = self.first(r"set\(least_GNU (\d+)\)", (root / "cmake/presort-compiler.cmake").read_text())

    @staticmethod
    def first(pattern, text):
        found = re.search(pattern, text, re.MULTILINE)
        return found.group(1) if found else None


class Findings(list):
    def differs(self, recipe, what, found, accepted):
        if found != accepted:
            self.append(f"{recipe}: {what}: found {found}, accepted: {accepted}")

    def lacks(self, recipe, what, missing):
        self.extend(f"{recipe}: {what}: {one} is not there" for one in sorted(missing))


def check_options(found, recipe, text, tree):
    found.lacks("CMakeLists.txt", f"option of {recipe}", set(re.findall(r"PRESORT_[A-Z]+", text)) - tree.options)
    for value in re.findall(r'PRESORT_CUDA(?:=|", ")(\w+)', text):
        if value not in ("auto", "on", "off"):
            found.append(f"{recipe}: PRESORT_CUDA: found {value}, accepted: auto, on, off")


def named_packages(tree, parts, column):
    """Names, in a package manager, of the packages that parts of presort need."""
    names = set()
    for part in parts:
        for package in tree.needs[part]:
            if package not in PACKAGES:
                sys.exit(f"check_recipes.py: cmake/dependencies.cmake has {package}, which PACKAGES lacks")
            names.add(PACKAGES[package][column])
    return names


def check_spack(found, tree):
    recipe = "packaging/spack/package.py"
    text = (tree.root / recipe).read_text()
    try:
        module = ast.parse(text)
    except SyntaxError as error:
        found.append(f"{recipe}: line {error.lineno}: {error.msg}")
        return
    classes = [node for node in module.body if isinstance(node, ast.ClassDef)]
    found.differs(recipe, "class", [one.name for one in classes], ["Presort"])
    calls = {}
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            calls.setdefault(name, []).append([one.value for one in node.args if isinstance(one, ast.Constant)])
    found.differs(recipe, "version", [one[0] for one in calls.get("version", [])], [tree.version])
    found.differs(recipe, "licence", [one[0] for one in calls.get("license", [])], [tree.license])
    specs = [one[0] for one in calls.get("depends_on", [])]
    names = {re.split(r"[@:+~ %]", spec)[0] for spec in specs}
    found.lacks(recipe, "dependency", named_packages(tree, tree.needs, 0) - names)
    versions = [spec for spec in specs if spec.startswith("cmake")]
    found.differs(recipe, "CMake", versions, [f"cmake@{tree.cmake_version}:"])
    found.differs(recipe, "compilers refused", [one[0] for one in calls.get("conflicts", [])], [f"%gcc@:{int(tree.gcc) - 1}"])
    variants = {one[0] for one in calls.get("variant", [])}
    used = {one[1] for one in calls.get("define_from_variant", [])}
    used |= {one[0].lstrip("+~") for name in ("when", "satisfies") for one in calls.get(name, []) if one[0][0] in "+~"}
    found.lacks(recipe, "variant", used - variants)
    check_options(found, recipe, text, tree)


def check_conda(found, tree):
    recipe = "packaging/conda/recipe.yaml"
    text = (tree.root / recipe).read_text()
    if importlib.util.find_spec("yaml"):
        import yaml

        try:
            sections = set(yaml.safe_load(text))
        except yaml.YAMLError as error:
            found.append(f"{recipe}: {error}")
            return
        found.lacks(recipe, "section", {"context", "package", "source", "build", "requirements", "tests", "about"} - sections)
    found.differs(recipe, "version", Tree.first(r'^  version: "([^"]+)"$', text), tree.version)
    found.differs(recipe, "licence", Tree.first(r"^  license: (\S+)$", text), tree.license)
    path = Tree.first(r"^  path: (\S+)", text)
    found.differs(recipe, "source", ((tree.root / recipe).parent / (path or "")).resolve(), tree.root.resolve())
    items = re.findall(r"^    - (.+)$", text, re.MULTILINE)
    found.differs(recipe, "CMake", [one for one in items if one.startswith("cmake >")], [f"cmake >={tree.cmake_version}"])
    found.lacks(recipe, "dependency", named_packages(tree, tree.needs, 1) - {one.split()[0] for one in items})
    file = Tree.first(r"^  license_file: (\S+)$", text)
    if file is None or not (tree.root / file).exists():
        found.append(f"{recipe}: license_file: {file} is not there")
    machines = {file.stem for file in (tree.root / "configs/machines").glob("*.yaml")}
    found.lacks("configs/machines", f"machine of {recipe}", set(re.findall(r" -m (\S+)", text)) - machines)
    check_options(found, recipe, text, tree)


def vcpkg_dependencies(one):
    return {each if isinstance(each, str) else each["name"] for each in one.get("dependencies", [])}


def check_vcpkg(found, tree):
    folder = "packaging/vcpkg/presort"
    recipe, portfile = f"{folder}/vcpkg.json", f"{folder}/portfile.cmake"
    text = (tree.root / portfile).read_text()
    try:
        port = json.loads((tree.root / recipe).read_text())
    except json.JSONDecodeError as error:
        found.append(f"{recipe}: {error}")
        return
    found.differs(recipe, "version", port.get("version"), tree.version)
    found.differs(recipe, "licence", port.get("license"), tree.license)
    found.differs(recipe, "name", port.get("name"), Path(folder).name)
    pairs = Tree.first(r"FEATURES ([^)]+)\)", text) or ""
    pairs = dict(zip(pairs.split()[::2], pairs.split()[1::2]))
    found.differs(portfile, "features", pairs, PARTS_OF_VCPKG)
    found.differs(recipe, "features", sorted(port.get("features", {})), sorted(PARTS_OF_VCPKG))
    for part in set(PARTS_OF_VCPKG) & set(port.get("features", {})):
        needed = {name for name in named_packages(tree, [part], 2) if name}
        found.lacks(recipe, f"dependency of feature {part}", needed - vcpkg_dependencies(port["features"][part]))
    found.lacks(recipe, "dependency", {"vcpkg-cmake", "vcpkg-cmake-config"} - vcpkg_dependencies(port))
    path = Tree.first(r"CONFIG_PATH (\S+?)\)", text)
    found.differs(portfile, "CONFIG_PATH", path, "lib/cmake/presort")
    up = Tree.first(r"\$\{CURRENT_PORT_DIR\}/([./]+)", text)
    found.differs(portfile, "SOURCE_PATH", (tree.root / folder / (up or "")).resolve(), tree.root.resolve())
    file = Tree.first(r'FILE_LIST "\$\{SOURCE_PATH\}/([^"]+)"', text)
    if file is None or not (tree.root / file).exists():
        found.append(f"{portfile}: FILE_LIST: {file} is not there")
    check_options(found, portfile, text, tree)


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    tree, found = Tree(root), Findings()
    for name, value in (("version", tree.version), ("CMake's version", tree.cmake_version), ("licence", tree.license),
                        ("least version of GCC", tree.gcc)):  # fmt: skip
        if value is None:
            sys.exit(f"check_recipes.py: {root}: found no {name}")
    for check in (check_spack, check_conda, check_vcpkg):
        check(found, tree)
    if found:
        sys.exit("\n".join(found))
    print("recipes: of Spack, conda-forge and vcpkg, as the tree says")


if __name__ == "__main__":
    main()
