#!/usr/bin/env bash
# Installs missing Debian packages and builds the command build/presort.
usage="usage: scripts/build.sh [--cuda=auto|on|off] [--build-type Release|Debug|RelWithDebInfo]"
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cuda=auto
build_type=Release
while [ $# -gt 0 ]; do
  case "$1" in
    --cuda=*) cuda=${1#*=} ;;
    --build-type=*) build_type=${1#*=} ;;
    --build-type)
      [ $# -gt 1 ] || die $kExitUsage "--build-type needs a value; $usage"
      build_type=$2
      shift
      ;;
    -h | --help)
      echo "$usage"
      exit 0
      ;;
    *) die $kExitUsage "unknown option '$1'; $usage" ;;
  esac
  shift
done

cuda=$(decide_cuda "$cuda")
echo "CUDA kernels: $cuda" >&2
install_packages "${kPackages[@]}"
build_command "$build_type" "$cuda"
echo "built $kBuildDir/presort" >&2
