# Read by tests of the command. Arguments of each: PRESORT JSON_CHECK DATA_FOLDER.
json_check=$(realpath "$2")
data=$(realpath "$3")
machine=$(realpath "$3/machine.yaml")
source "$(dirname "${BASH_SOURCE[0]}")/../test_folder.sh"
checks=0

# expect CODE TEXT WORDS…: the command exits with CODE and says TEXT on stderr, nothing on stdout.
expect() {
  local code=$1 text=$2
  shift 2
  "$presort" "$@" >stdout.txt 2>stderr.txt
  local found=$?
  checks=$((checks + 1))
  [ "$found" -eq "$code" ] || fail "presort $*: exit $found, expected $code"
  [ -z "$text" ] || grep -qF -- "$text" stderr.txt || fail "presort $*: stderr lacks '$text'"
  [ "$code" -eq 0 ] || [ ! -s stdout.txt ] || fail "presort $*: an error, but stdout has text"
}

# expect_json FIELDS WORDS…: the command exits with 0 and prints one JSON document with the
# comma-separated fields, and a schema.
expect_json() {
  local fields=${1//,/ }
  shift
  checks=$((checks + 1))
  "$presort" "$@" >stdout.txt 2>stderr.txt || fail "presort $*: exit $?"
  # shellcheck disable=SC2086
  "$json_check" schema $fields <stdout.txt 2>>stderr.txt || fail "presort $*: bad JSON"
}

# says TEXT WORDS…: the command exits with 0 and prints TEXT on stdout.
says() {
  local text=$1
  shift
  checks=$((checks + 1))
  "$presort" "$@" >stdout.txt 2>stderr.txt || fail "presort $*: exit $?"
  grep -qF -- "$text" stdout.txt || fail "presort $*: stdout lacks '$text'"
}

small=(-n 2^16 -b 2^10)
simulate=(simulate -m "$machine" "${small[@]}")
traces=$(realpath "$data/../../sim/trace/data")
trace=(simulate -m "$machine" --trace)

# Writes tuned.yaml: the machine tuned for one problem.
make_tuned() {
  "$presort" tune -m "$machine" "${small[@]}" -o tuned.yaml -q >/dev/null 2>stderr.txt || fail "tune -o"
}

# Prints the counts. Exit status 1 if a check failed. Called at the end of a test.
end_checks() {
  local leftovers
  leftovers=$(find . -name '*.tmp')
  [ -z "$leftovers" ] || fail "temporary files are left: $leftovers"
  echo "$checks commands checked, $failures failed"
  [ "$failures" -eq 0 ]
}
