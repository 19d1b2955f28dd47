# Read by tests of the command, whose first argument is the program `presort`: makes an empty folder
# to work in, which is removed at the end, and counts failures. Other arguments that are relative
# paths must be made absolute before: the test continues in the new folder.
set -uo pipefail
presort=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

# fail TEXT: counts a failure, and prints TEXT and what the last command said in stderr.txt.
fail() {
  echo "FAILED: $1" >&2
  [ ! -s stderr.txt ] || sed 's/^/    stderr: /' stderr.txt >&2
  failures=$((failures + 1))
}
