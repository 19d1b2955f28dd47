#!/usr/bin/env bash
# Builds presort's .deb and .tar.gz into a folder, and checks them: both run where they were unpacked.
# With --root the .deb is also installed in a new Debian root, which needs root, debootstrap and a mirror;
# a program in C and one in C++ are built there with what it installs.
usage="usage: scripts/package.sh [--root] [FOLDER] [CMAKE_OPTION...]   (FOLDER: out/packages)"
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

in_root=no
folder=out/packages
while [ $# -gt 0 ]; do
  case "$1" in
    --root) in_root=yes ;;
    -h | --help) echo "$usage" && exit 0 ;;
    -D*) break ;;
    -*) die $kExitUsage "found '$1'; $usage" ;;
    *) folder=$1 ;;
  esac
  shift
done
options=("$@")
readonly kPackageBuild=build-package
readonly kSimulation=(simulate -m cascade-lake-vm -n 2^20 -b 2^16 --plan sortBits=6 --model)

work=$(mktemp -d)
trap 'umount "$work/root/proc" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT

install_packages "${kPackages[@]}" dpkg-dev

make_packages() {
  cmake -S . -B "$kPackageBuild" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr \
    -DPRESORT_CUDA=off -DPRESORT_C=ON -DPRESORT_UNITY=ON -DPRESORT_TESTS=OFF "${options[@]}" >&2
  cmake --build "$kPackageBuild" --target presort >&2
  if grep -q '^PRESORT_C:BOOL=ON' "$kPackageBuild/CMakeCache.txt"; then
    cmake --build "$kPackageBuild" --target presort_c >&2
  fi
  mkdir -p "$folder"
  rm -rf "$kPackageBuild/packages"
  cpack --config "$kPackageBuild/CPackConfig.cmake" -B "$PWD/$kPackageBuild/packages" >&2
  cp "$kPackageBuild"/packages/*.deb "$kPackageBuild"/packages/*.tar.gz "$folder"
  deb=$(basename "$kPackageBuild"/packages/*.deb)
  archive=$(basename "$kPackageBuild"/packages/*.tar.gz)
}

# has FOLDER FILE...: fails if a FILE is missing in FOLDER or is empty.
has() {
  local file
  for file in "${@:2}"; do
    [ -s "$1/$file" ] || die 1 "$1 lacks $file"
  done
}

# runs COMMAND...: fails unless presort, started by COMMAND, answers three calls.
runs() {
  local version machines
  version=$("$@" --version) || die 1 "$*: --version fails"
  [[ $version == "presort "*"compiler "* ]] || die 1 "$*: --version says '$version'"
  machines=$("$@" machines) || die 1 "$*: machines fails"
  [[ $machines == *cascade-lake-vm* ]] || die 1 "$*: machines lacks cascade-lake-vm"
  [[ $("$@" doctor) == *"machines and grids in "* ]] || die 1 "$*: doctor does not find the data"
  "$@" "${kSimulation[@]}" | grep -q 'ns' || die 1 "$*: ${kSimulation[*]} fails"
}

check_unpacked() {
  dpkg -x "$folder/$deb" "$work/deb"
  mkdir "$work/tar"
  tar -xzf "$folder/$archive" -C "$work/tar" --strip-components=1
  has "$work/deb/usr" bin/presort include/presort.h include/presort/presort.h share/presort/grids/quick.yaml \
    share/man/man1/presort.1.gz share/man/man1/presort-tune.1.gz share/doc/presort/copyright \
    share/doc/presort/changelog.gz share/bash-completion/completions/presort \
    share/zsh/vendor-completions/_presort share/fish/vendor_completions.d/presort.fish
  has "$work/tar" bin/presort include/presort/presort.h share/man/man1/presort.1 share/doc/presort/LICENSE \
    share/doc/presort/LICENSE.uPlot include/presort.h
  local place library
  for place in deb/usr tar; do
    for library in libpresort_cpu.a libpresort.so presort.pc presort-config.cmake; do
      [ -n "$(find "$work/$place/lib" -name "$library")" ] || die 1 "$place lacks $library"
    done
  done
  grep -q "Leon Sorokin" "$work/deb/usr/share/doc/presort/copyright" ||
    die 1 "the .deb's copyright file lacks uPlot's licence"
  # All words of the licence from its first sentence on, whatever the lines and indents
  [ "$(sed -n '/Permission is hereby/,$p' third_party/uplot-*/LICENSE | tr -s ' \n' ' ' | tr -d ' ')" = \
    "$(sed -n '/Permission is hereby/,$p' "$work/deb/usr/share/doc/presort/copyright" | sed 's/^ \.$//' |
      tr -s ' \n' ' ' | tr -d ' ')" ] || die 1 "the .deb's copyright file lacks the text of uPlot's licence"
  runs "$work/deb/usr/bin/presort"
  runs "$work/tar/bin/presort"
  dpkg-deb -f "$folder/$deb" Package Version Architecture Section Depends Installed-Size
  echo "unpacked: presort runs from the .deb and from the .tar.gz"
}

