#!/usr/bin/env bash
# Installs missing packages, builds everything and runs all tests. CUDA kernels and their tests are built
# where there is a GPU, or on request: they take as long to compile as all the rest.
usage="usage: scripts/test.sh [--cuda=auto|on|off] [ARGUMENT OF ctest...]"
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cuda=auto
case "${1:-}" in
  --cuda=*)
    cuda=${1#*=}
    shift
    ;;
  -h | --help)
    echo "$usage"
    exit 0
    ;;
esac
cuda=$(decide_cuda "$cuda")

install_packages "${kPackages[@]}" "${kTestPackages[@]}" "${kMpiPackages[@]}"
# PRESORT_GPU_TEST_PART picks a sixth of the files of GPU tests (tests/gpu/CMakeLists.txt); without it all
# are compiled.
configure_and_build all Release "$cuda" -DPRESORT_TESTS=ON \
  -DPRESORT_GPU_TEST_PART="${PRESORT_GPU_TEST_PART:-}"
# Random attacks (tests/attack) take half a minute instead of five; each run draws other attacks.
export PRESORT_ATTACK_MINUTES=${PRESORT_ATTACK_MINUTES:-0.5}
# ctest runs tests in parallel, except tests that time anything, which run alone (RUN_SERIAL). One more
# than there are processors: tests of interrupts mostly wait.
ctest --test-dir "$kBuildDir" --output-on-failure --parallel $(($(nproc) + 1)) "$@"
