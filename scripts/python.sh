#!/usr/bin/env bash
# Installs the Python package as a user would, in a virtual environment of its own, and runs its tests.
# Where the package index cannot be reached nothing is tested, and it says so.
# With --asan the compiled part is built with AddressSanitizer and its kin, and the tests that need nothing
# but numpy run with it.
usage="usage: scripts/python.sh [--asan] [ARGUMENT OF unittest...]"
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

sanitized=no
case "${1:-}" in
  --asan)
    sanitized=yes
    shift
    ;;
  -h | --help)
    echo "$usage"
    exit 0
    ;;
esac

install_packages "${kPackages[@]}" python3 python3-dev python3-venv
environment=$kBuildDir/python-environment
[ $sanitized = no ] || environment=$kBuildDir/python-environment-asan
python3 -m venv "$environment"
pip=("$environment/bin/pip" --disable-pip-version-check --quiet)
if ! "${pip[@]}" install 'scikit-build-core>=0.10' 'nanobind>=2.2' 'numpy>=1.22' ninja mypy; then
  echo "python: SKIPPED: the package index cannot be reached" >&2
  exit 0
fi
if [ $sanitized = yes ]; then
  "${pip[@]}" install --no-build-isolation -C build-dir="$kBuildDir/python-asan" \
    -C cmake.define.PRESORT_PYTHON_ASAN=ON . >&2
  # The interpreter itself is not built with them, so their libraries are loaded before it. It keeps memory
  # to its end, which is no leak of ours.
  preload="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so) $(gcc -print-file-name=libstdc++.so)"
  cd python/tests
  [ $# -gt 0 ] || set -- test_arrays test_cuda test_tensor_calls test_group_calls test_simulator
  ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD=$preload \
    exec "../../$environment/bin/python" -m unittest "$@"
fi
# The Python package's compiled part stays in a build folder, so that the next run is short.
"${pip[@]}" install --no-build-isolation -C build-dir="$kBuildDir/python" . >&2
# PyTorch and JAX are large: presort.torch and presort.jax are tested where the environment already has them.
"$environment/bin/python" -c 'import torch' 2>/dev/null ||
  echo "python: presort.torch is not tested: no PyTorch in $environment ($environment/bin/pip install torch)" >&2
"$environment/bin/python" -c 'import jax' 2>/dev/null ||
  echo "python: presort.jax is not tested: no JAX in $environment ($environment/bin/pip install jax)" >&2
# Runs the examples on the documents' pages about Python, with the installed package.
for page in python gallery; do
  PATH="$PWD/$environment/bin:$PATH" python3 tests/docs/run_page.py "docs/how-to/$page.md" --bare
done
cd python/tests
exec "../../$environment/bin/python" -m unittest "${@:-discover}"
