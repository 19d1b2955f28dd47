#!/usr/bin/env bash
# Builds tests for 64-bit Arm with Debian's cross compiler and runs them under qemu: core_test,
# sim_test and cpu_test, or those named. The arm64 libraries are unpacked below build-arm/root;
# nothing of the system's own packages is touched but for the compiler and qemu, which are installed.
#   scripts/arm.sh [TEST...] [-- ARGUMENTS OF THE TESTS]
# Example: scripts/arm.sh cpu_test -- -tc="*multiscan*"
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

readonly kArmDir=$PWD/build-arm
readonly kArmRoot=$kArmDir/root
readonly kArmLibraries=(
  libstdc++6 libyaml-cpp-dev libboost-program-options-dev libfmt-dev libhwloc-dev
  zlib1g-dev liblzma-dev libzstd-dev librapidcheck-dev
)

# Fetches the arm64 libraries and what these depend on, as if for an empty arm64 system of this Debian
# release.
fetch_libraries() {
  local apt=$kArmDir/apt
  mkdir -p "$apt"/{state/lists/partial,cache/archives/partial} "$kArmRoot"
  touch "$apt/status"
  local options=(
    -o APT::Architecture=arm64 -o APT::Architectures::=arm64
    -o Dir::State="$apt/state" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache"
    -o APT::Sandbox::User=root -qq
  )
  apt-get "${options[@]}" update
  apt-get "${options[@]}" install --yes --no-install-recommends --download-only "${kArmLibraries[@]}"
  local package
  for package in "$apt"/cache/archives/*.deb; do
    dpkg-deb --extract "$package" "$kArmRoot"
  done
  rm -r "$apt"
  touch "$kArmRoot/complete"
}

tests=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  tests+=("$1")
  shift
done
[ $# -gt 0 ] && shift
[ ${#tests[@]} -gt 0 ] || tests=(core_test sim_test cpu_test)

install_packages "${kPackages[@]}" "${kTestPackages[@]}" g++-aarch64-linux-gnu qemu-user-static
[ -e "$kArmRoot/complete" ] || fetch_libraries

cmake -S . -B "$kArmDir" -G Ninja --toolchain "$PWD/cmake/aarch64.cmake" \
  -DCMAKE_BUILD_TYPE=Release -DPRESORT_CUDA=off -DPRESORT_ARM_ROOT="$kArmRoot" >/dev/null
ninja -C "$kArmDir" "${tests[@]}"
for test in "${tests[@]}"; do
  echo "$test, on aarch64:"
  qemu-aarch64-static -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH="$kArmRoot/usr/lib/aarch64-linux-gnu" \
    "$kArmDir/$test" "$@"
done
