"""The types of the package: the stub of the compiled part against the module, and mypy --strict on a
program, where mypy is installed."""

import ast
import importlib.util
import re
import subprocess
import sys
import unittest
from pathlib import Path

import presort
from presort import _presort

HERE = Path(__file__).parent
PACKAGE = Path(presort.__file__).parent


def stub_members():
    """Names of classes and functions of the stub, each function with its arguments."""
    found = {}

    def add(node, prefix):
        if isinstance(node, ast.ClassDef):
            found[prefix + node.name] = None
            for child in node.body:
                add(child, prefix + node.name + ".")
        elif isinstance(node, ast.FunctionDef):
            found[prefix + node.name] = [argument.arg for argument in node.args.args]
        elif isinstance(node, ast.Assign) and prefix:
            found[prefix + node.targets[0].id] = None
        elif isinstance(node, ast.AnnAssign):
            found[prefix + node.target.id] = None

    for node in ast.parse((PACKAGE / "_presort.pyi").read_text()).body:
        add(node, "")
    return found


def arguments_of(function):
    """The names of a compiled function's arguments, from its signature."""
    signature = function.__nb_signature__[0][0]
    inside = signature[signature.index("(") + 1 : signature.rindex(")")]
    depth = 0
    names = []
    start = True
    for token in re.findall(r"\w+|.", inside):
        if start and re.fullmatch(r"\w+", token):
            names.append(token)
            start = False
        depth += (token in "([{") - (token in ")]}")
        start = start or (token == "," and depth == 0)
    return names


def module_members():
    found = {}
    for name, value in vars(_presort).items():
        if name.startswith("__"):
            continue
        found[name] = value
        if isinstance(value, type) and not issubclass(value, Exception):
            for member, thing in vars(value).items():
                if not member.startswith("_"):
                    found[f"{name}.{member}"] = thing
    return found


class StubTest(unittest.TestCase):
    def test_the_stub_has_the_modules_members(self):
        ignored = {"Context.__init__", "TensorCalls.__init__"}
        in_stub = {name for name in stub_members() if name not in ignored and not name.startswith("_")}
        in_module = set(module_members())
        self.assertEqual(in_stub, in_module)

    def test_arguments_have_their_names_and_order(self):
        stub = stub_members()
        compared = 0
        for name, value in module_members().items():
            value = getattr(value, "__func__", value)
            if hasattr(value, "__nb_signature__") and stub[name] is not None:
                self.assertEqual(stub[name], arguments_of(value), name)
                compared += 1
        self.assertGreater(compared, 15)

    def test_the_package_is_marked_as_typed(self):
        self.assertTrue((PACKAGE / "py.typed").exists())

    def test_all_names_exist(self):
        for name in presort.__all__:
            self.assertTrue(hasattr(presort, name), name)


class ExampleTest(unittest.TestCase):
    def test_the_example_runs(self):
        ran = subprocess.run(
            [sys.executable, HERE / "typed_example.py"], capture_output=True, text=True, check=False
        )
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(ran.stdout.splitlines()[0], "{-1: 5.0, 7: 2.0} 3.0 (3, 3)")

    @unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
    def test_mypy_accepts_the_example_and_the_package(self):
        modules = ["arrays", "simulator", "explanation", "gpu_arrays", "gpu_library", "gpu_order", "cuda"]
        modules += [name for name in ("torch", "jax") if importlib.util.find_spec(name)]
        package = [word for module in modules for word in ("-p", f"presort.{module}")]
        for checked in ([str(HERE / "typed_example.py")], package):
            ran = subprocess.run(
                [sys.executable, "-m", "mypy", "--strict", "--no-incremental", *checked],
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)


if __name__ == "__main__":
    unittest.main()
