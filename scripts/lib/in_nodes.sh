#!/bin/busybox sh
# The first program of a machine that scripts/nodes.sh boots: runs the tests of nodes and a plan with
# each placement, and says where the pages of each run lie. Ends with "nodes: right" or "nodes: wrong".

/bin/busybox --install -s /bin
export PATH=/bin PRESORT_DATA=/configs HOME=/tmp
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
mount -t tmpfs none /tmp
cd /tmp || poweroff -f
wanted=$(sed 's/.*wanted=\([0-9,]*\).*/\1/' /proc/cmdline)
verdict=right

say() { echo "nodes: $*"; }

# Share of a process' pages on each node in percent, such as 50,50; nothing once it has ended.
shares_of() {
  awk '{ for (i = 1; i <= NF; i++) if ($i ~ /^N[0-9]+=/) {
           split(substr($i, 2), at, "="); pages[at[1]] += at[2]; all += at[2]
           if (at[1] + 0 > last) last = at[1] + 0 } }
       END { for (n = 0; all && n <= last; n++)
               printf "%s%d", n ? "," : "", 100 * pages[n] / all + 0.5 }' \
    "/proc/$1/numa_maps" 2>/dev/null
}

# True while a process of this shell has not ended.
runs() {
  case "$(sed 's/.*) \(.\).*/\1/' "/proc/$1/stat" 2>/dev/null)" in
    Z | '') return 1 ;;
  esac
}

# True if two lists of shares differ by at most 5 each; a missing one counts as 0.
alike() {
  echo "$1 $2" | awk '{ n = split($1, a, ","); m = split($2, b, ",")
    for (i = 1; i <= (n > m ? n : m); i++) { d = a[i] - b[i]; if (d > 5 || d < -5) exit 1 } }'
}

cpu_test "-sf=*nodes*" >tests 2>&1 || verdict=wrong
say "$(grep 'test cases' tests)"
for placement in firstTouch interleaved byShare; do
  presort run --op multireduce -n 2^24 -b 2^22 --reps 12 \
    --plan "sortBits=8,threads=4,placement=$placement" >out 2>&1 &
  process=$!
  found=0
  while runs $process; do
    now=$(shares_of $process)
    [ -z "$now" ] || found=$now
    sleep 1
  done
  wait $process || { verdict=wrong; say "$(tail -1 out)"; }
  say "$placement: pages on each node: $found %"
  [ $placement != byShare ] || alike "$found" "$wanted" || verdict=wrong
  [ $placement != interleaved ] || alike "$found" 50,50 || verdict=wrong
  [ $placement != firstTouch ] || alike "$(echo "$found" | tr ',' '\n' | sort -n | tail -1)" 100 ||
    verdict=wrong
done
say $verdict
poweroff -f
