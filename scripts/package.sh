#!/usr/bin/env bash
# Builds presort's .deb and .tar.gz into a folder, and checks them: both run where they were unpacked.
# With --root the .deb is also installed in a new Debian root, which needs root, debootstrap and a mirror.
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
    -DPRESORT_CUDA=off -DPRESORT_UNITY=ON -DPRESORT_TESTS=OFF "${options[@]}" >&2
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
  has "$work/deb/usr" bin/presort include/presort/presort.h share/presort/grids/quick.yaml \
    share/man/man1/presort.1.gz share/man/man1/presort-tune.1.gz share/doc/presort/copyright \
    share/doc/presort/changelog.gz share/bash-completion/completions/presort \
    share/zsh/vendor-completions/_presort share/fish/vendor_completions.d/presort.fish
  has "$work/tar" bin/presort include/presort/presort.h share/man/man1/presort.1 share/doc/presort/LICENSE
  [ -n "$(find "$work/deb/usr/lib" -name libpresort_cpu.a)" ] || die 1 "the .deb lacks libpresort_cpu.a"
  runs "$work/deb/usr/bin/presort"
  runs "$work/tar/bin/presort"
  dpkg-deb -f "$folder/$deb" Package Version Architecture Section Depends Installed-Size
  echo "unpacked: presort runs from the .deb and from the .tar.gz"
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
  mount --bind /proc "$root/proc"
  chroot "$root" apt-get install -q -y --no-install-recommends /tmp/presort.deb >"$log" 2>&1 ||
    die 1 "the .deb cannot be installed: $(tail -n 3 "$log")"
  runs chroot "$root" presort
  chroot "$root" apt-get purge -q -y presort >"$log" 2>&1 || die 1 "the .deb cannot be removed"
  echo "installed: presort runs in a new root of $suite, and is removed again"
}

step "packages" make_packages
step "unpacked" check_unpacked
if [ $in_root = yes ]; then
  step "in a new root" check_in_root
fi
if command -v lintian >/dev/null; then
  echo "lintian, which decides nothing:"
  lintian "$folder/$deb" || true
fi
ls -l "$folder"
