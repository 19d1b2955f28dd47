# Shared by the scripts of this folder: lists of Debian packages, their installation, the build of
# presort. A script sources this file, which sets -euo pipefail and changes to the root of the source
# tree.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

readonly kBuildDir=build
readonly kExitUsage=2
readonly kExitEnvironment=3

# ccache makes a second build of the same sources cheap, in any folder. Paths below the source tree
# are taken relative to it.
if command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
  export CMAKE_CUDA_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
fi

# Debian packages, a line for each use: compiler and build, libraries, compressed traces, plots.
readonly kPackages=(
  cmake ninja-build g++ binutils pkg-config
  libyaml-cpp-dev libboost-program-options-dev nlohmann-json3-dev libfmt-dev libhwloc-dev
  zlib1g-dev liblzma-dev libzstd-dev libeigen3-dev
  gnuplot-nox libsqlite3-dev liburing-dev
)
# Packages of presort-mpi, which is built where they are.
readonly kMpiPackages=(libopenmpi-dev openmpi-bin)
readonly kTestPackages=(doctest-dev librapidcheck-dev valgrind make python3 strace zstd)

die() {  # die STATUS TEXT
  echo "$(basename "$0"): $2" >&2
  exit "$1"
}

# Prints the script's $usage and ends it, if its first argument asks for that.
help_if_asked() {  # help_if_asked ARGUMENT...
  case "${1:-}" in
    -h | --help)
      echo "$usage"
      exit 0
      ;;
  esac
}

package_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Installs the named packages that are missing; asks nothing of apt when all are there.
install_packages() {
  local missing=() package as_root=()
  for package in "$@"; do
    package_installed "$package" || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    return
  fi
  command -v apt-get >/dev/null ||
    die $kExitEnvironment "apt-get is missing; install by hand: ${missing[*]}"
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      die $kExitEnvironment "not root and sudo is missing; install by hand: ${missing[*]}"
    as_root=(sudo)
  fi
  echo "Installing ${missing[*]}" >&2
  as_root+=(env DEBIAN_FRONTEND=noninteractive)
  "${as_root[@]}" apt-get update -q >&2 ||
    echo "apt-get update failed; trying with the lists that are there" >&2
  # dpkg syncs each file that it unpacks, such as Boost's 15,518 headers, which takes most of the time. If
  # no installed package is upgraded, a crash could only harm new files: then all files are synced once,
  # at the end.
  local install=(apt-get install -q --no-install-recommends) unpack=()
  if LC_ALL=C "${install[@]}" -s "${missing[@]}" 2>/dev/null | grep -q '^0 upgraded'; then
    unpack=(-o Dpkg::Options::=--force-unsafe-io)
  fi
  "${as_root[@]}" "${install[@]}" -y "${unpack[@]}" "${missing[@]}" >&2 ||
    die $kExitEnvironment "apt-get could not install: ${missing[*]}"
  sync -f /usr
}

# Prints the path of the CUDA compiler nvcc, or nothing if there is none.
find_nvcc() { command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null || true; }

# Prints on or off: whether the command is built with its CUDA kernels. auto means on where there are both
# nvcc and a GPU, as the kernels take as long to compile as all the rest.
decide_cuda() {  # decide_cuda auto|on|off
  local nvcc
  nvcc=$(find_nvcc)
  case "$1" in
    off) echo off ;;
    on)
      [ -n "$nvcc" ] || die $kExitEnvironment "--cuda=on, but nvcc was not found"
      echo on
      ;;
    auto) if [ -n "$nvcc" ] && [ -e /dev/nvidiactl ]; then echo on; else echo off; fi ;;
    *) die $kExitUsage "--cuda: found '$1', accepted: auto, on, off" ;;
  esac
}

# Configures and builds a target. A unity build (several sources at a time) halves the time. Tests are
# built in the same folder with the same options, so that nothing is compiled twice.
configure_and_build() {  # configure_and_build TARGET BUILD_TYPE on|off [CMAKE_OPTION…]
  cmake -S . -B "$kBuildDir" -G Ninja -DCMAKE_BUILD_TYPE="$2" -DPRESORT_CUDA="$3" \
    -DPRESORT_UNITY=ON "${@:4}" >&2
  cmake --build "$kBuildDir" --target "$1" >&2
}

# Builds the command alone, $kBuildDir/presort, in about two minutes on two cores.
build_command() {  # build_command BUILD_TYPE on|off
  configure_and_build presort "$1" "$2" -DPRESORT_TESTS=OFF
}

# Runs a command and prints the time that the command took, s.
step() {  # step NAME COMMAND…
  local began=$SECONDS status=0
  "${@:2}" || status=$?
  echo "$1: $((SECONDS - began)) s" >&2
  return $status
}
