#!/usr/bin/env bash
# Runs presort on machines with several memory nodes, which QEMU emulates without the help of this
# machine's processor: the tests of nodes, and where the pages of a run lie, node by node, as Linux
# says. Times there mean nothing. Needs root once, to install QEMU and a kernel; takes some two
# minutes after the build.
usage="usage: scripts/nodes.sh"
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

help_if_asked "$@"
[ $# -eq 0 ] || die $kExitUsage "found '$1'; $usage"
programs=("$kBuildDir/presort" "$kBuildDir/cpu_test")
for program in "${programs[@]}"; do
  [ -x "$program" ] || die $kExitUsage "found no program $program; scripts/test.sh builds it"
done
install_packages qemu-system-x86 linux-image-amd64 busybox-static cpio
kernel=$(ls -t /boot/vmlinuz-* 2>/dev/null | head -1 || true)
[ -r "$kernel" ] || die $kExitEnvironment "found no kernel that can be read as /boot/vmlinuz-*"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
root=$folder/root
mkdir -p "$root"/{bin,proc,sys,dev,tmp}
cp "$(command -v busybox)" "$root/bin/busybox"
cp -r configs "$root/configs"
for program in "${programs[@]}"; do
  cp "$program" "$root/bin/"
  ldd "$program" | grep -o '/[^ ]*' | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -Ln "$library" "$root$library"
  done
done
cp scripts/lib/in_nodes.sh "$root/init"
chmod +x "$root/init"
(cd "$root" && find . | cpio -o -H newc --quiet) | gzip -1 >"$folder/initrd.gz"

# Linux gives the nodes with cores their numbers first.
# boot WANTED OPTION...: boots a machine of four cores whose nodes the options describe, and passes
# WANTED, the share of the pages that each node shall have under `byShare` in percent, to in_nodes.sh.
boot() {
  local wanted=$1
  shift
  timeout 300 qemu-system-x86_64 -accel tcg,thread=multi -cpu max -m 4G -smp 4 \
    -kernel "$kernel" -initrd "$folder/initrd.gz" -nographic -no-reboot \
    -append "console=ttyS0 quiet panic=-1 wanted=$wanted" "$@" |
    tr -d '\r' | grep -ao 'nodes: .*' | tee "$folder/said"
  grep -q '^nodes: right$' "$folder/said"
}

memory() {  # memory SIZE...: options that give the machine memory in pieces m0, m1, ...
  local i=0 size
  for size in "$@"; do
    options+=(-object "memory-backend-ram,id=m$i,size=$size")
    i=$((i + 1))
  done
}

failed=0
options=()
memory 2G 2G
step "two nodes" boot 50,50 "${options[@]}" \
  -numa node,memdev=m0,cpus=0-1 -numa node,memdev=m1,cpus=2-3 || failed=1
step "three cores and one" boot 75,25 "${options[@]}" \
  -numa node,memdev=m0,cpus=0-2 -numa node,memdev=m1,cpus=3 || failed=1
options=()
memory 2G 1G 1G
step "a node without cores" boot 50,50 "${options[@]}" -numa node,memdev=m0,cpus=0-1 \
  -numa node,memdev=m1 -numa node,memdev=m2,cpus=2-3 || failed=1
[ $failed -eq 0 ] || die 1 "pages lie where they should not, or a test failed"
