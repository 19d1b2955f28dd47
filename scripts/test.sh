#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests. CUDA kernels and their tests are built
# where there is a device, or on request: they take as long to compile as all the rest.
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

install_packages "${kPackages[@]}" "${kTestPackages[@]}"
# Without PRESORT_GPU_TEST_PART (tests/gpu/parts.cuh) tests of a GPU are compiled for all types.
configure_and_build all Release "$cuda" -DPRESORT_TESTS=ON \
  -DPRESORT_GPU_TEST_PART="${PRESORT_GPU_TEST_PART:-}"
# A minute of random attacks instead of five; each run draws others.
export PRESORT_ATTACK_MINUTES=${PRESORT_ATTACK_MINUTES:-1}
# Tests that time anything run alone (RUN_SERIAL).
ctest --test-dir "$kBuildDir" --output-on-failure --parallel "$(nproc)" "$@"