# programs ROOT: builds and runs a program in C, which finds presort by pkg-config, and one in C++, which
# finds it by CMake, in a root that has presort installed.
programs() {
  local root=$1 log=$work/log.txt found
  chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
    g++ cmake make pkg-config libc6-dev >"$log" 2>&1 || die 1 "no compiler: $(tail -n 3 "$log")"
  cp -r tests/consumer tests/c/example.c "$root/tmp"
  chroot "$root" sh -ec 'cd /tmp
    cc -std=c99 -Wall -Wextra -Werror example.c $(pkg-config --cflags --libs presort) -o example' \
    >"$log" 2>&1 || die 1 "the program in C is not built: $(tail -n 5 "$log")"
  found=$(chroot "$root" /tmp/example)
  [ "$found" = "0 6 4; label 3 at index 1 is not below the number of buckets, 3" ] ||
    die 1 "the program in C says '$found'"
  # Without the variables of lib/common.sh: the root has no ccache
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -ec 'cmake -S /tmp/consumer -B /tmp/built -DWAY=installed -DCMAKE_BUILD_TYPE=Release
    cmake --build /tmp/built' >"$log" 2>&1 || die 1 "the program in C++ is not built: $(tail -n 9 "$log")"
  found=$(chroot "$root" /tmp/built/programs/kernels)
  [ "$found" = right ] || die 1 "the program in C++ says '$found'"
  echo "installed: programs in C and C++ find presort by pkg-config and CMake, and run"
}

# Installs the .deb in a new root file system that has nothing but Debian's essential packages.
check_in_root() {
  local suite root=$work/root log=$work/log.txt
  [ "$(id -u)" -eq 0 ] || die $kExitEnvironment "--root needs root"
  command -v debootstrap >/dev/null || install_packages debootstrap
  mkdir "$root"
  # shellcheck source=/dev/null
  suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
  debootstrap --variant=minbase "$suite" "$root" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} >"$log" 2>&1 ||
    die $kExitEnvironment "debootstrap fails: $(tail -n 1 "$log")"
  cp "$folder/$deb" "$root/tmp/presort.deb"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  if [ -d /etc/apt/apt.conf.d ]; then  # proxies of this machine
    cp /etc/apt/apt.conf.d/*proxy* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
  fi
  mount --bind /proc "$root/proc" 2>"$log" || die $kExitEnvironment "no /proc in the new root: $(tail -n 1 "$log")"
  chroot "$root" apt-get install -q -y --no-install-recommends /tmp/presort.deb >"$log" 2>&1 ||
    die 1 "the .deb cannot be installed: $(tail -n 3 "$log")"
  runs chroot "$root" presort
  programs "$root"
  chroot "$root" apt-get purge -q -y presort >"$log" 2>&1 || die 1 "the .deb cannot be removed"
  echo "installed: presort runs in a new root of $suite, and is removed again"
}

step "packages" make_packages
step "unpacked" check_unpacked
if [ $in_root = yes ]; then
  step "in a new root" check_in_root
fi
if command -v lintian >/dev/null; then
  step "lintian" lintian --fail-on error,warning "$folder/$deb"
fi
ls -l "$folder"
